import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../test/support/seeded-fast-check.ts';
import { placeOf, queueLabels, WORKLOAD } from './kueue.ts';
import { NODE } from './resources.ts';
import { cachesOf } from './testing/caches-of.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 25, 12, 0, second)).toISOString().replace('.000', '');
const MODEL = 'NVIDIA-L40S';

interface Made {
  priority?: number;
  second?: number;
  gpus?: number;
  workers?: number;
  namespace?: string;
  active?: boolean;
  admission?: object;
  conditions?: Record<string, 'True' | 'False' | readonly ['True' | 'False', reason: string, second?: number]>;
}

function workload(name: string, made: Made = {}): KubeObject {
  const { priority = 200, second = 0, gpus = 1, workers = 1, namespace = 'org-acme', conditions = {} } = made;
  const object = {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Workload',
    metadata: {
      name: `job-${name}`,
      namespace,
      uid: `w-${name}`,
      creationTimestamp: at(second),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid: name, controller: true }],
    },
    spec: {
      queueName: 'jobs',
      priority,
      ...(made.active === false && { active: false }),
      podSets: [
        {
          name: 'main',
          count: workers,
          template: {
            spec: {
              nodeSelector: { [LABEL.gpuModel]: MODEL },
              containers: [{ name: 'worker', resources: { limits: { [GPU_RESOURCE]: String(gpus) } } }],
            },
          },
        },
      ],
    },
    status: {
      ...(made.admission && { admission: made.admission }),
      conditions: Object.entries(conditions).map(([type, said]) => {
        const [status, reason, since = 30] = typeof said === 'string' ? [said, 'Whatever'] : said;
        return { type, status, reason, message: `${type} is ${status}`, lastTransitionTime: at(since) };
      }),
    },
  };
  return kept(object as unknown as KubeObject);
}
const kept = WORKLOAD.keep as NonNullable<typeof WORKLOAD.keep>;

const node = (gpus: number, labels = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${gpus}`, labels: { [LABEL.gpuModel]: MODEL, ...labels } },
    status: { allocatable: { [GPU_RESOURCE]: String(gpus) } },
  }) as unknown as KubeObject;

const caches = (workloads: readonly KubeObject[], nodes: readonly KubeObject[] = [node(8)]) =>
  cachesOf(
    new Map<Resource, readonly KubeObject[]>([
      [WORKLOAD, workloads],
      [NODE, nodes],
    ]),
  );
const placed = (...workloads: readonly KubeObject[]) => {
  const seen = caches(workloads);
  return Object.fromEntries(
    workloads.map(({ metadata }) => {
      const uid = metadata.ownerReferences?.[0]?.uid ?? '';
      return [uid, placeOf(uid, seen)];
    }),
  );
};

const LATE = { Evicted: ['True', 'PodsReadyTimeout', 40], Requeued: ['True', 'BackoffFinished'] } as const;

const ORDER: Record<string, [workloads: KubeObject[], order: string[]]> = {
  'the older one is first': [
    [workload('b', { second: 2 }), workload('a', { second: 1 })],
    ['a', 'b'],
  ],
  'a higher priority is before an older one': [
    [workload('a', { second: 1 }), workload('b', { second: 2, priority: 300 })],
    ['b', 'a'],
  ],
  'one that did not start in time is as young as its eviction': [
    [workload('a', { second: 1, conditions: LATE }), workload('b', { second: 2 })],
    ['b', 'a'],
  ],
  'one that was preempted keeps its age': [
    [
      workload('a', { second: 1, conditions: { Evicted: ['True', 'Preempted'], Requeued: 'True' } }),
      workload('b', { second: 2 }),
    ],
    ['a', 'b'],
  ],
  'who runs, has ended or may never run is not ahead': [
    [
      workload('runs', { conditions: { QuotaReserved: 'True', Admitted: 'True' } }),
      workload('ended', { conditions: { Finished: 'True' } }),
      workload('off', { active: false }),
      workload('a', { second: 1 }),
    ],
    ['a'],
  ],
  'another organisation is not ahead': [
    [workload('other', { namespace: 'org-other' }), workload('a', { second: 1 })],
    ['a'],
  ],
};

describe('positions', () => {
  test.each(Object.entries(ORDER))('%s', (_, [workloads, order]) => {
    const places = placed(...workloads);
    expect(order.map((name) => places[name]?.position)).toEqual(order.map((_, index) => index + 1));
  });

  test('what is ahead is the sum over whole gangs', () => {
    const places = placed(
      workload('a', { second: 1, gpus: 4, workers: 2 }),
      workload('b', { second: 2, gpus: 1 }),
      workload('c', { second: 3 }),
    );
    expect(places.c).toMatchObject({ state: 'pending', position: 3, aheadGpus: 9, aheadJobs: 2 });
  });

  test('a queue is sorted once however many of its jobs are planned', () => {
    const workloads = Array.from({ length: 200 }, (_, index) => workload(`j${index}`, { second: index }));
    const seen = caches(workloads);
    let lists = 0;
    const counting = {
      ...seen,
      by(...asked: Parameters<typeof seen.by>) {
        if (asked[1] === 'waiting') lists++;
        return seen.by(...asked);
      },
    };
    const positions = workloads.map((_, index) => placeOf(`j${index}`, counting)?.position);
    expect(positions).toEqual(workloads.map((_, index) => index + 1));
    expect(lists).toBe(1);
  });
});

const STATES: Record<string, [made: Made, place: object]> = {
  'one that Kueue has not looked at': [{}, { state: 'pending', position: 1 }],
  'one that found no room': [
    { conditions: { QuotaReserved: ['False', 'Pending'] } },
    { state: 'pending', position: 1, isInadmissible: true, message: 'QuotaReserved is False' },
  ],
  'one that was let in': [
    { conditions: { QuotaReserved: 'True', Admitted: ['True', 'Admitted', 7] } },
    { state: 'admitted', admittedAt: at(7) },
  ],
  'one whose Pods still end': [
    { admission: {}, conditions: { Evicted: ['True', 'Preempted'], QuotaReserved: 'True', Admitted: 'True' } },
    { state: 'evicted', evictedBecause: 'Preempted', message: 'Evicted is True' },
  ],
  'one that waits until it may queue again': [
    { conditions: { Evicted: ['True', 'PodsReadyTimeout'], QuotaReserved: 'False', Requeued: 'False' } },
    { state: 'evicted', evictedBecause: 'PodsReadyTimeout' },
  ],
  'one that queues again': [
    { conditions: { Evicted: ['True', 'Preempted'], QuotaReserved: 'False', Requeued: 'True' } },
    { state: 'pending', position: 1, evictedBecause: 'Preempted' },
  ],
  'one that Kueue has given up': [{ active: false }, { state: 'evicted' }],
};
test.each(Object.entries(STATES))('the state of %s', (_, [made, place]) => {
  expect(placed(workload('a', made)).a).toMatchObject(place);
});

test('a job that the queue has not answered has no place', () => {
  expect(placeOf('unknown', caches([]))).toBeUndefined();
});

test('whatever a Workload holds, a place is a place', () => {
  const hostile = fc.record({
    spec: fc.anything(),
    status: fc.oneof(fc.anything(), fc.record({ conditions: fc.anything(), admission: fc.anything() })),
  });
  fc.assert(
    fc.property(hostile, fc.anything(), (parts, podSets) => {
      const sound = workload('a');
      const { spec, status } = parts as Record<string, unknown>;
      const object = {
        ...sound,
        ...(typeof spec === 'object' && spec !== null && { spec: { ...spec, podSets } }),
        ...(typeof status === 'object' && status !== null && { status }),
      };
      const place = placeOf('a', caches([kept(object as unknown as KubeObject), workload('b', { second: 9 })]));
      expect(['pending', 'admitted', 'evicted']).toContain(place?.state);
      expect(Number.isFinite(place?.aheadGpus ?? 0)).toBe(true);
    }),
  );
});

test('a job on a host does not queue', () => {
  const job = (spec: object) => ({ spec }) as unknown as Job;
  expect(queueLabels(job({ host: 'big', priority: 'High' }))).toEqual({});
  expect(queueLabels(job({ priority: 'High' }))).toEqual({
    'kueue.x-k8s.io/queue-name': 'jobs',
    'kueue.x-k8s.io/priority-class': 'gantry-high',
  });
});
