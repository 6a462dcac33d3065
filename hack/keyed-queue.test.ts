import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.ts';

/** A queue whose work ends when the test says so. */
function held(workers: number) {
  const began: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const failures: string[] = [];
  const clock = new SteppedClock();
  const queue = new KeyedQueue({
    workers,
    work: (key) => {
      began.push(key);
      const end = Promise.withResolvers<void>();
      ends.set(key, end);
      return end.promise;
    },
    failed: (key) => failures.push(key),
    firstRetryMs: 200,
    lastRetryMs: 300,
    after: (ms, run) => clock.after(ms, run),
  });
  const settle = async (key: string, error?: Error) => {
    if (error) ends.get(key)?.reject(error);
    else ends.get(key)?.resolve();
    await turns();
  };
  return { queue, began, failures, settle, clock };
}

test('nothing begins before start', () => {
  const { queue, began } = held(2);
  queue.add('a');
  expect(began).toEqual([]);
  queue.start();
  expect(began).toEqual(['a']);
});

test('no more than `workers` at once, and the next as soon as one ends', async () => {
  const { queue, began, settle } = held(2);
  queue.start();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  expect(began).toEqual(['a', 'b']);
  await settle('a');
  expect(began).toEqual(['a', 'b', 'c']);
});

test('a key added while it is worked on runs once more, however often it was added', async () => {
  const { queue, began, settle } = held(2);
  queue.start();
  for (let times = 0; times < 5; times++) queue.add('a');
  expect(began).toEqual(['a']);
  await settle('a');
  await settle('a');
  expect(began).toEqual(['a', 'a']);
});

test('a failure is reported and tried again later and later, up to a limit', async () => {
  const { queue, began, failures, settle, clock } = held(1);
  queue.start();
  queue.add('a');
  for (const waitMs of [200, 300, 300]) {
    await settle('a', new Error('no'));
    expect(clock.waitingMs).toEqual([waitMs]);
    await clock.step(waitMs);
  }
  expect(failures).toEqual(['a', 'a', 'a']);
  expect(began).toEqual(['a', 'a', 'a', 'a']);
});
