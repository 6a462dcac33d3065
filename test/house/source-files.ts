// The hand-written files: without installed, built or run ones.
import { globSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '.git', '.run', 'coverage', 'dist']);

/** Paths from the repository's root, sorted. */
export const filesOf = (...globs: string[]): string[] =>
  globSync(globs, { exclude: (path) => NOT_OURS.has(basename(path)) })
    .filter((path) => statSync(path).isFile())
    .sort();

export const read = (file: string): string => readFileSync(file, 'utf8');
