// The room that every node has free, summed up from Nodes and Pods once per state of the caches. No tenant is named.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { type NodeStand, standOf } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { NODE, POD } from './resources.ts';

/** What a node has free now. */
export interface FreeRoom {
  freeGpus: number;
  freeCores: number;
  freeMemoryGi: number;
  freeRootGi: number;
}

export interface Room extends FreeRoom, NodeStand {
  name: string;
  model: string | undefined;
  gpus: number;
}

export interface Pool {
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

/** The sum over the whole pool, made once per state of the two caches however many objects wait. */
export function poolOf(caches: CacheReader): Pool {
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
      ...standOf(node, holders.get(node.metadata.name) ?? NOBODY),
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

const mostCards = new WeakMap<CacheReader, { at: number; cards: ReadonlyMap<string, number> }>();

/** The most cards that one node of the pool has, by model, in whatever state it is. Made once per state of the nodes. */
export function mostCardsIn(caches: CacheReader): ReadonlyMap<string, number> {
  const at = caches.version(NODE);
  const known = mostCards.get(caches);
  if (known?.at === at) return known.cards;
  const cards = new Map<string, number>();
  for (const node of caches.list(NODE) as readonly Node[]) {
    const model = node.metadata.labels?.[LABEL.gpuModel];
    const { gpus } = amountsOf(node, has);
    if (model !== undefined && gpus > 0 && !(LABEL.nodeHost in (node.metadata.labels ?? {})))
      cards.set(model, Math.max(cards.get(model) ?? 0, gpus));
  }
  mostCards.set(caches, { at, cards });
  return cards;
}
