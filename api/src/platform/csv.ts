// Rows as a CSV file that spreadsheets open as it is meant: UTF-8 with its mark, CRLF, and no text that is taken for a formula. And
// such a file as rows.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify';
import { stringify as stringified } from 'csv-stringify/sync';

type Cell = string | number;

const FORMAT = { record_delimiter: 'windows', quote_record_delimiter: true } as const;

/** The same of some rows at once; the head of a file is the first of them. */
export const csvText = (rows: readonly (readonly Cell[])[], { isFirst }: { isFirst: boolean }): string =>
  stringified(
    rows.map((row) => row.map(guarded)),
    { ...FORMAT, bom: isFirst },
  );

/** Streams: a row is asked for when the last one has gone. */
export function csvOf(
  head: readonly string[],
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>,
): Readable {
  async function* lines() {
    yield head;
    for await (const row of rows) yield row.map(guarded);
  }
  const source = Readable.from(lines());
  const csv = stringify({ ...FORMAT, bom: true });
  // A client that disconnects early also ends the reading.
  source.on('error', (error) => csv.destroy(error));
  csv.on('close', () => source.destroy());
  return source.pipe(csv);
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA = /^[\s]*[=+\-@＝＋－＠\t\r\n]/;

/** Spreadsheets execute text that begins like this. Negative amounts stay numbers. */
export function guarded(cell: Cell): Cell {
  if (typeof cell !== 'string' || NUMBER.test(cell)) return cell;
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

export interface CsvLine {
  /** From 1; of a record of several lines the last. */
  line: number;
  cells: string[];
}

/** Says where a file is none, and why. */
export class BadCsv extends Error {
  readonly line: number;
  readonly detail: string;

  constructor(line: number, detail: string) {
    super(`line ${line}: ${detail}`);
    this.line = line;
    this.detail = detail;
  }
}

/** The most cells of a line: more than any of our files has, and each takes time to read. */
const MOST_CELLS = 1_000;

function demandFewCells(text: string): void {
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    let cells = 1;
    for (const letter of line) if (letter === ',' || letter === ';' || letter === '\t') cells++;
    if (cells > MOST_CELLS) throw new BadCsv(at + 1, `${cells} > ${MOST_CELLS}`);
  }
}

/** Empty lines are left out. Spreadsheets of some countries separate cells by semicolons. Reads one record more than `most`. */
export function readCsv(text: string, most: number): CsvLine[] {
  demandFewCells(text);
  try {
    const records = parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: most + 1,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record.map(bared) }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    throw new BadCsv(lines ?? 1, error.code);
  }
}

/** Takes off what `guarded` put on. */
const bared = (cell: string): string => (/^'[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell);
