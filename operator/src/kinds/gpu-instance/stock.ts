// How much room the pool has for one instance, counted from Nodes and Pods: the numbers in "why am I pending".
// No tenant is named, and the scheduler's own text is never parsed.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { NODE, POD } from '../../resources.ts';

/** `free` and `most` are cards; the roomiest node is one that fits, else the one with most free cores among
 * those with enough cards. Nodes that the Pod may not go to do not count. */
export interface Stock {
  models: readonly string[];
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
  /** Older Pods that wait for the same model (or for none, as this one). */
  ahead: number;
  /** Where the home's volume can be used, if on one node alone; `room` is absent when the cluster has no such node. */
  home?: { node: string; room: HomeRoom | undefined };
}

export interface HomeRoom {
  isOpen: boolean;
  freeGpus: number;
  freeCores: number;
  freeMemoryGi: number;
  freeRootGi: number;
}

interface Room extends HomeRoom {
  name: string;
  /** The uid of the host that has the node. */
  host: string | undefined;
  taints: readonly Taint[];
  /** The organisations with instances on the node. */
  organizations: ReadonlySet<string>;
  model: string | undefined;
  gpus: number;
}

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

interface Pool {
  rooms: readonly Room[];
  pending: readonly Pod[];
}

/** Amounts of a Pod or a node: cards, cores, bytes of memory and of the node's disk. */
interface Amounts {
  gpus: number;
  cores: number;
  bytes: number;
  rootBytes: number;
}

// Ten thousand Pods are summed up again whenever one of them changes, and parsing quantities is expensive. Caches never change an
// object: they replace it.
const amounts = new WeakMap<Pod | Node, Amounts>();

function amountsOf<T extends Pod | Node>(object: T, read: (object: T, resource: string) => number): Amounts {
  const known = amounts.get(object);
  if (known) return known;
  const found = {
    gpus: read(object, GPU_RESOURCE),
    cores: read(object, 'cpu'),
    bytes: read(object, 'memory'),
    rootBytes: read(object, 'ephemeral-storage'),
  };
  amounts.set(object, found);
  return found;
}

const asks = ({ spec }: Pod, resource: string): number =>
  (spec?.containers ?? []).reduce(
    (total, { resources }) => total + quantity(resources?.requests?.[resource] ?? resources?.limits?.[resource]),
    0,
  );
const NONE: Amounts = { gpus: 0, cores: 0, bytes: 0, rootBytes: 0 };
const has = ({ status }: Node, resource: string): number => quantity(status?.allocatable?.[resource]);

const NOBODY: ReadonlySet<string> = new Set();

const pools = new WeakMap<CacheReader, Pool & { at: string }>();

/** The sum over the whole pool, made once per state of the two caches however many instances wait. */
function poolOf(caches: CacheReader): Pool {
  const at = `${caches.version(NODE)}/${caches.version(POD)}`;
  const known = pools.get(caches);
  if (known?.at === at) return known;
  const used = new Map<string, Amounts>();
  const holders = new Map<string, Set<string>>();
  const pending: Pod[] = [];
  for (const pod of caches.list(POD) as readonly Pod[]) {
    if (isTerminal(pod)) continue;
    const name = pod.spec?.nodeName;
    if (name === undefined) {
      pending.push(pod);
      continue;
    }
    const organization = pod.metadata.labels?.[LABEL.organization];
    if (organization !== undefined) holders.set(name, (holders.get(name) ?? new Set()).add(organization));
    const asked = amountsOf(pod, asks);
    const sum = used.get(name);
    if (sum) {
      sum.gpus += asked.gpus;
      sum.cores += asked.cores;
      sum.bytes += asked.bytes;
      sum.rootBytes += asked.rootBytes;
    } else used.set(name, { ...asked });
  }
  const rooms = (caches.list(NODE) as readonly Node[]).map((node) => {
    const { gpus, cores, bytes, rootBytes } = amountsOf(node, has);
    const taken = used.get(node.metadata.name) ?? NONE;
    return {
      name: node.metadata.name,
      isOpen: isOpen(node),
      host: node.metadata.labels?.[LABEL.nodeHost],
      taints: node.spec?.taints ?? [],
      organizations: holders.get(node.metadata.name) ?? NOBODY,
      model: gpus > 0 ? node.metadata.labels?.[LABEL.gpuModel] : undefined,
      gpus,
      freeGpus: gpus - taken.gpus,
      freeCores: cores - taken.cores,
      freeMemoryGi: (bytes - taken.bytes) / GI,
      freeRootGi: (rootBytes - taken.rootBytes) / GI,
    };
  });
  const pool = { rooms, pending, at };
  pools.set(caches, pool);
  return pool;
}

const isOpen = ({ spec, status }: Node): boolean =>
  !spec?.unschedulable && status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

/** Kubernetes counts in whole seconds: within one, the name decides, so that no two have the same place. */
const place = ({ metadata }: Pod): string => `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
const isOlder = (pod: Pod, than: Pod): boolean => place(pod) < place(than);

/** Whether the scheduler would look at the node at all: taints, whose host it is, and a pool where a node serves one organisation at a time. */
function isOpenTo({ metadata, spec }: Pod, { taints, organizations, host }: Room): boolean {
  const tolerated = taints.every(
    ({ key, effect }) =>
      effect === 'PreferNoSchedule' ||
      spec?.tolerations?.some((one) => one.key === key && (one.effect ?? effect) === effect),
  );
  const own = metadata.labels?.[LABEL.organization];
  const isExclusive = spec?.affinity?.podAntiAffinity !== undefined;
  const [term] = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = term?.matchExpressions?.find(({ key }) => key === LABEL.nodeHost);
  if (wanted && host !== wanted.values?.[0]) return false;
  return tolerated && (!isExclusive || [...organizations].every((organization) => organization === own));
}

/** Closed is a node that takes nothing new, and one that this Pod may not go to. */
function roomAt(name: string, rooms: readonly Room[], waiting: Pod): HomeRoom | undefined {
  const room = rooms.find((one) => one.name === name);
  if (!room) return undefined;
  const { freeGpus, freeCores, freeMemoryGi, freeRootGi } = room;
  return { isOpen: room.isOpen && isOpenTo(waiting, room), freeGpus, freeCores, freeMemoryGi, freeRootGi };
}

/** The room for this instance's own waiting Pod; `homeNode` is the one node that its home is on. Pure over the caches. */
export function stockFor(owner: GpuInstance, waiting: Pod, caches: CacheReader, homeNode?: string): Stock {
  const { rooms, pending } = poolOf(caches);
  const { gpu } = owner.spec;
  const open = rooms.filter((room) => room.isOpen && isOpenTo(waiting, room));
  const suited = gpu ? open.filter(({ model }) => model === gpu.model) : open;
  const withCards = suited.filter(({ freeGpus }) => freeGpus > 0);
  const enoughCards = suited.filter(({ freeGpus }) => freeGpus >= (gpu?.count ?? 0));
  const rootGi = rootRoom(owner.spec).requestMi / 1024;
  const withRoom = enoughCards.filter(
    ({ freeCores, freeMemoryGi }) => freeCores >= owner.spec.cores && freeMemoryGi >= owner.spec.memoryGi,
  );
  const roomy =
    withRoom.find(({ freeRootGi }) => freeRootGi >= rootGi) ??
    withRoom.sort((a, b) => b.freeRootGi - a.freeRootGi)[0] ??
    enoughCards.sort((a, b) => b.freeCores - a.freeCores)[0];
  return {
    models: [...new Set(open.flatMap(({ model }) => model ?? []))].sort(),
    most: Math.max(0, ...suited.map(({ gpus }) => gpus)),
    free: withCards.reduce((sum, { freeGpus }) => sum + freeGpus, 0),
    nodes: withCards.length,
    fits: roomy !== undefined,
    freeCores: roomy?.freeCores ?? 0,
    freeMemoryGi: roomy?.freeMemoryGi ?? 0,
    freeRootGi: roomy?.freeRootGi ?? 0,
    ahead: pending.filter((pod) => pod.spec?.nodeSelector?.[LABEL.gpuModel] === gpu?.model && isOlder(pod, waiting))
      .length,
    ...(homeNode !== undefined && { home: { node: homeNode, room: roomAt(homeNode, rooms, waiting) } }),
  };
}
