// /v1 on real sockets: workers are stub engines on loopback addresses, and OpenAI's own client asks.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { micros, ZERO } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../../../../test/support/eventually.ts';
import { tinyModel } from '../../../../test/support/relay-parts.ts';
import type { TokenPrices } from '../../core/billing/tokens/token-charges.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Metrics } from '../../platform/http/metrics.ts';
import { type Alias, Routes } from './aliases.ts';
import { Completions } from './completions.ts';
import { KeyLimits, type Spent } from './key-limits.ts';
import { modelMetrics } from './model-metrics.ts';
import { NOTHING_HELD } from './money.ts';
import { Refusal } from './refusals.ts';
import { type ModelFacts, Models } from './serving.ts';
import { promptTokens, type Stub, StubEngine, seedFor } from './testing/stub-engine.ts';
import type { UsageRow } from './token-meter.ts';

const NO_LIMITS: TokenLimits = {
  models: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  tokens_per_month: null,
  money_per_day: null,
  money_per_month: null,
};

let limits: Partial<TokenLimits>;
/** Long enough for a busy machine. */
let firstByteMs: number;

function callerOf(token: string): Caller | undefined {
  const [who = '', scope = 'use'] = token.split('.');
  if (!['acme', 'other'].includes(who)) return undefined;
  return {
    account: { id: `acc-${who}`, name: who, email: null, locale: 'en', platformRoles: [] },
    organization: { id: who, role: 'member', namespace: `org-${who}` },
    session: {
      id: `tok-${token}`,
      kind: 'apiToken',
      scopes: ['view', scope] as Caller['session']['scopes'],
      expiresAt: 9e15,
      ...(Object.keys(limits).length > 0 && { limits: { ...NO_LIMITS, ...limits } }),
    },
  };
}

let front: Server;
let url: string;
let engines: StubEngine[];
let raw: SocketServer[];
let port: number;
let models: Models;
let rows: UsageRow[];
let wakes: string[];
let price: TokenPrices | undefined;
let spent: Spent;
let aliases: Map<string, Alias>;
let tried: number;
let credit: bigint;
let origins: string[];
let metrics: Metrics;
let ended: Map<string, Caller | undefined>;
let kept: bigint;
/** Records of each deployment and dataset; undefined: too long. */
let collected: [of: string, record: Record<string, unknown> | undefined][];
let draws: number[];

async function engine(at: number, usual: Stub = {}): Promise<StubEngine> {
  const one = new StubEngine();
  one.usual = usual;
  port = await one.listen(`127.0.0.${at}`, port);
  engines.push(one);
  return one;
}

/** Says this to whoever has asked, and closes the connection. */
async function rawEngine(at: number, said: Iterable<string | Buffer>): Promise<void> {
  const one = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', async () => {
      for (const piece of said) {
        if (socket.destroyed) return;
        if (!socket.write(piece)) await once(socket, 'drain').catch(() => {});
      }
      socket.end();
    });
  });
  one.listen(port, `127.0.0.${at}`);
  await once(one, 'listening');
  port = (one.address() as AddressInfo).port;
  raw.push(one);
}

/** In JSON. */
const deep = (levels = 200_000) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const facts = ({ organization = 'acme', name = 'tiny', ...over }: Partial<ModelFacts> = {}): ModelFacts =>
  tinyModel({
    ...{ uid: `uid-${organization}-${name}`, namespace: `org-${organization}`, organization, name },
    ...{ port, createdAt: 1_700_000_000_000 },
    ...over,
  });
const worker = (at: number) => ({ name: `tiny-${at}`, podIP: `127.0.0.${at}`, phase: 'ready' });

beforeEach(async () => {
  firstByteMs = 20_000;
  limits = {};
  engines = [];
  raw = [];
  port = 0;
  rows = [];
  wakes = [];
  price = undefined;
  spent = { day: { tokens: 0, money: ZERO }, month: { tokens: 0, money: ZERO } };
  aliases = new Map();
  tried = 0;
  credit = 0n;
  origins = [];
  ended = new Map();
  kept = 0n;
  collected = [];
  draws = [];
  models = new Models({ clock: systemClock, isAddress: () => true });
  metrics = new Metrics();
  const completions = new Completions({
    models,
    routes: new Routes(models, (organization) => (organization === 'acme' ? aliases : new Map())),
    timed: modelMetrics(metrics, models).timed,
    authenticate: async (token) => (ended.has(token) ? ended.get(token) : callerOf(token)),
    attempts: { mayTry: async () => tried < 5, known: () => {}, inVain: async () => void tried++ },
    addressOf: () => '127.0.0.1',
    limits: new KeyLimits({ readSpent: async () => structuredClone(spent), currencyOf: () => 'EUR' }),
    money: {
      priceOf: () => price,
      hold: async (_caller, amount) => {
        if (amount === 0n) return NOTHING_HELD;
        if (amount > credit - kept) throw new Refusal('credit_needed', { detail: `${amount} of ${credit - kept}` });
        kept += amount;
        let left: bigint = amount;
        return {
          subject: 'tokens/acme',
          release: () => {
            kept -= left;
            left = 0n;
          },
          spend: (net) => {
            kept -= left;
            left = 0n;
            credit -= net;
          },
          posted: () => {},
        };
      },
    },
    usage: {
      isFull: false,
      add: (row, held) => {
        held.spend(row.net);
        rows.push(row);
      },
    },
    wake: async ({ name }) => void wakes.push(name),
    drain: async (req: IncomingMessage) => {
      req.resume();
      await once(req, 'end');
    },
    collector: {
      draws: (percent) => draws.push(percent) > 0,
      offer: (of, record) => void collected.push([Object.values(of).join('/'), record() as never]),
    },
    clock: systemClock,
    log: { warn: (told) => void ('err' in told && process.emitWarning(`${(told.err as Error).stack}`)) },
    get firstByteMs() {
      return firstByteMs;
    },
    origins,
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
  for (const one of [...engines, ...raw]) one.close();
});

const client = (token = 'acme', maxRetries = 0) => new OpenAI({ apiKey: token, baseURL: `${url}/v1`, maxRetries });
const messages = [{ role: 'user' as const, content: 'Tell me something about the sea, in a few words.' }];
const chat = (stub: Stub = {}, more: object = {}) =>
  ({ model: 'acme/tiny', messages, seed: seedFor(stub), ...more }) as never;
const post = (
  path: string,
  body: unknown,
  { token = 'acme', headers = {} }: { token?: string; headers?: object } = {},
) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const refusalOf = async (answer: Response) => ({
  status: answer.status,
  ...((await answer.json()) as { error: { code: string } }).error,
});

describe("OpenAI's client", () => {
  test('has an answer, and its tokens are counted as the engine says', async () => {
    await engine(1);
    models.show(facts());
    const answer = await client().chat.completions.create(chat({ tokens: 4, cached: 2 }));
    expect(answer).toMatchObject({
      choices: [{ message: { content: ' word word word word' } }],
      usage: { completion_tokens: 4 },
    });
    const prompt = promptTokens({ messages });
    expect(rows).toMatchObject([
      {
        prompt,
        cached: 2,
        completion: 4,
        doubt: null,
        outcome: 'answered',
        status: 200,
        tokenId: 'tok-acme',
        worker: 'tiny-1',
      },
    ]);
    expect(engines[0]?.seen[0]?.body.model).toBe('tiny');
    expect(engines[0]?.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('streams, and sees no usage that it did not ask for', async () => {
    await engine(1);
    models.show(facts());
    const stream = (await client().chat.completions.create(
      chat({ tokens: 5 }, { stream: true }),
    )) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks).toHaveLength(5);
    expect(chunks.some(({ usage }) => usage)).toBe(false);
    expect(engines[0]?.seen[0]?.body.stream_options).toEqual({ include_usage: true, continuous_usage_stats: true });
    expect(rows).toMatchObject([
      { prompt: promptTokens({ messages }), completion: 5, doubt: null, outcome: 'answered' },
    ]);
  });

  test('sees the usage of a stream that it asked for', async () => {
    await engine(1);
    models.show(facts());
    const wanted = { stream: true, stream_options: { include_usage: true } };
    const stream = (await client().chat.completions.create(
      chat({ tokens: 2 }, wanted),
    )) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    const usages = [];
    for await (const { usage } of stream) if (usage) usages.push(usage.completion_tokens);
    expect(usages).toEqual([2]);
  });

  test.each(['vllm', 'sglang', 'llama.cpp'] as const)(
    'pays %s for each of several answers, streamed or not, and is told so',
    async (engineName) => {
      await engine(1, { tokens: [5, 2, 4] });
      models.show(facts({ engine: engineName }));
      const three = { n: 3, max_tokens: 5 };
      const answer = await client().chat.completions.create(chat({}, three));
      const said = answer.choices.map(({ message }) => message.content);
      expect(said).toEqual([5, 2, 4].map((count) => ' word'.repeat(count)));
      expect(answer.choices.map(({ index, finish_reason: end }) => [index, end])).toEqual(
        [0, 1, 2].map((at) => [at, 'stop']),
      );
      const prompt = promptTokens({ messages });
      expect(answer.usage).toMatchObject({ prompt_tokens: prompt, completion_tokens: 11, total_tokens: prompt + 11 });
      const wanted = { ...three, stream: true, stream_options: { include_usage: true } };
      const usages = [];
      for await (const { usage } of (await client().chat.completions.create(
        chat({}, wanted),
      )) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
        if (usage) usages.push(usage.completion_tokens);
      expect(usages).toEqual([11]);
      const texts = await client().completions.create({
        model: 'tiny',
        prompt: ['one', 'two', 'three'],
        n: 2,
        max_tokens: 3,
      });
      expect(texts.choices.map(({ text: one }) => one.split(' word').length - 1)).toEqual([3, 2, 3, 3, 2, 3]);
      expect(rows.map(({ completion, doubt }) => [completion, doubt])).toEqual([
        [11, null],
        [11, null],
        [16, null],
      ]);
      expect(rows[2]?.prompt).toBe(promptTokens({ prompt: ['one', 'two', 'three'] }));
    },
  );

  test('pays for what was made for a plain request before it left, and its engine stops', async () => {
    const one = await engine(1, { tokens: 1000, haltsAfter: 643 });
    models.show(facts());
    const leaves = new AbortController();
    const asking = client()
      .chat.completions.create(chat(), { signal: leaves.signal })
      .catch(() => 'left');
    await eventually('so much is made', () => one.seen[0]?.sent === 643);
    // Each turn of the loop reads 64 KiB of the received bytes.
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    leaves.abort();
    expect(await asking).toBe('left');
    await eventually('it is counted', () => rows.length === 1);
    expect(rows).toMatchObject([{ outcome: 'left', status: 499, completion: 643, doubt: null }]);
    await eventually('its engine has stopped', () => one.seen[0]?.isCutOff);
  });

  test('calls tools, in a stream too', async () => {
    await engine(1, { toolCall: { name: 'weather', arguments: '{"city":"Lagos"}' } });
    models.show(facts());
    const answer = await client().chat.completions.create(chat({ tokens: 1 }));
    expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'weather' } });
    const stream = client().chat.completions.stream(chat({ tokens: 1 }));
    const last = await stream.finalChatCompletion();
    expect(last.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"Lagos"}' } });
    expect(rows).toHaveLength(2);
  });

  test('completes, embeds and responds', async () => {
    await engine(1);
    models.show(facts());
    models.show(facts({ name: 'embedder', task: 'Embed' }));
    const openai = client();
    const completion = await openai.completions.create({ model: 'tiny', prompt: 'Once upon a time', max_tokens: 2 });
    expect(completion.choices[0]?.text).toBe(' word word');
    const embedding = await openai.embeddings.create({ model: 'embedder', input: 'hello', encoding_format: 'float' });
    expect(embedding.data[0]?.embedding).toEqual([0.25, -0.5]);
    const response = await openai.responses.create({ model: 'tiny', input: 'hello' });
    expect(response.output_text).toBe(' word word word');
    const types: string[] = [];
    for await (const { type } of await openai.responses.create({ model: 'tiny', input: 'hello', stream: true }))
      types.push(type);
    expect(types.at(-1)).toBe('response.completed');
    expect(rows.map(({ endpoint, completion: tokens, doubt }) => [endpoint, tokens, doubt])).toEqual([
      ['completions', 2, null],
      ['embeddings', 0, null],
      ['responses', 3, null],
      ['responses', 3, null],
    ]);
    expect(engines[0]?.seen.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      body: { messages: [{ role: 'user', content: 'hello' }] },
    });
  });

  test('asks for an adapter by its own name', async () => {
    await engine(1);
    models.show(facts({ adapters: ['pirate'] }));
    expect((await post('/v1/chat/completions', chat({}, { model: 'acme/tiny:pirate' }))).status).toBe(200);
    expect(engines[0]?.seen[0]?.body.model).toBe('pirate');
    expect((await post('/v1/chat/completions', chat({}, { model: 'acme/tiny:parrot' }))).status).toBe(404);
    expect((await client().models.list()).data.map(({ id }) => id)).toEqual(['acme/tiny', 'acme/tiny:pirate']);
  });

  test('has an adapter applied by its number on the worker that is asked, and none where it asks for the model', async () => {
    await engine(1);
    const told = () => engines[0]?.seen.map(({ body: { model, lora } }) => ({ model, lora }));
    const ask = (model: string, more: object = {}, path = '/v1/chat/completions') =>
      post(path, { model, ...(path.includes('chat') ? { messages } : { input: 'a' }), ...more });
    const own = { adaptersBy: 'lora', adapters: ['parrot', 'pirate'] } as const;
    models.show(facts(own));
    // A client's own field about adapters reaches nobody.
    expect(await refusalOf(await ask('tiny', { lora: [{ id: 1, scale: 1 }] }))).toMatchObject({ param: 'lora' });
    await ask('tiny');
    await ask('tiny:pirate');
    const scales = (...all: number[]) => all.map((scale, id) => ({ id, scale }));
    expect(told()).toEqual([
      { model: 'tiny', lora: scales(0, 0) },
      { model: 'tiny', lora: scales(0, 1) },
    ]);
    // This worker is of an earlier revision.
    models.show(facts({ ...own, workers: [{ ...worker(1), adapters: ['pirate'] }] }));
    expect((await post('/v1/responses', { model: 'tiny:pirate', input: 'a' })).status).toBe(200);
    expect(await refusalOf(await ask('tiny:parrot'))).toMatchObject({ status: 502, code: 'engine_failed' });
    expect(await refusalOf(await ask('tiny:pirate', {}, '/v1/embeddings'))).toMatchObject({
      code: 'unsupported_value',
    });
    models.show(facts({ adaptersBy: 'lora' }));
    await ask('tiny');
    expect(told()?.slice(2)).toEqual([{ model: 'tiny', lora: scales(1) }, { model: 'tiny' }]);
  });

  test('has an adapter of SGLang named beside the model', async () => {
    await engine(1);
    models.show(facts({ adaptersBy: 'lora_path', adapters: ['pirate'] }));
    await post('/v1/chat/completions', chat({}, { model: 'tiny:pirate' }));
    expect(await refusalOf(await post('/v1/chat/completions', chat({}, { lora_path: 'pirate' })))).toMatchObject({
      param: 'lora_path',
    });
    await post('/v1/chat/completions', chat());
    expect(engines[0]?.seen.map(({ body: { model, lora_path } }) => [model, lora_path])).toEqual([
      ['tiny', 'pirate'],
      ['tiny', undefined],
    ]);
    const input = { model: 'tiny:pirate', input: 'a' };
    expect((await post('/v1/responses', input)).status).toBe(200);
    expect(engines[0]?.seen[2]?.body).toMatchObject({ model: 'tiny', lora_path: 'pirate' });
  });

  test('reranks', async () => {
    await engine(1);
    models.show(facts({ task: 'Rerank', engine: 'llama.cpp' }));
    const asked = { model: 'tiny', query: 'sea', documents: ['a stone', { text: 'a fish' }], return_documents: true };
    for (const [path, version] of [
      ['/v1/rerank', '1'],
      ['/v2/rerank', '2'],
    ] as const) {
      const answer = await post(path, asked);
      expect(await answer.json()).toEqual({
        ...{ id: expect.any(String), object: 'list', model: 'tiny', usage: expect.any(Object) },
        results: [
          { index: 0, relevance_score: 1 / (1 + Math.exp(-1.5)), document: { text: 'a stone' } },
          { index: 1, relevance_score: 1 / (1 + Math.exp(-0.5)), document: { text: 'a fish' } },
        ],
        meta: { api_version: { version }, billed_units: { search_units: 1 } },
      });
    }
    const first = await (await post('/v2/rerank', { ...asked, top_n: 1, return_documents: false })).json();
    expect(first).toMatchObject({ results: [{ index: 0, relevance_score: expect.any(Number) }] });
    expect(engines[0]?.seen.map(({ path, body }) => [path, body])).toEqual(
      Array.from({ length: 3 }, () => [
        '/v1/rerank',
        { model: 'tiny', query: 'sea', documents: ['a stone', 'a fish'] },
      ]),
    );
    const counted = {
      endpoint: 'rerank',
      prompt: promptTokens({ query: 'sea', documents: ['a stone', 'a fish'] }),
      completion: 0,
      doubt: null,
    };
    expect(rows).toMatchObject([counted, counted, counted]);
    expect(await refusalOf(await post('/v2/rerank', { ...asked, rank_fields: ['a'] }))).toMatchObject({
      ...{ status: 400, code: 'unknown_parameter', param: 'rank_fields' },
    });
  });

  test('sends schemas, pictures and tools on as they are', async () => {
    await engine(1);
    models.show(facts());
    const picture = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${'iVBORw0K'.repeat(500)}`, detail: 'low' },
    };
    const schema = { type: 'object', properties: { 海: { enum: ['sea', null, 1.5, -0.25e-7] } }, required: ['海'] };
    const sent = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is "it"?\n\u2028' }, picture] }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      tools: [{ type: 'function', function: { name: 'tide', parameters: schema } }],
      ...{ tool_choice: 'required', logit_bias: { '50256': -100 }, chat_template_kwargs: { thinking: false } },
      // As an engine counts a picture.
      seed: seedFor({
        ...{ tokens: 2, usage: { prompt_tokens: 1100, completion_tokens: 2 }, running: null },
        toolCall: { name: 'tide', arguments: '{}' },
      }),
    };
    const answer = await post('/v1/chat/completions', { model: 'acme/tiny', ...sent });
    expect(answer.status).toBe(200);
    const streamed = { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } };
    expect(engines[0]?.seen[0]?.text).toBe(JSON.stringify({ model: 'tiny', ...sent, ...streamed }));
    expect(rows).toMatchObject([{ prompt: 1100, completion: 2, doubt: null }]);
  });

  test('lists the models that it may call', async () => {
    models.show(facts());
    models.show(facts({ name: 'large' }));
    models.show(facts({ organization: 'other', name: 'secret' }));
    aliases.set('best', { targets: [{ deployment: 'large', weight: 1 }], createdAt: 0 });
    const ids = async () => (await client().models.list()).data.map(({ id }) => id);
    expect(await ids()).toEqual(['acme/large', 'acme/tiny', 'acme/best']);
    expect((await client().models.retrieve('acme/large')).id).toBe('acme/large');
    limits = { models: ['acme/tiny'] };
    expect(await ids()).toEqual(['acme/tiny']);
  });

  test('has its engine stopped when it leaves, and pays for what came', async () => {
    await engine(1, { everyMs: 5, tokens: 1000 });
    models.show(facts());
    const stream = (await client().chat.completions.create(
      chat({}, { stream: true }),
    )) as unknown as AsyncIterable<unknown>;
    let got = 0;
    for await (const _chunk of stream) if (++got === 3) break;
    await eventually('it has come to that', () => {
      expect(rows).toHaveLength(1);
      return true;
    });
    const [seen] = engines[0]?.seen ?? [];
    await eventually('it has come to that', () => {
      expect(seen?.isCutOff).toBe(true);
      return true;
    });
    expect(rows[0]).toMatchObject({ outcome: 'left', status: 499, doubt: null });
    expect(rows[0]?.completion).toBeGreaterThanOrEqual(3);
    expect(rows[0]?.completion).toBeLessThanOrEqual(seen?.sent ?? 0);
    expect(seen?.sent).toBeLessThan(100);
  });

  test('that leaves pays for a prompt as long as the model’s tokens have lately been', async () => {
    const one = await engine(1, { tokens: 1, usage: { prompt_tokens: 60, completion_tokens: 1 }, running: null });
    models.show(facts());
    for (let at = 0; at < 20; at++) await client().chat.completions.create(chat());
    one.usual = { everyMs: 5, tokens: 1000, running: null };
    const stream = (await client().chat.completions.create(
      chat({}, { stream: true }),
    )) as unknown as AsyncIterable<unknown>;
    for await (const _chunk of stream) break;
    await eventually('it is counted', () => rows.length === 21);
    expect(rows.at(-1)).toMatchObject({ outcome: 'left', doubt: 'silent' });
    expect(Math.abs((rows.at(-1)?.prompt ?? 0) - 60)).toBeLessThanOrEqual(2);
  });

  test('gets errors of its own kinds', async () => {
    await engine(1);
    models.show(facts());
    const failed = async (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(await failed(client('nobody').models.list())).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(await failed(client('acme.view').models.list())).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(await failed(client().chat.completions.create(chat({}, { model: 'nothing' })))).toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    expect(await failed(client().chat.completions.create(chat({}, { max_tokens: -1 })))).toBeInstanceOf(
      OpenAI.BadRequestError,
    );
    const refused = await failed(
      client().chat.completions.create(chat({ status: 400, body: '{"object":"error","message":"too long"}' })),
    );
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused).toMatchObject({ type: 'invalid_request_error', code: 'invalid_value' });
    expect((refused as Error).message).not.toContain('too long');
    const unable = { status: 501, body: '{"error":{"message":"no embeddings","type":"not_supported_error"}}' };
    expect(await failed(client().chat.completions.create(chat(unable)))).toMatchObject({
      ...{ status: 400, type: 'invalid_request_error', code: 'unsupported_value', param: 'model' },
    });
    expect(await failed(client().chat.completions.create(chat({ status: 500 })))).toBeInstanceOf(
      OpenAI.InternalServerError,
    );
  });

  test.each([
    ['before it answers', {}],
    ['in its stream', { stream: true }],
  ])('is told of its own mistake by a 400 that it does not try again: the engine says so %s', async (_, more) => {
    const said = { error: { code: 500, message: 'image input is not supported - hint: mmproj', type: 'server_error' } };
    const usual = 'stream' in more ? { failure: said } : { status: 500, body: JSON.stringify(said) };
    const one = await engine(1, usual);
    models.show(facts({ engine: 'llama.cpp' }));
    const ask = async () => {
      const answer = await client('acme', 2).chat.completions.create(chat({}, more));
      for await (const _chunk of answer as unknown as AsyncIterable<unknown>);
    };
    const told = { code: 'unsupported_value', param: 'messages', type: 'invalid_request_error' };
    await expect(ask()).rejects.toMatchObject({ ...told, message: expect.stringContaining('no image input') });
    expect(one.seen).toHaveLength(1);
    expect(rows).toMatchObject([{ outcome: 'refused', status: 400, prompt: 0, completion: 0 }]);
  });

  test.each([
    ['/v1/embeddings', { input: 'x' }, 'Generate'],
    ['/v1/rerank', { query: 'x', documents: ['y'] }, 'Generate'],
    ['/v1/chat/completions', { messages: [] }, 'Embed'],
  ] as const)('hears at %s that the model was deployed for something else', async (path, body, task) => {
    const one = await engine(1);
    models.show(facts({ task }));
    expect(await refusalOf(await post(path, { model: 'tiny', ...body }))).toMatchObject({
      ...{ status: 400, code: 'unsupported_value', param: 'model' },
    });
    expect(one.seen).toEqual([]);
  });

  test('hears that an engine would pass over the length of an embedding', async () => {
    await engine(1);
    const ask = () => post('/v1/embeddings', { model: 'tiny', input: 'x', dimensions: 3 });
    models.show(facts({ task: 'Embed', engine: 'llama.cpp' }));
    expect(await refusalOf(await ask())).toMatchObject({ status: 400, param: 'dimensions' });
    models.show(facts({ task: 'Embed', engine: 'vllm' }));
    expect((await ask()).status).toBe(200);
  });

  test('tries again where an engine has failed', async () => {
    const one = await engine(1, { status: 500 });
    models.show(facts());
    const asked = client('acme', 1).chat.completions.create(chat());
    await eventually('the first try has failed', () => rows.length === 1);
    one.usual = {};
    expect((await asked).choices).toHaveLength(1);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['failed', 'answered']);
  });
});

describe('a worker', () => {
  test('that dies in the middle of a stream yields an error, never a silent end', async () => {
    await engine(1);
    models.show(facts());
    for (const stub of [
      { tokens: 9, dieAfter: 3 },
      { tokens: 9, endAfter: 3 },
    ]) {
      const body = await text((await post('/v1/chat/completions', chat(stub, { stream: true }))).body as never);
      const events = body.trim().split('\n\n');
      expect(events).toHaveLength(4);
      expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toMatchObject({ error: { code: 'engine_died' } });
    }
    expect(rows).toMatchObject([
      { outcome: 'broken', prompt: promptTokens({ messages }), completion: 3, doubt: null },
      { outcome: 'broken', prompt: promptTokens({ messages }), completion: 3, doubt: null },
    ]);
    const stream = (await client().chat.completions.create(
      chat({ dieAfter: 1 }, { stream: true }),
    )) as unknown as AsyncIterable<unknown>;
    const read = async () => {
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow('in the middle of its answer');
  });

  test('that cannot be reached is passed over before the first byte', async () => {
    await engine(1);
    const second = await engine(2);
    models.show(facts({ workers: [worker(1), worker(2)] }));
    engines[0]?.close();
    for (let at = 0; at < 4; at++) expect((await post('/v1/chat/completions', chat())).status).toBe(200);
    expect(second.seen).toHaveLength(4);
    expect(rows.map(({ worker: by }) => by)).toEqual(['tiny-2', 'tiny-2', 'tiny-2', 'tiny-2']);
  });

  test('that has no room is passed over, and its refusal goes on where nobody has', async () => {
    await engine(1, { status: 503 });
    const second = await engine(2);
    models.show(facts({ workers: [worker(1), worker(2)] }));
    for (let at = 0; at < 3; at++) expect((await post('/v1/chat/completions', chat())).status).toBe(200);
    second.usual = { status: 429, body: '{"error":{"message":"full","type":"rate_limit_error"}}' };
    expect(await refusalOf(await post('/v1/chat/completions', chat()))).toMatchObject({ status: expect.any(Number) });
  });

  test('that never answers is given up', async () => {
    firstByteMs = 700;
    await engine(1, { isMute: true });
    models.show(facts());
    expect(await refusalOf(await post('/v1/chat/completions', chat()))).toMatchObject({
      status: 504,
      code: 'engine_silent',
    });
    expect(rows).toMatchObject([{ outcome: 'failed', prompt: 0, completion: 0 }]);
    await eventually('it has come to that', () => {
      expect(engines[0]?.seen[0]?.isCutOff).toBe(true);
      return true;
    });
  });

  test('that dies in the midst of a plain answer is made good by another, whose answer alone is paid', async () => {
    for (const at of [1, 2]) await engine(at);
    models.show(facts({ workers: [worker(1), worker(2)] }));
    const answer = await client().chat.completions.create(chat({ tokens: 9, dieAfter: 4, isOnce: true }));
    expect(answer.choices[0]?.message.content).toBe(' word'.repeat(9));
    expect(engines.flatMap(({ seen }) => seen.map(({ sent }) => sent)).sort()).toEqual([4, 9]);
    expect(await refusalOf(await post('/v1/chat/completions', chat({ tokens: 9, dieAfter: 4 })))).toMatchObject({
      ...{ status: 502, code: 'engine_died' },
    });
    expect(rows).toMatchObject([
      { outcome: 'answered', completion: 9, doubt: null },
      { outcome: 'failed', prompt: 0, completion: 0 },
    ]);
  });

  test('that sends more answers than were asked for is cut off', async () => {
    await engine(1, { tokens: 3, mostAnswers: 4 });
    models.show(facts());
    expect(await (await post('/v1/chat/completions', chat({}, { stream: true }))).text()).toContain('"engine_ran_on"');
    expect(rows).toMatchObject([{ outcome: 'broken', completion: 1 }]);
  });

  test('that never ends is cut off, and what came is bounded', async () => {
    await engine(1, { isEndless: true });
    models.show(facts());
    const answer = await post('/v1/chat/completions', chat({}, { stream: true, max_tokens: 20 }));
    expect(await text(answer.body as never)).toContain('"engine_ran_on"');
    expect(rows).toMatchObject([{ outcome: 'broken', completion: 20 }]);
    await eventually('it has come to that', () => {
      expect(engines[0]?.seen[0]?.isCutOff).toBe(true);
      return true;
    });
  });

  test.each([
    ['says a billion', { prompt_tokens: 1_000_000_000, completion_tokens: 1_000_000_000 }, 'implausible'],
    ['says less than nothing', { prompt_tokens: -5, completion_tokens: -5 }, 'implausible'],
    ['says what is no number', { prompt_tokens: 'many', completion_tokens: {} }, 'silent'],
    ['says nothing', null, 'silent'],
    ['says that all was free', { prompt_tokens: 0, completion_tokens: 0 }, 'implausible'],
  ])('that %s is not believed', async (_name, usage, doubt) => {
    await engine(1);
    models.show(facts());
    const long = [{ role: 'user', content: 'The sea is wide. '.repeat(40) }];
    for (const stream of [true, false]) {
      await text(
        (
          await post(
            '/v1/chat/completions',
            chat({ tokens: 200, usage, running: usage && { usage } }, { stream, messages: long }),
          )
        ).body as never,
      );
      const row = rows.at(-1);
      expect(row).toMatchObject({ doubt, outcome: 'answered' });
      expect(row?.prompt).toBeGreaterThan(100);
      expect(row?.prompt).toBeLessThan(400);
      expect(row?.completion).toBeGreaterThanOrEqual(200);
      expect(row?.completion).toBeLessThanOrEqual(260);
    }
  });

  const STREAM = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
  const WHOLE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const MIB = 1024 * 1024;
  const much = (count: number) => Array.from({ length: count }, () => Buffer.alloc(MIB, 'x'));
  test.each<[string, readonly (string | Buffer)[], boolean, string]>([
    ['a head without end', ['HTTP/1.1 200 OK\r\nx: ', Buffer.alloc(100_000, 'a')], true, 'engine_failed'],
    ['heads without end', ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(100_000)], true, 'engine_failed'],
    ['what is no HTTP', ['hello\r\n\r\n'], false, 'engine_failed'],
    ['two lengths', [`${WHOLE}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`], false, 'engine_failed'],
    ['an event without end', [`${STREAM}\r\ndata: `, ...much(5)], true, 'engine_ran_on'],
    ['an answer without end', [`${WHOLE}\r\n"`, ...much(65)], false, 'engine_ran_on'],
    ['less than it announced', [`${WHOLE}content-length: 100\r\n\r\n{"choices":[]}`], false, 'engine_died'],
    ['what is no JSON', [`${WHOLE}\r\n{"choices":`], false, 'engine_failed'],
    [
      'an event of more values than anybody reads',
      [`${STREAM}\r\ndata: {"choices":[`, '{},'.repeat(200_000), '{}]}\n\n'],
      true,
      'engine_ran_on',
    ],
    ['an event of lines without end', [`${STREAM}\r\n`, 'data:\n'.repeat(100_000), '\n'], true, 'engine_ran_on'],
    [
      'more at once than anybody reads, instead of a stream',
      [`${WHOLE}\r\n{"choices":[`, '{},'.repeat(200_000), '{}]}'],
      false,
      'engine_ran_on',
    ],
    [
      'a choice nested without end',
      [`${STREAM}\r\ndata: {"usage":{},"choices":[{"a":`, deep(), '}]}\n\n'],
      true,
      'engine_ran_on',
    ],
  ])('that says %s is refused, and the gateway goes on', async (_name, said, stream, code) => {
    await rawEngine(1, said);
    models.show(facts());
    const answer = await post('/v1/chat/completions', chat({}, { stream, max_tokens: 200 }));
    expect(await answer.text()).toContain(`"${code}"`);
    expect(rows).toHaveLength(1);
    await engine(2);
    models.show(facts({ workers: [worker(2)] }));
    expect((await post('/v1/chat/completions', chat())).status).toBe(200);
  });

  test('that embeds more than is read at once is answered as it is of little, and charged', async () => {
    const many = { data: [{ index: 0, embedding: Array.from({ length: 150_000 }, (_, at) => at) }] };
    const said = { object: 'list', model: 'other', ...many, usage: { prompt_tokens: 7, total_tokens: 7 } };
    await rawEngine(1, [`${WHOLE}\r\n`, JSON.stringify(said)]);
    models.show(facts({ task: 'Embed' }));
    const answer = await post('/v1/embeddings', { model: 'tiny', input: 'hello' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ...said, model: 'tiny' });
    expect(rows).toMatchObject([{ outcome: 'answered', prompt: 7 }]);
  });

  test('that ends in the middle of a whole answer leaves nothing in the answer of the next one', async () => {
    // Whichever is asked first ends too early.
    const bodies = ['{"choices":', '{"choices":[]}'];
    const inTurn = {
      *[Symbol.iterator]() {
        yield `${WHOLE}content-length: 14\r\n\r\n${bodies.shift()}`;
      },
    };
    for (const at of [1, 2]) await rawEngine(at, inTurn);
    models.show(facts({ workers: [worker(1), worker(2)] }));
    const answer = await post('/v1/chat/completions', chat());
    expect([answer.status, await answer.json()]).toEqual([200, { choices: [] }]);
  });

  test.each([
    ['of brackets', `{"data":${deep()}}`],
    ['that is none', `{"data":[${'1,'.repeat(200_000)}]`],
  ])('that embeds in JSON %s, too much to be read at once, is refused', async (_name, said) => {
    await rawEngine(1, [`${WHOLE}\r\n`, said]);
    models.show(facts({ task: 'Embed' }));
    const answer = await post('/v1/embeddings', { model: 'tiny', input: 'hello' });
    expect(await answer.text()).toContain('"engine_failed"');
    expect(rows).toMatchObject([{ outcome: 'failed' }]);
  });

  test('that sends a letter in pieces, each in a chunk of its own, is read as it was meant', async () => {
    const said = 'data: {"choices":[{"delta":{"content":"海🌊é"}}]}\n\ndata: [DONE]\n\n';
    const chunks = Array.from(Buffer.from(said), (byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
    );
    await rawEngine(1, [`${STREAM}transfer-encoding: chunked\r\n\r\n`, ...chunks, '0\r\n\r\n']);
    models.show(facts());
    expect(await (await post('/v1/chat/completions', chat({}, { stream: true }))).text()).toBe(said);
    expect(rows).toMatchObject([{ outcome: 'answered', completion: 1 }]);
  });

  test('with the same beginning in memory is asked again', async () => {
    for (const at of [1, 2, 3]) await engine(at);
    models.show(facts({ workers: [worker(1), worker(2), worker(3)] }));
    const told = (name: string) => [
      { role: 'system', content: `${name} `.repeat(400) },
      { role: 'user', content: `${Math.random()}` },
    ];
    for (let round = 0; round < 4; round++)
      for (const name of ['ann', 'bob', 'eve']) await post('/v1/chat/completions', chat({}, { messages: told(name) }));
    const workersOf = (name: string) =>
      engines.filter(({ seen }) => seen.some(({ body }) => JSON.stringify(body.messages).includes(name))).length;
    expect(['ann', 'bob', 'eve'].map(workersOf)).toEqual([1, 1, 1]);
    expect(engines.map(({ seen }) => seen.length)).toEqual([4, 4, 4]);
  });
});

/** Recorded on a GPU; `about` says where. */
const VLLM = JSON.parse(readFileSync(new URL('testing/vllm-0.25.1.json', import.meta.url), 'utf8')) as {
  answers: Record<string, { path: string; body: Record<string, unknown>; answered: string }>;
};

/** The body after an answer's head, its chunks put together. */
function bodyIn(answered: string): string {
  const from = answered.indexOf('\r\n\r\n') + 4;
  if (!answered.slice(0, from).includes('transfer-encoding: chunked')) return answered.slice(from);
  let body = '';
  for (let at = from; ; ) {
    const end = answered.indexOf('\r\n', at);
    const size = Number.parseInt(answered.slice(at, end), 16);
    if (!(size > 0)) return body;
    body += answered.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** The events of a complete stream. */
function eventsIn(stream: string): { choices?: unknown[]; usage?: unknown }[] {
  const datas = stream
    .trim()
    .split('\n\n')
    .map((event) => event.slice('data: '.length));
  expect(datas.pop()).toBe('[DONE]');
  return datas.map((data) => JSON.parse(data));
}

describe('what a real vLLM has answered', () => {
  async function replayed(name: string, cut = (answered: string) => answered, more: object = {}) {
    const { path, body, answered } = VLLM.answers[name] ?? { path: '', body: {}, answered: '' };
    await rawEngine(1, [cut(answered)]);
    models.show(facts());
    const answer = await post(path, { ...body, ...more, model: 'tiny' });
    return { status: answer.status, said: await answer.text(), recorded: bodyIn(answered) };
  }

  test.each<[string, { prompt: number; cached: number; completion: number }]>([
    ['chat', { prompt: 9, cached: 0, completion: 12 }],
    ['chat stream', { prompt: 9, cached: 0, completion: 12 }],
    ['two choices', { prompt: 9, cached: 0, completion: 24 }],
    ['long prompt again', { prompt: 664, cached: 656, completion: 2 }],
    ['long prompt again, stream', { prompt: 664, cached: 656, completion: 2 }],
    ['completion stream', { prompt: 3, cached: 0, completion: 8 }],
  ])('to "%s" is passed on as it was but for the name of the model, and counted', async (name, counts) => {
    const { said, recorded } = await replayed(name);
    expect(recorded).toContain('"model":"taught"');
    const named = recorded.replaceAll('"model":"taught"', '"model":"tiny"');
    if (!named.startsWith('data: ')) expect(said).toBe(named);
    // A client gets usage once, at the end.
    else
      expect(eventsIn(said)).toEqual(
        eventsIn(named).map(({ usage, ...event }) => (event.choices?.length === 0 ? { ...event, usage } : event)),
      );
    expect(rows).toMatchObject([{ ...counts, doubt: null, outcome: 'answered', status: 200 }]);
  });

  test('goes without usage to a client that has not asked for it', async () => {
    const { said } = await replayed('chat stream', undefined, { stream_options: undefined });
    expect(said).not.toContain('"usage"');
    expect(said).not.toContain('"choices":[]');
    expect(said).toContain('"content":" red"');
    expect(said).toMatch(/\n\ndata: \[DONE\]\n\n$/);
    expect(rows).toMatchObject([{ prompt: 9, completion: 12, doubt: null }]);
  });

  test('costs what its running usage says where it breaks off', async () => {
    const { said } = await replayed('chat stream', (answered) => answered.slice(0, answered.indexOf('" all"')));
    expect(said).toContain('engine_died');
    expect(rows).toMatchObject([{ prompt: 9, cached: 0, completion: 8, doubt: null, outcome: 'broken' }]);
  });

  test.each([
    ['tool by itself', 'unsupported_value', 'tools', 'without a parser for tool calls'],
    ['too long', 'context_length_exceeded', 'messages', 'context has 4096 tokens'],
    ['too long, stream', 'context_length_exceeded', 'messages', 'context has 4096 tokens'],
  ])('to "%s" is told in words that OpenAI’s clients know, and costs nothing', async (name, code, param, message) => {
    const answer = await replayed(name);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.said)).toEqual({
      error: { message: expect.stringContaining(message), type: 'invalid_request_error', param, code },
    });
    expect(rows.filter(({ prompt, completion }) => prompt + completion > 0)).toEqual([]);
  });
});

describe('a sleeping model', () => {
  test('is woken once by fifty requests, which it then answers', async () => {
    await engine(1);
    models.show(facts({ stand: 'waits', workers: [], isAsleep: true }));
    const asked = Array.from({ length: 50 }, () => post('/v1/chat/completions', chat()));
    await eventually('it has come to that', () => {
      expect(wakes).toEqual(['tiny']);
      return true;
    });
    await eventually('it has come to that', () => {
      expect(models.get('acme', 'tiny')?.waiting.count).toBe(50);
      return true;
    });
    models.show(facts());
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(wakes).toEqual(['tiny']);
    expect(rows).toHaveLength(50);
  });

  test('holds no more than it may, and no longer', async () => {
    await engine(1);
    models.show(facts({ stand: 'waits', workers: [], isAsleep: true, wake: { requests: 1, seconds: 0.3 } }));
    const first = post('/v1/chat/completions', chat());
    await eventually('it has come to that', () => {
      expect(models.get('acme', 'tiny')?.waiting.count).toBe(1);
      return true;
    });
    const second = await post('/v1/chat/completions', chat());
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5']);
    const late = await first;
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '30']);
    expect(rows).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }]);
  });

  test('keeps streams that wait open with comments', async () => {
    await engine(1);
    models.show(facts({ stand: 'waits', workers: [], isAsleep: true }));
    const answer = await post('/v1/chat/completions', chat({ tokens: 1 }, { stream: true }));
    expect(answer.status).toBe(200);
    models.show(facts());
    const body = await text(answer.body as never);
    expect(body.startsWith(': the model is starting\n\n')).toBe(true);
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  }, 20_000);

  test.each([
    ['stopped', 503, 'model_stopped'],
    ['unpaid', 402, 'model_unpaid'],
    ['failing', 503, 'model_failing'],
  ] as const)('that is %s answers at once', async (stand, status, code) => {
    models.show(facts({ stand, workers: [] }));
    expect(await refusalOf(await post('/v1/chat/completions', chat()))).toMatchObject({ status, code });
    expect(wakes).toEqual([]);
  });
});

describe('what others have', () => {
  test("does not exist: another organisation's model gets the bytes of a missing one", async () => {
    await engine(1);
    models.show(facts({ organization: 'other', name: 'secret' }));
    const of = async (model: string, token = 'acme') => {
      const answer = await post('/v1/chat/completions', chat({}, { model }), { token });
      return `${answer.status} ${(await answer.text()).replaceAll(model, 'NAME')}`;
    };
    expect(await of('other/secret')).toBe(await of('other/absent'));
    expect(await of('secret')).toBe(await of('absent'));
    expect((await of('other/secret')).startsWith('404 ')).toBe(true);
    expect((await of('other/secret', 'other')).startsWith('200 ')).toBe(true);
    limits = { models: ['acme/large'] };
    models.show(facts());
    expect(await of('acme/tiny')).toBe(await of('acme/absent'));
    expect((await post('/v1/models/secret', {})).status).toBe(405);
  });

  test('has no say in what a key is: the sixth unknown token of an address is not looked at', async () => {
    for (let at = 0; at < 5; at++)
      expect((await post('/v1/chat/completions', chat(), { token: 'guess' })).status).toBe(401);
    expect((await post('/v1/chat/completions', chat(), { token: 'acme' })).status).toBe(429);
  });
});

describe('a body', () => {
  test.each([
    ['of no JSON', '{"model":', 400, 'invalid_json'],
    ['that is a list', '[]', 400, 'invalid_json'],
    ['without a model', '{"messages":[]}', 400, 'invalid_value'],
    ['with a stream that is no flag', '{"model":"tiny","stream":"yes"}', 400, 'invalid_value'],
    ['with options that are a list', '{"model":"tiny","stream":true,"stream_options":[]}', 400, 'invalid_value'],
    ['nested without end', `{"model":"tiny","messages":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'invalid_json'],
    ['nested where nobody reads it', `{"model":"tiny","messages":[],"metadata":${deep()}}`, 400, 'invalid_json'],
    ['nested in a picture', `{"model":"tiny","messages":[{"type":"image_url","a":${deep()}}]}`, 400, 'invalid_json'],
    ['with a long name', JSON.stringify({ model: 'x'.repeat(5000) }), 404, 'model_not_found'],
  ])('%s is refused', async (_name, body, status, code) => {
    models.show(facts());
    expect(await refusalOf(await post('/v1/chat/completions', body))).toMatchObject({ status, code });
    expect(rows).toEqual([]);
  });

  test('of more than 10 MB is refused, whether it says so or not', async () => {
    models.show(facts());
    const large = JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'x'.repeat(10_000_001) }] });
    expect(await refusalOf(await post('/v1/chat/completions', large))).toMatchObject({
      status: 413,
      code: 'request_too_large',
    });
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer acme\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    for (let at = 0; at < 11; at++) socket.write(`100000\r\n${'x'.repeat(0x100000)}\r\n`);
    socket.end('0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('that names a field twice means the last one, for us and for the engine', async () => {
    const stub = await engine(1, { tokens: 9 });
    models.show(facts());
    const twice = `{"model":"nobody","model":"tiny","max_tokens":900,"messages":[],"max_tokens":2}`;
    expect((await post('/v1/chat/completions', twice)).status).toBe(200);
    expect(stub.seen[0]?.body).toMatchObject({ model: 'tiny', max_tokens: 2 });
    expect(rows).toMatchObject([{ completion: 2, doubt: null }]);
  });

  test('of just under 10 MB reaches the engine whole, however small its pieces are', async () => {
    const stub = await engine(1);
    models.show(facts({ contextTokens: 10_000_000 }));
    const content = '海'.repeat(3_300_000);
    expect((await post('/v1/chat/completions', { model: 'tiny', messages: [{ role: 'user', content }] })).status).toBe(
      200,
    );
    expect(stub.seen[0]?.body).toMatchObject({ messages: [{ content }] });
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer acme\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n',
    );
    const body = Buffer.from(
      JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: '海'.repeat(9_000) }] }),
    );
    for (const byte of body) socket.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    socket.write('0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(stub.seen[1]?.body).toMatchObject({ messages: [{ content: '海'.repeat(9_000) }] });
  });

  test('with a field of an engine’s own is refused, and reaches no engine', async () => {
    const one = await engine(1, { tokens: 120 });
    models.show(facts({ engine: 'llama.cpp' }));
    for (const [field, value] of Object.entries({ n_predict: 120, n_cmpl: 4, response_fields: ['content'] }))
      expect(await refusalOf(await post('/v1/chat/completions', chat({}, { max_tokens: 1, [field]: value })))).toEqual({
        ...{ status: 400, type: 'invalid_request_error', code: 'unknown_parameter', param: field },
        message: `Unknown parameter: ${field}.`,
      });
    expect([one.seen, rows]).toEqual([[], []]);
  });

  test('that asks for what nobody would count is refused', async () => {
    models.show(facts());
    for (const more of [{ background: true }, { previous_response_id: 'resp_1' }])
      expect(await refusalOf(await post('/v1/responses', { model: 'tiny', input: 'x', ...more }))).toMatchObject({
        ...{ code: Object.keys(more)[0] === 'background' ? 'unsupported_value' : 'unsupported_parameter' },
        param: Object.keys(more)[0],
      });
  });
});

describe('a key', () => {
  test('has so many requests a minute', async () => {
    await engine(1);
    models.show(facts());
    limits = { requests_per_minute: 2 };
    const statuses: Response[] = [];
    for (let at = 0; at < 3; at++) statuses.push(await post('/v1/chat/completions', chat()));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(statuses[2]?.headers.get('retry-after'))).toBeGreaterThan(50);
    const told = (what: string) => statuses.map(({ headers }) => headers.get(`x-ratelimit-${what}`));
    expect(told('limit-requests')).toEqual(['2', '2', '2']);
    expect(told('remaining-requests')).toEqual(['1', '0', '0']);
    expect(told('reset-requests')).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^(60|59|5\d)s$/)));
    expect(told('limit-tokens')).toEqual([null, null, null]);
    limits = { tokens_per_minute: 1000 };
    const { headers } = await post('/v1/chat/completions', chat({ tokens: 3 }), { token: 'acme.use' });
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('1000');
    expect(Number(headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(1000);
  });

  test.each([
    ['is deleted or expires', undefined, 'invalid_api_key'],
    ['is of somebody who becomes a viewer', 'viewer', 'not_permitted'],
  ] as const)(
    'that %s ends its streams with an error, stops their engines and pays for what came',
    async (_, role, code) => {
      const caller = callerOf('acme') as Caller;
      const becomes = role && { ...caller, organization: { ...caller.organization, role } };
      const one = await engine(1);
      models.show(facts());
      const lasts = chat({ tokens: 60, everyMs: 50 }, { stream: true });
      const other = post('/v1/chat/completions', lasts, { token: 'acme.use' }).then((answer) => answer.text());
      const stream = (await client().chat.completions.create(
        chat({ isEndless: true, everyMs: 20 }, { stream: true }),
      )) as unknown as AsyncIterable<unknown>;
      const read = async () => {
        for await (const _piece of stream) ended.set('acme', becomes);
      };
      await expect(read()).rejects.toMatchObject({ error: { code } });
      await eventually('its engine has stopped', () => one.seen.filter(({ isCutOff }) => isCutOff).length === 1);
      expect(rows).toMatchObject([{ outcome: 'broken', completion: expect.any(Number) }]);
      expect(rows[0]?.completion).toBeGreaterThan(0);
      expect(await other).toContain('data: [DONE]');
      expect(rows[1]).toMatchObject({ outcome: 'answered', completion: 60 });
    },
  );

  test('that ends before an answer that is not streamed pays for its prompt, as a client that leaves', async () => {
    const one = await engine(1, { isMute: true });
    models.show(facts());
    const answer = post('/v1/chat/completions', chat());
    await eventually('the engine has it', () => one.seen.length === 1);
    ended.set('acme', undefined);
    expect(await refusalOf(await answer)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    await eventually('its engine has stopped', () => one.seen[0]?.isCutOff);
    expect(rows).toMatchObject([{ outcome: 'broken', doubt: 'silent', completion: 0 }]);
    expect(rows[0]?.prompt).toBeGreaterThan(0);
  });

  test('that ends while its request waits for a model hears so, and pays nothing', async () => {
    models.show(facts({ stand: 'waits', isAsleep: true, workers: [] }));
    const answer = post('/v1/chat/completions', chat());
    await eventually('it waits', () => wakes.length === 1);
    ended.set('acme', undefined);
    expect(await refusalOf(await answer)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(rows).toMatchObject([{ outcome: 'refused', prompt: 0, completion: 0 }]);
  });

  test('has so many tokens a minute', async () => {
    await engine(1);
    models.show(facts());
    limits = { tokens_per_minute: 30 };
    expect((await post('/v1/chat/completions', chat({ tokens: 30 }))).status).toBe(200);
    expect(await refusalOf(await post('/v1/chat/completions', chat()))).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    });
  });

  test.each([
    ['tokens_per_day', 1000, 'day', { tokens: 900 }],
    ['tokens_per_month', 1000, 'month', { tokens: 900 }],
    ['money_per_day', '0.001000', 'day', { money: micros(900) }],
    ['money_per_month', '0.001000', 'month', { money: micros(900) }],
  ] as const)(
    'has a budget of %s that ends, and one over the other time does not end it',
    async (of, limit, over, used) => {
      await engine(1);
      models.show(facts());
      price = priceOf(500_000n);
      credit = 1_000_000_000n;
      limits = { [of]: limit };
      Object.assign(spent[over], used);
      Object.assign(spent[over === 'day' ? 'month' : 'day'], { tokens: 1e9, money: micros(1_000_000_000) });
      expect((await post('/v1/chat/completions', chat({ tokens: 110 }))).status).toBe(200);
      const refused = await post('/v1/chat/completions', chat());
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect(await refusalOf(refused)).toMatchObject({
        ...{ status: 429, code: 'budget_exceeded', type: 'insufficient_quota' },
        message: expect.stringMatching(
          `${of.startsWith('money') ? '0.001(000)? EUR' : '1000 tokens'} a ${over}. It begins anew ${over === 'day' ? 'tomorrow' : 'next month'}`,
        ),
      });
    },
  );

  test('has a budget that fifty requests at once without a limit exceed by no more than one of them', async () => {
    await engine(1, { tokens: 15 });
    models.show(facts());
    limits = { tokens_per_day: 200 };
    const each = promptTokens({ messages }) + 15;
    for (let round = 0; round < 12; round++)
      await Promise.all(Array.from({ length: 50 }, () => post('/v1/chat/completions', chat())));
    expect(rows.length * each).toBeGreaterThanOrEqual(200);
    expect(rows.length * each).toBeLessThan(200 + each);
  });

  test('has tokens a minute that count what the model usually answers, where a request does not say how much', async () => {
    const one = await engine(1, { tokens: 15 });
    models.show(facts());
    const ask = () => post('/v1/chat/completions', chat());
    const each = promptTokens({ messages }) + 15;
    limits = { tokens_per_minute: 10 * each };
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 50 }, ask));
    expect(one.seen).toHaveLength(10);
  });

  test.each([
    ['tokens', { tokens_per_day: 400 }],
    ['money', { money_per_day: '0.000200' }],
  ])('has a budget of %s that requests under way count against', async (_, budget) => {
    const one = await engine(1);
    models.show(facts());
    price = priceOf(250_000n);
    credit = 1_000_000_000n;
    limits = budget;
    const ask = (stub: Stub) => post('/v1/chat/completions', chat(stub, { max_tokens: 400 }));
    let refused = 0;
    const crowd = Array.from({ length: 50 }, async () => {
      const answer = await ask({ isMute: true });
      if (answer.status !== 429) return;
      expect([answer.headers.get('retry-after'), answer.headers.get('x-should-retry')]).toEqual(['5', null]);
      expect(await refusalOf(answer)).toMatchObject({
        ...{ code: 'budget_in_use', type: 'rate_limit_error' },
        message: expect.stringMatching(/^Requests under way may use up the budget of this API token: .* a day\./),
      });
      refused++;
    });
    await eventually('all but one are refused', () => refused === 49);
    expect(one.seen).toHaveLength(1);
    front.closeAllConnections();
    await eventually('it is counted', () => rows.length === 1);
    await Promise.allSettled(crowd);
    expect((await ask({ tokens: 1 })).status).toBe(200);
  });
});

const priceOf = (amount: bigint): TokenPrices => {
  const rate = { amount: micros(amount), left: 10_000n };
  return {
    prompt: rate,
    cached: { ...rate, amount: micros(amount / 10n) },
    completion: { ...rate, amount: micros(2n * amount) },
  };
};

describe('a crowd', () => {
  test('that does not read holds its own engine back, and nobody else', async () => {
    const one = await engine(1);
    models.show(facts({ contextTokens: undefined }));
    const pieces = 300_000;
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => {});
    const body = JSON.stringify({ model: 'tiny', messages, stream: true, seed: seedFor({ tokens: pieces }) });
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer acme\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    let before = -1;
    await eventually('nothing more is taken from its engine', () => {
      const sent = one.seen[0]?.sent ?? -1;
      const isSame = sent > 0 && sent === before;
      before = sent;
      return isSame;
    });
    for (let at = 0; at < 10; at++) expect((await post('/v1/chat/completions', chat({ tokens: 1 }))).status).toBe(200);
    expect(one.seen[0]?.sent).toBeLessThan(pieces);
    socket.destroy();
    await eventually('its engine is stopped', () => one.seen[0]?.isCutOff);
    expect(rows.find(({ outcome }) => outcome === 'left')?.completion).toBeLessThan(pieces);
  });

  test('at ten times its rate is refused, and all others are answered', async () => {
    await engine(1);
    models.show(facts());
    limits = { requests_per_minute: 20 };
    const statuses = (token: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => (await post('/v1/chat/completions', chat(), { token })).status),
      );
    const [flood, other] = await Promise.all([statuses('acme', 200), statuses('acme.use', 20)]);
    expect(flood.filter((status) => status === 200)).toHaveLength(20);
    expect(flood.filter((status) => status === 429)).toHaveLength(180);
    expect(other).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

test('what waits for its first token, and how long whole answers take, is in the metrics of the gateway, by deployment', async () => {
  await engine(1);
  models.show(facts());
  models.show(facts({ name: 'asleep', stand: 'waits', isAsleep: true, workers: [] }));
  const at = (name: string) => `{namespace="org-acme",kind="ModelDeployment",object="${name}"}`;
  const says = async (line: string) => (await metrics.registry.metrics()).split('\n').includes(line);
  await (await post('/v1/chat/completions', chat({ tokens: 3 }))).text();
  expect(await says(`gantry_model_request_seconds_count${at('tiny')} 1`)).toBe(true);
  expect(await says(`gantry_model_requests_waiting${at('tiny')} 0`)).toBe(true);
  expect((await post('/v1/chat/completions', chat({ status: 503 }))).status).toBe(502);
  expect((await post('/v1/chat/completions', chat({ status: 400 }))).status).toBe(400);
  expect(await says(`gantry_model_request_seconds_count${at('tiny')} 1`)).toBe(true);
  const mute = [{ isMute: true }, { isQueued: true }].map((stub) =>
    post('/v1/chat/completions', chat(stub, { stream: true })),
  );
  await mute[1];
  const begun = await post('/v1/chat/completions', chat({ isEndless: true, everyMs: 10 }, { stream: true }));
  const whole = post('/v1/chat/completions', chat({ isMute: true }));
  const held = post('/v1/chat/completions', chat({}, { model: 'acme/asleep' }));
  await eventually('they wait', () => says(`gantry_model_requests_waiting${at('tiny')} 3`));
  await eventually('it is held', () => says(`gantry_model_requests_waiting${at('asleep')} 1`));
  front.closeAllConnections();
  await Promise.allSettled([...mute, whole, held, begun.text()]);
  for (const name of ['tiny', 'asleep'])
    await eventually('none waits', () => says(`gantry_model_requests_waiting${at(name)} 0`));
  const left = () => rows.filter(({ outcome }) => outcome === 'left').map(({ firstMs }) => firstMs !== null);
  await eventually('all have left', () => left().length === 4);
  expect(left().filter(Boolean)).toHaveLength(1);
});

describe('money', () => {
  test('for the largest cost is held first, and the rest released', async () => {
    await engine(1);
    models.show(facts());
    price = priceOf(10_000_000n);
    credit = 30_000n;
    expect(await refusalOf(await post('/v1/chat/completions', chat()))).toMatchObject({
      status: 402,
      code: 'credit_needed',
    });
    expect([rows, engines[0]?.seen]).toEqual([[], []]);
    credit = 200_000n;
    expect((await post('/v1/chat/completions', chat({ tokens: 7, cached: 5 }, { max_tokens: 10 }))).status).toBe(200);
    const prompt = BigInt(promptTokens({ messages }));
    expect(rows[0]?.net).toBe((prompt - 5n) * 10n + 5n * 1n + 7n * 20n);
    expect(kept).toBe(0n);
  });

  test('is held for what is left of the context where a request says no limit, for each of its answers', async () => {
    const one = await engine(1, { haltsAfter: 1 });
    models.show(facts());
    price = priceOf(10_000_000n);
    credit = 10_000_000_000n;
    const holds = async (more: object) => {
      const leaves = new AbortController();
      const before = one.seen.length;
      const asking = client()
        .chat.completions.create(chat({}, more), { signal: leaves.signal })
        .catch(() => {});
      await eventually('its engine has it', () => one.seen.length > before);
      const held = kept;
      leaves.abort();
      await asking;
      await eventually('it is counted', () => rows.length > before);
      return held;
    };
    // A prompt costs half as much, so the largest cost is that of the longest answers.
    expect(await holds({})).toBe(4096n * 20n);
    expect(await holds({ n: 3 })).toBe(3n * 4096n * 20n);
    const least = await holds({ max_tokens: 2 });
    expect(least).toBe((await holds({ max_tokens: 3 })) - 20n);
    // The template's part of the prompt is unknown.
    expect(least).toBeLessThan(2_500n * 10n);
    expect(kept).toBe(0n);
  });
});

describe('an alias', () => {
  test('spreads requests by weight, and falls back before the first byte', async () => {
    await engine(1);
    const second = await engine(2);
    models.show(facts());
    models.show(facts({ name: 'large', workers: [worker(2)] }));
    aliases.set('best', {
      targets: [
        { deployment: 'tiny', weight: 90 },
        { deployment: 'large', weight: 10 },
      ],
      createdAt: 0,
    });
    for (let at = 0; at < 100; at++)
      expect((await post('/v1/chat/completions', chat({ tokens: 1 }, { model: 'best' }))).status).toBe(200);
    expect(second.seen.length).toBeGreaterThan(0);
    expect(second.seen.length).toBeLessThan(35);
    engines[0]?.close();
    for (let at = 0; at < 10; at++)
      expect((await post('/v1/chat/completions', chat({ tokens: 1 }, { model: 'acme/best' }))).status).toBe(200);
    expect(rows.slice(100).every(({ model }) => model === 'large')).toBe(true);
    models.show(facts({ stand: 'stopped', workers: [] }));
    for (let at = 0; at < 5; at++)
      expect((await post('/v1/chat/completions', chat({ tokens: 1 }, { model: 'acme/best' }))).status).toBe(200);
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 115 }, () => 'answered'));
    await post('/v1/chat/completions', chat({ tokens: 1 }, { model: 'large' }));
    const flows = models.get('acme', 'large')?.meter.flows(Date.now()) ?? [];
    const by = (alias: string) =>
      flows.reduce(
        (sum, [, replica, via, requests]) => sum + (replica === 'tiny-2' && via === alias ? requests : 0),
        0,
      );
    expect([by('best'), by('')]).toEqual([second.seen.length - 1, 1]);
  });
});

describe('a page of another origin', () => {
  const preflight = (origin: string) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, x-stainless-os',
      },
    });

  test('is let in by no browser unless it is one that was named', async () => {
    expect((await preflight('https://app.example')).headers.get('access-control-allow-origin')).toBeNull();
    origins.push('https://app.example');
    const { status, headers } = await preflight('https://app.example');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
    expect(headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os');
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('reads answers and refusals, and needs a token all the same', async () => {
    origins.push('*');
    const refused = await post('/v1/chat/completions', chat(), {
      token: 'nobody',
      headers: { origin: 'https://app.example' },
    });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example']);
    expect(refused.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  });
});

describe('a deployment that collects', () => {
  const reflow = { percent: 25, dataset: 'sea' };
  const stream = async (body: object) => {
    const answer = await post('/v1/chat/completions', { model: 'acme/tiny', messages, stream: true, ...body });
    await answer.text();
  };

  test('has each conversation with its answer, streamed or not', async () => {
    await engine(1, { tokens: 2 });
    models.show(facts({ reflow }));
    await client().chat.completions.create(chat());
    await stream({});
    const record = {
      ...{ deployment: 'tiny', model: 'tiny', endpoint: 'chat/completions', finish_reason: 'stop' },
      messages: [...messages, { role: 'assistant', content: ' word word' }],
    };
    const about = { id: expect.stringMatching(/^req-/), time: expect.stringMatching(/Z$/) };
    expect(collected).toEqual([
      ['acme/tiny/sea', { ...about, ...record }],
      ['acme/tiny/sea', { ...about, ...record }],
    ]);
    expect(draws).toEqual([25, 25]);
  });

  test('has tool calls, completions and responses, and no embeddings', async () => {
    const one = await engine(1, { tokens: 1, toolCall: { name: 'weather', arguments: '{"city":"Lagos"}' } });
    models.show(facts({ reflow }));
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    await stream({ tools });
    expect(collected[0]?.[1]).toMatchObject({
      tools,
      messages: [
        ...messages,
        { tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Lagos"}' } }] },
      ],
    });
    one.usual = { tokens: 2 };
    await client().completions.create({ model: 'tiny', prompt: 'Once', max_tokens: 2 });
    await client().responses.create({ model: 'tiny', input: 'hello', instructions: 'be brief' });
    for await (const _ of await client().responses.create({ model: 'tiny', input: 'hello', stream: true }));
    models.show(facts({ name: 'embedder', task: 'Embed', reflow }));
    await client().embeddings.create({ model: 'embedder', input: 'hello', encoding_format: 'float' });
    const said = (text: string) => [{ content: [{ type: 'output_text', text }] }];
    expect(collected.slice(1).map(([, record]) => record)).toMatchObject([
      { endpoint: 'completions', prompt: 'Once', completion: ' word word' },
      { endpoint: 'responses', input: 'hello', instructions: 'be brief', output: said(' word word') },
      { endpoint: 'responses', input: 'hello', output: said(' word word') },
    ]);
    expect(collected).toHaveLength(4);
  });

  test('keeps no picture, nothing that is too long, and nothing that did not end well', async () => {
    const one = await engine(1, { tokens: 1 });
    models.show(facts({ reflow, contextTokens: undefined }));
    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } };
    await stream({ messages: [{ role: 'user', content: [{ type: 'text', text: 'what is it?' }, picture] }] });
    expect(collected[0]?.[1]?.messages).toMatchObject([
      { content: [{ type: 'text', text: 'what is it?' }, { type: 'image_url' }] },
      { role: 'assistant' },
    ]);
    expect(JSON.stringify(collected)).not.toContain('AAAA');
    await stream({ messages: [{ role: 'user', content: 'x'.repeat(70_000) }] });
    one.usual = { tokens: 20_000 };
    await stream({});
    expect(collected.slice(1)).toEqual([
      ['acme/tiny/sea', undefined],
      ['acme/tiny/sea', undefined],
    ]);
    for (const usual of [{ tokens: 3, dieAfter: 1 }, { tokens: 3, endAfter: 1 }, { status: 500 }, { status: 400 }]) {
      one.usual = usual;
      await stream({});
    }
    expect(collected).toHaveLength(3);
    expect(rows).toHaveLength(7);
  });

  test('keeps nothing unless it is asked to', async () => {
    await engine(1);
    models.show(facts());
    await stream({});
    models.show(facts({ reflow: { percent: 0, dataset: 'sea' } }));
    await stream({});
    expect([collected, draws]).toEqual([[], []]);
  });
});
