// A clock that tests step by hand.
import type { Clock } from '../clock.ts';

export class SteppedClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00Z');
  #sinceStart = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#sinceStart;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#sinceStart + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How long until each thing that waits, soonest first. */
  get waitingMs(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#sinceStart).sort((a, b) => a - b);
  }

  /** Advances time, runs due callbacks in order, and lets everything that follows immediately happen. */
  async step(ms: number): Promise<void> {
    const until = this.#sinceStart + ms;
    await turns();
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now += due.at - this.#sinceStart;
      this.#sinceStart = due.at;
      due.run();
      await turns();
    }
    this.#now += until - this.#sinceStart;
    this.#sinceStart = until;
    await turns();
  }

  /** The wall clock is set: nothing that measures may notice. */
  set(now: number): void {
    this.#now = now;
  }
}

/** Lets everything happen that needs no time. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
