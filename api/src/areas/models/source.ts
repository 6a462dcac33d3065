// The sources from which a version's files can be fetched: a hub, or a disk. A source is not trusted: sizes, paths and lengths are checked,
// and the bytes are hashed afterwards.
import type { FileRow } from './model-views.ts';

export interface SourceFile {
  path: string;
  sizeBytes: number;
  wantedSha256: string | null;
  wantedGitSha1: string | null;
}

export interface SourcePlan {
  /** The fixed source: for a hub the commit, for a disk the folder. */
  revision: string;
  files: readonly SourceFile[];
  license: string | null;
  language: readonly string[];
  tags: readonly string[];
}

export interface Source {
  /** Files that match a pattern, or all that a model may have. */
  plan(include: readonly string[]): Promise<SourcePlan>;
  /** The bytes of a file from a place on, as they come. */
  bytes(file: FileRow, from: number): AsyncIterable<Uint8Array>;
}

/** It did not answer, or says that it will later. */
export class SourceAway extends Error {
  override readonly name = 'SourceAway';
}

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

/** A name that could lead elsewhere is no file of a model. */
export const isModelPath = (path: string): boolean =>
  path.length <= MOST_PATH &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\p{Cc}\p{Cf}]/u.test(part));

const MOST_PATH = 512;

export const isWeights = ({ path }: Pick<SourceFile, 'path'>): boolean => /\.(safetensors|gguf)$/i.test(path);
