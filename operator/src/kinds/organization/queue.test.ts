import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import { describe, expect, test } from '@jest/globals';
import { NO_ROOM, type Room } from '../../queue-capacity.ts';
import { cachesOf } from '../../testing/caches-of.ts';
import { organizationController } from './plan.ts';
import { desiredQueue } from './queue.ts';
import { type OrganizationSeen, reads } from './reads.ts';
import { context, nothing, organizationFixture, settings, whole } from './testing/fixtures.ts';

const FLAVORS = ['gantry-no-gpu', 'gantry-gpu-h100'];
const QUEUED = { ...settings, queue: 'kueue' as const };
const QUOTA = { gpus: 8, milliCores: 128_000, mebibytes: 2 ** 20 };

const status = (conditions: object[]) =>
  ({ conditions }) as NonNullable<Parameters<typeof organizationFixture>[0]>['status'];
const owner = organizationFixture();
const facts = { flavors: FLAVORS, taken: NO_ROOM, own: new Map<string, Room>() };

interface Quota {
  name: string;
  nominalQuota: string;
  borrowingLimit: string;
  lendingLimit: string;
}
type Queue = KubeObject & {
  spec: { stopPolicy: string; resourceGroups: { flavors: { name: string; resources: Quota[] }[] }[] };
};
const cardsIn = (objects: readonly KubeObject[], flavor: string) => {
  const { flavors } = (objects[0] as Queue).spec.resourceGroups[0] ?? {};
  const found = flavors?.find(({ name }) => name === flavor)?.resources.find(({ name }) => name === 'nvidia.com/gpu');
  return found && [found.nominalQuota, found.borrowingLimit, found.lendingLimit];
};

const LIMITS: Record<string, [more: Partial<typeof facts>, cards: string[]]> = {
  'it borrows up to its quota': [{}, ['0', '8', '0']],
  'what its instances take, its jobs may not': [{ taken: { ...NO_ROOM, gpus: 3 } }, ['0', '5', '0']],
  'with more taken than it may have, nothing is left': [{ taken: { ...NO_ROOM, gpus: 9 } }, ['0', '0', '0']],
  'what is free on nodes that serve it alone is its own': [
    { own: new Map([['gantry-gpu-h100', { ...QUOTA, gpus: 6 }]]) },
    ['6', '2', '0'],
  ],
  'its own is no more than its quota': [
    { own: new Map([['gantry-gpu-h100', { ...QUOTA, gpus: 64 }]]) },
    ['8', '0', '0'],
  ],
};

describe('the queue of an organisation', () => {
  test.each(Object.entries(LIMITS))('%s', (_, [more, cards]) => {
    expect(cardsIn(desiredQueue(owner, { ...facts, ...more }, QUEUED), 'gantry-gpu-h100')).toEqual(cards);
  });

  test('changes with many small instances a few times only', () => {
    const limits = Array.from({ length: 1000 }, (_, index) =>
      JSON.stringify(desiredQueue(owner, { ...facts, taken: { ...NO_ROOM, milliCores: index * 100 } }, QUEUED)),
    );
    expect(new Set(limits).size).toBeLessThanOrEqual(64);
  });

  test.each([
    ['its own queue', (queue: KubeObject) => queue, 1],
    [
      'one that has lost its owner',
      ({ metadata: { ownerReferences: _, ...rest }, ...queue }: KubeObject) => ({ ...queue, metadata: rest }),
      1,
    ],
    [
      'one of another owner',
      (queue: KubeObject) => ({
        ...queue,
        metadata: {
          ...queue.metadata,
          ownerReferences: queue.metadata.ownerReferences?.map((one) => ({ ...one, uid: 'other' })),
        },
      }),
      0,
    ],
    [
      'one without an owner that is another organisation’s',
      ({ metadata: { ownerReferences: _, ...rest }, ...queue }: KubeObject) => ({
        ...queue,
        metadata: { ...rest, labels: { 'gantry.dev/organization': 'other' } },
      }),
      0,
    ],
  ] as const)('%s is, or is not, its queue', (_, changed, count) => {
    for (const [at, name] of (['clusterQueues', 'localQueues'] as const).entries()) {
      const read = reads[name];
      const queue = changed(desiredQueue(owner, facts, QUEUED)[at] as KubeObject);
      expect(read.find(owner, cachesOf(new Map([[read.of, [queue]]])))).toHaveLength(count);
    }
  });

  test('serves its namespace alone, and moves only its own jobs', () => {
    expect(desiredQueue(owner, facts, QUEUED)).toMatchObject([
      {
        kind: 'ClusterQueue',
        metadata: { name: 'org-acme', labels: { 'gantry.dev/organization': 'acme' } },
        spec: {
          cohortName: 'gantry',
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'org-acme' } },
          preemption: {
            withinClusterQueue: 'LowerPriority',
            borrowWithinCohort: { policy: 'LowerPriority', maxPriorityThreshold: 0 },
          },
          stopPolicy: 'None',
        },
      },
      { kind: 'LocalQueue', metadata: { name: 'jobs', namespace: 'org-acme' }, spec: { clusterQueue: 'org-acme' } },
    ]);
  });

  test('lets nothing in without credit', () => {
    const poor = organizationFixture({
      status: status([
        { type: 'InCredit', status: 'False', reason: 'OutOfCredit', message: 'The balance is used up.' },
      ]),
    });
    const stopped = (gate: 'required' | 'off') =>
      (desiredQueue(poor, facts, { ...QUEUED, creditGate: gate })[0] as Queue).spec.stopPolicy;
    expect([stopped('required'), stopped('off')]).toEqual(['Hold', 'None']);
  });

  test('is not made where there is no Kueue, or no flavour yet', () => {
    expect(desiredQueue(owner, facts, settings)).toEqual([]);
    expect(desiredQueue(owner, { ...facts, flavors: [] }, QUEUED)).toEqual([]);
  });
});

const plan = (seen: OrganizationSeen, refusals: Refusal[] = []) =>
  organizationController.plan(owner, seen, { ...context(1), settings: QUEUED, refusals });
const kindsOf = (objects: readonly { kind: string }[] = []) => objects.map(({ kind }) => kind);

describe('the plan of an organisation', () => {
  test('makes the queue once everything else is there, and is ready without it', () => {
    expect(kindsOf(plan({ ...nothing, flavors: FLAVORS }).create)).toEqual(['Namespace']);
    const { create, status: reported } = plan({ ...whole(owner), flavors: FLAVORS });
    expect(kindsOf(create)).toEqual(expect.arrayContaining(['ClusterQueue', 'LocalQueue']));
    expect(reported?.phase).toBe('ready');
  });

  test('takes the queue away with its flavours', () => {
    const [clusterQueue, localQueue] = desiredQueue(owner, facts, QUEUED) as [KubeObject, KubeObject];
    const seen = { ...whole(owner), clusterQueues: [clusterQueue], localQueues: [localQueue] };
    expect(kindsOf(plan(seen).remove)).toEqual(['ClusterQueue', 'LocalQueue']);
    expect(plan({ ...seen, flavors: FLAVORS }).remove).toEqual([]);
  });

  test('keeps the queue as it should be, but mends everything else first', () => {
    const [clusterQueue, localQueue] = desiredQueue(owner, { ...facts, taken: { ...NO_ROOM, gpus: 1 } }, QUEUED).map(
      (object) => ({ ...object, metadata: { ...object.metadata, uid: 'u' } }),
    ) as [KubeObject, KubeObject];
    const seen = { ...whole(owner), flavors: FLAVORS, clusterQueues: [clusterQueue], localQueues: [localQueue] };
    expect(kindsOf(plan(seen).apply)).toEqual(['ClusterQueue']);
    expect(kindsOf(plan({ ...seen, limits: [] }).apply)).toEqual([]);
  });

  test('follows what instances take only while there are jobs', () => {
    const [clusterQueue, localQueue] = desiredQueue(owner, facts, QUEUED).map((object) => ({
      ...object,
      metadata: { ...object.metadata, uid: 'u' },
    })) as [KubeObject, KubeObject];
    const taken = { ...NO_ROOM, gpus: 1 };
    const queues = {
      flavors: FLAVORS,
      clusterQueues: [clusterQueue],
      localQueues: [localQueue],
      takenPastQueue: taken,
    };
    expect(kindsOf(plan({ ...whole(owner), ...queues }).apply)).toEqual([]);
    for (const open of [{ openJobs: 1 }, { openDataProcesses: 1 }, { openFineTunes: 1 }, { openEvaluations: 1 }])
      expect(kindsOf(plan({ ...whole(owner), ...queues, ...open }).apply)).toEqual(['ClusterQueue']);
  });
});
