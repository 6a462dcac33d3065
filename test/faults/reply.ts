// What the API server (or the proxy in its place) answered, once it is complete.

/** A whole answer; watches have none. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}
