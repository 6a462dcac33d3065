// A picture on its way to the server, with how far it has come: `fetch` does not tell.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type Api, urlOf } from '@gantry/ui/client/api.ts';

interface UploadOptions {
  /** From 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Gives the picture's id. Rejects as `api.call` does. */
export async function uploadPicture(api: Api, file: Blob, { onProgress, signal }: UploadOptions): Promise<string> {
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const { method, path } = CALLS.uploadPicture;
    request.open(method, urlOf(path, {}));
    for (const [name, value] of Object.entries(api.headers())) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(api.failure('network'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
  const response = new Response(text, { status });
  if (!response.ok) throw await api.problemOf(response);
  return (JSON.parse(text) as { result: { id: string } }).result.id;
}
