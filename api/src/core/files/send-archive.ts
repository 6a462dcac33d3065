// All files of a version as one archive on its way out, each read from the store when its turn has come.
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { readableOf } from '../../platform/called-off.ts';
import type { LeastRate } from './least-rate.ts';
import { sendBody } from './send-file.ts';
import type { StoredBlobs } from './stored-blobs.ts';
import { demandStore, orAway } from './stored-objects.ts';
import { TAR_END, tarBytes, tarHead, tarPadding } from './tar.ts';

interface Packed {
  path: string;
  sizeBytes: number;
  digest: string;
}

export interface Archive {
  body: Readable;
  sizeBytes: number;
}

/** Resolves once the first file comes. Throws model_store_off, model_store_away. */
export async function openArchive(
  blobs: Pick<StoredBlobs, 'download'> | undefined,
  files: readonly Packed[],
  signal: AbortSignal,
): Promise<Archive> {
  const there = demandStore(blobs);
  const read = ({ digest }: Packed, gone: AbortSignal) => there.download(digest, undefined, gone);
  const [first] = files;
  const begun = first && (await orAway(read(first, signal)));
  const content = async function* (gone: AbortSignal) {
    gone.addEventListener('abort', () => begun?.destroy());
    for (const file of files) {
      yield tarHead(file);
      yield* file === first && begun ? begun : await read(file, AbortSignal.any([signal, gone]));
      yield tarPadding(file.sizeBytes);
    }
    yield TAR_END;
  };
  const body = readableOf(content);
  return { body, sizeBytes: files.reduce((all, file) => all + tarBytes(file), TAR_END.length) };
}

/** `name` is without its ending. An archive that breaks off is shorter than it says. */
export async function sendArchive(
  res: ServerResponse,
  { body, sizeBytes }: Archive,
  { name, rate }: { name: string; rate: LeastRate },
): Promise<void> {
  res.setHeader('content-length', sizeBytes);
  res.setHeader('content-type', 'application/x-tar');
  res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar`)}`);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('cache-control', 'private, no-cache');
  await sendBody(res, body, rate);
}
