// A tar archive (POSIX ustar) from a table of entries. The same table gives the same bytes on any machine and day:
// owners are 0, times are 1970, and nothing comes from a file system.

export type TarEntry =
  | { readonly path: string; readonly directory: true; readonly mode?: number }
  | { readonly path: string; readonly content: Uint8Array | string; readonly mode?: number }
  | { readonly path: string; readonly link: string };

const BLOCK = 512;
const PATH_MAX = 100;
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
  for (const name of [path, link]) {
    if (Buffer.byteLength(name) > PATH_MAX)
      throw new Error(`${name}: longer than the ${PATH_MAX} bytes of a tar header`);
  }
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => value.toString(8).padStart(width, '0');
  block.write(path, 0);
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
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${octal(checksum, 6)}\0 `, 148);
  return block;
}
