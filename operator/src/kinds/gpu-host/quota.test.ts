// How many cards an organisation may rent, as sentences.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import { type Lease, NODE, PLATFORM_LEASE } from '../../resources.ts';
import { cachesOf } from '../../testing/caches-of.ts';
import { roomFor } from './candidates.ts';
import { gpuHostController } from './plan.ts';
import { excessOf, ORGANIZATION } from './quota.ts';
import { reads } from './reads.ts';
import { HOST } from './resource.ts';
import { active, claim, context, gpuHost, node, ours, room, seen, settings } from './testing/fixtures.ts';

/** Created on the `day`-th: younger than those of earlier days. Eight cards per node. */
function host(name: string, day: number, spec: Partial<GpuHost['spec']> = {}): GpuHost {
  const one = gpuHost({ spec });
  return { ...one, metadata: { ...one.metadata, name, uid: name, creationTimestamp: `2026-01-0${day}T10:00:00Z` } };
}
function claimOf(node: string, { metadata }: GpuHost): Lease {
  const lease = claim(node);
  return {
    ...lease,
    metadata: { ...lease.metadata, labels: { ...lease.metadata.labels, [LABEL.hostUid]: metadata.name } },
  };
}
const acme = (gpus: number): KubeObject & { spec: object } => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'Organization',
  metadata: { name: 'acme' },
  spec: { quota: { gpus } },
});
const cachesWith = (
  hosts: readonly GpuHost[],
  leases: readonly Lease[],
  quota = 8,
  ...more: [Resource, KubeObject[]][]
) =>
  cachesOf(
    new Map<Resource, readonly KubeObject[]>([
      [HOST, hosts],
      [PLATFORM_LEASE, leases],
      [ORGANIZATION, [acme(quota)]],
      ...more,
    ]),
  );

const [old, mid, young] = [host('old', 1), host('mid', 2), host('young', 3)];
const [two, own, gone] = [host('two', 1, { nodes: 2 }), host('own', 1, { source: 'owned' }), host('gone', 1)];
const leaving = { ...gone, metadata: { ...gone.metadata, deletionTimestamp: '2026-01-02T10:00:00Z' } };

test.each<[string, GpuHost, GpuHost[], Lease[], number, [count: number, held: number, quota: number] | undefined]>([
  ['alone and within the quota may have what it wants', old, [old], [], 8, undefined],
  ['that wants more than there may be at all may not', two, [two], [], 15, [16, 0, 15]],
  ['may not where an older one waits for the rest', young, [young, old], [], 8, [8, 8, 8]],
  ['may where a younger one waits too', old, [young, old], [], 8, undefined],
  ['may not where a younger one has its node', old, [old, young], [claimOf('n1', young)], 8, [8, 8, 8]],
  ['may where the older one wants more than it may have', young, [two, young], [], 8, undefined],
  [
    'may not where one that is released has its node still',
    mid,
    [leaving, mid],
    [claimOf('n1', leaving)],
    8,
    [8, 8, 8],
  ],
  ['may where one that is released has none', mid, [leaving, mid], [], 8, undefined],
  ['may have its second node where that is within', two, [two], [claimOf('n1', two)], 16, undefined],
  ['may not grow beyond, and is not counted twice', two, [two], [claimOf('n1', two)], 15, [16, 0, 15]],
  ['is left alone with what it has when the quota is lowered', old, [old], [claimOf('n1', old)], 0, undefined],
  ["of the organisation's own nodes may have any", own, [own], [], 0, undefined],
  ["counts no node of the organisation's own", mid, [own, mid], [claimOf('n1', own)], 8, undefined],
])('a host %s', (_, one, hosts, leases, quota, excess) => {
  const found = excessOf(one, cachesWith(hosts, leases, quota));
  expect(found && [found.count, found.held, found.quota]).toEqual(excess);
});

test('a host refused for its quota keeps no node from others', () => {
  const nodes: [Resource, KubeObject[]] = [NODE, [node('n1')]];
  const others = { ...young, metadata: { ...young.metadata, namespace: 'org-other' } };
  const choices = (quota: number) => roomFor(others, cachesWith([old, others], [], quota, nodes), settings).choices;
  expect([choices(8), choices(0)]).toEqual([[], ['n1']]);
});

test('it claims nothing and says the numbers', () => {
  const excess = { count: 8, held: 8, quota: 15 };
  const { create, status } = gpuHostController.plan(gpuHost(), seen({ room: room(['n1']), excess }), context(10));
  expect(create).toEqual([]);
  expect(status).toMatchObject({
    phase: 'pending',
    reason: 'QuotaExceeded',
    message: "Needs 8 GPUs; the organisation's other hosts have 8 of the 15 that it may rent.",
  });
});

test('one that works and would grow beyond goes on, and says the numbers', () => {
  const owner = gpuHost({ spec: { nodes: 2 }, status: active(['n1']) });
  const excess = { count: 16, held: 0, quota: 8 };
  const { create, status } = gpuHostController.plan(
    owner,
    seen({ own: [claim('n1')], nodes: [ours('n1')], room: room(['n2']), excess }),
    context(10),
  );
  expect(create).toEqual([]);
  expect(status).toMatchObject({ phase: 'active', reason: 'QuotaExceeded' });
  const complete = status?.conditions?.find(({ type }) => type === 'NodesComplete');
  expect(complete).toMatchObject({ status: 'False', reason: 'QuotaExceeded' });
});

test('a quota that changes wakes the hosts of the organisation, any other change of it none', () => {
  const woken = (before: number, after: number) =>
    reads.excess.wakes?.({ before: acme(before), after: acme(after) }, cachesWith([old, young], []));
  expect(woken(8, 8)).toEqual([]);
  expect(woken(8, 16)).toEqual([old, young].map(({ metadata: { name, namespace } }) => ({ name, namespace })));
});

test('a node that returns wakes those of its organisation that waited for the quota', () => {
  const before = claimOf('n1', old);
  const [, ...woken] =
    reads.claims.wakes?.(
      { before },
      cachesWith([{ ...two, status: { reason: 'QuotaExceeded' } }, mid], []),
      settings,
    ) ?? [];
  expect(woken).toEqual([{ name: 'two', namespace: 'org-acme' }]);
});
