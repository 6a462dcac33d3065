// The contents of a backup: gzip around one JSON document per line. The first line identifies it, the last has the counts. It is sealed as
// it is written (`sealed.ts`): no byte of it lies anywhere in the clear.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { KubeObject, OwnerReference } from '@gantry/contract/define-kind.ts';
import { type Keys, keysFor, opening, SEALED_HEADER_BYTES, sealing, Unreadable } from './sealed.ts';

export const FORMAT = 2;

export interface Header {
  readonly gantryBackup: typeof FORMAT;
  readonly id: string;
  /** The version of the product that made it. */
  readonly version: string;
  /** Hashes of the migrations that its tables have seen. */
  readonly migrations: readonly string[];
  readonly at: string;
}

export interface Counts {
  rows: number;
  objects: number;
  /** Namespaces, Secrets and quotas. */
  companions: number;
  /** Objects that the platform made for its own, and images: by name alone. */
  references: number;
}

/** An object that the platform made for another, and makes again; its contents are elsewhere. */
export interface Child {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owner: Pick<OwnerReference, 'kind' | 'name' | 'uid'>;
}

/** Each as one line. A row stays the text that the database wrote: JavaScript's numbers would round its largest. */
export type Line =
  | { readonly header: Header }
  | { readonly object: KubeObject }
  | { readonly companion: KubeObject }
  | { readonly child: Child }
  /** An image in the registry, which keeps its own contents. */
  | { readonly image: string }
  /** In base64. */
  | { readonly platformKey: string }
  | { readonly table: string; readonly row: string }
  /** Uids of objects that were deleted while the backup was made: the tables know that they are gone. */
  | { readonly gone: readonly string[] }
  | { readonly end: Counts };

/** Which count a line belongs to, if any. */
export function countOf(line: Line): keyof Counts | undefined {
  if ('row' in line) return 'rows';
  if ('object' in line) return 'objects';
  if ('companion' in line) return 'companions';
  return 'child' in line || 'image' in line ? 'references' : undefined;
}

/** `write` of what `lines` gets resolves once there is room for more. Ends `out`; rejects with whatever fails first. */
export async function writeArchive(
  out: Writable,
  keys: Keys,
  lines: (write: (line: Line) => Promise<void>) => Promise<void>,
): Promise<void> {
  const zip = createGzip();
  const written = pipeline(zip, sealing(keys), out);
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

/** Rejects with Unreadable for a file that is not a backup, is incomplete, or was sealed by another secret. */
export async function* readArchive(file: string, secrets: readonly string[]): AsyncGenerator<Line> {
  const keys = await keysFor(await beginningOf(file), secrets, file);
  const zip = createGunzip();
  const reading = pipeline(createReadStream(file, { start: SEALED_HEADER_BYTES }), opening(keys, file), zip);
  // Told by the loop below, which the same failure ends.
  reading.catch(() => undefined);
  let isFirst = true;
  let isWhole = false;
  try {
    for await (const text of createInterface({ input: zip, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = lineOf(text);
      if (isFirst && (!('header' in line) || line.header.gantryBackup !== FORMAT))
        throw new Unreadable(`${file} is not a backup that this version of Gantry can read`);
      isFirst = false;
      isWhole = 'end' in line;
      yield line;
    }
    await reading;
  } catch (error) {
    throw await causeOf(reading, error);
  } finally {
    // A reader may leave early.
    zip.destroy();
  }
  if (!isWhole) throw new Unreadable(`${file} ends early: it is not a whole backup`);
}

/** A line that was cut off is no JSON; what cut it says more. */
const causeOf = (reading: Promise<void>, error: unknown): Promise<unknown> =>
  Promise.race([
    reading.then(
      () => error,
      (cause: unknown) => cause,
    ),
    new Promise((resolve) => setImmediate(resolve, error)),
  ]);

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SEALED_HEADER_BYTES), 0, SEALED_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const ROW = /^\{"table":("[^"]*"),"row":/;

function lineOf(text: string): Line {
  const found = ROW.exec(text);
  if (!found) return JSON.parse(text);
  return { table: JSON.parse(found[1] ?? ''), row: text.slice(found[0].length, -1) };
}
