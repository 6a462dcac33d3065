// The frame's treatment of any call, with a few test routes: limits, bodies, time, repeated calls, reads that bypass Express.
import { connect } from 'node:net';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { defineRoute, type RouteFacts } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { ApiError, NoAnswer } from '@gantry/kube/api-error.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import * as z from 'zod';
import { eventually } from '../../../../test/support/eventually.ts';
import { frameParts } from '../../../../test/support/frame-parts.ts';
import { createApp } from './app.ts';
import type { Caller } from './caller.ts';
import { addressKey, RateLimits } from './rate-limits.ts';
import type { AuditEntry, FrameParts } from './run-route.ts';
import { type Served, serve } from './serve.ts';
import { type Serving, serveHttp } from './serve-http.ts';
import { Prepared } from './write-answer.ts';

const facts = { tag: 'test', summary: 'A test.', problems: [] } as const;
const say = defineRoute({
  ...facts,
  id: 'say',
  method: 'POST',
  path: '/say',
  access: { right: 'use' },
  body: z.strictObject({ text: z.string() }),
  answer: { result: z.string() },
});
const guess = defineRoute({ ...say, id: 'guess', path: '/guess', access: 'public', attemptsPerMinute: 3 });
const read = defineRoute({
  ...facts,
  id: 'read',
  method: 'GET',
  path: '/thing/{id}',
  access: 'public',
  params: z.object({ id: z.string().max(20) }),
  query: z.strictObject({ size: z.coerce.number().int().default(10) }),
  answer: { result: z.unknown() },
});
const plain = { ...facts, method: 'GET', access: 'public', answer: { result: z.unknown() } } as const;
const word = defineRoute({ ...plain, id: 'word', path: '/thing/word' });
const piece = defineRoute({
  ...{ id: 'piece', method: 'PUT', path: '/piece', tag: 'test', summary: 'Takes a piece.', access: 'account' },
  ...{ answer: { text: 'ok' }, problems: [], upload: true },
});
const bytes = defineRoute({ ...plain, id: 'bytes', path: '/bytes', answer: { raw: z.unknown() } });
const broken = defineRoute({ ...plain, id: 'broken', path: '/broken' });

const owner: Caller = {
  account: { id: 'acc-1', name: 'one', email: null, locale: 'zh', platformRoles: [] },
  organization: { id: 'acme', role: 'owner', namespace: 'org-acme' },
  session: { id: 'ses-1', kind: 'session', scopes: [], expiresAt: 0 },
};

let serving: Serving | undefined;
afterEach(() => serving?.stop());

async function start(own: Partial<FrameParts> = {}, handle?: (text: string, signal: AbortSignal) => Promise<string>) {
  const answer = new Prepared('"v1"', Buffer.from('{"made":"before, 之前"}'));
  const seen = ({ params, query, ip }: { params: unknown; query: unknown; ip: string }) => ({ params, query, ip });
  const areas: Served[] = [
    serve(say, ({ body, signal }) => handle?.(body.text, signal) ?? body.text),
    serve(guess, ({ body }) => body.text),
    serve(read, seen),
    serve(word, () => 'the word'),
    serve(piece, () => undefined),
    serve(bytes, () => answer),
    serve(broken, () => Promise.reject(new Error('secret-of-ours'))),
  ];
  const routes: RouteFacts[] = [...Object.values(PLATFORM_ROUTES), ...areas.map(({ route }) => route)];
  const parts = {
    ...frameParts({ authenticate: async (token) => (token === 'right' ? owner : undefined), ...own }),
    missing: async () => [],
    origins: ['https://console.example'],
    trustedProxies: [],
    settings: () => ({ version: '1.1.5' }) as never,
  };
  serving = await serveHttp(createApp(parts, areas, routes), { host: '127.0.0.1', port: 0 });
  return serving.url;
}

const post = (url: string, body: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/say`, {
    method: 'POST',
    headers: { 'x-token': 'right', 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    ...(body !== undefined && { body }),
  });
const refusal = async (answer: Promise<Response>) => {
  const { status, headers, body } = await answer.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    body: (await got.json()) as { error?: string; field?: string; args?: object },
  }));
  return { status, error: body.error, field: body.field, headers };
};

/** The answer to bytes that no ordinary client would send. */
function raw(url: string, text: string, { end = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text);
      if (end) socket.end();
    });
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

describe('a body', () => {
  test.each([
    ['a byte order mark', '\ufeff{"text":"a"}', 'malformed_json'],
    ['half a pair of surrogates', '{"text":"\\ud800"}', 'bad_text'],
    ['a NUL', '{"text":"a\\u0000b"}', 'bad_text'],
    ['an escape sequence of a terminal', '{"text":"\\u001b[2J"}', 'bad_text'],
    ['text that turns the rest around', '{"text":"\\u202egnp.exe"}', 'bad_text'],
    ['the name of a prototype', '{"__proto__":{"a":1},"text":"a"}', 'bad_text'],
    ['arrays in arrays', `{"text":${'['.repeat(40)}${']'.repeat(40)}}`, 'nested_too_deep'],
    ['nothing', undefined, 'invalid_field'],
  ])('with %s is refused', async (_title, body, error) => {
    expect(await refusal(post(await start(), body))).toMatchObject({ status: 400, error });
  });

  test('that is no UTF-8 is refused', async () => {
    const url = await start();
    const body = new Uint8Array([...Buffer.from('{"text":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    const headers = { 'x-token': 'right', 'content-type': 'application/json' };
    expect(await refusal(fetch(`${url}/api/say`, { method: 'POST', headers, body }))).toMatchObject({
      status: 400,
      error: 'malformed_json',
    });
  });

  test('with a bad text says where', async () => {
    expect(await refusal(post(await start(), '{"text":"\\u0000"}'))).toMatchObject({ field: 'text' });
  });

  test.each([
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
    ['compression', { 'content-encoding': 'gzip' }],
    ['no media type of ours', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('with %s is a 415', async (_title, headers) => {
    expect(await refusal(post(await start(), '{"text":"a"}', headers))).toMatchObject({ status: 415 });
  });

  test('with fifty megabytes and no length is a 413 that is not read to its end', async () => {
    const url = await start();
    let sent = 0;
    const body = new ReadableStream({
      pull(stream) {
        sent += 65_536;
        if (sent > 50 * 1024 * 1024) stream.close();
        else stream.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const headers = { 'x-token': 'right', 'content-type': 'application/json' };
    const answer = fetch(`${url}/api/say`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(await refusal(answer)).toMatchObject({ status: 413, error: 'too_large' });
    expect(sent).toBeLessThan(40 * 1024 * 1024);
  });

  test('is not read for somebody who may not send it', async () => {
    expect(await refusal(post(await start(), '{', { 'x-token': 'wrong' }))).toMatchObject({ status: 401 });
  });

  test('that never comes is a 408 after the time limit', async () => {
    const url = await start({ answerLimitMs: 50 });
    const head = 'POST /api/say HTTP/1.1\r\nhost: x\r\nx-token: right\r\ncontent-type: application/json\r\n';
    const got = await raw(url, `${head}connection: close\r\ncontent-length: 100\r\n\r\n{"text":`);
    expect(got).toMatch(/^HTTP\/1.1 408 /);
    expect(got).toContain('request_too_slow');
  });

  test('whose sender goes away is nobody\u2019s failure', async () => {
    const lines: string[] = [];
    const url = await start({ log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }) });
    const head = 'POST /api/say HTTP/1.1\r\nhost: x\r\nx-token: right\r\ncontent-type: application/json\r\n';
    await raw(url, `${head}content-length: 100\r\n\r\n{"te`, { end: true });
    expect((await post(url, '{"text":"still here"}')).status).toBe(200);
    expect(lines).toEqual([]);
  });
});

const denied = (policy: string, detail: string) =>
  new ApiError(403, {
    message: `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${detail}`,
  });

describe('a request', () => {
  test('with more than sixty-four kilobytes of headers is a 431', async () => {
    const url = await start();
    expect(await raw(url, `GET /api/bytes HTTP/1.1\r\nhost: x\r\nx-much: ${'a'.repeat(70_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /,
    );
  });

  test.each([
    ['a field twice', '/api/thing/1?size=1&size=2', 'size'],
    ['a field that nobody knows', '/api/thing/1?sise=1', 'sise'],
    ['a prototype', '/api/thing/1?__proto__=1', 'query'],
    ['a NUL in its path', '/api/thing/a%00b', 'id'],
  ])('with %s is a 400 that names it', async (_title, path, field) => {
    const found = await refusal(fetch((await start()) + path));
    expect(found.status).toBe(400);
    if (field !== 'query') expect(found.field).toBe(field);
  });

  test.each([
    ['{"text":"x"}', 'a number of one\u2019s own', { 'x-request-id': 'my-request-1' }, 'my-request-1'],
    ['{"text":"x"}', 'nonsense', { 'x-request-id': 'a\tb' }, undefined],
  ])('%s has an id: %s', async (body, _title, headers, id) => {
    const answer = await post(await start(), body, headers);
    const said = answer.headers.get('x-request-id');
    if (id === undefined) expect(said).toMatch(/^[0-9a-f-]{36}$/);
    else expect(said).toBe(id);
  });

  test('that takes too long is a 503, and its work is told', async () => {
    let reason: unknown;
    const url = await start({ answerLimitMs: 50 }, (_text, signal) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      return new Promise(() => undefined);
    });
    expect(await refusal(post(url, '{"text":"a"}'))).toMatchObject({ status: 503, error: 'timed_out' });
    expect(reason).toMatchObject({ problem: 'timed_out' });
  });

  test('that fails says nothing of why, but the log does, with its id', async () => {
    const lines: string[] = [];
    const url = await start({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
    const answer = await fetch(`${url}/api/broken`);
    const text = await answer.text();
    expect([answer.status, text.includes('secret-of-ours')]).toEqual([500, false]);
    expect(JSON.parse(text)).toMatchObject({ error: 'internal' });
    expect(lines.join('')).toContain('secret-of-ours');
    expect(lines.every((line) => line.includes(`${answer.headers.get('x-request-id')}`))).toBe(true);
  });

  test('while the database is away is a 503 that says when to come again', async () => {
    const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const url = await start({ authenticate: () => Promise.reject(gone) });
    const found = await refusal(post(url, '{"text":"a"}'));
    expect([found.status, found.error, found.headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  });

  test.each([
    ['does not answer', new NoAnswer('too late'), 503, 'unavailable'],
    ['is too busy', new ApiError(429, {}, 7), 503, 'unavailable'],
    ['is rolling', new ApiError(500, {}), 503, 'unavailable'],
    ['does not know the member yet', new ApiError(403, { reason: 'Forbidden' }), 409, 'organization_not_ready'],
    ['finds another version', new ApiError(409, { reason: 'Conflict' }), 409, 'conflict'],
    ['keeps what runs', denied('gantry-release', 'shut it down'), 409, 'instance_not_shut_down'],
    ['has a policy against it', denied('gantry-other', 'spec.a: no'), 409, 'policy_refused'],
    ['finds nothing', new ApiError(404, { details: { name: 'ins-1', kind: 'pods' } }), 404, 'not_found'],
  ])('when the API server %s is a problem, whoever asked it', async (_title, error, status, code) => {
    const url = await start({}, () => Promise.reject(error));
    expect(await refusal(post(url, '{"text":"a"}'))).toMatchObject({ status, error: code });
  });
});

describe('rates', () => {
  test('per session, whatever its address', async () => {
    const url = await start({ limits: new RateLimits(2) });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(url, '{"text":"a"}')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const { headers, error } = await refusal(post(url, '{"text":"a"}'));
    expect(error).toBe('too_many_requests');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60');
    // Another session, and those without one, are not hindered.
    expect((await fetch(`${url}/api/bytes`)).status).toBe(200);
  });

  test('of the pieces of uploads are twenty times as many, and apart', async () => {
    const url = await start({ limits: new RateLimits(2) });
    const send = () => fetch(`${url}/api/piece`, { method: 'PUT', headers: { 'x-token': 'right' }, body: 'x' });
    const statuses = [];
    for (let i = 0; i < 41; i++) statuses.push((await send()).status);
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
    expect((await post(url, '{"text":"a"}')).status).toBe(200);
  });

  test('per address without a session, failed tokens included', async () => {
    const url = await start({ limits: new RateLimits(2) });
    await post(url, '{"text":"a"}');
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(url, '{"text":"a"}', { 'x-token': `guess-${i}` })).status);
    expect(statuses).toEqual([401, 401, 429]);
    // Another client at the same address that logged in before is not affected.
    expect((await post(url, '{"text":"a"}')).status).toBe(200);
  });

  test('beyond them nobody is looked for, but whoever was found before', async () => {
    const looked: string[] = [];
    const authenticate = async (token: string) => {
      looked.push(token);
      return token === 'right' ? owner : undefined;
    };
    const url = await start({ limits: new RateLimits(2), authenticate });
    for (const token of ['right', 'a', 'b', 'c', 'd', 'right']) await post(url, '{"text":"a"}', { 'x-token': token });
    expect(looked).toEqual(['right', 'a', 'b', 'right']);
  });

  test('for guesses are separate', async () => {
    const url = await start();
    const headers = { 'content-type': 'application/json' };
    const guessed = () => fetch(`${url}/api/guess`, { method: 'POST', headers, body: '{"text":"a"}' });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await guessed()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await fetch(`${url}/api/bytes`)).status).toBe(200);
  });

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
  ])('count %s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});

describe('Idempotency-Key', () => {
  test('reaches whoever remembers, with what was asked', async () => {
    const asked: unknown[] = [];
    const url = await start({
      idempotency: {
        once: async (what, _signal, work) => {
          asked.push(what);
          return { ...(await work('a-name')), isReplay: asked.length > 1 };
        },
      },
    });
    const first = await post(url, '{"text":"a"}', { 'idempotency-key': 'k:1' });
    const second = await post(url, '{"text":"a"}', { 'idempotency-key': 'k:1' });
    expect(asked[0]).toMatchObject({ key: 'k:1', route: 'say', caller: owner, input: { body: { text: 'a' } } });
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await second.json()).toEqual({ code: 0, message: 'ok', result: 'a' });
  });

  test('in an unknown form is refused', async () => {
    const found = await refusal(post(await start(), '{"text":"a"}', { 'idempotency-key': 'a b' }));
    expect(found).toMatchObject({ status: 400, error: 'idempotency_key_rule', field: 'Idempotency-Key' });
  });

  test('is refused where the answer is not kept', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
    const found = fetch(`${await start()}/api/guess`, { method: 'POST', headers, body: '{"text":"a"}' });
    expect(await refusal(found)).toMatchObject({ status: 400, error: 'not_repeatable' });
  });
});

const BETWEEN_NEIGHBOURS = ['date', 'connection', 'keep-alive'];

describe('reads past Express', () => {
  /** HEAD goes through Express, and a path in another case would too. */
  const both = async (path: string, headers: Record<string, string> = {}) => {
    const url = await start();
    const [hot, express] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(url + path, { method, headers: { 'x-request-id': 'the-same-1', ...headers } }),
      ),
    );
    const statusAndHeaders = (answer: Response | undefined) => ({
      status: answer?.status,
      headers: Object.fromEntries([...(answer?.headers ?? [])].filter(([name]) => !BETWEEN_NEIGHBOURS.includes(name))),
    });
    return { hot: statusAndHeaders(hot), express: statusAndHeaders(express), body: await hot?.text() };
  };

  test.each([
    ['/api/thing/one?size=3', {}],
    ['/api/thing/word', {}],
    ['/api/bytes', { 'if-none-match': 'W/"v1", "v0"' }],
    ['/api/bytes', { origin: 'https://console.example' }],
    ['/api/bytes', { origin: 'https://elsewhere.example' }],
    ['/api/thing/%E4%BD%A0', { 'accept-language': 'ja' }],
    ['/api/thing/1?nonsense=1', {}],
    ['/api/thing/%E0%A4%A', {}],
  ])('%s %j are answered as Express answers them', async (path, headers) => {
    const { hot, express } = await both(path, headers);
    expect(hot).toEqual(express);
  });

  test('words go before parameters', async () => {
    expect(JSON.parse((await both('/api/thing/word')).body ?? '')).toMatchObject({ result: 'the word' });
  });

  test('parameters and query come parsed', async () => {
    expect(JSON.parse((await both('/api/thing/a%20b?size=3')).body ?? '')).toMatchObject({
      result: { params: { id: 'a b' }, query: { size: 3 }, ip: '127.0.0.1' },
    });
  });

  test('prepared bytes are not sent again to whoever has them', async () => {
    const url = await start();
    const first = await fetch(`${url}/api/bytes`);
    expect([first.status, first.headers.get('etag'), await first.text()]).toEqual([
      200,
      '"v1"',
      '{"made":"before, 之前"}',
    ]);
    const again = await fetch(`${url}/api/bytes`, { headers: { 'if-none-match': '"v1"' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('an address that a proxy tells is believed of none that is not named', async () => {
    const url = await start();
    const answer = await fetch(`${url}/api/thing/1`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(await answer.json()).toMatchObject({ result: { ip: '127.0.0.1' } });
  });
});

describe('the log', () => {
  test('one line a call, without token, body or query', async () => {
    const lines: string[] = [];
    const url = await start({ log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }) });
    await post(url, '{"text":"canary-body"}', { 'x-token': 'right' });
    await fetch(`${url}/api/thing/1?size=777`, { headers: { 'x-token': 'right' } });
    const said = lines.map((line): Record<string, unknown> => JSON.parse(line));
    expect(said.filter(({ msg }) => msg === 'call')).toMatchObject([
      { route: 'say', method: 'POST', status: 200, account: 'acc-1' },
      { route: 'read', method: 'GET', status: 200, account: 'acc-1' },
    ]);
    // Numbers that the moment makes may hold any digits.
    const kept = said.map(({ time, pid, ms, requestId, ...rest }) => rest);
    expect(JSON.stringify(kept)).not.toMatch(/canary|right|777/);
  });

  test('every mutation and every denial is audited, reads are not', async () => {
    const entries: AuditEntry[] = [];
    const viewer = { ...owner, organization: { ...owner.organization, role: 'viewer' as const } };
    const url = await start(
      {
        audit: async (entry) => void entries.push(entry),
        authenticate: async (token) => (token === 'right' ? owner : token === 'viewer' ? viewer : undefined),
      },
      (text) => (text === 'refused' ? Promise.reject(problem('conflict')) : Promise.resolve(text)),
    );
    await post(url, '{"text":"a"}');
    await post(url, '{"text":"a"}', { 'x-token': 'viewer' });
    await post(url, '{"text":"refused"}', { 'x-request-id': 'of-a-client' });
    await post(url, '{"text":"a"}', { OrgId: 'other' });
    await fetch(`${url}/api/bytes`);
    expect(entries.map(({ action, decision, status }) => [action, decision, status])).toEqual([
      ['say', 'allowed', 200],
      ['say', 'denied', 403],
      ['say', 'failed', 409],
      ['say', 'failed', 409],
    ]);
    expect(entries.map(({ requestId }) => requestId)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      '~of-a-client',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });

  test('calls that are none are not audited: nobody fills the log with them', async () => {
    const entries: AuditEntry[] = [];
    const url = await start({ audit: async (entry) => void entries.push(entry), limits: new RateLimits(2) });
    const statuses = [];
    for (const [text, token] of [
      ['{"text":7}', 'right'],
      ['{"te', 'right'],
      ['{"text":"a"}', 'right'],
      ['{"text":"a"}', 'wrong'],
    ] as const)
      statuses.push((await post(url, text, { 'x-token': token })).status);
    expect([statuses, entries]).toEqual([[400, 400, 429, 401], []]);
  });

  test('an answer that is no success does not wait for its entry', async () => {
    const written: AuditEntry[] = [];
    const audit = (entry: AuditEntry) => {
      written.push(entry);
      return new Promise<void>(() => undefined);
    };
    const url = await start({ audit }, () => Promise.reject(new ApiError(500, {})));
    expect(await refusal(post(url, '{"text":"a"}'))).toMatchObject({ status: 503, error: 'unavailable' });
    expect(written).toMatchObject([{ action: 'say', decision: 'failed', status: 503 }]);
  });

  test('durations by route and class of status, and what is under way', async () => {
    const parts = frameParts();
    const url = await start({ metrics: parts.metrics });
    await fetch(`${url}/api/bytes`);
    await fetch(`${url}/api/broken`);
    const text = await parts.metrics.registry.metrics();
    expect(text).toContain('http_request_duration_seconds_count{route="bytes",status="2xx"} 1');
    expect(text).toContain('http_request_duration_seconds_count{route="broken",status="5xx"} 1');
    expect(text).toContain('http_requests_in_flight 0');
  });
});

describe('a stop', () => {
  test('is no longer ready, and says why', async () => {
    const url = await start({ isStopping: () => true });
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([503, 'stopping\n']);
  });

  test.each(['/api/bytes', '/version.json', '/nothing-here'])('ends the connection that asked for %s', async (path) => {
    const connection = async (isStopping: boolean) => {
      await serving?.stop();
      return (await fetch(`${await start({ isStopping: () => isStopping })}${path}`)).headers.get('connection');
    };
    expect([await connection(false), await connection(true)]).toEqual(['keep-alive', 'close']);
  });

  test('lets a call finish, ends its connection, and takes no other', async () => {
    let finish: (() => void) | undefined;
    let isStopping = false;
    const url = await start({ isStopping: () => isStopping }, async (text) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return text;
    });
    const call = post(url, '{"text":"slow"}');
    const go = await eventually('the call is under way', () => finish);
    isStopping = true;
    const stopped = serving?.stop();
    await expect(fetch(`${url}/api/bytes`)).rejects.toThrow();
    go();
    expect(await (await call).json()).toMatchObject({ result: 'slow' });
    await stopped;
    serving = undefined;
  });
});

describe('a path', () => {
  test.each(['/api/thing/word', '/api/thing/word/', '/api/thing/a', '/api/thing/a/?size=3'])(
    '%s is answered, with a slash at its end or without',
    async (path) => {
      expect((await fetch(`${await start()}${path}`)).status).toBe(200);
    },
  );

  test('with a slash at its end is written to just the same, and has the same methods', async () => {
    const url = await start();
    const headers = { 'x-token': 'right', 'content-type': 'application/json' };
    expect((await fetch(`${url}/api/say/`, { method: 'POST', headers, body: '{"text":"a"}' })).status).toBe(200);
    const wrong = await fetch(`${url}/api/say/`, { method: 'DELETE', headers });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${url}/api/thing//`)).status).toBe(404);
  });
});

test('a body of ten megabytes gets its refusal, not a connection that is reset', async () => {
  const url = await start();
  const body = `{"text":"${'x'.repeat(10 << 20)}"}`;
  for (let time = 0; time < 3; time++) {
    const answer = await raw(
      url,
      `POST /api/say HTTP/1.1\r\nHost: a\r\nX-Token: right\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"error":"too_large"/);
  }
});

describe('bytes that are not HTTP', () => {
  test.each([
    ['a request line of no kind', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('%s is refused in the envelope', async (_name, text, status, error) => {
    const [head = '', body = ''] = (await raw(await start(), text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain('connection: close');
    for (const header of ["content-security-policy: default-src 'none'", 'strict-transport-security: max-age=31536000'])
      expect(head).toContain(header);
    expect(JSON.parse(body)).toMatchObject({
      error,
      message: expect.stringMatching(/\.$/),
      request_id: expect.any(String),
    });
  });
});
