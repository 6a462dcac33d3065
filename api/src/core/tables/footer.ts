// The footer of a part, on a thread: its columns, and where each row group is. What it says is compared with what the part is.
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { BrokenTable, demand } from './broken-table.ts';
import { COLUMNS, FOOTER_BYTES, ROW_GROUPS } from './limits.ts';
import { columnsOf, type Element, elementOf, type Fields, numberOf, TOO_MANY } from './schema.ts';
import { Thrift } from './thrift.ts';

export interface Footer {
  readonly elements: readonly Element[];
  readonly leaves: number;
  readonly rows: number;
  readonly groups: number;
  /**
   * 64-bit numbers: the first row of each row group, then the number of rows; and of each leaf of each row group where it begins, its
   * bytes and its codec.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What each leaf of each row group has among the numbers. */
export const CHUNK_NUMBERS = 3;
/** The least that describes it in the file. */
const CHUNK_BYTES = 8;
export const CODECS = { plain: 0, zstd: 6 } as const;
/** The footer's length and `PAR1`, after it. */
export const TAIL_BYTES = 8;
const MAGIC = 0x31524150;
const I64 = 6;
const LIST = 9;
/** A list has three, one in another one five. */
const ELEMENTS = 20 * COLUMNS;

/** The bytes that the whole footer has, with its tail; the end of a part suffices to know. */
export function footerBytes(tail: Uint8Array, size: number): number {
  const view = viewOf(tail);
  demand(
    tail.length >= TAIL_BYTES && view.getUint32(tail.length - 4, true) === MAGIC,
    'it does not end as such a file does',
  );
  const bytes = view.getUint32(tail.length - TAIL_BYTES, true) + TAIL_BYTES;
  // Such a file also begins with four letters.
  demand(bytes + 4 <= size, 'its description is longer than itself');
  demand(bytes <= FOOTER_BYTES, `its description has ${bytes} bytes, and at most ${FOOTER_BYTES} are read`);
  return bytes;
}

/** `bytes`: the footer with its tail. `size`: the part's. Throws BrokenTable. */
export function readFooter(bytes: Uint8Array, size: number): Footer {
  return sound(() => footerOf(bytes, size));
}

function footerOf(bytes: Uint8Array, size: number): Footer {
  const view = viewOf(bytes.subarray(0, bytes.length - TAIL_BYTES));
  const thrift = new Thrift(view, 0);
  let elements: Element[] = [];
  let groups: { readonly at: number; readonly size: number } | undefined;
  let rows = -1;
  for (const [id, type] of thrift.fields()) {
    const at = thrift.at;
    if (id === 2 && type === LIST) elements = elementsAt(view, thrift);
    else if (id === 4 && type === LIST) {
      groups = { at, size: thrift.list().size };
      thrift.at = at;
      thrift.skip(type, 0);
    } else if (id === 3 && type === I64) rows = numberOf(thrift.number());
    else thrift.skip(type, 0);
  }
  const columns = columnsOf(elements);
  const leaves = columns.at(-1)?.leaves.to ?? 0;
  demand(groups !== undefined && leaves > 0, 'it has no columns');
  demand(groups.size <= ROW_GROUPS, 'it has too many row groups');
  // Each takes bytes: what is declared is there.
  demand(groups.size * leaves * CHUNK_BYTES <= view.byteLength, 'a row group has other columns than the table');
  const numbers = new Float64Array(groups.size + 1 + groups.size * leaves * CHUNK_NUMBERS);
  const reader = new Thrift(view, groups.at);
  reader.list();
  for (let group = 0; group < groups.size; group++) {
    const { rows: more, chunks } = groupOf(structAt(view, reader), leaves, size - bytes.length);
    numbers[group + 1] = (numbers[group] ?? 0) + more;
    numbers.set(chunks, groups.size + 1 + group * leaves * CHUNK_NUMBERS);
  }
  demand(numbers[groups.size] === rows, 'its row groups have other rows than itself');
  return { elements, leaves, rows, groups: groups.size, bytes: new Uint8Array(numbers.buffer) };
}

/** Chunks lie between the first four bytes and the footer. */
function groupOf({ field_1, field_3 }: Fields, leaves: number, end: number): { rows: number; chunks: number[] } {
  const [columns, rows] = [field_1 as Fields[] | undefined, numberOf(field_3)];
  demand(rows >= 0 && columns?.length === leaves, 'a row group has other columns than the table');
  let all = 0;
  const chunks = columns.flatMap((column) => {
    const facts = (column.field_3 ?? {}) as Fields;
    const [codec, bytes, data] = [numberOf(facts.field_4), numberOf(facts.field_7), numberOf(facts.field_9)];
    const dictionary = facts.field_11 === undefined ? 0 : numberOf(facts.field_11);
    const at = dictionary > 0 ? Math.min(dictionary, data) : data;
    demand(at >= 4 && bytes >= 0 && at + bytes <= end, 'a column lies outside of it');
    demand(codec === CODECS.plain || codec === CODECS.zstd, 'it is not compressed as our tables are (zstd)');
    all += bytes;
    return [at, bytes, codec];
  });
  demand(all <= end, 'its columns lie in each other');
  return { rows, chunks };
}

/** The structure at which the reader stands, which it passes. */
function structAt(view: DataView, thrift: Thrift): Fields {
  const offset = thrift.at;
  thrift.struct(1);
  return deserializeTCompactProtocol({ view, offset }) as Fields;
}

function elementsAt(view: DataView, thrift: Thrift): Element[] {
  const { size } = thrift.list();
  demand(size <= ELEMENTS, TOO_MANY);
  return Array.from({ length: size }, () => elementOf(structAt(view, thrift)));
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Errors of reading broken bytes are about the bytes: reading past the end, or a missing value. */
export function sound<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenTable) throw error;
    throw new BrokenTable('its bytes are damaged', { cause: error });
  }
}
