// Which nodes are free, from caches as the runtime keeps them.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import { NODE, POD, VOLUME, type Volume } from '../../resources.ts';
import { cachesOf } from '../../testing/caches-of.ts';
import { isTenants, roomFor } from './candidates.ts';
import { reads } from './reads.ts';
import { HOST } from './resource.ts';
import { gpuHost, node, settings } from './testing/fixtures.ts';

const pod = (phase: string, finalizers: string[] = [], namespace = 'org-other', labels = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'x', namespace, finalizers, labels },
  spec: { containers: [], nodeName: 'n1' },
  status: { phase },
});
const filling = pod('Running', [], 'org-other', { [LABEL.fills]: 'chat' });

test.each([
  ['that runs', pod('Running'), true],
  ['that ended', pod('Failed'), false],
  ['that ended and waits to be saved', pod('Failed', [FINALIZER.metered]), true],
  ['that takes in a model for replicas to come', filling, true],
  ['of the platform', pod('Running', [], 'gantry-system'), false],
])('a container %s', (_, one, is) => expect(isTenants(one)).toBe(is));

const volume = (namespace: string, phase = 'Bound', name = 'data-disk'): Volume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    claimRef: { namespace, name },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['host-of-n1'] }] },
        ],
      },
    },
  },
  status: { phase },
});

const n1: Node = node('n1', { labels: { 'kubernetes.io/hostname': 'host-of-n1', [LABEL.gpuModel]: 'H100' } });
const freeWith = (more: ReadonlyMap<Resource, readonly KubeObject[]>, by = settings) =>
  roomFor(
    gpuHost(),
    cachesOf(new Map<Resource, readonly KubeObject[]>([[NODE, [n1]], [HOST, [gpuHost()]], ...more])),
    by,
  );

test.each<[string, Resource, KubeObject, string[]]>([
  ['nobody has anything on is free', POD, pod('Failed'), ['n1']],
  ["somebody's container is on is not", POD, pod('Running'), []],
  ['an ended container waits to be saved on is not', POD, pod('Failed', [FINALIZER.metered]), []],
  ['takes in a model that nobody needs there yet is: that goes once the node is claimed', POD, filling, ['n1']],
  ["another organisation's disk is tied to is not: it could not get at it", VOLUME, volume('org-other'), []],
  ['a disk of its own is tied to is', VOLUME, volume('org-acme'), ['n1']],
  ['a volume is tied to whose claim is gone is', VOLUME, volume('org-other', 'Released'), ['n1']],
  ["a volume of the platform's is tied to is", VOLUME, volume('gantry-system'), ['n1']],
])('a node that %s', (_, resource, object, free) => {
  const room = freeWith(new Map([[resource, [object]]]));
  expect([room.free, room.choices]).toEqual([free, free]);
});

const tainted = (key: string, effect = 'NoSchedule') =>
  node('n1', { labels: n1.metadata.labels ?? {}, taints: [{ key, value: 'present', effect }] });
const named = { ...settings, gpuTaints: ['example.org/cards'] };
const real = { ...settings, simulatedNodes: false };

test.each<[string, typeof settings, Node, string[]]>([
  ['that whatever asks for a GPU tolerates is free', settings, tainted('nvidia.com/gpu'), ['n1']],
  ['that the installation names is free', named, tainted('example.org/cards'), ['n1']],
  ['that the installation does not name is not', named, tainted('nvidia.com/gpu'), []],
  ['of a stranger is not', settings, tainted('example.org/maintenance'), []],
  ['that only advises is free', settings, tainted('example.org/maintenance', 'PreferNoSchedule'), ['n1']],
  ['of simulation is free where they stand in for a pool', settings, tainted('kwok.x-k8s.io/node'), ['n1']],
  ['of simulation is not free elsewhere', real, tainted('kwok.x-k8s.io/node'), []],
])('a node with a taint %s', (_, by, one, free) => {
  const room = freeWith(new Map([[NODE, [one]]]), by);
  expect([room.free, room.choices]).toEqual([free, free]);
});

test('a node with a taint that the installation names wakes the host that waits for it, and no other taint does', () => {
  const wakes = (one: Node) => {
    const caches = cachesOf(
      new Map<Resource, readonly KubeObject[]>([
        [NODE, [one]],
        [HOST, [gpuHost()]],
      ]),
    );
    return reads.nodes.wakes?.({ after: one }, caches, named).map(({ name }) => name);
  };
  expect([wakes(tainted('example.org/cards')), wakes(tainted('nvidia.com/gpu'))]).toEqual([['big'], []]);
});

test('a simulated node is none of a size where instances may not run on it', () => {
  const found = freeWith(new Map([[NODE, [tainted('kwok.x-k8s.io/node')]]]), real);
  expect([found.all, freeWith(new Map([[NODE, [tainted('kwok.x-k8s.io/node')]]])).all]).toEqual([[], ['n1']]);
});

test.each<[string, Volume, string[]]>([
  ['a home', volume('org-acme', 'Bound', 'dev-home'), ['dev-home']],
  ['no home whose claim is gone', volume('org-acme', 'Released', 'dev-home'), []],
  ['no data disk: it is kept where it is', volume('org-acme'), []],
  ["nobody else's", volume('org-other', 'Bound', 'dev-home'), []],
])('a host that gives its nodes back waits for %s', (_, one, claims) => {
  const found = reads.volumes.find(gpuHost(), cachesOf(new Map([[VOLUME, [one]]])));
  expect(found.map(({ claim }) => claim)).toEqual(claims);
});
