// Pieces of a file on their way to a disk: the one call that tells how far it has come while it goes, which `fetch` does not.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type Api, urlOf } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

export interface Piece {
  readonly path: string;
  readonly overwrite: boolean;
  readonly body: Blob;
  /** For uploads in pieces: the upload's id, and a Content-Range. */
  readonly upload?: string;
  readonly range?: string;
}

/** Rejects with an ApiProblem, a FileChanged, or the signal's reason. */
export interface UploadWire {
  put(piece: Piece, on: { signal: AbortSignal; sent: (bytes: number) => void }): Promise<PutAnswer>;
  /** The offset of an unfinished upload; undefined if there is none. */
  offset(path: string, upload: string, signal: AbortSignal): Promise<number | undefined>;
  /** The size of an existing file. */
  size(path: string, signal: AbortSignal): Promise<number | undefined>;
  giveUp(path: string, upload: string): Promise<void>;
}

/** The file on this machine is another one by now, or is gone: no try helps. */
export class FileChanged extends Error {}

export interface PutAnswer {
  readonly complete: boolean;
  readonly offset?: number | undefined;
}

export function uploadWire(api: Api, disk: string): UploadWire {
  const params = { id: disk };
  const unlessAbsent = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  };
  return {
    put: (piece, on) => put(api, disk, piece, on),
    offset: (path, upload, signal) =>
      api
        .call(CALLS.getUpload, { params, query: { path, upload } }, { signal })
        .then(({ offset }) => offset, unlessAbsent),
    size: (path, signal) =>
      api
        .send(CALLS.downloadFile, { params, query: { path } }, { signal, headers: { Range: 'bytes=0-0' } })
        .then(async (response) => {
          await response.body?.cancel();
          const total = Number(response.headers.get('Content-Range')?.split('/')[1]);
          return Number.isFinite(total) ? total : undefined;
        }, unlessAbsent),
    giveUp: async (path, upload) => {
      await api.call(CALLS.giveUpUpload, { params, query: { path, upload } }).catch(unlessAbsent);
    },
  };
}

function put(
  api: Api,
  disk: string,
  { path, overwrite, body, upload, range }: Piece,
  { signal, sent }: Parameters<UploadWire['put']>[1],
): Promise<PutAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PutAnswer>();
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const query = { path, upload, overwrite: overwrite || undefined };
  request.open('PUT', urlOf(CALLS.uploadFile.path, { params: { id: disk }, query }));
  const headers = {
    ...api.headers(),
    'Content-Type': 'application/octet-stream',
    ...(range !== undefined && { 'Content-Range': range }),
  };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  request.upload.onprogress = ({ loaded }) => sent(loaded);
  request.onabort = () => reject(signal.reason);
  // A browser reports an unreadable file like a broken connection.
  request.onerror = () =>
    body
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => reject(api.failure('network')),
        () => reject(new FileChanged()),
      );
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) {
      const result = resultIn(request.responseText);
      if (result) resolve(result);
      else reject(api.failure('bad_answer'));
      return;
    }
    const retryAfter = request.getResponseHeader('Retry-After');
    const answer = new Response(request.responseText, {
      status: request.status,
      headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
    });
    api.problemOf(answer).then(reject, reject);
  };
  request.onloadend = () => signal.removeEventListener('abort', abort);
  request.send(body);
  return promise;
}

function resultIn(text: string): PutAnswer | undefined {
  try {
    return (JSON.parse(text) as { result?: PutAnswer }).result;
  } catch {
    return undefined;
  }
}
