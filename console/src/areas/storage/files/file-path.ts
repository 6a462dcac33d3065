// Paths on a disk: absolute, with slashes. Pure.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';

export const joined = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `/` is its own. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** `/a/b` from `a//b/`, as a person or an address may write it. */
export const tidyPath = (path: string): string =>
  `/${path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')}`;

/** Each folder on the way to a path, without the root. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, at) => ({ name, path: `/${names.slice(0, at + 1).join('/')}` }));
}

const LONGEST_NAME_BYTES = 255;

/** Names that the disk's server accepts. */
export const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !/[/\0]/.test(name) &&
  new TextEncoder().encode(name).length <= LONGEST_NAME_BYTES;

/** The final name of an unfinished upload, which is listed as `<name>.<digest>.gantry-upload`, as far as it shows. */
export const shownName = ({ name, type }: Pick<FileEntry, 'name' | 'type'>): string =>
  type === 'upload' ? name.replace(/\.[0-9a-f]{16}\.gantry-upload$/, '') : name;

/** Whether opening it leads to a folder: it is one, or a link to one. */
export const isOpened = ({ type, leads_to, encoded }: FileEntry): boolean =>
  encoded === undefined && (type === 'folder' || (type === 'link' && leads_to === 'folder'));

/** Entries that can be downloaded. */
export const isRead = ({ type, leads_to, encoded }: FileEntry): boolean =>
  encoded === undefined && (type === 'file' || (type === 'link' && leads_to === 'file'));
