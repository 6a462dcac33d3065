// The files of a version on their way: one after the other.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { type FileToSend, type Patience, sendPieces } from '../../../parts/files/send-pieces.ts';

export interface VersionToSend extends Pick<Patience, 'signal' | 'pause'> {
  readonly api: Pick<Api, 'call' | 'send'>;
  readonly id: string;
  readonly version: string;
  readonly files: readonly FileToSend[];
  /** The progress of all files; `isAway` while it waits for the network. */
  onProgress(sent: number, isAway: boolean): void;
}

/** Rejects with an ApiProblem where waiting does not help, or with the signal's reason. */
export async function sendVersion({
  api,
  id,
  version,
  files,
  signal,
  pause,
  onProgress,
}: VersionToSend): Promise<void> {
  const params = { id, version };
  const headers = { 'Content-Type': 'application/octet-stream' };
  let before = 0;
  for (const { path, file } of files) {
    let at = 0;
    const calls = {
      progress: () => api.call(CALLS.getModelUpload, { params, query: { path } }, { signal }),
      put: (offset: number, body: Blob) =>
        api.send(CALLS.putModelPiece, { params, query: { path, offset } }, { signal, body, headers }),
    };
    await sendPieces(file, calls, {
      ...{ signal, pause },
      onOffset(offset) {
        at = offset;
        onProgress(before + at, false);
      },
      onAway: (isAway) => isAway && onProgress(before + at, true),
    });
    before += file.size;
  }
}
