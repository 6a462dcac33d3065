import { expect, test } from '@jest/globals';
import { droppedBy, foldersOf, pickedBy } from './picked-files.ts';

const file = (name: string) => new File([name], name);

test('folders come before what is in them, each once', () => {
  expect(foldersOf(['z/a', 'b/c/d.txt', 'b/e.txt', 'top.txt'])).toEqual(['b', 'z', 'b/c']);
});

test('files of a picked folder keep their paths', () => {
  const inFolder = Object.defineProperty(file('a.txt'), 'webkitRelativePath', { value: 'photos/2026/a.txt' });
  expect(pickedBy([inFolder, file('b.txt')])).toMatchObject({
    folders: ['photos', 'photos/2026'],
    files: [{ path: 'photos/2026/a.txt' }, { path: 'b.txt' }],
  });
});

const fileEntry = (name: string) => ({ isFile: true, name, file: (give: (file: File) => void) => give(file(name)) });
/** Yields two at a time, as a browser yields a hundred. */
const folderEntry = (name: string, inside: object[]) => ({
  isFile: false,
  name,
  createReader: () => {
    const left = [...inside];
    return { readEntries: (give: (entries: object[]) => void) => give(left.splice(0, 2)) };
  },
});

test('dropped folders are read to the end, empty ones too', async () => {
  const inside = [...['1', '2', '3'].map((name) => fileEntry(name)), folderEntry('empty', [])];
  const items = [folderEntry('data', inside), fileEntry('top')].map((entry) => ({ webkitGetAsEntry: () => entry }));
  const picked = await droppedBy({ items, files: [] } as unknown as DataTransfer);
  expect(picked.folders).toEqual(['data', 'data/empty']);
  expect(picked.files.map(({ path }) => path)).toEqual(['data/1', 'data/2', 'data/3', 'top']);
});
