// The bytes of a stored file on their way out, whole or a range of them.
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@gantry/contract/http/problem.ts';
import { chunksUntil } from '../../platform/called-off.ts';
import type { LeastRate } from './least-rate.ts';
import type { StoredBlobs } from './stored-blobs.ts';
import { demandStore, orAway } from './stored-objects.ts';

export interface Download {
  body: Readable;
  digest: string;
  size: number;
  /** Both ends are in it; absent: all. */
  range?: { from: number; to: number } | undefined;
}

/** `range` as the header has it; one that is not understood is ignored, as RFC 9110 says. Throws range_outside. */
export async function openDownload(
  blobs: Pick<StoredBlobs, 'download'> | undefined,
  { digest, size }: Pick<Download, 'digest' | 'size'>,
  { range: asked, signal }: { range: string | undefined; signal: AbortSignal },
): Promise<Download> {
  const there = demandStore(blobs);
  const range = rangeOf(asked, size);
  return { body: await orAway(there.download(digest, range, signal)), digest, size, range };
}

/** A file that is read from its beginning counts, its other ranges do not. */
export const isBegun = ({ range }: Download): boolean => !range || range.from === 0;

/** Sends all of it, as fast as the client takes it. Ends with the rate's signal, and leaves what is read as well as the client. */
export async function sendBody(res: ServerResponse, body: Readable, rate: LeastRate): Promise<void> {
  const { signal } = rate;
  try {
    await pipeline(rate.taken(chunksUntil(signal, body)), res, { signal });
  } finally {
    body.destroy();
  }
}

export async function sendFile(
  res: ServerResponse,
  { body, digest, size, range }: Download,
  { path, rate }: { path: string; rate: LeastRate },
): Promise<void> {
  res.statusCode = range ? 206 : 200;
  res.setHeader('content-length', range ? range.to - range.from + 1 : size);
  if (range) res.setHeader('content-range', `bytes ${range.from}-${range.to}/${size}`);
  res.setHeader('accept-ranges', 'bytes');
  res.setHeader('etag', `"${digest}"`);
  // A tenant's file in the console's origin is never rendered as a page.
  res.setHeader('content-type', 'application/octet-stream');
  const name = path.split('/').at(-1) ?? '';
  res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('cache-control', 'private, no-cache');
  await sendBody(res, body, rate);
}

function rangeOf(asked: string | undefined, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to) throw problem('range_outside');
  return { from, to };
}
