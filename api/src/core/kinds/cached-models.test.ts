import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL, WEIGHTS_ROOM, weightsLabel } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { NODE, POD } from '../../platform/kube/resources.ts';
import { deploymentCachedOn, versionCachedOn } from './cached-models.ts';
import { nodeCaches } from './node-caches.ts';
import { kindObject } from './testing/memory-kinds.ts';

const DIGEST = 'd'.repeat(64);
const HAS = { [weightsLabel('acme', DIGEST)]: '' };
const HAS_OF_FOE = { [weightsLabel('foe', DIGEST)]: '' };
const READY = [{ type: 'Ready', status: 'True' }];

const node = (name: string, labels: Record<string, string>, spec: object = {}): Node =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec, status: { conditions: READY } }) as Node;

const big = kindObject(gpuHost, 'big', { spec: { tags: ['train'] } }) as unknown as GpuHost;
const OF_FOE = kindObject(gpuHost, 'theirs', { spec: { tags: ['foe'] } });
const ofHost = { [LABEL.nodeHost]: big.metadata.uid ?? '' };
const NODES = [
  node('has', { ...HAS, ...{ [weightsLabel('acme', 'e'.repeat(64))]: '', [WEIGHTS_ROOM]: '7' } }),
  node('of-foe', { ...HAS_OF_FOE, zone: 'a' }),
  node('with-cards', { ...HAS, [LABEL.gpuModel]: 'H100', zone: 'a', fast: '' }),
  node('closed', HAS, { unschedulable: true }),
  node('of-the-host', { ...HAS, ...ofHost }),
  node('of-another-host', { ...HAS, [LABEL.nodeHost]: 'uid-other' }),
];

const cachesWith = (...pods: Pod[]) => cachesOf(NODES, pods);
const cachesOf = (nodes: readonly Node[], pods: readonly Pod[]) =>
  ({
    version: () => 1,
    list: (resource: object, namespace?: string) =>
      resource === NODE
        ? nodes
        : resource === POD
          ? pods.map((pod) => POD.keep?.(pod))
          : namespace === big.metadata.namespace
            ? [big]
            : namespace === 'org-foe'
              ? [OF_FOE]
              : [],
    get: (_: object, namespace: string, name: string) =>
      namespace === big.metadata.namespace && name === 'big' ? big : undefined,
  }) as unknown as CacheReader;
const caches = cachesWith();

const deployment = (spec: object, status: object = { weights: { digest: DIGEST } }) =>
  kindObject(modelDeployment, 'chat', { spec, status }) as unknown as ModelDeployment;

describe('the nodes that have a model’s files', () => {
  test.each([
    ['anywhere in the pool', {}, { nodes: 2, of: 3, copying: 0 }],
    ['with cards of a model', { gpu: { model: 'H100', count: 1 } }, { nodes: 1, of: 1, copying: 0 }],
    ['on nodes with a label', { nodeLabels: { zone: 'a' } }, { nodes: 1, of: 2, copying: 0 }],
    ['on nodes with several labels', { nodeLabels: { zone: 'a', fast: '' } }, { nodes: 1, of: 1, copying: 0 }],
    ['on nodes with a label that no node has', { nodeLabels: { zone: 'b' } }, { nodes: 0, of: 0, copying: 0 }],
    ['on a host', { host: 'big' }, { nodes: 1, of: 1, copying: 0 }],
    ['on the host with a tag', { hostTag: 'train' }, { nodes: 1, of: 1, copying: 0 }],
    ['on a tag that only another organisation’s host has', { hostTag: 'foe' }, { nodes: 0, of: 0, copying: 0 }],
    ['on a host that is gone', { host: 'gone' }, { nodes: 0, of: 0, copying: 0 }],
  ])('of a deployment %s', (_, spec, expected) => {
    expect(deploymentCachedOn(caches, deployment(spec), POOL_RULES)).toEqual(expected);
  });

  test('and those that they are being copied to are counted apart', () => {
    const copied = (fills: string) =>
      deploymentCachedOn(caches, deployment({}, { weights: { digest: DIGEST, fills } }), POOL_RULES);
    expect(copied('of-foe')).toEqual({ nodes: 2, of: 3, copying: 1 });
    expect(copied('has')).toMatchObject({ copying: 0 });
  });

  test('say how much of the organisation they have, and for how much more there is room', () => {
    expect(nodeCaches(caches, deployment({}), POOL_RULES)).toEqual([
      { name: 'has', has: true, lists: 2, roomBytes: 7 * 1024 ** 3 },
      { name: 'of-foe', has: false, lists: 0, roomBytes: 0 },
      { name: 'with-cards', has: true, lists: 1, roomBytes: 0 },
    ]);
  });

  const pod = (organization: string, labels: Record<string, string>, spec: object = {}, phase = 'Running'): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'x',
      namespace: `org-${organization}`,
      labels: { [LABEL.organization]: organization, ...labels },
    },
    spec: { nodeName: 'of-foe', containers: [], ...spec },
    status: { phase },
  });
  const replica = { [LABEL.modelDeployment]: 'chat' };
  const matchExpressions = [{ key: LABEL.organization, operator: 'Exists' }];
  const rule = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchExpressions } };
  const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [rule] } } };

  test.each<[string, Pod, boolean | undefined]>([
    ['its own replica gets them', pod('acme', replica), true],
    ['its own replica has ended does not', pod('acme', replica, {}, 'Failed'), false],
    ['another organisation’s replica of that name gets them does not', pod('foe', replica), false],
    ['another deployment’s replica is does not', pod('acme', { [LABEL.modelDeployment]: 'other' }), false],
    ['another organisation is alone is none of them', pod('foe', {}, apart), undefined],
    ['another organisation was alone does not', pod('foe', {}, apart, 'Succeeded'), false],
    ['its own organisation is alone does not', pod('acme', {}, apart), false],
  ])('a node where %s', (_, one, has) => {
    const found = nodeCaches(cachesWith(one), deployment({}), POOL_RULES);
    expect(found.find(({ name }) => name === 'of-foe')?.has).toBe(has);
  });

  test('are not known before the files are', () => {
    expect(deploymentCachedOn(caches, deployment({}, {}), POOL_RULES)).toBeNull();
  });

  test('of a version: in the pool and on the organisation’s own hosts, whatever others have', () => {
    expect(versionCachedOn(caches, 'acme', DIGEST, POOL_RULES)).toEqual({ nodes: 3, of: 4, copying: 0 });
    expect(versionCachedOn(caches, 'foe', DIGEST, POOL_RULES)).toEqual({ nodes: 1, of: 3, copying: 0 });
  });

  test('are those that the installation’s own taints are on', () => {
    const taint = (key: string, value = '') => ({ taints: [{ key, value, effect: 'NoSchedule' }] });
    const tainted = cachesOf(
      [
        node('of-cards', HAS, taint('example.org/cards')),
        node('of-the-host', { ...HAS, ...ofHost }, taint('example.org/host', big.metadata.uid)),
        node('of-others', HAS, taint('nvidia.com/gpu')),
      ],
      [],
    );
    const pool = { ...POOL_RULES, gpuTaints: ['example.org/cards'], hostTaintKey: 'example.org/host' };
    expect(versionCachedOn(tainted, 'acme', DIGEST, pool)).toEqual({ nodes: 2, of: 2, copying: 0 });
    expect(versionCachedOn(tainted, 'acme', DIGEST, POOL_RULES)).toEqual({ nodes: 1, of: 1, copying: 0 });
    expect(nodeCaches(tainted, deployment({}), pool).map(({ name }) => name)).toEqual(['of-cards']);
  });
});
