// Each room says in a minute's reading what lives there, its invariants and its decisions.
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { TOP_FOLDERS } from './rooms.ts';
import { filesOf, read } from './source-files.ts';

const MOST_LINES = 60;
const rooms = [...TOP_FOLDERS, 'agent'].filter((room) => existsSync(room));

test.each(rooms)('%s has a README', (room) => {
  expect(existsSync(`${room}/README.md`)).toBe(true);
});

test(`no room's README is longer than ${MOST_LINES} lines`, () => {
  // Generated tables below this heading do not count.
  const lines = (file: string) => read(file).split('\n## Results\n')[0]?.trimEnd().split('\n').length ?? 0;
  expect(filesOf('*/**/README.md').filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});
