// The data of react-admin over our API: addresses, reasons, and refusals at their fields.

import { Api } from '@gantry/ui/client/api.ts';
import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import type { HttpError } from 'react-admin';
import { type AdminData, adminData } from './data-provider.ts';

const { answer, bodies, calls } = playAnswers();
const FAILURES = { network: 'No network.', timed_out: 'Too late.', bad_answer: 'No answer of ours.' };
let data: AdminData;
beforeEach(() => {
  data = adminData(new Api({ token: () => 'tok', language: 'en', failures: FAILURES }));
});

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: HttpError) => error,
  );

test('a list is asked for by the last word of its address, and knows how many rows there are', async () => {
  const query = 'filter=%7B%22q%22%3A%22ann%22%7D&range=%5B25%2C49%5D&sort=%5B%22name%22%2C%22DESC%22%5D';
  answer(`GET /api/admin/users?${query}`, { body: [{ id: 'acc-1' }], headers: { 'Content-Range': 'users 25-25/319' } });
  const page = await data.getList('manage/user/users', {
    pagination: { page: 2, perPage: 25 },
    sort: { field: 'name', order: 'DESC' },
    filter: { q: 'ann' },
  });
  expect(page).toEqual({ data: [{ id: 'acc-1' }], total: 319 });
});

test('an id is escaped in its address', async () => {
  answer('GET /api/admin/instances/org-acme.ins%2F1', { body: { id: 'org-acme.ins/1' } });
  expect(await data.getOne('manage/computing/instances', { id: 'org-acme.ins/1' })).toEqual({
    data: { id: 'org-acme.ins/1' },
  });
});

test('a deletion says why in a header, in any script', async () => {
  answer('DELETE /api/admin/announcements/ann-1', { body: { id: 'ann-1' } });
  await data.delete('manage/operation/announcements', { id: 'ann-1', meta: { reason: '过期了' } });
  const [, init] = (globalThis.fetch as unknown as { mock: { calls: [string, RequestInit][] } }).mock.calls[0] ?? [];
  expect(new Headers(init?.headers).get('x-reason')).toBe(encodeURIComponent('过期了'));
});

test('a refusal is the server’s sentence, at its field', async () => {
  const message = 'reason: is required';
  const body = { code: 40001, error: 'invalid_field', message, field: 'reason', request_id: 'r' };
  answer('PUT /api/admin/users/acc-1', { status: 400, body });
  const error = await refused(
    data.update('manage/user/users', { id: 'acc-1', data: {}, previousData: { id: 'acc-1' } }),
  );
  expect([error.message, error.status, error.body.errors]).toEqual([message, 400, { reason: message }]);
});

test('a call of a page’s own sends its body, and a network that is away is a sentence', async () => {
  answer('POST /api/admin/books/verify', { body: { id: 'prf-1' } });
  expect(await data.ask('books/verify', { method: 'POST', body: { reason: 'monthly' } })).toEqual({ id: 'prf-1' });
  expect(bodies('POST /api/admin/books/verify')).toEqual([{ reason: 'monthly' }]);
  expect((await refused(data.ask('nowhere'))).message).toBe('No network.');
  expect(calls('GET /api/admin/nowhere')).toBe(1);
});
