// Every GPU of the platform, by what becomes of it: used, free, broken or reserved. Pure over the caches; counted once per state of
// them, however many look.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { gpuFaultsOf, podKey } from '@gantry/contract/gpu-conditions.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { asks, offered } from '@gantry/kube/asks.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { closedTo, isReady, type Placing, type PoolRules, standOf } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { NODE, POD } from '../../platform/kube/resources.ts';
import { offerTo } from './stock.ts';

export interface GpuCount {
  model: string;
  name: string;
  total: number;
  used: number;
  free: number;
  broken: number;
  reserved: number;
}

export interface Census {
  gpus: GpuCount[];
  /** The requests on nodes that answer; memory in GiB. */
  requested: { resource: 'gpu' | 'cpu' | 'memory'; amount: number; of: number }[];
}

const known = new WeakMap<CacheReader, { at: string; census: Census }>();

/** The rules are the same for as long as the process runs. */
export function censusOf(caches: CacheReader, rules: PoolRules): Census {
  const at = `${caches.version(NODE)}/${caches.version(POD)}`;
  const before = known.get(caches);
  if (before?.at === at) return before.census;
  const census = count(caches, offerTo(rules));
  known.set(caches, { at, census });
  return census;
}

function count(caches: CacheReader, placing: Placing): Census {
  const byModel = new Map<string, GpuCount>();
  const totals = { gpu: [0, 0], cpu: [0, 0], memory: [0, 0] } satisfies Record<string, [number, number]>;
  for (const node of caches.list(NODE) as readonly Node[]) {
    const has = offered(node);
    const pods = (caches.by(POD, 'node', node.metadata.name) as readonly Pod[]).filter((pod) => !isTerminal(pod));
    const asked = pods.map(({ spec }) => asks(spec));
    const used = asked.reduce((sum, { gpus }) => sum + gpus, 0);
    const model = node.metadata.labels?.[LABEL.gpuModel];
    const all = Math.max(has.gpus, quantity(node.status?.capacity?.[GPU_RESOURCE]));
    if (model !== undefined && all > 0) add(byModel, model, cardsOf(node, all, has.gpus, used, pods, placing));
    if (!isReady(node)) continue;
    for (const { gpus, cores, bytes } of asked) {
      totals.gpu[0] += gpus;
      totals.cpu[0] += cores;
      totals.memory[0] += bytes / GI;
    }
    totals.gpu[1] += has.gpus;
    totals.cpu[1] += has.cores;
    totals.memory[1] += has.bytes / GI;
  }
  return {
    gpus: [...byModel.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    requested: (['gpu', 'cpu', 'memory'] as const).map((resource) => {
      const [amount, of] = totals[resource];
      return { resource, amount: hundredths(amount), of: hundredths(of) };
    }),
  };
}

/**
 * Cards of a node that does not answer are broken, whatever still stands on it; so are those that it has and does not offer, and the
 * unused ones that have failed: all of them where nobody says of which card an error is.
 */
function cardsOf(
  node: Node,
  all: number,
  healthy: number,
  requested: number,
  pods: readonly Pod[],
  placing: Placing,
): Omit<GpuCount, 'model' | 'name'> {
  if (!isReady(node)) return { total: all, used: 0, free: 0, broken: all, reserved: 0 };
  const used = Math.min(requested, healthy);
  const here = new Set(pods.map(podKey));
  const unused = gpuFaultsOf(node).filter(({ holders }) => !holders?.some((holder) => here.has(holder)));
  const isAny = unused.some(({ holders }) => holders === undefined);
  // A card that has failed may be one that the node does not offer any more.
  const broken = isAny ? all - used : Math.min(all - used, Math.max(all - healthy, unused.length));
  const left = all - used - broken;
  const { labels } = node.metadata;
  const isKept = labels?.[LABEL.nodeOwner] !== undefined || closedTo(standOf(node, new Set()), placing) !== undefined;
  return { total: all, used, free: isKept ? 0 : left, broken, reserved: isKept ? left : 0 };
}

function add(byModel: Map<string, GpuCount>, model: string, more: Omit<GpuCount, 'model' | 'name'>): void {
  const had = byModel.get(model) ?? { model, name: gpuName(model), total: 0, used: 0, free: 0, broken: 0, reserved: 0 };
  for (const part of ['total', 'used', 'free', 'broken', 'reserved'] as const) had[part] += more[part];
  byModel.set(model, had);
}

const hundredths = (amount: number): number => Math.round(amount * 100) / 100;
