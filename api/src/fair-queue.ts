// Work of many, a few at a time: lanes take turns, and none has more than its share of the places.

export interface Work {
  /** Of one key only the newest waits. */
  readonly key: string;
  readonly lane: string;
  run(): Promise<void>;
}

interface Waiting extends Work {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class FairQueue {
  readonly #atOnce: number;
  readonly #ofOneLane: number;
  /** In the order of their turns; what waits in one, by key. No lane is empty. */
  readonly #lanes = new Map<string, Map<string, Waiting>>();
  /** Key → lane. */
  readonly #running = new Map<string, string>();

  constructor({ atOnce, ofOneLane }: { atOnce: number; ofOneLane: number }) {
    this.#atOnce = atOnce;
    this.#ofOneLane = ofOneLane;
  }

  /** Resolves once it has run, or newer work of its key has taken its place. */
  put(work: Work): Promise<void> {
    return new Promise((resolve, reject) => {
      const lane = this.#lanes.get(work.lane) ?? new Map<string, Waiting>();
      this.#lanes.set(work.lane, lane);
      lane.get(work.key)?.resolve();
      lane.set(work.key, { ...work, resolve, reject });
      this.#begin();
    });
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
    if (this.#running.size >= this.#atOnce) return undefined;
    for (const [name, lane] of this.#lanes) {
      const running = [...this.#running.values()].filter((one) => one === name).length;
      const next = lane.values().find(({ key }) => !this.#running.has(key));
      if (running >= this.#ofOneLane || !next) continue;
      lane.delete(next.key);
      // To the end of the line.
      this.#lanes.delete(name);
      if (lane.size > 0) this.#lanes.set(name, lane);
      return next;
    }
    return undefined;
  }
}
