import { expect, test } from '@jest/globals';
import { sendable } from './pick-files.tsx';

const picked = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['x'], path) }));
const pathsOf = (...paths: string[]) => sendable(picked(...paths)).files.map(({ path }) => path);

test('the name of the one folder that was chosen is no part of the paths', () => {
  expect(pathsOf('data/b.jsonl', 'data/more/a.jsonl')).toEqual(['b.jsonl', 'more/a.jsonl']);
});

test('several folders keep their names, and so do files beside a folder', () => {
  expect(pathsOf('b/x', 'a/x')).toEqual(['a/x', 'b/x']);
  expect(pathsOf('b/x', 'y')).toEqual(['b/x', 'y']);
});

test('empty and hidden files are left out, and counted', () => {
  const files = [...picked('d/.git/config', 'd/a'), { path: 'd/empty', file: new File([], 'empty') }];
  expect(sendable(files)).toMatchObject({ files: [{ path: 'a' }], leftOut: 2 });
});

test('letters that macOS takes apart are put together, as the server does', () => {
  expect(pathsOf('d/re\u0301sume\u0301.txt', 'd/x')).toEqual(['r\u00e9sum\u00e9.txt', 'x']);
});
