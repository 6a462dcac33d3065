// Bytes that come in pieces of any size. Whoever sends them one by one makes it no more work, and takes no more memory, than the same
// bytes at once.

const LEAST_ROOM = 4 * 1024;
const BLOCK_BYTES = 1024 * 1024;

export class Gathered {
  #room = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** All that has come; valid until the next call. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  /** The piece may be somebody else's after this. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (size > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(size, 2 * this.#room.length, LEAST_ROOM));
      this.#room.copy(room, 0, 0, this.#size);
      this.#room = room;
    }
    piece.copy(this.#room, this.#size);
    this.#size = size;
  }

  /** Takes so many off the front. */
  drop(count: number): void {
    if (count === 0) return;
    this.#room.copyWithin(0, count, this.#size);
    this.#size -= count;
  }
}

/** The same of what may be large: in blocks, none of which is copied again when more comes. */
export class GatheredBlocks {
  readonly #full: Buffer[] = [];
  #last = new Gathered();

  /** All that has come, in order; valid until the next call. */
  get blocks(): readonly Buffer[] {
    return [...this.#full, this.#last.bytes];
  }

  /** The piece may be somebody else's after this. */
  add(piece: Buffer): void {
    this.#last.add(piece);
    if (this.#last.size < BLOCK_BYTES) return;
    this.#full.push(this.#last.bytes);
    this.#last = new Gathered();
  }

  toString(): string {
    return Buffer.concat(this.blocks).toString('utf8');
  }
}
