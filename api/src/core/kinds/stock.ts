// Free capacity: on one host, in the shared pool, per GPU model. Counted from the caches, for answers before anything is created;
// the scheduler and the API server have the last word. Pure over its inputs.

import type { FitView, GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { GI, mebibytesOf, milli, quantity } from '@gantry/contract/fields/quantity.ts';
import { listOf } from '@gantry/contract/fields/stored.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { WITHOUT_GPU } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { overQuota } from '@gantry/contract/kinds/quota-said.ts';
import { TASKS } from '@gantry/contract/kinds/tasks.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { quoted } from '@gantry/contract/said.ts';
import { copiesIn, type FreeRoom, freeRoom, offered, type Size } from '@gantry/kube/asks.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { closedTo, type NodeStand, type Placing, type PoolRules, placingOf, standOf } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { type Suited, suitedTo } from '@gantry/kube/suited-nodes.ts';
import { NODE, POD, QUOTA, type ResourceQuota } from '../../platform/kube/resources.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { hostIn } from './placed-host.ts';

export interface Room extends NodeStand, FreeRoom {
  /** The node's. */
  labels: Readonly<Record<string, string>>;
  model: string | undefined;
  gpus: number;
  cores: number;
  memoryGi: number;
  rootGi: number;
  pods: number;
  /** Memory of one of its cards. */
  gpuMemoryGi: number | undefined;
}

const known = new WeakMap<CacheReader, { at: string; rooms: readonly Room[] }>();

/** Every node, open or closed, with its free capacity. Counted once per state of the two caches: anybody may ask. */
export function roomsOf(caches: CacheReader): readonly Room[] {
  const at = `${caches.version(NODE)}/${caches.version(POD)}`;
  const before = known.get(caches);
  if (before?.at === at) return before.rooms;
  const rooms = (caches.list(NODE) as readonly Node[]).map((node) => roomOf(node, caches));
  known.set(caches, { at, rooms });
  return rooms;
}

function roomOf(node: Node, caches: CacheReader): Room {
  const pods = (caches.by(POD, 'node', node.metadata.name) as readonly Pod[]).filter((pod) => !isTerminal(pod));
  const { gpus, cores, bytes, rootBytes, pods: places } = offered(node);
  const organizations = new Set(pods.flatMap(({ metadata }) => metadata.labels?.[LABEL.organization] ?? []));
  return {
    ...standOf(node, organizations),
    labels: node.metadata.labels ?? {},
    model: gpus > 0 ? node.metadata.labels?.[LABEL.gpuModel] : undefined,
    gpus,
    cores,
    memoryGi: bytes / GI,
    rootGi: rootBytes / GI,
    pods: places,
    ...freeRoom(node, pods),
    gpuMemoryGi: Math.round(Number(node.metadata.labels?.[LABEL.gpuMemory]) / 1024) || undefined,
  };
}

/**
 * GPU models on offer: nodes that no organisation has as its host, by model and by cards of a node. Closed ones are no offer; what
 * serves another organisation alone is one, and has nothing free.
 */
export function gpuSpecs(
  rooms: readonly Room[],
  placing: Placing,
  region: string,
  priceOf: (model: string) => Pick<GpuSpecView, 'price' | 'host_price'>,
): GpuSpecView[] {
  const groups = new Map<string, Room[]>();
  for (const room of rooms) {
    if (room.model === undefined) continue;
    const closed = closedTo(room, placing);
    if (closed !== undefined && closed !== 'taken') continue;
    const id = `${room.model}-${room.gpus}`;
    groups.set(id, [...(groups.get(id) ?? []), room]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, [first, ...others]]) => {
      const all = [first as Room, ...others];
      const open = all.filter((room) => closedTo(room, placing) === undefined);
      const share = cardShare(all);
      return {
        id,
        gpu_type: first?.model ?? '',
        name: gpuName(first?.model ?? ''),
        gpu_memory_gi: first?.gpuMemoryGi ?? null,
        card_cores: share.cores,
        card_memory_gi: share.memoryGi,
        starts: startsIn(open, share, first?.gpus ?? 0),
        gpu_count: first?.gpus ?? 0,
        cores: Math.floor(Math.min(...all.map(({ cores }) => cores))),
        memory_gi: Math.floor(Math.min(...all.map(({ memoryGi }) => memoryGi))),
        nodes: all.length,
        total: sum(all, ({ gpus }) => gpus),
        free: sum(open, ({ freeGpus }) => Math.max(0, freeGpus)),
        free_nodes: open.filter(isForRent).length,
        ...priceOf(first?.model ?? ''),
        region,
      };
    });
}

/** Whole, to whichever organisation: what one brought itself is rented to nobody. */
const isForRent = ({ organizations, gpus, freeGpus, labels }: Room): boolean =>
  organizations.size === 0 && gpus === freeGpus && labels[LABEL.nodeOwner] === undefined;

/** The placement of cards of the pool for an organisation; without one, for anybody who may use them. */
export const offerTo = (rules: PoolRules, organization?: string): Placing => ({
  ...placingOf({ gpu: true }, undefined, organization, rules),
  ...(organization === undefined && { apart: undefined }),
});

interface Share {
  cores: number;
  memoryGi: number;
}

/** The most that a node keeps for itself of its cores and memory. */
const KEPT = 0.1;

/** The cores and memory that come with one card: as much as every card of the scantiest node may have. */
export function cardShare(rooms: readonly Pick<Room, 'cores' | 'memoryGi' | 'gpus'>[]): Share {
  const least = (of: 'cores' | 'memoryGi') => Math.min(...rooms.map((room) => (room[of] * (1 - KEPT)) / room.gpus));
  return { cores: evenly(least('cores')), memoryGi: evenly(least('memoryGi')) };
}

/** Whole ones, or tenths of less than one. */
const evenly = (amount: number): number =>
  amount >= 1 ? Math.floor(amount) : Math.max(1, Math.floor(amount * 10)) / 10;

const withShares = (count: number, { cores, memoryGi }: Share): Wish => ({
  gpu: { model: '', count },
  cores: cores * count,
  memoryGi: memoryGi * count,
});

/** For 1, 2, 4 … cards: how many instances with their shares could start now, each on one node. */
function startsIn(rooms: readonly Room[], { cores, memoryGi }: Share, most: number): GpuSpecView['starts'] {
  const counts = [1, 2, 4, 8, 16].filter((count) => count <= most);
  return counts.map((count) => ({
    count,
    free: sum(rooms, (room) => copiesIn(room, sizeOf(withShares(count, { cores, memoryGi })))),
  }));
}

/** Tenths are no exact numbers. */
const ROUNDING = 1e-9;

const sharesOfHosts = new WeakMap<readonly Room[], Map<string, Share>>();

/** The same of the nodes of a host, by its uid; undefined while it has none. */
export function hostShare(rooms: readonly Room[], uid: string): Share | undefined {
  let shares = sharesOfHosts.get(rooms);
  if (!shares) {
    const byHost = Map.groupBy(
      rooms.filter(({ gpus, host }) => gpus > 0 && host !== undefined),
      ({ host }) => host as string,
    );
    shares = new Map([...byHost].map(([host, own]) => [host, cardShare(own)]));
    sharesOfHosts.set(rooms, shares);
  }
  return shares.get(uid);
}

export interface HostRoom {
  all: number;
  /** Cards that nothing holds, and no instance is about to. */
  free: number;
  /** The most on one node. */
  largest: number;
}

interface Holding {
  /** Undefined while it is not known. */
  node: string | undefined;
  cards: number;
}

/**
 * The holders of cards. Instances count by wish, not by Pods: two asked for at once do not get the same card. Tasks and services wait their
 * turn.
 */
const HOLDERS: readonly { kind: KindFacts; holdings(object: KubeObject): Holding[] }[] = [
  {
    kind: gpuInstance,
    holdings(object) {
      const { spec, status } = object as GpuInstance;
      const isAtRest = WITHOUT_GPU.has(gpuInstance.phaseInView(object));
      return isAtRest ? [] : [{ node: status?.node, cards: spec.gpu?.count ?? 0 }];
    },
  },
  ...TASKS.map((kind) => ({
    kind,
    holdings(object: KubeObject) {
      const { spec, status } = object as Task;
      return listOf(status?.workers)
        .filter(({ phase }) => phase === 'starting' || phase === 'running')
        .map(({ node }) => ({ node, cards: spec.gpu?.count ?? 0 }));
    },
  })),
  {
    kind: containerService,
    holdings(object) {
      const { spec, status } = object as ContainerService;
      return listOf(status?.pods)
        .filter(({ endedAt }) => endedAt === undefined)
        .map(({ node }) => ({ node, cards: spec.gpu?.count ?? 0 }));
    },
  },
  {
    kind: modelDeployment,
    holdings(object) {
      const cards = sizesOf(object as ModelDeployment).gpu?.count ?? 0;
      return listOf((object as ModelDeployment).status?.pods)
        .filter(({ endedAt }) => endedAt === undefined)
        .map(({ node }) => ({ node, cards }));
    },
  },
];
export const HOLDER_KINDS = HOLDERS.map(({ kind }) => kind);

const holdingsOf = (object: KubeObject): Holding[] =>
  HOLDERS.find(({ kind }) => kind.kind === object.kind)?.holdings(object) ?? [];

/** Its host's cards; none while it is at rest. */
export const cardsHeld = (object: KubeObject): number => sum(holdingsOf(object), ({ cards }) => cards);

/** The objects that are meant to run on a host. */
export function onHost(
  cache: Pick<WatchCache, 'by' | 'get' | 'reader'>,
  namespace: string,
  name: string,
): KubeObject[] {
  const tags = cache.get<GpuHost>(gpuHost, namespace, name)?.spec.tags ?? [];
  const tagged = tags.flatMap((tag) => cache.by<ModelDeployment>(modelDeployment, 'hostTag', `${namespace}/${tag}`));
  return [
    ...HOLDER_KINDS.flatMap((kind) => cache.by<KubeObject>(kind, 'host', `${namespace}/${name}`)),
    ...tagged.filter(({ spec }) => hostIn(cache.reader, namespace, spec)?.metadata.name === name),
  ];
}

/** `but` names an instance that is not counted. */
export function hostRoom({ spec, status }: GpuHost, objects: readonly KubeObject[], but?: string): HostRoom {
  const holding = objects
    .filter(({ kind, metadata }) => kind !== gpuInstance.kind || metadata.name !== but)
    .flatMap(holdingsOf);
  const all = spec.nodes * spec.gpu.count;
  const free = Math.max(0, all - sum(holding, ({ cards }) => cards));
  const onNode = (name: string) => sum(holding, ({ node, cards }) => (node === name ? cards : 0));
  const perNode = (status?.nodes ?? []).map(({ name }) => spec.gpu.count - onNode(name));
  const unseen = spec.nodes > perNode.length ? [spec.gpu.count] : [];
  return { all, free, largest: Math.max(0, Math.min(free, Math.max(0, ...perNode, ...unseen))) };
}

export interface Wish {
  gpu?: { model: string; count: number } | undefined;
  cores: number;
  memoryGi: number;
}

/** The request of one Pod of it: its root file system takes room on the node too. */
export const sizeOf = ({ gpu, cores, memoryGi }: Wish): Size => ({
  gpus: gpu?.count ?? 0,
  cores: milli(cores),
  // As containers get them.
  memoryGi: mebibytesOf(memoryGi) / 1024,
  rootGi: rootRoom({ memoryGi }).requestMi / 1024,
});

/** Whether one node has room for it now, and what size would fit. */
export function roomFor(wish: Wish, rooms: readonly Room[], quota: GpuQuota | undefined, placing: Placing) {
  const count = wish.gpu?.count ?? 0;
  const suited = suitedTo(rooms, wish.gpu, placing);
  const { open } = suited;
  const enough = open.filter(({ freeGpus }) => freeGpus >= count);
  const size = sizeOf(wish);
  const fitting = enough.find((room) => copiesIn(room, size) > 0);
  const [near] = enough
    .filter(({ freeCores, freeMemoryGi }) => freeCores + ROUNDING >= wish.cores && freeMemoryGi >= wish.memoryGi)
    .sort((a, b) => b.freeRootGi - a.freeRootGi);
  const roomiest = [...(enough.length > 0 ? enough : open)].sort(
    (a, b) => b.freeGpus - a.freeGpus || b.freeCores - a.freeCores,
  )[0];
  const withCards = open.filter(({ freeGpus }) => freeGpus > 0);
  const facts = {
    wanted: { model: wish.gpu?.model ?? null, count, cores: wish.cores, memory_gi: wish.memoryGi },
    free: sum(withCards, ({ freeGpus }) => freeGpus),
    nodes: withCards.length,
    largest: {
      count: Math.max(0, roomiest?.freeGpus ?? 0),
      cores: whole(roomiest?.freeCores ?? 0),
      memory_gi: whole(roomiest?.freeMemoryGi ?? 0),
    },
    quota_left: quota ? Math.max(0, quota.limit - quota.used) : null,
  };
  return { ...facts, ...verdict(wish, { ...suited, fitting, near }, { ...facts, quota }) };
}

/** A reason of the instance's own list, with what its sentence needs. */
function verdict(
  { gpu, cores, memoryGi }: Wish,
  {
    models,
    ofModel,
    closed,
    fitting,
    near,
  }: Omit<Suited<Room>, 'open'> & {
    fitting: Room | undefined;
    /** Has the cards, cores and memory. */
    near: Room | undefined;
  },
  { free, nodes, largest, quota }: Pick<FitView, 'free' | 'nodes' | 'largest'> & { quota: GpuQuota | undefined },
): Pick<FitView, 'fits' | 'blocked_by'> & { reason: keyof typeof gpuInstance.reasons; args: Record<string, string> } {
  const no = (
    blocked_by: NonNullable<FitView['blocked_by']>,
    reason: keyof typeof gpuInstance.reasons,
    args: Record<string, string | number>,
  ) => ({
    fits: false,
    blocked_by,
    reason,
    args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, `${value}`])),
  });
  const count = gpu?.count ?? 0;
  if (gpu && ofModel.length === 0)
    return no('model', 'UnknownGpuModel', { model: gpu.model, models: models.join(', ') || '–' });
  // A larger quota does not help if no node has so many cards.
  const most = Math.max(0, ...ofModel.map(({ gpus }) => gpus));
  if (gpu && most < count) return no('node', 'TooManyGpus', { count, model: gpu.model, most });
  if (gpu && quota && quota.limit - quota.used < count)
    return no('quota', 'QuotaExceeded', overGpuQuota(quota, count).args);
  if (closed) return no('free', 'NodesClosed', quoted('detail', closed));
  if (gpu && largest.count < count)
    return no('free', 'WaitingForGpus', { count, model: gpu.model, free, nodes, ahead: 0 });
  if (!fitting && near) {
    const { rootGi } = sizeOf({ gpu, cores, memoryGi });
    return near.freeRootGi < rootGi
      ? no('free', 'WaitingForRootRoom', { rootGi: up(rootGi), freeRootGi: whole(near.freeRootGi), ahead: 0 })
      : no('free', 'WaitingForPlaces', { ahead: 0 });
  }
  if (!fitting)
    return no('free', 'WaitingForRoom', {
      cores,
      memoryGi,
      freeCores: largest.cores,
      freeMemoryGi: largest.memory_gi,
      ahead: 0,
    });
  return { fits: true, blocked_by: null, reason: 'Scheduling', args: {} };
}

/** The reason, and what its sentence needs. */
export function overGpuQuota({ limit, used }: GpuQuota, count: number) {
  const amounts = { requested: `${count}`, used: `${used}`, limit: `${limit}` };
  return { reason: 'QuotaExceeded', args: quoted('detail', overQuota(QUOTA_OF_GPUS, amounts)) };
}

const QUOTA_OF_GPUS = `requests.${GPU_RESOURCE}`;

export interface GpuQuota {
  limit: number;
  used: number;
}

/** The tightest limit on the organisation's cards; undefined if nothing limits them. */
export function gpuQuota(caches: CacheReader, namespace: string): GpuQuota | undefined {
  return (caches.list(QUOTA, namespace) as readonly ResourceQuota[])
    .flatMap(({ spec, status }) => {
      const hard = spec?.hard?.[QUOTA_OF_GPUS];
      return hard === undefined ? [] : [{ limit: quantity(hard), used: quantity(status?.used?.[QUOTA_OF_GPUS]) }];
    })
    .toSorted((a, b) => a.limit - a.used - (b.limit - b.used))[0];
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
const up = (value: number): number => Math.ceil(value * 10) / 10;
const whole = (value: number): number => Math.max(0, Math.floor(value * 100) / 100);
