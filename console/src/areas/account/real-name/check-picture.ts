// Checks a picture before it is sent: its type is determined by its bytes, as on the server.
import { PICTURE_BYTES } from '@gantry/contract/areas/identity/real-auth.ts';

export type PictureFault = 'kind' | 'size' | 'empty';

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Undefined for a JPEG or PNG of at most 5 MiB. */
export async function pictureFault(file: Blob): Promise<PictureFault | undefined> {
  if (file.size === 0) return 'empty';
  const head = new Uint8Array(await file.slice(0, PNG.length).arrayBuffer());
  const starts = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte);
  if (!starts(JPEG) && !starts(PNG)) return 'kind';
  return file.size > PICTURE_BYTES ? 'size' : undefined;
}
