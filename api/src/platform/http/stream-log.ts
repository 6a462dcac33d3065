// Recent changes, in one order for the whole process: what a returning client has missed, or that it is no longer known. Memory
// is bounded per (organisation, kind), so that a noisy one loses only its own, and overall.

export interface LogLimits {
  /** Entries kept per organisation and kind. */
  mostOfOne: number;
  /** Entries kept overall. */
  most: number;
}

export const LOG_LIMITS: LogLimits = { mostOfOne: 500, most: 20_000 };

interface Kept<T> {
  readonly value: T;
  readonly ring: Ring;
}

/** Numbers of the entries kept for one organisation and kind, oldest first. */
interface Ring {
  readonly place: string;
  readonly numbers: Set<number>;
  /** The newest dropped entry: a client that has not seen it misses something. */
  dropped: number;
}

export class StreamLog<T> {
  readonly #limits: LogLimits;
  readonly #entries = new Map<number, Kept<T>>();
  readonly #rings = new Map<string, Ring>();
  #last = 0;
  /** The newest entry that was dropped with its whole ring. */
  #floor = 0;

  constructor(limits: LogLimits = LOG_LIMITS) {
    this.#limits = limits;
  }

  /** The number of the newest entry; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry's number. */
  add(organization: string, kind: string, value: T): number {
    const number = ++this.#last;
    const place = `${organization}/${kind}`;
    let ring = this.#rings.get(place);
    if (!ring) {
      ring = { place, numbers: new Set(), dropped: this.#floor };
      this.#rings.set(place, ring);
    }
    ring.numbers.add(number);
    this.#entries.set(number, { value, ring });
    if (ring.numbers.size > this.#limits.mostOfOne) this.#drop(first(ring.numbers), ring);
    if (this.#entries.size > this.#limits.most) {
      const oldest = first(this.#entries.keys());
      this.#drop(oldest, (this.#entries.get(oldest) as Kept<T>).ring);
    }
    return number;
  }

  /** All entries of these kinds after the given one, oldest first, and the kinds with dropped entries among those. */
  after(
    seen: number,
    organization: string,
    kinds: Iterable<string>,
  ): { entries: { number: number; value: T }[]; lost: string[] } {
    const numbers: number[] = [];
    const lost: string[] = [];
    for (const kind of kinds) {
      const ring = this.#rings.get(`${organization}/${kind}`);
      if (seen < (ring?.dropped ?? this.#floor)) lost.push(kind);
      else if (ring) for (const number of ring.numbers) if (number > seen) numbers.push(number);
    }
    numbers.sort((a, b) => a - b);
    return {
      entries: numbers.map((number) => ({ number, value: (this.#entries.get(number) as Kept<T>).value })),
      lost,
    };
  }

  #drop(number: number, ring: Ring): void {
    this.#entries.delete(number);
    ring.numbers.delete(number);
    ring.dropped = number;
    if (ring.numbers.size > 0) return;
    this.#rings.delete(ring.place);
    this.#floor = Math.max(this.#floor, number);
  }
}

const first = <V>(values: Iterable<V>): V => {
  for (const value of values) return value;
  throw new Error('nothing is kept');
};
