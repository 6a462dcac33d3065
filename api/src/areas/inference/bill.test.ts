// A bill of /v1 against engines that keep their own books: requests of all calls, in all forms, with clients that leave and workers
// that die, cost what their engine has really read and generated for them, and not a token more or less.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { micros, ZERO } from '@gantry/contract/fields/money.ts';
import { ENGINES, type Engine, type ModelTask } from '@gantry/contract/models/engines.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { eventually } from '../../../../test/support/eventually.ts';
import { tinyModel } from '../../../../test/support/relay-parts.ts';
import { isSoak } from '../../../../test/support/soak.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Routes } from './aliases.ts';
import { Completions } from './completions.ts';
import { KeyLimits } from './key-limits.ts';
import { costOf, NOTHING_HELD } from './money.ts';
import { Models } from './serving.ts';
import { type SeenRequest, type Stub, StubEngine, wordFor } from './testing/stub-engine.ts';
import type { UsageRow } from './token-meter.ts';

const REQUESTS = isSoak ? 2_000 : 300;
const AT_ONCE = 20;

const caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'ses-1', kind: 'session', scopes: ['view', 'use'], expiresAt: 9e15 },
} as unknown as Caller;
const rate = (amount: bigint) => ({ amount: micros(amount), left: 9_000n });
const PRICE = { prompt: rate(333_333_333n), cached: rate(77_777_777n), completion: rate(1_234_567_891n) };

const CALLS = {
  'chat/completions': { task: 'Generate', streams: true, many: true },
  completions: { task: 'Generate', streams: true, many: true },
  responses: { task: 'Generate', streams: true, many: false },
  embeddings: { task: 'Embed', streams: false, many: false },
  rerank: { task: 'Rerank', streams: false, many: false },
} as const satisfies Record<string, { task: ModelTask; streams: boolean; many: boolean }>;
type Call = keyof typeof CALLS;

const request = fc.record({
  call: fc.constantFrom(...(Object.keys(CALLS) as Call[])),
  engine: fc.constantFrom<Engine>(...ENGINES),
  isStream: fc.boolean(),
  wantsUsage: fc.boolean(),
  n: fc.integer({ min: 1, max: 4 }),
  prompts: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
  tokens: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
  most: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
  cached: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom(
    'whole',
    'whole',
    'whole',
    'left',
    'dies',
    'ends',
    'dies once',
    'no streams',
    'fails',
    'fails once',
  ),
  after: fc.integer({ min: 1, max: 8 }),
});
type Asks = typeof request extends fc.Arbitrary<infer T> ? T : never;

let engines: StubEngine[];
let rows: UsageRow[];
let models: Models;
let front: Server;
let url: string;
let disbelieved: number;

beforeEach(async () => {
  engines = [new StubEngine(), new StubEngine()];
  const port = (await engines[0]?.listen('127.0.0.1')) ?? 0;
  await engines[1]?.listen('127.0.0.2', port);
  rows = [];
  disbelieved = 0;
  models = new Models({ clock: systemClock, isAddress: () => true });
  for (const engine of ENGINES)
    for (const task of ['Generate', 'Embed', 'Rerank'] as const) {
      const name = `${engine.replace('.', '-')}-${task.toLowerCase()}`;
      models.show(
        tinyModel({
          ...{ uid: name, name, priced: name, engine, task, port },
          workers: [1, 2].map((at) => ({ name: `worker-${at}`, podIP: `127.0.0.${at}`, phase: 'ready' })),
        }),
      );
    }
  const nothing = { tokens: 0, money: ZERO };
  const completions = new Completions({
    models,
    routes: new Routes(models),
    authenticate: async () => caller,
    attempts: { mayTry: async () => true, known: () => {}, inVain: async () => {} },
    addressOf: () => '127.0.0.1',
    limits: new KeyLimits({ readSpent: async () => ({ day: nothing, month: nothing }), currencyOf: () => 'USD' }),
    money: { priceOf: () => PRICE, hold: async () => NOTHING_HELD },
    usage: { isFull: false, add: (row) => void rows.push(row) },
    wake: async () => {},
    drain: async () => {},
    clock: systemClock,
    disbelieved: () => void disbelieved++,
    log: { warn: (told) => void ('err' in told && process.emitWarning(`${(told.err as Error).stack}`)) },
  });
  front = createServer((req, res) => void completions.answer(req, res));
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`;
});

afterEach(() => {
  front.close();
  front.closeAllConnections();
  models.stop();
  for (const one of engines) one.close();
});

/** The request's body, and the behaviour of its engine. */
function asksFor(asks: Asks): { body: Record<string, unknown>; word: string } {
  const { call, engine, n, most, tokens, cached, end, after, isStream, wantsUsage } = asks;
  const { task, streams, many } = CALLS[call];
  const stub: Stub = {
    ...{ tokens, cached },
    ...(end === 'left' && (streams ? { haltsAfter: after } : { everyMs: 50 })),
    ...(end.startsWith('dies') && { dieAfter: after }),
    ...(end === 'ends' && { endAfter: after }),
    ...(end.startsWith('fails') && { status: 500 }),
    ...(end.endsWith('once') && { isOnce: true }),
    ...(end === 'no streams' && { hasNoStreams: true }),
  };
  const word = wordFor(stub);
  const texts = asks.prompts.map((length, at) => `${at === 0 ? word : ''}${'sea '.repeat(length)}`);
  const [first = ''] = texts;
  const asked: Record<Call, object> = {
    'chat/completions': { messages: [{ role: 'user', content: first }], max_completion_tokens: most },
    completions: { prompt: texts.length === 1 ? first : texts, max_tokens: most },
    responses: { input: first, max_output_tokens: most },
    embeddings: { input: texts },
    rerank: { query: first, documents: texts },
  };
  const model = `${engine.replace('.', '-')}-${task.toLowerCase()}`;
  const inForm = streams &&
    isStream && {
      stream: true,
      ...(many && wantsUsage && { stream_options: { include_usage: true } }),
    };
  return { body: { model, ...asked[call], ...(many && { n }), ...inForm }, word };
}

const seenWith = (word: string): SeenRequest[] =>
  engines.flatMap(({ seen }) => seen).filter(({ text }) => text.includes(word));

/** Returns what the client was told of usage. */
async function play(asks: Asks): Promise<{ word: string; told: number | undefined }> {
  const { body, word } = asksFor(asks);
  const leaves = new AbortController();
  const asking = fetch(`${url}/${asks.call}`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaves.signal,
  }).then((answer) => answer.text());
  const streams = CALLS[asks.call].streams;
  if (asks.end !== 'left') return { word, told: toldIn(await asking) };
  let isOver = false;
  const ended = asking.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const hasCome = () => seenWith(word).some(({ sent }) => !streams || sent === asks.after);
  while (!isOver && !hasCome()) await turn();
  // Bytes that were written on the way are read.
  for (let more = 0; more < 10; more++) await turn();
  leaves.abort();
  await ended;
  return { word, told: undefined };
}

/** The completion's tokens in the newest usage of an answer. */
function toldIn(answer: string): number | undefined {
  const found = [...answer.matchAll(/"(?:completion|output)_tokens":(\d+)/g)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** By the books of the engines: those of the worker that answered in full, or of the one whose stream broke off. */
function owed({ call, engine, isStream, end }: Asks, seen: readonly SeenRequest[]) {
  const whole = seen.find(({ isWhole }) => isWhole);
  const nothing = { prompt: 0, cached: 0, completion: 0 };
  const isHeard = CALLS[call].streams && (isStream || end === 'left');
  const { prompt, cached, completion } =
    whole ?? (isHeard && !end.startsWith('fails') ? seen[0] : undefined) ?? nothing;
  // vLLM and SGLang say what was in their cache at the end alone.
  const isCachedTold = CALLS[call].streams && (whole !== undefined || engine === 'llama.cpp');
  return { prompt, cached: isCachedTold ? cached : 0, completion };
}

test(
  'what is billed is what the books of the engines say, request by request',
  async () => {
    const all = fc.sample(request, { numRuns: REQUESTS });
    const differ: unknown[] = [];
    const billed: Record<string, number> = {};
    const work = async () => {
      for (let asks = all.pop(); asks; asks = all.pop()) {
        const { word, told } = await play(asks);
        const seen = seenWith(word);
        const id = seen[0]?.headers['x-request-id'];
        const row = await eventually('it is written', () => rows.find((one) => one.id === id));
        const books = owed(asks, seen);
        const { prompt, cached, completion, doubt, net, outcome } = row as UsageRow;
        billed[outcome] = (billed[outcome] ?? 0) + 1;
        const bill = { prompt, cached, completion, doubt, net };
        const wanted = { ...books, doubt: null, net: costOf(books, PRICE).net };
        const isTold = told === undefined || outcome !== 'answered' || told === completion;
        if (JSON.stringify(bill, text) !== JSON.stringify(wanted, text) || !isTold)
          differ.push({ asks, bill, wanted, outcome, told });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(differ).toEqual([]);
    expect(rows).toHaveLength(REQUESTS);
    // Each way in which a request may end was there.
    expect(Object.keys(billed).sort()).toEqual(['answered', 'broken', 'failed', 'left']);
  },
  isSoak ? 600_000 : 60_000,
);
const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** A value that an engine may send in place of a count. */
const lie = fc.oneof(
  fc.constantFrom<unknown>(0, -1, 1.5, 1e308, 2 ** 53, 'many', '12', null, true, [], {}),
  fc.integer({ min: 0, max: 5_000 }),
);
const lies = fc.record(
  {
    ...{ prompt_tokens: lie, completion_tokens: lie, total_tokens: lie },
    prompt_tokens_details: fc.record({ cached_tokens: lie }),
  },
  { requiredKeys: [] },
);
const timed = fc.record({ cache_n: lie, prompt_n: lie, predicted_n: lie }, { requiredKeys: [] });

test(
  'an engine that lies is never billed below what has passed, nor believed beyond what was declared',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ n: fc.integer({ min: 1, max: 3 }), most: fc.integer({ min: 1, max: 20 }), isStream: fc.boolean() }),
        fc.record({
          tokens: fc.integer({ min: 1, max: 30 }),
          usage: fc.option(lies),
          running: fc.option(fc.oneof(fc.record({ usage: lies }), fc.record({ timings: timed }))),
          isEndless: fc.boolean(),
          hasNoStreams: fc.boolean(),
        }),
        async ({ n, most, isStream }, stub) => {
          rows.length = 0;
          disbelieved = 0;
          const messages = [{ role: 'user', content: wordFor(stub as Stub).padEnd(400, 'sea ') }];
          const answer = await fetch(`${url}/chat/completions`, {
            method: 'POST',
            headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
            body: JSON.stringify({ model: 'llama-cpp-generate', messages, n, max_tokens: most, stream: isStream }),
          });
          const passed = (await answer.text()).split(' word').length - 1;
          const [row] = rows;
          expect(rows).toHaveLength(1);
          expect(Number.isSafeInteger(row?.completion)).toBe(true);
          expect(row?.completion).toBeLessThanOrEqual(n * most);
          // The words of an answer in one piece are not counted: each has five letters.
          if (!stub.hasNoStreams) expect(row?.completion).toBeGreaterThanOrEqual(passed);
          else expect(row?.completion).toBeGreaterThanOrEqual(Math.floor((5 * passed) / 128));
          expect(disbelieved).toBe(row?.doubt === 'implausible' ? 1 : 0);
          if (row?.outcome === 'failed') return;
          expect(row?.prompt).toBeGreaterThanOrEqual(3);
          expect(row?.prompt).toBeLessThanOrEqual(4096);
          expect(row?.cached).toBeLessThanOrEqual(row?.prompt ?? 0);
          expect(row?.cached).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: isSoak ? 2_000 : 200 },
    );
  },
  isSoak ? 600_000 : 60_000,
);
