// What a version consists of: its list of files, sorted, and the difference between two such lists.
import { createHash } from 'node:crypto';

interface ListedFile {
  path: string;
  digest: string | null;
  sizeBytes: number;
}

/** By code units, whatever the database's collation is. */
const byPath = (a: ListedFile, b: ListedFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** As `sha256sum` writes a list: paths have no line breaks. */
export function listDigest(files: readonly ListedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, digest } of [...files].sort(byPath)) hash.update(`${digest ?? ''}  ${path}\n`);
  return hash.digest('hex');
}

interface Difference {
  added: string[];
  removed: string[];
  changed: string[];
  unchanged: number;
  sizeBytes: number;
}

/** What `files` has more, less and otherwise than `base`. */
export function differenceOf(files: readonly ListedFile[], base: readonly ListedFile[]): Difference {
  const before = new Map(base.map((file) => [file.path, file]));
  const now = new Set(files.map(({ path }) => path));
  const sorted = [...files].sort(byPath);
  const sizeOf = (listed: readonly ListedFile[]) => listed.reduce((all, { sizeBytes }) => all + sizeBytes, 0);
  const isChanged = ({ path, digest }: ListedFile) => before.has(path) && before.get(path)?.digest !== digest;
  return {
    added: sorted.filter(({ path }) => !before.has(path)).map(({ path }) => path),
    removed: [...base].sort(byPath).flatMap(({ path }) => (now.has(path) ? [] : [path])),
    changed: sorted.filter(isChanged).map(({ path }) => path),
    unchanged: files.filter((file) => before.has(file.path) && !isChanged(file)).length,
    sizeBytes: sizeOf(files) - sizeOf(base),
  };
}
