// The room that every node has free, summed up from Nodes and Pods once per state of the caches. No tenant is named.
import { LABEL } from '@gantry/contract/names.ts';
import { type FreeRoom, freeRoom, offered } from '@gantry/kube/asks.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { type NodeStand, standOf } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { NODE, POD } from './resources.ts';

export interface Room extends FreeRoom, NodeStand {
  name: string;
  model: string | undefined;
  gpus: number;
}

export interface Pool {
  rooms: readonly Room[];
  pending: readonly Pod[];
}

const NOBODY: ReadonlySet<string> = new Set();

const pools = new WeakMap<CacheReader, Pool & { at: string }>();

/** The sum over the whole pool, made once per state of the two caches however many objects wait. */
export function poolOf(caches: CacheReader): Pool {
  const at = `${caches.version(NODE)}/${caches.version(POD)}`;
  const known = pools.get(caches);
  if (known?.at === at) return known;
  const placed = new Map<string, Pod[]>();
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
    const there = placed.get(name);
    if (there) there.push(pod);
    else placed.set(name, [pod]);
  }
  const rooms = (caches.list(NODE) as readonly Node[]).map((node) => {
    const { gpus } = offered(node);
    return {
      name: node.metadata.name,
      ...standOf(node, holders.get(node.metadata.name) ?? NOBODY),
      model: gpus > 0 ? node.metadata.labels?.[LABEL.gpuModel] : undefined,
      gpus,
      ...freeRoom(node, placed.get(node.metadata.name) ?? []),
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
    const { gpus } = offered(node);
    if (model !== undefined && gpus > 0 && !(LABEL.nodeHost in (node.metadata.labels ?? {})))
      cards.set(model, Math.max(cards.get(model) ?? 0, gpus));
  }
  mostCards.set(caches, { at, cards });
  return cards;
}
