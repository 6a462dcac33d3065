// Work of many, a few at a time: lanes take turns, and none has more than its share of the places.

export interface Work {
  /** Only the newest work of a key waits. */
  readonly key: string;
  readonly lane: string;
  run(): Promise<void>;
  /** Whoever waits for it has gone: it leaves the line. One that runs looks by itself. */
  readonly signal?: AbortSignal | undefined;
}

/** Too much of it waits or runs already. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

interface Limits {
  atOnce: number;
  ofOneLane: number;
  /** The most work that waits and runs, of one lane and of all; without a limit if absent. */
  mostOfLane?: number;
  most?: number;
}

interface Waiting extends Work {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class FairQueue {
  readonly #limits: Required<Limits>;
  /** In the order of their turns; what waits in one, by key. No lane is empty. */
  readonly #lanes = new Map<string, Map<string, Waiting>>();
  /** Key → lane. */
  readonly #running = new Map<string, string>();

  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor({ mostOfLane = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY, ...limits }: Limits) {
    this.#limits = { ...limits, mostOfLane, most };
  }

  /** Resolves once it has run, or newer work of its key has taken its place. Rejects with QueueFull, or as its signal says. */
  async put(work: Work): Promise<void> {
    const { key, lane: name, signal } = work;
    signal?.throwIfAborted();
    if (this.#all >= this.#limits.most || (this.#counts.get(name) ?? 0) >= this.#limits.mostOfLane)
      throw new QueueFull();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { ...work, resolve, reject };
    const leave = () => {
      if (this.#lanes.get(name)?.get(key) !== waiting) return;
      this.#take(name, key);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#count(name, 1);
    const lane = this.#lanes.get(name) ?? new Map<string, Waiting>();
    this.#lanes.set(name, lane);
    lane.get(key)?.resolve();
    lane.set(key, waiting);
    this.#begin();
    try {
      await promise;
    } finally {
      this.#count(name, -1);
      signal?.removeEventListener('abort', leave);
    }
  }

  #take(name: string, key: string): void {
    const lane = this.#lanes.get(name);
    lane?.delete(key);
    if (lane?.size === 0) this.#lanes.delete(name);
  }

  #count(lane: string, more: number): void {
    this.#all += more;
    const left = (this.#counts.get(lane) ?? 0) + more;
    if (left === 0) this.#counts.delete(lane);
    else this.#counts.set(lane, left);
  }

  #begin(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { key, lane, run, resolve, reject } = next;
      this.#running.set(key, lane);
      run()
        .finally(() => this.#running.delete(key))
        .then(resolve, reject)
        .finally(() => this.#begin());
    }
  }

  #next(): Waiting | undefined {
    if (this.#running.size >= this.#limits.atOnce) return undefined;
    for (const [name, lane] of this.#lanes) {
      const running = [...this.#running.values()].filter((one) => one === name).length;
      const next = lane.values().find(({ key }) => !this.#running.has(key));
      if (running >= this.#limits.ofOneLane || !next) continue;
      lane.delete(next.key);
      // To the end of the line.
      this.#lanes.delete(name);
      if (lane.size > 0) this.#lanes.set(name, lane);
      return next;
    }
    return undefined;
  }
}
