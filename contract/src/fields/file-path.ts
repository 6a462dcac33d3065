// Paths of files within a version of a model or dataset: relative, and none leads elsewhere or reads otherwise than it is.
import { hidesNothing } from './plain-text.ts';

export const MOST_PATH = 512;

export const isRelativePath = (path: string): boolean =>
  hidesNothing(path) && !path.includes('\\') && path.split('/').every((part) => !['', '.', '..'].includes(part));

export const isFilePath = (path: string): boolean => path.length <= MOST_PATH && isRelativePath(path);
