// All files of a version as one tar archive, made as they come: paths that the header has no room for stand in a record before it
// (POSIX pax).
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { type Chunk, chunksOf, TooLarge } from '../../parts/files/save-download.ts';

const BLOCK = 512;
const MOST_NAME = 100;
/** What the size field of a header can say in octal digits. */
const MOST_OCTAL = 8 ** 11 - 1;
const PAGE = 1000;

interface OfVersion {
  readonly id: string;
  readonly version: string;
}

/** Throws TooLarge as soon as it is known to have more than `most` bytes. */
export async function* archiveOf(
  api: Pick<Api, 'call' | 'send' | 'failure'>,
  params: OfVersion,
  most: number,
): AsyncGenerator<Chunk> {
  let whole = 0;
  for await (const { path, size_bytes: size } of filesOf(api, params)) {
    whole += size;
    if (whole > most) throw new TooLarge();
    yield tarHeader(path, size);
    yield* chunksOf(api, CALLS.downloadDatasetFile, { params: { ...params }, query: { path } });
    yield new Uint8Array(fill(size));
  }
  yield new Uint8Array(2 * BLOCK);
}

async function* filesOf(api: Pick<Api, 'call'>, params: OfVersion) {
  for (let page = 1, cursor: string | undefined; ; page++) {
    const query = { page, size: PAGE, ...(cursor !== undefined && { cursor }) };
    const found = await api.call(CALLS.listDatasetFiles, { params, query });
    yield* found.items;
    cursor = (found.extra as { cursor?: string }).cursor;
    if (page >= found.totalPages || cursor === undefined) return;
  }
}

/** Up to the next block. */
const fill = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const utf8 = new TextEncoder();

/** Of a file that follows with `size` bytes. */
function tarHeader(path: string, size: number): Chunk {
  const name = utf8.encode(path);
  if (name.length <= MOST_NAME && size <= MOST_OCTAL) return block(name, size, '0');
  const record = utf8.encode(`${paxRecord('path', path)}${paxRecord('size', `${size}`)}`);
  const padded = new Uint8Array(record.length + fill(record.length));
  padded.set(record);
  return joined(
    block(utf8.encode('PaxHeader'), record.length, 'x'),
    padded,
    block(name.slice(0, MOST_NAME), Math.min(size, MOST_OCTAL), '0'),
  );
}

/** `17 path=a/b.jsonl\n`, where the number counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = utf8.encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (`${length}`.length + rest !== length) length = `${length}`.length + rest;
  return `${length} ${key}=${value}\n`;
}

function block(name: Uint8Array, size: number, type: string): Chunk {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => header.set(utf8.encode(text), at);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.set(name);
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  // The checksum is counted with blanks in its own place.
  put(148, '        ');
  put(156, type);
  put(257, 'ustar\x0000');
  const sum = header.reduce((all, byte) => all + byte, 0);
  put(148, `${octal(sum, 6)} `);
  return header;
}

function joined(...parts: readonly Uint8Array[]): Chunk {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
