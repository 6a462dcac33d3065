// What room the pool has for one more replica: the numbers in "why is it not there yet". No tenant is named.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { isOpenTo, poolOf } from '../pool.ts';

export interface Stock {
  /** The models of all nodes that it may go to. */
  models: readonly string[];
  /** Free cards of the model. */
  free: number;
  /** Some node has enough of them. */
  fits: boolean;
  /** Of the roomiest node that has. */
  freeCores: number;
  freeMemoryGi: number;
  freeRootGi: number;
}

/** Pure over the caches. */
export function stockFor({ spec }: ContainerService, waiting: Pod, caches: CacheReader): Stock {
  const open = poolOf(caches).rooms.filter((room) => room.isOpen && isOpenTo(waiting, room));
  const suited = spec.gpu ? open.filter(({ model }) => model === spec.gpu?.model) : open;
  const enough = suited.filter(({ freeGpus }) => freeGpus >= (spec.gpu?.count ?? 0));
  const rootGi = rootRoom(spec).requestMi / 1024;
  const lacks = (room: (typeof enough)[number]): number =>
    [room.freeCores < spec.cores, room.freeMemoryGi < spec.memoryGi, room.freeRootGi < rootGi].filter(Boolean).length;
  const [roomiest] = [...enough].sort((a, b) => lacks(a) - lacks(b) || b.freeCores - a.freeCores);
  return {
    models: [...new Set(open.flatMap(({ model }) => model ?? []))].sort(),
    free: suited.reduce((sum, { freeGpus }) => sum + Math.max(0, freeGpus), 0),
    fits: roomiest !== undefined,
    freeCores: roomiest?.freeCores ?? 0,
    freeMemoryGi: roomiest?.freeMemoryGi ?? 0,
    freeRootGi: roomiest?.freeRootGi ?? 0,
  };
}
