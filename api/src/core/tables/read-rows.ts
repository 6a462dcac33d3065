// Rows of one row group, on a thread: as cells of a page, or as lines of a file. The text of an answer is made here too; the loop that
// serves everybody parses that of a page, up to 4 MiB, once more.
import { csvText } from '../../platform/csv.ts';
import { demand } from './broken-table.ts';
import { budget, isNested, jsonOf, numberText, scalarOf } from './cells.ts';
import { CHUNK_NUMBERS, sound } from './footer.ts';
import { ANSWER_BYTES, PIECE_CHARS, TYPE_CHARS } from './limits.ts';
import { type Chunk, readColumn, type Span } from './read-column.ts';
import { type Column, columnsOf, type Element } from './schema.ts';

/** A row group, as far as it was fetched. */
export interface FetchedGroup {
  readonly elements: readonly Element[];
  /** Columns by their place. */
  readonly columns: readonly number[];
  readonly rows: Span;
  /** Where each leaf begins, its bytes, its codec. */
  readonly chunks: Float64Array;
  /** Bytes of the part, by the place where they begin. */
  readonly ranges: readonly { readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

interface Handed {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Text may be cut, and nested values become text for it; what is neither is told as it is. */
type Cell = readonly [kind: 'plain' | 'text' | 'nested', text: string, length: number];

/** Rows of cells, each with its first `most` characters, as JSON for `pageText`. */
export function cellsOf(group: FetchedGroup, most: number): Handed {
  return sound(() => {
    const { columns, values } = read(group);
    return handed(
      JSON.stringify(rowsOf(group, (row) => columns.map((column, at) => cellOf(values[at]?.[row], column, most)))),
    );
  });
}

/** `{columns, rows, cut}` of these rows of cells. Where all have more than 4 MiB, each may have fewer characters than `most`. */
export function pageText(
  elements: readonly Element[],
  places: readonly number[],
  pieces: readonly Uint8Array[],
  most: number,
): Handed {
  const columns = picked(elements, places).map(({ name, form }) => ({ name, type: cutTo(form.type, TYPE_CHARS, '…') }));
  const rows = pieces.flatMap((piece) => JSON.parse(decoder.decode(piece)) as Cell[][]);
  let chars = most;
  while (chars > 0 && isLarger(rows, chars)) chars = Math.floor(chars / 2);
  const cut = rows.flatMap((row, number) =>
    row.flatMap(([, , length], at) => (length > chars ? [[number, at, length]] : [])),
  );
  const told = rows.map((row) => `[${row.map((cell) => cellJson(cell, chars)).join()}]`);
  return handed(`{"columns":${JSON.stringify(columns)},"rows":[${told.join()}],"cut":${JSON.stringify(cut)}}`);
}

export type LineFormat = 'jsonl' | 'csv';

/** Lines from the first of these rows on, as many as fit a piece; `next` is the row of the group that comes then. */
export function linesOf(group: FetchedGroup, format: LineFormat, isFirst: boolean): Handed & { next: number } {
  return sound(() => {
    const { columns, values } = read(group);
    const { from, to } = group.rows;
    const names = columns.map(({ name }) => JSON.stringify(name));
    const lines: string[] =
      format === 'csv' && isFirst ? [csvText([columns.map(({ name }) => name)], { isFirst })] : [];
    let chars = 0;
    let row = from;
    for (; row < to && chars < PIECE_CHARS; row++) {
      const left = budget();
      const said = columns.map((column, at) => {
        const value = values[at]?.[row - from];
        if (format === 'jsonl') return `${names[at]}:${jsonOf(value, column, left)}`;
        const scalar =
          isNested(column.form) && value !== null && value !== undefined
            ? jsonOf(value, column, left)
            : scalarOf(value, column);
        return typeof scalar === 'number' ? scalar : `${scalar ?? ''}`;
      });
      const line = format === 'jsonl' ? `{${said.join()}}\n` : csvText([said], { isFirst: false });
      lines.push(line);
      chars += line.length;
    }
    return { ...handed(lines.join('')), next: row };
  });
}

function read(group: FetchedGroup): { columns: Column[]; values: ArrayLike<unknown>[] } {
  const columns = picked(group.elements, group.columns);
  if (group.rows.from === group.rows.to) return { columns, values: [] };
  const values = columns.map((column) => {
    const { from, to } = column.leaves;
    const chunks = Array.from({ length: to - from }, (_, at) => chunkOf(group, from + at));
    return readColumn(column, chunks, group.rows);
  });
  return { columns, values };
}

function picked(elements: readonly Element[], places: readonly number[]): Column[] {
  const all = columnsOf(elements);
  return places.map((place) => all[place] as Column);
}

function chunkOf({ chunks, ranges }: FetchedGroup, leaf: number): Chunk {
  const [at = 0, size = 0, codec = 0] = chunks.subarray(leaf * CHUNK_NUMBERS, (leaf + 1) * CHUNK_NUMBERS);
  const range = ranges.find(({ from, bytes }) => from <= at && at + size <= from + bytes.length);
  demand(range !== undefined, 'a column is missing');
  return { bytes: range.bytes.subarray(at - range.from, at - range.from + size), codec };
}

const rowsOf = <T>({ rows: { from, to } }: FetchedGroup, make: (row: number) => T): T[] =>
  Array.from({ length: to - from }, (_, row) => make(row));

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const handed = (text: string): Handed => ({ bytes: encoder.encode(text) });

function cellOf(value: unknown, column: Column, most: number): Cell {
  const { form } = column;
  if (value === null || value === undefined) return ['plain', 'null', 0];
  if (isNested(form)) {
    const text = jsonOf(value, column, budget());
    const length = charsOf(text);
    return ['nested', cutTo(text, most), length];
  }
  if (form.is === 'text' && value instanceof Uint8Array) {
    // Of a long one only the beginning is decoded.
    const length = charsOfBytes(value);
    const head = length > most ? value.subarray(0, most * 4) : value;
    return ['text', cutTo(decoder.decode(head), most), length];
  }
  const said = scalarOf(value, column);
  return typeof said === 'string' ? ['text', cutTo(said, most), charsOf(said)] : ['plain', numberText(said, form), 0];
}

const cellJson = ([kind, text, length]: Cell, chars: number): string =>
  kind === 'plain' || (kind === 'nested' && length <= chars) ? text : JSON.stringify(cutTo(text, chars));

/** Of a cell, beside its value: commas, and its entry in `cut`. */
const AROUND_BYTES = 24;

function isLarger(rows: readonly (readonly Cell[])[], chars: number): boolean {
  let left = ANSWER_BYTES;
  for (const row of rows) {
    for (const cell of row) left -= asciiChars(cellJson(cell, chars)) + AROUND_BYTES;
    if (left < 0) return true;
  }
  return false;
}

/** Characters outside of ASCII count as they would be escaped. */
function asciiChars(json: string): number {
  let chars = json.length;
  for (let at = 0; at < json.length; at++) if (json.charCodeAt(at) > 0x7e) chars += 5;
  return chars;
}

const isPairAt = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

function charsOf(text: string): number {
  let chars = 0;
  for (let at = 0; at < text.length; at += isPairAt(text, at) ? 2 : 1) chars++;
  return chars;
}

/** Of UTF-8: bytes that begin a character. */
function charsOfBytes(bytes: Uint8Array): number {
  let chars = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) chars++;
  return chars;
}

function cutTo(text: string, most: number, end = ''): string {
  if (text.length <= most) return text;
  let at = 0;
  for (let chars = 0; chars < most && at < text.length; chars++) at += isPairAt(text, at) ? 2 : 1;
  return at < text.length ? text.slice(0, at) + end : text;
}
