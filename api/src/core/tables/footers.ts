// Footers of parts, read once: a part never changes. The least recently used are forgotten first, and each is read again when it is asked for.
import { type Aside, taskIn } from '../../platform/aside/aside.ts';
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
/** The approximate size of an element in memory. */
const ELEMENT_BYTES = 1_024;

/** Waits until an organisation may hold what it reads. */
export type InTurn = <T>(asking: { lane: string; signal?: AbortSignal }, work: () => Promise<T>) => Promise<T>;

interface FootersParts {
  store: Pick<ObjectStore, 'read'>;
  threads: Pick<Aside, 'run'>;
  inTurn: InTurn;
  /** Bytes that are kept. */
  most?: number;
}

export class Footers {
  readonly #parts: FootersParts;
  readonly #most: number;
  /** In the order of their use. */
  readonly #kept = new Map<string, { part: KnownPart; bytes: number }>();
  #bytes = 0;

  constructor({ most = KEPT_BYTES, ...parts }: FootersParts) {
    this.#parts = { ...parts, most };
    this.#most = most;
  }

  /**
   * Whoever asks waits in the line of its own organisation and reads by itself, unless somebody has read it by then: nobody waits for
   * another's line, nor fails with another's call. Throws BrokenTable, QueueFull.
   */
  async of(part: TablePart, { lane, signal }: Parameters<InTurn>[0]): Promise<KnownPart> {
    const asking = { lane, ...(signal && { signal }) };
    const known =
      this.#found(part.key) ??
      (await this.#parts.inTurn(asking, async () => this.#found(part.key) ?? this.#read(part, asking)));
    demand(known.rows === part.rows, `a part has ${known.rows} rows instead of ${part.rows}`);
    return known;
  }

  #found(key: string): KnownPart | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.part;
  }

  #keep(key: string, part: KnownPart): void {
    if (this.#kept.has(key)) return;
    const { starts, groups, leaves, elements } = part;
    const bytes = 8 * (starts.length + groups * leaves * CHUNK_NUMBERS) + ELEMENT_BYTES * elements.length;
    this.#kept.set(key, { part, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  async #read({ key, bytes: size }: TablePart, { lane, signal }: Parameters<InTurn>[0]): Promise<KnownPart> {
    const { store, threads } = this.#parts;
    let tail = await bytesOf(store, key, { from: Math.max(0, size - FIRST_READ), to: size }, signal);
    const bytes = footerBytes(tail, size);
    if (bytes > tail.length) tail = await bytesOf(store, key, { from: size - bytes, to: size }, signal);
    const own = bytes === tail.length ? tail : tail.slice(tail.length - bytes);
    const footer = await threads.run(READ_FOOTER, [own, size], { lane, transfer: [own.buffer] });
    const part = known(footer);
    this.#keep(key, part);
    return part;
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
