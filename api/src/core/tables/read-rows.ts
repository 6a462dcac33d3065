// Rows of one row group, on a thread: as cells of a page, or as lines of a file. The text of an answer is made here too, and the loop
// that serves everybody passes it on.
import { csvText } from '../../platform/csv.ts';
import { demand } from './broken-table.ts';
import { budget, isNested, jsonOf, numberText, scalarOf, spend, wholeOf } from './cells.ts';
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

/** Text may be cut, and a nested value that is becomes text; what is neither is told as it is. */
type Cell = readonly [kind: 'plain' | 'text' | 'nested', text: string, length: number];

/** Rows of cells, each with its first `chars` characters. */
interface Gathered {
  chars: number;
  rows: (readonly Cell[])[];
}

/**
 * What was gathered `before`, and these rows after it, as JSON for the next row group, `pageText` or `cellText`. A cell has its first
 * `most` characters, and fewer where all exceed 4 MiB: what is gathered never has much more, however many row groups there are.
 */
export function cellsOf(group: FetchedGroup, most: number, before: Uint8Array | undefined): Handed {
  return sound(() => {
    const { columns, values } = read(group);
    const gathered = before ? gatheredIn(before) : { chars: most, rows: [] };
    let bytes = bytesOfAll(gathered.rows);
    for (let row = 0; row < group.rows.to - group.rows.from; row++) {
      const cells = columns.map((column, at) => cellOf(values[at]?.[row], column, gathered.chars));
      gathered.rows.push(cells);
      bytes += bytesOfAll([cells]);
      while (gathered.chars > 0 && bytes > ANSWER_BYTES) {
        gathered.chars = Math.floor(gathered.chars / 2);
        gathered.rows = gathered.rows.map((one) => one.map((cell) => shorter(cell, gathered.chars)));
        bytes = bytesOfAll(gathered.rows);
      }
    }
    return handed(JSON.stringify(gathered));
  });
}

/** A whole page of the table, which has `total` rows. */
export function pageText(
  elements: readonly Element[],
  places: readonly number[],
  piece: Uint8Array | undefined,
  total: number,
): Handed {
  const columns = elements.length === 0 ? [] : picked(elements, places);
  const heads = columns.map(({ name, form }) => ({ name, type: cutTo(form.type, TYPE_CHARS, '…') }));
  const { chars, rows } = piece ? gatheredIn(piece) : { chars: 0, rows: [] };
  const cut = rows.flatMap((row, number) =>
    row.flatMap(([, , length], at) => (length > chars ? [[number, at, length]] : [])),
  );
  const told = rows.map((row) => `[${row.map(cellJson).join()}]`);
  return handed(
    `{"columns":${JSON.stringify(heads)},"rows":[${told.join()}],"cut":${JSON.stringify(cut)},"total":${total}}`,
  );
}

/** The first of these cells, and how long it is where it was cut. */
export function cellText(piece: Uint8Array): Handed {
  const { chars, rows } = gatheredIn(piece);
  const cell = rows[0]?.[0] as Cell;
  return handed(`{"value":${cellJson(cell)},"length":${cell[2] > chars ? cell[2] : null}}`);
}

const gatheredIn = (piece: Uint8Array): Gathered => JSON.parse(decoder.decode(piece));

const shorter = ([kind, text, length]: Cell, chars: number): Cell =>
  kind === 'plain' ? [kind, text, length] : [length > chars ? 'text' : kind, cutTo(text, chars), length];

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
        if (isNested(column.form) && value !== null && value !== undefined) return jsonOf(value, column, left);
        const scalar = wholeOf(value, column);
        if (typeof scalar === 'number') return scalar;
        spend(left, `${scalar ?? ''}`.length);
        return `${scalar ?? ''}`;
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

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const handed = (text: string): Handed => ({ bytes: encoder.encode(text) });

function cellOf(value: unknown, column: Column, most: number): Cell {
  const { form } = column;
  if (value === null || value === undefined) return ['plain', 'null', 0];
  if (isNested(form)) {
    const text = jsonOf(value, column, budget());
    const length = charsOf(text);
    return length > most ? ['text', cutTo(text, most), length] : ['nested', text, length];
  }
  if (form.is === 'text' && value instanceof Uint8Array) {
    // Of a long one only the beginning is decoded.
    const length = charsOfBytes(value);
    const head = length > most ? value.subarray(0, most * 4) : value;
    return ['text', cutTo(decoder.decode(head), most), length];
  }
  // Bytes take two characters each.
  if (form.is === 'bytes' && value instanceof Uint8Array && value.length > most)
    return ['text', cutTo(`${scalarOf(value.subarray(0, most), column)}`, most), 2 * value.length + 2];
  const said = scalarOf(value, column);
  return typeof said === 'string' ? ['text', cutTo(said, most), charsOf(said)] : ['plain', numberText(said, form), 0];
}

const cellJson = ([kind, text]: Cell): string => (kind === 'text' ? JSON.stringify(text) : text);

/** Of a cell, beside its value: commas, and its entry in `cut`. */
const AROUND_BYTES = 24;

function bytesOfAll(rows: readonly (readonly Cell[])[]): number {
  let bytes = 0;
  for (const row of rows) for (const cell of row) bytes += asciiChars(cellJson(cell)) + AROUND_BYTES;
  return bytes;
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
