// The state of one batch Job in the job queue, Kueue: where it waits and what is ahead of it, or that it was let in. Positions are counted
// here, within the organisation's own queue and by Kueue's own order, so that nobody learns of another tenant's jobs.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { LABEL, LOCAL_QUEUE, priorityClassOf, QUEUE_GROUP } from '@gantry/contract/names.ts';
import { type Asking, asks } from '@gantry/kube/asks.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';

/** The first version that Kueue 0.16 stores. */
export const QUEUE_VERSION = 'v1beta2';
export const QUEUE_API = `${QUEUE_GROUP}/${QUEUE_VERSION}`;

const QUEUE_NAME = `${QUEUE_GROUP}/queue-name`;
const PRIORITY_CLASS = `${QUEUE_GROUP}/priority-class`;

/** The place of a batch Job in the queue. */
export interface Place {
  /** evicted: it was let in and has lost its place. Its Pods end, or it waits until it may queue again. */
  state: 'pending' | 'admitted' | 'evicted';
  /** From 1, while it waits. Jobs that are as urgent and as old to the second have no certain order in Kueue, either. */
  position?: number;
  /** GPUs that the jobs before it ask for. */
  aheadGpus?: number;
  aheadJobs?: number;
  /** When it was let in. */
  admittedAt?: string;
  /** Kueue's own sentence about the state. */
  message?: string;
  /** Kueue's word for why it was evicted, such as Preempted or PodsReadyTimeout. */
  evictedBecause?: string;
  /** Kueue has looked at it and found no room, or put it aside. */
  isInadmissible?: boolean;
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}
interface PodSet {
  model?: string;
  gpus: number;
  count: number;
}
/** As the cache keeps it. */
type Workload = KubeObject & {
  spec?: { queueName?: string; priority?: number; active?: boolean };
  podSets?: readonly PodSet[];
  status?: { conditions?: readonly Condition[]; isAdmitted?: boolean };
};

// Templates are a tenant's: whatever they hold, an amount is a number.
const amount = (value: unknown): number => {
  const read = typeof value === 'string' || typeof value === 'number' ? quantity(value) : 0;
  return Number.isFinite(read) && read > 0 ? read : 0;
};
const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

interface WireTemplate {
  spec?: Asking & { nodeSelector?: Record<string, unknown> };
}

function podSetOf({ count, template }: Record<string, unknown>): PodSet {
  const { spec } = (template ?? {}) as WireTemplate;
  const { gpus } = asks(spec);
  const model = textOf(spec?.nodeSelector?.[LABEL.gpuModel]);
  return { ...(model !== undefined && { model }), gpus, count: amount(count) };
}

const CONDITIONS = ['QuotaReserved', 'Admitted', 'Evicted', 'Requeued', 'Finished', 'Preempted'];

function keepWorkload(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { spec = {}, status = {} } = object as unknown as Record<'spec' | 'status', Record<string, unknown>>;
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, ownerReferences } = metadata;
  const kept = {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
      ...(deletionTimestamp && { deletionTimestamp }),
      ...(ownerReferences && { ownerReferences }),
    },
    spec: {
      queueName: textOf(spec.queueName) ?? '',
      ...(typeof spec.priority === 'number' && { priority: spec.priority }),
      ...(spec.active === false && { active: false }),
    },
    podSets: listOf(spec.podSets).map(podSetOf),
    status: {
      conditions: listOf(status.conditions).flatMap(({ type, status: is, reason, message, lastTransitionTime }) =>
        CONDITIONS.includes(type as string)
          ? [{ type, status: is, reason, message: textOf(message)?.slice(0, 1024), lastTransitionTime }]
          : [],
      ),
      ...(status.admission !== undefined && status.admission !== null && { isAdmitted: true }),
    },
  };
  return kept as unknown as KubeObject;
}

const isTrue = (workload: Workload, type: string): boolean => conditionOf(workload, type)?.status === 'True';
const conditionOf = ({ status }: Workload, type: string): Condition | undefined =>
  status?.conditions?.find((one) => one.type === type);

/** Kueue has not reserved room for it, and would if there were some. */
const isWaiting = (workload: Workload): boolean =>
  !isTrue(workload, 'Finished') &&
  !isTrue(workload, 'QuotaReserved') &&
  workload.spec?.active !== false &&
  workload.metadata.deletionTimestamp === undefined;

const queueOf = ({ metadata, spec }: Workload): string => `${metadata.namespace}/${spec?.queueName}`;

/** One for each batch Job that asks for a queue; Kueue makes and deletes them. */
export const WORKLOAD: Resource = {
  group: QUEUE_GROUP,
  version: QUEUE_VERSION,
  plural: 'workloads',
  kind: 'Workload',
  namespaced: true,
  keep: keepWorkload,
  indexes: {
    owner: ({ metadata }) =>
      (metadata.ownerReferences ?? []).filter(({ controller }) => controller).map(({ uid }) => uid),
    waiting: (object) => (isWaiting(object as Workload) ? [queueOf(object as Workload)] : []),
  },
};

/** The resources that `placeOf` looks at: each caller has to follow exactly these. */
export const PLACE_READS: readonly Resource[] = [WORKLOAD];

interface Rank {
  priority: number;
  /** Milliseconds. */
  since: number;
  uid: string;
  gpus: number;
}
// Caches replace an object and never change it.
const ranks = new WeakMap<Workload, Rank>();

/** As Kueue orders: by priority, then by when it was made, or when it was evicted because it did not start in time. */
function rankOf(workload: Workload): Rank {
  const known = ranks.get(workload);
  if (known) return known;
  const evicted = conditionOf(workload, 'Evicted');
  const isLate = evicted?.status === 'True' && LATE.includes(evicted.reason ?? '');
  const since = Date.parse((isLate && evicted?.lastTransitionTime) || workload.metadata.creationTimestamp || '');
  const rank = {
    priority: workload.spec?.priority ?? 0,
    since: Number.isNaN(since) ? 0 : since,
    uid: workload.metadata.uid ?? '',
    gpus: gpusOf(workload),
  };
  ranks.set(workload, rank);
  return rank;
}
const LATE = ['PodsReadyTimeout', 'AdmissionCheck'];

const gpusOf = ({ podSets = [] }: Workload): number => podSets.reduce((sum, { gpus, count }) => sum + gpus * count, 0);

const inOrder = (a: Rank, b: Rank): number =>
  b.priority - a.priority || a.since - b.since || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);

type Line = ReadonlyMap<string, { position: number; aheadGpus: number }>;
interface Lines {
  version: number;
  of: Map<string, Line>;
}
const lines = new WeakMap<CacheReader, Lines>();

/** A queue's order, made once per state of the cache however many of its jobs are planned. */
function lineOf(queue: string, caches: CacheReader): Line {
  const version = caches.version(WORKLOAD);
  let known = lines.get(caches);
  if (known?.version !== version) {
    known = { version, of: new Map() };
    lines.set(caches, known);
  }
  const made = known.of.get(queue);
  if (made) return made;
  const line = new Map<string, { position: number; aheadGpus: number }>();
  let aheadGpus = 0;
  const sorted = (caches.by(WORKLOAD, 'waiting', queue) as readonly Workload[]).map(rankOf).sort(inOrder);
  for (const { uid, gpus } of sorted) {
    line.set(uid, { position: line.size + 1, aheadGpus });
    aheadGpus += gpus;
  }
  known.of.set(queue, line);
  return line;
}

/** The Job's place; undefined until the queue has answered, and without a queue. */
export function placeOf(batchJobUid: string, caches: CacheReader): Place | undefined {
  const found = (caches.by(WORKLOAD, 'owner', batchJobUid) as readonly Workload[])
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((a, b) => rankOf(b).since - rankOf(a).since)[0];
  if (!found) return undefined;
  const reserved = conditionOf(found, 'QuotaReserved');
  const admitted = conditionOf(found, 'Admitted');
  const evicted = conditionOf(found, 'Evicted');
  const isEvicted = evicted?.status === 'True';
  // Its Pods are still ending, it is backing off, or it may never queue again.
  const isOut = isEvicted && (found.status?.isAdmitted || conditionOf(found, 'Requeued')?.status === 'False');
  const because = isEvicted && evicted?.reason ? { evictedBecause: evicted.reason } : {};
  if (found.spec?.active === false || isOut) {
    return { state: 'evicted', ...said(evicted), ...because };
  }
  if (admitted?.status === 'True' || isTrue(found, 'Finished')) {
    const { lastTransitionTime: admittedAt } = admitted ?? {};
    return { state: 'admitted', ...(admittedAt && { admittedAt }), ...said(admitted) };
  }
  const place = lineOf(queueOf(found), caches).get(found.metadata.uid ?? '');
  return {
    state: 'pending',
    ...(place && { position: place.position, aheadGpus: place.aheadGpus, aheadJobs: place.position - 1 }),
    ...said(reserved),
    ...because,
    ...(reserved?.status === 'False' && { isInadmissible: true }),
  };
}

const said = (condition: Condition | undefined): Pick<Place, 'message'> =>
  condition?.message ? { message: condition.message } : {};

/** The labels that make Kueue queue a batch Job. Without Kueue, and on a host of its own, a Job carries none of them. */
export const queueLabels = ({ spec }: Task): Record<string, string> =>
  spec.host === undefined
    ? { [QUEUE_NAME]: LOCAL_QUEUE, [PRIORITY_CLASS]: priorityClassOf(spec.priority ?? 'Normal') }
    : {};
