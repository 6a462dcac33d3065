// One call of the API: what it sends, what it unwraps, and its error messages.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Api, urlOf } from './api.ts';
import { ApiProblem } from './api-problem.ts';

const FAILURES = { network: 'no network', timed_out: 'too late', bad_answer: 'not understood' };
const denied = jest.fn<(problem: ApiProblem) => void>();
const api = new Api({ token: () => 'tok', language: 'ja', failures: FAILURES, onDenied: denied });

const fetched = jest.fn<typeof fetch>();
const real = globalThis.fetch;
beforeEach(() => {
  globalThis.fetch = fetched;
  fetched.mockReset();
  denied.mockReset();
});
afterEach(() => {
  globalThis.fetch = real;
});

const answer = (body: unknown, init?: ResponseInit) =>
  fetched.mockResolvedValue(new Response(JSON.stringify(body), init));
const sent = () => {
  const [url, init] = fetched.mock.calls[0] ?? [];
  return { url, method: init?.method, headers: init?.headers as Record<string, string>, body: init?.body };
};
const failing = async (work: Promise<unknown>): Promise<ApiProblem> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiProblem)) throw new Error('it did not fail with a problem');
  return error;
};

test('a call carries token and language, and its body as JSON', async () => {
  answer({ code: 0, message: 'ok', result: { id: 'dsk-1' } });
  const made = await api.call(CALLS.createDisk, { body: { displayName: 'data', sizeGi: 10 } });
  expect(made).toEqual({ id: 'dsk-1' });
  expect(sent()).toMatchObject({
    url: '/api/stor/v1/data-disk',
    method: 'POST',
    headers: { 'X-Token': 'tok', 'Accept-Language': 'ja', 'Content-Type': 'application/json' },
    body: '{"displayName":"data","sizeGi":10}',
  });
});

test('a key of one wish goes with what can be repeated, and with nothing else', async () => {
  answer({ code: 0, message: 'ok', result: {} });
  await api.call(CALLS.createDisk, { body: { displayName: 'data', sizeGi: 10 } }, { idempotencyKey: 'k1' });
  expect(sent().headers).toHaveProperty('Idempotency-Key', 'k1');
  fetched.mockClear();
  answer({ code: 0, message: 'ok', result: {} });
  await api.call(CALLS.login, { body: { account: 'ann', password: 'x' } }, { idempotencyKey: 'k1' });
  expect(sent().headers).not.toHaveProperty('Idempotency-Key');
});

test('a list is reshaped from data and paginated', async () => {
  const paginated = { page: 2, size: 10, total_num: 13, total_page: 2, num: 3, extra: { used: 1 } };
  answer({ code: 0, message: 'ok', data: [{ id: 'a' }], paginated });
  expect(await api.call(CALLS.listDisks, { query: { page: 2 } })).toEqual({
    items: [{ id: 'a' }],
    page: 2,
    size: 10,
    total: 13,
    totalPages: 2,
    extra: { used: 1 },
  });
});

test('a problem keeps its sentence, field, arguments and request id', async () => {
  const body = {
    code: 40001,
    error: 'name_rule',
    message: 'Only letters.',
    field: 'displayName',
    args: {},
    request_id: 'r1',
  };
  answer(body, { status: 400 });
  expect(await failing(api.call(CALLS.getMe, {}))).toMatchObject({
    status: 400,
    error: 'name_rule',
    message: 'Only letters.',
    field: 'displayName',
    requestId: 'r1',
    isUncertain: false,
  });
  expect(denied).not.toHaveBeenCalled();
});

test.each([401, 403])('a %d is told to whoever shows the notice, too', async (status) => {
  answer({ code: status * 100 + 1, error: 'x', message: 'no', request_id: 'r' }, { status });
  await failing(api.call(CALLS.getMe, {}));
  expect(denied).toHaveBeenCalledTimes(1);
});

test('a success with another code than 0, and a page that is no JSON, are not understood', async () => {
  answer({ code: 7, message: 'eh' });
  expect((await failing(api.call(CALLS.getMe, {}))).error).toBe('bad_answer');
  fetched.mockResolvedValue(new Response('<html>', { status: 502 }));
  expect(await failing(api.call(CALLS.getMe, {}))).toMatchObject({
    error: 'bad_answer',
    status: 502,
    message: 'not understood',
  });
});

test('nobody there is a failure of which nothing is certain', async () => {
  fetched.mockRejectedValue(new TypeError('fetch failed'));
  expect(await failing(api.call(CALLS.getMe, {}))).toMatchObject({ error: 'network', isUncertain: true });
});

test('a call that the caller aborts is no problem of the API', async () => {
  const leave = new AbortController();
  fetched.mockImplementation((_, init) => Promise.reject(init?.signal?.reason));
  leave.abort();
  await expect(api.call(CALLS.getMe, {}, { signal: leave.signal })).rejects.toHaveProperty('name', 'AbortError');
});

test('how long to wait is read from Retry-After', async () => {
  const headers = { 'Retry-After': '3' };
  answer({ code: 42901, error: 'too_many_requests', message: 'slow', request_id: 'r' }, { status: 429, headers });
  expect((await failing(api.call(CALLS.getMe, {}))).retryAfterMs).toBe(3000);
});

describe('a gateway that has not heard yet of what this tab knows', () => {
  const knowing = new Api({ token: () => 'tok', language: 'en', failures: FAILURES });
  const versions = () => fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('X-Gantry-Version'));
  const ok = (headers: HeadersInit = {}) => Response.json({ code: 0, message: 'ok', result: {} }, { headers });

  test('is told with a read: the newest of what was written and of what the stream said', async () => {
    fetched.mockImplementation(async (_, init) =>
      ok(init?.method === 'POST' ? { 'X-Gantry-Version': 'datadisks=100' } : {}),
    );
    await knowing.call(CALLS.createDisk, { body: { displayName: 'data', sizeGi: 10 } });
    knowing.knows('datadisks', '99');
    knowing.knows('gpuinstances', '7');
    await knowing.call(CALLS.getDisk, { params: { id: 'dsk-1' } });
    expect(versions()).toEqual([null, 'datadisks=100,gpuinstances=7']);
  });

  test('and stays behind, answers with what it has', async () => {
    const late = { code: 50301, error: 'unavailable', message: 'later', request_id: 'r' };
    knowing.knows('datadisks', '100');
    fetched.mockImplementation(async (_, init) =>
      new Headers(init?.headers).has('X-Gantry-Version') ? Response.json(late, { status: 503 }) : ok(),
    );
    expect(await knowing.call(CALLS.getDisk, { params: { id: 'dsk-1' } })).toEqual({});
    await knowing.call(CALLS.getDisk, { params: { id: 'dsk-1' } });
    // Once: it may never get there.
    expect(versions()).toEqual([expect.stringContaining('datadisks=100'), null, null]);
  });
});

test('parameters are escaped, and what is not given is left out', () => {
  expect(
    urlOf('/stor/v1/data-disk/{id}', { params: { id: 'a/b ?' }, query: { page: 1, search: '', tag: undefined } }),
  ).toBe('/api/stor/v1/data-disk/a%2Fb%20%3F?page=1');
});
