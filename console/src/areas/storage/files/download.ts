// Downloads a file from a disk, or a folder as a zip.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { chunksOf, readFrom, saveDownload, TooLarge } from '../../../parts/files/save-download.ts';

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

/** Call it while a click is handled: the browser may ask where to. Rejects with an ApiProblem, or an AbortError. */
export async function download(api: Api, wanted: Wanted): Promise<void> {
  const { disk: id, path, name, isFolder } = wanted;
  const input = { params: { id }, query: { path } };
  await saveDownload({ name, size: isFolder ? undefined : wanted.size }, (most) =>
    isFolder ? zipOf(api, wanted, most) : chunksOf(api, CALLS.downloadFile, input, wanted),
  );
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
