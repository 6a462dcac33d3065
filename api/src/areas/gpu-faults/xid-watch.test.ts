// From the exporter's series to the mark of a node, over caches and an API server in memory.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { cardFaultsOf, gpuFaultOf } from '@gantry/contract/gpu-conditions.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventReader } from '../../core/kinds/staff/events.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import { type MemoryKinds, memoryKinds } from '../../core/kinds/testing/memory-kinds.ts';
import { NODE } from '../../platform/kube/resources.ts';
import { queryOf, XidWatch } from './xid-watch.ts';

const START = Date.UTC(2026, 10, 10);
const UUID = 'GPU-00000000-1111-2222-3333-444444444444';
const TRAIN = { namespace: 'org-acme', pod: 'train-1' };
type Measured = { labels: Record<string, string>; value: number };
const xid = (value: number, labels: Record<string, string> = TRAIN): Measured => ({
  labels: { __name__: 'DCGM_FI_DEV_XID_ERRORS', Hostname: 'node-a', UUID, gpu: '3', ...labels },
  value,
});
const counted = (code: string, labels = TRAIN): Measured => ({
  labels: { ...xid(0, labels).labels, __name__: 'DCGM_EXP_XID_ERRORS_COUNT', xid: code },
  value: 1,
});

const clock = new SteppedClock();
let kinds: MemoryKinds;
let nodes: StaffNodes;
let series: Measured[] | Error;
let warnings: string[];
let asked: string[];
const node = () => kinds.cache.reader.get(NODE, undefined, 'node-a') as Node;
const look = async () => {
  const stop = new AbortController();
  const run = watch.run(stop.signal);
  await Promise.resolve();
  stop.abort();
  await run;
};
let watch: XidWatch;

beforeEach(async () => {
  clock.set(START);
  [series, warnings, asked] = [[], [], []];
  kinds = await memoryKinds([
    {
      ...{ apiVersion: 'v1', kind: 'Node' },
      metadata: { name: 'node-a', uid: 'a' },
      spec: {},
      status: {},
    } as KubeObject,
  ]);
  const client = { as: () => kinds.cluster as unknown as KubeClient };
  nodes = new StaffNodes({ cache: kinds.cache, client, events: {} as EventReader });
  watch = new XidWatch({
    clock,
    log: { warn: (_, text) => void warnings.push(text) },
    async ask(query) {
      asked.push(query);
      if (series instanceof Error) throw series;
      return { series };
    },
    nodes: () => [node()],
    podsOn: () => new Set(['org-acme/train-1', 'org-acme/mig-1']),
    mark: (of, faults) => nodes.markGpus(of, faults),
  });
});
afterEach(() => kinds.stop());

test('the card is named, and who has it alone is affected', async () => {
  series = [xid(79), xid(0, { UUID: 'GPU-other', gpu: '4', namespace: 'org-b', pod: 'dev-1' })];
  await look();
  const detail = `XID 79 (GPU has fallen off the bus) on GPU 3, ${UUID}`;
  expect(gpuFaultOf(node())).toEqual({ since: START, detail, holders: ['org-acme/train-1'] });
  const of = (namespace: string, name: string) => gpuFaultOf(node(), { metadata: { namespace, name } })?.detail;
  expect([of('org-acme', 'train-1'), of('org-b', 'dev-1')]).toEqual([detail, undefined]);
  expect(asked).toEqual([queryOf([])]);
  await look();
  expect(asked[1]).toContain('Hostname=~"node-a"');
});

test('a code that came between two scrapes is known from the exporter’s counts, and MIG instances of a card fail together', async () => {
  series = [xid(45), counted('79'), counted('45'), xid(0, { namespace: 'org-acme', pod: 'mig-1', GPU_I_ID: '2' })];
  await look();
  expect(cardFaultsOf(node())).toMatchObject([{ xids: [79], holders: ['org-acme/train-1', 'org-acme/mig-1'] }]);
});

test('labels that are none of the cluster’s mark nothing', async () => {
  series = [
    xid(79, { Hostname: 'node-z' }),
    xid(79, { UUID: '"}[1d] x' }),
    xid(79, { gpu: 'x'.repeat(99) }),
    xid(Number.NaN),
    xid(79.5),
  ];
  await look();
  expect(cardFaultsOf(node())).toEqual([]);
  series = [xid(79, { namespace: 'org-b', pod: 'of-another-node' })];
  await look();
  expect(cardFaultsOf(node())).toMatchObject([{ holders: [] }]);
});

test('Prometheus away changes nothing, and is said once', async () => {
  series = [xid(79)];
  await look();
  series = new Error('away');
  for (let count = 0; count < 3; count++) await look();
  expect([gpuFaultOf(node())?.since, warnings.length]).toEqual([START, 1]);
});

test('staff who put the node back clear its cards, and a look that knew better loses', async () => {
  series = [xid(79)];
  await look();
  const stale = node();
  for (const action of ['cordon', 'uncordon'] as const)
    await nodes.act('node-a', { action, reason: 'a new card' }, async () => {});
  expect([gpuFaultOf(node()), cardFaultsOf(node()).length]).toEqual([undefined, 1]);
  await expect(nodes.markGpus(stale, [])).rejects.toThrow();
  await look();
  expect(gpuFaultOf(node())).toBeUndefined();
  series = [xid(0)];
  await look();
  expect([node().metadata.annotations?.[ANNOTATION.gpuFaults], warnings]).toEqual([undefined, []]);
});
