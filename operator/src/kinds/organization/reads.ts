// The objects that an Organization's plan reads: its namespace, its children there, its probe, and during deletion what is left.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { type GpuInstance, gpuInstance, homeGi, savedBytes } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { DATA_SERVER, LABEL, organizationNamespace, organizationOf, QUEUE_GROUP } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { Read, Seen } from '../../define-controller.ts';
import { QUEUE_VERSION } from '../../kueue.ts';
import {
  capacityOf,
  FLAVOR,
  flavorsIn,
  isFelt,
  POD_PAST_QUEUE,
  pastQueue,
  type QueueSettings,
  type Room,
} from '../../queue-capacity.ts';
import { controllerOf, isOwnedBy, NAMESPACE, NODE, POD } from '../../resources.ts';
import { uncountedIn } from './recount.ts';

/** Kubernetes and Kueue count in it at every Pod and job. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _, ...kept } = object as KubeObject & { status?: unknown };
  return kept;
}

/** Keeps only which limits of a quota have no count: `recount.ts` has those counted, and asks for no more than their names. */
function withUncounted(object: KubeObject): KubeObject {
  const names = uncountedIn(object);
  const kept = withoutStatus(object);
  return names.length === 0
    ? kept
    : Object.assign(kept, { status: { hard: Object.fromEntries(names.map((name) => [name, ''])) } });
}

const ours = (group: string, plural: string, kind: string, version = 'v1'): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced: true,
  labelSelector: LABEL.organization,
  keep: withoutStatus,
});

const ORGANIZATION = resourceOf(organization);

const namespaceOf = ({ metadata }: KubeObject) => organizationNamespace(metadata.name);

const wakesLabelled = ({ before, after }: { before?: KubeObject; after?: KubeObject }): Key[] => {
  const name = (after ?? before)?.metadata.labels?.[LABEL.organization];
  return name === undefined ? [] : [{ name }];
};

/** A namespace of the same name that is not this Organization's counts as none: making ours is then refused by name. */
const namespace: Read<Organization, KubeObject | undefined> = {
  of: NAMESPACE,
  find(owner, caches) {
    const found = caches.get(NAMESPACE, undefined, namespaceOf(owner));
    return found && isOwnedBy(found, owner) ? found : undefined;
  },
  wakes: wakesLabelled,
};

const podsOf = (owner: Organization, caches: CacheReader) =>
  caches.by(POD, 'owner', owner.metadata.uid ?? '') as readonly Pod[];
const isDataServer = ({ metadata }: Pod): boolean => metadata.name === DATA_SERVER;
const wakesOwner = ({ before, after }: { before?: KubeObject; after?: KubeObject }): Key[] =>
  controllerOf(after ?? before, organization.kind).map(({ name }) => ({ name }));

const probes: Read<Organization, readonly Pod[]> = {
  of: POD,
  find: (owner, caches) => podsOf(owner, caches).filter((pod) => !isDataServer(pod)),
  wakes: wakesOwner,
};

const dataServer: Read<Organization, Pod | undefined> = {
  of: POD,
  find: (owner, caches) => podsOf(owner, caches).find(isDataServer),
  wakes: wakesOwner,
};

/** A plan's children in the namespace, of one kind. */
const kept = (resource: Resource): Read<Organization, readonly KubeObject[]> => ({
  of: resource,
  find: (owner, caches) => caches.list(resource, namespaceOf(owner)).filter((object) => isOwnedBy(object, owner)),
  wakes: wakesLabelled,
});

/** Tenants' objects in the namespace, of one kind. Only a deleted organisation reads them, and it must learn of every change. */
const held = (resource: Resource): Read<Organization, readonly KubeObject[]> => ({
  of: resource,
  also: [ORGANIZATION],
  find: (owner, caches) => (owner.metadata.deletionTimestamp ? caches.list(resource, namespaceOf(owner)) : []),
  wakes({ before, after }, caches) {
    const name = before && after ? undefined : organizationOf((after ?? before)?.metadata.namespace ?? '');
    const owner = name === undefined ? undefined : caches.get(ORGANIZATION, undefined, name);
    return owner?.metadata.deletionTimestamp ? [{ name: owner.metadata.name }] : [];
  },
});

/** Every kind of the product that lives in a namespace: a new one is emptied out with the rest. */
const holdings: Record<`held ${string}`, Read<Organization, readonly KubeObject[]>> = Object.fromEntries(
  Object.values<KindFacts>(KINDS)
    .filter(({ scope }) => scope === 'Namespaced')
    .map((facts) => [`held ${facts.plural}`, held(resourceOf(facts))]),
);

/** The sum of an amount over the objects of one kind: kept by the cache, because a namespace may have ten thousand. */
function sumOf(name: string, facts: KindFacts, amountOf: (object: KubeObject) => number): Read<Organization, number> {
  const of: Resource = { ...resourceOf(facts), sums: { [name]: amountOf } };
  return {
    of,
    find: (owner, caches) => caches.sum(of, name, namespaceOf(owner)),
    wakes({ before, after }) {
      const [was, is] = [before, after].map((object) => (object ? amountOf(object) : 0));
      const name = was === is ? undefined : organizationOf((after ?? before)?.metadata.namespace ?? '');
      return name === undefined ? [] : [{ name }];
    },
  };
}

const stored = {
  savedByInstances: sumOf('savedBytes', gpuInstance, (object) => savedBytes((object as GpuInstance).status)),
  savedAsImages: sumOf('savedBytes', image, (object) => (object as Image).status?.savedBytes ?? 0),
  homesGi: sumOf('homeGi', gpuInstance, (object) => homeGi(object as GpuInstance)),
  disksGi: sumOf('sizeGi', dataDisk, (object) => (object as DataDisk).status?.sizeGi ?? 0),
};

/** Phases in which a task has no run, and gets none unless somebody asks for it. */
const ENDED = new Set<string | undefined>(['stopped', 'failed', 'succeeded', 'success', 'releasing', 'released']);
/** Of each kind whose runs wait in the queue. */
const openOf = (facts: KindFacts) =>
  sumOf('open', facts, (object) => (ENDED.has((object as Task).status?.phase) ? 0 : 1));
const openTasks = {
  openJobs: openOf(job),
  openDataProcesses: openOf(dataProcess),
  openFineTunes: openOf(fineTune),
  openEvaluations: openOf(evaluation),
};

const keepings = {
  quotas: kept({ ...ours('', 'resourcequotas', 'ResourceQuota'), keep: withUncounted }),
  limits: kept(ours('', 'limitranges', 'LimitRange')),
  accounts: kept(ours('', 'serviceaccounts', 'ServiceAccount')),
  services: kept(ours('', 'services', 'Service')),
  policies: kept(ours('networking.k8s.io', 'networkpolicies', 'NetworkPolicy')),
  roles: kept(ours('rbac.authorization.k8s.io', 'roles', 'Role')),
  bindings: kept(ours('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding')),
};

const everybody = (caches: CacheReader): Key[] =>
  caches.list(ORGANIZATION).map(({ metadata }) => ({ name: metadata.name }));

const CLUSTER_QUEUE: Resource = {
  ...ours(QUEUE_GROUP, 'clusterqueues', 'ClusterQueue', QUEUE_VERSION),
  namespaced: false,
};

/** A restored organisation is a new object: the queue that is still there of the one before has no owner, and becomes its own. */
const isQueueOf = (owner: Organization) => (queue: KubeObject) =>
  isOwnedBy(queue, owner) ||
  (queue.metadata.labels?.[LABEL.organization] === owner.metadata.name && !queue.metadata.ownerReferences?.length);

const LOCAL_QUEUES = ours(QUEUE_GROUP, 'localqueues', 'LocalQueue', QUEUE_VERSION);

/** The reads on which the organisation's queue for jobs depends. */
const queueing = {
  ...openTasks,
  clusterQueues: {
    of: CLUSTER_QUEUE,
    find(owner, caches) {
      const found = caches.get(CLUSTER_QUEUE, undefined, namespaceOf(owner));
      return found ? [found].filter(isQueueOf(owner)) : [];
    },
    wakes: wakesLabelled,
  } satisfies Read<Organization, readonly KubeObject[]>,
  localQueues: {
    ...kept(LOCAL_QUEUES),
    find: (owner, caches) => caches.list(LOCAL_QUEUES, namespaceOf(owner)).filter(isQueueOf(owner)),
  } satisfies Read<Organization, readonly KubeObject[]>,
  flavors: {
    of: FLAVOR,
    also: [ORGANIZATION],
    find: (_, caches) => flavorsIn(caches),
    wakes: ({ before, after }, caches) => (before && after ? [] : everybody(caches)),
  } satisfies Read<Organization, readonly string[]>,
  takenPastQueue: {
    of: POD_PAST_QUEUE,
    find: (owner, caches) => pastQueue(namespaceOf(owner), caches),
    wakes(change) {
      const name = organizationOf((change.after ?? change.before)?.metadata.namespace ?? '');
      return name !== undefined && isFelt(change) ? [{ name }] : [];
    },
  } satisfies Read<Organization, Room>,
  /** Only asked for where a node serves one organisation at a time. */
  ownRoom: {
    of: NODE,
    also: [POD, ORGANIZATION],
    find: (owner, caches) => (settings: QueueSettings) =>
      capacityOf(caches, settings).own.get(owner.metadata.name) ?? new Map<string, Room>(),
    wakes: ({ before, after }, caches) => (before && after ? [] : everybody(caches)),
  } satisfies Read<Organization, (settings: QueueSettings) => ReadonlyMap<string, Room>>,
};

// The holdings not by a spread: that would lose the type of their names.
export const reads = Object.assign({ namespace, probes, dataServer, ...stored, ...keepings, ...queueing }, holdings);
export type OrganizationSeen = Seen<typeof reads>;

/** Used storage: `savedBytes` in the registry, and GiB of the disks that exist or are needed again for a restore. */
export interface Stored {
  readonly savedBytes: number;
  readonly disksGi: number;
}

export const storedIn = ({ savedByInstances, savedAsImages, homesGi, disksGi }: OrganizationSeen): Stored => ({
  savedBytes: savedByInstances + savedAsImages,
  disksGi: homesGi + disksGi,
});

/** All that is seen of what the plan keeps in the namespace. */
export const keptIn = (seen: OrganizationSeen): readonly KubeObject[] =>
  (Object.keys(keepings) as (keyof typeof keepings)[]).flatMap((name) => seen[name]);

/** The observed objects of its queue. */
export const queuesIn = ({ clusterQueues, localQueues }: OrganizationSeen): readonly KubeObject[] => [
  ...clusterQueues,
  ...localQueues,
];

/** All that is seen of what tenants hold. */
export const heldIn = (seen: OrganizationSeen): readonly KubeObject[] =>
  (Object.keys(holdings) as (keyof typeof holdings)[]).flatMap((name) => seen[name] ?? []);
