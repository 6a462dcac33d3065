// A queue of keys to look at, and when: each key once, however often it is asked for. Keys of one lane are looked at together, lanes
// take turns, and a lane with an urgent key goes first. Level-triggered: a key says nothing about what happened. Failed work is
// retried with a growing delay.
import type { Clock } from '@gantry/kube/clock.ts';

/** When to look again, if time alone may change the answer; or why there is none. */
export type Looked = { readonly againAt?: number | undefined } | { readonly error: unknown };

export interface AgendaParts {
  clock: Clock;
  /** A key that is missing in the answer needs no other look. A rejection is a failure of each. */
  work(lane: string, keys: readonly string[]): Promise<ReadonlyMap<string, Looked>>;
  laneOf(key: string): string;
  /** Called when the key is due, so that keys that are not due delay nobody. */
  isUrgent?(key: string): boolean;
  failed(key: string, error: unknown): void;
}

/** Lanes at work at once: each holds a connection to the database at most. */
const MOST_LANES = 4;
/** Most keys of one lane in its turn: the others wait that long. */
const MOST_KEYS = 50;
const FIRST_RETRY_MS = 200;
const MOST_RETRY_MS = 30_000;

interface Lane {
  readonly urgent: Set<string>;
  readonly others: Set<string>;
}

export class Agenda {
  readonly #parts: AgendaParts;
  /** In the order of their turns. */
  readonly #due = new Map<string, Lane>();
  readonly #timers = new Map<string, { at: number; cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  readonly #working = new Map<string, Promise<void>>();
  #isScheduled = false;
  #isStopped = false;

  constructor(parts: AgendaParts) {
    this.#parts = parts;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#callOff(key);
    const name = this.#parts.laneOf(key);
    const lane = this.#due.get(name) ?? { urgent: new Set(), others: new Set() };
    this.#due.set(name, lane);
    lane.urgent.delete(key);
    lane.others.delete(key);
    (this.#parts.isUrgent?.(key) ? lane.urgent : lane.others).add(key);
    this.#schedule();
  }

  /** The earlier time wins; the work itself sets the next one. */
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
    const lane = this.#due.get(this.#parts.laneOf(key));
    lane?.urgent.delete(key);
    lane?.others.delete(key);
  }

  /** Starts nothing more; resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of [...this.#timers.keys()]) this.#callOff(key);
    this.#due.clear();
    await Promise.all(this.#working.values());
  }

  /** Nothing is due and nothing in hand. */
  get isIdle(): boolean {
    return this.#working.size === 0 && [...this.#due.values()].every(isEmpty);
  }

  /** From the event loop's next turn on, so that keys that arrive together are looked at together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  #begin(): void {
    for (let name = this.#next(); name !== undefined; name = this.#next()) {
      const lane = this.#due.get(name) as Lane;
      const keys = [...lane.urgent, ...lane.others].slice(0, MOST_KEYS);
      for (const key of keys) if (!lane.urgent.delete(key)) lane.others.delete(key);
      // A lane with keys left goes behind the lanes that had no turn yet.
      this.#due.delete(name);
      if (!isEmpty(lane)) this.#due.set(name, lane);
      const own = name;
      this.#working.set(
        own,
        this.#run(own, keys).finally(() => {
          this.#working.delete(own);
          this.#schedule();
        }),
      );
    }
  }

  #next(): string | undefined {
    if (this.#isStopped || this.#working.size >= MOST_LANES) return undefined;
    const free = [...this.#due].filter(([name, lane]) => !isEmpty(lane) && !this.#working.has(name));
    return (free.find(([, lane]) => lane.urgent.size > 0) ?? free[0])?.[0];
  }

  async #run(name: string, keys: readonly string[]): Promise<void> {
    const looked = await this.#parts
      .work(name, keys)
      .catch((error: unknown) => new Map(keys.map((key) => [key, { error }] as const)) as ReadonlyMap<string, Looked>);
    for (const key of keys) {
      const one = looked.get(key) ?? {};
      if ('error' in one) this.#again(key, one.error);
      else {
        this.#failures.delete(key);
        if (one.againAt !== undefined && !this.#isDue(name, key)) this.addAt(key, one.againAt);
      }
    }
  }

  #again(key: string, error: unknown): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#parts.failed(key, error);
    const inMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
    this.addAt(key, this.#parts.clock.now() + inMs);
  }

  #isDue(name: string, key: string): boolean {
    const lane = this.#due.get(name);
    return lane !== undefined && (lane.urgent.has(key) || lane.others.has(key));
  }

  #callOff(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}

const isEmpty = ({ urgent, others }: Lane): boolean => urgent.size === 0 && others.size === 0;

/** A timer's own limit is 24.8 days. */
const MOST_TIMER_MS = 24 * 3_600_000;
