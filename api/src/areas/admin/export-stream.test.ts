// How a file of a list is streamed: a page at a time, no further than there was to read, and cut off where it breaks.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { adminExportId } from '@gantry/contract/http/admin-exports.ts';
import type { Problem } from '@gantry/contract/http/problem.ts';
import { afterEach, expect, test } from '@jest/globals';
import type { Page } from '../../platform/db/list-pages.ts';
import type { Call } from '../../platform/http/serve.ts';
import { exportRoutes } from './admin-export-routes.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

interface Stage {
  url: string;
  audits: Call['audit'][];
  faults: unknown[];
}

/** Those in memory know no keys. */
type Rows = Omit<Page<object>, 'last'> & Partial<Page<object>>;

/** One route over a list of its own, two rows a page. */
async function stage(list: (query: AdminQuery) => Promise<Rows> | Rows): Promise<Stage> {
  const served = exportRoutes({ users: list } as never, 2).find(({ route }) => route.id === adminExportId('users'));
  const audits: Call['audit'][] = [];
  const faults: unknown[] = [];
  server = createServer((_req, res: ServerResponse) => {
    const audit: Call['audit'] = {};
    audits.push(audit);
    const end = new AbortController();
    res.once('close', () => end.abort());
    const query = { sort: ['id', 'ASC'], filter: {} };
    const caller = { account: { id: 'acc-staff' } };
    const call = { query, caller, audit, res, signal: end.signal, language: 'en' } as unknown as Call;
    served?.handler(call).catch((error: unknown) => {
      faults.push(error);
      if (res.headersSent) res.destroy();
      else res.writeHead(429).end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, audits, faults };
}

const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ id: `u${from + at}` }));
const idsIn = (text: string) => text.match(/u\d+/g) ?? [];

test('a list that knows no keys goes on by the place', async () => {
  const asked: [number, number][] = [];
  const { url, audits } = await stage(({ range }) => {
    asked.push(range);
    return { items: rows(range[0], Math.min(2, 5 - range[0])), total: 5 };
  });
  expect(idsIn(await (await fetch(url)).text())).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
  expect(asked).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  expect(audits[0]).toMatchObject({ object: 'Export/users', evenIfRead: true });
});

test('a list that grows as fast as it is read ends where it ended at first', async () => {
  const { url } = await stage(({ range: [first] }) => ({ items: rows(first, 2), total: 5 }));
  expect(idsIn(await (await fetch(url)).text())).toHaveLength(5);
});

test('a list that was not counted to its end is sent to its end', async () => {
  const { url, audits } = await stage(({ range: [first] }) => ({
    items: rows(first, Math.min(2, 9 - first)),
    total: 5,
    isTotalMore: true,
  }));
  const answer = await fetch(url);
  expect(idsIn(await answer.text())).toHaveLength(9);
  expect(answer.headers.get('x-total-count')).toBeNull();
  expect(audits[0]?.reason).toMatch(/^sent 9 of at least 5 rows/);
});

test('a list that shrinks meanwhile ends with what there is', async () => {
  const { url } = await stage(({ range: [first] }) => ({ items: first === 0 ? rows(0, 2) : [], total: 5 }));
  expect(idsIn(await (await fetch(url)).text())).toHaveLength(2);
});

test('what fails on the way cuts the file off, and is recorded as far as it came', async () => {
  const { url, audits, faults } = await stage(async ({ range: [first] }) => {
    if (first > 0) throw new Error('the database has gone');
    return { items: rows(0, 2), total: 5 };
  });
  const answer = await fetch(url);
  await expect(answer.text()).rejects.toThrow();
  expect(faults).toEqual([expect.objectContaining({ message: 'the database has gone' })]);
  expect(audits[0]?.reason).toMatch(/^broken off after 2 of 5 rows/);
});

test('nobody takes more than two files at once', async () => {
  const waiting: (() => void)[] = [];
  const { url, faults } = await stage(
    () => new Promise((resolve) => waiting.push(() => resolve({ items: rows(0, 1), total: 1 }))),
  );
  const [one, other] = [fetch(url), fetch(url)];
  const third = await fetch(url);
  expect([third.status, (faults[0] as Problem).problem]).toEqual([429, 'too_many_requests']);
  for (const go of waiting) go();
  expect([(await one).status, (await other).status]).toEqual([200, 200]);
  await Promise.all([(await one).text(), (await other).text()]);
});
