import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryDatabase } from '../../../test/support/database.ts';
import type { Database } from '../db/open.ts';
import { alertCycles } from '../db/schema/alerts.ts';
import { proofs } from '../db/schema/approvals.ts';
import { NODE } from '../kube/resources.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../kube/testing/memory-kinds.ts';
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
  nodes: () => cache.reader.list(NODE) as readonly Node[],
  list: (facts: KindFacts) => cache.list(facts),
});

let db: Database;
beforeAll(async () => {
  db = await memoryDatabase();
});
afterAll(() => db.close());

test('a platform in order has none', async () => {
  const kinds = await memoryKinds([node('node-a', { type: 'Ready', status: 'True' })]);
  expect(await platformAlarms({ db, clock, ...ofKinds(kinds), dataDir: '' })).toEqual({ alarms: [], firing: 0 });
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
  const { alarms } = await platformAlarms({ db, clock, ...ofKinds(kinds), dataDir: '' });
  expect(alarms.map(({ name, count, what }) => [name, count, what])).toEqual([
    ['nodeLost', 2, 'node-a'],
    ['gpuFailed', 1, 'node-b'],
    ['booksWrong', 1, 'prf-1'],
    ['evaluatorLate', 1, '60 s'],
    ['planStuck', 1, 'org-acme/dev'],
  ]);
  kinds.stop();
});
