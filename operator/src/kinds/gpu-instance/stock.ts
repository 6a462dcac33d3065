// How much room the pool has for one instance, counted from Nodes and Pods: the numbers in "why am I pending".
// No tenant is named, and the scheduler's own text is never parsed.
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Said } from '@gantry/contract/said.ts';
import type { FreeRoom } from '@gantry/kube/asks.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { closedTo, type Placing, placingIn } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { suitedTo } from '@gantry/kube/suited-nodes.ts';
import { poolOf, type Room } from '../../pool.ts';

/** The free room of a node, and whether this Pod may go there. */
export interface NodeRoom extends FreeRoom {
  isOpen: boolean;
}

/**
 * `free` and `most` are cards; the roomiest node is one that fits, else the one with most free cores among those with enough cards.
 * Nodes that the Pod may not go to do not count.
 */
export interface Stock {
  /** The models of all nodes that are meant for it, whatever state they are in. */
  models: readonly string[];
  /** Why no node with enough cards accepts it. */
  closed?: Said | undefined;
  /** Cards of the largest node of the model. */
  most: number;
  free: number;
  nodes: number;
  /** Some node has enough free cards. */
  fits: boolean;
  freeCores: number;
  freeMemoryGi: number;
  /** The node's own disk, for root file systems. */
  freeRootGi: number;
  /** Pods that it still takes. */
  freePods: number;
  /** Older Pods that wait for the same model (or for none, as this one). */
  ahead: number;
  /** The node on which the home's volume can be used, if it is one node alone; `room` is absent when the cluster has no such node. */
  home?: { node: string; room: NodeRoom | undefined };
}

/** Kubernetes counts in whole seconds: within one, the name decides, so that no two have the same place. */
const place = ({ metadata }: Pod): string => `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
const isOlder = (pod: Pod, than: Pod): boolean => place(pod) < place(than);

/** Closed is a node that takes nothing new, and one that this Pod may not go to. */
function roomAt(name: string, rooms: readonly Room[], placing: Placing): NodeRoom | undefined {
  const room = rooms.find((one) => one.name === name);
  if (!room) return undefined;
  const { freeGpus, freeCores, freeMemoryGi, freeRootGi, freePods } = room;
  return { isOpen: closedTo(room, placing) === undefined, freeGpus, freeCores, freeMemoryGi, freeRootGi, freePods };
}

/** The room for this instance's own waiting Pod; `homeNode` is the one node that its home is on. Pure over the caches. */
export function stockFor(owner: GpuInstance, waiting: Pod, caches: CacheReader, homeNode?: string): Stock {
  const { rooms, pending } = poolOf(caches);
  const { gpu } = owner.spec;
  const placing = placingIn(waiting);
  const { models, ofModel, open, closed } = suitedTo(rooms, gpu, placing);
  const withCards = open.filter(({ freeGpus }) => freeGpus > 0);
  const enoughCards = open.filter(({ freeGpus }) => freeGpus >= (gpu?.count ?? 0));
  const rootGi = rootRoom(owner.spec).requestMi / 1024;
  const withRoom = enoughCards.filter(
    ({ freeCores, freeMemoryGi }) => freeCores >= owner.spec.cores && freeMemoryGi >= owner.spec.memoryGi,
  );
  const roomy =
    withRoom.find(({ freeRootGi, freePods }) => freeRootGi >= rootGi && freePods >= 1) ??
    withRoom.sort((a, b) => b.freeRootGi - a.freeRootGi)[0] ??
    enoughCards.sort((a, b) => b.freeCores - a.freeCores)[0];
  return {
    models,
    most: Math.max(0, ...ofModel.map(({ gpus }) => gpus)),
    closed,
    free: withCards.reduce((sum, { freeGpus }) => sum + freeGpus, 0),
    nodes: withCards.length,
    fits: roomy !== undefined,
    freeCores: roomy?.freeCores ?? 0,
    freeMemoryGi: roomy?.freeMemoryGi ?? 0,
    freeRootGi: roomy?.freeRootGi ?? 0,
    freePods: roomy?.freePods ?? 0,
    ahead: pending.filter((pod) => pod.spec?.nodeSelector?.[LABEL.gpuModel] === gpu?.model && isOlder(pod, waiting))
      .length,
    ...(homeNode !== undefined && { home: { node: homeNode, room: roomAt(homeNode, rooms, placing) } }),
  };
}
