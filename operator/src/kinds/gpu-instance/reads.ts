// The objects that a GpuInstance's plan reads, and the instances that a change concerns.
import { isCreditReason } from '@gantry/contract/billing/credit.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { AGENT_KIND, agentLease, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { Read, Seen } from '../../define-controller.ts';
import { readiness } from '../../pod-progress.ts';
import { mostCardsIn } from '../../pool.ts';
import {
  CLAIM,
  type Claim,
  computeQuotaIn,
  controllerOf,
  hostnameOf,
  type Lease,
  movedLimits,
  NAMESPACE,
  NODE,
  NODE_LEASE,
  PLATFORM_LEASE,
  POD,
  QUOTA,
  type Quota,
  SNAPSHOT,
  STORAGE_CLASS,
  tiedTo,
  VOLUME,
  type Volume,
} from '../../resources.ts';
import { homeName, podName } from './desired.ts';
import { type Stock, stockFor } from './stock.ts';

const IMAGE: Resource = {
  ...resourceOf(image),
  indexes: {
    source: (object) => [(object as Image).spec.source],
    exports: (object) => exportedFrom(object as Image).map((one) => placeOf(one)),
  },
};
/** The instance that an Image is made of. */
const exportedFrom = ({ metadata, spec }: Image): Key[] =>
  spec.fromInstance === undefined ? [] : [{ namespace: metadata.namespace ?? '', name: spec.fromInstance }];
const placeOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;
const namedBy = ({ metadata: { namespace = '' } }: KubeObject, names: readonly string[]): string[] =>
  names.map((name) => placeOf({ namespace, name }));
const INSTANCE: Resource = {
  ...resourceOf(gpuInstance),
  indexes: {
    image: (object) => [(object as GpuInstance).spec.image],
    host: (object) => namedBy(object, [(object as GpuInstance).spec.host ?? []].flat()),
    disk: (object) => namedBy(object, (object as GpuInstance).spec.disks?.map(({ name }) => name) ?? []),
    storageClass: (object) => [(object as GpuInstance).spec.homeDisk.storageClassName ?? ''],
  },
};

const { kind } = gpuInstance;
const ownedPods = (owner: GpuInstance, caches: CacheReader) =>
  caches.by(POD, 'owner', owner.metadata.uid ?? '') as readonly Pod[];

export const isTerminating = (object: KubeObject | undefined): boolean =>
  object?.metadata.deletionTimestamp !== undefined;

/** Its namespace is being deleted, Pods first: nothing can be created there any more, and nothing of it is kept. */
const isNamespaceGoing: Read<GpuInstance, boolean> = {
  of: NAMESPACE,
  also: [INSTANCE],
  find: ({ metadata: { namespace = '' } }, caches) => isTerminating(caches.get(NAMESPACE, undefined, namespace)),
  wakes: ({ before, after }, caches) =>
    isTerminating(before) === isTerminating(after)
      ? []
      : caches.list(INSTANCE, (after ?? before)?.metadata.name).map(keyOf),
};

const nodeName = (owner: GpuInstance, caches: CacheReader): string | undefined => {
  const current = podName(owner, owner.status?.run?.seq ?? 0);
  return ownedPods(owner, caches).find(({ metadata }) => metadata.name === current)?.spec?.nodeName;
};

const pods: Read<GpuInstance, readonly Pod[]> = {
  of: POD,
  find: ownedPods,
  wakes: ({ before, after }) => controllerOf(after ?? before, kind),
};

const claims: Read<GpuInstance, readonly Claim[]> = {
  of: CLAIM,
  find: (owner, caches) => caches.by(CLAIM, 'owner', owner.metadata.uid ?? '') as readonly Claim[],
  wakes: ({ before, after }) => controllerOf(after ?? before, kind),
};

/** Only readiness, existence and faults of its GPUs concern the instances on a node; labels and room do not move a running Pod. */
const node: Read<GpuInstance, Node | undefined> = {
  of: NODE,
  find: (owner, caches) => caches.get(NODE, undefined, nodeName(owner, caches) ?? '') as Node | undefined,
  wakes({ before, after }, caches): readonly Key[] {
    if (before && after && concerns(before as Node) === concerns(after as Node)) return [];
    const name = (after ?? before)?.metadata.name ?? '';
    return caches.by(POD, 'node', name).flatMap((pod) => controllerOf(pod, kind));
  },
};

const lease: Read<GpuInstance, Lease | undefined> = {
  of: NODE_LEASE,
  find: (owner, caches) =>
    caches.get(NODE_LEASE, NODE_LEASE.namespace, nodeName(owner, caches) ?? '') as Lease | undefined,
};

/** The saves it asked for. */
const snapshots: Read<GpuInstance, readonly Snapshot[]> = {
  of: SNAPSHOT,
  find: (owner, caches) => caches.by(SNAPSHOT, 'owner', owner.metadata.uid ?? '') as readonly Snapshot[],
  wakes: ({ before, after }) => controllerOf(after ?? before, kind),
};

const agentOn = (name: string | undefined, caches: CacheReader): Lease | undefined =>
  name === undefined
    ? undefined
    : (caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, agentLease(name)) as Lease | undefined);

const nodesOfPods = (owner: GpuInstance, caches: CacheReader): readonly string[] => [
  ...new Set(ownedPods(owner, caches).flatMap(({ spec }) => spec?.nodeName ?? [])),
];

/** The node whose agent is new, or gone. Signs of life wake nobody; the first and the last do. */
const agentChanged = ({ before, after }: { before?: KubeObject; after?: KubeObject }): string | undefined => {
  const { labels, name = '' } = (after ?? before)?.metadata ?? {};
  return (before && after) || labels?.[LABEL.kind] !== AGENT_KIND ? undefined : name.slice(0, -agentLease('').length);
};

/** The nodes of its Pods that have an agent. */
const agents: Read<GpuInstance, readonly string[]> = {
  of: PLATFORM_LEASE,
  also: [POD],
  find: (owner, caches) => nodesOfPods(owner, caches).filter((name) => agentOn(name, caches) !== undefined),
  wakes(change, caches) {
    const name = agentChanged(change);
    return name === undefined ? [] : caches.by(POD, 'node', name).flatMap((pod) => controllerOf(pod, kind));
  },
};

/** When the agents on those nodes last gave a sign of life. */
const signsOfLife: Read<GpuInstance, Readonly<Record<string, string>>> = {
  of: PLATFORM_LEASE,
  also: [POD],
  find: (owner, caches) =>
    Object.fromEntries(
      nodesOfPods(owner, caches).flatMap((name) => {
        const renewed = agentOn(name, caches)?.spec?.renewTime;
        return renewed === undefined ? [] : [[name, renewed]];
      }),
    ),
};

function tiedNode(owner: GpuInstance, caches: CacheReader): string | undefined {
  const home = caches.get(CLAIM, owner.metadata.namespace, homeName(owner)) as Claim | undefined;
  return tiedTo(caches.get(VOLUME, undefined, home?.spec?.volumeName ?? '') as Volume | undefined, caches);
}

/** The only node on which the home's volume can be used, if there is just one, and whether that has an agent. */
const tie: Read<GpuInstance, { node: string; hasAgent: boolean } | undefined> = {
  of: PLATFORM_LEASE,
  also: [CLAIM, VOLUME, NODE],
  find(owner, caches) {
    const tied = tiedNode(owner, caches);
    return tied === undefined ? undefined : { node: tied, hasAgent: agentOn(tied, caches) !== undefined };
  },
  // Also one that rests, without a Pod on the node: its home waits for the agent.
  wakes(change, caches) {
    const name = agentChanged(change);
    if (name === undefined) return [];
    const known = caches.get(NODE, undefined, name) as Node | undefined;
    const volumes = caches.by(VOLUME, 'hostname', known ? hostnameOf(known) : name) as readonly Volume[];
    return volumes.flatMap(({ spec: { claimRef } = {} }) =>
      controllerOf(caches.get(CLAIM, claimRef?.namespace, claimRef?.name ?? ''), kind),
    );
  },
};

/** The home's volume: since when it is bound. */
const volume: Read<GpuInstance, Volume | undefined> = {
  of: VOLUME,
  also: [CLAIM],
  find(owner, caches) {
    const home = caches.get(CLAIM, owner.metadata.namespace, homeName(owner)) as Claim | undefined;
    return caches.get(VOLUME, undefined, home?.spec?.volumeName ?? '') as Volume | undefined;
  },
};

/** Images that are to be made of it, and wait for a save of it: one that nobody has looked at may yet be refused. */
const exports: Read<GpuInstance, readonly Image[]> = {
  of: IMAGE,
  find: ({ metadata: { namespace = '', name } }, caches) =>
    (caches.by(IMAGE, 'exports', placeOf({ namespace, name })) as readonly Image[]).filter(
      ({ metadata, status }) =>
        !metadata.deletionTimestamp &&
        status?.exported === undefined &&
        status?.phase === 'processing' &&
        // Its keeping is not paid for: the container is not stopped for it.
        !isCreditReason(status.reason ?? ''),
    ),
  wakes: ({ before, after }) => exportedFrom((after ?? before) as Image),
};

/** Images with this source: the organisation's own before the official one. */
const images: Read<GpuInstance, { ready: Image | undefined; verifying: Image | undefined }> = {
  of: IMAGE,
  also: [INSTANCE],
  find(owner, caches) {
    const same = caches.by(IMAGE, 'source', owner.spec.image) as readonly Image[];
    const isOwn = ({ metadata }: Image) => metadata.namespace === owner.metadata.namespace;
    const ready = same.filter(({ status }) => status?.phase === 'ready');
    return {
      ready: ready.find(isOwn) ?? ready.find(({ metadata }) => metadata.namespace === PLATFORM_NAMESPACE),
      verifying: same.find((one) => isOwn(one) && one.spec.pullSecret !== undefined && !isVerified(one)),
    };
  },
  wakes: ({ before, after }, caches) =>
    caches.by(INSTANCE, 'image', ((after ?? before) as Image).spec.source).map(keyOf),
};

const isVerified = ({ status }: Image): boolean => status?.phase === 'ready' || status?.phase === 'failed';
const keyOf = ({ metadata }: KubeObject): Key => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

const HOST = resourceOf(gpuHost);
const DISK = resourceOf(dataDisk);

const host: Read<GpuInstance, GpuHost | undefined> = {
  of: HOST,
  also: [INSTANCE],
  find: ({ metadata: { namespace }, spec }, caches) =>
    spec.host === undefined ? undefined : (caches.get(HOST, namespace, spec.host) as GpuHost | undefined),
  wakes: ({ before, after }, caches) =>
    caches.by(INSTANCE, 'host', placeOf(keyOf((after ?? before) as KubeObject))).map(keyOf),
};

/** Its disks that exist. */
const disks: Read<GpuInstance, readonly DataDisk[]> = {
  of: DISK,
  also: [INSTANCE],
  find: ({ metadata: { namespace }, spec }, caches) =>
    (spec.disks ?? []).flatMap(({ name }) => (caches.get(DISK, namespace, name) as DataDisk | undefined) ?? []),
  wakes: ({ before, after }, caches) =>
    caches.by(INSTANCE, 'disk', placeOf(keyOf((after ?? before) as KubeObject))).map(keyOf),
};

const storageClass: Read<GpuInstance, KubeObject | undefined> = {
  of: STORAGE_CLASS,
  also: [INSTANCE],
  find: ({ spec }, caches) => caches.get(STORAGE_CLASS, undefined, spec.homeDisk.storageClassName ?? ''),
  wakes: ({ before, after }, caches) =>
    caches.by(INSTANCE, 'storageClass', (after ?? before)?.metadata.name ?? '').map(keyOf),
};

/** Counted only for a Pod that the scheduler could not place: a sum over all Nodes and Pods. */
const stock: Read<GpuInstance, Stock | undefined> = {
  of: NODE,
  also: [POD, CLAIM, VOLUME],
  find(owner, caches) {
    const waiting = ownedPods(owner, caches).find(waitsForRoom);
    return waiting && stockFor(owner, waiting, caches, tiedNode(owner, caches));
  },
};

/** The most cards that a node of the pool has, by model; asked for only while none is needed any more. */
const cards: Read<GpuInstance, ReadonlyMap<string, number> | undefined> = {
  of: NODE,
  find: ({ spec, status }, caches) =>
    spec.gpu === undefined || spec.host !== undefined || runs(status) ? undefined : mostCardsIn(caches),
};

/** The quota of the instance's organisation; asked for in the same way. */
const quota: Read<GpuInstance, Quota | undefined> = {
  of: QUOTA,
  also: [INSTANCE],
  find: ({ metadata, status }, caches) => (runs(status) ? undefined : computeQuotaIn(metadata.namespace, caches)),
  wakes(change, caches) {
    const namespace = movedLimits(change);
    return namespace === undefined ? [] : caches.list(INSTANCE, namespace).map(keyOf);
  },
};

const runs = (status: GpuInstance['status']): boolean => status?.run?.readyAt !== undefined && !status.run.endedAt;

const concerns = (seen: Node): string => `${readiness(seen)} ${JSON.stringify(gpuFaultsOf(seen))}`;

const waitsForRoom = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'PodScheduled' && status === 'False') ?? false;

export const reads = {
  isNamespaceGoing,
  pods,
  claims,
  node,
  lease,
  snapshots,
  agents,
  signsOfLife,
  tie,
  volume,
  exports,
  disks,
  host,
  images,
  storageClass,
  stock,
  cards,
  quota,
};
export type InstanceSeen = Seen<typeof reads>;
