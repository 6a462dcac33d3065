// A browser's stream: messages and changes as they happen. It reconnects automatically from the position it had reached, until it
// is stopped on purpose or nobody is logged in any more.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ErrorEvent, EventSource } from 'eventsource';
import { type Api, urlOf } from '../client/api.ts';
import { ApiProblem, sentenceOf } from '../client/api-problem.ts';

export const RECONNECT_MS = 3_000;

export type LiveState =
  | { readonly status: 'connecting' | 'connected' }
  | { readonly status: 'failed'; readonly error: string };

/** `message` is a page of messages, `resource` and `reset` as the contract has them. */
export interface LiveEvent {
  readonly name: 'message' | 'resource' | 'reset';
  readonly data: unknown;
  /** The position after it; empty if there is none. */
  readonly id: string;
}

const NAMES = ['message', 'resource', 'reset'] as const;

export interface LiveStreamParts {
  api: Api;
  token(): string | undefined;
  /** Reported if there is no token. */
  noToken: string;
  onEvent(event: LiveEvent): void;
  onState(state: LiveState): void;
}

const INPUT = { query: { cursor: '0', watch: '*' } };

export class LiveStream {
  readonly #parts: LiveStreamParts;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId: string;
  #failure: unknown;

  /** `lastId`: the position from which missed events are sent. */
  constructor(parts: LiveStreamParts, lastId = '') {
    this.#parts = parts;
    this.#lastId = lastId;
  }

  /** At once, whether it waits or is connected. */
  start(): void {
    this.stop();
    const { token, noToken, onState } = this.#parts;
    if (token() === undefined) {
      onState({ status: 'failed', error: noToken });
      return;
    }
    onState({ status: 'connecting' });
    this.#connect();
  }

  /** Deliberately: it does not come back. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #connect(): void {
    const { onEvent, onState } = this.#parts;
    this.#failure = undefined;
    const source = new EventSource(new URL(urlOf(CALLS.streamMessages.path, INPUT), location.origin), {
      fetch: (_, init) => this.#send(init),
    });
    this.#source = source;
    source.addEventListener('open', () => onState({ status: 'connected' }));
    source.addEventListener('error', (event) => this.#failed(source, event));
    for (const name of NAMES)
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent) => {
        this.#lastId = lastEventId;
        onEvent({ name, data: JSON.parse(data), id: lastEventId });
      });
  }

  async #send({ signal, headers }: { signal: AbortSignal; headers: Record<string, string> }): Promise<Response> {
    // A tab that takes over begins where the former one stopped.
    const place = this.#lastId === '' ? {} : { 'Last-Event-ID': this.#lastId };
    const token = this.#parts.token();
    const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    try {
      return await this.#parts.api.send(CALLS.streamMessages, INPUT, {
        signal,
        headers: { ...bearer, ...place, ...headers },
        cache: 'no-store',
      });
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #failed(source: EventSource, event: Event): void {
    if (source !== this.#source) return;
    const failure = this.#failure;
    const sentence =
      failure !== undefined ? sentenceOf(failure) : event instanceof ErrorEvent ? (event.message ?? '') : '';
    source.close();
    this.#source = undefined;
    this.#parts.onState({ status: 'failed', error: sentence });
    const isOver = failure instanceof ApiProblem && (failure.status === 401 || failure.status === 403);
    if (!isOver) this.#timer = setTimeout(() => this.start(), RECONNECT_MS);
  }
}
