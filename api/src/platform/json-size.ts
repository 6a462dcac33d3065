// How much a JSON text will become, counted while its bytes come and before anybody parses it: parsing, checking and writing it again
// cost as much as it has values and members, not as it has bytes. Reads texts that are no JSON too, and says nothing of them.

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

const MOST_VALUES = 20_000;
const MOST_DEPTH = 64;
/** Numbers and texts cost little, and names of members eight times as much. */
const AT_ONCE = { bytes: 4 * 1024 * 1024, values: 100_000, members: 20_000 } as const;

/** Numbers and texts take little memory, lists and names of members much. */
const ASIDE = { members: 500_000, parts: 250_000 } as const;

/**
 * Parses a stranger's text, if it is small enough to read at once. Throws a SyntaxError for whatever is no JSON, has more values or nests
 * deeper.
 */
export function parseJson(text: string, mostValues = MOST_VALUES): unknown {
  const { values, deepest } = new JsonSize().add(Buffer.from(text));
  if (values > mostValues || deepest > MOST_DEPTH) throw new SyntaxError('it has too many values, or nests too deep');
  return JSON.parse(text);
}

export class JsonSize {
  /** Elements of lists and members of objects, and the lists and objects themselves. */
  values = 0;
  /** The members of objects: each may be a shape of its own. */
  members = 0;
  /** Lists and objects. */
  parts = 0;
  /** How deep brackets nest. */
  deepest = 0;
  #bytes = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** Whether whoever serves others reads it and writes it again between two of their requests: in 20 ms at the most. */
  get isReadAtOnce(): boolean {
    const { bytes, values, members } = AT_ONCE;
    if (this.#bytes > bytes || this.values > values || this.members > members) return false;
    return this.deepest <= MOST_DEPTH;
  }

  /**
   * Whether a thread reads it, of up to 64 MiB, far below the limit of its heap (512 MB): beyond that limit, a single list of millions ends
   * the process.
   */
  get isReadAside(): boolean {
    return this.members <= ASIDE.members && this.parts <= ASIDE.parts;
  }

  add(bytes: Uint8Array): this {
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length; at++) {
      if (this.#inText) at = this.#text(bytes, at);
      else this.#letter(bytes[at]);
    }
    return this;
  }

  #letter(byte: number | undefined): void {
    if (byte === QUOTE) this.#inText = true;
    else if (byte === COMMA) this.values++;
    else if (byte === COLON) this.members++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.values++;
      this.parts++;
      if (++this.#depth > this.deepest) this.deepest = this.#depth;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
  }

  /** Returns where the text ends, or the bytes. */
  #text(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#inText = false;
        return at;
      }
    }
    return bytes.length;
  }
}
