// The objects that a GpuHost's plan reads, and the hosts that a change affects.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuFaultsOf, isGpuCondition } from '@gantry/contract/gpu-conditions.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import {
  AGENT_KIND,
  ANNOTATION,
  agentLease,
  HOME_SUFFIX,
  LABEL,
  organizationNamespace,
  PLATFORM_NAMESPACE,
} from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { isReady } from '@gantry/kube/placement.ts';
import type { CacheReader, Key } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { Read, Seen } from '../../define-controller.ts';
import { hostnamesOf, type Lease, NODE, PLATFORM_LEASE, POD, VOLUME, type Volume } from '../../resources.ts';
import { gpusOf, isFill, isTenants, isUsable, type Room, roomFor, servedBy } from './candidates.ts';
import type { HostSettings } from './desired.ts';
import { type Excess, excessOf, ORGANIZATION } from './quota.ts';
import { HOST } from './resource.ts';

const keyOf = ({ metadata }: KubeObject): Key => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

const isClaim = (object: KubeObject | undefined): object is Lease =>
  object?.metadata.labels?.[LABEL.kind] === gpuHost.kind;

/** The holder of a claim, from its label: also for a host that is gone. */
function holderOf({ metadata }: Lease): Key | undefined {
  const [namespace, name] = (metadata.annotations?.[ANNOTATION.host] ?? '').split('/');
  return namespace && name ? { namespace, name } : undefined;
}
const holders = (...leases: (KubeObject | undefined)[]): Key[] =>
  leases.filter(isClaim).flatMap((lease) => holderOf(lease) ?? []);

const claimOf = (node: string, caches: CacheReader): Lease | undefined => {
  const found = caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, node) as Lease | undefined;
  return isClaim(found) ? found : undefined;
};
const ownClaims = (uid: string | undefined, caches: CacheReader): readonly Lease[] =>
  (caches.by(PLATFORM_LEASE, 'host', uid ?? '') as readonly Lease[]).filter(isClaim);

/** Its own Leases; and of the nodes that it had, those that now are somebody else's. */
const claims: Read<GpuHost, { own: readonly Lease[]; others: readonly string[] }, HostSettings> = {
  of: PLATFORM_LEASE,
  also: [NODE, POD, HOST],
  find(owner, caches) {
    const had = (owner.status?.nodes ?? []).map(({ name }) => name);
    return {
      own: ownClaims(identityOf(owner), caches),
      others: had.filter((name) => {
        const uid = claimOf(name, caches)?.metadata.labels?.[LABEL.hostUid];
        return uid !== undefined && uid !== identityOf(owner);
      }),
    };
  },
  wakes({ before, after }, caches, settings) {
    const claim = after ?? before;
    if (!isClaim(claim)) return [];
    const { name } = claim.metadata;
    const freed = after ? [] : servedBy(caches.get(NODE, undefined, name) as Node | undefined, caches, settings);
    const refused = after ? [] : holders(claim).flatMap(({ namespace }) => refusedForQuota(namespace, caches));
    return [...holders(before, after), ...[...caches.by(HOST, 'node', name), ...freed].map(keyOf), ...refused];
  },
};

/** Nodes that it has claimed, had, or left a mark on. */
const nodes: Read<GpuHost, readonly Node[], HostSettings> = {
  of: NODE,
  also: [PLATFORM_LEASE, POD, HOST],
  find(owner, caches) {
    const names = new Set([
      ...ownClaims(identityOf(owner), caches).map(({ metadata }) => metadata.name),
      ...(owner.status?.nodes ?? []).map(({ name }) => name),
      ...caches.by(NODE, 'host', identityOf(owner)).map(({ metadata }) => metadata.name),
    ]);
    return [...names].sort().flatMap((name) => (caches.get(NODE, undefined, name) as Node | undefined) ?? []);
  },
  wakes({ before, after }, caches, settings) {
    if (before && after && face(before as Node) === face(after as Node)) return [];
    const { name } = ((after ?? before) as Node).metadata;
    const marks = [before, after].flatMap((node) => (node ? marksOf(node as Node) : []));
    const hosts = [
      ...caches.by(HOST, 'node', name),
      ...[...new Set(marks)].flatMap((uid) => caches.by(HOST, 'uid', uid)),
      ...(after && isUsable(after as Node) ? servedBy(after as Node, caches, settings) : []),
    ];
    return [...holders(claimOf(name, caches)), ...hosts.map(keyOf)];
  },
};

const marksOf = ({ metadata, spec }: Node): string[] => [
  ...(metadata.labels?.[LABEL.nodeHost] === undefined ? [] : [metadata.labels[LABEL.nodeHost] as string]),
  ...(spec?.taints ?? []).flatMap(({ value }) => value ?? []),
];

/** The parts of a node that matter to hosts: not heartbeats and images. */
const face = (node: Node): string =>
  JSON.stringify([
    isReady(node),
    gpusOf(node),
    node.metadata.uid,
    node.metadata.labels,
    node.spec,
    node.status?.addresses,
    node.status?.nodeInfo,
    (node.status?.conditions ?? []).filter(isGpuCondition),
    gpuFaultsOf(node),
  ]);

export interface Tenant {
  node: string;
  namespace: string;
  name: string;
  /** It goes by itself. */
  isFill: boolean;
}

/** Tenants' Pods on the nodes it has claimed, of whichever organisation. */
const tenants: Read<GpuHost, readonly Tenant[], HostSettings> = {
  of: POD,
  also: [PLATFORM_LEASE, NODE, HOST],
  find: (owner, caches) =>
    ownClaims(identityOf(owner), caches).flatMap(({ metadata: { name: node } }) =>
      (caches.by(POD, 'node', node) as readonly Pod[]).filter(isTenants).map((pod) => ({
        node,
        namespace: pod.metadata.namespace ?? '',
        name: pod.metadata.name,
        isFill: isFill(pod),
      })),
    ),
  wakes({ before, after }, caches, settings) {
    const [was, is] = [before, after].map((pod) =>
      pod && isTenants(pod as Pod) ? (pod as Pod).spec?.nodeName : undefined,
    );
    const node = is ?? was;
    if (was === is || node === undefined) return [];
    const claim = claimOf(node, caches);
    if (claim) return holders(claim);
    if (is !== undefined) return [];
    return servedBy(caches.get(NODE, undefined, node) as Node | undefined, caches, settings).map(keyOf);
  },
};

/**
 * Homes that only certain nodes can reach: claim and hostnames. Their instances hibernate, which moves them. Nobody moves data
 * disks: they stay where they are. A volume that has lost its claim is nobody's home.
 */
const volumes: Read<GpuHost, readonly { claim: string; hostnames: readonly string[] }[]> = {
  of: VOLUME,
  also: [HOST],
  find: (owner, caches) =>
    (caches.by(VOLUME, 'namespace', owner.metadata.namespace ?? '') as readonly Volume[])
      .filter(({ spec, status }) => status?.phase === 'Bound' && spec?.claimRef?.name?.endsWith(HOME_SUFFIX))
      .map((volume) => ({ claim: volume.spec?.claimRef?.name ?? '', hostnames: hostnamesOf(volume) }))
      .filter(({ hostnames }) => hostnames.length > 0)
      .sort((a, b) => (a.claim < b.claim ? -1 : 1)),
  wakes({ before, after }, caches) {
    const namespace = ((after ?? before) as Volume).spec?.claimRef?.namespace;
    return namespace === undefined ? [] : caches.list(HOST, namespace).map(keyOf);
  },
};

const AGENT_SUFFIX = agentLease('');

/** Among its claimed nodes, those that have an agent. An agent that comes or goes is news, its heartbeats are not. */
const agents: Read<GpuHost, readonly string[]> = {
  of: PLATFORM_LEASE,
  wakes({ before, after }, caches) {
    const lease = after ?? before;
    if (isClaim(lease)) return holders(before, after);
    if ((before && after) || lease?.metadata.labels?.[LABEL.kind] !== AGENT_KIND) return [];
    return holders(claimOf(lease.metadata.name.replace(AGENT_SUFFIX, ''), caches));
  },
  find: (owner, caches) =>
    ownClaims(identityOf(owner), caches)
      .map(({ metadata }) => metadata.name)
      .filter((node) => caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, agentLease(node))),
};

/** Counted only for a host that has too few nodes. */
const room: Read<GpuHost, Room | undefined, HostSettings> = {
  of: NODE,
  also: [POD, PLATFORM_LEASE, HOST, VOLUME, ORGANIZATION],
  find(owner, caches, settings) {
    const has = ownClaims(identityOf(owner), caches).length;
    return has < owner.spec.nodes && owner.metadata.deletionTimestamp === undefined
      ? roomFor(owner, caches, settings)
      : undefined;
  },
};

export const DISK = resourceOf(dataDisk);

/** Its disks that exist. */
const disks: Read<GpuHost, readonly DataDisk[]> = {
  of: DISK,
  also: [HOST],
  find: ({ metadata: { namespace }, spec }, caches) =>
    (spec.disks ?? []).flatMap(({ name }) => (caches.get(DISK, namespace, name) as DataDisk | undefined) ?? []),
  wakes({ before, after }, caches) {
    const { namespace, name } = ((after ?? before) as KubeObject).metadata;
    return caches.by(HOST, 'hostDisk', `${namespace}/${name}`).map(keyOf);
  },
};

/** By how much it wants more than the quota of its organisation leaves. */
const excess: Read<GpuHost, Excess | undefined> = {
  of: ORGANIZATION,
  also: [PLATFORM_LEASE, HOST],
  find: excessOf,
  wakes({ before, after }, caches) {
    const [was, is] = [before, after].map((one) => (one as Organization | undefined)?.spec.quota?.gpus);
    const { name } = ((after ?? before) as KubeObject).metadata;
    return was === is ? [] : caches.list(HOST, organizationNamespace(name)).map(keyOf);
  },
};

/** Other hosts that may be waiting for what an organisation returns. */
const refusedForQuota = (namespace: string | undefined, caches: CacheReader): Key[] =>
  (caches.list(HOST, namespace) as readonly GpuHost[])
    .filter(({ status }) => status?.reason === 'QuotaExceeded')
    .map(keyOf);

/**
 * Claims and marks of hosts that no longer exist: force-deleted, because a regular deletion leaves none. Hosts that wait for
 * nodes look for them, and also the oldest host, so that one is enough.
 */
export interface Remains {
  uid: string;
  lease: Lease | undefined;
  node: Node | undefined;
  /** Tenants' Pods are still on the node. */
  isUsed: boolean;
  hasAgent: boolean;
}
const remains: Read<GpuHost, readonly Remains[]> = {
  of: HOST,
  also: [PLATFORM_LEASE, NODE, POD],
  find(owner, caches) {
    if (!isResponsible(owner, caches)) return [];
    const left = (uid: string | undefined, lease: Lease | undefined, node: Node | undefined): Remains[] => {
      if (uid === undefined || caches.by(HOST, 'uid', uid).length > 0) return [];
      const name = (lease ?? node)?.metadata.name ?? '';
      const isUsed = (caches.by(POD, 'node', name) as readonly Pod[]).some(isTenants);
      const hasAgent = caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, agentLease(name)) !== undefined;
      return [{ uid, lease, node, isUsed, hasAgent }];
    };
    const claimed = (caches.list(PLATFORM_LEASE) as readonly Lease[]).filter(isClaim).flatMap((lease) => {
      const node = caches.get(NODE, undefined, lease.metadata.name) as Node | undefined;
      return left(lease.metadata.labels?.[LABEL.hostUid], lease, node);
    });
    const labelled = (caches.list(NODE) as readonly Node[])
      .filter(({ metadata }) => !claimOf(metadata.name, caches))
      .flatMap((node) => left(node.metadata.labels?.[LABEL.nodeHost], undefined, node));
    return [...claimed, ...labelled];
  },
  wakes({ before, after }, caches) {
    if (after || !before) return [];
    const uid = identityOf(before);
    const left = [...ownClaims(uid, caches), ...caches.by(NODE, 'host', uid)];
    return left.length === 0 ? [] : caches.list(HOST).slice(0, 1).map(keyOf);
  },
};

function isResponsible(owner: GpuHost, caches: CacheReader): boolean {
  const waits = ownClaims(identityOf(owner), caches).length < owner.spec.nodes;
  return waits || caches.list(HOST)[0]?.metadata.uid === owner.metadata.uid;
}

export const reads = { claims, nodes, tenants, volumes, agents, room, excess, disks, remains };
export type HostSeen = Seen<typeof reads>;
