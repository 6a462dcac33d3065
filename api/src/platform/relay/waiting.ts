// The requests that a service's first replica is awaited for: in order, and bounded in number, bytes and time.

export interface Waiter {
  /** A replica is ready. */
  go: () => void;
  refuse: (why: 'too_many_waiting' | 'start_too_slow') => void;
  /** The bytes of its head; its body is not read meanwhile. */
  bytes: number;
}

/** The most bytes of all services of one gateway. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The most bytes of one service. */
const MOST_BYTES_EACH = 16 * 1024 * 1024;

export class WaitingBytes {
  used = 0;
}

export class Waiting {
  readonly #all: WaitingBytes;
  readonly #after: (ms: number, run: () => void) => () => void;
  readonly #waiters = new Map<Waiter, () => void>();
  #bytes = 0;

  constructor(all: WaitingBytes, after: (ms: number, run: () => void) => () => void) {
    this.#all = all;
    this.#after = after;
  }

  get count(): number {
    return this.#waiters.size;
  }

  /** Refuses at once what is too much. Returns whether it waits. */
  add(waiter: Waiter, most: { requests: number; seconds: number }): boolean {
    const { bytes } = waiter;
    const isRoom =
      this.#waiters.size < most.requests &&
      this.#bytes + bytes <= MOST_BYTES_EACH &&
      this.#all.used + bytes <= MOST_BYTES;
    if (!isRoom) {
      waiter.refuse('too_many_waiting');
      return false;
    }
    const cancel = this.#after(most.seconds * 1000, () => {
      if (this.remove(waiter)) waiter.refuse('start_too_slow');
    });
    this.#waiters.set(waiter, cancel);
    this.#bytes += bytes;
    this.#all.used += bytes;
    return true;
  }

  /** False if it no longer waits. */
  remove(waiter: Waiter): boolean {
    const cancel = this.#waiters.get(waiter);
    if (!cancel) return false;
    cancel();
    this.#waiters.delete(waiter);
    this.#bytes -= waiter.bytes;
    this.#all.used -= waiter.bytes;
    return true;
  }

  /** All of them, the oldest first. */
  release(each: (waiter: Waiter) => void): void {
    for (const waiter of [...this.#waiters.keys()]) if (this.remove(waiter)) each(waiter);
  }
}
