// Downloads onto the person's machine. Every call carries its token in a header, so a plain link cannot do it: if the browser lets a
// page write files, it is written piece by piece, otherwise it is held in memory until it is complete.
import type { Call } from '@gantry/contract/http/call.ts';
import type { AnyInput, Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { saveFile } from '../save-file.ts';

/** How much a browser is trusted to hold in memory. */
export const MOST_HELD_BYTES = 1024 * 1024 * 1024;
/** Below this nobody is asked where to. */
const ASKED_FROM_BYTES = 64 * 1024 * 1024;
const MOST_TRIES = 5;
const NEVER = new AbortController().signal;

type SavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
const savePicker = (): SavePicker | undefined => (globalThis as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;

export const canDownload = (size: number): boolean => size <= MOST_HELD_BYTES || savePicker() !== undefined;

export type Chunk = Uint8Array<ArrayBuffer>;

/** It is more than the browser is trusted to hold. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Call it while a click is handled: the browser may ask where to. `size` is undefined where it is known later. Rejects with what
 * `pieces` throws, an AbortError, or TooLarge; `pieces` may throw TooLarge before it has more than `most`.
 */
export async function saveDownload(
  { name, size }: { name: string; size: number | undefined },
  pieces: (most: number) => AsyncIterable<Chunk>,
): Promise<void> {
  const ask = savePicker();
  if (ask && (size === undefined || size >= ASKED_FROM_BYTES)) {
    const handle = await ask({ suggestedName: name });
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
  let held = 0;
  for await (const chunk of pieces(MOST_HELD_BYTES)) {
    held += chunk.length;
    if (held > MOST_HELD_BYTES) throw new TooLarge();
    chunks.push(chunk);
  }
  saveFile(new Blob(chunks, { type: 'application/octet-stream' }), name);
}

/** All bytes in order; after a broken connection it resumes there, as long as the file is the same. */
export async function* chunksOf(
  api: Pick<Api, 'send' | 'failure'>,
  call: Call,
  input: AnyInput,
  { signal = NEVER, onProgress }: { signal?: AbortSignal; onProgress?(bytes: number): void } = {},
): AsyncGenerator<Chunk> {
  let received = 0;
  let etag: string | null = null;
  for (let tries = 0; tries <= MOST_TRIES; tries++) {
    try {
      const headers: Record<string, string> =
        received > 0 ? { Range: `bytes=${received}-`, 'If-Range': etag ?? '' } : {};
      const answer: Response = await api.send(call, input, { signal, headers });
      // Another file by now: what there is does not go with it.
      if (received > 0 && answer.status !== 206) throw api.failure('bad_answer');
      etag = answer.headers.get('ETag');
      for await (const chunk of readFrom(answer)) {
        received += chunk.length;
        tries = 0;
        onProgress?.(received);
        yield chunk;
      }
      return;
    } catch (error) {
      const again = !signal.aborted && etag !== null && tries < MOST_TRIES && isBroken(error);
      if (!again) throw error instanceof TypeError && !signal.aborted ? api.failure('network') : error;
    }
  }
}

/** `fetch` says so with a TypeError while the body is read. */
const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiProblem && error.error === 'network');

export async function* readFrom({ body }: Response): AsyncGenerator<Chunk> {
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
