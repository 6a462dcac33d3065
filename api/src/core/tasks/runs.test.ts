// Runs of a kind: that tasks are gone is recorded once all of them are known, and only then.
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type { DataTask } from './present-run.ts';
import { changesOf, saysTheSame } from './run-facts.ts';
import { Runs, type RunsParts } from './runs.ts';

const task = (uid: string) => ({ metadata: { uid, name: uid }, spec: {} }) as unknown as DataTask;
/** The longest time in which a task that is gone may still be shown as there. */
const WITHIN_MS = 30_000;

test('which tasks there are is recorded once all are known, and again after a while, whatever failed before', async () => {
  const clock = new SteppedClock();
  const cluster = { objects: [task('a')], isWhole: false };
  const told: string[][] = [];
  const warned: string[] = [];
  let fails = true;
  const runs = new Runs({
    ...({} as RunsParts<DataTask>),
    clock,
    log: { info() {}, warn: (_: object, text: string) => warned.push(text) },
    cluster: {
      list: () => cluster.objects,
      isWhole: () => cluster.isWhole,
    } as unknown as RunsParts<DataTask>['cluster'],
    async recordGone(present) {
      if (fails) throw new Error('the database is away');
      told.push([...present]);
    },
  });
  const end = new AbortController();
  const working = runs.work(end.signal);
  await clock.step(WITHIN_MS);
  // Some of them may be missing: nothing says that they are gone.
  expect([told, warned]).toEqual([[], []]);
  cluster.isWhole = true;
  await clock.step(WITHIN_MS);
  expect(warned).toHaveLength(1);
  fails = false;
  cluster.objects = [task('a'), task('b')];
  await clock.step(WITHIN_MS);
  cluster.objects = [task('b')];
  await clock.step(WITHIN_MS);
  expect(told).toEqual([['a', 'b'], ['b']]);
  end.abort();
  await turns();
  await clock.step(WITHIN_MS);
  await working;
});

test('how far a run came is written in the end, whoever else writes its status', async () => {
  const clock = new SteppedClock();
  const organization = 'abcd1234';
  let object = {
    metadata: { uid: 'uid-1', name: 'dpr-1', namespace: `org-${organization}` },
    spec: { creator: 'ann' },
    status: { run: { seq: 1 }, progress: { run: 1, done: 0, of: 2 } },
  } as unknown as DataTask;
  let isInTheWay = true;
  const written: object[] = [];
  const runs = new Runs({
    ...({} as RunsParts<DataTask>),
    clock,
    log: { info() {}, warn() {} },
    kind: {
      async progress({ object: { status } }: { object: { status?: object } }) {
        return changesOf(status, { progress: { run: 1, done: 2, of: 2, at: `${clock.now()}` } });
      },
    } as unknown as RunsParts<DataTask>['kind'],
    cluster: {
      list: () => [object],
      // A conflict is no error: the next look sees what somebody else has written.
      async write(_, status) {
        written.push(status);
        if (isInTheWay) isInTheWay = false;
        else object = { ...object, status: { ...object.status, ...status } } as DataTask;
      },
    } as Partial<RunsParts<DataTask>['cluster']> as RunsParts<DataTask>['cluster'],
    store: { open: async () => ({}), dropTexts: async () => {} } as unknown as RunsParts<DataTask>['store'],
  });
  const task = { taskUid: 'uid-1', run: 1 } as Parameters<typeof runs.ended>[0];
  const ended = runs.ended(task, { said: null } as Parameters<typeof runs.ended>[1], 1, new AbortController().signal);
  for (let second = 0; second < 5; second++) await clock.step(1_000);
  await ended;
  expect([written.length, object.status]).toMatchObject([2, { progress: { done: 2, of: 2 } }]);
});

test('what a cluster gives back in another order says the same', () => {
  const one = { run: 1, problem: { code: 'A', args: { b: '1', a: '2' } }, at: 'now', gone: undefined };
  expect(saysTheSame(one, { problem: { args: { a: '2', b: '1' }, code: 'A' }, run: 1, at: 'before' })).toBe(true);
  expect(saysTheSame(one, { problem: { args: { a: '2', b: '2' }, code: 'A' }, run: 1 })).toBe(false);
});
