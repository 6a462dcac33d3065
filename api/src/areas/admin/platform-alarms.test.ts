import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { alertCycles } from '../../platform/db/schema/alerts.ts';
import { proofs } from '../../platform/db/schema/approvals.ts';
import { NODE } from '../../platform/kube/resources.ts';
import { platformAlarms } from './platform-alarms.ts';

const SINCE = '2026-11-10T00:00:00Z';
const NOW = Date.parse('2026-11-10T01:00:00Z');
const clock = { now: () => NOW };
const node = (name: string, ...conditions: object[]): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: `uid-${name}`, resourceVersion: '1' } },
    status: { conditions: conditions.map((condition) => ({ lastTransitionTime: SINCE, ...condition })) },
  }) as KubeObject;

const ofKinds = ({ cache }: MemoryKinds) => ({
  ...{ dataDir: '', databaseSizeGi: 0 },
  nodes: () => cache.reader.list(NODE) as readonly Node[],
  list: (facts: KindFacts) => cache.list(facts),
});

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

test('a platform in order has none', async () => {
  const kinds = await memoryKinds([node('node-a', { type: 'Ready', status: 'True' })]);
  expect(await platformAlarms({ db, clock, ...ofKinds(kinds) })).toEqual({ alarms: [], firing: 0 });
  kinds.stop();
});

test('each of them is told, with how many and the first', async () => {
  const stuck = {
    type: 'Reconciled',
    status: 'False',
    lastTransitionTime: SINCE,
    reason: 'WritesTooOften',
    message: '',
  };
  const kinds = await memoryKinds([
    node('node-a', { type: 'Ready', status: 'Unknown' }),
    node('node-b', { type: 'Ready', status: 'False' }, { type: 'GpuFatalXid', status: 'True', reason: 'Xid79' }),
    kindObject(gpuInstance, 'dev', { namespace: 'org-acme', status: { conditions: [stuck] } }),
    kindObject(alertPolicy, 'hot', { namespace: 'org-acme', spec: { state: 'Enabled', periodSeconds: 60 } }),
  ]);
  await db.sql.insert(alertCycles).values({ periodSeconds: 60, at: NOW - 10 * 60_000 });
  const proof = { id: 'prf-1', state: 'faulty' as const, startedAt: new Date(SINCE), aliveAt: new Date(SINCE) };
  await db.sql.insert(proofs).values(proof);
  const { alarms } = await platformAlarms({ db, clock, ...ofKinds(kinds) });
  expect(alarms.map(({ name, count, what }) => [name, count, what])).toEqual([
    ['nodeLost', 2, 'node-a'],
    ['gpuFailed', 1, 'node-b'],
    ['booksWrong', 1, 'prf-1'],
    ['evaluatorLate', 1, '60 s'],
    ['planStuck', 1, 'org-acme/dev'],
  ]);
  kinds.stop();
});

describe('an evaluator', () => {
  const policy = (minutesOld: number, over: object = {}, metadata: object = {}) => {
    const spec = { state: 'Enabled', periodSeconds: 300, ...over };
    const made = kindObject(alertPolicy, 'new', { namespace: 'org-acme', spec });
    const creationTimestamp = new Date(NOW - minutesOld * 60_000).toISOString();
    return { ...made, metadata: { ...made.metadata, creationTimestamp, ...metadata } };
  };
  test.each<[string, KubeObject, number]>([
    ['that counted no cycle of a policy is late after two periods and a minute', policy(11.1), 1],
    ['has that long for the first cycle', policy(10.9), 0],
    ['owes nothing to a policy that is disabled', policy(60, { state: 'Disabled' }), 0],
    ['owes nothing to a policy whose time is over', policy(60, { validUntil: '2026-11-10T00:59:59Z' }), 0],
    ['owes nothing to a policy that is being deleted', policy(60, {}, { deletionTimestamp: SINCE }), 0],
    ['owes nothing to a policy outside the organisations’ namespaces', policy(60, {}, { namespace: 'default' }), 0],
  ])('%s', async (_name, object, count) => {
    // A cycle of a policy that was deleted a week ago.
    await db.sql
      .insert(alertCycles)
      .values({ periodSeconds: 300, at: NOW - 7 * 86_400_000 })
      .onConflictDoNothing();
    const kinds = await memoryKinds([object]);
    const { alarms } = await platformAlarms({ db, clock, ...ofKinds(kinds) });
    const late = alarms.filter(({ name }) => name === 'evaluatorLate');
    expect(late.map(({ what, since }) => [what, since])).toEqual(
      Array.from({ length: count }, () => ['300 s', object.metadata.creationTimestamp]),
    );
    kinds.stop();
  });
});

test('a database is nearly full beyond nine tenths of the size that was named', async () => {
  const kinds = await memoryKinds([]);
  const [row] = await rowsOf<{ bytes: string }>(
    db.sql,
    sql`select pg_database_size(current_database())::text as bytes`,
  );
  const usedGi = Number(row?.bytes) / 2 ** 30;
  const full = async (databaseSizeGi: number) =>
    (await platformAlarms({ db, clock, ...ofKinds(kinds), databaseSizeGi })).alarms.flatMap(({ name, what }) =>
      name === 'diskFull' ? [what] : [],
    );
  expect(usedGi).toBeGreaterThan(0);
  expect(await full(usedGi / 0.95)).toEqual(['95%']);
  expect(await full(usedGi / 0.85)).toEqual([]);
  expect(await full(0)).toEqual([]);
  kinds.stop();
});
