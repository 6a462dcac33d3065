// The order of closing, which a failure in between does not change.
import { expect, test } from '@jest/globals';
import { Closing } from './closing.ts';

test('what was opened last is closed first, and only once', async () => {
  const closing = new Closing();
  const closed: string[] = [];
  for (const name of ['database', 'core', 'area'])
    closing.add(async () => {
      await undefined;
      closed.push(name);
    });
  await closing.close();
  await closing.close();
  expect(closed).toEqual(['area', 'core', 'database']);
});

test('a step that fails keeps none before it open', async () => {
  const closing = new Closing();
  const closed: string[] = [];
  closing.add(() => closed.push('database'));
  closing.add(() => {
    throw new Error('the first to fail');
  });
  closing.add(() => Promise.reject(new Error('the area')));
  await expect(closing.close()).rejects.toThrow('the area');
  expect(closed).toEqual(['database']);
});
