// Which nodes a deployment may be fitted onto.
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL, weightsLabel } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { expect, test } from '@jest/globals';
import { NODE } from '../../platform/kube/resources.ts';
import { deploymentCluster } from './deployment-cluster.ts';

const HELD = weightsLabel('other', 'a'.repeat(64));
const node = (name: string, cards: number, labels: Record<string, string>) =>
  ({
    metadata: { name, labels: { ...labels, [LABEL.gpuModel]: 'H100', [LABEL.gpuMemory]: '81920' } },
    status: {
      allocatable: {
        'nvidia.com/gpu': `${cards}`,
        cpu: '64',
        memory: '512Gi',
        'ephemeral-storage': '2Ti',
        pods: '110',
      },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }) as unknown as Node;
const host = (namespace: string, name: string, tag: string) =>
  ({
    metadata: { namespace, name, uid: `uid-${name}`, creationTimestamp: '2026-11-01T00:00:00Z' },
    spec: { tags: [tag] },
    status: { phase: 'active' },
  }) as unknown as GpuHost;
const HOSTS = [host('org-acme', 'ours', 'train'), host('org-foe', 'theirs', 'foe')];
const HOST_NODES = [
  node('of-ours', 4, { [LABEL.nodeHost]: 'uid-ours' }),
  node('of-theirs', 1, { [LABEL.nodeHost]: 'uid-theirs' }),
];
const NODES = [node('near', 8, { zone: 'a', [HELD]: 'true' }), node('far', 2, { zone: 'b' }), ...HOST_NODES];
const reader = {
  version: () => '1',
  list: (resource: unknown, namespace?: string) =>
    resource === NODE ? NODES : HOSTS.filter(({ metadata }) => metadata.namespace === namespace),
  get: (_: unknown, namespace: string, name: string) =>
    HOSTS.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
  by: () => [],
};
const { places } = deploymentCluster({ serviceNetwork: 'direct' }, {
  client: {},
  kinds: { pool: POOL_RULES },
  cache: { reader, get: () => undefined },
} as unknown as Parameters<typeof deploymentCluster>[1]);

test.each<[string, Record<string, string> | undefined, number[]]>([
  ['no labels are asked for: all', undefined, [8, 2]],
  ['a label is asked for: those that have it', { zone: 'b' }, [2]],
  ['a label with another value is asked for: none', { zone: 'c' }, []],
  ['one of several labels is missing: none', { zone: 'a', rack: '1' }, []],
  ['it is asked what nodes hold of others’ models: none', { [HELD]: 'true' }, []],
])('where %s', (_, nodeLabels, cards) => {
  const object = { metadata: { namespace: 'org-acme', name: 'chat' }, spec: { nodeLabels } } as ModelDeployment;
  expect(places(object).map((place) => place.cards)).toEqual(cards);
});

test.each<[string, object, number[]]>([
  ['a host is named: its nodes', { host: 'ours' }, [4]],
  ['a tag is named: the nodes of the host that has it', { hostTag: 'train' }, [4]],
  ['no host has the tag: none, and not the pool’s', { hostTag: 'later' }, []],
  ['no host has the name: none, and not the pool’s', { host: 'later' }, []],
  ['another organisation’s host has the tag: none', { hostTag: 'foe' }, []],
  ['another organisation’s host has the name: none', { host: 'theirs' }, []],
])('where %s', (_, spec, cards) => {
  const object = { metadata: { namespace: 'org-acme', name: 'chat' }, spec } as ModelDeployment;
  expect(places(object).map((place) => place.cards)).toEqual(cards);
});
