// Reads outdated data again: never more often than its pause, and never while a read is in flight.
import type { QueryClient } from '@tanstack/react-query';

export class GentleRereads {
  readonly #client: QueryClient;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #readAt = new Map<string, number>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** `hash` is a query's. What nobody looks at is only marked. */
  want(hash: string, pauseMs: number): void {
    if (this.#timers.has(hash)) return;
    const waitMs = Math.max(0, (this.#readAt.get(hash) ?? Number.NEGATIVE_INFINITY) + pauseMs - performance.now());
    const timer = setTimeout(() => {
      this.#timers.delete(hash);
      this.#read(hash, pauseMs);
    }, waitMs);
    this.#timers.set(hash, timer);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #read(hash: string, pauseMs: number): void {
    const query = this.#client.getQueryCache().get(hash);
    if (!query) return;
    this.#readAt.set(hash, performance.now());
    // An answer in flight may be older than the change: read once more afterwards.
    if (query.state.fetchStatus === 'fetching') this.want(hash, pauseMs);
    else void this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}
