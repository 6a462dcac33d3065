// Work by key: a key never runs twice at a time, a key added meanwhile runs again, and failures are retried with growing delays.

export interface KeyedQueueOptions {
  readonly workers: number;
  readonly work: (key: string) => Promise<void>;
  readonly failed: (key: string, error: unknown) => void;
  readonly firstRetryMs?: number;
  readonly lastRetryMs?: number;
  /** Runs once after so many milliseconds; the machine's unless tests step it. */
  readonly after?: (ms: number, run: () => void) => void;
}

export class KeyedQueue {
  readonly #options: Required<KeyedQueueOptions>;
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  readonly #failures = new Map<string, number>();
  #started = false;

  constructor(options: KeyedQueueOptions) {
    this.#options = { firstRetryMs: 200, lastRetryMs: 30_000, after: (ms, run) => setTimeout(run, ms), ...options };
  }

  /** Until then keys only gather. */
  start(): void {
    this.#started = true;
    this.#startNext();
  }

  add(key: string): void {
    this.#waiting.add(key);
    this.#startNext();
  }

  #startNext(): void {
    if (!this.#started) return;
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#options.workers) return;
      if (this.#working.has(key)) continue;
      this.#waiting.delete(key);
      this.#working.add(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    const { work, failed, firstRetryMs, lastRetryMs, after } = this.#options;
    try {
      await work(key);
      this.#failures.delete(key);
    } catch (error) {
      failed(key, error);
      const before = this.#failures.get(key) ?? 0;
      this.#failures.set(key, before + 1);
      after(Math.min(firstRetryMs * 2 ** before, lastRetryMs), () => this.add(key));
    } finally {
      this.#working.delete(key);
      this.#startNext();
    }
  }
}
