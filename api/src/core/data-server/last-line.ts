// The lines of a task that reports while it works. Of all that come only the newest is kept, so however many a stranger sends, each piece
// costs one look.

import { GatheredBlocks } from '../../platform/gathered.ts';
import { joined } from '../../platform/pods/call-pod.ts';

/** A line of progress is short; the last line of all has the answer. */
const MOST_PROGRESS_BYTES = 1024;
const NEWLINE = 0x0a;

/** More than any data server says. */
export class TooManyBytes extends Error {}

export interface LineLimits {
  /** Limits of one line, and of all together. */
  lineBytes: number;
  allBytes: number;
}

export class LastLine {
  readonly #limits: LineLimits;
  #begun = new GatheredBlocks();
  #begunBytes = 0;
  #allBytes = 0;
  #newest: Uint8Array<ArrayBuffer> | undefined;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /** The newest whole line of this piece, if it is short enough for progress. Throws TooManyBytes. */
  add(piece: Buffer): Uint8Array | undefined {
    this.#allBytes += piece.length;
    if (this.#allBytes > this.#limits.allBytes) throw new TooManyBytes('its lines do not end');
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#begin(piece);
      return undefined;
    }
    const before = end === 0 ? -1 : piece.lastIndexOf(NEWLINE, end - 1);
    if (before >= 0) this.#forget();
    this.#begin(piece.subarray(before + 1, end));
    this.#newest = joined(this.#begun.blocks);
    this.#forget();
    this.#begin(piece.subarray(end + 1));
    return isShort(this.#newest) ? this.#newest : undefined;
  }

  /** Undefined: it broke off within a line, or there was none. */
  get last(): Uint8Array<ArrayBuffer> | undefined {
    return this.#begunBytes === 0 ? this.#newest : undefined;
  }

  #begin(piece: Buffer): void {
    this.#begun.add(piece);
    this.#begunBytes += piece.length;
    if (this.#begunBytes > this.#limits.lineBytes) throw new TooManyBytes('it sends a line that does not end');
  }

  #forget(): void {
    this.#begun = new GatheredBlocks();
    this.#begunBytes = 0;
  }
}

export const isShort = ({ length }: Uint8Array): boolean => length <= MOST_PROGRESS_BYTES;
