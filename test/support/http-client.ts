// A client of the gateway, like a browser: fetch, a token, and the contract's route table for inputs and outputs.
import type { BodyOf, ParamsOf, QueryOf, RouteFacts } from '@gantry/contract/http/define-route.ts';
import type * as z from 'zod';

/** The result inside a success's envelope. */
type ResultOf<F extends RouteFacts> = F['answer'] extends { result: infer S extends z.ZodType }
  ? z.output<S>
  : F['answer'] extends { data: infer S extends z.ZodType }
    ? z.output<S>
    : F['answer'] extends { list: infer S extends z.ZodType }
      ? z.output<S>[]
      : F['answer'] extends { raw: infer S extends z.ZodType }
        ? z.output<S>
        : undefined;

type InputOf<Part> = Part extends z.ZodType ? z.input<Part> : never;

/** A call's inputs: params, query and body, if the route has them. */
export interface CallInput<F extends RouteFacts> {
  params?: F['params'] extends z.ZodType ? { [K in keyof ParamsOf<F>]: string | number } : never;
  query?: F['query'] extends z.ZodType ? Partial<Record<keyof QueryOf<F>, string | number | boolean>> : never;
  body?: BodyOf<F> extends undefined ? never : InputOf<F['body']>;
  headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; text if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what stands in a refusal is what its test asks about
  readonly body: any;
}

export class HttpClient {
  readonly #address: () => string;
  readonly token: string | undefined;

  /** `address` is read at each call: a restarted gateway may have another. */
  constructor(address: () => string, token?: string) {
    this.#address = address;
    this.token = token;
  }

  with(token: string): HttpClient {
    return new HttpClient(this.#address, token);
  }

  /** The URL of a path below the gateway's root. */
  url(path: string): URL {
    return new URL(path, this.#address());
  }

  fetch(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const own = { ...(this.token !== undefined && { 'x-token': this.token }), 'accept-language': 'en' };
    return fetch(this.url(path), { ...init, headers: { ...own, ...(headers as Record<string, string>) } });
  }

  /** Whatever is answered, as it comes. */
  open<F extends RouteFacts>(route: F, input: CallInput<F> = {}): Promise<Response> {
    const { params = {}, query = {}, body, headers = {} } = input as CallInput<RouteFacts> & { body?: unknown };
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String((params as Record<string, unknown>)[name])),
    );
    const asked = new URLSearchParams(
      Object.entries<unknown>(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.fetch(`/api${path}${asked.size > 0 ? `?${asked}` : ''}`, {
      method: route.method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Whatever is answered. */
  async call<F extends RouteFacts>(route: F, input: CallInput<F> = {}): Promise<Reply> {
    const answer = await this.open(route, input);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** The result of a success. Throws any other answer. */
  async must<F extends RouteFacts>(route: F, input: CallInput<F> = {}): Promise<ResultOf<F>> {
    const { status, body } = await this.call(route, input);
    if (status >= 300) throw new Error(`${route.id}: ${status} ${JSON.stringify(body)}`);
    return 'raw' in route.answer ? body : (body.result ?? body.data);
  }
}
