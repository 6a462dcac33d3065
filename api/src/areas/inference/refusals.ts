// The refusals of /v1, in the shape that OpenAI's clients read. In English, as theirs are: programs read them.
import type { ServerResponse } from 'node:http';

interface Facts {
  status: number;
  type: string;
  /** `%{…}` are arguments. */
  message: string;
  retryAfterSeconds?: number;
  /** Clients that try again by themselves need not. */
  isFinal?: true;
}

/** One row each; the key is the `code` of the answer. */
export const REFUSALS = {
  invalid_json: { status: 400, type: 'invalid_request_error', message: 'The body is not a JSON object: %{detail}.' },
  invalid_value: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  invalid_type: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  missing_required_parameter: {
    status: 400,
    type: 'invalid_request_error',
    message: 'Missing required parameter: %{param}.',
  },
  unknown_parameter: { status: 400, type: 'invalid_request_error', message: 'Unknown parameter: %{param}.' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  unsupported_value: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  integer_above_max_value: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error', message: '%{detail}' },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message:
      'This is no valid API token. Send one as "Authorization: Bearer …"; the console makes them, under Account.',
  },
  credit_needed: {
    status: 402,
    type: 'insufficient_quota',
    message: 'There is not enough credit for the largest cost of this request: %{detail}.',
  },
  not_permitted: {
    status: 403,
    type: 'permission_error',
    message: 'This API token may not use models: it lacks the right "use".',
  },
  knowledge_not_permitted: {
    status: 403,
    type: 'permission_error',
    message: 'This API token may not see datasets: it lacks the right "view".',
  },
  model_not_found: {
    status: 404,
    type: 'invalid_request_error',
    message: 'The model "%{model}" does not exist, or you have no access to it.',
  },
  knowledge_not_found: {
    status: 404,
    type: 'invalid_request_error',
    message: 'The dataset "%{dataset}", or this version of it, does not exist, or you have no access to it.',
  },
  knowledge_none: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The dataset "%{dataset}" has no knowledge base here. A task of the type KnowledgeBase makes one.',
  },
  knowledge_other_vectors: {
    status: 409,
    type: 'invalid_request_error',
    message:
      'The model "%{model}" answers with vectors of %{is} numbers, and this knowledge base was made with %{was}. Build the knowledge base again.',
  },
  knowledge_refused: { status: 422, type: 'invalid_request_error', message: '%{detail}' },
  unknown_url: { status: 404, type: 'invalid_request_error', message: 'There is nothing at %{path}.' },
  method_not_allowed: { status: 405, type: 'invalid_request_error', message: '%{path} takes %{method}.' },
  request_too_slow: { status: 408, type: 'invalid_request_error', message: 'The body did not arrive in time.' },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    message: 'The body is larger than %{most} bytes.',
  },
  wrong_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'The body has to be JSON: send "Content-Type: application/json".',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'This API token may send %{most} %{what} a minute.',
  },
  budget_exceeded: {
    status: 429,
    type: 'insufficient_quota',
    message: 'The budget of this API token is used up: %{most} %{what}. It begins anew %{again}.',
    isFinal: true,
  },
  budget_in_use: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'Requests under way may use up the budget of this API token: %{most} %{what}. Try again once some of them have ended.',
    retryAfterSeconds: 5,
  },
  too_many_attempts: {
    status: 429,
    type: 'rate_limit_error',
    message: 'This address has tried too many tokens that are nobody’s.',
    retryAfterSeconds: 60,
  },
  internal: { status: 500, type: 'server_error', message: 'The gateway failed. Its log has the request id.' },
  engine_failed: {
    status: 502,
    type: 'server_error',
    message: 'The model’s engine failed before it had answered in full: %{detail}.',
  },
  engine_died: {
    status: 502,
    type: 'server_error',
    message: 'The model’s engine stopped in the middle of its answer. What came before is incomplete.',
  },
  engine_ran_on: {
    status: 502,
    type: 'server_error',
    message: 'The model’s engine sent more than was asked for, and was cut off.',
  },
  model_stopped: {
    status: 503,
    type: 'server_error',
    message: 'The model "%{model}" is stopped.',
    retryAfterSeconds: 60,
  },
  model_unpaid: {
    status: 402,
    type: 'insufficient_quota',
    message: 'The model "%{model}" cannot start: there is no credit for it.',
  },
  model_failing: {
    status: 503,
    type: 'server_error',
    message: 'The model "%{model}" does not start. Its page in the console says why.',
    retryAfterSeconds: 60,
  },
  model_overloaded: {
    status: 503,
    type: 'server_error',
    message: 'Too many requests are under way to, or wait for, the model "%{model}".',
    retryAfterSeconds: 5,
  },
  model_not_ready: {
    status: 503,
    type: 'server_error',
    message: 'The model "%{model}" is starting, and was not ready in time.',
    retryAfterSeconds: 30,
  },
  knowledge_preparing: {
    status: 503,
    type: 'server_error',
    message: 'The knowledge base is being loaded (%{percent} %). Try again in a few seconds.',
    retryAfterSeconds: 3,
  },
  knowledge_unavailable: { status: 503, type: 'server_error', message: '%{detail}', retryAfterSeconds: 3 },
  knowledge_overloaded: {
    status: 503,
    type: 'server_error',
    message: 'Your organisation has %{most} searches under way.',
    retryAfterSeconds: 1,
  },
  usage_unwritten: {
    status: 503,
    type: 'server_error',
    message: 'Usage cannot be recorded just now.',
    retryAfterSeconds: 5,
  },
  engine_silent: { status: 504, type: 'server_error', message: 'The model’s engine did not answer in time.' },
} as const satisfies Record<string, Facts>;
export type RefusalCode = keyof typeof REFUSALS;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly param: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly #retryAfterSeconds: number | undefined;

  constructor(
    code: RefusalCode,
    args: Readonly<Record<string, string>> = {},
    { param = null, retryAfterSeconds }: { param?: string | null; retryAfterSeconds?: number } = {},
  ) {
    super(REFUSALS[code].message.replace(/%\{(\w+)\}/g, (_all, name: string) => args[name] ?? ''));
    this.code = code;
    this.args = args;
    this.param = param;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }

  get retryAfterSeconds(): number | undefined {
    const { retryAfterSeconds }: Facts = REFUSALS[this.code];
    return this.#retryAfterSeconds ?? retryAfterSeconds;
  }

  /** Beside those of every answer. */
  get headers(): Record<string, string> {
    const { isFinal }: Facts = REFUSALS[this.code];
    const { retryAfterSeconds } = this;
    return {
      ...(retryAfterSeconds !== undefined && { 'retry-after': `${retryAfterSeconds}` }),
      ...(isFinal && { 'x-should-retry': 'false' }),
    };
  }

  /** As JSON. */
  get body(): string {
    const { type } = REFUSALS[this.code];
    return JSON.stringify({ error: { message: this.message, type, param: this.param, code: this.code } });
  }
}

export const invalid = (param: string, detail: string) => new Refusal('invalid_value', { detail }, { param });
export const missing = (param: string) => new Refusal('missing_required_parameter', { param }, { param });
export const unsupportedValue = (param: string, detail: string) =>
  new Refusal('unsupported_value', { detail }, { param });
export const unsupportedParameter = (param: string, detail: string) =>
  new Refusal('unsupported_parameter', { detail }, { param });

/** A whole answer in JSON. */
export function writeJson(
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
  });
  res.end(body);
}
