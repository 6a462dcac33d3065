// The files of a folder as entries of a tar archive: regular files and links, sorted; of modes only whether a file can be executed.
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import type { TarEntry } from './tar.ts';

/** Paths are relative to `root`; of folders named in `skip` nothing is taken. */
export async function filesBelow(
  root: string,
  folder: string,
  { skip = [] as readonly string[] } = {},
): Promise<TarEntry[]> {
  const inside = folder === '' ? '' : `${folder}/`;
  const base = root.endsWith('/') ? root : `${root}/`;
  const found = await readdir(`${base}${folder}`, { withFileTypes: true });
  const entries = await Promise.all(
    found
      .filter(({ name }) => !skip.includes(name))
      .map(async (entry): Promise<TarEntry[]> => {
        const path = `${inside}${entry.name}`;
        if (entry.isDirectory()) return filesBelow(root, path, { skip });
        if (entry.isSymbolicLink()) return [{ path, link: await readlink(`${base}${path}`) }];
        const [content, { mode }] = await Promise.all([readFile(`${base}${path}`), stat(`${base}${path}`)]);
        return [{ path, content, mode: mode & 0o100 ? 0o755 : 0o644 }];
      }),
  );
  return entries.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
