// Saves the file that a call answers with. The call carries the token in a header, which a mere link could not.
import { saveFile } from './save-file.ts';

/** `onBytes` hears how many have come. Rejects where the connection breaks: half a file is none. */
export async function saveAnswer(response: Response, onBytes?: (bytes: number) => void): Promise<void> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    chunks.push(part.value);
    bytes += part.value.length;
    onBytes?.(bytes);
  }
  saveFile(new Blob(chunks, { type: response.headers.get('content-type') ?? '' }), nameIn(response.headers));
}

/** `attachment; filename="invoice-7.pdf"` */
export function nameIn(headers: Headers): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download';
}
