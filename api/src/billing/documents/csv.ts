// Rows as a CSV file that spreadsheets open as it is meant: UTF-8 with its mark, CRLF, and no text that is taken for a formula.
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

type Cell = string | number;

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
  const csv = stringify({ bom: true, record_delimiter: 'windows', quote_record_delimiter: true });
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
