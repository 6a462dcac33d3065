// Which files of a source its owner takes: by patterns and names, each path once, and no more than it may have.

import { isFilePath } from '@gantry/contract/fields/file-path.ts';
import { hidesNothing } from '@gantry/contract/fields/plain-text.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { SourceFile } from '../source.ts';

export type SourceKind = 'hub' | 'disk' | 's3';

/** What a kind of owner takes of sources. */
export interface Taking {
  mostFiles: number;
  mostFileBytes: number;
  /** Never taken, whatever the patterns say. */
  isLeftOut(path: string, source: SourceKind): boolean;
  /** Names that cannot be taken: left out, or the reason to refuse the source. Only where they are refused, NFD becomes NFC. */
  strangeNames: 'leave out' | 'refuse';
  /** Whether the version would be of any use. */
  isEnough(files: readonly SourceFile[]): boolean;
  /** `what` is the repository, folder or address. */
  empty(source: SourceKind, what: string): Problem;
}

const TOO_LARGE: Readonly<Record<SourceKind, (what: string, most: number) => Problem>> = {
  hub: (repository, most) => problem('model_hub_too_large', { repository, most }),
  disk: (folder, most) => problem('model_disk_too_large', { folder, most }),
  s3: (folder, most) => problem('model_disk_too_large', { folder, most }),
};

export class Taken {
  readonly #of: { taking: Taking; source: SourceKind; what: string };
  readonly #isMatch: (path: string) => boolean;
  /** By path: what is listed page by page may move from one to the next meanwhile. */
  readonly #files = new Map<string, SourceFile>();

  constructor(of: { taking: Taking; source: SourceKind; what: string; include: readonly string[] }) {
    this.#of = of;
    this.#isMatch = matching(of.include);
  }

  /** Throws the problem of a source that has too much. */
  add(file: SourceFile): void {
    const { taking, source } = this.#of;
    const path = this.#pathOf(file);
    const { sizeBytes } = file;
    if (sizeBytes === 0 || !this.#isMatch(path) || taking.isLeftOut(path, source) || !this.#isSound(path)) return;
    const known = this.#files.get(path);
    const sourcePath = file.sourcePath ?? file.path;
    const named = { ...file, path, ...(sourcePath !== path && { sourcePath }) };
    if (known && known.sourcePath !== named.sourcePath) throw problem('dataset_source_twice', { path });
    this.#files.set(path, named);
    if (this.#files.size > taking.mostFiles || sizeBytes > taking.mostFileBytes) throw this.tooLarge();
  }

  /** By their paths. Throws the problem of a source that has nothing. */
  all(): SourceFile[] {
    const { taking, source, what } = this.#of;
    const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    if (!taking.isEnough(files)) throw taking.empty(source, what);
    return files;
  }

  /** Whether the files of a folder are looked at. */
  mayEnter(path: string): boolean {
    return this.#isSound(this.#pathOf({ path }));
  }

  /** macOS writes a letter and its accents apart: one name is one path. */
  #pathOf({ path }: Pick<SourceFile, 'path'>): string {
    return this.#of.taking.strangeNames === 'refuse' ? path.normalize('NFC') : path;
  }

  /** A name that could lead elsewhere is no file. */
  #isSound(path: string): boolean {
    if (isFilePath(path)) return true;
    if (this.#of.taking.strangeNames === 'refuse') throw problem('dataset_source_path', { path: visible(path) });
    return false;
  }

  tooLarge(): Problem {
    const { taking, source, what } = this.#of;
    return TOO_LARGE[source](what, taking.mostFiles);
  }
}

/** Characters that hide or reorder others, by their numbers. */
const visible = (path: string): string =>
  [...path.slice(0, MOST_SHOWN)]
    .map((char) => (hidesNothing(char) ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`))
    .join('');

const MOST_SHOWN = 200;

/** Paths by patterns, in which `*` stands for anything, slashes too. Without any, all. */
export function matching(include: readonly string[]): (path: string) => boolean {
  const patterns = include.map((text) => text.split(/\*+/));
  return (path) => patterns.length === 0 || patterns.some((parts) => isLike(path, parts));
}

/** Each part at its first place: it never goes back, because a tenant writes both the pattern and the path. */
function isLike(path: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
