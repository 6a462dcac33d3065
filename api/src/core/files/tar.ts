// Tar, as far as one is written: regular files whose names are relative paths, in any language and of any length (PAX of POSIX.1-2001).

const BLOCK = 512;
/** Octal digits of a size in a header. */
const MOST_SIZE = 8 ** 11 - 1;
const MOST_NAME = 100;

interface Entry {
  path: string;
  sizeBytes: number;
}

/** What comes before its content. */
export function tarHead({ path, sizeBytes }: Entry): Buffer {
  const name = Buffer.from(path);
  const isPlain = name.length <= MOST_NAME && /^[\x20-\x7e]*$/.test(path);
  const records = [
    ...(isPlain ? [] : [record('path', path)]),
    ...(sizeBytes <= MOST_SIZE ? [] : [record('size', `${sizeBytes}`)]),
  ];
  const header = block(isPlain ? path : 'file', Math.min(sizeBytes, MOST_SIZE), '0');
  if (records.length === 0) return header;
  const pax = Buffer.concat(records);
  return Buffer.concat([block('pax', pax.length, 'x'), pax, tarPadding(pax.length), header]);
}

/** What comes after so much content. */
export const tarPadding = (sizeBytes: number): Buffer => Buffer.alloc((BLOCK - (sizeBytes % BLOCK)) % BLOCK);

export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Its length counts itself. */
function record(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + `${rest}`.length;
  length = rest + `${length}`.length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function block(name: string, size: number, type: '0' | 'x'): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, MOST_NAME);
  // Mode, owner, group, size and time: equal content gives equal archives.
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
