import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { capacityOf, FLAVOR, flavorsIn, type QueueSettings, queuePool, type Room } from './queue-capacity.ts';
import { NODE, POD } from './resources.ts';
import { cachesOf } from './testing/caches-of.ts';

const SETTINGS: QueueSettings = {
  queue: 'kueue',
  sharedPool: 'open',
  simulatedNodes: false,
  gpuTaints: ['nvidia.com/gpu'],
};
const H100 = 'NVIDIA-H100';
const FLAVOR_OF_H100 = 'gantry-gpu-nvidia-h100';
const PLAIN = 'gantry-no-gpu';

interface MadeNode {
  model?: string;
  gpus?: number;
  labels?: object;
  taints?: object[];
  ready?: boolean;
  cordoned?: boolean;
}
const node = (name: string, { model = H100, gpus = 8, labels, taints, ready = true, cordoned }: MadeNode = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...(gpus > 0 && { [LABEL.gpuModel]: model }), ...labels } },
    spec: { ...(taints && { taints }), ...(cordoned && { unschedulable: true }) },
    status: {
      allocatable: { cpu: '63500m', memory: '1025Mi', [GPU_RESOURCE]: String(gpus) },
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  }) as unknown as KubeObject;

interface MadePod {
  on?: string;
  gpus?: string;
  org?: string;
  queued?: boolean;
  phase?: string;
  model?: string;
}
const pod = (name: string, { on, gpus = '1', org = 'acme', queued, phase = 'Running', model }: MadePod = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: `org-${org}`,
      labels: {
        [LABEL.organization]: org,
        [LABEL.kind]: queued ? 'Job' : 'GpuInstance',
        ...(queued && { 'kueue.x-k8s.io/podset': 'main' }),
      },
    },
    spec: {
      ...(on && { nodeName: on }),
      ...(model && { nodeSelector: { [LABEL.gpuModel]: model } }),
      containers: [
        { name: 'a', resources: { requests: { cpu: '1500m', memory: '1.5Mi' }, limits: { [GPU_RESOURCE]: gpus } } },
      ],
    },
    status: { phase },
  }) as unknown as KubeObject;

const see = (nodes: KubeObject[], pods: KubeObject[] = [], more: [Resource, KubeObject[]][] = []) =>
  cachesOf(new Map<Resource, readonly KubeObject[]>([[NODE, nodes], [POD, pods], ...more]));

const WHOLE: Room = { gpus: 8, milliCores: 63_500, mebibytes: 1025 };
const SHARED: Record<string, [nodes: KubeObject[], pods: KubeObject[], shared: Record<string, Partial<Room>>]> = {
  'an empty node counts whole': [[node('a')], [], { [FLAVOR_OF_H100]: WHOLE }],
  'nodes of one model add up': [[node('a'), node('b')], [], { [FLAVOR_OF_H100]: { gpus: 16 } }],
  'nodes without a GPU are a flavour of their own': [
    [node('a', { gpus: 0 })],
    [],
    { [PLAIN]: { gpus: 0, milliCores: 63_500 } },
  ],
  'an instance takes its room, rounded up': [
    [node('a')],
    [pod('x', { on: 'a', gpus: '2' })],
    { [FLAVOR_OF_H100]: { gpus: 6, milliCores: 62_000, mebibytes: 1023 } },
  ],
  'a job that Kueue has let in is its own to count': [
    [node('a')],
    [pod('x', { on: 'a', queued: true, model: H100 })],
    { [FLAVOR_OF_H100]: WHOLE },
  ],
  'a job that Kueue counts elsewhere takes room here': [
    [node('a')],
    [pod('x', { on: 'a', queued: true, gpus: '0' })],
    { [FLAVOR_OF_H100]: { gpus: 8, milliCores: 62_000 } },
  ],
  'an ended Pod takes nothing': [[node('a')], [pod('x', { on: 'a', phase: 'Failed' })], { [FLAVOR_OF_H100]: WHOLE }],
  'more than there is leaves nothing': [
    [node('a')],
    [pod('x', { on: 'a', gpus: '9' })],
    { [FLAVOR_OF_H100]: { gpus: 0 } },
  ],
  'an amount that is none counts as none': [
    [node('a')],
    [pod('x', { on: 'a', gpus: '1e999' }), pod('y', { on: 'a', gpus: 'many' })],
    { [FLAVOR_OF_H100]: { gpus: 8 } },
  ],
  'leased, owned, cordoned, tainted and silent nodes are no part of the pool': [
    [
      node('a', { labels: { [LABEL.nodeHost]: 'uid' } }),
      node('b', { labels: { [LABEL.nodeOwner]: 'acme' } }),
      node('c', { cordoned: true }),
      node('d', { taints: [{ key: 'kwok.x-k8s.io/node', effect: 'NoSchedule' }] }),
      node('e', { ready: false }),
    ],
    [],
    {},
  ],
};
describe('the capacity of the pool', () => {
  test.each(Object.entries(SHARED))('%s', (_, [nodes, pods, shared]) => {
    const capacity = capacityOf(see(nodes, pods), SETTINGS);
    expect(Object.fromEntries(capacity.shared)).toMatchObject(shared);
    expect(capacity.shared.size).toBe(Object.keys(shared).length);
  });

  test('a node that serves one organisation alone is that one’s', () => {
    const seen = see([node('a'), node('b')], [pod('x', { on: 'a', gpus: '3' })]);
    const { shared, own } = capacityOf(seen, { ...SETTINGS, sharedPool: 'exclusive' });
    expect(shared.get(FLAVOR_OF_H100)?.gpus).toBe(8);
    expect(own.get('acme')?.get(FLAVOR_OF_H100)?.gpus).toBe(5);
  });
});

/** As the API server has it. */
const stored = (object: KubeObject): KubeObject => ({ ...object, metadata: { ...object.metadata, uid: 'u' } });
const RESOURCES = Object.fromEntries(queuePool.reads.map((resource) => [resource.kind, resource]));

function settled(nodes: KubeObject[], settings = SETTINGS) {
  const kinds = new Map<Resource, KubeObject[]>([
    [NODE, nodes],
    [POD, []],
    ...queuePool.reads.slice(2).map((of): [Resource, KubeObject[]] => [of, []]),
  ]);
  for (let round = 1; round < 9; round++) {
    const { create = [], apply = [] } = queuePool.plan(cachesOf(kinds), settings);
    if (create.length + apply.length === 0) return { round, kinds };
    for (const object of [...create, ...apply]) {
      const list = kinds.get(RESOURCES[object.kind] as Resource) as KubeObject[];
      const at = list.findIndex(({ metadata }) => metadata.name === object.metadata.name);
      list.splice(at < 0 ? list.length : at, at < 0 ? 0 : 1, stored(object));
    }
  }
  throw new Error('the plan does not settle');
}

describe('the plan of the pool', () => {
  const tainted = [{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }];
  const { kinds } = settled([node('a'), node('s', { model: 'NVIDIA-L40S', gpus: 4, taints: tainted })], {
    ...SETTINGS,
    simulatedNodes: true,
  });
  const cohort = (kinds.get(RESOURCES.Cohort as Resource) as (KubeObject & { spec: unknown })[])[0];

  test('makes flavours, classes and a cohort, and then rests', () => {
    expect(flavorsIn(cachesOf(kinds))).toEqual([PLAIN, FLAVOR_OF_H100, 'gantry-gpu-nvidia-l40s']);
    expect(cohort).toMatchObject({
      metadata: { name: 'gantry' },
      spec: {
        resourceGroups: [
          {
            coveredResources: ['cpu', 'memory', GPU_RESOURCE],
            flavors: [
              { name: PLAIN, resources: [{ nominalQuota: '0' }, { nominalQuota: '0' }, { nominalQuota: '0' }] },
              {
                name: FLAVOR_OF_H100,
                resources: [{ nominalQuota: '63500m' }, { nominalQuota: '1025Mi' }, { nominalQuota: '8' }],
              },
              { name: 'gantry-gpu-nvidia-l40s', resources: [{}, {}, { nominalQuota: '4' }] },
            ],
          },
        ],
      },
    });
  });

  test('keeps work without a GPU off nodes that a taint closes to it', () => {
    const [, h100, l40s] = kinds.get(FLAVOR) as (KubeObject & { spec: { nodeTaints?: object[] } })[];
    expect(h100?.spec.nodeTaints).toBeUndefined();
    expect(l40s?.spec.nodeTaints).toEqual(tainted);
  });

  test('keeps the flavour of a model that is gone, with nothing in it', () => {
    const { apply, create } = queuePool.plan(cachesOf(new Map([...kinds, [NODE, []]])), SETTINGS);
    expect(create).toEqual([]);
    expect(apply?.map(({ kind }) => kind)).toEqual(['Cohort']);
    expect(JSON.stringify(apply)).toContain(FLAVOR_OF_H100);
  });

  test('does nothing without Kueue', () => {
    expect(queuePool.plan(see([node('a')]), { ...SETTINGS, queue: 'none' })).toEqual({});
  });
});
