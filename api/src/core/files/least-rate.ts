// Whether who sends or takes bytes is fast enough to hold a place that others wait for. Only the time in which they are waited for counts:
// what our own store takes is no fault of theirs.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Watch } from '../../platform/passed-on.ts';

/** At least so much in each such time of waiting, and a place is lost. */
export interface Least {
  readonly bytes: number;
  readonly windowMs: number;
  slow(least: Pick<Least, 'bytes' | 'windowMs'>): Error;
}

/** What a file counts beside its bytes, as a part of the least: of many small ones each takes a request. */
const FILE_PART = 1 / 4;

export class LeastRate {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly #least: Least;
  readonly #over = new AbortController();
  #bytes = 0;
  #waitedMs = 0;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>, least: Least) {
    this.#clock = clock;
    this.#least = least;
  }

  /** Aborts with what `slow` says, or with the reason that `end` was given. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  end(reason: unknown): void {
    this.#over.abort(reason);
  }

  /** The same chunks of one more file, whose sender is watched. */
  async *sent(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#bytes += this.#least.bytes * FILE_PART;
    const each = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const spoken = this.#wait();
        const { value, done } = await each.next().finally(spoken);
        if (done) return;
        this.#bytes += value.length;
        yield value;
      }
    } finally {
      await each.return?.();
    }
  }

  /** Watches the sender of one more body. */
  watch(): Watch {
    this.#bytes += this.#least.bytes * FILE_PART;
    let spoken = () => {};
    return {
      wants: () => {
        spoken = this.#wait();
      },
      came: ({ length }) => {
        this.#bytes += length;
      },
      full: () => spoken(),
      ended: () => spoken(),
    };
  }

  /** The same chunks, whose reader is watched. */
  async *taken(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      const taken = this.#wait();
      try {
        yield chunk;
      } finally {
        taken();
      }
      this.#bytes += chunk.length;
    }
  }

  /** They are waited for until the function that it returns is called. */
  #wait(): () => void {
    const clock = this.#clock;
    let since = clock.monotonic();
    let cancel = () => {};
    const look = () => {
      const now = clock.monotonic();
      this.#waitedMs += now - since;
      since = now;
      if (this.#waitedMs >= this.#least.windowMs) this.#judge();
    };
    const again = () => {
      cancel = clock.after(Math.max(1, this.#least.windowMs - this.#waitedMs), () => {
        look();
        if (!this.signal.aborted) again();
      });
    };
    again();
    return () => {
      cancel();
      look();
    };
  }

  #judge(): void {
    if (this.#bytes < this.#least.bytes) this.end(this.#least.slow(this.#least));
    [this.#bytes, this.#waitedMs] = [0, 0];
  }
}
