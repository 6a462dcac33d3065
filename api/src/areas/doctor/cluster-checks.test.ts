// Checks that staff have made: one at a time, kept, compared with the one before, and over when their gateway is.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { clusterChecks } from '../../platform/db/schema/doctor.ts';
import { type Check, found } from './check.ts';
import { ClusterChecks } from './cluster-checks.ts';
import { ImpatientClock, PlayedCluster } from './testing/played-cluster.ts';

let db: Database;
let cluster: PlayedCluster;
let clock: ImpatientClock;
let version: 'versionFits' | 'versionOld';
let goOn: () => void;
beforeEach(async () => {
  db = await migratedDatabase();
  cluster = await PlayedCluster.start();
  clock = new ImpatientClock();
  version = 'versionFits';
});
afterEach(async () => {
  cluster.close();
  await db.close();
});

const waits: Check = {
  id: 'mail',
  limitMs: 60_000,
  look: (_, signal) =>
    new Promise((resolve, reject) => {
      goOn = () => resolve([found('mailOff')]);
      signal.addEventListener('abort', () => reject(new Error('called off')));
    }),
};
const tells: Check = { id: 'kubernetesVersion', limitMs: 60_000, look: async () => [found(version, { version: 'v' })] };

const store = (checks: readonly Check[]) =>
  new ClusterChecks({
    ...{ db, clock, checks },
    log: { warn: () => undefined },
    surroundings: () => ({ client: cluster.client, clock, probeImage: 'busybox', isInstalled: true }),
  });
const rows = async (one: ClusterChecks) =>
  (await one.rows({ sort: ['started_at', 'DESC'], range: [0, 99], filter: {} })).items;
/** Until the row shows as many results. */
async function rowWith(one: ClusterChecks, done: number) {
  for (;;) {
    const [row] = await rows(one);
    if (row?.done === done) return row;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a run is a row at once, has results as they come, and ends with the worst finding', async () => {
  const checks = store([tells, waits]);
  const id = await checks.start('acc-1', 'after the upgrade');
  expect(await rowWith(checks, 1)).toMatchObject({
    ...{ id, state: 'running', started_by: 'acc-1', reason: 'after the upgrade', ended_at: null, finding: 'ok' },
    results: [{ check: 'kubernetesVersion', finding: 'ok', before: null }],
  });
  goOn();
  await checks.settled();
  const [row] = await rows(checks);
  expect(row).toMatchObject({ state: 'done', finding: 'warning', done: 3 });
  expect(row?.results.map(({ check }) => check)).toEqual(['kubernetesVersion', 'mail', 'tidiness']);
  expect(row?.ended_at).not.toBeNull();
});

test('while one runs no other begins, also not on another gateway', async () => {
  const checks = store([waits]);
  await checks.start('acc-1', 'x');
  await expect(checks.start('acc-1', 'x')).rejects.toMatchObject({ problem: 'cluster_check_running' });
  await expect(store([tells]).start('acc-2', 'y')).rejects.toMatchObject({ problem: 'cluster_check_running' });
  await checks.stop();
});

test('a report says what the one before found; one that was broken off does not count', async () => {
  const first = store([tells]);
  await first.start('acc-1', 'x');
  await first.settled();
  const broken = store([waits]);
  await broken.start('acc-1', 'x');
  await broken.stop();
  version = 'versionOld';
  await first.start('acc-1', 'x');
  await first.settled();
  // All at the same time on this clock, so not by their order.
  const all = await rows(first);
  expect(all.map(({ state }) => state).sort()).toEqual(['broken', 'done', 'done']);
  const changed = all.flatMap(({ results }) => results).filter(({ before, finding }) => before && before !== finding);
  expect(changed).toMatchObject([{ check: 'kubernetesVersion', before: 'ok', finding: 'problem' }]);
});

test('a run whose gateway died is broken after half a minute, and the next may begin', async () => {
  const long = new Date(clock.now() - 60_000);
  const row = { id: 'clc-dead', state: 'running' as const, startedBy: 'acc-1', reason: 'x' };
  await db.sql.insert(clusterChecks).values({ ...row, startedAt: long, aliveAt: long });
  const checks = store([tells]);
  expect((await rows(checks)).map(({ state }) => state)).toEqual(['broken']);
  await checks.start('acc-2', 'y');
  await checks.settled();
  expect((await rows(checks)).map(({ id, state }) => (id === 'clc-dead' ? `dead ${state}` : state))).toEqual([
    'done',
    'dead broken',
  ]);
});

test('the newest thirty reports are kept', async () => {
  const at = (minute: number) => new Date(clock.now() - minute * 60_000);
  const old = Array.from({ length: 40 }, (_, minute) => ({
    ...{ id: `clc-${minute}`, state: 'done' as const, startedBy: 'acc-1', reason: 'x' },
    ...{ startedAt: at(minute + 1), endedAt: at(minute), aliveAt: at(minute) },
  }));
  await db.sql.insert(clusterChecks).values(old);
  const checks = store([tells]);
  await checks.start('acc-1', 'x');
  await checks.settled();
  const ids = (await rows(checks)).map(({ id }) => id);
  expect(ids).toHaveLength(30);
  expect([ids.includes('clc-28'), ids.includes('clc-29')]).toEqual([true, false]);
});
