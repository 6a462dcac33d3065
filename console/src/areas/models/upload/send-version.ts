// The files of a version on their way: one after the other, each in pieces, on from where the server says it stands. While the
// network is away it waits.

import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export interface FileToSend {
  readonly path: string;
  readonly file: Blob;
}

export interface VersionToSend {
  readonly api: Pick<Api, 'call' | 'send'>;
  readonly id: string;
  readonly version: string;
  readonly files: readonly FileToSend[];
  readonly signal: AbortSignal;
  /** The progress of all files; `isAway` while it waits for the network. */
  onProgress(sent: number, isAway: boolean): void;
  pause(ms: number): Promise<void>;
}

/** Rejects with an ApiProblem where waiting does not help, or with the signal's reason. */
export async function sendVersion(sent: VersionToSend): Promise<void> {
  let before = 0;
  for (const each of sent.files) {
    const base = before;
    await sendFile(sent, each, (offset, isAway) => sent.onProgress(base + offset, isAway));
    before += each.file.size;
  }
}

async function sendFile(
  { api, id, version, signal, pause }: VersionToSend,
  { path, file }: FileToSend,
  onOffset: (offset: number, isAway: boolean) => void,
): Promise<void> {
  const params = { id, version };
  let offset: number | undefined;
  for (let tries = 0; ; ) {
    signal.throwIfAborted();
    try {
      offset ??= (await api.call(CALLS.getModelUpload, { params, query: { path } }, { signal })).offset;
      onOffset(offset, false);
      if (offset >= file.size) return;
      const body = file.slice(offset, offset + PIECE_BYTES);
      const headers = { 'Content-Type': 'application/octet-stream' };
      await api.send(CALLS.putModelPiece, { params, query: { path, offset } }, { signal, body, headers });
      offset += body.size;
      tries = 0;
    } catch (error) {
      if (!(error instanceof ApiProblem) || !isPassing(error)) throw error;
      // The offset is asked for again: the piece may have arrived without its answer.
      if (offset !== undefined) onOffset(offset, true);
      offset = undefined;
      await pause(error.retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries++));
    }
  }
}

const isPassing = (error: ApiProblem): boolean =>
  error.isUncertain || error.status === 429 || error.error === 'upload_offset';
