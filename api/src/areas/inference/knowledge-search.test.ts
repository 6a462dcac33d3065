// Searches of knowledge bases at /v1, on real sockets: a stub engine embeds the question, and a played data server searches.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import { tinyModel } from '../../../../test/support/relay-parts.ts';
import type { Passage } from '../../core/data-server/server-answers.ts';
import { TaskCallers } from '../../core/tasks/task-callers.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Routes } from './aliases.ts';
import { Completions } from './completions.ts';
import { KeyLimits } from './key-limits.ts';
import type { KnowledgeBase } from './knowledge-search.ts';
import { NOTHING_HELD } from './money.ts';
import { Refusal } from './refusals.ts';
import { Models } from './serving.ts';
import { StubEngine } from './testing/stub-engine.ts';
import type { UsageRow } from './token-meter.ts';

const PASSAGE: Passage = {
  ...{ chunk: 7, text: 'The harbour opens at six.', file: 'rules.pdf', page: 3, paragraph_first: 2, paragraph_last: 4 },
  ...{ row: null, score: 0.03, vector: { rank: 1, score: 0.9 }, words: null, isCut: false },
};
const NO_LIMITS: TokenLimits = {
  ...{ models: null, requests_per_minute: null, tokens_per_minute: null, tokens_per_day: null },
  ...{ tokens_per_month: null, money_per_day: null, money_per_month: null },
};

let front: Server;
let url: string;
let engine: StubEngine;
let models: Models;
let rows: UsageRow[];
let tasks: TaskCallers;
let limits: Partial<TokenLimits>;
let scopes: Caller['session']['scopes'];
let hasCredit: boolean;
/** What was asked of bases and the data server, in order. */
let asked: unknown[];
let base: KnowledgeBase | undefined;
let brought: () => Promise<void>;

const callerOf = (who: string): Caller => ({
  account: { id: `acc-${who}`, name: who, email: null, locale: 'en', platformRoles: [] },
  organization: { id: who, role: 'member', namespace: `org-${who}` },
  session: {
    ...{ id: `tok-${who}`, kind: 'apiToken', scopes, expiresAt: 9e15 },
    ...(Object.keys(limits).length > 0 && { limits: { ...NO_LIMITS, ...limits } }),
  },
});

beforeEach(async () => {
  limits = {};
  scopes = ['view', 'use'];
  hasCredit = true;
  rows = [];
  tasks = new TaskCallers();
  asked = [];
  brought = async () => {};
  base = {
    ...{ version: 4, model: 'embedder', dimensions: 2 },
    bring: async () => {
      asked.push('bring');
      await brought();
    },
    search: async (wish) => {
      asked.push(wish);
      return [PASSAGE];
    },
  };
  engine = new StubEngine();
  const port = await engine.listen('127.0.0.1', 0);
  models = new Models({ clock: systemClock, isAddress: () => true });
  models.show(
    tinyModel({
      ...{ uid: 'uid-embedder', namespace: 'org-acme', organization: 'acme', name: 'embedder', task: 'Embed' },
      ...{ port, createdAt: 1_700_000_000_000 },
    }),
  );
  const completions = new Completions({
    models,
    routes: new Routes(models),
    authenticate: tasks.authenticate(async (token) =>
      ['acme', 'other'].includes(token) ? callerOf(token) : undefined,
    ),
    attempts: { mayTry: async () => true, known: () => {}, inVain: async () => {} },
    addressOf: () => '127.0.0.1',
    limits: new KeyLimits({
      readSpent: async () => ({ day: { tokens: 0, money: ZERO }, month: { tokens: 0, money: ZERO } }),
      currencyOf: () => 'EUR',
    }),
    money: {
      priceOf: () => undefined,
      hold: async () => {
        if (!hasCredit) throw new Refusal('credit_needed', { detail: '1 of 0' });
        return NOTHING_HELD;
      },
    },
    usage: { isFull: false, add: (row) => void rows.push(row) },
    wake: async () => {},
    drain: async (req) => {
      req.resume();
      await once(req, 'end');
    },
    knowledge: {
      find: async ({ organization }, { dataset, version }) => {
        asked.push(`find ${dataset} ${version ?? 'newest'}`);
        if (organization.id !== 'acme' || dataset !== 'dst-1' || version === 9)
          throw problem('not_found', { what: dataset });
        return base;
      },
    },
    clock: systemClock,
    log: { warn: (told) => void ('err' in told && process.emitWarning(`${(told.err as Error).stack}`)) },
  });
  front = createServer((req, res) => {
    if (!completions.answer(req, res)) res.writeHead(404).end();
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});

afterEach(() => {
  front.close();
  front.closeAllConnections();
  models.stop();
  engine.close();
});

const search = (body: unknown, { token = 'acme', dataset = 'dst-1', ...init }: SearchInit = {}) =>
  fetch(`${url}/v1/knowledge/${dataset}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
type SearchInit = RequestInit & { token?: string; dataset?: string };
const refused = async (answer: Response) => ({
  status: answer.status,
  ...((await answer.json()) as { error: { code: string; param: string | null } }).error,
});

test('a question finds passages with where they stand, and its embedding is metered as its caller’s', async () => {
  const answer = await search({ query: 'When does the harbour open?', k: 5 });
  expect(answer.status).toBe(200);
  const { chunk, text, score, vector, words, file, page, paragraph_first, paragraph_last, row } = PASSAGE;
  expect(await answer.json()).toEqual({
    ...{ object: 'list', dataset: 'dst-1', version: 4, model: 'embedder', by: 'both' },
    data: [
      {
        ...{ chunk, text, is_cut: false, score, vector, words },
        citation: { file, page, paragraph_first, paragraph_last, row },
      },
    ],
    usage: { prompt_tokens: rows[0]?.prompt, total_tokens: rows[0]?.prompt },
  });
  // The base is there before anybody pays.
  expect(asked).toEqual([
    'find dst-1 newest',
    'bring',
    { vector: [0.25, -0.5], text: 'When does the harbour open?', k: 5 },
  ]);
  expect(engine.seen.map(({ path, body }) => [path, body.input])).toEqual([
    ['/v1/embeddings', 'When does the harbour open?'],
  ]);
  expect(rows).toMatchObject([
    { endpoint: 'embeddings', organizationId: 'acme', accountId: 'acc-acme', tokenId: 'tok-acme', model: 'embedder' },
  ]);
  expect(answer.headers.get('x-request-id')).toBe(rows[0]?.id);
});

test('tokens that a task asks for are booked with its name', async () => {
  const ask = (token: string) =>
    fetch(`${url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'embedder', input: 'six' }),
    });
  await ask('acme');
  const answer = await tasks.as(callerOf('acme'), { task: 'uid-task', now: 0 }, ask);
  expect(answer.status).toBe(200);
  expect(rows.map(({ task, tokenId, accountId }) => ({ task, tokenId, accountId }))).toEqual([
    { task: null, tokenId: 'tok-acme', accountId: 'acc-acme' },
    { task: 'uid-task', tokenId: null, accountId: 'acc-acme' },
  ]);
});

test('words alone ask no model, and vectors alone no words', async () => {
  expect(await (await search({ query: 'six', by: 'words', version: 4 })).json()).toMatchObject({
    ...{ by: 'words', usage: { prompt_tokens: 0, total_tokens: 0 } },
  });
  expect(await (await search({ query: 'six', by: 'vectors' })).json()).toMatchObject({ by: 'vectors' });
  expect(asked).toEqual([
    ...['find dst-1 4', { text: 'six', k: 10 }],
    ...['find dst-1 newest', 'bring', { vector: [0.25, -0.5], k: 10 }],
  ]);
  expect(rows).toHaveLength(1);
});

const BY_WORDS = { text: 'six', k: 10 };
test.each([
  ['zeros', [0, 0]],
  ['what is left of rounding', [1e-13, -1e-13]],
])('a question whose vector is %s is searched by words alone where both are asked for', async (_, vector) => {
  engine.embedding = vector;
  const answer = await search({ query: 'six' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    by: 'words',
    data: [{ chunk: 7 }],
    usage: { prompt_tokens: rows[0]?.prompt },
  });
  expect(asked).toEqual(['find dst-1 newest', 'bring', BY_WORDS]);
});

describe('where the data server refuses the vector', () => {
  beforeEach(() => {
    base = base && {
      ...base,
      async search(wish) {
        asked.push(wish);
        if (wish.vector) throw problem('dataset_query_refused', { why: 'vector: must have a direction.' });
        return [PASSAGE];
      },
    };
  });

  test('words alone are searched, and the answer says so', async () => {
    expect(await (await search({ query: 'six' })).json()).toMatchObject({ by: 'words', data: [{ chunk: 7 }] });
    expect(asked.slice(2)).toEqual([{ ...BY_WORDS, vector: [0.25, -0.5] }, BY_WORDS]);
  });

  test('a search by vectors says why', async () => {
    expect(await refused(await search({ query: 'six', by: 'vectors' }))).toMatchObject({
      ...{ status: 422, code: 'knowledge_refused', message: expect.stringContaining('must have a direction') },
    });
    expect(asked.slice(2)).toEqual([{ vector: [0.25, -0.5], k: 10 }]);
  });
});

test('another organisation’s dataset, a dataset and a version that are not there get the same answer', async () => {
  const of = (over: SearchInit, body: object = {}) => search({ query: 'six', ...body }, over).then(refused);
  const stranger = await of({ token: 'other' });
  expect(stranger).toMatchObject({ status: 404, code: 'knowledge_not_found', param: null });
  expect(await of({}, { version: 9 })).toMatchObject({ status: 404, code: 'knowledge_not_found', param: 'version' });
  const nothing = await of({ dataset: 'dst-2' });
  expect(JSON.stringify(nothing).replaceAll('dst-2', 'dst-1')).toBe(JSON.stringify(stranger));
  expect(rows).toEqual([]);
  base = undefined;
  expect(await of({})).toMatchObject({ status: 400, code: 'knowledge_none' });
});

test.each<[string, unknown, string, string | null]>([
  ['no question', {}, 'missing_required_parameter', 'query'],
  ['an empty one', { query: ' ' }, 'invalid_value', 'query'],
  ['a long one', { query: 'a'.repeat(4001) }, 'invalid_value', 'query'],
  ['half a letter', '{"query":"\\ud800"}', 'invalid_value', 'query'],
  ['too many passages', { query: 'a', k: 101 }, 'invalid_value', 'k'],
  ['a part of one', { query: 'a', k: 1.5 }, 'invalid_value', 'k'],
  ['another way', { query: 'a', by: 'magic' }, 'invalid_value', 'by'],
  ['a version before the first', { query: 'a', version: 0 }, 'invalid_value', 'version'],
  ['a field that is none', { query: 'a', model: 'large' }, 'unknown_parameter', 'model'],
  ['a list', '[]', 'invalid_json', null],
])('a body with %s is refused by its field', async (_, body, code, param) => {
  expect(await refused(await search(body))).toMatchObject({ status: 400, code, param });
  expect(asked).toEqual([]);
});

test('a base that is still on its way is told apart, and nobody pays for the question', async () => {
  brought = async () => {
    throw problem('dataset_preparing', { percent: 40 }, { retryAfterSeconds: 3 });
  };
  const answer = await search({ query: 'six' });
  expect(answer.headers.get('retry-after')).toBe('3');
  expect(await refused(answer)).toMatchObject({
    ...{ status: 503, code: 'knowledge_preparing', message: expect.stringContaining('40 %') },
  });
  expect([rows, engine.seen]).toEqual([[], []]);
});

test.each([
  [problem('dataset_query_refused', { why: 'No.' }), 422, 'knowledge_refused'],
  [problem('dataset_query_too_much'), 422, 'knowledge_refused'],
  [problem('dataset_server_failed', { detail: 'no room' }), 503, 'knowledge_unavailable'],
  [problem('unavailable', { seconds: 3 }), 503, 'knowledge_unavailable'],
])('what the data server refuses has a code of /v1: %s', async (error, status, code) => {
  brought = () => Promise.reject(error);
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status, code });
});

test('what the model’s call refuses is handed on as it is', async () => {
  hasCredit = false;
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 402, code: 'credit_needed' });
  hasCredit = true;
  models.drop('acme', 'embedder');
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 404, code: 'model_not_found' });
});

test('a model that was put in its place answers with other vectors, and is refused', async () => {
  base = base && { ...base, dimensions: 384 };
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 409, code: 'knowledge_other_vectors' });
});

test('a key is held to its rights, its models and its requests a minute', async () => {
  limits = { requests_per_minute: 1 };
  expect((await search({ query: 'six', by: 'words' })).headers.get('x-ratelimit-remaining-requests')).toBe('0');
  expect(await refused(await search({ query: 'six', by: 'words' }))).toMatchObject({ status: 429 });
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  limits = { models: ['acme/other'] };
  for (const by of ['words', 'both'])
    expect(await refused(await search({ query: 'six', by }))).toMatchObject({ status: 404, code: 'model_not_found' });
  limits = {};
  scopes = ['view'];
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 403, code: 'not_permitted' });
  scopes = ['use'];
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 403, code: 'knowledge_not_permitted' });
});

test('an organisation has eight searches under way, and whoever leaves ends theirs', async () => {
  const left: AbortSignal[] = [];
  const gone = new AbortController();
  base = base && {
    ...base,
    search: (_, signal) => {
      left.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const all = Array.from({ length: 8 }, () =>
    search({ query: 'six', by: 'words' }, { signal: gone.signal }).catch(() => undefined),
  );
  await eventually('eight are under way', () => left.length === 8);
  expect(await refused(await search({ query: 'six' }))).toMatchObject({ status: 503, code: 'knowledge_overloaded' });
  gone.abort();
  await Promise.all(all);
  await eventually('all have ended', () => left.every(({ aborted }) => aborted));
  base = base && { ...base, search: async () => [] };
  await eventually('another may search', async () => (await search({ query: 'six', by: 'words' })).status === 200);
});
