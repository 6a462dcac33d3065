// Downloads a file from a disk, or a folder as a zip. Every call carries its token in a header, so a plain link cannot do it: if the browser lets a
// page write files, it is written piece by piece, otherwise it is held in memory until it is complete.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { saveFile } from '../../../parts/save-file.ts';

/** How much a browser is trusted to hold in memory. */
export const MOST_HELD_BYTES = 1024 * 1024 * 1024;
/** Below this nobody is asked where to. */
const ASKED_FROM_BYTES = 64 * 1024 * 1024;
const MOST_TRIES = 5;

type SavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
const savePicker = (): SavePicker | undefined => (globalThis as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;

export const canDownload = (size: number): boolean => size <= MOST_HELD_BYTES || savePicker() !== undefined;

interface Wanted {
  readonly disk: string;
  readonly path: string;
  readonly name: string;
  /** The size of a folder is known once its zip begins. */
  readonly size: number;
  readonly isFolder: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly onSize: (bytes: number) => void;
}

/** A folder's files are more than the browser is trusted to hold. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Call it while a click is handled: the browser may ask where to. Rejects with an ApiProblem, or an AbortError. */
export async function download(api: Api, wanted: Wanted): Promise<void> {
  const ask = savePicker();
  const pieces = (most: number) => (wanted.isFolder ? zipOf(api, wanted, most) : chunksOf(api, wanted));
  if (ask && (wanted.isFolder || wanted.size >= ASKED_FROM_BYTES)) {
    const handle = await ask({ suggestedName: wanted.name });
    const file = await handle.createWritable();
    try {
      for await (const chunk of pieces(Number.POSITIVE_INFINITY)) await file.write(chunk);
      await file.close();
    } catch (error) {
      await file.abort().catch(() => {});
      throw error;
    }
    return;
  }
  const chunks: BlobPart[] = [];
  for await (const chunk of pieces(MOST_HELD_BYTES)) chunks.push(chunk);
  saveFile(new Blob(chunks, { type: 'application/octet-stream' }), wanted.name);
}

/** All bytes in order; after a broken connection it resumes there, as long as the file is the same. */
export async function* chunksOf(
  api: Pick<Api, 'send' | 'failure'>,
  { disk, path, signal, onProgress }: Pick<Wanted, 'disk' | 'path' | 'signal' | 'onProgress'>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let received = 0;
  let etag: string | null = null;
  for (let tries = 0; tries <= MOST_TRIES; tries++) {
    try {
      const answer: Response = await api.send(
        CALLS.downloadFile,
        { params: { id: disk }, query: { path } },
        { signal, headers: received > 0 ? { Range: `bytes=${received}-`, 'If-Range': etag ?? '' } : {} },
      );
      // Another file by now: what there is does not go with it.
      if (received > 0 && answer.status !== 206) throw api.failure('bad_answer');
      etag = answer.headers.get('ETag');
      for await (const chunk of readFrom(answer)) {
        received += chunk.length;
        tries = 0;
        onProgress(received);
        yield chunk;
      }
      return;
    } catch (error) {
      const again = !signal.aborted && etag !== null && tries < MOST_TRIES && isBroken(error);
      if (!again) throw error instanceof TypeError && !signal.aborted ? api.failure('network') : error;
    }
  }
}

/** A zip is made while it is sent, so that a broken one has to begin anew. Throws TooLarge, before anything of it. */
export async function* zipOf(
  api: Pick<Api, 'send' | 'failure'>,
  { disk, path, signal, onProgress, onSize }: Pick<Wanted, 'disk' | 'path' | 'signal' | 'onProgress' | 'onSize'>,
  most: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const over = new AbortController();
  let received = 0;
  try {
    const answer: Response = await api.send(
      CALLS.zipFolder,
      { params: { id: disk }, query: { path } },
      { signal: AbortSignal.any([signal, over.signal]) },
    );
    const size = Number(answer.headers.get('Files-Bytes') ?? 0);
    if (size > most) throw new TooLarge();
    onSize(size);
    for await (const chunk of readFrom(answer)) {
      received += chunk.length;
      if (received > most) throw new TooLarge();
      onProgress(received);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof TypeError && !signal.aborted ? api.failure('network') : error;
  } finally {
    over.abort();
  }
}

/** `fetch` says so with a TypeError while the body is read. */
const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiProblem && error.error === 'network');

async function* readFrom({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
