// The objects that a failed GPU affects, as looks at the cluster find them.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { cardFaultsText } from '@gantry/contract/gpu-conditions.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { ANNOTATION, LABEL } from '@gantry/contract/names.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { priceOf } from '../../core/billing/prices/price-of.ts';
import { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { NODE, POD } from '../../platform/kube/resources.ts';
import { affectedAtEachLook, endOfRun } from './affected-by-faults.ts';

const at = (second: number) => `2026-11-10T00:00:${second}Z`;
const NOW = Date.parse(at(40));
const node = (fault?: number) =>
  ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a', uid: 'node-a' } },
    status: {
      conditions: [
        { type: 'GpuFatalXid', status: fault ? 'True' : 'False', ...(fault && { lastTransitionTime: at(fault) }) },
      ],
    },
  }) as unknown as KubeObject;
const pod = (kind: string, name: string) =>
  ({
    ...{ apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'node-a', containers: [] } },
    metadata: {
      name: `${name}-1`,
      namespace: 'org-acme',
      uid: name,
      labels: { [LABEL.kind]: kind, [LABEL.name]: name },
    },
  }) as unknown as KubeObject;
const ran = (to?: number) => ({
  intervals: [
    { seq: 1, subjectUID: 'p', from: at(10), ...(to && { to: at(to) }), uses: [{ resource: 'gpu', quantity: 1 }] },
  ],
});
const train = (to?: number) => kindObject(job, 'train', { status: ran(to), metadata: { uid: 'uid-train' } });

let db: Database;
let kinds: MemoryKinds;
let look: () => string[];
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  const dev = kindObject(gpuInstance, 'dev', { status: ran(), metadata: { uid: 'uid-dev' } });
  kinds = await memoryKinds([node(), dev, train(), pod('GpuInstance', 'dev'), pod('Job', 'train')]);
  const tariffs = new Tariffs({ db, clock: new SteppedClock(), region: 'us-east', currency: 'USD', noticeMs: 0 });
  const affected = affectedAtEachLook(kinds, (one) => priceOf(tariffs, one, NOW));
  look = () => affected(NOW).map(({ name, from }) => `${name} ${new Date(from).getSeconds()}`);
});
afterEach(() => kinds.stop());

const sees = (what: string, holds: () => unknown) => eventually(what, () => Boolean(holds()));
async function jobLeaves(to: number): Promise<void> {
  kinds.cluster.put(train(to));
  await kinds.cluster.delete(POD, { ...{ apiVersion: 'v1', kind: 'Pod' }, namespace: 'org-acme', name: 'train-1' });
  await sees('it has left', () => !kinds.cache.reader.get(POD, 'org-acme', 'train-1'));
}
async function fails(second: number): Promise<void> {
  kinds.cluster.put(node(second));
  await sees('the fault', () => JSON.stringify(kinds.cache.reader.get(NODE, undefined, 'node-a')).includes(at(second)));
}

test('a job that left the node before the first look at the fault is affected once', async () => {
  expect(look()).toEqual([]);
  await fails(30);
  await jobLeaves(31);
  expect(look().sort()).toEqual(['dev 30', 'train 30']);
  expect(look()).toEqual(['dev 30']);
});

test('a job that ended before the fault is not', async () => {
  expect(look()).toEqual([]);
  await jobLeaves(20);
  await fails(30);
  expect(look()).toEqual(['dev 30']);
});

test('of a card that is named only who has it is affected, also after it has left', async () => {
  expect(look()).toEqual([]);
  const card = { uuid: 'GPU-a', gpu: '0', xids: [79], since: at(30), boot: 'b', holders: ['org-acme/train-1'] };
  const { metadata, ...sound } = node();
  const annotations = { [ANNOTATION.gpuFaults]: cardFaultsText([card]) ?? '' };
  kinds.cluster.put({ ...sound, metadata: { ...metadata, annotations } });
  await sees('the fault', () => kinds.cache.reader.get(NODE, undefined, 'node-a')?.metadata.annotations);
  await jobLeaves(31);
  expect(look()).toEqual(['train 30']);
  expect(look()).toEqual([]);
});

test.each<[string, [from: number, to?: number][], number]>([
  ['goes on', [[10]], Number.POSITIVE_INFINITY],
  ['has stopped', [[10, 35]], Date.parse(at(35))],
  ['stopped in the second of the fault', [[10, 30]], Date.parse(at(30))],
  ['stopped for a moment then', [[10, 30], [30]], Number.POSITIVE_INFINITY],
  ['came back after a gap', [[10, 35], [40]], Date.parse(at(35))],
  [
    'changed its size',
    [
      [10, 32],
      [32, 36],
    ],
    Date.parse(at(36)),
  ],
  [
    'has workers that stop apart',
    [
      [10, 32],
      [11, 36],
    ],
    Date.parse(at(36)),
  ],
  ['is posted and gone', [[40]], Number.POSITIVE_INFINITY],
  ['was never metered', [], Number.POSITIVE_INFINITY],
])('the end of a run that %s', (_what, intervals, end) => {
  const given = intervals.map(([from, to]) => ({ from: at(from), ...(to && { to: at(to) }) }));
  expect(endOfRun(given, Date.parse(at(30)))).toBe(end);
});
