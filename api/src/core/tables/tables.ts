// Tables of datasets: any page of them, one whole cell, and all rows as a file. Fetches the row groups that are needed and nothing else,
// and has them decoded on threads, because what wrote them had parsed a tenant's bytes.
import { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Aside, aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { bytesOf, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { BrokenTable, demand } from './broken-table.ts';
import { CHUNK_NUMBERS } from './footer.ts';
import { Footers, type KnownPart, type TablePart } from './footers.ts';
import { CELL_CHARS, GROUP_BYTES, PAGE_ROWS, WHOLE_CHARS } from './limits.ts';
import type { cellsOf, FetchedGroup, LineFormat, linesOf, pageText } from './read-rows.ts';

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
  readonly name: string;
  readonly type: string;
  readonly value: TableCell;
  /** Of one that is longer than what is answered. */
  readonly length?: number;
}

export interface Asking {
  /** The organisation whose work it is. */
  readonly lane: string;
  readonly signal?: AbortSignal;
}

const READING = new URL('read-rows.ts', import.meta.url);
const CELLS_OF = taskIn<typeof cellsOf>(READING, 'cellsOf');
const PAGE_TEXT = taskIn<typeof pageText>(READING, 'pageText');
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

  constructor(store: Pick<ObjectStore, 'read'>, threads: Pick<Aside, 'run'> = aside) {
    this.#store = store;
    this.#aside = threads;
    this.#footers = new Footers(store, threads);
  }

  /**
   * Rows `from` to `from + size` (at most 100) of a table whose parts are in order; fewer at its end. `columns`: their names, else all.
   * Throws table_unreadable, table_column_unknown.
   */
  async pageOf(
    parts: readonly TablePart[],
    { from, size, columns }: { from: number; size: number; columns?: readonly string[] },
    asking: Asking,
  ): Promise<TablePage> {
    const to = from + Math.min(size, PAGE_ROWS);
    return { ...(await this.#page(parts, from, to, columns, CELL_CHARS, asking)), total: totalOf(parts) };
  }

  /** One cell, up to 1,048,576 characters of it. Undefined if the table has no such row. Throws as `pageOf` does. */
  async cellOf(
    parts: readonly TablePart[],
    row: number,
    column: string,
    asking: Asking,
  ): Promise<WholeCell | undefined> {
    const { columns, rows, cut } = await this.#page(parts, row, row + 1, [column], WHOLE_CHARS, asking);
    const [facts, value] = [columns[0], rows[0]?.[0]];
    if (facts === undefined || value === undefined) return undefined;
    const length = cut[0]?.[2];
    return { ...facts, value, ...(length !== undefined && { length }) };
  }

  /** All rows: JSON Lines, or CSV for spreadsheets. Cells are those of a page, and whole. What breaks off ends the stream with an error. */
  linesOf(parts: readonly TablePart[], format: LineFormat, { lane, signal }: Asking): Readable {
    const gone = new AbortController();
    const asking = { lane, signal: signal ? AbortSignal.any([signal, gone.signal]) : gone.signal };
    const stream = Readable.from(this.#lines(parts, format, asking), { objectMode: false });
    stream.once('close', () => gone.abort());
    return stream;
  }

  async *#lines(parts: readonly TablePart[], format: LineFormat, asking: Asking): AsyncGenerator<Uint8Array> {
    let first: KnownPart | undefined;
    let isFirst = true;
    for (const part of parts) {
      const known = await told(() => this.#footers.of(part, asking.lane));
      first ??= known;
      if (first.signature !== known.signature) throw problem('table_unreadable', { detail: OTHER_COLUMNS });
      const places = placesIn(known);
      for (let group = 0; group < known.groups; group++) {
        const to = (known.starts[group + 1] ?? 0) - (known.starts[group] ?? 0);
        const fetched = await told(() => this.#fetched({ part, known, group, from: 0, to }, places, asking));
        for (let from = 0; from < to; ) {
          const rows = { from, to, of: to };
          const { bytes, next } = await this.#lineTask({ ...fetched, rows }, format, isFirst, asking);
          yield bytes;
          [from, isFirst] = [next, false];
        }
      }
    }
    // An empty table has columns, too.
    if (isFirst && first) yield (await this.#lineTask(nothingOf(first), format, true, asking)).bytes;
  }

  #lineTask(group: FetchedGroup, format: LineFormat, isFirst: boolean, { lane, signal }: Asking) {
    signal?.throwIfAborted();
    return told(() => this.#aside.run(LINES_OF, [group, format, isFirst], { lane }));
  }

  async #page(
    parts: readonly TablePart[],
    from: number,
    to: number,
    names: readonly string[] | undefined,
    most: number,
    { lane, signal }: Asking,
  ): Promise<Omit<TablePage, 'total'>> {
    return told(async () => {
      const stretches = await this.#stretches(parts, from, to, lane);
      const known = stretches[0]?.known ?? (parts[0] && (await this.#footers.of(parts[0], lane)));
      if (known === undefined) return { columns: [], rows: [], cut: [] };
      demand(
        stretches.every((one) => one.known.signature === known.signature),
        OTHER_COLUMNS,
      );
      const places = placesOf(known, names);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for (const stretch of stretches) {
        const group = await this.#fetched(stretch, places, { lane, ...(signal && { signal }) });
        const transfer = group.ranges.map(({ bytes }) => bytes.buffer);
        pieces.push((await this.#aside.run(CELLS_OF, [group, most], { lane, transfer })).bytes);
      }
      const transfer = pieces.map(({ buffer }) => buffer);
      const { bytes } = await this.#aside.run(PAGE_TEXT, [known.elements, places, pieces, most], { lane, transfer });
      return JSON.parse(decoder.decode(bytes)) as Omit<TablePage, 'total'>;
    });
  }

  /** The row groups that these rows lie in. */
  async #stretches(parts: readonly TablePart[], from: number, to: number, lane: string): Promise<Stretch[]> {
    const found: Stretch[] = [];
    for (const part of parts) {
      const [first, last] = [Math.max(0, from - part.firstRow), Math.min(part.rows, to - part.firstRow)];
      if (first >= last) continue;
      const known = await this.#footers.of(part, lane);
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
const decoder = new TextDecoder();

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
const WHY = { time: 'it takes too long', memory: 'it takes too much memory' };

/** Whatever is wrong with a table has a sentence. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof TooMuchWork) {
      if (error.why === 'queue') throw problem('unavailable', { seconds: BUSY_SECONDS }, { cause: error });
      throw problem('table_unreadable', { detail: WHY[error.why] }, { cause: error });
    }
    // One of a thread has only its name.
    if (error instanceof BrokenTable || name === 'BrokenTable')
      throw problem('table_unreadable', { detail: message }, { cause: error });
    throw error;
  }
}
