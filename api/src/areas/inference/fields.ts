// Which fields of a request reach an engine: those that we know and it understands, and nothing else, however deep. Engines have fields
// of their own that would generate more than was asked for, hide what was generated, or run what a client writes. Pure.
import { ENGINE_FACTS, ENGINES, type Engine } from '@gantry/contract/models/engines.ts';
import type { EngineEndpoint } from './asked.ts';
import { Refusal, type RefusalCode } from './refusals.ts';

type Json = Readonly<Record<string, unknown>>;
/** The part of a value that the engine is sent. Throws a Fault. */
type Shape = (value: unknown, engine: Engine) => unknown;
/** The engines that are sent it, and what it has to be. */
type Row = readonly [to: readonly Engine[], shape: Shape];
type Fields = Readonly<Record<string, Row>>;

const ALL = ENGINES;
/** We read it, or it changes nothing of an answer. */
const NONE: readonly Engine[] = [];
const VLLM: readonly Engine[] = ['vllm'];
const SGLANG: readonly Engine[] = ['sglang'];
const LLAMA: readonly Engine[] = ['llama.cpp'];
const ON_GPUS: readonly Engine[] = ['vllm', 'sglang'];

/** The path is added on the way out: lists may have millions of items, and nearly all of them are sound. */
class Fault extends Error {
  path = '';
  readonly code: RefusalCode;
  /** `%` is where. */
  readonly detail: string;

  constructor(code: RefusalCode, detail: string) {
    super(detail);
    this.code = code;
    this.detail = detail;
  }

  get refusal(): Refusal {
    const param = this.path.replace(/^\./, '').slice(0, MOST_PATH_LETTERS);
    return new Refusal(this.code, { param, detail: this.detail.replace('%', () => param) }, { param });
  }
}
const MOST_PATH_LETTERS = 200;

function within<T>(path: () => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) error.path = path() + error.path;
    throw error;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const wrongType = (wanted: string) => new Fault('invalid_type', `% has to be ${wanted}.`);

const FLAG: Shape = (value) => scalar(value, 'boolean', 'true or false');
const NUMBER: Shape = (value) => scalar(value, 'number', 'a number');
const TEXT: Shape = (value) => scalar(value, 'string', 'a string');
function scalar(value: unknown, type: 'boolean' | 'number' | 'string', wanted: string): unknown {
  if (typeof value === type) return value;
  throw wrongType(wanted);
}
/** For the model to read, whatever is in it: a JSON schema. */
const ANYTHING: Shape = (value) => value;

/** Null is as good as nothing, and engines know it as such. */
function picked(value: Json, fields: Fields, engine: Engine): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value))
    within(
      () => `.${name.slice(0, MOST_PATH_LETTERS)}`,
      () => {
        const row = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (!row) throw new Fault('unknown_parameter', '');
        const [to, shape] = row;
        const taken = one === null ? null : shape(one, engine);
        if (to.includes(engine)) sent[name] = taken;
        else if (to.length > 0 && one !== null)
          throw new Fault(
            'unsupported_parameter',
            `${ENGINE_FACTS[engine].label}, the engine of this model, does not know %.`,
          );
      },
    );
  return sent;
}

const object =
  (fields: Fields): Shape =>
  (value, engine) => {
    if (!isObject(value)) throw wrongType('an object');
    return picked(value, fields, engine);
  };
const list =
  (of: Shape): Shape =>
  (value, engine) => {
    if (!Array.isArray(value)) throw wrongType('a list');
    return value.map((one, index) =>
      within(
        () => `[${index}]`,
        () => of(one, engine),
      ),
    );
  };
const mapOf =
  (of: Shape): Shape =>
  (value, engine) => {
    if (!isObject(value)) throw wrongType('an object');
    for (const [name, one] of Object.entries(value))
      within(
        () => `.${name.slice(0, MOST_PATH_LETTERS)}`,
        () => of(one, engine),
      );
    return value;
  };
/** A string, or something else. */
const textOr =
  (other: Shape): Shape =>
  (value, engine) =>
    typeof value === 'string' ? value : other(value, engine);
const only =
  (wanted: string): Shape =>
  (value) => {
    if (value === wanted) return value;
    throw new Fault('unsupported_value', `% has to be ${wanted}.`);
  };
/** A text, tokens, or a list of either: of both in one list, engines make one prompt or several. */
const PROMPT: Shape = textOr((value, engine) => {
  const [first] = Array.isArray(value) ? value : [];
  return list(typeof first === 'string' ? TEXT : typeof first === 'number' ? NUMBER : list(NUMBER))(value, engine);
});

const FUNCTION_CALL = object({ name: [ALL, TEXT], arguments: [ALL, TEXT] });
const FUNCTION = object({
  name: [ALL, TEXT],
  description: [ALL, TEXT],
  parameters: [ALL, ANYTHING],
  strict: [ALL, FLAG],
});
const URL_OF = object({ url: [ALL, TEXT], detail: [ALL, TEXT], format: [NONE, TEXT] });

const PART = object({
  type: [ALL, TEXT],
  text: [ALL, TEXT],
  refusal: [ALL, TEXT],
  image_url: [ALL, textOr(URL_OF)],
  input_audio: [ALL, object({ data: [ALL, TEXT], format: [ALL, TEXT] })],
  audio_url: [ON_GPUS, URL_OF],
  video_url: [ON_GPUS, URL_OF],
  // Clients that also speak to other makers' models send it along.
  cache_control: [NONE, ANYTHING],
});

const MESSAGE = object({
  role: [ALL, TEXT],
  content: [ALL, textOr(list(PART))],
  name: [ALL, TEXT],
  tool_call_id: [ALL, TEXT],
  tool_calls: [
    ALL,
    list(object({ id: [ALL, TEXT], index: [NONE, NUMBER], type: [ALL, TEXT], function: [ALL, FUNCTION_CALL] })),
  ],
  function_call: [ALL, FUNCTION_CALL],
  // Answers are sent back as they came.
  refusal: [ALL, TEXT],
  reasoning_content: [ALL, TEXT],
  reasoning: [ON_GPUS, TEXT],
  annotations: [NONE, ANYTHING],
  audio: [NONE, only('null')],
  cache_control: [NONE, ANYTHING],
});

/** Fields about the person who asks and why, for nobody but whoever runs the model. */
const ABOUT: Fields = {
  model: [ALL, TEXT],
  user: [NONE, TEXT],
  safety_identifier: [NONE, TEXT],
  metadata: [NONE, mapOf(TEXT)],
  prompt_cache_key: [NONE, TEXT],
  prompt_cache_retention: [NONE, TEXT],
  service_tier: [NONE, TEXT],
};

/** Set by us for the engine; see `engineBody`. */
const STREAM: Fields = {
  stream: [ALL, FLAG],
  stream_options: [NONE, object({ include_usage: [NONE, FLAG], include_obfuscation: [NONE, FLAG] })],
};

const SAMPLING: Fields = {
  temperature: [ALL, NUMBER],
  top_p: [ALL, NUMBER],
  top_k: [ALL, NUMBER],
  min_p: [ALL, NUMBER],
  seed: [ALL, NUMBER],
  stop: [ALL, textOr(list(TEXT))],
  n: [ALL, NUMBER],
  max_tokens: [ALL, NUMBER],
  frequency_penalty: [ALL, NUMBER],
  presence_penalty: [ALL, NUMBER],
  logit_bias: [ALL, mapOf(NUMBER)],
  ignore_eos: [ALL, FLAG],
  repetition_penalty: [ON_GPUS, NUMBER],
  min_tokens: [ON_GPUS, NUMBER],
  stop_token_ids: [ON_GPUS, list(NUMBER)],
  skip_special_tokens: [ON_GPUS, FLAG],
  spaces_between_special_tokens: [VLLM, FLAG],
  include_stop_str_in_output: [VLLM, FLAG],
  allowed_token_ids: [VLLM, list(NUMBER)],
  bad_words: [VLLM, list(TEXT)],
  structured_outputs: [
    VLLM,
    object({
      json: [VLLM, ANYTHING],
      json_object: [VLLM, FLAG],
      regex: [VLLM, TEXT],
      choice: [VLLM, list(TEXT)],
      grammar: [VLLM, TEXT],
    }),
  ],
  regex: [SGLANG, TEXT],
  ebnf: [SGLANG, TEXT],
  no_stop_trim: [SGLANG, FLAG],
  grammar: [LLAMA, TEXT],
  json_schema: [LLAMA, ANYTHING],
  repeat_penalty: [LLAMA, NUMBER],
  repeat_last_n: [LLAMA, NUMBER],
  typical_p: [LLAMA, NUMBER],
  top_n_sigma: [LLAMA, NUMBER],
  xtc_probability: [LLAMA, NUMBER],
  xtc_threshold: [LLAMA, NUMBER],
  dynatemp_range: [LLAMA, NUMBER],
  dynatemp_exponent: [LLAMA, NUMBER],
  dry_multiplier: [LLAMA, NUMBER],
  dry_base: [LLAMA, NUMBER],
  dry_allowed_length: [LLAMA, NUMBER],
  dry_penalty_last_n: [LLAMA, NUMBER],
  dry_sequence_breakers: [LLAMA, list(TEXT)],
  mirostat: [LLAMA, NUMBER],
  mirostat_tau: [LLAMA, NUMBER],
  mirostat_eta: [LLAMA, NUMBER],
};

const RESPONSE_FORMAT = object({
  type: [ALL, TEXT],
  json_schema: [
    ALL,
    object({ name: [ALL, TEXT], description: [ALL, TEXT], schema: [ALL, ANYTHING], strict: [ALL, FLAG] }),
  ],
  schema: [LLAMA, ANYTHING],
});

/** By a model's template. Any other name might be one that the engine itself gives it: its template, what it renders. */
const TEMPLATE_KWARGS = object({
  enable_thinking: [ALL, FLAG],
  thinking: [ALL, FLAG],
  thinking_budget: [ALL, NUMBER],
  reasoning_effort: [ALL, TEXT],
  clear_thinking: [ALL, FLAG],
  preserve_thinking: [ALL, FLAG],
  add_vision_id: [ALL, FLAG],
  model_identity: [ALL, TEXT],
});

/** One row for each field of each call, with the engines that are sent it. What is in no row is refused. */
const FIELDS: Readonly<Record<EngineEndpoint, Fields>> = {
  '/v1/chat/completions': {
    ...ABOUT,
    ...STREAM,
    ...SAMPLING,
    messages: [ALL, list(MESSAGE)],
    tools: [ALL, list(object({ type: [ALL, TEXT], function: [ALL, FUNCTION], cache_control: [NONE, ANYTHING] }))],
    tool_choice: [ALL, textOr(object({ type: [ALL, TEXT], function: [ALL, object({ name: [ALL, TEXT] })] }))],
    parallel_tool_calls: [ALL, FLAG],
    response_format: [ALL, RESPONSE_FORMAT],
    max_completion_tokens: [ALL, NUMBER],
    logprobs: [ALL, FLAG],
    top_logprobs: [ALL, NUMBER],
    reasoning_effort: [ON_GPUS, TEXT],
    chat_template_kwargs: [ALL, TEMPLATE_KWARGS],
    continue_final_message: [ON_GPUS, FLAG],
    add_generation_prompt: [VLLM, FLAG],
    separate_reasoning: [SGLANG, FLAG],
    modalities: [NONE, list(only('text'))],
    store: [NONE, FLAG],
  },
  '/v1/completions': {
    ...ABOUT,
    ...STREAM,
    ...SAMPLING,
    prompt: [ALL, PROMPT],
    suffix: [ALL, TEXT],
    best_of: [ALL, NUMBER],
    echo: [ALL, FLAG],
    logprobs: [ALL, NUMBER],
    response_format: [ON_GPUS, RESPONSE_FORMAT],
  },
  '/v1/embeddings': {
    ...ABOUT,
    input: [ALL, PROMPT],
    encoding_format: [ALL, TEXT],
    dimensions: [VLLM, NUMBER],
  },
  // Made by us.
  '/v1/rerank': { model: [ALL, TEXT], query: [ALL, TEXT], documents: [ALL, list(TEXT)] },
};

/** The fields that this engine is sent of a body that is not nested too deep. Throws a Refusal that names the field. */
export function fieldsFor(endpoint: EngineEndpoint, engine: Engine, body: Json): Record<string, unknown> {
  try {
    return picked(body, FIELDS[endpoint], engine);
  } catch (error) {
    throw error instanceof Fault ? error.refusal : error;
  }
}
