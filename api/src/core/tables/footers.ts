// Footers of parts, read once: a part never changes. The least recently used are forgotten first, and each is read again when it is asked for.
import { type Aside, aside, taskIn } from '../../platform/aside/aside.ts';
import { bytesOf, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { demand } from './broken-table.ts';
import { CHUNK_NUMBERS, type Footer, footerBytes, type readFooter } from './footer.ts';
import { KEPT_BYTES } from './limits.ts';
import { type Column, columnsOf } from './schema.ts';

/** One file of a table. Its key names its content, which never changes. */
export interface TablePart {
  readonly key: string;
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface KnownPart extends Omit<Footer, 'bytes'> {
  readonly columns: readonly Column[];
  /** Equal for parts of one table. */
  readonly signature: string;
  /** The first row of each row group, and then the number of rows. */
  readonly starts: Float64Array;
  readonly chunksOf: (group: number) => Float64Array<ArrayBuffer>;
}

const READ_FOOTER = taskIn<typeof readFooter>(new URL('footer.ts', import.meta.url), 'readFooter');
/** Most footers have less. */
const FIRST_READ = 256 * 1024;
/** What an element takes in memory, about. */
const ELEMENT_BYTES = 1_024;

export class Footers {
  readonly #store: Pick<ObjectStore, 'read'>;
  readonly #aside: Pick<Aside, 'run'>;
  readonly #most: number;
  /** In the order of their use. */
  readonly #kept = new Map<string, { part: Promise<KnownPart>; bytes: number }>();
  #bytes = 0;

  constructor(store: Pick<ObjectStore, 'read'>, threads: Pick<Aside, 'run'> = aside, most = KEPT_BYTES) {
    this.#store = store;
    this.#aside = threads;
    this.#most = most;
  }

  /** Throws BrokenTable. */
  async of(part: TablePart, lane: string): Promise<KnownPart> {
    const found = this.#kept.get(part.key) ?? { part: this.#read(part, lane), bytes: 0 };
    this.#kept.delete(part.key);
    this.#kept.set(part.key, found);
    try {
      const known = await found.part;
      this.#weigh(part.key, found, known);
      demand(known.rows === part.rows, `a part has ${known.rows} rows instead of ${part.rows}`);
      return known;
    } catch (error) {
      // What failed is asked for again: the store may have been away.
      if (this.#kept.get(part.key) === found && found.bytes === 0) this.#kept.delete(part.key);
      throw error;
    }
  }

  #weigh(key: string, found: { bytes: number }, { starts, groups, leaves, elements }: KnownPart): void {
    if (found.bytes > 0 || this.#kept.get(key) !== found) return;
    found.bytes = 8 * (starts.length + groups * leaves * CHUNK_NUMBERS) + ELEMENT_BYTES * elements.length;
    this.#bytes += found.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  async #read({ key, bytes: size }: TablePart, lane: string): Promise<KnownPart> {
    let tail = await bytesOf(this.#store, key, { from: Math.max(0, size - FIRST_READ), to: size });
    const bytes = footerBytes(tail, size);
    if (bytes > tail.length) tail = await bytesOf(this.#store, key, { from: size - bytes, to: size });
    const own = tail.slice(tail.length - bytes);
    const footer = await this.#aside.run(READ_FOOTER, [own, size], { lane, transfer: [own.buffer] });
    return known(footer);
  }
}

function known({ bytes, elements, groups, leaves, rows }: Footer): KnownPart {
  const numbers = new Float64Array(bytes.buffer);
  const columns = columnsOf(elements);
  const each = leaves * CHUNK_NUMBERS;
  return {
    ...{ elements, groups, leaves, rows, columns },
    signature: JSON.stringify(columns.map(({ name, form }) => [name, form.type])),
    starts: numbers.subarray(0, groups + 1),
    chunksOf: (group) => numbers.slice(groups + 1 + group * each, groups + 1 + (group + 1) * each),
  };
}
