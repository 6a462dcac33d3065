// How a file is shown without downloading it, by its name and its first bytes. Pure.
export const MOST_TEXT_BYTES = 64 * 1024;
export const MOST_PICTURE_BYTES = 10 * 1024 * 1024;

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
};

/** The type of a picture that browsers show; undefined for all else. */
export const pictureType = (name: string): string | undefined => {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(PICTURES, ending) ? PICTURES[ending] : undefined;
};

/** UTF-8 without NUL, which may be cut within a character at its end; undefined if it is not text. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
