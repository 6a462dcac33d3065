// One open stream. It never waits for its reader: a reader that is too slow for too long is cut off, and returns with the id of
// the last event it got.

/** The destination of a stream's bytes. */
export interface Sink {
  write(chunk: Buffer): void;
  /** Bytes that were written here and not taken by the network yet. */
  readonly backlog: number;
  /** Bytes that the network has taken so far. */
  readonly taken: number;
  /** Closes after what was written. */
  end(): void;
  /** Lets go at once. */
  destroy(): void;
}

export interface ClientLimits {
  /** A reader that has more than this to take is cut off. */
  backlogBytes: number;
  /** Heartbeats during which a reader that has something to take may take nothing. */
  stuckHeartbeats: number;
}

export const CLIENT_LIMITS: ClientLimits = { backlogBytes: 2 ** 20, stuckHeartbeats: 4 };

export class StreamClient {
  readonly #sink: Sink;
  readonly #limits: ClientLimits;
  readonly #left: () => void;
  /** Events to follow the beginning, which is being read from SQL. */
  #held: Buffer[] | undefined = [];
  #heldBytes = 0;
  #takenBefore = 0;
  #stuckFor = 0;
  #isOver = false;

  /** `left` is called once, however it ends. */
  constructor(sink: Sink, left: () => void, limits: ClientLimits = CLIENT_LIMITS) {
    this.#sink = sink;
    this.#left = left;
    this.#limits = limits;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends the beginning, and then what has arrived since the client joined. */
  begin(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#sink.write(chunk);
    for (const held of this.#held ?? []) this.#sink.write(held);
    this.#held = undefined;
  }

  write(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#held) {
      this.#held.push(chunk);
      this.#heldBytes += chunk.length;
      if (this.#heldBytes > this.#limits.backlogBytes) this.cut();
      return;
    }
    // Asked before and not after: of one burst a reader may be behind by any amount, and shares its bytes with all others.
    if (this.#sink.backlog > this.#limits.backlogBytes) this.cut();
    else this.#sink.write(chunk);
  }

  /** A socket whose other side is gone takes nothing any more, and says nothing of it. */
  beat(chunk: Buffer): void {
    const { backlog, taken } = this.#sink;
    this.#stuckFor = backlog > 0 && taken === this.#takenBefore ? this.#stuckFor + 1 : 0;
    this.#takenBefore = taken;
    if (this.#stuckFor >= this.#limits.stuckHeartbeats) this.cut();
    else if (!this.#held) this.write(chunk);
  }

  /** Lets the reader have what was written, and nothing more. */
  end(): void {
    if (this.#leave()) this.#sink.end();
  }

  cut(): void {
    if (this.#leave()) this.#sink.destroy();
  }

  /** The reader has gone. */
  closed(): void {
    this.#leave();
  }

  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#held = undefined;
    this.#left();
    return true;
  }
}
