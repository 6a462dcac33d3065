// /v1/responses against OpenAI's schema: every event of every sequence, whatever a chat says and in which pieces; and OpenAI's own
// client reads text, schemas and tools of it.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ZERO } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { tinyModel } from '../../../../test/support/relay-parts.ts';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Routes } from './aliases.ts';
import { readAsked } from './asked.ts';
import { Completions } from './completions.ts';
import { KeyLimits } from './key-limits.ts';
import { NOTHING_HELD } from './money.ts';
import { ResponseAnswer } from './response-answer.ts';
import { type ModelFacts, Models } from './serving.ts';
import { type Stub, StubEngine } from './testing/stub-engine.ts';

const place = { item_id: z.string().min(1), output_index: z.int().min(0) };
const inPart = { ...place, content_index: z.int().min(0) };
const logprobs = z.array(
  z.strictObject({
    token: z.string(),
    logprob: z.number(),
    bytes: z.array(z.number()),
    top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })),
  }),
);
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs,
});
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const reasoningText = z.strictObject({ type: z.literal('reasoning_text'), text: z.string() });
const part = z.union([outputText, refusal, reasoningText]);
const status = z.enum(['in_progress', 'completed', 'incomplete']);
const item = z.discriminatedUnion('type', [
  z.strictObject({
    id: z.string().regex(/^msg_\w+$/),
    type: z.literal('message'),
    role: z.literal('assistant'),
    status,
    content: z.array(z.union([outputText, refusal])),
  }),
  z.strictObject({
    id: z.string().regex(/^rs_\w+$/),
    type: z.literal('reasoning'),
    status,
    summary: z.array(z.never()),
    content: z.array(reasoningText),
  }),
  z.strictObject({
    id: z.string().regex(/^fc_\w+$/),
    type: z.literal('function_call'),
    status,
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
  }),
]);
const usage = z.strictObject({
  input_tokens: z.int(),
  input_tokens_details: z.strictObject({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});
const response = z.strictObject({
  id: z.string().regex(/^resp_\w+$/),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status,
  background: z.literal(false),
  error: z.null(),
  incomplete_details: z.strictObject({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.null(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(item),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.null(),
  prompt_cache_key: z.string().nullable(),
  reasoning: z.strictObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
  safety_identifier: z.string().nullable(),
  service_tier: z.literal('default'),
  store: z.literal(false),
  temperature: z.number(),
  text: z.object({ format: z.object({ type: z.string() }) }),
  tool_choice: z.union([z.string(), z.object({ type: z.string() })]),
  tools: z.array(z.object({ type: z.literal('function'), name: z.string() })),
  top_logprobs: z.int(),
  top_p: z.number(),
  truncation: z.literal('disabled'),
  usage: usage.nullable(),
  user: z.string().nullable(),
});
const of = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), sequence_number: z.int().min(0), ...shape });
const EVENT = z.discriminatedUnion('type', [
  of('response.created', { response }),
  of('response.in_progress', { response }),
  of('response.completed', { response }),
  of('response.incomplete', { response }),
  of('response.output_item.added', { output_index: z.int(), item }),
  of('response.output_item.done', { output_index: z.int(), item }),
  of('response.content_part.added', { ...inPart, part }),
  of('response.content_part.done', { ...inPart, part }),
  of('response.output_text.delta', { ...inPart, delta: z.string(), logprobs }),
  of('response.output_text.done', { ...inPart, text: z.string(), logprobs }),
  of('response.refusal.delta', { ...inPart, delta: z.string() }),
  of('response.refusal.done', { ...inPart, refusal: z.string() }),
  of('response.reasoning_text.delta', { ...inPart, delta: z.string() }),
  of('response.reasoning_text.done', { ...inPart, text: z.string() }),
  of('response.function_call_arguments.delta', { ...place, delta: z.string() }),
  of('response.function_call_arguments.done', { ...place, name: z.string(), arguments: z.string() }),
  of('error', { code: z.string(), message: z.string(), param: z.string().nullable() }),
]);
type Event = z.infer<typeof EVENT>;
type Item = z.infer<typeof item>;

const eventsIn = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const [head = '', data = ''] = one.split('\n');
      const event = EVENT.parse(JSON.parse(data.slice('data: '.length)));
      expect(head).toBe(`event: ${event.type}`);
      return event;
    });

/** All that an item is, where its event says so. */
function saidIn(event: Event): string | undefined {
  if ('text' in event) return event.text;
  if ('refusal' in event) return event.refusal;
  return 'arguments' in event ? event.arguments : undefined;
}

/** Puts the items together as a client does, and demands that each event has its place. */
function gathered(events: readonly Event[]): { items: Item[]; last: Event | undefined } {
  const items: Item[] = [];
  const open = new Map<number, { text: string; item: Item; hasPart: boolean }>();
  expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  for (const event of events.slice(2, -1)) {
    if (!('output_index' in event)) throw new Error(`${event.type} in the midst`);
    const at = event.output_index;
    if (event.type === 'response.output_item.added') {
      expect([open.has(at), at, event.item.status]).toEqual([false, items.length + open.size, 'in_progress']);
      open.set(at, { text: '', item: event.item, hasPart: false });
      continue;
    }
    const one = open.get(at);
    if (!one) throw new Error(`${event.type} of an item that is not open`);
    if ('item_id' in event) expect(event.item_id).toBe(one.item.id);
    if (event.type === 'response.content_part.added') one.hasPart = true;
    else if ('delta' in event) {
      expect(one.hasPart || one.item.type === 'function_call').toBe(true);
      one.text += event.delta;
    } else if (saidIn(event) !== undefined) expect(saidIn(event)).toBe(one.text);
    else if (event.type === 'response.output_item.done') {
      expect(event.item.id).toBe(one.item.id);
      expect(JSON.stringify(event.item)).toContain(JSON.stringify(one.text));
      items[at] = event.item;
      open.delete(at);
    }
  }
  expect(open.size).toBe(0);
  return { items, last: events.at(-1) };
}

const piece = fc.oneof(
  fc.record({ content: fc.string({ maxLength: 4 }) }),
  fc.record({ reasoning_content: fc.string({ maxLength: 4 }) }),
  fc.record({ refusal: fc.string({ maxLength: 4 }) }),
  fc.record({
    tool_calls: fc.array(
      fc.record(
        { index: fc.nat(3), id: fc.string(), function: fc.record({ name: fc.string(), arguments: fc.string() }) },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
  }),
  fc.anything(),
);
const finish = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls', null, 7);

test('every sequence is one that OpenAI’s schema knows, and ends with the items that its events made', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), finish, fc.anything(), (deltas, reason, counts) => {
      const answer = new ResponseAnswer({ id: 'a1', createdAt: 5, request: { model: 'm' } });
      let out = '';
      for (const delta of deltas) out += answer.piece({ choices: [{ delta }] });
      out += answer.piece({ choices: [{ delta: {}, finish_reason: reason }], usage: counts });
      const { items, last } = gathered(eventsIn(out + answer.end()));
      if (last?.type !== 'response.completed' && last?.type !== 'response.incomplete') throw new Error('no end');
      expect(last.response.output).toEqual(items);
      expect(last.type).toBe(`response.${last.response.status}`);
      expect(last.type === 'response.incomplete').toBe(reason === 'length' || reason === 'content_filter');
    }),
  );
});

test('a whole chat is the response that its pieces are', () => {
  const call = { id: 'call_9', type: 'function', function: { name: 'tide', arguments: '{"at":1}' } };
  const message = { role: 'assistant', reasoning: 'hm', content: 'It is', tool_calls: [call] };
  const counts = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } };
  const whole = new ResponseAnswer({ id: 'a1', createdAt: 5, request: { model: 'm' } });
  const answer = response.parse(whole.whole({ choices: [{ message, finish_reason: 'tool_calls' }], usage: counts }));
  const pieces = new ResponseAnswer({ id: 'a1', createdAt: 5, request: { model: 'm' } });
  const events = eventsIn(
    pieces.piece({ choices: [{ delta: message, finish_reason: 'tool_calls' }] }) +
      pieces.piece({ choices: [], usage: counts }) +
      pieces.end(),
  );
  expect(events.at(-1)).toMatchObject({ response: answer });
  expect(answer.output).toMatchObject([
    { type: 'reasoning', content: [{ text: 'hm' }] },
    { type: 'message', content: [{ text: 'It is' }] },
    { type: 'function_call', call_id: 'call_9', name: 'tide', arguments: '{"at":1}' },
  ]);
  expect(answer.usage).toMatchObject({ input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 8 } });
});

const asked = (more: object) => readAsked('/v1/responses', JSON.stringify({ model: 'm', input: 'x', ...more }));
const tool = { type: 'function', name: 'tide', parameters: { type: 'object' } };

test('a conversation becomes a chat', () => {
  const picture = 'data:image/png;base64,AAAA';
  const { sent, forced } = asked({
    instructions: 'be brief',
    input: [
      { role: 'developer', content: 'in English' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what?' },
          { type: 'input_image', image_url: picture, detail: 'low' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
      { type: 'function_call', call_id: 'c1', name: 'tide', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'tide', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'low' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is low.' }] },
    ],
    tools: [tool],
    tool_choice: { type: 'function', name: 'tide' },
    text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
    reasoning: { effort: 'low' },
    ...{
      max_output_tokens: 5,
      temperature: 0,
      parallel_tool_calls: false,
      include: [],
      metadata: { a: 'b' },
      store: false,
    },
  });
  const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'tide', arguments: args } });
  expect(sent).toEqual({
    endpoint: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'system', content: 'in English' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what?' },
            { type: 'image_url', image_url: { url: picture, detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          tool_calls: [call('c1', '{}'), call('c2', '{"a":1}')],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'low' },
        { role: 'assistant', content: 'It is low.' },
      ],
      tools: [{ type: 'function', function: { name: 'tide', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'tide' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      ...{ reasoning_effort: 'low', max_tokens: 5, temperature: 0, parallel_tool_calls: false },
    },
  });
  expect(forced).toEqual([{ name: 'tide', schema: { type: 'object' } }]);
});

test.each<[string, object, string, string]>([
  ['a stored response', { previous_response_id: 'resp_1' }, 'unsupported_parameter', 'previous_response_id'],
  ['a conversation', { conversation: 'conv_1' }, 'unsupported_parameter', 'conversation'],
  ['to be stored', { store: true }, 'unsupported_value', 'store'],
  ['the background', { background: true }, 'unsupported_value', 'background'],
  ['a hosted tool', { tools: [{ type: 'web_search' }] }, 'unsupported_value', 'tools[0].type'],
  [
    'a tool that is not there',
    { tools: [tool], tool_choice: { type: 'function', name: 'wind' } },
    'invalid_value',
    'tool_choice',
  ],
  ['a tool of none', { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  ['an item of the past', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'unsupported_value', 'input[0].type'],
  [
    'a stored file',
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    'unsupported_value',
    'input[0].content[0].type',
  ],
  ['a message without role', { input: [{ content: 'x' }] }, 'missing_required_parameter', 'input[0].role'],
  [
    'a schema without name',
    { text: { format: { type: 'json_schema', schema: {} } } },
    'missing_required_parameter',
    'text.format.name',
  ],
  ['a format that nobody has', { text: { format: { type: 'xml' } } }, 'unsupported_value', 'text.format.type'],
  ['what nobody knows', { n_predict: 100 }, 'unknown_parameter', 'n_predict'],
  ['what all objects have', { constructor: 1 }, 'unknown_parameter', 'constructor'],
  ['to be cut', { truncation: 'auto' }, 'unsupported_value', 'truncation'],
])('that asks for %s is refused by name', (_, more, code, param) => {
  expect(() => asked(more)).toThrow(expect.objectContaining({ status: 400, code, param }));
});

describe('OpenAI’s client', () => {
  let front: Server;
  let engine: StubEngine;
  let models: Models;
  let openai: OpenAI;

  async function serves(usual: Stub, of: ModelFacts['engine'] = 'llama.cpp'): Promise<void> {
    engine.usual = usual;
    models.show(tinyModel({ engine: of, port: (engine.server.address() as AddressInfo).port }));
  }

  beforeEach(async () => {
    engine = new StubEngine();
    await engine.listen('127.0.0.1');
    models = new Models({ clock: systemClock, isAddress: () => true });
    const nothing = { tokens: 0, money: ZERO };
    const completions = new Completions({
      models,
      routes: new Routes(models, () => new Map()),
      authenticate: async () =>
        ({
          account: { id: 'ann' },
          organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
          session: { id: 't', kind: 'session', scopes: ['use'], expiresAt: 9e15 },
        }) as unknown as Caller,
      attempts: { mayTry: async () => true, known: () => {}, inVain: async () => {} },
      addressOf: () => '127.0.0.1',
      limits: new KeyLimits({ readSpent: async () => ({ day: nothing, month: nothing }), currencyOf: () => 'USD' }),
      money: { priceOf: () => undefined, hold: async () => NOTHING_HELD },
      usage: { isFull: false, add: () => {} },
      wake: async () => {},
      drain: async () => {},
      clock: systemClock,
      log: { warn: () => {} },
    });
    front = createServer((req, res) => void completions.answer(req, res));
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const baseURL = `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`;
    openai = new OpenAI({ apiKey: 'x', baseURL, maxRetries: 0 });
  });
  afterEach(() => {
    front.close();
    front.closeAllConnections();
    models.stop();
    engine.close();
  });

  const Tide = z.object({ height: z.number() });
  const tools: OpenAI.Responses.FunctionTool[] = [{ ...tool, type: 'function', strict: false }];

  test('reads an answer that keeps to a schema, streamed or not', async () => {
    await serves({ said: ['{"hei', 'ght":2}'] });
    const request = { model: 'tiny', input: 'how high?', text: { format: zodTextFormat(Tide, 'tide') } };
    expect((await openai.responses.parse(request)).output_parsed).toEqual({ height: 2 });
    const stream = openai.responses.stream(request);
    expect((await stream.finalResponse()).output_parsed).toEqual({ height: 2 });
    expect(engine.seen.map(({ path, body }) => [path, body.response_format])).toMatchObject([
      ['/v1/chat/completions', { type: 'json_schema', json_schema: { name: 'tide', strict: true } }],
      ['/v1/chat/completions', { type: 'json_schema' }],
    ]);
  });

  test.each(['required', { type: 'function', name: 'tide' }] as const)(
    'has a tool called by llama.cpp where its choice is %j: the call is a schema for the engine',
    async (choice) => {
      await serves({ said: ['{"at"', ': "noon"}'] });
      const request = { model: 'tiny', input: 'x', tools, tool_choice: choice };
      const called = { type: 'function_call', name: 'tide', arguments: '{"at": "noon"}', status: 'completed' };
      expect((await openai.responses.create(request)).output).toMatchObject([called]);
      expect((await openai.responses.stream(request).finalResponse()).output).toMatchObject([called]);
      const chat = await openai.chat.completions.create({
        ...{ model: 'tiny', messages: [{ role: 'user', content: 'x' }], tool_choice: 'required' },
        tools: [{ type: 'function', function: { name: 'tide', parameters: tool.parameters } }],
      });
      expect(chat.choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { content: null, tool_calls: [{ function: { name: 'tide', arguments: '{"at": "noon"}' } }] },
      });
      for (const { body } of engine.seen)
        expect(body).toMatchObject({
          tool_choice: 'none',
          response_format: { json_schema: { schema: { type: 'object' } } },
        });
    },
  );

  test('has one of several tools called, whose name comes first in the schema', async () => {
    await serves({ said: ['{ "name" :', ' "wind", "argu', 'ments": {"at": {"of": "noon"}', ' }', ' } '] });
    const request = {
      model: 'tiny',
      input: 'x',
      tools: [...tools, { ...tools[0], name: 'wind' }],
      tool_choice: 'required',
    };
    for (const answer of [
      await openai.responses.create(request as never),
      await openai.responses.stream(request as never).finalResponse(),
    ])
      expect((answer as OpenAI.Responses.Response).output).toMatchObject([
        { type: 'function_call', name: 'wind', arguments: '{"at": {"of": "noon"} }' },
      ]);
  });

  test('leaves the choice of a tool to other engines, which know it', async () => {
    await serves({ toolCall: { name: 'tide', arguments: '{}' }, tokens: 1 }, 'vllm');
    const answer = await openai.responses.create({ model: 'tiny', input: 'x', tools, tool_choice: 'required' });
    expect(answer.output).toMatchObject([{ type: 'function_call', call_id: 'call_1', name: 'tide', arguments: '{}' }]);
    expect(engine.seen[0]?.body).toMatchObject({ tool_choice: 'required' });
  });

  test.each([false, true])(
    'hears where another engine did not call a tool that it had to (stream: %j)',
    async (stream) => {
      await serves({ said: ['no'] }, 'sglang');
      const read = async (answer: unknown) => {
        if (stream) for await (const _ of answer as AsyncIterable<unknown>);
      };
      const told = { code: 'unsupported_value', param: 'tool_choice' };
      const asks = { model: 'tiny', tool_choice: 'required', stream } as const;
      await expect(openai.responses.create({ ...asks, input: 'x', tools }).then(read)).rejects.toMatchObject(told);
      const functions = [{ type: 'function' as const, function: { name: 'tide' } }];
      const chat = { ...asks, messages: [{ role: 'user' as const, content: 'x' }], tools: functions };
      await expect(openai.chat.completions.create(chat).then(read)).rejects.toMatchObject(told);
    },
  );

  test('hears of an engine that dies by an event that it raises', async () => {
    await serves({ tokens: 9, dieAfter: 3 });
    const read = async () => {
      for await (const _ of await openai.responses.create({ model: 'tiny', input: 'x', stream: true }));
    };
    await expect(read()).rejects.toThrow(/in the middle of its answer/);
  });

  test('hears that log probabilities are too many to be put together, before they hold up others', async () => {
    // Each is told as its bytes, four letters a number.
    await serves({ said: Array.from({ length: 40 }, () => 'a'.repeat(20_000)), isLikely: true });
    const [sentence, ask] = [/log probabilities/, { model: 'tiny' }];
    const told = (param: string) => ({ status: 400, param, message: expect.stringMatching(sentence) });
    const chat = { ...ask, logprobs: true, messages: [{ role: 'user' as const, content: 'x' }] };
    await expect(openai.chat.completions.create(chat)).rejects.toMatchObject(told('logprobs'));
    const completion = { ...ask, prompt: 'x', logprobs: 1 };
    await expect(openai.completions.create(completion)).rejects.toMatchObject(told('logprobs'));
    const response = { ...ask, input: 'x', top_logprobs: 1 };
    await expect(openai.responses.create(response)).rejects.toMatchObject(told('top_logprobs'));
    const read = async () => {
      for await (const _ of await openai.responses.create({ ...response, stream: true }));
    };
    await expect(read()).rejects.toThrow(sentence);
    let pieces = 0;
    for await (const _ of await openai.completions.create({ ...completion, stream: true })) pieces++;
    expect(pieces).toBeGreaterThanOrEqual(40);
  });

  test('reads completions with their ids, log probabilities and echo', async () => {
    await serves({ said: ['a', 'bc'], isLikely: true });
    const whole = await openai.completions.create({ model: 'tiny', prompt: 'x', logprobs: 1 });
    expect(whole).toMatchObject({ id: expect.stringMatching(/^cmpl-/), object: 'text_completion', model: 'tiny' });
    expect(whole.choices[0]?.logprobs).toEqual({
      ...{ tokens: ['a', 'bc'], token_logprobs: [-0.5, -0.5], text_offset: [0, 1] },
      top_logprobs: [{ a: -0.5 }, { bc: -0.5 }],
    });
    const offsets = [];
    for await (const { choices } of await openai.completions.create({
      model: 'tiny',
      prompt: 'x',
      logprobs: 1,
      stream: true,
    }))
      offsets.push(...(choices[0]?.logprobs?.text_offset ?? []));
    expect(offsets).toEqual([0, 1]);
    expect((await openai.completions.create({ model: 'tiny', prompt: 'said: ', echo: true })).choices[0]?.text).toBe(
      'said: abc',
    );
    let streamed = '';
    for await (const { choices } of await openai.completions.create({
      model: 'tiny',
      prompt: 'said: ',
      echo: true,
      stream: true,
    }))
      streamed += choices[0]?.text ?? '';
    expect(streamed).toBe('said: abc');
    await expect(
      openai.completions.create({ model: 'tiny', prompt: 'x', echo: true, logprobs: 1 }),
    ).rejects.toMatchObject({
      ...{ status: 400, code: 'unsupported_parameter', param: 'echo' },
    });
  });
});
