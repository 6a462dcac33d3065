// Compares the resources that a service's reads look at with those they declare: the runtime follows nothing else, so a plan that looks
// elsewhere fails.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import type { Read } from '../../define-controller.ts';
import { followedBy, strictCachesOf } from '../../testing/caches-of.ts';
import { containerServiceController } from './plan.ts';
import { address, deployment, pod, record, service } from './testing/fixtures.ts';

const { reads, halts = () => [] } = containerServiceController;

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-a', labels: { [LABEL.gpuModel]: 'H100' } },
  status: {
    allocatable: {
      'nvidia.com/gpu': '8',
      cpu: '64',
      memory: '512Gi',
      'ephemeral-storage': '1Ti',
      pods: '110',
    },
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  },
};
/** By its own index, a Pod of the service's. */
const owned = <One extends KubeObject>(object: One, uid = 'uid-chat'): One => ({
  ...object,
  metadata: {
    ...object.metadata,
    ownerReferences: [
      { apiVersion: 'gantry.dev/v1alpha1', kind: 'ContainerService', name: 'chat', uid, controller: true },
    ],
  },
});

const OBJECTS = new Map<Resource, readonly KubeObject[]>([
  [reads.deployment.of, [owned(deployment())]],
  [reads.service.of, [owned(address())]],
  [reads.pods.of, [pod('unplaced'), pod('ready', { n: 2 })]],
  [reads.nodes.of, [node]],
]);
const OWNERS = {
  'that waits for room': service({ status: { pods: [record(2), record(3)] } }),
  'on a host': service({ spec: { host: 'box' } }),
  'that is made': service(),
};

for (const [name, owner] of Object.entries(OWNERS)) {
  test.each(Object.entries<Read>(reads))(
    `of a service ${name}, "%s" looks at nothing that it does not name`,
    (_, read) => {
      expect(() => read.find(owner, strictCachesOf(followedBy(read), OBJECTS))).not.toThrow();
    },
  );
}

const followed = Object.values<Read>(reads).flatMap(followedBy);

test('a service sees its own Pods and the room that one of them waits for', () => {
  const caches = strictCachesOf(followed, OBJECTS);
  expect(reads.pods.find(service(), caches).map(({ metadata }) => metadata.uid)).toEqual(['uid-pod-1', 'uid-pod-2']);
  expect(reads.stock.find(service(), caches)).toMatchObject({ models: ['H100'], fits: true });
});

test('the last resort empties the Deployment with what is followed', () => {
  expect(halts(service(), strictCachesOf(followed, OBJECTS))).toMatchObject([
    { patch: { body: { spec: { replicas: 0 } } } },
  ]);
});

/** The objects that each change wakes, decided by the change alone. */
const WAKES: Readonly<Record<string, { read: Read; before?: KubeObject; after?: KubeObject; wakes: string[] }>> = {
  'a Pod that loses its labels': {
    read: reads.pods,
    before: pod('ready'),
    after: { ...pod('ready'), metadata: { name: 'x', namespace: 'org-acme' } },
    wakes: ['chat'],
  },
  'a Pod that goes': { read: reads.pods, before: pod('ready'), wakes: ['chat'] },
  'a Pod of another kind': {
    read: reads.pods,
    after: {
      ...pod('ready'),
      metadata: { name: 'x', namespace: 'org-acme', labels: { [LABEL.kind]: 'Job', [LABEL.name]: 'chat' } },
    },
    wakes: [],
  },
  'its Deployment': { read: reads.deployment, after: owned(deployment()), wakes: ['chat'] },
  'a node whose GPU fails': {
    read: reads.nodes,
    before: node,
    after: {
      ...node,
      status: { conditions: [...(node.status?.conditions ?? []), { type: 'GpuFatalXid', status: 'True' }] },
    } as KubeObject,
    wakes: ['chat'],
  },
  'a node that falls silent': {
    read: reads.nodes,
    before: node,
    after: { ...node, status: { conditions: [] } } as KubeObject,
    wakes: ['chat'],
  },
  'a node that is as it was': { read: reads.nodes, before: node, after: { ...node }, wakes: [] },
};

test.each(Object.entries(WAKES))('%s', (_, { read, before, after, wakes }) => {
  const change = { ...(before && { before }), ...(after && { after }) } as Parameters<NonNullable<Read['wakes']>>[0];
  const caches = strictCachesOf(followedBy(read), new Map([...OBJECTS, [reads.pods.of, [pod('ready')]]]));
  expect(read.wakes?.(change, caches).map(({ name }) => name)).toEqual(wakes);
});
