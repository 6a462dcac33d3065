// All files of a version as one archive on its way out, each read from the store when its turn has come.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { blobKey, demandStore, orAway } from './stored-objects.ts';
import { TAR_END, tarHead, tarPadding } from './tar.ts';

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
  store: ObjectStore | undefined,
  files: readonly Packed[],
  signal: AbortSignal,
): Promise<Archive> {
  const there = demandStore(store);
  const read = ({ digest }: Packed) => there.read(blobKey(digest), undefined, signal);
  const [first] = files;
  const begun = first && (await orAway(read(first)));
  const content = async function* () {
    for (const file of files) {
      yield tarHead(file);
      // Who asked may be gone meanwhile: then what is open ends with the rest.
      yield* file === first && begun ? begun : await read(file);
      yield tarPadding(file.sizeBytes);
    }
    yield TAR_END;
  };
  const sizes = files.map((file) => tarHead(file).length + file.sizeBytes + tarPadding(file.sizeBytes).length);
  const body = Readable.from(content(), { objectMode: false });
  if (begun) body.once('close', () => begun.destroy());
  return { body, sizeBytes: sizes.reduce((all, size) => all + size, TAR_END.length) };
}

/** `name` is without its ending. An archive that breaks off is shorter than it says. */
export async function sendArchive(
  res: ServerResponse,
  { body, sizeBytes }: Archive,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<void> {
  res.setHeader('content-length', sizeBytes);
  res.setHeader('content-type', 'application/x-tar');
  res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar`)}`);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('cache-control', 'private, no-cache');
  await pipeline(body, res, { signal });
}
