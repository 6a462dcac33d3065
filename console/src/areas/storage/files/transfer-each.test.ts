import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { type ConflictRule, numbered, transferEach } from './transfer-each.ts';

const entry = (name: string, type: FileEntry['type'] = 'file'): FileEntry => ({
  name,
  type,
  size_bytes: 1,
  modified_at: '2026-01-01T00:00:00Z',
});
const problem = (error: string) =>
  new ApiProblem({ status: 409, code: 1, error: error as 'network', message: `${error}.` });

/** A folder /to that has a.txt, its second, and the folder data. */
async function play(rule: ConflictRule, entries: readonly FileEntry[], signal = new AbortController().signal) {
  const there = new Set(['/to/a.txt', '/to/a (2).txt', '/to/data']);
  const sent: string[] = [];
  const progress: number[] = [];
  const outcome = await transferEach({
    entries,
    from: '/from',
    to: '/to',
    rule,
    signal,
    send: async (path, to, overwrite) => {
      sent.push(`${path} ${to}${overwrite ? ' over' : ''}`);
      if (path === '/from/bad') throw problem('disk_full');
      if (there.has(to) && !(overwrite && to !== '/to/data')) throw problem('file_exists');
    },
    onProgress: (count) => progress.push(count),
  });
  return { outcome, sent, progress };
}

test('names that exist are skipped, and what is refused does not stop the rest', async () => {
  const { outcome, progress } = await play('skip', [entry('a.txt'), entry('bad'), entry('new')]);
  expect(outcome).toMatchObject({ done: 1, skipped: 1, refused: [{ entry: { name: 'bad' }, sentence: 'disk_full.' }] });
  expect(progress).toEqual([1, 2, 3]);
});

test('files are replaced where that was chosen, folders never are', async () => {
  const { outcome, sent } = await play('replace', [entry('a.txt'), entry('data', 'folder')]);
  expect(sent).toEqual(['/from/a.txt /to/a.txt over', '/from/data /to/data']);
  expect(outcome).toMatchObject({ done: 1, skipped: 0, refused: [{ entry: { name: 'data' } }] });
});

test('both are kept under the next free number', async () => {
  const { outcome, sent } = await play('both', [entry('a.txt'), entry('data', 'folder')]);
  expect(sent.filter((one) => one.startsWith('/from/a')).at(-1)).toBe('/from/a.txt /to/a (3).txt');
  expect(sent.at(-1)).toBe('/from/data /to/data (2)');
  expect(outcome).toEqual({ done: 2, skipped: 0, refused: [] });
});

test('once stopped, nothing more is sent', async () => {
  await expect(play('skip', [entry('new')], AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

test.each([
  ['a.txt', 'file', 'a (2).txt'],
  ['a.tar.gz', 'file', 'a.tar (2).gz'],
  ['.bashrc', 'file', '.bashrc (2)'],
  ['v1.2', 'folder', 'v1.2 (2)'],
] as const)('%s, a %s, becomes %s', (name, type, expected) => {
  expect(numbered(name, 2, type)).toBe(expected);
});
