// Every card once: used, free, broken or reserved.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { cardFaultsText } from '@gantry/contract/gpu-conditions.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { expect, test } from '@jest/globals';
import { censusOf } from './gpu-census.ts';
import { memoryKinds } from './testing/memory-kinds.ts';

interface NodeFixture {
  model?: string;
  has?: number;
  offers?: number;
  ready?: boolean;
  spec?: object;
  conditions?: readonly object[];
  labels?: Record<string, string>;
  /** By whom cards that have failed are held. */
  failed?: readonly string[][];
}

const node = (
  name: string,
  {
    model = 'H100',
    has = 8,
    offers = has,
    ready = true,
    spec = {},
    conditions = [],
    labels = {},
    failed = [],
  }: NodeFixture,
) =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { [LABEL.gpuModel]: model, ...labels },
      annotations: { [ANNOTATION.gpuFaults]: cardFaultsText(failed.map(cardOf)) },
    },
    spec,
    status: {
      capacity: { [GPU_RESOURCE]: `${has}` },
      allocatable: { [GPU_RESOURCE]: `${offers}`, cpu: '64', memory: '256Gi', 'ephemeral-storage': '2Ti', pods: '110' },
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }, ...conditions],
    },
  }) as unknown as KubeObject;

const cardOf = (holders: string[], index: number) => ({
  ...{ uuid: `GPU-${index}`, gpu: `${index}`, xids: [79], since: '2026-11-01T00:00:00Z', boot: '', holders },
});

const pod = (name: string, on: string, gpus: number, phase = 'Running') =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'org-acme' },
    spec: {
      nodeName: on,
      containers: [{ name: 'main', resources: { requests: { [GPU_RESOURCE]: `${gpus}`, cpu: '4', memory: '16Gi' } } }],
    },
    status: { phase },
  }) as unknown as KubeObject;

async function censusIn(objects: readonly KubeObject[]) {
  const kinds = await memoryKinds(objects);
  try {
    return censusOf(kinds.cache.reader, POOL_RULES);
  } finally {
    kinds.stop();
  }
}

test('each card is one of four, and they add up', async () => {
  const { gpus, requested } = await censusIn([
    node('busy', {}),
    pod('a', 'busy', 3),
    pod('over', 'busy', 4, 'Succeeded'),
    node('half', { offers: 6 }),
    node('away', { ready: false }),
    pod('lost', 'away', 8),
    node('rented', { labels: { [LABEL.nodeHost]: 'uid-1' } }),
    pod('b', 'rented', 2),
    node('drained', { spec: { unschedulable: true } }),
    node('kept', { spec: { taints: [{ key: 'staff', effect: 'NoSchedule' }] } }),
    node('other', { model: 'Tesla-T4', has: 4 }),
  ]);
  expect(gpus).toEqual([
    // 8 busy, 8 half, 8 away, 8 rented, 8 drained, 8 kept.
    { model: 'H100', name: 'H100', total: 48, used: 5, free: 5 + 6, broken: 2 + 8, reserved: 6 + 8 + 8 },
    { model: 'Tesla-T4', name: 'NVIDIA Tesla T4', total: 4, used: 0, free: 4, broken: 0, reserved: 0 },
  ]);
  for (const { total, used, free, broken, reserved } of gpus) expect(used + free + broken + reserved).toBe(total);
  // A node that does not answer is nothing that one could have.
  expect(requested).toEqual([
    { resource: 'gpu', amount: 5, of: 8 + 6 + 8 + 8 + 8 + 4 },
    { resource: 'cpu', amount: 8, of: 6 * 64 },
    { resource: 'memory', amount: 32, of: 6 * 256 },
  ]);
});

test('a fatal error of a node breaks its unused cards, and nobody is told that they are free', async () => {
  const { gpus } = await censusIn([
    node('faulty', { conditions: [{ type: 'GpuFatalXid', status: 'True' }] }),
    pod('a', 'faulty', 2),
    node('mended', { conditions: [{ type: 'GpuFatalXid', status: 'False' }] }),
  ]);
  expect(gpus).toMatchObject([{ total: 16, used: 2, free: 8, broken: 6, reserved: 0 }]);
});

test('a card that has failed is broken once nobody has it, also where the node does not offer it any more', async () => {
  const { gpus } = await censusIn([
    node('held', { failed: [['org-acme/a'], []] }),
    pod('a', 'held', 2),
    node('withdrawn', { model: 'A100', offers: 7, failed: [['org-acme/gone']] }),
  ]);
  expect(gpus).toMatchObject([
    { model: 'A100', used: 0, free: 7, broken: 1 },
    { model: 'H100', used: 2, free: 5, broken: 1 },
  ]);
});

test('a platform without nodes has nothing', async () => {
  expect(await censusIn([])).toMatchObject({ gpus: [], requested: [{ amount: 0, of: 0 }, { of: 0 }, { of: 0 }] });
});
