// Calls of the API, typed by the contract: the session's token, the person's language, thirty seconds, and the envelope taken off.
import type { Call, InputOf, ListPage, OutputOf } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ApiProblem, type ClientFailure } from './api-problem.ts';

export const BASE = '/api';
const LIMIT_MS = 30_000;

/** Any route's input, as the frame handles it. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** The same for each try of one wish, so that it is done once. */
  idempotencyKey?: string;
  /** Beside those that every call carries. */
  headers?: Readonly<Record<string, string>>;
}

export interface ApiParts {
  token(): string | undefined;
  language: string;
  /** Sentences for failures without a server's answer. */
  failures: Readonly<Record<ClientFailure, string>>;
  /** Called with every 401 and 403, in addition to the caller. */
  onDenied?: (problem: ApiProblem) => void;
}

/** On a write's answer and on later reads: `gpuinstances=4711`, several kinds separated by commas. */
const VERSION = 'X-Gantry-Version';

export class Api {
  readonly #parts: ApiParts;
  /** The newest version of each kind, by its plural name, that this tab knows of. */
  readonly #versions = new Map<string, number>();

  constructor(parts: ApiParts) {
    this.#parts = parts;
  }

  /** Rejects with an ApiProblem, or with an AbortError where `signal` was aborted. */
  async call<F extends RouteFacts>(call: Call<F>, input: InputOf<F>, options: CallOptions = {}): Promise<OutputOf<F>> {
    const response = await this.#sendKnowing(call, input as AnyInput, options);
    return this.#unwrapped(call, response, options.signal) as Promise<OutputOf<F>>;
  }

  /** Records this version of a kind, by its plural name: the gateway that answers the next read may not have it yet. */
  knows(plural: string, version: string): void {
    this.#versions.set(plural, Math.max(this.#versions.get(plural) ?? 0, Number(version)));
  }

  /** A read waits until its gateway has the versions known here. */
  async #sendKnowing(call: Call, input: AnyInput, options: CallOptions): Promise<Response> {
    if (call.method !== 'GET' || this.#versions.size === 0) return this.send(call, input, options);
    const known = [...this.#versions].map(([plural, version]) => `${plural}=${version}`).join();
    const headers = { ...options.headers, [VERSION]: known };
    return this.send(call, input, { ...options, headers }).catch((error: unknown) => {
      if (!(error instanceof ApiProblem) || error.status !== 503) throw error;
      // It has waited for seconds and is still behind: its data are better than nothing. The known versions may come from a
      // cluster that was restored: until something newer arrives, nobody waits for them again.
      this.#versions.clear();
      return this.send(call, input, options);
    });
  }

  /** The bare response, where the answer is a file or the body is not JSON. Rejects as `call` does. */
  async send(
    call: Call,
    input: AnyInput,
    { signal, idempotencyKey, headers: more, ...init }: CallOptions & Omit<RequestInit, 'headers'> = {},
  ) {
    const limit = call.isExempt ? undefined : AbortSignal.timeout(LIMIT_MS);
    const signals = [signal, limit].filter((each) => each !== undefined);
    const isJson = input.body !== undefined && init.body === undefined;
    const headers: Record<string, string> = {
      ...this.headers(),
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(call.takesIdempotencyKey && idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...more,
    };
    const response = await fetch(urlOf(call.path, input), {
      method: call.method,
      ...(isJson && { body: JSON.stringify(input.body) }),
      ...init,
      headers,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw this.failure(limit?.aborted ? 'timed_out' : 'network');
    });
    if (!response.ok) throw await this.problemOf(response);
    const [, plural, version] = /^([a-z]+)=(\d+)$/.exec(response.headers.get(VERSION) ?? '') ?? [];
    if (plural !== undefined && version !== undefined) this.knows(plural, version);
    return response;
  }

  /** The headers of every call. */
  headers(): Record<string, string> {
    const token = this.#parts.token();
    return { 'Accept-Language': this.#parts.language, ...(token !== undefined && { 'X-Token': token }) };
  }

  async #unwrapped({ answer }: Call, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    if (answer === 'file' || answer === 'stream' || response.status === 204) return undefined;
    const envelope: Envelope | undefined = await response.json().catch((error: unknown) => {
      if (signal?.aborted) throw error;
      // A body that is not JSON is not understood; one that broke off counts as missing.
      if (error instanceof SyntaxError) return undefined;
      throw this.failure((error as Error).name === 'TimeoutError' ? 'timed_out' : 'network');
    });
    if (answer === 'raw') return envelope;
    if (envelope?.code !== 0) throw this.failure('bad_answer');
    switch (answer) {
      case 'result':
        return envelope.result;
      case 'data':
        return envelope.data;
      case 'list':
        return pageOf(envelope);
      default:
        return undefined;
    }
  }

  /** The problem in an unsuccessful answer, for calls that `fetch` does not make. */
  async problemOf(response: Response): Promise<ApiProblem> {
    const body = await response.json().catch(() => undefined);
    if (typeof body?.code !== 'number' || typeof body.message !== 'string') {
      return this.failure('bad_answer', response.status);
    }
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    const problem = new ApiProblem({
      ...body,
      status: response.status,
      requestId: body.request_id,
      ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
    });
    if (problem.status === 401 || problem.status === 403) this.#parts.onDenied?.(problem);
    return problem;
  }

  failure(error: ClientFailure, status = 0): ApiProblem {
    return new ApiProblem({ status, code: 0, error, message: this.#parts.failures[error] });
  }
}

interface Envelope {
  code?: number;
  result?: unknown;
  data?: readonly unknown[];
  paginated?: { page: number; size: number; total_num: number; total_page: number; extra: Record<string, unknown> };
}

function pageOf({ data = [], paginated }: Envelope): ListPage<unknown> {
  const { page = 1, size = data.length, total_num = data.length, total_page = 1, extra = {} } = paginated ?? {};
  return { items: data, page, size, total: total_num, totalPages: total_page, extra };
}

/** Below /api; parameters are escaped, absent members of the query left out. */
export function urlOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
  return `${BASE}${filled}${pairs.length > 0 ? `?${search}` : ''}`;
}
