// Checks common to jobs and services. Both wait for cards that others have, so only programs that can never run are refused.

import { quantity } from '@gantry/contract/fields/quantity.ts';
import { nextTimes, type Recurrence, UTC } from '@gantry/contract/fields/schedule.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { JobSpec } from '@gantry/contract/kinds/job.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { isApplied } from '../../../platform/kube/is-applied.ts';
import { nameOf } from '../../../platform/kube/list-order.ts';
import { NODE } from '../../../platform/kube/resources.ts';
import type { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { type Asked, hostNamed } from '../checks.ts';
import type { Spec } from './hooks.ts';

interface Size {
  host?: string | undefined;
  gpu?: JobSpec['gpu'] | undefined;
  /** How many of it run at once, at least. */
  count: number;
}

/** Throws no_such_reference, wrong_gpu, not_enough_gpus, gpu_unknown, gpu_too_many. */
export function checkSize(cache: WatchCache, { host: name, gpu, count }: Size, asked: Asked): void {
  if (name === undefined) {
    if (gpu) checkModel(cache, gpu);
    return;
  }
  const host = hostNamed(cache, name, asked);
  if (!gpu) return;
  const { model, count: most } = host.spec.gpu;
  if (gpu.model !== model || gpu.count > most)
    throw problem(
      'wrong_gpu',
      { host: nameOf(host), model: gpuName(model), count: most, asked: gpuName(gpu.model), wanted: gpu.count },
      { field: 'gpu' },
    );
  // Each runs on one node: what a node has left beside whole ones helps none.
  const fitting = host.spec.nodes * Math.floor(most / gpu.count);
  if (count > fitting) {
    const all = host.spec.nodes * most;
    throw problem(
      'not_enough_gpus',
      { host: nameOf(host), all, free: all, largest: most, wanted: gpu.count * count },
      { field: 'gpu.count' },
    );
  }
}

/** Nodes that accept no Pods now may do so again: they count. A cluster without any cards may get its nodes yet. */
function checkModel(cache: WatchCache, { model, count }: NonNullable<JobSpec['gpu']>): void {
  const cards = new Map<string, number>();
  for (const { metadata, status } of cache.reader.list(NODE) as readonly Node[]) {
    const own = metadata.labels?.[LABEL.gpuModel];
    const has = quantity(status?.capacity?.[GPU_RESOURCE] ?? status?.allocatable?.[GPU_RESOURCE]);
    if (own !== undefined && has > 0) cards.set(own, Math.max(has, cards.get(own) ?? 0));
  }
  if (cards.size === 0) return;
  const most = cards.get(model);
  if (most === undefined)
    throw problem('gpu_unknown', { model, models: [...cards.keys()].sort().join(', ') }, { field: 'gpu.model' });
  if (count > most)
    throw problem('gpu_too_many', { wanted: count, model: gpuName(model), most }, { field: 'gpu.count' });
}

/** The schema knows the shape alone. Throws schedule_unreadable, with the field that cannot be read. */
export function checkRecurrence({ cron, timeZone = UTC }: Recurrence, field?: string): void {
  if (nextTimes({ cron, timeZone }, 0, 1) !== undefined) return;
  const isCron = nextTimes({ cron }, 0, 1) === undefined;
  const at = [...(field === undefined ? [] : [field]), isCron ? 'cron' : 'timeZone'].join('.');
  throw problem('schedule_unreadable', { field: at, value: isCron ? cron : timeZone }, { field: at });
}

/** Whether a change starts something or raises what it uses: the person who makes it pays for it from then on. */
export const startedBy =
  (fields: readonly string[]) =>
  (object: object, wish: Spec, account: string): Spec | undefined => {
    const { spec } = object as { spec: Spec };
    const isStart =
      (wish.power ?? spec.power) === 'Running' &&
      fields.some((field) => wish[field] !== undefined && !isApplied(spec[field], wish[field]));
    return isStart ? { startedBy: account } : undefined;
  };

/** A field after the change: null has taken it away. */
export function afterwards<T>(change: unknown, before: T | undefined): T | undefined {
  if (change === undefined) return before;
  if (change === null) return undefined;
  const isObject = (value: unknown): value is object => typeof value === 'object' && !Array.isArray(value);
  return (isObject(change) && isObject(before) ? { ...before, ...change } : change) as T;
}
