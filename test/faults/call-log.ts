// The requests that passed the proxy: counts for every name, the latest writes in order, and waiting for a condition on them.
import type { Call } from './call.ts';

export interface LoggedWrite {
  readonly call: Call;
  /** When it came, in milliseconds of a clock that never steps. */
  readonly at: number;
  /** The API server's own status; undefined while it has not answered or was never asked. */
  readonly status: number | undefined;
  /** Names of the actions that hit it, e.g. `kill after`. */
  readonly faults: readonly string[];
}

type OpenWrite = { -readonly [field in keyof LoggedWrite]: LoggedWrite[field] };

export class CallLog {
  readonly #counts = new Map<string, number>();
  readonly #writes: OpenWrite[] = [];
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();

  /** Keeps the latest `limit` writes; counts are kept for all. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  record(call: Call, faults: readonly string[]): void {
    this.#counts.set(call.title, (this.#counts.get(call.title) ?? 0) + 1);
    if (call.isWrite) {
      this.#writes.push({ call, at: performance.now(), status: undefined, faults });
      if (this.#writes.length > this.#limit) this.#writes.shift();
    }
    this.changed();
  }

  answered(call: Call, status: number): void {
    const write = this.#writes.findLast((one) => one.call === call);
    if (write) write.status = status;
    this.changed();
  }

  counts(): Readonly<Partial<Record<string, number>>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }

  writes(): readonly LoggedWrite[] {
    return this.#writes.map((write) => ({ ...write }));
  }

  /** Tells those who wait to look again. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves once `isTrue`, looking again at every change. Rejects after `limitMs` with the counts so far. */
  waitFor(isTrue: () => boolean, limitMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      reject(new Error(`not seen within ${limitMs} ms; counts so far: ${JSON.stringify(this.counts())}`));
    }, limitMs);
    const look = () => {
      try {
        if (isTrue()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    this.#waiting.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(look);
    });
  }
}
