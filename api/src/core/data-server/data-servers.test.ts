// What the gateway makes of whatever answers in a data server's place: it reads tenants' bytes, so nothing of it is believed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { argsIn } from '@gantry/contract/localized.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import { aside } from '../../platform/aside/aside.ts';
import { DataServers, type ToRead } from './data-servers.ts';
import { ID, MemoryStore, ServedOrganization, TOKEN } from './testing/served-organization.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

const MIB = 1024 * 1024;
const NOW = Date.parse('2026-11-29T12:00:00Z');
const SHORT_MS = 5_000;
const PATIENCE_MS = 100_000;
/** Short pauses are over at once, long ones when a test says so. */
class HastyClock implements Clock {
  passedMs = 0;
  readonly #long = new Map<() => void, number>();
  now = () => NOW + this.passedMs;
  monotonic = () => this.passedMs;

  after(ms: number, run: () => void): () => void {
    const pass = () => {
      this.#long.delete(pass);
      this.passedMs += ms;
      run();
    };
    const timer = ms < SHORT_MS ? setImmediate(pass) : undefined;
    if (!timer) this.#long.set(pass, ms);
    return () => {
      clearImmediate(timer);
      this.#long.delete(pass);
    };
  }

  /** Pauses of up to so long are over. */
  hurry(mostMs = 15_000): void {
    for (const [pass, ms] of this.#long) if (ms <= mostMs) pass();
  }

  /** Whether a long pause is under way that ends within so long. */
  isPausing(mostMs: number): boolean {
    return [...this.#long.values()].some((ms) => ms <= mostMs);
  }

  /** So are those of at least so long, and no others. */
  hurryPast(leastMs: number): void {
    for (const [pass, ms] of this.#long) if (ms >= leastMs) pass();
  }
}

let played: Server;
let handlers: Record<string, Handler>;
let asked: string[];
let acme: ServedOrganization;
let clock: HastyClock;
let servers: DataServers;
let store: MemoryStore;
const never = new AbortController().signal;

beforeAll(async () => {
  played = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '', 'http://x');
    if (pathname !== '/keep') asked.push(`${req.method} ${req.url}`);
    const answering = Promise.resolve(handlers[`${req.method} ${pathname}`]?.(req, res));
    // A client that leaves in the middle, as one whose time is over, is no fault of the server's.
    answering.catch((error: unknown) => {
      if (!req.destroyed) throw error;
    });
  }).listen(0, '127.0.0.1');
  await once(played, 'listening');
});
afterAll(() => {
  played.close();
  played.closeAllConnections();
});
beforeEach(() => {
  handlers = { 'PUT /file': takesAll, 'POST /keep': json({ bytesUsed: 0, bytesMost: 1024 * MIB }) };
  asked = [];
  acme = new ServedOrganization((played.address() as AddressInfo).port);
  clock = new HastyClock();
  store = new MemoryStore();
  servers = new DataServers({ cluster: acme, blobs: store, aside, clock });
});
afterEach(() => {
  servers.stop();
  acme.stop();
});

const json =
  (value: unknown, status = 200): Handler =>
  async (req, res) => {
    await text(req);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
const refuses = (code: string, sentence = 'No.', values: object = {}, status = 422) =>
  json({ problem: { code, sentence, values } }, status);
const takesAll: Handler = async (req, res) => {
  const { searchParams } = new URL(req.url ?? '', 'http://x');
  const bytes = Number(searchParams.get('offset')) + (await text(req)).length;
  res.end(JSON.stringify({ bytes }));
};
/** One answer after the other; the last one stays. */
const inTurn = (...each: Handler[]): Handler => {
  let at = 0;
  return (req, res) => each[Math.min(at++, each.length - 1)]?.(req, res);
};
const breaksOff: Handler = (req) => req.socket.destroy();
const breaksOffWithin: Handler = (_, res) => {
  res.writeHead(200, { 'content-length': 1000 }).write('{"columns": [');
  setImmediate(() => res.destroy());
};

const CELLS = { columns: [{ name: 'n', type: 'BIGINT' }], rows: [[1]], cut: [] };
const ANSWER = { ...CELLS, more: false };
/** Cells are passed on as the JSON that they are. */
const TOLD = { ...ANSWER, rows: '[[1]]' };
const part = () => store.add(Buffer.from('a part'));
const query = (sql = 'SELECT 1', signal = never) => servers.query(ID, { data: [part()] }, sql, signal);
const wish = (): ToRead => ({ out: 'out/v1', inputs: [{ name: 'a.csv', ...store.add(Buffer.from('a,b\n1,2\n')) }] });
const PART = { path: 'out/v1/data-0.parquet', kind: 'data', firstRow: 0, rows: 1, bytes: 9, sha256: 'a'.repeat(64) };
const FACTS = {
  ...{ format: 1, kind: 'csv', way: 'quick', rows: 1, rejected: 0, rejectedKept: 0, duplicates: 0 },
  ...{ languages: { und: 1 }, columns: [{ name: 'a', type: 'BIGINT', nulls: 0 }], isCut: false, parts: [PART] },
  ...{ files: [{ name: 'a.csv', kind: 'csv', bytes: 8 }], filesMore: 0 },
};
const lines =
  (...all: object[]): Handler =>
  async (req, res) => {
    await text(req);
    res.writeHead(200, { 'content-type': 'application/x-ndjson' });
    res.end(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  };

describe('the server is there while it is asked', () => {
  beforeEach(() => {
    handlers['POST /query'] = json(ANSWER);
  });

  test('a first question asks for it, half an hour ahead; the next one does not', async () => {
    expect(await query()).toEqual(TOLD);
    await query();
    expect(acme.wishes).toEqual(['2026-11-29T12:30:00.000Z']);
  });

  test.each([
    ['with less than half of that left', '2026-11-29T12:14:00Z'],
    ['that nobody can read', 'tomorrow'],
    ['that the operator refuses', '2026-12-01T12:00:00Z'],
  ])('a time %s is written anew', async (_, until) => {
    acme.owner.spec.data = { until };
    acme.answers();
    await query();
    expect(acme.wishes).toHaveLength(1);
  });

  test('its token is shown, and nothing else of ours', async () => {
    let headers: IncomingMessage['headers'] = {};
    handlers['POST /query'] = (req, res) => {
      headers = req.headers;
      return json(ANSWER)(req, res);
    };
    await query();
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(Object.keys(headers).toSorted()).toEqual(
      ['authorization', 'connection', 'content-length', 'content-type', 'host'].toSorted(),
    );
  });

  test('one that has not started says so, with when to ask again', async () => {
    acme.onWish = () => acme.says({ status: 'False', reason: 'DataStarting' });
    const preparing = { problem: 'dataset_preparing', args: { percent: 0 }, retryAfterSeconds: 3 };
    await expect(query()).rejects.toMatchObject(preparing);
    expect(asked).toEqual([]);
  });

  test('what the condition said before the wish is no answer to it', async () => {
    acme.onWish = () => {
      acme.answers();
      const { status = {}, ...owner } = acme.owner;
      acme.owner = { ...owner, status: { ...status, observedGeneration: 1 } };
    };
    await expect(query()).rejects.toMatchObject({ problem: 'dataset_preparing' });
  });

  test('one that cannot run says why', async () => {
    const detail = '0/3 nodes are available';
    acme.onWish = () => acme.says({ status: 'False', reason: 'DataFailed', args: { detail } });
    await expect(query()).rejects.toMatchObject({ problem: 'dataset_server_failed', args: { detail } });
  });

  test.each([
    [
      'goes',
      () => ((acme.owner.metadata as { deletionTimestamp?: string }).deletionTimestamp = '2026-11-29T00:00:00Z'),
    ],
    ['is not there', () => (acme.find = () => undefined)],
  ])('an organisation that %s has none', async (_, change) => {
    change();
    await expect(query()).rejects.toMatchObject({ problem: 'not_found' });
  });

  test('nobody starts one to remove something', async () => {
    await servers.forget(ID, wish());
    expect([acme.wishes, asked]).toEqual([[], []]);
  });
});

describe('an answer', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const says =
    (body: string): Handler =>
    async (req, res) => {
      await text(req);
      res.end(body);
    };
  test.each<[string, Handler]>([
    ['of another shape', json({ ...ANSWER, columns: 'none' })],
    ['with more rows than any', json({ ...ANSWER, rows: Array.from({ length: 101 }, () => [1]) })],
    ['with more bytes than any', says(JSON.stringify({ ...ANSWER, rows: [['a'.repeat(9 * MIB)]] }))],
    ['with more values than any', json({ ...ANSWER, rows: [[Array.from({ length: 300_000 }, () => 0)]] })],
    ['that nests too deep', says(`{"columns":[],"rows":[[${nested(100_000)}]],"cut":[],"more":false}`)],
    ['that is no JSON', says('SELECT 1')],
    ['that is no text', (_, res) => res.end(Buffer.from([0x22, 0xff, 0x22]))],
    ['of another status', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1/' }).end()],
    ['that is the refusal of nobody', (_, res) => res.writeHead(422).end('<html>')],
    ['with a code that nobody knows', refuses('Unheard')],
    ['that the token is wrong', refuses('NoToken', 'No.', {}, 401)],
    ['that breaks off each time', breaksOffWithin],
    ['that is none, each time', breaksOff],
  ])('%s is none', async (_, handler) => {
    handlers['POST /query'] = handler;
    await expect(query()).rejects.toMatchObject({ problem: 'unavailable', retryAfterSeconds: 3 });
  });

  test('has what is understood of it alone', async () => {
    handlers['POST /query'] = json({ ...ANSWER, html: '<script>', columns: [{ ...CELLS.columns[0], evil: 1 }] });
    expect(await query()).toEqual(TOLD);
  });

  test.each<[string, Handler]>([
    ['breaks off', breaksOff],
    ['breaks off within', breaksOffWithin],
    ['is busy', refuses('Busy', 'Later.', {}, 503)],
    ['has too many connections', (_, res) => res.writeHead(503).end()],
  ])('that %s is asked for again', async (_, first) => {
    handlers['POST /query'] = inTurn(first, json(ANSWER));
    expect(await query()).toEqual(TOLD);
  });

  test('of one that stays busy is waited for within bounds', async () => {
    handlers['POST /query'] = refuses('Busy', 'Later.', {}, 503);
    await expect(query()).rejects.toMatchObject({ problem: 'unavailable' });
    expect(asked.filter((line) => line === 'POST /query')).toHaveLength(4);
  });

  test('of one that has lost a part comes once it has it again', async () => {
    handlers['POST /query'] = inTurn(refuses('NoSuchFile', 'It is not there.', {}, 404), json(ANSWER));
    expect(await query()).toEqual(TOLD);
    expect(asked.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
  });

  test.each([
    ['QueryFailed', 'dataset_query_refused', { why: 'No.' }],
    ['TooSlow', 'dataset_query_too_much', {}],
    ['DiskFull', 'dataset_query_too_much', {}],
  ])('of the code %s is the problem %s', async (code, is, args) => {
    handlers['POST /query'] = refuses(code);
    await expect(query()).rejects.toMatchObject({ problem: is, args });
  });

  test.each([
    ['en', 'The table has too many columns: at most 1000 are read.'],
    ['zh', '表的列数过多：最多可读取 1000 列。'],
    ['ja', '表の列が多すぎます。読み込めるのは最大 1000 列です。'],
  ] as const)('has a known reason in the language %s, with numbers that are some', async (language, why) => {
    handlers['POST /query'] = refuses('TooManyColumns', 'It has <b>many</b>.', { most: 1000, files: 'x', evil: 'y' });
    const { args } = await query().catch((error) => error);
    expect(argsIn(language, args).why).toBe(why);
  });

  test('has a reason of one line, of some length', async () => {
    handlers['POST /query'] = refuses('QueryFailed', `Binder Error:\n  \u202Eno\u0000 column ${'x'.repeat(2_000)}`);
    const { args } = await query().catch((error) => error);
    expect(args.why).toMatch(/^Binder Error: \uFFFDno\uFFFD column x+$/);
    expect(args.why).toHaveLength(500);
  });

  test('that nobody waits for any longer is not waited for', async () => {
    const ender = new AbortController();
    handlers['POST /query'] = () => ender.abort(new Error('gone'));
    await expect(query('SELECT 1', ender.signal)).rejects.toThrow('gone');
  });
});

describe('what fine-tuning would train on', () => {
  const SET = { rows: 9, sampled: 9, usable: 8, tokens: 80, longest: 12, cut: 1, unusable: { NoAnswer: 1 } };
  const EXAMPLE = {
    set: 0,
    row: 1,
    pieces: [{ tokens: [[5, 'a']], isTrained: true, isCut: false }],
    tokens: 3,
    isTooLong: false,
  };
  const told = (more: object = {}) => ({ examples: [EXAMPLE], sets: [SET], isExact: true, ...more });
  const wish = { objective: 'SFT', columns: { messages: 'm' }, maxLength: 64 };
  const stored = (name: string) => store.add(Buffer.from(name));
  const tune = () =>
    servers.tune(
      ID,
      [[stored('a'), stored('b')], [stored('c')]],
      { tokenizer: stored('t'), config: undefined },
      wish,
      never,
    );

  test('sends the parts of its tables and the files of the tokenizer, and names them', async () => {
    let body = '';
    handlers['POST /tune'] = async (req, res) => {
      body = await text(req);
      res.end(JSON.stringify(told({ evil: 1 })));
    };
    expect(await tune()).toEqual(told());
    const [a, b, c, tokenizer] = asked
      .filter((line) => line.startsWith('PUT'))
      .map((line) => new URL(line.slice('PUT '.length), 'http://x').searchParams.get('path'));
    expect(JSON.parse(body)).toEqual({ ...wish, data: [[a, b], [c]], base: { tokenizer } });
  });

  test('has examples that cannot be used, with a reason', async () => {
    handlers['POST /tune'] = json(told({ examples: [{ set: 0, row: 1, reason: 'NoAnswer' }] }));
    const none = { pieces: [], tokens: 0, isTooLong: false };
    expect((await tune()).examples).toEqual([{ set: 0, row: 1, reason: 'NoAnswer', ...none }]);
  });

  test.each<[string, object]>([
    ['with more examples than any', { examples: Array.from({ length: 6 }, () => EXAMPLE) }],
    ['with more tables than any', { sets: Array.from({ length: 9 }, () => SET) }],
    ['with a reason that is a sentence', { sets: [{ ...SET, unusable: { '<b>x</b>': 1 } }] }],
    ['with a negative count', { sets: [{ ...SET, tokens: -1 }] }],
    [
      'with tokens that are none',
      { examples: [{ ...EXAMPLE, pieces: [{ tokens: [['5', 'a']], isTrained: true, isCut: false }] }] },
    ],
  ])('gets no answer of one %s', async (_name, more) => {
    handlers['POST /tune'] = json(told(more));
    await expect(tune()).rejects.toMatchObject({ problem: 'unavailable' });
  });

  test.each<[code: string, values: object, why: string]>([
    ['NoSuchColumn', { dataset: 2, column: 'a\u202Eb' }, '第 2 个数据集没有列 a\uFFFDb。'],
    ['TemplateBroken', { detail: 'Roles must alternate.' }, '基础模型的对话模板出错：Roles must alternate.'],
    ['TemplateMissing', {}, '基础模型没有对话模板，无法得知对话应如何书写。'],
    ['TokenizerBroken', { detail: 7 }, 'The sentence.'],
  ])('says %s in our words, with what it is about', async (code, values, why) => {
    handlers['POST /tune'] = refuses(code, 'The sentence.', values);
    const { problem, args } = await tune().catch((error) => error);
    expect(problem).toBe('dataset_query_refused');
    expect(argsIn('zh', args).why).toBe(why);
  });
});

describe('a search in a knowledge base', () => {
  const ROW = {
    ...{ chunk: 7, file: 'a.pdf', page: 3, paragraph_first: 1, paragraph_last: 2, row: null, unit: 'u', text: 'Six.' },
    ...{ score: 0.03, vector: { rank: 1, score: 0.9 }, words: null },
  };
  const { unit: _, ...FOUND } = { ...ROW, isCut: false };
  const retrieve = () => {
    const stored = (name: string) => store.add(Buffer.from(name));
    const base = { chunks: [stored('chunks')], vectors: stored('vectors'), words: stored('words') };
    return servers.retrieve(ID, base, { vector: [0.5], text: 'six', k: 3 }, never);
  };

  test('sends its three files, and names them', async () => {
    let body = '';
    handlers['POST /retrieve'] = async (req, res) => {
      body = await text(req);
      res.end(JSON.stringify({ rows: [ROW] }));
    };
    expect(await retrieve()).toEqual([FOUND]);
    const [chunks, vectors, words] = asked
      .filter((line) => line.startsWith('PUT'))
      .map((line) => new URL(line.slice('PUT '.length), 'http://x').searchParams.get('path'));
    expect(JSON.parse(body)).toEqual({ ...{ chunks: [chunks], vectors, words, vector: [0.5] }, text: 'six', k: 3 });
  });

  test('has what is understood of a stranger’s table alone', async () => {
    const strange = { ...ROW, file: { a: 1 }, page: '3', paragraph_first: -1, row: 1.5, text: null, evil: 1 };
    handlers['POST /retrieve'] = json({ rows: [{ ...strange, isCut: true }] });
    const places = { file: null, page: null, paragraph_first: null, row: null };
    expect(await retrieve()).toEqual([{ ...FOUND, ...places, text: '', isCut: true }]);
  });

  test.each<[string, object]>([
    ['with more rows than any', { rows: Array.from({ length: 101 }, () => ROW) }],
    ['without a score', { rows: [{ ...ROW, score: null }] }],
    ['with half a half', { rows: [{ ...ROW, vector: { rank: 1 } }] }],
  ])('gets no answer of one %s', async (_name, answer) => {
    handlers['POST /retrieve'] = json(answer);
    await expect(retrieve()).rejects.toMatchObject({ problem: 'unavailable' });
  });

  test.each(['VectorsBroken', 'WordsBroken'] as const)('says %s in our words', async (code) => {
    handlers['POST /retrieve'] = refuses(code);
    const asking = retrieve();
    await expect(asking).rejects.toMatchObject({ problem: 'dataset_query_refused' });
    await expect(asking).rejects.toThrow('Build the knowledge base again.');
  });

  test('is prepared without a question', async () => {
    await servers.bring(ID, [part()], never);
    expect(asked.map((line) => line.split('?')[0])).toEqual(['PUT /file']);
  });
});

describe('a file', () => {
  const sizes = (): number[] =>
    asked.flatMap((line) => {
      const offset = /^PUT .*offset=(\d+)/.exec(line)?.[1];
      return offset === undefined ? [] : [Number(offset)];
    });
  const there = (bytes: number) => refuses('WrongOffset', 'Elsewhere.', { bytes }, 409);

  beforeEach(() => {
    handlers['POST /query'] = json(ANSWER);
  });

  test('goes in pieces that the server takes, and on where the server says', async () => {
    const bytes = 130 * MIB;
    const large = store.add(Buffer.alloc(bytes));
    const got: number[] = [];
    handlers['PUT /file'] = inTurn(there(10 * MIB), async (req, res) => {
      const offset = Number(new URL(req.url ?? '', 'http://x').searchParams.get('offset'));
      let length = 0;
      for await (const chunk of req) length += (chunk as Buffer).length;
      got.push(length / MIB);
      res.end(JSON.stringify({ bytes: offset + length }));
    });
    await servers.query(ID, { data: [large] }, 'SELECT 1', never);
    expect(got).toEqual([64, 56]);
    expect(sizes()).toEqual([bytes, 10 * MIB, 74 * MIB]);
  });

  test('of which more is there than it has is sent anew', async () => {
    handlers = { ...handlers, 'PUT /file': inTurn(there(1000), takesAll), 'DELETE /file': json({}) };
    await query();
    expect(asked.map((line) => line.split('?')[0])).toEqual(['PUT /file', 'DELETE /file', 'PUT /file', 'POST /query']);
  });

  test.each<[string, Handler]>([
    ['goes on elsewhere for ever', there(3)],
    ['took more than it was sent', json({ bytes: 10 ** 15 })],
    ['took nothing of it', json({ bytes: 0 })],
  ])('of which a server says that it %s is not sent for ever', async (_, handler) => {
    handlers['PUT /file'] = handler;
    await expect(query()).rejects.toMatchObject({ problem: 'unavailable' });
    expect(sizes().length).toBeLessThan(20);
  });

  test('for which there is no room is sent again, once others have made some', async () => {
    handlers['PUT /file'] = inTurn(refuses('DiskFull', 'Full.', {}, 507), takesAll);
    expect(await query()).toEqual(TOLD);
    expect(asked.map((line) => line.split('?')[0])).toEqual(['PUT /file', 'PUT /file', 'POST /query']);
  });

  test('that takes longer than somebody waits goes on by itself, and says how far it is', async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    handlers['PUT /file'] = inTurn(there(3), async (req, res) => {
      begun.resolve();
      await held.promise;
      await takesAll(req, res);
    });
    const first = query();
    await Promise.race([begun.promise, first]);
    clock.hurry();
    await expect(first).rejects.toMatchObject({ problem: 'dataset_preparing', args: { percent: 50 } });
    const second = query();
    held.resolve();
    expect(await second).toEqual(TOLD);
    expect(sizes()).toEqual([6, 3]);
  });

  test('of more bytes than the server holds is not sent, and the refusal says how many', async () => {
    const large = { sha256: 'a'.repeat(64), bytes: 3 * 2 ** 30 };
    handlers['POST /keep'] = json({ bytesUsed: 0, bytesMost: 2 * 2 ** 30 });
    await expect(servers.query(ID, { data: [large, part()] }, 'SELECT 1', never)).rejects.toMatchObject({
      ...{ problem: 'dataset_query_too_large', args: { size: 3.1, most: 2 } },
    });
    expect(asked).toEqual([]);
    // A part of two tables is there once.
    handlers['POST /keep'] = json({ bytesUsed: 0, bytesMost: part().bytes });
    expect(await servers.query(ID, { data: [part()], again: [part()] }, 'SELECT 1', never)).toEqual(TOLD);
  });

  test('that arrives early is kept until the last of its table is there', async () => {
    const kept: string[][] = [];
    handlers['POST /keep'] = async (req, res) => {
      kept.push(JSON.parse(await text(req)).paths);
      res.end(JSON.stringify({ bytesMost: 1024 * MIB }));
    };
    const parts = [store.add(Buffer.from('first')), store.add(Buffer.from('second'))];
    const paths = parts.map(({ sha256 }) => `in/parts/${sha256}`);
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    handlers['PUT /file'] = inTurn(takesAll, async (req, res) => {
      begun.resolve();
      await held.promise;
      await takesAll(req, res);
    });
    const answer = servers.query(ID, { data: parts }, 'SELECT 1', never).catch(() => undefined);
    await begun.promise;
    for (const times of [2, 3]) {
      clock.hurry(30_000);
      await eventually('they are kept again', () => kept.length === times, PATIENCE_MS);
    }
    expect(kept).toEqual([paths, paths, paths]);
    held.resolve();
    await answer;
  });

  test.each<[string, Handler]>([
    [
      'says that a byte more is there each time',
      (() => {
        let bytes = 0;
        return (req: IncomingMessage, res: ServerResponse) => there(bytes++)(req, res);
      })(),
    ],
    ['never answers', (req) => void req.resume()],
  ])('of which a server %s has one deadline, which its size gives it', async (_, handler) => {
    const endless = store.add(Buffer.alloc(60 * MIB));
    handlers['PUT /file'] = handler;
    const asking = () => servers.query(ID, { data: [endless] }, 'SELECT 1', never);
    const first = asking();
    await eventually('it is being sent', () => asked.length > 0);
    clock.hurry();
    await expect(first).rejects.toMatchObject({ problem: 'dataset_preparing' });
    clock.hurry(11 * 60_000 - 1);
    const second = asking();
    await eventually('it waits for what is being sent', () => clock.isPausing(10_000));
    clock.hurryPast(11 * 60_000);
    await expect(second).rejects.toMatchObject({ problem: 'unavailable' });
  });
});

describe('reading', () => {
  const profile = (tell: (progress: object) => void = () => {}) => servers.profile(ID, wish(), tell, never);

  test('reports its progress, and hands out facts that are understood', async () => {
    handlers['POST /profile'] = lines(
      { progress: { step: 'statistics', done: 0, of: 1, evil: true } },
      { done: { ...FACTS, evil: true } },
    );
    const told: object[] = [];
    const { format: _, ...facts } = FACTS;
    expect(await profile((progress) => told.push(progress))).toEqual(facts);
    expect(told).toContainEqual({ step: 'sending', done: 8, of: 8 });
  });

  test.each<[string, Handler]>([
    ['breaks off before its last line', lines({ progress: { step: 'kinds' } })],
    ['breaks off within its last line', (_, res) => res.end('{"done": {')],
    ['breaks off without a line', (_, res) => res.end()],
    ['breaks the connection', breaksOff],
    ['is busy', refuses('Busy', 'Later.', {}, 503)],
    ['has lost what it reads', refuses('NoSuchFile', 'Gone.', {}, 404)],
  ])('that %s begins again, and goes on with what is there', async (_, first) => {
    handlers['POST /profile'] = inTurn(first, lines({ done: FACTS }));
    expect(await profile()).toMatchObject({ rows: 1 });
  });

  const endless: Handler = (_, res) => {
    res.writeHead(200);
    const line = Buffer.from(`${JSON.stringify({ progress: { step: 'lines', done: 1 } })}\n`.repeat(1000));
    const write = () => {
      while (!res.destroyed) if (!res.write(line)) return void res.once('drain', write);
    };
    write();
  };
  const longLine: Handler = (_, res) => {
    const write = () => {
      while (!res.destroyed) if (!res.write('a'.repeat(65_536))) return void res.once('drain', write);
    };
    write();
  };
  test.each<[string, Handler]>([
    ['lines without end', endless],
    ['a line without end', longLine],
    ['a part elsewhere', lines({ done: { ...FACTS, parts: [{ ...PART, path: 'out/other/data-0.parquet' }] } })],
    ['a part above', lines({ done: { ...FACTS, parts: [{ ...PART, path: 'out/v1/../x' }] } })],
    ['a digest that is none', lines({ done: { ...FACTS, parts: [{ ...PART, sha256: 'abc' }] } })],
    ['negative rows', lines({ done: { ...FACTS, rows: -1 } })],
    ['more columns than any table', lines({ done: { ...FACTS, columns: Array(1001).fill(FACTS.columns[0]) } })],
    ['no facts', lines({ done: 'yes' })],
    ['a code that nobody knows', lines({ problem: { code: 'Unheard', sentence: 'No.', values: {} } })],
  ])('that says %s is tried later by those who wait for it', async (_, handler) => {
    handlers['POST /profile'] = handler;
    await expect(profile()).rejects.toMatchObject({ name: 'SourceAway' });
  });

  test('of data that is no table says why', async () => {
    handlers['POST /profile'] = lines({ problem: { code: 'NoRows', sentence: 'No row can be read.', values: {} } });
    const why = 'No row can be read.';
    await expect(profile()).rejects.toMatchObject({ problem: 'dataset_profile_failed', args: { why } });
  });

  test('keeps letters that no database takes out of names', async () => {
    handlers['POST /profile'] = lines({ done: { ...FACTS, columns: [{ name: 'a\0\uD800', type: 'x', nulls: 0 }] } });
    expect((await profile()).columns[0]?.name).toBe('a\uFFFD\uFFFD');
  });

  test('at a server that never comes is tried later', async () => {
    acme.onWish = () => acme.says({ status: 'False', reason: 'DataFailed', args: { detail: 'no room' } });
    await expect(profile()).rejects.toThrow('the data server cannot run: no room');
    await expect(profile()).rejects.toMatchObject({ name: 'SourceAway' });
  });

  test.each<[string, Handler]>([
    ['ends early', (_, res) => res.writeHead(200, { 'content-length': 100 }).write('a') && res.destroy()],
    ['has no length', (_, res) => res.write('a') && res.end()],
    ['is larger than any', (_, res) => res.writeHead(200, { 'content-length': 10 ** 12 }).write('a')],
    ['is not there', refuses('NoSuchFile', 'Gone.', {}, 404)],
    ['is shorter than where it goes on', refuses('BeyondEnd', 'Short.', { bytes: 1 }, 416)],
  ])('hands out no part that %s', async (_, handler) => {
    handlers['GET /file'] = handler;
    const all = async () => {
      for await (const _piece of servers.part(ID, PART.path, 0, never));
    };
    await expect(all()).rejects.toMatchObject({ name: 'SourceAway' });
  });
});

test('nothing that comes keeps others waiting', async () => {
  // Objects of many different members take longest to copy.
  const row = (number: number) => Array.from({ length: 1000 }, (_, at) => ({ [`k${number} ${at}`]: at }));
  const columns1000 = Array.from({ length: 1000 }, (_, at) => ({ name: `c${at}`, type: 'STRUCT(a INTEGER)' }));
  const large = { columns: columns1000, rows: Array.from({ length: 100 }, (_, number) => row(number)), cut: [] };
  handlers = {
    ...handlers,
    'POST /query': json({ ...large, more: true }),
    'POST /profile': lines(...Array.from({ length: 100_000 }, (_, done) => ({ progress: { step: 'lines', done } })), {
      done: { ...FACTS, columns: Array(1000).fill({ ...FACTS.columns[0], name: 'c'.repeat(250) }) },
    }),
  };
  const program = fileURLToPath(new URL('testing/watched-reader.ts', import.meta.url));
  const { port } = played.address() as AddressInfo;
  const child = spawn(process.execPath, ['--no-warnings', program, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { longestMs, cells, columns } = JSON.parse(await text(child.stdout));
  expect({ cells, columns }).toEqual({ cells: 100_000, columns: 1000 });
  expect(longestMs).toBeLessThan(50);
}, 60_000);
