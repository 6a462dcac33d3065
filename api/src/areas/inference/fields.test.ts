import { ENGINES, type Engine } from '@gantry/contract/models/engines.ts';
import { describe, expect, test } from '@jest/globals';
import { fieldsFor } from './fields.ts';
import { Refusal } from './refusals.ts';

const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'Hello' }];
const refused = (engine: Engine, body: object, endpoint: Parameters<typeof fieldsFor>[0] = CHAT) => {
  try {
    return { passes: fieldsFor(endpoint, engine, body as Record<string, unknown>) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, param: error.param };
  }
};
const unknown = (param: string) => ({ code: 'unknown_parameter', param });

/** Fields that engines have beside OpenAI's: they count more, show less, reach other tenants' adapters, or run code. */
const OF_ENGINES = [
  ...['n_predict', 'n_cmpl', 'n_probs', 'id_slot', 'cache_prompt', 'response_fields', 'return_tokens', 'verbose'],
  ...[
    'timings_per_token',
    'return_progress',
    'sse_ping_interval',
    'lora',
    'speculative.n_max',
    'chat_format',
    '__verbose',
  ],
  ...[
    'prompt',
    'use_beam_search',
    'prompt_logprobs',
    'chat_template',
    'mm_processor_kwargs',
    'media_io_kwargs',
    'priority',
  ],
  ...[
    'request_id',
    'kv_transfer_params',
    'vllm_xargs',
    'cache_salt',
    'echo',
    'best_of',
    'documents',
    'return_token_ids',
  ],
  ...[
    'custom_logit_processor',
    'custom_params',
    'lora_path',
    'session_params',
    'bootstrap_host',
    'return_hidden_states',
  ],
  ...['rid', 'data_parallel_rank', 'stub', '', '__proto__', 'constructor', 'toString'],
];

describe.each(ENGINES)('%s', (engine) => {
  test('gets no field that is in no row, at any depth', () => {
    for (const name of OF_ENGINES) {
      // As it is parsed: a literal would set the prototype.
      const own = JSON.parse(`{${JSON.stringify(name)}: 1}`);
      const at = (body: object, path: string) =>
        expect([name, refused(engine, { messages, ...body })]).toEqual([
          name,
          unknown(`${path}${name}`.replace(/^\./, '')),
        ]);
      at(own, name === '' ? '' : '');
      at({ chat_template_kwargs: own }, 'chat_template_kwargs.');
      at({ stream_options: own }, 'stream_options.');
      at({ response_format: { type: 'json_schema', json_schema: own } }, 'response_format.json_schema.');
      at({ messages: [...messages, own] }, 'messages[1].');
      at({ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, own] }] }, 'messages[0].content[1].');
      at({ tools: [{ type: 'function', function: own }] }, 'tools[0].function.');
      at({ tool_choice: own }, 'tool_choice.');
    }
  });

  test('gets what OpenAI’s clients send, as it is', () => {
    const schema = { type: 'object', properties: { n_predict: { enum: ['sea', null, 1.5] } }, $defs: { a: {} } };
    const body = {
      messages: [
        { role: 'system', content: 'Be brief.', name: 'ann' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'data:', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'x' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } },
      tools: [{ type: 'function', function: { name: 'f', description: 'x', parameters: schema, strict: false } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      ...{
        temperature: 0,
        top_p: 0.5,
        seed: 3,
        stop: ['a'],
        n: 2,
        max_tokens: 5,
        logit_bias: { 7: -100 },
        logprobs: true,
      },
    };
    expect(fieldsFor(CHAT, engine, body)).toEqual(body);
  });

  test('is not told who asks, nor what we answer ourselves', () => {
    const about = {
      user: 'u',
      metadata: { a: 'b' },
      safety_identifier: 's',
      prompt_cache_key: 'k',
      service_tier: 'auto',
    };
    expect(fieldsFor(CHAT, engine, { messages, ...about, stream_options: { include_usage: true } })).toEqual({
      messages,
    });
    const said = { role: 'assistant', content: 'a', refusal: null, annotations: [], audio: null };
    expect(fieldsFor(CHAT, engine, { messages: [said] })).toEqual({
      messages: [{ role: 'assistant', content: 'a', refusal: null }],
    });
  });

  test.each<[param: string, code: string, body: object]>([
    ['messages', 'invalid_type', { messages: { 0: 'a' } }],
    ['messages[0]', 'invalid_type', { messages: ['a'] }],
    ['messages[1].content', 'invalid_type', { messages: [...messages, { role: 'user', content: 5 }] }],
    ['messages[0].content[0].image_url', 'invalid_type', { messages: [{ role: 'user', content: [{ image_url: 3 }] }] }],
    ['messages[0].audio', 'unsupported_value', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
    ['modalities[1]', 'unsupported_value', { messages, modalities: ['text', 'audio'] }],
    ['stop[1]', 'invalid_type', { messages, stop: ['a', 2] }],
    ['logit_bias.7', 'invalid_type', { messages, logit_bias: { 7: 'much' } }],
    ['temperature', 'invalid_type', { messages, temperature: '1' }],
    [
      'chat_template_kwargs.enable_thinking',
      'invalid_type',
      { messages, chat_template_kwargs: { enable_thinking: 'a' } },
    ],
  ])('is not asked where %s is wrong', (param, code, body) => {
    expect(refused(engine, body)).toEqual({ code, param });
  });

  test('has a prompt of one kind', () => {
    for (const prompt of ['a', ['a', 'b'], [1, 2], [[1], [2, 3]]])
      expect(refused(engine, { prompt }, '/v1/completions')).toEqual({ passes: { prompt } });
    for (const prompt of [['a', 1], [1, 'a'], [[1], 'a'], [{ prompt_string: 'a' }], [['a']], { a: 1 }])
      expect(refused(engine, { prompt }, '/v1/completions')).toMatchObject({ code: 'invalid_type' });
  });
});

test('a field of one engine is refused by name for another', () => {
  expect(refused('vllm', { messages, dry_base: 2 })).toEqual({ code: 'unsupported_parameter', param: 'dry_base' });
  expect(refused('llama.cpp', { messages, dry_base: 2 })).toEqual({ passes: { messages, dry_base: 2 } });
  expect(refused('llama.cpp', { input: 'a', dimensions: 3 }, '/v1/embeddings')).toEqual({
    ...{ code: 'unsupported_parameter', param: 'dimensions' },
  });
});
