// Which keys to work on next. A key is worked on by one worker at a time, waits in at most one line, and is worked on once more
// if it was added meanwhile. A failed key comes back with growing delays and never blocks others.
import { type BackOff, backOffMs } from '@gantry/kube/backoff.ts';
import type { Clock } from '@gantry/kube/clock.ts';

/** `changed` goes first; `resync` looks whether all is still well. */
export const PRIORITIES = ['changed', 'resync'] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface QueueParts {
  /** Works on a key; returns after how many milliseconds to see it again, if at all. A rejection is a failure. */
  work(key: string): Promise<number | undefined>;
  workers: number;
  clock: Clock;
  /** From 0 to 1. */
  chance?: () => number;
  /** Half chance, doubling: 5 to 10 ms at first, 7.5 to 15 s at most, so that all is well again 15 s after a fault ends. */
  backOff?: BackOff;
  /** A key's time between being due and being taken. */
  onTaken?: (waitedMs: number) => void;
}

/** The optional fields of a rejection. */
interface Failure {
  /** The server asked to be left alone this long: not even a change brings the key back earlier. */
  retryAfterMs?: number;
  /** By itself the key comes back no earlier than this; a change brings it back at once. */
  patienceMs?: number;
  /** Not even a change brings the key back before its pause is over. */
  holds?: boolean;
}

interface Entry {
  readonly key: string;
  waiting: Priority | undefined;
  /** Added while running. */
  again: Priority | undefined;
  running: boolean;
  failures: number;
  /** The server asked not to be bothered before (monotonic). */
  notBefore: number;
  dueSince: number;
  callOff: (() => void) | undefined;
}

export class WorkQueue {
  readonly #parts: Required<QueueParts>;
  readonly #entries = new Map<string, Entry>();
  /** Sets keep insertion order, and remove any member at once. */
  readonly #lines: Record<Priority, Set<Entry>> = { changed: new Set(), resync: new Set() };
  #running = 0;
  #open = false;
  #scheduled = false;
  #onIdle: () => void = () => {};

  constructor(parts: QueueParts) {
    this.#parts = {
      chance: Math.random,
      backOff: { firstMs: 10, mostMs: 15_000 },
      onTaken: () => {},
      ...parts,
    };
  }

  /** Keys waiting in this line now. */
  depth(priority: Priority): number {
    return this.#lines[priority].size;
  }

  /** Ignored while closed: a standby hears of every object, and works on none. Opening adds them all. */
  add(key: string, priority: Priority = 'changed'): void {
    if (!this.#open) return;
    const entry = this.#entry(key);
    if (entry.running) {
      entry.again = entry.again === 'changed' ? 'changed' : priority;
      return;
    }
    const earlyMs = entry.notBefore - this.#parts.clock.monotonic();
    if (earlyMs > 0) this.#later(entry, earlyMs);
    else this.#enqueue(entry, priority);
  }

  /** Keys are taken from now on. */
  open(): void {
    this.#open = true;
  }

  /** Takes no further key; resolves when running work has ended, or after `limitMs`. */
  close(limitMs: number): Promise<void> {
    this.#open = false;
    for (const entry of this.#entries.values()) entry.callOff?.();
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const callOff = this.#parts.clock.after(limitMs, resolve);
      this.#onIdle = () => {
        callOff();
        resolve();
      };
    });
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = {
        key,
        waiting: undefined,
        again: undefined,
        running: false,
        failures: 0,
        notBefore: 0,
        dueSince: 0,
        callOff: undefined,
      };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #enqueue(entry: Entry, priority: Priority): void {
    entry.callOff?.();
    entry.callOff = undefined;
    if (entry.waiting === priority || entry.waiting === 'changed') return;
    if (entry.waiting === undefined) entry.dueSince = this.#parts.clock.monotonic();
    else this.#lines[entry.waiting].delete(entry);
    entry.waiting = priority;
    this.#lines[priority].add(entry);
    this.#schedule();
  }

  #later(entry: Entry, ms: number): void {
    entry.callOff?.();
    entry.callOff = this.#parts.clock.after(ms, () => {
      entry.callOff = undefined;
      if (this.#entries.get(entry.key) === entry) this.#enqueue(entry, 'changed');
    });
  }

  /** Starts work from the event loop's next turn, a few keys at a time: ten thousand resyncs must not starve a lease. */
  #schedule(): void {
    if (this.#scheduled || !this.#open) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#open && this.#running < this.#parts.workers) {
        const entry = first(this.#lines.changed) ?? first(this.#lines.resync);
        if (!entry) return;
        void this.#run(entry);
      }
    });
  }

  async #run(entry: Entry): Promise<void> {
    if (entry.waiting) this.#lines[entry.waiting].delete(entry);
    entry.waiting = undefined;
    entry.running = true;
    this.#running++;
    this.#parts.onTaken(this.#parts.clock.monotonic() - entry.dueSince);
    let againInMs: number | undefined;
    try {
      againInMs = await this.#parts.work(entry.key);
      entry.failures = 0;
    } catch (error) {
      const { retryAfterMs = 0, patienceMs = 0, holds = false } = (error ?? {}) as Failure;
      entry.failures++;
      const pauseMs = backOffMs(this.#parts.backOff, entry.failures, this.#parts.chance());
      entry.notBefore = this.#parts.clock.monotonic() + Math.max(retryAfterMs, holds ? pauseMs : 0);
      againInMs = Math.max(retryAfterMs, patienceMs, pauseMs);
    }
    entry.running = false;
    this.#running--;
    this.#settle(entry, againInMs);
    if (this.#open) this.#schedule();
    else if (this.#running === 0) this.#onIdle();
  }

  #settle(entry: Entry, againInMs: number | undefined): void {
    const { again } = entry;
    entry.again = undefined;
    if (!this.#open) return;
    if (again) this.add(entry.key, again);
    else if (againInMs !== undefined) this.#later(entry, againInMs);
    else this.#entries.delete(entry.key);
  }
}

function first<T>(line: Iterable<T>): T | undefined {
  for (const entry of line) return entry;
  return undefined;
}
