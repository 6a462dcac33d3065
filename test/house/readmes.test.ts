// Each room says in a minute's reading what lives there, its invariants and its decisions.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TOP_FOLDERS } from './rooms.ts';
import { filesOf, read } from './source-files.ts';

const MOST_LINES = 60;
const rooms = [...TOP_FOLDERS, 'agent', 'data-worker', 'trainer'].filter((room) => existsSync(room));

test.each(rooms)('%s has a README', (room) => {
  expect(existsSync(`${room}/README.md`)).toBe(true);
});

test(`no room's README is longer than ${MOST_LINES} lines`, () => {
  // Generated tables below this heading do not count.
  const lines = (file: string) => read(file).split('\n## Results\n')[0]?.trimEnd().split('\n').length ?? 0;
  expect(filesOf('*/**/README.md').filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});

// Anywhere in its room, or by its path from the README or the root; `x.ts` stands for any.
test('each file that a README names is there', () => {
  const files = filesOf('**/*.{ts,tsx}');
  const missing = filesOf('*/**/README.md').flatMap((readme) => {
    const [room = ''] = readme.split('/');
    const named = [...read(readme).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name);
    return named
      .filter((name) => !/\bx\.ts/.test(name))
      .filter((name) => {
        const places = [name, join(dirname(readme), name)];
        return !files.some((file) => places.includes(file) || (file.startsWith(room) && file.endsWith(`/${name}`)));
      })
      .map((name) => `${readme}: ${name}`);
  });
  expect(missing).toEqual([]);
});
