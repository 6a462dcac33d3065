// The room that the pool has for one more replica: the numbers in "why is it not there yet". No tenant is named.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import type { Said } from '@gantry/contract/said.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { placingIn } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { suitedTo } from '@gantry/kube/suited-nodes.ts';
import { poolOf } from '../pool.ts';

export interface Stock {
  /** The models of all nodes that are meant for it, whatever state they are in. */
  models: readonly string[];
  /** Why no node with enough cards accepts it. */
  closed?: Said | undefined;
  /** Free cards of the model. */
  free: number;
  /** Some node has enough of them. */
  fits: boolean;
  /** Free room on the roomiest node with enough cards. */
  freeCores: number;
  freeMemoryGi: number;
  freeRootGi: number;
  freePods: number;
}

/** Pure over the caches. */
export function stockFor({ spec }: ContainerService, waiting: Pod, caches: CacheReader): Stock {
  const { models, open, closed } = suitedTo(poolOf(caches).rooms, spec.gpu, placingIn(waiting));
  const enough = open.filter(({ freeGpus }) => freeGpus >= (spec.gpu?.count ?? 0));
  const rootGi = rootRoom(spec).requestMi / 1024;
  const lacks = (room: (typeof enough)[number]): number =>
    [
      room.freeCores < spec.cores,
      room.freeMemoryGi < spec.memoryGi,
      room.freeRootGi < rootGi,
      room.freePods < 1,
    ].filter(Boolean).length;
  const [roomiest] = [...enough].sort((a, b) => lacks(a) - lacks(b) || b.freeCores - a.freeCores);
  return {
    models,
    closed,
    free: open.reduce((sum, { freeGpus }) => sum + Math.max(0, freeGpus), 0),
    fits: roomiest !== undefined,
    freeCores: roomiest?.freeCores ?? 0,
    freePods: roomiest?.freePods ?? 0,
    freeMemoryGi: roomiest?.freeMemoryGi ?? 0,
    freeRootGi: roomiest?.freeRootGi ?? 0,
  };
}
