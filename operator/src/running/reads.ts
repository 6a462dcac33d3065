// The objects that the plan of a task reads, and the tasks that a change concerns.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { PRIORITIES, type Task } from '@gantry/contract/fields/task.ts';
import { gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { AGENT_KIND, ANNOTATION, agentLease, CREDIT_QUOTA, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod, type Wire } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { V1Job } from '@kubernetes/client-node';
import type { Read, Seen } from '../define-controller.ts';
import { PLACE_READS, type Place, placeOf as placeInQueue, WORKLOAD } from '../kueue.ts';
import { instant } from '../metering.ts';
import { readiness } from '../pod-progress.ts';
import { poolOf, type Room } from '../pool.ts';
import {
  COMPUTE_QUOTA,
  computeQuotaIn,
  type Lease,
  NAMESPACE,
  NODE,
  NODE_LEASE,
  PLATFORM_LEASE,
  POD,
  QUOTA,
  type Quota,
  SNAPSHOT,
} from '../resources.ts';
import { type Durations, durationsIn } from './durations.ts';
import type { Ran } from './ran.ts';

/** A Job of batch/v1: one run. */
export type BatchJob = KubeObject & Pick<Wire<V1Job>, 'spec' | 'status'>;

const owners = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.ownerReferences ?? []).filter(({ controller }) => controller).map(({ uid }) => uid);
const keyOf = ({ metadata: { namespace, name } }: KubeObject): Key => ({
  name,
  ...(namespace !== undefined && { namespace }),
});
const placeOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;
const namedBy = ({ metadata: { namespace = '' } }: KubeObject, names: readonly string[]): string[] =>
  names.map((name) => placeOf({ namespace, name }));

/** Runs of every kind of task: one cache for all. */
export const BATCH_JOB: Resource = {
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  kind: 'Job',
  namespaced: true,
  labelSelector: LABEL.run,
  // Without its template, which is a copy of the spec that it was made from.
  keep(object) {
    const { apiVersion, kind: word, metadata, spec, status } = object as BatchJob;
    const { completions, suspend, activeDeadlineSeconds } = spec ?? {};
    const kept = {
      apiVersion,
      kind: word,
      metadata,
      spec: {
        ...(completions !== undefined && { completions }),
        ...(suspend !== undefined && { suspend }),
        ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
      },
      ...(status && { status }),
    };
    return kept as BatchJob;
  },
  indexes: { owner: owners },
};
/** Reasons of a task that waits for what others use. */
const WAITS: readonly string[] = ['QuotaExceeded', 'WaitingForGpus', 'NodesClosed', 'NotEnoughForAll'];
const ANYWHERE = ' anywhere';
const IMAGE: Resource = { ...resourceOf(image), indexes: { source: (object) => [(object as Image).spec.source] } };
const HOST = resourceOf(gpuHost);
const DISK = resourceOf(dataDisk);
const taskIn = (kind: string, { namespace, name }: Key): string => `${kind} ${namespace}/${name}`;
/** Pods by the task whose workers they are, as their labels say. */
const WORKER: Resource = {
  ...POD,
  indexes: {
    ...POD.indexes,
    task: ({ metadata: { namespace = '', labels } }) => {
      const [kind, name] = [labels?.[LABEL.kind], labels?.[LABEL.name]];
      return kind === undefined || name === undefined ? [] : [taskIn(kind, { namespace, name })];
    },
  },
};

const wakesIn = (object: KubeObject | undefined): string =>
  `${object?.metadata.deletionTimestamp !== undefined} ${object?.metadata.annotations?.[ANNOTATION.outOfCredit]}`;

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
export const isOutOfService = (node: Node): boolean =>
  node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE) ?? false;

const concerns = (node: Node): string =>
  `${readiness(node)} ${isOutOfService(node)} ${JSON.stringify(gpuFaultsOf(node))}`;

/** The run that a batch Job or a Pod belongs to. */
export const runOf = ({ metadata }: KubeObject): number => Number(metadata.labels?.[LABEL.run] ?? 0);

/** So many are woken when room gets free: a thousand waiting tasks are not asked whenever a Pod ends. The others count again later. */
const FRONT = 20;

/** The reads of one kind; `resource` is the kind's own, and `ownerOf` an object's controller of that kind. */
export function readsOf<Owner extends Task>(ran: Pick<Ran, 'facts' | 'isTemplate'>) {
  const { kind } = ran.facts;
  const TASK: Resource = {
    ...resourceOf(ran.facts),
    indexes: {
      owner: owners,
      image: (object) => [(object as Task).spec.image ?? []].flat(),
      host: (object) => namedBy(object, [(object as Task).spec.host ?? []].flat()),
      disk: (object) => namedBy(object, (object as Task).spec.mounts?.map(({ from }) => from) ?? []),
      waiting: (object) =>
        WAITS.includes((object as Task).status?.reason ?? '') ? [ANYWHERE, object.metadata.namespace ?? ''] : [],
    },
  };
  /** The owner of this kind; a batch Job's kind has the word of a Job's. */
  const ownerOf = (child: KubeObject | undefined): Key[] =>
    (child?.metadata.ownerReferences ?? [])
      .filter((one) => one.controller && one.kind === kind && one.apiVersion === API_VERSION)
      .map(({ name }) => ({
        name,
        ...(child?.metadata.namespace !== undefined && { namespace: child.metadata.namespace }),
      }));

  /** Its namespace is being deleted, Pods first; and why the organisation may spend nothing. */
  const namespace: Read<Owner, { isGoing: boolean; outOfCredit?: string }> = {
    of: NAMESPACE,
    also: [TASK, QUOTA],
    find({ metadata: { namespace: name = '' } }, caches) {
      const found = caches.get(NAMESPACE, undefined, name);
      const isClosed = caches.get(QUOTA, name, CREDIT_QUOTA) !== undefined;
      return {
        isGoing: found?.metadata.deletionTimestamp !== undefined,
        ...(isClosed && { outOfCredit: found?.metadata.annotations?.[ANNOTATION.outOfCredit] ?? '–' }),
      };
    },
    wakes: ({ before, after }, caches) =>
      wakesIn(before) === wakesIn(after) ? [] : caches.list(TASK, (after ?? before)?.metadata.name).map(keyOf),
  };
  const batchJobs: Read<Owner, readonly BatchJob[]> = {
    of: BATCH_JOB,
    find: (owner, caches) => caches.by(BATCH_JOB, 'owner', owner.metadata.uid ?? '') as readonly BatchJob[],
    wakes: ({ before, after }) => ownerOf(after ?? before),
  };

  /** By label, and by the batch Job: a label taken off by hand must not make a running worker disappear. */
  function podsOf(owner: Owner, caches: CacheReader): readonly Pod[] {
    const labelled = caches.by(WORKER, 'task', taskIn(kind, keyOf(owner))) as readonly Pod[];
    const owned = batchJobs
      .find(owner, caches)
      .flatMap(({ metadata }) => caches.by(WORKER, 'owner', metadata.uid ?? ''));
    return [
      ...new Map([...labelled, ...(owned as readonly Pod[])].map((pod) => [pod.metadata.uid, pod])).values(),
    ].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  const pods: Read<Owner, readonly Pod[]> = {
    of: WORKER,
    also: [BATCH_JOB],
    find: podsOf,
    wakes({ before, after }, caches) {
      const { namespace: place, labels, ownerReferences = [] } = (after ?? before)?.metadata ?? {};
      const named = labels?.[LABEL.kind] === kind ? [labels[LABEL.name] ?? ''] : [];
      const owned = ownerReferences
        .filter(({ controller, apiVersion }) => controller && apiVersion.startsWith('batch/'))
        .flatMap(({ name }) => ownerOf(caches.get(BATCH_JOB, place, name)).map((key) => key.name));
      return [...new Set([...named, ...owned])].map((name) => ({
        name,
        ...(place !== undefined && { namespace: place }),
      }));
    },
  };

  const nodesOf = (owner: Owner, caches: CacheReader): readonly string[] => [
    ...new Set(podsOf(owner, caches).flatMap(({ spec }) => spec?.nodeName ?? [])),
  ];

  /** The nodes of its workers, those that are there. Room and labels do not move a running Pod. */
  const nodes: Read<Owner, readonly Node[]> = {
    of: NODE,
    also: [WORKER, BATCH_JOB],
    find: (owner, caches) =>
      nodesOf(owner, caches).flatMap((name) => (caches.get(NODE, undefined, name) as Node | undefined) ?? []),
    wakes({ before, after }, caches) {
      if (before && after && concerns(before as Node) === concerns(after as Node)) return [];
      const name = (after ?? before)?.metadata.name ?? '';
      return caches.by(WORKER, 'node', name).flatMap((pod) => pods.wakes?.({ after: pod }, caches) ?? []);
    },
  };
  /** When their kubelets last gave a sign of life. */
  const heartbeats: Read<Owner, Readonly<Record<string, string>>> = {
    of: NODE_LEASE,
    also: [WORKER, BATCH_JOB],
    find: (owner, caches) =>
      Object.fromEntries(
        // Also of those whose Pod somebody took away.
        [...nodesOf(owner, caches), ...(owner.status?.workers ?? []).flatMap(({ node }) => node ?? [])].flatMap(
          (name) => {
            const renewed = (caches.get(NODE_LEASE, NODE_LEASE.namespace, name) as Lease | undefined)?.spec?.renewTime;
            return renewed === undefined ? [] : [[name, renewed]];
          },
        ),
      ),
  };

  /** The logs that are being saved. */
  const snapshots: Read<Owner, readonly Snapshot[]> = {
    of: SNAPSHOT,
    find: (owner, caches) => caches.by(SNAPSHOT, 'owner', owner.metadata.uid ?? '') as readonly Snapshot[],
    wakes: ({ before, after }) => ownerOf(after ?? before),
  };

  /** The nodes of its workers that have an agent. Signs of life wake nobody; the first and the last do. */
  const agents: Read<Owner, readonly string[]> = {
    of: PLATFORM_LEASE,
    also: [WORKER, BATCH_JOB],
    find: (owner, caches) =>
      nodesOf(owner, caches).filter(
        (name) => caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, agentLease(name)) !== undefined,
      ),
    wakes({ before, after }, caches) {
      const { labels, name = '' } = (after ?? before)?.metadata ?? {};
      if ((before && after) || labels?.[LABEL.kind] !== AGENT_KIND) return [];
      const on = caches.by(WORKER, 'node', name.slice(0, -agentLease('').length));
      return on.flatMap((pod) => pods.wakes?.({ after: pod }, caches) ?? []);
    },
  };

  const host: Read<Owner, GpuHost | undefined> = {
    of: HOST,
    also: [TASK],
    find: ({ metadata, spec }, caches) =>
      spec.host === undefined ? undefined : (caches.get(HOST, metadata.namespace, spec.host) as GpuHost | undefined),
    wakes: ({ before, after }, caches) =>
      caches.by(TASK, 'host', placeOf(keyOf((after ?? before) as KubeObject))).map(keyOf),
  };

  /** Its disks that exist. */
  const disks: Read<Owner, readonly DataDisk[]> = {
    of: DISK,
    also: [TASK],
    find: ({ metadata, spec }, caches) =>
      (spec.mounts ?? []).flatMap(
        ({ from }) => (caches.get(DISK, metadata.namespace, from) as DataDisk | undefined) ?? [],
      ),
    wakes: ({ before, after }, caches) =>
      caches.by(TASK, 'disk', placeOf(keyOf((after ?? before) as KubeObject))).map(keyOf),
  };

  /** The verified Image with its source: the organisation's own before the official one. */
  const verified: Read<Owner, Image | undefined> = {
    of: IMAGE,
    also: [TASK],
    find(owner, caches) {
      const same = caches.by(IMAGE, 'source', owner.spec.image ?? '') as readonly Image[];
      const ready = same.filter(({ status }) => status?.phase === 'ready');
      return (
        ready.find(({ metadata }) => metadata.namespace === owner.metadata.namespace) ??
        ready.find(({ metadata }) => metadata.namespace === PLATFORM_NAMESPACE)
      );
    },
    wakes: ({ before, after }, caches) => caches.by(TASK, 'image', ((after ?? before) as Image).spec.source).map(keyOf),
  };

  /** The run's place in the queue. */
  const place: Read<Owner, Place | undefined> = {
    of: WORKLOAD,
    also: [BATCH_JOB, ...PLACE_READS],
    find(owner, caches) {
      const [newest] = [...batchJobs.find(owner, caches)].sort((a, b) => runOf(b) - runOf(a));
      return newest && placeInQueue(newest.metadata.uid ?? '', caches);
    },
    wakes({ before, after }, caches) {
      const { namespace: at, ownerReferences = [] } = (after ?? before)?.metadata ?? {};
      return ownerReferences
        .filter(({ controller, apiVersion }) => controller && apiVersion.startsWith('batch/'))
        .flatMap(({ name }) => ownerOf(caches.get(BATCH_JOB, at, name)));
    },
  };

  /** Those of the waiting tasks whose turn it is first. */
  function frontOf(caches: CacheReader, place: string): readonly Key[] {
    const waiting = [...caches.by(TASK, 'waiting', place)] as Task[];
    const rank = ({ spec }: Task) => PRIORITIES.indexOf(spec.priority);
    const age = ({ metadata }: Task) => instant(metadata.creationTimestamp) ?? 0;
    return waiting
      .sort((a, b) => rank(b) - rank(a) || age(a) - age(b))
      .slice(0, FRONT)
      .map(keyOf);
  }

  /** A run that was begun asks for no room. */
  const isBegun = (task: Task): boolean =>
    (ran.isTemplate?.(task) ?? false) ||
    (task.status?.run?.startedAt !== undefined && task.status.run.endedAt === undefined);

  /** Room per node; asked for only while a run waits. */
  const room: Read<Owner, readonly Room[] | undefined> = {
    of: POD,
    also: [NODE, WORKER, BATCH_JOB, TASK],
    find: (owner, caches) => (isBegun(owner) ? undefined : poolOf(caches).rooms),
    wakes({ before, after }, caches) {
      const holds = (pod: KubeObject | undefined) => pod !== undefined && !isTerminal(pod as Pod);
      return holds(before) && !holds(after) ? frontOf(caches, ANYWHERE) : [];
    },
  };

  /** The room that the organisation's quota leaves; asked for only while a run waits. */
  const quota: Read<Owner, Quota | undefined> = {
    of: QUOTA,
    also: [TASK],
    find: (owner, caches) => (isBegun(owner) ? undefined : computeQuotaIn(owner.metadata.namespace, caches)),
    wakes({ before, after }, caches) {
      const { name, namespace: place = '' } = (after ?? before)?.metadata ?? {};
      const leaves = (of: KubeObject | undefined) => JSON.stringify([(of as Quota)?.spec, (of as Quota)?.status?.used]);
      return name === COMPUTE_QUOTA && leaves(before) !== leaves(after) ? frontOf(caches, place) : [];
    },
  };

  /** How long this organisation's tasks run: for the estimate of one that waits in the queue. */
  const durations: Read<Owner, Durations | undefined> = {
    of: TASK,
    also: [BATCH_JOB, ...PLACE_READS],
    find: (owner, caches) =>
      place.find(owner, caches)?.state === 'pending'
        ? durationsIn(caches.list(TASK, owner.metadata.namespace) as readonly Task[])
        : undefined,
  };

  const reads = {
    namespace,
    batchJobs,
    pods,
    nodes,
    heartbeats,
    snapshots,
    agents,
    host,
    disks,
    verified,
    place,
    room,
    quota,
    durations,
  };

  return { reads, resource: TASK, ownerOf };
}
export type TaskSeen = Seen<ReturnType<typeof readsOf>['reads']>;
