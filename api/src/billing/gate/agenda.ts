// What is to be looked at, and when: each key once, however often it is asked for, and the keys of one lane one after the other.
// Level-triggered: a key says nothing of what happened. Work that fails is done again, later each time.
import type { Clock } from '@gantry/kube/clock.ts';

export interface AgendaParts {
  clock: Clock;
  /** Resolves with when to look again, if time alone may change the answer. */
  work(key: string): Promise<number | undefined>;
  laneOf(key: string): string;
  failed(key: string, error: unknown): void;
}

/** Lanes at work at once: each holds a connection to the database at most. */
const MOST_LANES = 4;
/** Of one lane in its turn. */
const MOST_KEYS = 50;
const FIRST_RETRY_MS = 200;
const MOST_RETRY_MS = 30_000;

export class Agenda {
  readonly #parts: AgendaParts;
  /** Lane → keys that are due. */
  readonly #due = new Map<string, Set<string>>();
  readonly #timers = new Map<string, { at: number; cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  readonly #working = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(parts: AgendaParts) {
    this.#parts = parts;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#callOff(key);
    const lane = this.#parts.laneOf(key);
    const keys = this.#due.get(lane) ?? new Set();
    this.#due.set(lane, keys.add(key));
    this.#begin();
  }

  /** Sooner counts; the work itself sets it anew. */
  addAt(key: string, at: number): void {
    const known = this.#timers.get(key);
    if (this.#isStopped || (known && known.at <= at)) return;
    if (at <= this.#parts.clock.now()) {
      this.add(key);
      return;
    }
    known?.cancel();
    const inMs = Math.max(0, at - this.#parts.clock.now());
    const cancel = this.#parts.clock.after(Math.min(inMs, MOST_TIMER_MS), () => {
      this.#timers.delete(key);
      if (inMs > MOST_TIMER_MS) this.addAt(key, at);
      else this.add(key);
    });
    this.#timers.set(key, { at, cancel });
  }

  forget(key: string): void {
    this.#callOff(key);
    this.#failures.delete(key);
    this.#due.get(this.#parts.laneOf(key))?.delete(key);
  }

  /** Nothing is begun any more; resolves when what is in hand has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of [...this.#timers.keys()]) this.#callOff(key);
    this.#due.clear();
    await Promise.all(this.#working.values());
  }

  /** Nothing is due and nothing in hand. */
  get isIdle(): boolean {
    return this.#working.size === 0 && [...this.#due.values()].every(({ size }) => size === 0);
  }

  #begin(): void {
    for (const [lane, keys] of this.#due) {
      if (this.#working.size >= MOST_LANES) return;
      if (keys.size === 0 || this.#working.has(lane)) continue;
      const work = this.#run(lane, keys).finally(() => {
        this.#working.delete(lane);
        // Whoever is not done waits behind those that had no turn yet.
        if (this.#due.get(lane) === keys) this.#due.delete(lane);
        if (keys.size > 0 && !this.#isStopped) this.#due.set(lane, keys);
        this.#begin();
      });
      this.#working.set(lane, work);
    }
  }

  async #run(lane: string, keys: Set<string>): Promise<void> {
    for (let rest = Math.min(keys.size, MOST_KEYS); rest > 0 && !this.#isStopped; rest--) {
      const [key] = keys;
      if (key === undefined || this.#due.get(lane) !== keys) return;
      keys.delete(key);
      try {
        const againAt = await this.#parts.work(key);
        this.#failures.delete(key);
        if (againAt !== undefined && !keys.has(key)) this.addAt(key, againAt);
      } catch (error) {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#parts.failed(key, error);
        const inMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
        this.addAt(key, this.#parts.clock.now() + inMs);
      }
    }
  }

  #callOff(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}

/** A timer's own limit is 24.8 days. */
const MOST_TIMER_MS = 24 * 3_600_000;
