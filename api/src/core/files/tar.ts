// Tar, as far as one is written: regular files whose names are relative paths, in any language and of any length (PAX of POSIX.1-2001).

const BLOCK = 512;
/** Octal digits of a size in a header. */
const MOST_SIZE = 8 ** 11 - 1;
const MOST_NAME = 100;

interface Entry {
  path: string;
  sizeBytes: number;
}

/** The bytes before a file's content. */
export function tarHead(entry: Entry): Buffer {
  const { path, sizeBytes } = entry;
  const header = block(isPlain(path) ? path : 'file', Math.min(sizeBytes, MOST_SIZE), '0');
  const records = recordsOf(entry);
  if (records.length === 0) return header;
  const pax = Buffer.from(records.map(([key, value]) => `${recordBytes(key, value)} ${key}=${value}\n`).join(''));
  return Buffer.concat([block('pax', pax.length, 'x'), pax, tarPadding(pax.length), header]);
}

/** The bytes after content of this length. */
export const tarPadding = (sizeBytes: number): Buffer => Buffer.alloc(paddingBytes(sizeBytes));

/** The size of the whole file: header, content and padding. Computed, because there may be twenty thousand. */
export function tarBytes(entry: Entry): number {
  const pax = recordsOf(entry).reduce((all, [key, value]) => all + recordBytes(key, value), 0);
  const { sizeBytes } = entry;
  return (pax === 0 ? 0 : BLOCK + pax + paddingBytes(pax)) + BLOCK + sizeBytes + paddingBytes(sizeBytes);
}

const paddingBytes = (sizeBytes: number): number => (BLOCK - (sizeBytes % BLOCK)) % BLOCK;

const isPlain = (path: string): boolean => path.length <= MOST_NAME && /^[\x20-\x7e]*$/.test(path);

/** Facts that do not fit into a header. */
const recordsOf = ({ path, sizeBytes }: Entry): (readonly [key: string, value: string])[] => [
  ...(isPlain(path) ? [] : [['path', path] as const]),
  ...(sizeBytes <= MOST_SIZE ? [] : [['size', `${sizeBytes}`] as const]),
];

export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Its length counts itself. */
function recordBytes(key: string, value: string): number {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  const length = rest + `${rest}`.length;
  return rest + `${length}`.length;
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
