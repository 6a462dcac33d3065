// Engines' refusals of requests, and the refusal that a client gets in their place. Engines report a client's mistake with words and
// statuses of their own, llama.cpp often with 500: a client would try that again. None of their words reaches a client.
import { ENGINE_FACTS, type Engine } from '@gantry/contract/models/engines.ts';
import { type Asked, factsOf } from './asked.ts';
import { Refusal, type RefusalCode } from './refusals.ts';

interface Row {
  /** In the engine's message. */
  said: RegExp;
  code: RefusalCode;
  /** `%prompt`: the field that has the prompt. `%1`: what the first group found. */
  param: string;
  /** `%1`, `%2`: what groups found. `%engine`: its name. */
  detail: string;
  /** Told with 500, too, where other failures are the engine's own. */
  isAlsoFailure?: true;
}

const unsupported = (said: RegExp, param: string, detail: string): Row => ({
  ...{ said, code: 'unsupported_value', param, detail },
});
const wrong = (said: RegExp, param: string, detail: string): Row => ({
  ...{ said, code: 'invalid_value', param, detail },
});
const tooLong = (said: RegExp, detail: string): Row => ({
  ...{ said, code: 'context_length_exceeded', param: '%prompt', detail },
});

const NO_MEDIA = 'This model takes no %1 input.';
const UNREADABLE = 'An image or a sound of the input cannot be read.';
const UNREADABLE_MESSAGES = 'The model’s engine cannot read these messages.';
const NO_ENDPOINT = 'This model does not answer at this endpoint.';
const NO_DIMENSIONS = 'This model’s embeddings have one length only.';
const CONTEXT = 'This model’s context has %1 tokens, and the request needs more.';
const ROOM = 'This model takes %2 tokens at most, and the input has %1.';
const SCHEMA = 'The model’s engine cannot follow this JSON schema.';
const FORMAT = '%format';
const TOOLS = 'The model’s engine cannot read these tools.';
const NO_PARSER = 'The engine of this model was started without a parser for tool calls.';

const asFailure = (row: Row): Row => ({ ...row, isAlsoFailure: true });

/** In this order: the first row that fits is taken. */
const ROWS: Readonly<Record<Engine, readonly Row[]>> = {
  'llama.cpp': [
    asFailure(unsupported(/^(image|audio|video) input is not supported/, '%prompt', NO_MEDIA)),
    tooLong(/\((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/, ROOM),
    asFailure(tooLong(/^input \((\d+) tokens\) is too large to process.*batch size: (\d+)/s, ROOM)),
    tooLong(/exceeds? the available context size|too large to process/, 'The input is longer than this model takes.'),
    unsupported(/does not support (embeddings|reranking)/, 'model', NO_ENDPOINT),
    {
      said: /^Field 'n': .*<= (\d+),/,
      code: 'integer_above_max_value',
      param: 'n',
      detail: 'n may be %1 at most with this model.',
    },
    {
      said: /number of slots/,
      code: 'integer_above_max_value',
      param: 'n',
      detail: 'n is larger than this model’s engine takes.',
    },
    asFailure(wrong(/^Failed to parse tools/, 'tools', TOOLS)),
    asFailure(wrong(/^Failed to (load|decode|parse|fetch|download) .*(image|audio|media|url)/i, '%prompt', UNREADABLE)),
    wrong(/JSON schema|json_schema|grammar/i, FORMAT, SCHEMA),
    asFailure(wrong(/^Failed to parse messages/, '%prompt', UNREADABLE_MESSAGES)),
    wrong(/content|assistant message/, '%prompt', UNREADABLE_MESSAGES),
    wrong(/invalid tokens/, '%prompt', 'The prompt has tokens that this model does not know.'),
    wrong(/"prompt" elements/, '%prompt', 'The prompt has to be a string, a list of strings, or tokens.'),
  ],
  vllm: [
    tooLong(/maximum (?:context|model) length (?:is|of) (\d+)/, CONTEXT),
    tooLong(
      /maximum context length|longer than the maximum model length|max_model_len/,
      'The input is longer than this model takes.',
    ),
    unsupported(/At most 0 (image|audio|video)/, '%prompt', NO_MEDIA),
    unsupported(
      /not a multimodal model|multi-?modal (?:data|input)s? (?:is|are) not supported/i,
      '%prompt',
      'This model takes text only.',
    ),
    wrong(/At most (\d+) (image|audio|video)/, '%prompt', 'This model takes %1 pieces of %2 input at most.'),
    wrong(/(cannot identify|failed to (?:load|fetch|download)).*(image|audio|media|url)/i, '%prompt', UNREADABLE),
    unsupported(/requires --enable-auto-tool-choice|--tool-call-parser/, 'tools', NO_PARSER),
    unsupported(/matryoshka|changing output dimensions/i, 'dimensions', NO_DIMENSIONS),
    unsupported(/does not support \w+ API|^Not Found$/i, 'model', NO_ENDPOINT),
    wrong(/guided|structured.?output|grammar|json.?schema|xgrammar|response_format/i, FORMAT, SCHEMA),
    wrong(
      /chat template|roles must alternate|Conversation roles/i,
      '%prompt',
      'The model’s template cannot put these messages in order.',
    ),
  ],
  sglang: [
    tooLong(/context length \((\d+) tokens\)|maximum context length of (\d+)|maximum allowed length \((\d+)/, CONTEXT),
    tooLong(/context length|maximum allowed length/, 'The input is longer than this model takes.'),
    unsupported(/--is-embedding|embedding model/, 'model', NO_ENDPOINT),
    unsupported(/does not support (image|audio|video)/i, '%prompt', NO_MEDIA),
    unsupported(/not a multimodal model|multimodal/i, '%prompt', 'This model takes text only.'),
    wrong(/(cannot identify|failed to (?:load|fetch|download)).*(image|audio|media|url)/i, '%prompt', UNREADABLE),
    unsupported(/matryoshka|dimensions/i, 'dimensions', NO_DIMENSIONS),
    unsupported(/--tool-call-parser|tool.?call.?parser/i, 'tools', NO_PARSER),
    unsupported(/^Not Found$/i, 'model', NO_ENDPOINT),
    wrong(/grammar|json.?schema|regex|response_format/i, FORMAT, SCHEMA),
    wrong(
      /chat template|roles must alternate|Conversation roles/i,
      '%prompt',
      'The model’s template cannot put these messages in order.',
    ),
  ],
};

/** Statuses for which the engine itself is to blame, or we are: nothing that its client could mend. */
const NOT_THE_CLIENTS = new Set([401, 403, 405, 408, 415]);
const NOT_ABLE = 501;
const MOST_MESSAGE_LETTERS = 4_096;

/** Undefined: its client is not to blame, and another try may succeed. */
export function clientFault(engine: Engine, asked: Asked, status: number, answer: string): Refusal | undefined {
  const message = messageIn(answer).slice(0, MOST_MESSAGE_LETTERS);
  for (const { said, code, param, detail, isAlsoFailure } of ROWS[engine]) {
    if (status >= 500 && status !== NOT_ABLE && !isAlsoFailure) continue;
    const found = said.exec(message);
    if (found)
      return refusal(
        engine,
        asked,
        { code, param, detail },
        found.slice(1).filter((one) => one !== undefined),
      );
  }
  if (status === NOT_ABLE)
    return refusal(engine, asked, { code: 'unsupported_value', param: 'model', detail: NO_ENDPOINT });
  if (status < 400 || status >= 500 || status === 429 || NOT_THE_CLIENTS.has(status)) return undefined;
  const named = fieldIn(message, asked);
  if (named !== undefined)
    return refusal(engine, asked, {
      code: 'invalid_value',
      param: named,
      detail: `%engine does not take this value of ${named}.`,
    });
  return refusal(engine, asked, {
    code: 'invalid_value',
    param: '',
    detail: '%engine, this model’s engine, does not take this request.',
  });
}

function refusal(engine: Engine, asked: Asked, row: Omit<Row, 'said'>, found: readonly string[] = []): Refusal {
  const isResponse = asked.endpoint === '/v1/responses';
  const words: Readonly<Record<string, string>> = {
    prompt: factsOf(asked.endpoint).prompt[0] ?? '',
    format: isResponse ? 'text.format' : 'response_format',
    engine: ENGINE_FACTS[engine].label,
    1: found[0] ?? '',
    2: found[1] ?? '',
  };
  const filled = (text: string) => text.replace(/%(\w+)/g, (_all, name: string) => words[name] ?? '');
  const param = filled(row.param);
  return new Refusal(row.code, { detail: filled(row.detail) }, { param: param === '' ? null : param });
}

/** A field of the request that the message names, as llama.cpp and FastAPI do. */
function fieldIn(message: string, { body }: Asked): string | undefined {
  for (const [, name = ''] of message.matchAll(/\b([a-z][a-z_]{1,40})\b/g))
    if (name !== 'model' && name !== 'stream' && Object.hasOwn(body, name)) return name;
  return undefined;
}

/** Engines have several shapes of errors. */
function messageIn(answer: string): string {
  try {
    const json = JSON.parse(answer) as Record<string, unknown>;
    const error = (typeof json.error === 'object' && json.error !== null ? json.error : json) as Record<
      string,
      unknown
    >;
    const said = [error.message, error.detail, json.error].find((one) => one !== undefined);
    return typeof said === 'string' ? said : JSON.stringify(said ?? '');
  } catch {
    return answer;
  }
}
