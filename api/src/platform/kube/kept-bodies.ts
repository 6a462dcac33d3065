// The bodies of answers that were asked for last: whoever looks at the same page of an unchanged list gets the same bytes.

/** Together; the one asked for longest ago goes first. */
const MOST_BYTES = 16 * 1024 * 1024;

export class KeptBodies {
  readonly #most: number;
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  has(name: string): boolean {
    return this.#bodies.has(name);
  }

  /** `name` says everything that the body depends on. */
  of(name: string, make: () => Buffer): Buffer {
    const known = this.#bodies.get(name);
    const body = known ?? make();
    // A map keeps the order of insertion: what is asked for moves to its end.
    if (known) this.#forget(name, known);
    if (body.length > this.#most) return body;
    this.#bodies.set(name, body);
    this.#bytes += body.length;
    for (const [oldest, bytes] of this.#bodies) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest, bytes);
    }
    return body;
  }

  #forget(name: string, body: Buffer): void {
    this.#bodies.delete(name);
    this.#bytes -= body.length;
  }
}
