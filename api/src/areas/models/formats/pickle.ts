// Pickles: loading one runs whatever program is in it. They are known by their content, wherever that shows it, and by their names.

/** Names that pickles have. A `.bin` may be anything, and is judged by its content. */
const NAMES = /\.(pt|pth|pkl|pickle|ckpt|joblib|dill|ptl|t7)$/i;
const PROTO = 0x80;
const NEWEST_PROTOCOL = 5;
const ZIP = [0x50, 0x4b, 0x03, 0x04];

export const isPickleName = (path: string): boolean => NAMES.test(path);

/**
 * `head` is the beginning of a file, `tail` its end: a zip's directory is there. PyTorch's files are zips with a pickle in them, or
 * pickles one after the other. Never throws.
 */
export function isPickle(head: Uint8Array, tail: Uint8Array = head): boolean {
  if (head[0] === PROTO && head[1] !== undefined && head[1] <= NEWEST_PROTOCOL) return true;
  if (isTextPickle(head)) return true;
  return ZIP.every((byte, at) => head[at] === byte) && [head, tail].some((part) => textOf(part).includes('.pkl'));
}

/** Protocol 0 has no mark: a global from a module, which is what makes a pickle dangerous, in its first opcodes. */
const isTextPickle = (head: Uint8Array): boolean =>
  /^\(?c[\w.]+\n[\w.]+\n(p\d+\n|[(tR])/.test(textOf(head.subarray(0, 256)));

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
