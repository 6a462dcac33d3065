// The files of a version: hashed and listed in batches, so that only bytes which the organisation does not have are sent, several files
// at once; then the version is completed. While one batch is sent the next is hashed. Every step may be done again.
import { MOST_FILES_AT_ONCE } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import type { UploadProgress } from '../../../parts/files/running-uploads.ts';
import { type FileToSend, type Patience, patiently, sendPieces } from '../../../parts/files/send-pieces.ts';

/** Hashing them takes about a second. */
const BATCH_BYTES = 128 * 1024 * 1024;
/** A browser has six connections to a server: two are left to the page. */
const AT_ONCE = 4;

interface FilesToSend extends Pick<Patience, 'signal' | 'pause'> {
  readonly api: Pick<Api, 'call' | 'send'>;
  readonly id: string;
  readonly version: number;
  readonly files: readonly FileToSend[];
  hash(file: FileToSend): Promise<string>;
  onProgress(progress: UploadProgress & { readonly gone: number }): void;
}

interface HashedFile extends FileToSend {
  readonly sha256: string;
}

/** Rejects with an ApiProblem where waiting does not help, with what `hash` throws, or with the signal's reason. */
export async function sendFiles({ api, id, version, files, hash, onProgress, ...how }: FilesToSend): Promise<void> {
  const params = { id, version: `${version}` };
  // One that fails ends the others.
  const failed = new AbortController();
  const signal = AbortSignal.any([how.signal, failed.signal]);
  const sum = { hashed: 0, sent: 0, gone: 0 };
  let isAway = false;
  const tell = () => onProgress({ ...sum, isAway });
  const patience: Patience = {
    ...{ signal, pause: how.pause },
    onAway(now) {
      if (now === isAway) return;
      isAway = now;
      tell();
    },
  };

  const hashed = async (batch: readonly FileToSend[]): Promise<readonly HashedFile[]> => {
    const known: HashedFile[] = [];
    for (const file of batch) {
      signal.throwIfAborted();
      known.push({ ...file, sha256: await hash(file) });
      sum.hashed += file.file.size;
      tell();
    }
    return known;
  };

  const missingOf = async (batch: readonly HashedFile[]): Promise<readonly HashedFile[]> => {
    const listed = batch.map(({ path, file, sha256 }) => ({ path, size_bytes: file.size, sha256 }));
    const ask = () => api.call(CALLS.addDatasetFiles, { params, body: { files: listed } }, { signal });
    const missing = new Set((await patiently(ask, patience)).missing);
    for (const { path, file } of batch) if (!missing.has(path)) sum.sent += file.size;
    tell();
    return batch.filter(({ path }) => missing.has(path));
  };

  const send = ({ path, file }: HashedFile): Promise<void> => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    let stood: number | undefined;
    return sendPieces(
      file,
      {
        progress: () => api.call(CALLS.getDatasetUpload, { params, query: { path } }, { signal }),
        async put(offset, body) {
          await api.send(CALLS.putDatasetPiece, { params, query: { path, offset } }, { signal, body, headers });
          sum.gone += body.size;
        },
      },
      {
        ...patience,
        // One piece is there as a whole or not at all, and then it is not missing.
        ...(file.size <= PIECE_BYTES && { first: 0 }),
        onOffset(offset) {
          sum.sent += offset - (stood ?? 0);
          stood = offset;
          tell();
        },
      },
    );
  };

  try {
    const batches = batchesOf(files);
    let next = hashed(batches[0] ?? []);
    for (const at of batches.keys()) {
      const batch = await next;
      next = hashed(batches[at + 1] ?? []);
      // It is awaited in the next round, unless this one fails.
      next.catch(() => {});
      await eachOf(await missingOf(batch), send);
    }
    await patiently(() => api.call(CALLS.completeDatasetVersion, { params }, { signal }), patience);
  } catch (error) {
    failed.abort();
    throw error;
  }
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.all(workers);
}

function batchesOf(files: readonly FileToSend[]): readonly (readonly FileToSend[])[] {
  const batches: FileToSend[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const last = batches.at(-1);
    if (!last || last.length >= MOST_FILES_AT_ONCE || bytes + file.file.size > BATCH_BYTES) {
      batches.push([file]);
      bytes = file.file.size;
    } else {
      last.push(file);
      bytes += file.file.size;
    }
  }
  return batches;
}
