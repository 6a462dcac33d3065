// What a version consists of: its list of files, sorted.
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
