// One stream for all tabs of a browser: the tab that holds the lock has it and forwards its events; when it closes, the next one
// in the queue continues where it stopped. A browser may suspend the leading tab, lock and all: a visible tab that has heard
// nothing for long takes its place. Without locks each tab has its own stream.
import type { LiveEvent, LiveState } from './live-stream.ts';

/** The work of the leading tab. */
export interface Stream {
  start(): void;
  stop(): void;
}

export interface StreamListener {
  onEvent(event: LiveEvent): void;
  onState(state: LiveState): void;
}

/** The part of Web Locks that is used. */
export interface Locks {
  request(
    name: string,
    options: { signal: AbortSignal } | { steal: true },
    held: () => Promise<void>,
  ): Promise<unknown>;
}

/** How often the leader reports that it is alive. Timers of hidden tabs may run only once a minute. */
export const BEAT_MS = 20_000;
/** After this many missed beats the leader counts as suspended. */
export const MOST_SILENT_BEATS = 5;

export interface Channel {
  postMessage(said: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  close(): void;
}

export interface SharedLiveParts {
  /** The same for all tabs that may share: of one person, organisation and language. */
  name: string;
  locks?: Locks;
  openChannel?(name: string): Channel;
  openStream(listener: StreamListener, lastId: string): Stream;
  onEvent(event: LiveEvent): void;
  onState(state: LiveState): void;
  /** Changes may have been missed without a report. */
  onGap(): void;
  /** Gives what stops it. */
  every(ms: number, run: () => void): () => void;
  /** Whether somebody looks at this tab. */
  isSeen(): boolean;
}

/** Messages between tabs. */
type Said =
  | { readonly what: 'hello' | 'retry' | 'beat' }
  | { readonly what: 'event'; readonly event: LiveEvent }
  | { readonly what: 'state'; readonly state: LiveState; readonly lastId: string };

export class SharedLive {
  readonly #parts: SharedLiveParts;
  readonly #over = new AbortController();
  readonly #channel: Channel | undefined;
  #stream: Stream | undefined;
  #state: LiveState = { status: 'connecting' };
  #hasConnected = false;
  #lastId = '';
  #letGo: (() => void) | undefined;
  /** Calls off waiting for the lock. */
  #wait: AbortController | undefined;
  #stopBeat: (() => void) | undefined;
  #silentBeats = 0;

  constructor(parts: SharedLiveParts) {
    this.#parts = parts;
    const { name, locks, openChannel } = parts;
    if (!locks || !openChannel) {
      this.#lead();
      return;
    }
    this.#channel = openChannel(name);
    this.#channel.addEventListener('message', ({ data }) => this.#hear(data as Said));
    this.#say({ what: 'hello' });
    this.#stopBeat = parts.every(BEAT_MS, () => this.#beat(locks));
    this.#queue(locks);
  }

  get isLeading(): boolean {
    return this.#stream !== undefined;
  }

  retry(): void {
    if (this.#stream) this.#stream.start();
    else this.#say({ what: 'retry' });
  }

  stop(): void {
    this.#over.abort();
    this.#wait?.abort();
    this.#stopBeat?.();
    this.#stream?.stop();
    this.#stream = undefined;
    this.#letGo?.();
    this.#channel?.close();
  }

  /** Waits for its turn. */
  #queue(locks: Locks): void {
    const wait = new AbortController();
    this.#wait = wait;
    this.#request(locks, { signal: wait.signal }).catch((error: unknown) => {
      // It rejects when it is called off while it waits, and when another has taken it.
      if (!wait.signal.aborted) this.#robbed(locks, error);
    });
  }

  #request(locks: Locks, options: { signal: AbortSignal } | { steal: true }): Promise<unknown> {
    return locks.request(
      this.#parts.name,
      options,
      () =>
        new Promise<void>((letGo) => {
          this.#letGo = letGo;
          this.#lead();
        }),
    );
  }

  #beat(locks: Locks): void {
    if (this.#stream) this.#say({ what: 'beat' });
    else if (this.#parts.isSeen() && ++this.#silentBeats >= MOST_SILENT_BEATS) {
      this.#silentBeats = 0;
      this.#wait?.abort();
      this.#request(locks, { steal: true }).catch((error: unknown) => this.#robbed(locks, error));
    }
  }

  /** Another tab leads: this one was taken for suspended. */
  #robbed(locks: Locks, error: unknown): void {
    if (this.#over.signal.aborted) return;
    if ((error as Error).name !== 'AbortError') throw error;
    this.#stream?.stop();
    this.#stream = undefined;
    this.#silentBeats = 0;
    this.#queue(locks);
    this.#say({ what: 'hello' });
  }

  #lead(): void {
    if (this.#over.signal.aborted) {
      this.#letGo?.();
      return;
    }
    const listener: StreamListener = {
      onEvent: (event) => {
        this.#lastId = event.id;
        this.#parts.onEvent(event);
        this.#say({ what: 'event', event });
      },
      onState: (state) => {
        this.#tell(state);
        this.#say({ what: 'state', state, lastId: this.#lastId });
      },
    };
    this.#stream = this.#parts.openStream(listener, this.#lastId);
    this.#stream.start();
  }

  #hear(said: Said): void {
    if (this.#over.signal.aborted) return;
    if (said.what !== 'hello' && said.what !== 'retry') this.#silentBeats = 0;
    if (this.#stream) {
      if (said.what === 'hello') this.#say({ what: 'state', state: this.#state, lastId: this.#lastId });
      else if (said.what === 'retry') this.#stream.start();
    } else if (said.what === 'event') {
      this.#lastId = said.event.id;
      this.#parts.onEvent(said.event);
    } else if (said.what === 'state') {
      this.#lastId = said.lastId;
      this.#tell(said.state);
    }
  }

  #tell(state: LiveState): void {
    this.#state = state;
    this.#parts.onState(state);
    if (state.status !== 'connected') return;
    // Data that this tab read before it heard the stream may be older; without a position, nothing is sent about the time
    // between.
    if (!this.#hasConnected || this.#lastId === '') this.#parts.onGap();
    this.#hasConnected = true;
  }

  #say(said: Said): void {
    this.#channel?.postMessage(said);
  }
}
