// Whether several of one size find room: all workers of a job at once, or a service's replicas; and the nearest size that does. Pure.

import type { WorkloadFitView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { PRIORITIES, type Task } from '@gantry/contract/fields/task.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { localized } from '@gantry/contract/localized.ts';
import { FIT_WORDS } from '@gantry/contract/size-words.ts';
import { copiesIn, type FreeRoom } from '@gantry/kube/asks.ts';
import type { Placing } from '@gantry/kube/placement.ts';
import { suitedTo } from '@gantry/kube/suited-nodes.ts';
import { type GpuQuota, overGpuQuota, type Room, roomFor, sizeOf, type Wish } from './stock.ts';

export interface ManyWish extends Wish {
  copies: number;
  /** All at once or none; otherwise each for itself. */
  together: boolean;
}

type Found = Omit<WorkloadFitView, 'message' | 'position'> & { message: Words };

export function roomForMany(
  wish: ManyWish,
  rooms: readonly Room[],
  quota: GpuQuota | undefined,
  placing: Placing,
): Found {
  const { copies, together, ...size } = wish;
  // Nodes of every model: the nearest size may be of another.
  const { ofModel: meant, open: own } = suitedTo(rooms, undefined, placing);
  const count = size.gpu?.count ?? 0;
  const { args, reason, ...one } = roomFor(size, rooms, quota, placing);
  const left = one.quota_left ?? Number.POSITIVE_INFINITY;
  const fitting = fittingOn(size, own, free);
  const facts = { ...one, copies: { wanted: copies, fitting } };
  const no = (blocked_by: Found['blocked_by'], said: string, message: Words): Found => ({
    ...facts,
    fits: false,
    blocked_by,
    reason: said,
    nearest: nearestTo(wish, own, left),
    message,
  });
  if (one.blocked_by === 'model' || one.blocked_by === 'node')
    return no(
      one.blocked_by,
      reason,
      inWords((language) => localized(gpuInstance, { reason, args }, language)),
    );
  const ever = fittingOn(size, meant, emptied);
  if (together && ever < copies) {
    const model = size.gpu ? gpuName(size.gpu.model) : 'CPU';
    const most = ever * Math.max(1, count);
    const never = { count: `${copies * Math.max(1, count)}`, model, most: `${most}` };
    return no(
      'node',
      'NotFitting',
      inWords((language) => sentence(job.reasons.NotFitting, language, never)),
    );
  }
  if (size.gpu && quota && left < count * copies) {
    const over = overGpuQuota(quota, count * copies);
    return no(
      'quota',
      'QuotaExceeded',
      inWords((language) => localized(gpuInstance, over, language)),
    );
  }
  if (copies > 1 && fitting < copies) {
    const counts = { workers: `${copies}`, fitting: `${fitting}` };
    const [said, words] = together
      ? (['NotEnoughForAll', job.reasons.NotEnoughForAll] as const)
      : (['RoomForSome', FIT_WORDS.someReplicas] as const);
    return no(
      'free',
      said,
      inWords((language) => sentence(words, language, counts)),
    );
  }
  if (!one.fits)
    return no(
      one.blocked_by,
      reason,
      inWords((language) => localized(gpuInstance, { reason, args }, language)),
    );
  return { ...facts, reason: null, nearest: null, message: FIT_WORDS.fits };
}

/** Those that wait with a higher or the same priority come first. Null: nothing says what waits. */
export function placeAmong(waiting: readonly Task[], priority: Task['spec']['priority']): number | null {
  if (waiting.length === 0) return null;
  const rank = PRIORITIES.indexOf(priority);
  return waiting.filter(({ spec }) => PRIORITIES.indexOf(spec.priority) >= rank).length + 1;
}

const free = (room: Room): FreeRoom => room;
/** The node as if nothing were there. */
const emptied = (room: Room): FreeRoom => ({
  freeGpus: room.gpus,
  freeCores: room.cores,
  freeMemoryGi: room.memoryGi,
  freeRootGi: room.rootGi,
  freePods: room.pods,
});

/** How many of a size the nodes have room for, each on one node. */
export function fittingOn(wish: Wish, rooms: readonly Room[], of: (room: Room) => FreeRoom): number {
  const size = sizeOf(wish);
  const suited = wish.gpu ? rooms.filter(({ model }) => model === wish.gpu?.model) : rooms;
  return suited.reduce((sum, room) => sum + copiesIn(of(room), size), 0);
}

/**
 * Fewer cards each, or fewer of them; another model only if that leaves less than half of the cards that were asked for. Never more
 * than was asked for: nobody should fear paying for more.
 */
function nearestTo({ copies, gpu, ...size }: ManyWish, rooms: readonly Room[], left: number): Found['nearest'] {
  const most = (one: Wish) =>
    Math.min(copies, fittingOn(one, rooms, free), Math.floor(left / (one.gpu?.count ?? 0.001)));
  if (!gpu) {
    const fitting = most(size);
    return fitting > 0 ? { model: null, count: 0, copies: fitting } : null;
  }
  const of = (model: string) =>
    Array.from({ length: gpu.count }, (_, index) => gpu.count - index)
      .map((count) => ({ model, count, copies: most({ ...size, gpu: { model, count } }) }))
      .filter((one) => one.copies > 0)
      .sort((a, b) => cardsOf(b) - cardsOf(a) || b.copies - a.copies)[0];
  const same = of(gpu.model);
  if (same && cardsOf(same) * 2 >= gpu.count * copies) return same;
  const models = [...new Set(rooms.flatMap(({ model }) => model ?? []))].filter((model) => model !== gpu.model).sort();
  const others = models.flatMap((model) => of(model) ?? []).sort((a, b) => cardsOf(b) - cardsOf(a));
  return [same, others[0]].flatMap((one) => one ?? []).sort((a, b) => cardsOf(b) - cardsOf(a))[0] ?? null;
}

const cardsOf = ({ count, copies }: { count: number; copies: number }): number => count * copies;

const inWords = (of: (language: 'en' | 'zh' | 'ja') => string): Words => ({ en: of('en'), zh: of('zh'), ja: of('ja') });
