// The wish of a request: read from its body, which is hostile, and the body that the engine is sent in its place. Pure.
import type { Engine, ModelTask } from '@gantry/contract/models/engines.ts';
import { demandBody } from './demands.ts';
import { fieldsFor } from './fields.ts';
import { type Forced, forcedBy, forcedFields } from './forced-tool.ts';
import { textsOf } from './ranked-answer.ts';
import { invalid, Refusal, unsupportedParameter, unsupportedValue } from './refusals.ts';
import { chatOf } from './response-request.ts';

/** How an endpoint says what it wants, and how its engine answers. */
interface EndpointFacts {
  /** The task that a model has to be deployed for. */
  task: ModelTask;
  /** The fields in which the prompt is. */
  prompt: readonly string[];
  /** The fields that limit what is generated; the first one that is there counts. Absent: nothing is generated. */
  limits?: readonly string[];
  /** The fields that say how many answers are generated. */
  choices?: readonly string[];
  /** The data of a stream's last event. Absent: there are no streams. */
  ends?: string;
  /** Which of them an engine is asked; absent: this one. */
  asks?: EngineEndpoint;
}

export type Endpoint =
  | '/v1/chat/completions'
  | '/v1/completions'
  | '/v1/responses'
  | '/v1/embeddings'
  | '/v1/rerank'
  | '/v2/rerank';

/** Those that engines have. */
export type EngineEndpoint = Exclude<Endpoint, '/v1/responses' | '/v2/rerank'>;

const ENDPOINTS: Readonly<Record<Endpoint, EndpointFacts>> = {
  '/v1/chat/completions': {
    task: 'Generate',
    prompt: ['messages', 'tools', 'functions', 'response_format'],
    limits: ['max_completion_tokens', 'max_tokens'],
    choices: ['n'],
    ends: '[DONE]',
  },
  '/v1/completions': {
    task: 'Generate',
    prompt: ['prompt', 'suffix'],
    limits: ['max_tokens'],
    choices: ['n', 'best_of'],
    ends: '[DONE]',
  },
  '/v1/responses': {
    task: 'Generate',
    prompt: ['input', 'instructions', 'tools', 'text'],
    limits: ['max_output_tokens'],
    ends: '[DONE]',
    asks: '/v1/chat/completions',
  },
  '/v1/embeddings': { task: 'Embed', prompt: ['input'] },
  '/v1/rerank': { task: 'Rerank', prompt: ['query', 'documents'] },
  // The path of Cohere's newest client.
  '/v2/rerank': { task: 'Rerank', prompt: ['query', 'documents'], asks: '/v1/rerank' },
};

export const isEndpoint = (path: string): path is Endpoint => Object.hasOwn(ENDPOINTS, path);
/** As usage shows it. */
export const nameOf = (endpoint: Endpoint): string => endpoint.slice('/v1/'.length);
export const factsOf = (endpoint: Endpoint): EndpointFacts => ENDPOINTS[endpoint];

export interface Asked {
  endpoint: Endpoint;
  /** As the client names it. */
  model: string;
  isStream: boolean;
  /** The engine is asked for a stream, whatever its client asked: what is generated is seen as it comes. */
  isStreamed: boolean;
  /** The client wants usage at the end of its stream. */
  wantsUsage: boolean;
  /** How many of them are answered, each by itself. */
  prompts: number;
  /** How many answers are generated, of all prompts. */
  choices: number;
  /** The limit of each answer; undefined: up to the model's context. */
  mostTokens: number | undefined;
  prompt: PromptSize;
  /** The prompt's beginning, by which requests are recognised as going on from each other. */
  beginning: string;
  /** As it came. */
  body: Readonly<Record<string, unknown>>;
  /** The request that an engine gets in its place. */
  sent: { endpoint: EngineEndpoint; body: Readonly<Record<string, unknown>> };
  /** Tools of which one has to be called. */
  forced: Forced;
}

/** How much there is to read, before anybody has counted tokens. */
export interface PromptSize {
  /** The bytes of texts, in UTF-8. */
  bytes: number;
  /** Tokens that the client itself has counted out. */
  tokens: number;
  /** Messages, texts of a list, and other pieces that a template frames. */
  parts: number;
  /** Pictures and sounds. */
  media: number;
}

const MOST_MODEL_LETTERS = 200;
const MOST_CHOICES = 128;
/** The most answers to all prompts of one request: each is kept track of while it is generated. */
const MOST_ANSWERS = 4_096;
const MOST_TOKENS = 100_000_000;
const MOST_BEGINNING_LETTERS = 8 * 1024;
const MOST_DEPTH = 64;
/** Types of a message's parts whose bytes are no text. */
export const MEDIA: ReadonlySet<string> = new Set([
  'image_url',
  'input_image',
  'input_audio',
  'video_url',
  'audio_url',
  'input_file',
  'file',
]);

/** Throws a Refusal. */
export function readAsked(endpoint: Endpoint, text: string): Asked {
  const body = parsed(text);
  const facts = factsOf(endpoint);
  const { model } = body;
  if (typeof model !== 'string' || model === '') throw invalid('model', 'A model has to be named, as a string.');
  if (model.length > MOST_MODEL_LETTERS)
    throw new Refusal('model_not_found', { model: model.slice(0, 60) }, { param: 'model' });
  const isStream = flagOf(body, 'stream');
  if (isStream && !facts.ends) throw unsupportedParameter('stream', 'This endpoint has no streams.');
  const prompt: PromptSize = { bytes: 0, tokens: 0, parts: 0, media: 0 };
  for (const field of Object.keys(body)) demandShallow(body[field], 0);
  const options = body.stream_options;
  if (options !== undefined && options !== null && !isObject(options))
    throw invalid('stream_options', 'stream_options has to be an object.');
  demandBody(endpoint, body);
  const sent = sentFor(endpoint, body);
  const asks = factsOf(sent.endpoint);
  const prompts = promptsOf(sent);
  for (const field of asks.prompt) measure(sent.body[field], prompt, field === 'messages');
  // A query is read with each document.
  if (sent.endpoint === '/v1/rerank' && typeof sent.body.query === 'string') {
    prompt.bytes += (prompts - 1) * Buffer.byteLength(sent.body.query);
    prompt.parts += prompts - 1;
  }
  return {
    endpoint,
    model,
    isStream,
    isStreamed: asks.ends !== undefined,
    wantsUsage: isObject(options) && options.include_usage === true,
    prompts,
    choices: choicesOf(body, facts, prompts),
    mostTokens: facts.limits ? limitOf(body, facts.limits) : 0,
    prompt,
    beginning: beginningOf(sent.body, asks),
    body,
    sent,
    forced: sent.endpoint === '/v1/chat/completions' ? forcedBy(sent.body) : undefined,
  };
}

/** The request that an engine gets in place of it. Throws a Refusal. */
function sentFor(endpoint: Endpoint, body: Asked['body']): Asked['sent'] {
  const { asks = endpoint as EngineEndpoint } = factsOf(endpoint);
  if (endpoint === '/v1/responses') return { endpoint: asks, body: chatOf(body) };
  // Each engine reads a list of texts. What is sent back of them is put together here.
  if (asks === '/v1/rerank') {
    const { model, query, documents } = body;
    return { endpoint: asks, body: { model, query, documents: textsOf(documents) } };
  }
  return { endpoint: asks, body };
}

/**
 * How an engine is told which adapter answers: by the name of the model; by a field of SGLang's own; or, as llama.cpp reads it, by
 * each one's number in the order of its command line, with those that stay out of it at nought.
 */
export type AdaptersBy = 'model' | 'lora_path' | 'lora';
interface AdapterFacts {
  /** The endpoints at which it looks for an adapter. At others the model itself would answer in its place. */
  endpoints: readonly Endpoint[];
  /** Always sent: what a client writes there itself would reach adapters that its key may not use. */
  fields(adapter: string | undefined, all: readonly string[]): object;
  /** Requests name the adapter in place of the model. */
  isNamed?: true;
}
const CHATS: readonly Endpoint[] = ['/v1/chat/completions', '/v1/completions'];
const ADAPTERS: Readonly<Record<AdaptersBy, AdapterFacts>> = {
  model: { endpoints: Object.keys(ENDPOINTS) as Endpoint[], fields: () => ({}), isNamed: true },
  lora_path: { endpoints: CHATS, fields: (adapter) => ({ lora_path: adapter }) },
  lora: {
    endpoints: CHATS,
    fields: (adapter, all) => ({
      lora: all.length === 0 ? undefined : all.map((name, id) => ({ id, scale: name === adapter ? 1 : 0 })),
    }),
  },
};

/** The engine that is asked, and the names that it knows. */
export interface Addressed {
  engine: Engine;
  /** The engine's own name of the model. */
  name: string;
  /** Asked for in place of the model itself. */
  adapter: string | undefined;
  /** In the order of the engine's command line. */
  adapters: readonly string[];
  adaptersBy: AdaptersBy;
}

/** How each engine is told to say with every piece how many tokens it has read and generated: many answers are not read to their end. */
const RUNNING_USAGE: Readonly<Record<Engine, { options?: object; fields?: object }>> = {
  vllm: { options: { continuous_usage_stats: true } },
  sglang: { options: { continuous_usage_stats: true } },
  'llama.cpp': { fields: { timings_per_token: true } },
};

/** Throws a Refusal where the model was deployed for something else: llama.cpp would answer all the same. */
export function demandTask({ endpoint }: Asked, task: ModelTask): void {
  if (factsOf(endpoint).task !== task)
    throw unsupportedValue('model', `This model is deployed ${SERVES[task]}: it does not answer at ${endpoint}.`);
}
const SERVES: Readonly<Record<ModelTask, string>> = {
  Generate: 'to generate text',
  Embed: 'for embeddings',
  Rerank: 'for reranking',
};

/** Throws a Refusal where the engine would answer without the adapter, and say nothing of it. */
export function demandAdapter({ endpoint, sent }: Asked, { adapter, adaptersBy }: Addressed): void {
  if (adapter !== undefined && !ADAPTERS[adaptersBy].endpoints.includes(sent.endpoint))
    throw unsupportedValue('model', `This model’s engine has no adapters at ${endpoint}.`);
}

/** Throws a Refusal that names the field which its engine does not know. */
export function demandFields({ endpoint, sent }: Asked, { engine }: Pick<Addressed, 'engine'>): void {
  try {
    fieldsFor(sent.endpoint, engine, sent.body);
  } catch (error) {
    if (!(error instanceof Refusal) || endpoint !== '/v1/responses' || error.param === null) throw error;
    // As the client has named it.
    throw new Refusal(error.code, error.args, { param: CHAT_NAMES[error.param] ?? error.param });
  }
}
const CHAT_NAMES: Readonly<Record<string, string>> = { reasoning_effort: 'reasoning.effort' };

/** The body that the engine gets: the fields that it may have, its own name of the model, the adapter that answers, and usage all along. */
export function engineBody(asked: Asked, { engine, name, adapter, adapters, adaptersBy }: Addressed): string {
  const { sent, isStreamed, forced } = asked;
  const { fields, isNamed } = ADAPTERS[adaptersBy];
  const running = RUNNING_USAGE[engine];
  return JSON.stringify({
    ...fieldsFor(sent.endpoint, engine, sent.body),
    ...(isStreamed && {
      stream: true,
      stream_options: { include_usage: true, ...running.options },
      ...running.fields,
    }),
    ...(engine === 'llama.cpp' && { ...(forced && forcedFields(forced)), echo: undefined }),
    // It is n, as has been demanded.
    best_of: undefined,
    ...fields(adapter, adapters),
    model: isNamed ? (adapter ?? name) : name,
  });
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal('invalid_json', { detail: (error as Error).message.slice(0, 200) });
  }
  if (!isObject(body)) throw new Refusal('invalid_json', { detail: 'it is something else' });
  return body;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flagOf(body: Record<string, unknown>, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw invalid(name, `${name} has to be true or false.`);
  return value;
}

function numberOf(body: Record<string, unknown>, name: string, most: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw invalid(name, `${name} has to be a whole number from 1 to ${most}.`);
  return value;
}

/** Every one of them is checked; engines differ in which they read. So the largest counts. */
function limitOf(body: Record<string, unknown>, names: readonly string[]): number | undefined {
  const given = names.map((name) => numberOf(body, name, MOST_TOKENS)).filter((value) => value !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
}

function choicesOf(
  body: Record<string, unknown>,
  { choices: names = [], limits }: EndpointFacts,
  prompts: number,
): number {
  const choices = prompts * Math.max(1, ...names.map((name) => numberOf(body, name, MOST_CHOICES) ?? 1));
  if (limits && choices > MOST_ANSWERS)
    throw invalid('prompt', `The prompts times n may come to ${MOST_ANSWERS} answers at most.`);
  return choices;
}

/** The fields of endpoints that take several prompts. */
const PROMPTS: Readonly<Partial<Record<Endpoint, string>>> = {
  '/v1/completions': 'prompt',
  '/v1/embeddings': 'input',
  '/v1/rerank': 'documents',
};

/** A list of texts, or of lists of tokens, is as many. */
function promptsOf({ endpoint, body }: Asked['sent']): number {
  const list = body[PROMPTS[endpoint] ?? ''];
  return Array.isArray(list) && typeof list[0] !== 'number' ? Math.max(1, list.length) : 1;
}

/** Whatever is nested deeper could not be written for the engine, in fields that nobody here reads either. */
function demandShallow(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MOST_DEPTH) throw new Refusal('invalid_json', { detail: 'it is nested too deep' });
  for (const one of Array.isArray(value) ? value : Object.values(value)) demandShallow(one, depth + 1);
}

/**
 * Measures a value that is not nested too deep. `hasMedia`: elsewhere, as in a tool's schema, the same type is a word that the model reads.
 */
function measure(value: unknown, size: PromptSize, hasMedia: boolean): void {
  if (typeof value === 'string') {
    size.bytes += Buffer.byteLength(value);
    size.parts++;
  } else if (typeof value === 'number') size.tokens++;
  else if (Array.isArray(value)) for (const one of value) measure(one, size, hasMedia);
  else if (isObject(value)) {
    if (hasMedia && typeof value.type === 'string' && MEDIA.has(value.type)) {
      size.media++;
      return;
    }
    for (const name of Object.keys(value)) {
      size.bytes += name.length;
      measure(value[name], size, hasMedia);
    }
  }
}

/** The start of what the engine reads first, cut where it gets long. */
function beginningOf(body: Record<string, unknown>, facts: EndpointFacts): string {
  const [first = ''] = facts.prompt;
  const value = body[first];
  if (typeof value === 'string') return value.slice(0, MOST_BEGINNING_LETTERS);
  if (!Array.isArray(value)) return '';
  let text = '';
  for (const one of value) {
    text += typeof one === 'object' ? JSON.stringify(one).slice(0, MOST_BEGINNING_LETTERS) : `${one} `;
    if (text.length > MOST_BEGINNING_LETTERS) break;
  }
  return text.slice(0, MOST_BEGINNING_LETTERS);
}
