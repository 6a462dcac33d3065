// Real engines' refusals of requests, and the answers that clients get in their place: never an engine's own words, and 400 for what a
// client could mend. llama.cpp's answers were recorded from build 11669, vLLM's from 0.25.1, SGLang's are from its source.
import type { Engine } from '@gantry/contract/models/engines.ts';
import { expect, test } from '@jest/globals';
import { type Asked, type Endpoint, readAsked } from './asked.ts';
import { clientFault } from './engine-refusals.ts';

const CHAT = '/v1/chat/completions';
const EMBED = '/v1/embeddings';
const llama = (code: number, message: string, more = {}) => ({
  error: { code, message, type: 'server_error', ...more },
});
const python = (message: string, code = 400) => ({
  object: 'error',
  message,
  type: 'BadRequestError',
  param: null,
  code,
});
const asked = (endpoint: Endpoint, more: object = {}): Asked =>
  readAsked(
    endpoint,
    JSON.stringify({ model: 'm', messages: [], input: 'x', prompt: 'x', query: 'x', documents: [], ...more }),
  );

type Told = [code: string, param: string | null, message: string];
test.each<[string, Engine, Endpoint, number, object, Told]>([
  [
    'an image',
    'llama.cpp',
    CHAT,
    500,
    llama(500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
    ['unsupported_value', 'messages', 'This model takes no image input.'],
  ],
  [
    'a sound',
    'llama.cpp',
    CHAT,
    500,
    llama(500, 'audio input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
    ['unsupported_value', 'messages', 'This model takes no audio input.'],
  ],
  [
    'a message without role',
    'llama.cpp',
    CHAT,
    500,
    llama(500, `Failed to parse messages: Missing 'role' in message: {"content":"x"}`),
    ['invalid_value', 'messages', 'cannot read these messages'],
  ],
  [
    'a long input',
    'llama.cpp',
    EMBED,
    500,
    llama(
      500,
      'input (4000 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    ),
    ['context_length_exceeded', 'input', '512 tokens at most, and the input has 4000'],
  ],
  [
    'a long prompt',
    'llama.cpp',
    CHAT,
    400,
    llama(400, 'request (12050 tokens) exceeds the available context size (2048 tokens), try increasing it', {
      type: 'exceed_context_size_error',
      n_ctx: 2048,
    }),
    ['context_length_exceeded', 'messages', '2048 tokens at most, and the input has 12050'],
  ],
  [
    'an embedding',
    'llama.cpp',
    EMBED,
    501,
    llama(501, 'This server does not support embeddings. Start it with `--embeddings`'),
    ['unsupported_value', 'model', 'does not answer at this endpoint'],
  ],
  [
    'many answers',
    'llama.cpp',
    CHAT,
    400,
    llama(400, "Field 'n': Value must be between 1 <= value <= 4, but got 8"),
    ['integer_above_max_value', 'n', '4 at most'],
  ],
  [
    'hosted tools',
    'llama.cpp',
    CHAT,
    500,
    llama(500, 'Failed to parse tools: Unsupported tool type: {"type":"web_search"}'),
    ['invalid_value', 'tools', 'cannot read these tools'],
  ],
  [
    'a schema',
    'llama.cpp',
    CHAT,
    400,
    llama(
      400,
      'Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: unrecognized type nonsense',
    ),
    ['invalid_value', 'response_format', 'cannot follow this JSON schema'],
  ],
  [
    'a wrong value',
    'llama.cpp',
    CHAT,
    400,
    llama(400, "Field 'temperature': [json.exception.type_error.302] type must be number, but is string"),
    ['invalid_value', 'temperature', 'llama.cpp does not take this value of temperature.'],
  ],
  [
    'a foreign token',
    'llama.cpp',
    '/v1/completions',
    400,
    llama(400, 'Prompt contains invalid tokens'),
    ['invalid_value', 'prompt', 'does not know'],
  ],
  [
    'an image',
    'vllm',
    CHAT,
    400,
    { error: { message: 'At most 0 image(s) may be provided in one prompt.', code: 400 } },
    ['unsupported_value', 'messages', 'This model takes no image input.'],
  ],
  [
    'an image',
    'vllm',
    CHAT,
    400,
    { error: { message: 'tiny is not a multimodal model', code: 400 } },
    ['unsupported_value', 'messages', 'text only'],
  ],
  [
    'dimensions',
    'vllm',
    EMBED,
    400,
    python(
      'Model "m" does not support matryoshka representation, changing output dimensions will lead to poor results.',
    ),
    ['unsupported_value', 'dimensions', 'one length only'],
  ],
  ['an embedding', 'vllm', EMBED, 404, { detail: 'Not Found' }, ['unsupported_value', 'model', 'does not answer']],
  [
    'a wrong value',
    'vllm',
    CHAT,
    400,
    { error: { message: "[{'type': 'float_parsing', 'loc': ('body', 'temperature')}]", code: 400 } },
    ['invalid_value', 'temperature', 'vLLM does not take'],
  ],
  [
    'a long prompt',
    'sglang',
    CHAT,
    400,
    python("The input (9000 tokens) is longer than the model's context length (4096 tokens)."),
    ['context_length_exceeded', 'messages', 'context has 4096 tokens'],
  ],
  [
    'an embedding',
    'sglang',
    EMBED,
    400,
    python(
      'This model does not appear to be an embedding model by default. Please add `--is-embedding` when launching the server or try another model.',
    ),
    ['unsupported_value', 'model', 'does not answer'],
  ],
  [
    'what nobody knows',
    'sglang',
    CHAT,
    400,
    python('CUDA_VISIBLE_SECRET=/models/model'),
    ['invalid_value', null, 'SGLang, this model’s engine, does not take this request.'],
  ],
])(
  '%s that %s refuses at %s is the client’s mistake',
  (_, engine, endpoint, status, answer, [code, param, message]) => {
    const told = clientFault(engine, asked(endpoint, { temperature: 'hot' }), status, JSON.stringify(answer));
    expect(told).toMatchObject({ status: 400, code, param, message: expect.stringContaining(message) });
    expect(told?.message).not.toMatch(/mmproj|--|batch size|json\.exception|secret/i);
  },
);

test.each<[string, Engine, number, string]>([
  ['a failure of its own', 'llama.cpp', 500, '{"error":{"message":"failed to decode the content","code":500}}'],
  ['a failure of its own', 'vllm', 500, '{"error":{"message":"maximum context length is 5: EngineDeadError"}}'],
  ['too much at once', 'sglang', 429, '{"message":"queue is full"}'],
  ['that it is loading', 'llama.cpp', 503, '{"error":{"message":"Loading model"}}'],
  ['that it wants a key', 'vllm', 401, '{"error":"Unauthorized"}'],
  ['nothing', 'sglang', 500, ''],
])('%s of %s (%i) is not', (_, engine, status, answer) => {
  expect(clientFault(engine, asked(CHAT), status, answer)).toBeUndefined();
});

test.each<[string, Endpoint, object, string, string]>([
  ['a message without role', CHAT, { messages: [{ content: 'x' }] }, 'missing_required_parameter', 'messages[0].role'],
  [
    'a role that nobody has',
    CHAT,
    { messages: [{ role: 'nobody', content: 'x' }] },
    'invalid_value',
    'messages[0].role',
  ],
  [
    'a message without content',
    CHAT,
    { messages: [{ role: 'user' }] },
    'missing_required_parameter',
    'messages[0].content',
  ],
  ['a message that is a word', CHAT, { messages: ['hi'] }, 'invalid_type', 'messages[0]'],
  ['messages that are a word', CHAT, { messages: 'hi' }, 'invalid_type', 'messages'],
  ['no messages', CHAT, { messages: null }, 'missing_required_parameter', 'messages'],
  [
    'a part of no type',
    CHAT,
    { messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
    'unsupported_value',
    'messages[0].content[0].type',
  ],
  [
    'a part whose type all objects have',
    CHAT,
    { messages: [{ role: 'user', content: [{ type: 'constructor' }] }] },
    'unsupported_value',
    'messages[0].content[0].type',
  ],
  ['a hosted tool', CHAT, { tools: [{ type: 'web_search' }] }, 'unsupported_value', 'tools[0].type'],
  [
    'a tool without name',
    CHAT,
    { tools: [{ type: 'function', function: {} }] },
    'missing_required_parameter',
    'tools[0].function.name',
  ],
  ['a choice without tools', CHAT, { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  [
    'a choice of a tool that is not there',
    CHAT,
    {
      tools: [{ type: 'function', function: { name: 'a' } }],
      tool_choice: { type: 'function', function: { name: 'b' } },
    },
    'invalid_value',
    'tool_choice',
  ],
  ['a suffix', '/v1/completions', { suffix: 'end' }, 'unsupported_parameter', 'suffix'],
  ['best_of', '/v1/completions', { best_of: 3 }, 'unsupported_parameter', 'best_of'],
  ['no prompt', '/v1/completions', { prompt: undefined }, 'missing_required_parameter', 'prompt'],
  ['no input', EMBED, { input: null }, 'missing_required_parameter', 'input'],
])('%s at %s reaches no engine', (_, endpoint, more, code, param) => {
  expect(() => asked(endpoint, more)).toThrow(expect.objectContaining({ status: 400, code, param }));
});
