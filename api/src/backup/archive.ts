// A backup's file: gzip around one JSON document per line. The first line identifies it, the last has the counts, so that a
// truncated file is not taken for a complete one.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export const FORMAT = 1;

export interface Header {
  readonly gantryBackup: typeof FORMAT;
  /** The version of the product that made it. */
  readonly version: string;
  /** Hashes of the migrations that its tables have seen. */
  readonly migrations: readonly string[];
  readonly at: string;
}

export interface Counts {
  rows: number;
  objects: number;
}

/** Each as one line. A row stays the text that the database wrote: JavaScript's numbers would round its largest. */
export type Line =
  | { readonly header: Header }
  | { readonly table: string; readonly row: string }
  | { readonly object: unknown }
  | { readonly end: Counts };

/** `write` of what `lines` gets resolves once there is room for more. Ends `out`; rejects with whatever fails first. */
export async function writeArchive(
  out: Writable,
  lines: (write: (line: Line) => Promise<void>) => Promise<void>,
): Promise<void> {
  const zip = createGzip();
  const written = pipeline(zip, out);
  const write = async (line: Line): Promise<void> => {
    // A pipe whose other end has failed never drains.
    if (!zip.write(`${textOf(line)}\n`)) await Promise.race([once(zip, 'drain'), written]);
  };
  const fed = lines(write).then(
    () => zip.end(),
    (error) => {
      zip.destroy(error);
      throw error;
    },
  );
  await Promise.all([fed, written]);
}

const textOf = (line: Line): string =>
  'row' in line ? `{"table":${JSON.stringify(line.table)},"row":${line.row}}` : JSON.stringify(line);

/** Rejects for a file that is not a backup, or is incomplete. */
export async function* readArchive(file: string): AsyncGenerator<Line> {
  const zip = createGunzip();
  const reading = pipeline(createReadStream(file), zip);
  // Told by the loop below, which the same failure ends.
  reading.catch(() => undefined);
  let isFirst = true;
  let isWhole = false;
  try {
    for await (const text of createInterface({ input: zip, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = lineOf(text);
      if (isFirst && (!('header' in line) || line.header.gantryBackup !== FORMAT)) throw new Error(NOT_OURS(file));
      isFirst = false;
      isWhole = 'end' in line;
      yield line;
    }
    await reading;
  } catch (error) {
    throw isFirst ? new Error(NOT_OURS(file), { cause: error }) : error;
  }
  if (!isWhole) throw new Error(`${file} ends early: it is not a whole backup`);
}

const NOT_OURS = (file: string) => `${file} is not a backup that this version of Gantry can read`;

const ROW = /^\{"table":("[^"]*"),"row":/;

function lineOf(text: string): Line {
  const found = ROW.exec(text);
  if (!found) return JSON.parse(text);
  return { table: JSON.parse(found[1] ?? ''), row: text.slice(found[0].length, -1) };
}
