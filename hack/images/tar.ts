// A tar archive (POSIX ustar) from a table of entries. The same table gives the same bytes on any machine and day:
// owners are 0, times are 1970, and nothing comes from a file system.

export type TarEntry =
  | { readonly path: string; readonly directory: true; readonly mode?: number }
  | { readonly path: string; readonly content: Uint8Array | string; readonly mode?: number }
  | { readonly path: string; readonly link: string };

const BLOCK = 512;
const NAME_MAX = 100;
/** A longer path is split at a slash: the front goes into a field of its own. */
const PREFIX_MAX = 155;
const KIND = { file: '0', symlink: '2', directory: '5' } as const;

export function tar(entries: readonly TarEntry[]): Buffer {
  // Two empty blocks end an archive.
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);
}

function blocksOf(entry: TarEntry): Buffer[] {
  if ('directory' in entry) return [header({ path: `${entry.path}/`, kind: 'directory', mode: entry.mode ?? 0o755 })];
  if ('link' in entry) return [header({ path: entry.path, kind: 'symlink', mode: 0o777, link: entry.link })];
  const content = Buffer.from(entry.content);
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return [
    header({ path: entry.path, kind: 'file', mode: entry.mode ?? 0o644, size: content.length }),
    content,
    padding,
  ];
}

interface Header {
  readonly path: string;
  readonly kind: keyof typeof KIND;
  readonly mode: number;
  readonly size?: number;
  readonly link?: string;
}

function header({ path, kind, mode, size = 0, link = '' }: Header): Buffer {
  if (Buffer.byteLength(link) > NAME_MAX) throw new Error(`${link}: longer than the ${NAME_MAX} bytes of a tar header`);
  const [prefix, name] = splitPath(path);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => value.toString(8).padStart(width, '0');
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  // The checksum counts its own field as spaces.
  block.write(' '.repeat(8), 148);
  block.write(KIND[kind], 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${octal(checksum, 6)}\0 `, 148);
  return block;
}

function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_MAX) return ['', path];
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (name === '' || Buffer.byteLength(prefix) > PREFIX_MAX) break;
    if (Buffer.byteLength(name) <= NAME_MAX) return [prefix, name];
  }
  throw new Error(`${path}: longer than the ${PREFIX_MAX} and ${NAME_MAX} bytes of a tar header`);
}
