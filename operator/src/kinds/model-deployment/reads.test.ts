// Which host a deployment by tag sees, and which changes of hosts wake it.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { cachesOf } from '../../testing/caches-of.ts';
import { modelDeploymentController } from './plan.ts';

const { host: read } = modelDeploymentController.reads;
const [SERVICE] = read.also ?? [];

const host = (name: string, tags: readonly string[], namespace = 'org-acme') =>
  ({
    kind: 'GpuHost',
    metadata: { name, namespace, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { tags },
    status: { phase: 'active' },
  }) as unknown as GpuHost;
const deployment = (name: string, spec: object, namespace = 'org-acme') =>
  ({ kind: 'ModelDeployment', metadata: { name, namespace }, spec }) as ModelDeployment;

const TAGGED = deployment('tagged', { hostTag: 'train' });
const OTHERS = deployment('others', { hostTag: 'train' }, 'org-foe');
const CACHED = [TAGGED, deployment('other-tag', { hostTag: 'fast' }), deployment('named', { host: 'big' }), OTHERS];

/** Told apart by namespace, as the runtime's are. */
function cachesWith(...hosts: GpuHost[]): CacheReader {
  if (SERVICE === undefined) throw new Error('deployments are not followed');
  const caches = cachesOf(
    new Map<Resource, readonly KubeObject[]>([
      [SERVICE, CACHED],
      [read.of, hosts],
    ]),
  );
  const inNamespace = (namespace: string | undefined) => hosts.filter((one) => one.metadata.namespace === namespace);
  return {
    ...caches,
    get: (_, namespace, name) => inNamespace(namespace).find(({ metadata }) => metadata.name === name),
    list: (_, namespace) => inNamespace(namespace),
  };
}

test.each<[string, ModelDeployment, readonly GpuHost[], string | undefined]>([
  ['a deployment by tag sees the host that has it', TAGGED, [host('small', ['train'])], 'uid-small'],
  ['it sees none before a host has it', TAGGED, [host('small', [])], undefined],
  ['it never sees another organisation’s', TAGGED, [host('theirs', ['train'], 'org-foe')], undefined],
  ['nor does that organisation see this one’s', OTHERS, [host('small', ['train'])], undefined],
])('%s', (_, owner, hosts, uid) => {
  expect(read.find(owner, cachesWith(...hosts))?.metadata.uid).toBe(uid);
});

describe('a deployment by tag is woken by', () => {
  test.each<[string, GpuHost | undefined, GpuHost | undefined, string[]]>([
    ['a host that gets the tag', host('small', []), host('small', ['train']), ['tagged']],
    ['a host that has it no longer', host('small', ['train']), host('small', []), ['tagged']],
    ['a new host with it', undefined, host('small', ['train']), ['tagged']],
    ['a host with it that goes', host('small', ['train']), undefined, ['tagged']],
    ['no host without it', host('small', []), host('small', ['slow']), []],
    ['no host of another organisation', undefined, host('theirs', ['train'], 'org-foe'), ['others']],
  ])('%s', (_, before, after, names) => {
    const change = { ...(before && { before }), ...(after && { after }) } as Parameters<
      NonNullable<typeof read.wakes>
    >[0];
    const woken = read.wakes?.(change, cachesWith()).map(({ name }) => name) ?? [];
    expect([...new Set(woken)]).toEqual(names);
  });

  test('the host that it names, as before', () => {
    const woken = read.wakes?.({ after: host('big', []) }, cachesWith()) ?? [];
    expect(woken.map(({ name }) => name)).toEqual(['named']);
  });
});
