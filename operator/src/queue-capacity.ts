// The part of the pool that the job queue may hand out, and the objects of Kueue that say so: a flavour for each GPU model, the cohort with
// its capacity, and the classes of priority. Instances and services take their room without asking Kueue, so the capacity follows.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { PRIORITIES } from '@gantry/contract/fields/task.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { TASK_KINDS } from '@gantry/contract/kinds/tasks.ts';
import { GPU_RESOURCE, LABEL, priorityClassOf, QUEUE_COHORT, QUEUE_GROUP } from '@gantry/contract/names.ts';
import { type Amounts, asks, offered } from '@gantry/kube/asks.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { closedTo, type PoolRules, standOf, toleratesCards } from '@gantry/kube/placement.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import type { ClusterPlan, Plan } from './define-controller.ts';
import { isKept } from './drift.ts';
import { QUEUE_API, QUEUE_VERSION } from './kueue.ts';
import { NODE, POD } from './resources.ts';

export interface QueueSettings extends Pick<PoolRules, 'sharedPool' | 'simulatedNodes' | 'gpuTaints'> {
  queue: 'kueue' | 'none';
}

/** Whole numbers: cards, thousandths of a core, MiB. */
export interface Room {
  gpus: number;
  milliCores: number;
  mebibytes: number;
}
export const NO_ROOM: Room = { gpus: 0, milliCores: 0, mebibytes: 0 };
const more = (a: Room, b: Room): Room => each((part) => a[part] + b[part]);
export const less = (a: Room, b: Room): Room => each((part) => Math.max(0, a[part] - b[part]));
export const least = (a: Room, b: Room): Room => each((part) => Math.min(a[part], b[part]));
const each = (of: (part: keyof Room) => number): Room => ({
  gpus: of('gpus'),
  milliCores: of('milliCores'),
  mebibytes: of('mebibytes'),
});

const scaled = (amount: number, base: number, suffixes: readonly string[]): string => {
  let [value, power] = [amount, 0];
  while (value !== 0 && value % base === 0 && power < suffixes.length - 1) {
    value /= base;
    power += 1;
  }
  return `${value}${value === 0 ? '' : suffixes[power]}`;
};
/** As Kueue's webhook writes amounts back, and in the order in which every flavour has to name them. */
const AMOUNTS: readonly (readonly [resource: string, of: (room: Room) => string])[] = [
  ['cpu', ({ milliCores }) => scaled(milliCores, 1000, ['m', '', 'k', 'M'])],
  ['memory', ({ mebibytes }) => scaled(mebibytes, 1024, ['Mi', 'Gi', 'Ti', 'Pi'])],
  [GPU_RESOURCE, ({ gpus }) => scaled(gpus, 1000, ['', 'k', 'M'])],
];

/** One flavour's quota: each entry of `limits` is a field of every resource. */
const quotaOf = (name: string, limits: Readonly<Record<string, Room>>) => ({
  name,
  resources: AMOUNTS.map(([resource, textOf]) => ({
    name: resource,
    ...Object.fromEntries(Object.entries(limits).map(([field, room]) => [field, textOf(room)])),
  })),
});

/** The `resourceGroups` of a Cohort or a ClusterQueue; empty without a flavour, because Kueue would refuse a group without one. */
export const resourceGroups = (flavors: readonly string[], limitsOf: (flavor: string) => Record<string, Room>) =>
  flavors.length === 0
    ? []
    : [
        {
          coveredResources: AMOUNTS.map(([resource]) => resource),
          flavors: flavors.map((name) => quotaOf(name, limitsOf(name))),
        },
      ];

/** The flavour of nodes without a GPU. It is tried first, so that work without a GPU leaves GPU nodes alone while it can. */
const PLAIN = `${QUEUE_COHORT}-no-gpu`;
const flavorOf = (model: string | undefined): string =>
  model === undefined ? PLAIN : `${QUEUE_COHORT}-gpu-${model.toLowerCase().replace(/[^a-z0-9-]/g, '-')}`;
/** Kueue takes no more in one queue. */
const MOST_FLAVORS = 64;

/** On Pods of Jobs that Kueue has let in. */
const OF_QUEUE = `${QUEUE_GROUP}/podset`;
const isQueued = ({ metadata }: Pod): boolean => OF_QUEUE in (metadata.labels ?? {});
/** Kinds whose Pods count against the organisation's quota. */
const TENANTS: readonly string[] = [gpuInstance.kind, ...TASK_KINDS, containerService.kind, modelDeployment.kind];

const wholeOf = ({ gpus, cores, bytes }: Amounts): Room => ({
  gpus,
  milliCores: cores * 1000,
  mebibytes: bytes / 2 ** 20,
});
/** Sums of tenths are not exact in binary. */
const ROUNDING = 1e-9;
/** Rounded up. */
function askedBy(pod: Pod): Room {
  const room = wholeOf(asks(pod.spec));
  return each((part) => Math.ceil(room[part] - ROUNDING));
}
/** Rounded down. */
function offeredBy(node: Node): Room {
  const room = wholeOf(offered(node));
  return each((part) => Math.floor(room[part] + ROUNDING));
}

/** Jobs that name no host may go there: nobody has leased it or brought it along, and it takes new Pods. */
function isInPool(node: Node, settings: QueueSettings): boolean {
  // Work without a GPU tolerates nothing, and finds nothing on a tainted node that has none.
  const tolerations = modelOf(node) === undefined ? [] : toleratesCards(settings);
  const placing = { tolerations, host: undefined, apart: undefined };
  return (
    closedTo(standOf(node, new Set()), placing) === undefined && !(LABEL.nodeOwner in (node.metadata.labels ?? {}))
  );
}

const modelOf = (node: Node): string | undefined =>
  offeredBy(node).gpus > 0 ? (node.metadata.labels?.[LABEL.gpuModel] ?? undefined) : undefined;

export interface Capacity {
  /** Flavour → what everybody may have. */
  shared: ReadonlyMap<string, Room>;
  /** Organisation → flavour → what it alone may have, on nodes that serve it alone. */
  own: ReadonlyMap<string, ReadonlyMap<string, Room>>;
}

const add = (to: Map<string, Room>, flavor: string, room: Room) =>
  to.set(flavor, more(to.get(flavor) ?? NO_ROOM, room));
const capacities = new WeakMap<CacheReader, Capacity & { at: string }>();

/** Made once per state of the caches, however many organisations are planned. */
export function capacityOf(caches: CacheReader, settings: QueueSettings): Capacity {
  const at = `${caches.version(NODE)}/${caches.version(POD)}/${settings.sharedPool}/${settings.simulatedNodes}/${settings.gpuTaints}`;
  const known = capacities.get(caches);
  if (known?.at === at) return known;
  const shared = new Map<string, Room>();
  const own = new Map<string, Map<string, Room>>();
  for (const node of caches.list(NODE) as readonly Node[]) {
    if (!isInPool(node, settings)) continue;
    const model = modelOf(node);
    const pods = (caches.by(POD, 'node', node.metadata.name) as readonly Pod[]).filter((pod) => !isTerminal(pod));
    // Kueue itself counts the Pods of jobs that it has let in, if they are where it counts them.
    const outside = pods.filter((pod) => !isQueued(pod) || pod.spec?.nodeSelector?.[LABEL.gpuModel] !== model);
    const room = outside.reduce((left, pod) => less(left, askedBy(pod)), offeredBy(node));
    const holders = pods.flatMap(({ metadata }) => metadata.labels?.[LABEL.organization] ?? []).sort();
    const holder = settings.sharedPool === 'exclusive' ? holders[0] : undefined;
    if (holder === undefined) {
      add(shared, flavorOf(model), room);
      continue;
    }
    const its = own.get(holder) ?? new Map<string, Room>();
    add(its, flavorOf(model), room);
    own.set(holder, its);
  }
  const capacity = { shared, own, at };
  capacities.set(caches, capacity);
  return capacity;
}

/** The part of its organisation's quota that a Pod takes past Kueue. */
function takenPastQueue(object: KubeObject): Room {
  const pod = object as Pod;
  const isCounted = TENANTS.includes(pod.metadata.labels?.[LABEL.kind] ?? '') && !isTerminal(pod) && !isQueued(pod);
  return isCounted ? askedBy(pod) : NO_ROOM;
}

/** Pods, with what they take past Kueue summed up for each namespace. */
export const POD_PAST_QUEUE: Resource = {
  ...POD,
  sums: {
    gpusPastQueue: (pod) => takenPastQueue(pod).gpus,
    milliCoresPastQueue: (pod) => takenPastQueue(pod).milliCores,
    mebibytesPastQueue: (pod) => takenPastQueue(pod).mebibytes,
  },
};
export const pastQueue = (namespace: string, caches: CacheReader): Room =>
  each((part) => caches.sum(POD_PAST_QUEUE, `${part}PastQueue`, namespace));

/** Whether the change of a Pod changes what its organisation may have in the queue. */
export function isFelt({ before, after }: { before?: KubeObject; after?: KubeObject }): boolean {
  const [was, is] = [before, after].map((pod) => (pod ? takenPastQueue(pod) : NO_ROOM)) as [Room, Room];
  const nodeOf = (pod: KubeObject | undefined) =>
    pod && !isTerminal(pod as Pod) ? (pod as Pod).spec?.nodeName : undefined;
  const isSame = (['gpus', 'milliCores', 'mebibytes'] as const).every((part) => was[part] === is[part]);
  return !isSame || nodeOf(before) !== nodeOf(after);
}

const kueue = (plural: string, kind: string): Resource => ({
  group: QUEUE_GROUP,
  version: QUEUE_VERSION,
  plural,
  kind,
  namespaced: false,
  labelSelector: LABEL.managed,
});
/** Ours alone, as their label says. */
export const FLAVOR = kueue('resourceflavors', 'ResourceFlavor');
const COHORT = kueue('cohorts', 'Cohort');
const PRIORITY_CLASS = kueue('workloadpriorityclasses', 'WorkloadPriorityClass');
const RESOURCES: Readonly<Record<string, Resource>> = {
  ResourceFlavor: FLAVOR,
  Cohort: COHORT,
  WorkloadPriorityClass: PRIORITY_CLASS,
};

const ours = (kind: string, name: string, rest: object): KubeObject => ({
  apiVersion: QUEUE_API,
  kind,
  metadata: { name, labels: { [LABEL.managed]: 'true' } },
  ...rest,
});

/** The names of all flavours that were ever needed, in the order in which Kueue tries them: one in use cannot be deleted. */
export const flavorsIn = (caches: CacheReader): string[] =>
  caches
    .list(FLAVOR)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort((a, b) => Number(b === PLAIN) - Number(a === PLAIN) || (a < b ? -1 : 1))
    .slice(0, MOST_FLAVORS);

/** Work without a GPU does not go where a taint keeps it off. */
function flavors(caches: CacheReader, settings: QueueSettings): KubeObject[] {
  const nodes = (caches.list(NODE) as readonly Node[]).filter((node) => isInPool(node, settings));
  const models = [...new Set(nodes.flatMap((node) => modelOf(node) ?? []))].sort();
  const made = new Map([[PLAIN, ours('ResourceFlavor', PLAIN, { spec: {} })]]);
  for (const model of models) {
    const taints = nodes
      .filter((node) => modelOf(node) === model)
      .map(({ spec }) => (spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule'));
    const common = (taints[0] ?? []).filter(({ key }) => taints.every((of) => of.some((one) => one.key === key)));
    const nodeTaints = common.map(({ key, value, effect }) => ({ key, ...(value && { value }), effect }));
    const name = flavorOf(model);
    const spec = { nodeLabels: { [LABEL.gpuModel]: model }, ...(nodeTaints.length > 0 && { nodeTaints }) };
    if (!made.has(name)) made.set(name, ours('ResourceFlavor', name, { spec }));
  }
  return [...made.values()].slice(0, MOST_FLAVORS);
}

const classes = (): KubeObject[] =>
  PRIORITIES.map((priority, at) =>
    ours('WorkloadPriorityClass', priorityClassOf(priority), {
      value: (at + 1) * 100,
      description: `Jobs of the priority ${priority}.`,
    }),
  );

function cohort(caches: CacheReader, settings: QueueSettings): KubeObject[] {
  const names = flavorsIn(caches);
  const { shared } = capacityOf(caches, settings);
  const limitsOf = (flavor: string) => ({ nominalQuota: shared.get(flavor) ?? NO_ROOM });
  return [ours('Cohort', QUEUE_COHORT, { spec: { resourceGroups: resourceGroups(names, limitsOf) } })];
}

/** The objects that every organisation's queue refers to. None of them is removed: Kueue refuses to delete what is in use. */
export const queuePool: ClusterPlan<QueueSettings> = {
  name: 'queue pool',
  reads: [NODE, POD, FLAVOR, COHORT, PRIORITY_CLASS],
  plan(caches, settings): Pick<Plan, 'create' | 'apply'> {
    if (settings.queue === 'none') return {};
    const seen = [...flavors(caches, settings), ...classes(), ...cohort(caches, settings)].map((wanted) => ({
      wanted,
      found: caches.get(RESOURCES[wanted.kind] as Resource, undefined, wanted.metadata.name),
    }));
    return {
      create: seen.filter(({ found }) => !found).map(({ wanted }) => wanted),
      apply: seen.flatMap(({ wanted, found }) => {
        if (!found?.metadata.uid || found.metadata.deletionTimestamp || isKept(wanted, found)) return [];
        return [{ ...wanted, metadata: { ...wanted.metadata, uid: found.metadata.uid } }];
      }),
    };
  },
};
