// An instance's limits on its node besides those in its spec: space for its root file system, and processes. Operator, API and
// console read the same numbers.

/** Per GiB of memory: small instances are cheap to hold, large ones install much. */
const ROOT_GI_PER_MEMORY_GI = 5;
const ROOT_GI = { least: 1, most: 200 };
/** Few fill their limit. The node sets this part aside; when its disk runs low, those that use more than their part go first. */
const PART_SET_ASIDE = 5;

/** Everything that a container writes outside its mounted disks, its log included. `requestMi` is what the node sets aside. */
export function rootRoom({ memoryGi }: { memoryGi: number }): { limitGi: number; requestMi: number } {
  const wanted = Math.ceil(memoryGi * ROOT_GI_PER_MEMORY_GI);
  const limitGi = Math.min(Math.max(wanted, ROOT_GI.least), ROOT_GI.most);
  return { limitGi, requestMi: Math.ceil((limitGi * 1024) / PART_SET_ASIDE) };
}

/**
 * Processes and threads of one instance. A Pod cannot ask for this limit: `podPidsLimit` in the configuration of every node's
 * kubelet sets it, and has to be this number.
 */
export const MOST_PROCESSES = 4096;
