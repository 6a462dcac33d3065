import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { WorkQueue } from './queue.ts';

/** A queue whose work ends when the test says so. */
function setUp(workers = 16) {
  const clock = new SteppedClock();
  const taken: string[] = [];
  const running = new Map<string, { done(againInMs?: number): Promise<void>; fail(error?: object): Promise<void> }>();
  const queue = new WorkQueue({
    clock,
    workers,
    chance: () => 1,
    work: (key) =>
      new Promise((resolve, reject) => {
        taken.push(key);
        running.set(key, {
          async done(againInMs) {
            running.delete(key);
            resolve(againInMs);
            await turns();
          },
          async fail(error = new Error('no')) {
            running.delete(key);
            reject(error);
            await turns();
          },
        });
      }),
  });
  const run = (key: string) => {
    const found = running.get(key);
    if (!found) throw new Error(`${key} is not running`);
    return found;
  };
  return { clock, queue, taken, run };
}

test('a failure that holds its key is not brought back by a change before its pause is over', async () => {
  const { queue, taken, run, clock } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  queue.add('a');
  await run('a').fail({ holds: true });
  queue.add('a');
  await turns();
  expect(taken).toEqual(['a']);
  await clock.step(10);
  expect(taken).toEqual(['a', 'a']);
});

test('a key that waits is not queued twice', async () => {
  const { queue, taken } = setUp();
  queue.open();
  queue.add('a');
  queue.add('a');
  await turns();
  expect(taken).toEqual(['a']);
});

test('a key added while it runs runs once more, and never twice at once', async () => {
  const { queue, taken, run } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  queue.add('a');
  queue.add('a');
  await turns();
  expect(taken).toEqual(['a']);
  await run('a').done();
  expect(taken).toEqual(['a', 'a']);
  await run('a').done();
  expect(taken).toHaveLength(2);
});

test('changed objects go before resyncs, and a resync that changes moves up', async () => {
  const { queue, taken, run } = setUp(1);
  queue.open();
  queue.add('r1', 'resync');
  queue.add('r2', 'resync');
  queue.add('c1');
  queue.add('r2', 'changed');
  expect([queue.depth('changed'), queue.depth('resync')]).toEqual([2, 1]);
  await turns();
  for (const key of ['c1', 'r2', 'r1']) await run(key).done();
  expect(taken).toEqual(['c1', 'r2', 'r1']);
});

test('no more workers than asked for', async () => {
  const { queue, taken, run } = setUp(2);
  queue.open();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  await turns();
  expect(taken).toEqual(['a', 'b']);
  await run('a').done();
  expect(taken).toEqual(['a', 'b', 'c']);
});

test('a key that fails comes back after 10 ms, doubled each time up to 15 s, and blocks nobody', async () => {
  const { queue, clock, taken, run } = setUp(1);
  queue.open();
  queue.add('a');
  await turns();
  const pauses: number[] = [];
  for (let failure = 0; failure < 13; failure++) {
    await run('a').fail();
    pauses.push(clock.waitingMs[0] ?? Number.NaN);
    await clock.step(pauses.at(-1) ?? 0);
  }
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 15000, 15000]);
  await run('a').fail();
  queue.add('b');
  await turns();
  expect(taken.at(-1)).toBe('b');
});

test('success forgets the failures', async () => {
  const { queue, clock, run } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  await run('a').fail();
  await clock.step(10);
  await run('a').done(60_000);
  await clock.step(60_000);
  await run('a').fail();
  expect(clock.waitingMs).toEqual([10]);
});

test('a change brings a failing key back at once, unless the server asked to be left alone', async () => {
  const { queue, clock, taken, run } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  await run('a').fail({ patienceMs: 1000 });
  expect(clock.waitingMs).toEqual([1000]);
  queue.add('a');
  await turns();
  expect(taken).toHaveLength(2);
  await run('a').fail({ retryAfterMs: 3000 });
  queue.add('a');
  await clock.step(2999);
  expect(taken).toHaveLength(2);
  await clock.step(1);
  expect(taken).toHaveLength(3);
});

test('a key that asks for it is looked at again, and its latest answer counts', async () => {
  const { queue, clock, taken, run } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  await run('a').done(5000);
  await clock.step(1000);
  queue.add('a');
  await turns();
  await run('a').done(60_000);
  expect(clock.waitingMs).toEqual([60_000]);
  await clock.step(60_000);
  expect(taken).toHaveLength(3);
  await run('a').done();
  expect(clock.waitingMs).toEqual([]);
});

test('nothing gathers before the queue is opened', async () => {
  const { queue, taken } = setUp();
  queue.add('gone by then');
  expect(queue.depth('changed')).toBe(0);
  queue.open();
  await turns();
  expect(taken).toEqual([]);
});

test('nothing is taken after the queue is closed', async () => {
  const { queue, taken, run } = setUp(1);
  queue.open();
  queue.add('a');
  queue.add('b');
  await turns();
  let closed = false;
  const closing = queue.close(5000).then(() => {
    closed = true;
  });
  await turns();
  expect(closed).toBe(false);
  await run('a').done();
  await closing;
  expect(taken).toEqual(['a']);
});

test('closing waits only so long', async () => {
  const { queue, clock } = setUp();
  queue.open();
  queue.add('a');
  await turns();
  const closing = queue.close(5000);
  await clock.step(5000);
  await closing;
});
