// Which paths of a source become files of a model.
import type { SourceFile } from '../../core/files/source.ts';

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
