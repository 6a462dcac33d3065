// Free capacity: on one host, in the shared pool, per GPU model. Counted from the caches, for answers before anything is created;
// the scheduler and the API server have the last word. Pure over its inputs.

import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { FitView, GpuSpecView } from '@gantry/contract/http/catalogue-views.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { WITHOUT_GPU } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { NODE, POD, QUOTA, type ResourceQuota } from './resources.ts';

interface Room {
  host: string | undefined;
  model: string | undefined;
  gpus: number;
  cores: number;
  memoryGi: number;
  freeGpus: number;
  freeCores: number;
  freeMemoryGi: number;
  /** Somebody's instance is there. */
  taken: boolean;
}

interface Amounts {
  gpus: number;
  cores: number;
  bytes: number;
}

const known = new WeakMap<CacheReader, { at: string; rooms: readonly Room[] }>();

/** Every node that accepts new Pods, with its free capacity. Counted once per state of the two caches: anybody may ask. */
export function roomsOf(caches: CacheReader): readonly Room[] {
  const at = `${caches.version(NODE)}/${caches.version(POD)}`;
  const before = known.get(caches);
  if (before?.at === at) return before.rooms;
  const rooms = (caches.list(NODE) as readonly Node[]).filter(isOpen).map((node) => roomOf(node, caches));
  known.set(caches, { at, rooms });
  return rooms;
}

function roomOf(node: Node, caches: CacheReader): Room {
  const pods = (caches.by(POD, 'node', node.metadata.name) as readonly Pod[]).filter((pod) => !isTerminal(pod));
  const { gpus, cores, bytes } = amountsOf(node, (resource) => quantity(node.status?.allocatable?.[resource]));
  const used = pods.map((pod) => amountsOf(pod, (resource) => asks(pod, resource)));
  return {
    host: node.metadata.labels?.[LABEL.nodeHost],
    model: gpus > 0 ? node.metadata.labels?.[LABEL.gpuModel] : undefined,
    gpus,
    cores,
    memoryGi: bytes / GI,
    freeGpus: gpus - sum(used, (one) => one.gpus),
    freeCores: cores - sum(used, (one) => one.cores),
    freeMemoryGi: (bytes - sum(used, (one) => one.bytes)) / GI,
    taken: pods.some(({ metadata }) => metadata.labels?.[LABEL.organization] !== undefined),
  };
}

/** Reading quantities is what costs, and caches never change an object: they replace it. */
const amounts = new WeakMap<Pod | Node, Amounts>();

function amountsOf(object: Pod | Node, read: (resource: string) => number): Amounts {
  const found = amounts.get(object) ?? { gpus: read(GPU_RESOURCE), cores: read('cpu'), bytes: read('memory') };
  amounts.set(object, found);
  return found;
}

const SIMULATED = 'kwok.x-k8s.io/node';
const isOpen = ({ metadata, spec, status }: Node): boolean =>
  !spec?.unschedulable &&
  status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' &&
  (spec?.taints ?? []).every(
    ({ effect, key, value }) =>
      effect === 'PreferNoSchedule' || key === SIMULATED || value === metadata.labels?.[LABEL.nodeHost],
  );

const asks = ({ spec }: Pod, resource: string): number =>
  (spec?.containers ?? []).reduce(
    (total, { resources }) => total + quantity(resources?.requests?.[resource] ?? resources?.limits?.[resource]),
    0,
  );

/** GPU models on offer: nodes that no organisation has as its host, by model and by cards of a node. */
export function gpuSpecs(
  rooms: readonly Room[],
  region: string,
  priceOf: (model: string) => Pick<GpuSpecView, 'price' | 'host_price'>,
): GpuSpecView[] {
  const groups = new Map<string, Room[]>();
  for (const room of rooms) {
    if (room.model === undefined || room.host !== undefined) continue;
    const id = `${room.model}-${room.gpus}`;
    groups.set(id, [...(groups.get(id) ?? []), room]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, [first, ...others]]) => {
      const all = [first as Room, ...others];
      return {
        id,
        gpu_type: first?.model ?? '',
        gpu_count: first?.gpus ?? 0,
        cores: Math.floor(Math.min(...all.map(({ cores }) => cores))),
        memory_gi: Math.floor(Math.min(...all.map(({ memoryGi }) => memoryGi))),
        nodes: all.length,
        total: sum(all, ({ gpus }) => gpus),
        free: sum(all, ({ freeGpus }) => Math.max(0, freeGpus)),
        free_nodes: all.filter(({ taken, gpus, freeGpus }) => !taken && gpus === freeGpus).length,
        ...priceOf(first?.model ?? ''),
        region,
      };
    });
}

export interface HostRoom {
  all: number;
  /** Cards that no instance holds or is about to. */
  free: number;
  /** The most on one node. */
  largest: number;
}

/** Its host's cards; none while it is at rest. */
export const cardsHeld = (instance: GpuInstance): number =>
  WITHOUT_GPU.has(gpuInstance.phaseInView(instance)) ? 0 : (instance.spec.gpu?.count ?? 0);

/** By the wishes of its instances, not by Pods: two asked for at once do not get the same card. `but` is not counted. */
export function hostRoom({ spec, status }: GpuHost, instances: readonly GpuInstance[], but?: string): HostRoom {
  const holding = instances.filter((one) => one.metadata.name !== but && cardsHeld(one) > 0);
  const all = spec.nodes * spec.gpu.count;
  const free = Math.max(0, all - sum(holding, (one) => one.spec.gpu?.count ?? 0));
  const onNode = (name: string) => sum(holding, (one) => (one.status?.node === name ? (one.spec.gpu?.count ?? 0) : 0));
  const perNode = (status?.nodes ?? []).map(({ name }) => spec.gpu.count - onNode(name));
  const unseen = spec.nodes > perNode.length ? [spec.gpu.count] : [];
  return { all, free, largest: Math.max(0, Math.min(free, Math.max(0, ...perNode, ...unseen))) };
}

export interface Wish {
  gpu?: { model: string; count: number } | undefined;
  cores: number;
  memoryGi: number;
}

/** Whether one node has room for it now, and what size would fit. `host` is the uid of the host it should run on. */
export function roomFor(wish: Wish, rooms: readonly Room[], quotaLeft: number | undefined, host?: string) {
  const suited = rooms.filter((room) => room.host === host && (!wish.gpu || room.model === wish.gpu.model));
  const count = wish.gpu?.count ?? 0;
  const enough = suited.filter(({ freeGpus }) => freeGpus >= count);
  const fitting = enough.find(
    ({ freeCores, freeMemoryGi }) => freeCores >= wish.cores && freeMemoryGi >= wish.memoryGi,
  );
  const roomiest = [...(enough.length > 0 ? enough : suited)].sort(
    (a, b) => b.freeGpus - a.freeGpus || b.freeCores - a.freeCores,
  )[0];
  const withCards = suited.filter(({ freeGpus }) => freeGpus > 0);
  const facts = {
    wanted: { model: wish.gpu?.model ?? null, count, cores: wish.cores, memory_gi: wish.memoryGi },
    free: sum(withCards, ({ freeGpus }) => freeGpus),
    nodes: withCards.length,
    largest: {
      count: Math.max(0, roomiest?.freeGpus ?? 0),
      cores: whole(roomiest?.freeCores ?? 0),
      memory_gi: whole(roomiest?.freeMemoryGi ?? 0),
    },
    quota_left: quotaLeft ?? null,
  };
  return { ...facts, ...verdict(wish, rooms, suited, fitting, facts, host) };
}

/** A reason of the instance's own list, with what its sentence needs. */
function verdict(
  { gpu, cores, memoryGi }: Wish,
  rooms: readonly Room[],
  suited: readonly Room[],
  fitting: Room | undefined,
  { free, nodes, largest, quota_left }: Omit<FitView, 'fits' | 'reason' | 'message'>,
  host: string | undefined,
): { fits: boolean; reason: keyof typeof gpuInstance.reasons; args: Record<string, string> } {
  const texts = (args: Record<string, string | number>) =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, `${value}`]));
  const no = (reason: keyof typeof gpuInstance.reasons, args: Record<string, string | number>) => ({
    fits: false,
    reason,
    args: texts(args),
  });
  const count = gpu?.count ?? 0;
  if (gpu && quota_left !== null && quota_left < count)
    return no('QuotaExceeded', { detail: `${GPU_RESOURCE}: ${count} > ${quota_left}` });
  if (gpu && suited.length === 0) {
    const models = [...new Set(rooms.flatMap((room) => (room.host === host ? (room.model ?? []) : [])))].sort();
    return no('UnknownGpuModel', { model: gpu.model, models: models.join(', ') || '–' });
  }
  const most = Math.max(0, ...suited.map(({ gpus }) => gpus));
  if (gpu && most < count) return no('TooManyGpus', { count, model: gpu.model, most });
  if (gpu && largest.count < count) return no('WaitingForGpus', { count, model: gpu.model, free, nodes, ahead: 0 });
  if (!fitting)
    return no('WaitingForRoom', {
      cores,
      memoryGi,
      freeCores: largest.cores,
      freeMemoryGi: largest.memory_gi,
      ahead: 0,
    });
  return { fits: true, reason: 'Scheduling', args: {} };
}

/** Cards that the organisation may still use; undefined if nothing limits them. */
export function gpuQuotaLeft(caches: CacheReader, namespace: string): number | undefined {
  const resource = `requests.${GPU_RESOURCE}`;
  const left = (caches.list(QUOTA, namespace) as readonly ResourceQuota[]).flatMap(({ spec, status }) => {
    const hard = spec?.hard?.[resource];
    return hard === undefined ? [] : [quantity(hard) - quantity(status?.used?.[resource])];
  });
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left));
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
const whole = (value: number): number => Math.max(0, Math.floor(value * 100) / 100);
