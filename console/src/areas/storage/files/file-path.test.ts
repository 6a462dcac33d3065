import { expect, test } from '@jest/globals';
import { crumbsOf, folderOf, isName, isOpened, isRead, joined, nameIn, shownName, tidyPath } from './file-path.ts';

test('paths are put together and taken apart', () => {
  expect([joined('/', 'a'), joined('/a', 'b c')]).toEqual(['/a', '/a/b c']);
  expect([nameIn('/a/b c'), folderOf('/a/b c'), folderOf('/a')]).toEqual(['b c', '/a', '/']);
  expect(crumbsOf('/a/b')).toEqual([
    { name: 'a', path: '/a' },
    { name: 'b', path: '/a/b' },
  ]);
  expect(crumbsOf('/')).toEqual([]);
});

test.each([
  ['', '/'],
  ['/', '/'],
  ['a//b/', '/a/b'],
  ['/./a', '/a'],
  // The server refuses it with a sentence: nothing here resolves it.
  ['/a/../b', '/a/../b'],
])('the path %j of an address is %s', (path, tidy) => {
  expect(tidyPath(path)).toBe(tidy);
});

test.each([
  ['a.txt', true],
  ['名前', true],
  [' ', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['a\0', false],
  ['é'.repeat(127), true],
  ['é'.repeat(128), false],
])('whether %j may be a name', (name, may) => {
  expect(isName(name)).toBe(may);
});

test('an unfinished upload is shown by the name that it will have', () => {
  expect(shownName({ name: 'a.bin.0123456789abcdef.gantry-upload', type: 'upload' })).toBe('a.bin');
  expect(shownName({ name: 'a.0123456789abcdef.gantry-upload', type: 'file' })).toBe(
    'a.0123456789abcdef.gantry-upload',
  );
});

const entry = { name: 'x', size_bytes: 1, modified_at: '' };
test.each([
  ['a folder is opened', { ...entry, type: 'folder' }, true, false],
  ['a file is read', { ...entry, type: 'file' }, false, true],
  ['a link to a folder is opened', { ...entry, type: 'link', leads_to: 'folder' }, true, false],
  ['a link to a file is read', { ...entry, type: 'link', leads_to: 'file' }, false, true],
  ['a broken link is neither', { ...entry, type: 'link', leads_to: 'nothing' }, false, false],
  ['an unfinished upload is neither', { ...entry, type: 'upload' }, false, false],
  ['a name that is no UTF-8 cannot be said', { ...entry, type: 'file', encoded: '%FF' }, false, false],
] as const)('%s', (_, entry, opened, read) => {
  expect([isOpened(entry), isRead(entry)]).toEqual([opened, read]);
});
