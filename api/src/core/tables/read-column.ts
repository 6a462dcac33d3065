// One column of a row group, on a thread: hyparquet decodes pages that we have looked through, since it believes what they declare.
// Only what our own tables have is read: data pages of version 1, plain, by dictionary or by runs, compressed by zstd.
import { zstdDecompressSync } from 'node:zlib';
import type { DecodedArray, PageHeader } from 'hyparquet';
import { assembleLists, assembleNested } from 'hyparquet/src/assemble.js';
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { readDataPage } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel, isFlatColumn } from 'hyparquet/src/schema.js';
import { demand } from './broken-table.ts';
import { CODECS, viewOf } from './footer.ts';
import { RAW_BYTES, VALUES } from './limits.ts';
import type { Column } from './schema.ts';
import { Thrift } from './thrift.ts';

/** The bytes of one leaf in one row group. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly codec: number;
}

/** Rows of a row group: from, to (not in it), and how many it has. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/** The values of these rows, as they are stored: nothing is rounded or formatted. `chunks`: its leaves'. */
export function readColumn(column: Column, chunks: readonly Chunk[], span: Span): ArrayLike<unknown> {
  const leaves = leavesOf(column);
  if (column.children.length === 0) return readLeaf(column, chunks[0], span);
  const values = new Map(leaves.map((leaf, at) => [leaf.path.join('.'), readLeaf(leaf, chunks[at], span)]));
  assembleNested(values, column, DEFAULT_PARSERS);
  const whole = values.get(column.path.join('.'));
  demand(whole?.length === span.to - span.from, 'a nested column has other rows than the others');
  return whole;
}

const leavesOf = (column: Column): Column[] =>
  column.children.length === 0 ? [column] : column.children.flatMap(leavesOf);

function readLeaf(leaf: Column, chunk: Chunk | undefined, { from, to, of }: Span): DecodedArray {
  demand(chunk !== undefined, 'a column is missing');
  const isFlat = isFlatColumn(leaf.way);
  const found: DecodedArray[] = [];
  /** Flat columns leave out pages before the rows. */
  let skipped = 0;
  let count = 0;
  for (const page of pagesOf(leaf, chunk)) {
    if (isFlat && count === 0 && skipped + page.values <= from) {
      skipped += page.values;
      continue;
    }
    // The last row of a nested column may go on in the next page.
    const before = (isFlat ? undefined : found.pop()) ?? [];
    const rows = before.length;
    const read = page.read(before as unknown[]);
    if (rows > 0 && read !== before) found.push(before);
    found.push(read);
    count += read.length - (read === before ? rows : 0);
    if (isFlat && skipped + count >= to) break;
  }
  demand(skipped + count <= of && skipped + count >= to, 'a column has other rows than its row group');
  const all = found.length === 1 ? found[0] : found.flatMap((one) => Array.from(one as ArrayLike<unknown>));
  return (all ?? []).slice(from - skipped, to - skipped);
}

interface Page {
  readonly values: number;
  /** Its rows, put to those that are there already if it is nested. */
  read(before: unknown[]): DecodedArray;
}

function* pagesOf(leaf: Column, { bytes: all, codec }: Chunk): Generator<Page> {
  const reader = { view: viewOf(all), offset: 0 };
  const left = { values: VALUES, bytes: RAW_BYTES };
  let dictionary: DecodedArray | undefined;
  while (reader.offset < all.length) {
    const header = headerAt(reader);
    const size = numberIn(header.compressed_page_size, all.length - reader.offset);
    const packed = all.subarray(reader.offset, reader.offset + size);
    reader.offset += size;
    if (header.type === 'DICTIONARY_PAGE') {
      demand(dictionary === undefined, 'a column has two dictionaries');
      dictionary = readDictionary(inflated(packed, header, codec, left), header, leaf, left);
      continue;
    }
    const page = header.data_page_header;
    demand(header.type === 'DATA_PAGE' && page !== undefined, 'a column has pages that our tables do not have');
    const values = numberIn(page.num_values, left.values);
    left.values -= values;
    if (values === 0) continue;
    yield {
      values,
      read: (before) => {
        const bytes = inflated(packed, header, codec, left);
        demandSoundRuns(bytes, page, leaf);
        const { definitionLevels, repetitionLevels, dataPage } = readDataPage(bytes, page, decoderOf(leaf));
        const raw = DICTIONARY.includes(page.encoding) ? looked(dataPage as number[], dictionary) : dataPage;
        return assembleLists(before, definitionLevels as number[], repetitionLevels, raw, leaf.way);
      },
    };
  }
}

/** hyparquet reads no more than this of what it calls a decoder. */
const decoderOf = ({ element, way }: Column): Parameters<typeof readDataPage>[2] =>
  ({ type: element.type, element, schemaPath: way }) as Parameters<typeof readDataPage>[2];

/** The header of a page, looked through before hyparquet reads it. */
function headerAt(reader: { view: DataView; offset: number }): PageHeader {
  new Thrift(reader.view, reader.offset).struct();
  return parquetHeader(reader);
}

/** A number that says how much there is. */
function numberIn(value: unknown, most: number): number {
  demand(
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most,
    'a page says that it has more than there is, or than is read',
  );
  return value as number;
}

/** In memory of its own: hyparquet looks beyond what it gets, where a value says that it is longer. */
function inflated(
  packed: Uint8Array,
  { uncompressed_page_size }: PageHeader,
  codec: number,
  left: { bytes: number },
): Uint8Array<ArrayBuffer> {
  const size = numberIn(uncompressed_page_size, left.bytes);
  left.bytes -= size;
  if (codec === CODECS.plain || packed.length === 0) {
    demand(packed.length === size, 'a page has other bytes than it says');
    return new Uint8Array(packed);
  }
  // Nothing at all has a frame, too: the dictionary of a column without a value.
  const raw = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) });
  demand(raw.length === size, 'a page has other bytes than it says');
  const isItsOwn = raw.byteLength === raw.buffer.byteLength;
  return isItsOwn ? (raw as Uint8Array<ArrayBuffer>) : new Uint8Array(raw);
}

function readDictionary(
  bytes: Uint8Array,
  { dictionary_page_header: page }: PageHeader,
  { element }: Column,
  left: { values: number },
): DecodedArray {
  demand(page !== undefined && /^PLAIN/.test(page.encoding) && element.type !== undefined, 'a dictionary is not plain');
  return readPlain(
    { view: viewOf(bytes), offset: 0 },
    element.type,
    numberIn(page.num_values, left.values),
    element.type_length,
  );
}

function looked(places: ArrayLike<number>, dictionary: DecodedArray | undefined): unknown[] {
  const size = dictionary?.length ?? 0;
  return Array.from(places, (place) => {
    demand(
      dictionary !== undefined && place >= 0 && place < size,
      'a column names values that its dictionary does not have',
    );
    return dictionary[place];
  });
}

/** Levels, places in a dictionary, and booleans are runs; hyparquet repeats a value as often as a run says. */
function demandSoundRuns(bytes: Uint8Array, page: NonNullable<PageHeader['data_page_header']>, leaf: Column): void {
  const { num_values: values, encoding } = page;
  const view = viewOf(bytes);
  let at = 0;
  for (const level of [getMaxRepetitionLevel(leaf.way), getMaxDefinitionLevel(leaf.way)]) {
    if (level === 0) continue;
    const to = at + 4 + uint32At(view, at);
    demand(to <= bytes.length, SHORT);
    // All of them: hyparquet would go on reading behind.
    demand(runs(view, at + 4, to, bitsOf(level), values) >= values, SHORT);
    at = to;
  }
  if (DICTIONARY.includes(encoding)) {
    demand(at < bytes.length, SHORT);
    const bits = view.getUint8(at);
    demand(bits <= 32, 'a column names values that its dictionary does not have');
    runs(view, at + 1, bytes.length, bits, values);
  } else if (encoding === 'RLE') {
    demand(leaf.element.type === 'BOOLEAN', 'a column is in runs');
    runs(view, at + 4, bytes.length, 1, values);
  } else demand(encoding === 'PLAIN', `a column is written in a way that our tables are not (${encoding})`);
}

const DICTIONARY: readonly string[] = ['PLAIN_DICTIONARY', 'RLE_DICTIONARY'];
const SHORT = 'a page is shorter than it says';

const PACKED_BLOCK = 1_024;

const bitsOf = (value: number): number => 32 - Math.clz32(value);

function uint32At(view: DataView, at: number): number {
  demand(at + 4 <= view.byteLength, SHORT);
  return view.getUint32(at, true);
}

/** The values of the runs between these bytes, until there are enough. Refuses a run of more than are missing. */
function runs(view: DataView, from: number, to: number, bits: number, values: number): number {
  let at = from;
  let seen = 0;
  while (seen < values && at < to) {
    let head = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      demand(at < to && shift < 32, 'a run has no end');
      byte = view.getUint8(at++);
      head += (byte & 0x7f) * 2 ** shift;
    }
    const isPacked = head % 2 === 1;
    const count = isPacked ? ((head - 1) / 2) * 8 : head / 2;
    // DuckDB fills up blocks of packed values.
    demand(count <= values - seen + (isPacked ? PACKED_BLOCK : 0), 'a run is longer than its page');
    seen += count;
    at += isPacked ? (count / 8) * bits : Math.ceil(bits / 8);
  }
  return seen;
}
