// Runs of a kind: that tasks are gone is recorded once all of them are known, and only then.
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type { DataTask } from './present-run.ts';
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
