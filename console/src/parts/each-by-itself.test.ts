import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { eachByItself, removeEach } from './each-by-itself.ts';

test('one that is refused is told, and those after it are still done', async () => {
  const done: string[] = [];
  const refused = await eachByItself(['a', 'b', 'c'], async (item) => {
    if (item === 'b') throw new Error('The last owner stays.');
    done.push(item);
  });
  expect(done).toEqual(['a', 'c']);
  expect(refused).toEqual([{ item: 'b', sentence: 'The last owner stays.' }]);
});

test('failed removals are named, and pressing again retries them alone', async () => {
  const removed = new Set<string>();
  const asked: string[] = [];
  let refused: Record<string, number> = { b: 409, c: 404 };
  const press = () =>
    removeEach(
      ['a', 'b', 'c', 'd'],
      removed,
      (item) => `Disk ${item}`,
      async (item) => {
        asked.push(item);
        const status = refused[item];
        if (status) throw new ApiProblem({ status, code: 1, error: 'action_not_allowed', message: 'It is mounted.' });
      },
    );
  await expect(press()).rejects.toThrow(/^Disk b: It is mounted\.$/);
  refused = {};
  await press();
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'b']);
});
