// Tables of datasets: any page of them, one whole cell, and all rows as a file. Fetches the row groups that are needed and nothing else,
// and has them decoded on threads, because what wrote them had parsed a tenant's bytes.
import type { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Aside, aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { readableOf } from '../../platform/called-off.ts';
import { FairQueue, QueueFull } from '../../platform/fair-queue.ts';
import { bytesOf, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { BrokenTable, demand } from './broken-table.ts';
import { CHUNK_NUMBERS } from './footer.ts';
import { Footers, type KnownPart, type TablePart } from './footers.ts';
import { CELL_CHARS, GROUP_BYTES, KEPT_GROUP_BYTES, PAGE_ROWS, READS, WHOLE_CHARS } from './limits.ts';
import type { cellsOf, cellText, FetchedGroup, LineFormat, linesOf, pageText } from './read-rows.ts';

export type { TablePart } from './footers.ts';
export type { LineFormat } from './read-rows.ts';

/** A cell is what data-worker/README.md says of its answers. */
export type TableCell =
  | string
  | number
  | boolean
  | null
  | readonly TableCell[]
  | { readonly [name: string]: TableCell };

export interface TablePage {
  readonly columns: { name: string; type: string }[];
  readonly rows: TableCell[][];
  /** Cells by row and column, with the length that they have. */
  readonly cut: [row: number, column: number, length: number][];
  /** The rows of the whole table. */
  readonly total: number;
}

export interface WholeCell {
  readonly value: TableCell;
  /** Of one that is longer than what is answered; null of others. */
  readonly length: number | null;
}

export interface Asking {
  /** The organisation whose work it is. */
  readonly lane: string;
  readonly signal?: AbortSignal;
}

const READING = new URL('read-rows.ts', import.meta.url);
const CELLS_OF = taskIn<typeof cellsOf>(READING, 'cellsOf');
const PAGE_TEXT = taskIn<typeof pageText>(READING, 'pageText');
const CELL_TEXT = taskIn<typeof cellText>(READING, 'cellText');
const LINES_OF = taskIn<typeof linesOf>(READING, 'linesOf');
/** Columns with no more than this between them are fetched at once. */
const GAP_BYTES = 128 * 1024;

interface Stretch {
  readonly part: TablePart;
  readonly known: KnownPart;
  readonly group: number;
  /** Rows of the group. */
  readonly from: number;
  readonly to: number;
}

export class Tables {
  readonly #store: Pick<ObjectStore, 'read'>;
  readonly #aside: Pick<Aside, 'run'>;
  readonly #footers: Footers;
  readonly #reads = new FairQueue(READS);
  #next = 0;
  #turns = 0;
  /** What downloads keep of a row group until their next piece, the oldest first. */
  readonly #kept = new Map<object, FetchedGroup>();

  constructor(store: Pick<ObjectStore, 'read'>, threads: Pick<Aside, 'run'> = aside) {
    this.#store = store;
    this.#aside = threads;
    this.#footers = new Footers({ store, threads, inTurn: (asking, work) => this.#inTurn(asking, work) });
  }

  /**
   * The JSON, in UTF-8, of a `TablePage`: rows `from` to `from + size` (at most 100) of a table whose parts are in order; fewer at its
   * end. `columns`: their names, else all. Throws table_unreadable, table_column_unknown, unavailable.
   */
  async pageOf(
    parts: readonly TablePart[],
    { from, size, columns }: { from: number; size: number; columns?: readonly string[] },
    asking: Asking,
  ): Promise<Uint8Array> {
    return told(async () => {
      const { known, places, piece } = await this.#cells(
        parts,
        { from, to: from + Math.min(size, PAGE_ROWS) },
        columns,
        { ...asking, most: CELL_CHARS },
      );
      const elements = known?.elements ?? [];
      return (await this.#aside.run(PAGE_TEXT, [elements, places, piece, totalOf(parts)], handing(piece, asking)))
        .bytes;
    });
  }

  /** The JSON of a `WholeCell`, up to 1,048,576 characters of it. Undefined if the table has no such row. Throws as `pageOf` does. */
  async cellOf(
    parts: readonly TablePart[],
    row: number,
    column: string,
    asking: Asking,
  ): Promise<Uint8Array | undefined> {
    return told(async () => {
      const { piece } = await this.#cells(parts, { from: row, to: row + 1 }, [column], {
        ...asking,
        most: WHOLE_CHARS,
      });
      return piece && (await this.#aside.run(CELL_TEXT, [piece], handing(piece, asking))).bytes;
    });
  }

  /**
   * All rows, with these columns, else all: JSON Lines, or CSV for spreadsheets. Cells are those of a page, and whole. What breaks off ends
   * the stream with an error. A piece is made once the last one was taken; a stream that is destroyed reads no more.
   */
  linesOf(
    parts: readonly TablePart[],
    format: LineFormat,
    { lane, signal }: Asking,
    columns?: readonly string[],
  ): Readable {
    return readableOf((gone) =>
      this.#lines(parts, { format, columns }, { lane, signal: signal ? AbortSignal.any([signal, gone]) : gone }),
    );
  }

  async *#lines(
    parts: readonly TablePart[],
    { format, columns }: { format: LineFormat; columns?: readonly string[] | undefined },
    asking: Asking,
  ): AsyncGenerator<Uint8Array> {
    let first: KnownPart | undefined;
    let isFirst = true;
    for (const part of parts) {
      const known = await told(() => this.#footers.of(part, asking));
      first ??= known;
      if (first.signature !== known.signature) throw problem('table_unreadable', { detail: OTHER_COLUMNS });
      const places = placesOf(known, columns);
      for (let group = 0; group < known.groups; group++) {
        const to = (known.starts[group + 1] ?? 0) - (known.starts[group] ?? 0);
        const download = {};
        try {
          for (let from = 0; from < to; ) {
            const { bytes, next } = await this.#piece(asking, async () => {
              const fetched =
                this.#takeKept(download) ?? (await this.#fetched({ part, known, group, from, to }, places, asking));
              const lines = { ...fetched, rows: { from, to, of: to } };
              const piece = await this.#lineTask(lines, format, isFirst, asking);
              if (piece.next < to) this.#keep(download, fetched);
              return piece;
            });
            yield bytes;
            [from, isFirst] = [next, false];
          }
        } finally {
          this.#kept.delete(download);
        }
      }
    }
    // An empty table has columns, too.
    if (isFirst && first) {
      const empty = nothingOf(first);
      yield (await this.#piece(asking, () => this.#lineTask(empty, format, true, asking))).bytes;
    }
  }

  #piece<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    return told(() => this.#inTurn(asking, work));
  }

  #lineTask(group: FetchedGroup, format: LineFormat, isFirst: boolean, { lane, signal }: Asking) {
    signal?.throwIfAborted();
    return this.#aside.run(LINES_OF, [group, format, isFirst], { lane });
  }

  #takeKept(download: object): FetchedGroup | undefined {
    const kept = this.#kept.get(download);
    this.#kept.delete(download);
    return kept;
  }

  #keep(download: object, group: FetchedGroup): void {
    if (bytesIn(group) <= KEPT_GROUP_BYTES) this.#kept.set(download, group);
    this.#fit();
  }

  /** What is kept has the room of turns that are not taken: together they are within one bound. */
  #fit(): void {
    let bytes = this.#kept.values().reduce((sum, group) => sum + bytesIn(group), 0);
    for (const [download, group] of this.#kept) {
      if (bytes <= (READS.atOnce - this.#turns) * GROUP_BYTES) return;
      this.#kept.delete(download);
      bytes -= bytesIn(group);
    }
  }

  /** A row group is fetched and decoded once there is room for it; organisations take turns. Throws QueueFull. */
  async #inTurn<T>({ lane, signal }: Asking, work: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    const run = async () => {
      this.#turns++;
      this.#fit();
      try {
        result = await work();
      } finally {
        this.#turns--;
      }
    };
    await this.#reads.put({ key: `${this.#next++}`, lane, run, signal });
    return result as T;
  }

  /** The cells of these rows, for PAGE_TEXT and CELL_TEXT. */
  async #cells(
    parts: readonly TablePart[],
    { from, to }: { from: number; to: number },
    names: readonly string[] | undefined,
    { most, ...asking }: Asking & { most: number },
  ): Promise<{ known?: KnownPart; places: number[]; piece?: Uint8Array<ArrayBuffer> | undefined }> {
    const { lane } = asking;
    const stretches = await this.#stretches(parts, from, to, asking);
    const known = stretches[0]?.known ?? (parts[0] && (await this.#footers.of(parts[0], asking)));
    if (known === undefined) return { places: [] };
    demand(
      stretches.every((one) => one.known.signature === known.signature),
      OTHER_COLUMNS,
    );
    const places = placesOf(known, names);
    let piece: Uint8Array<ArrayBuffer> | undefined;
    for (const stretch of stretches) {
      const { bytes } = await this.#inTurn(asking, async () => {
        const group = await this.#fetched(stretch, places, asking);
        const transfer = [...group.ranges.map(({ bytes }) => bytes.buffer), ...(piece ? [piece.buffer] : [])];
        return this.#aside.run(CELLS_OF, [group, most, piece], { lane, transfer });
      });
      piece = bytes;
    }
    return { known, places, piece };
  }

  /** The row groups that these rows lie in. */
  async #stretches(parts: readonly TablePart[], from: number, to: number, asking: Asking): Promise<Stretch[]> {
    const found: Stretch[] = [];
    for (const part of parts) {
      const [first, last] = [Math.max(0, from - part.firstRow), Math.min(part.rows, to - part.firstRow)];
      if (first >= last) continue;
      const known = await this.#footers.of(part, asking);
      for (let group = groupAt(known, first); group < known.groups && (known.starts[group] ?? 0) < last; group++) {
        const [start = 0, end = 0] = known.starts.subarray(group, group + 2);
        const within = { from: Math.max(0, first - start), to: Math.min(end, last) - start };
        if (within.from < within.to) found.push({ part, known, group, ...within });
      }
    }
    return found;
  }

  async #fetched(
    { part, known, group, from, to }: Stretch,
    columns: readonly number[],
    { signal }: Asking,
  ): Promise<FetchedGroup> {
    const chunks = known.chunksOf(group);
    const wanted = rangesOf(known, columns, chunks);
    const size = wanted.reduce((sum, range) => sum + range.to - range.from, 0);
    demand(
      size <= GROUP_BYTES,
      `a row group has ${size} bytes, and at most ${GROUP_BYTES} are read; fewer columns are less`,
    );
    const ranges = await Promise.all(
      wanted.map(async (range) => ({
        from: range.from,
        bytes: await bytesOf(this.#store, part.key, range, signal),
      })),
    );
    const of = (known.starts[group + 1] ?? 0) - (known.starts[group] ?? 0);
    return { elements: known.elements, columns, rows: { from, to, of }, chunks, ranges };
  }
}

const OTHER_COLUMNS = 'its parts have different columns';

const handing = (piece: Uint8Array<ArrayBuffer> | undefined, { lane }: Asking) => ({
  lane,
  transfer: piece ? [piece.buffer] : [],
});

const bytesIn = ({ ranges }: FetchedGroup): number => ranges.reduce((sum, { bytes }) => sum + bytes.length, 0);

const totalOf = (parts: readonly TablePart[]): number => parts.reduce((sum, { rows }) => sum + rows, 0);

const placesIn = ({ columns }: KnownPart): number[] => columns.map((_, place) => place);

const nothingOf = (known: KnownPart): FetchedGroup => ({
  ...{
    elements: known.elements,
    columns: placesIn(known),
    rows: { from: 0, to: 0, of: 0 },
    chunks: new Float64Array(),
    ranges: [],
  },
});

/** The last row group that begins at this row or before. */
function groupAt({ starts, groups }: KnownPart, row: number): number {
  let [low, high] = [0, groups - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Of two columns of one name, the first counts. */
function placesOf(known: KnownPart, names: readonly string[] | undefined): number[] {
  if (names === undefined) return placesIn(known);
  return names.map((name) => {
    const place = known.columns.findIndex((column) => column.name === name);
    if (place < 0) throw problem('table_column_unknown', { column: name }, { field: 'columns' });
    return place;
  });
}

function rangesOf(
  { columns }: KnownPart,
  places: readonly number[],
  chunks: Float64Array,
): { from: number; to: number }[] {
  const wanted = places
    .flatMap((place) => {
      const { from = 0, to = 0 } = columns[place]?.leaves ?? {};
      return Array.from({ length: to - from }, (_, at) => (from + at) * CHUNK_NUMBERS);
    })
    .map((at) => ({ from: chunks[at] ?? 0, to: (chunks[at] ?? 0) + (chunks[at + 1] ?? 0) }))
    .sort((one, other) => one.from - other.from);
  const joined: { from: number; to: number }[] = [];
  for (const range of wanted) {
    const last = joined.at(-1);
    if (last && range.from - last.to <= GAP_BYTES) last.to = Math.max(last.to, range.to);
    else joined.push(range);
  }
  return joined;
}

const BUSY_SECONDS = 2;
const WHY = { time: 'it takes too long', memory: 'it takes too much memory', queue: '' };

/** Whatever is wrong with a table has a sentence. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, message } = error as Error;
    const isFull = error instanceof QueueFull || (error instanceof TooMuchWork && error.why === 'queue');
    if (isFull)
      throw problem('unavailable', { seconds: BUSY_SECONDS }, { cause: error, retryAfterSeconds: BUSY_SECONDS });
    if (error instanceof TooMuchWork) {
      throw problem('table_unreadable', { detail: WHY[error.why] }, { cause: error });
    }
    // One of a thread has only its name.
    if (error instanceof BrokenTable || name === 'BrokenTable')
      throw problem('table_unreadable', { detail: message }, { cause: error });
    throw error;
  }
}
