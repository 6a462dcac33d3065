// The objects affected by faults of nodes and cards: which ones of tenants, from when, until when, and at what price.
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { affects, gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { openIntervals, usesNow } from '../../core/billing/prices/price-of.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Core } from '../../core/open.ts';
import { NODE, POD } from '../../platform/kube/resources.ts';
import type { Affected, FaultyNode } from './fault-watch.ts';

type PriceOf = Core['billing']['priceOf'];

export const faultyNodes = ({ cache }: Pick<Cluster, 'cache'>): FaultyNode[] =>
  (cache.reader.list(NODE) as readonly Node[]).flatMap((node) => {
    // The newest fault of conditions counts, as for the operator; of cards each one counts.
    const faults = gpuFaultsOf(node);
    const newest = faults.find(({ holders }) => holders === undefined);
    return faults
      .filter((fault) => fault.holders !== undefined || fault === newest)
      .map((fault) => ({ ...fault, node: node.metadata.name, since: Math.max(0, fault.since) }));
  });

/** Something of a tenant's with GPUs on a node, and its Pods there. */
interface Here {
  readonly one: BilledObject;
  readonly pods: readonly Pod[];
}

/**
 * The objects affected at each look. A job leaves a node within moments of its fault: at the first look after that, the objects that ran
 * there at the look before are affected, too.
 */
export function affectedAtEachLook(
  cluster: Pick<Cluster, 'billed' | 'cache'>,
  priceOf: PriceOf,
): (now: number) => Affected[] {
  let before: ReadonlyMap<string, readonly Here[]> = new Map();
  let known: ReadonlySet<string> = new Set();
  const keyOf = ({ node, since, detail }: FaultyNode) => `${node} ${since} ${detail}`;
  return (now) => {
    const faulty = faultyNodes(cluster);
    const here = gpusByNode(cluster);
    const affected = faulty.flatMap((at) => {
      const left = known.has(keyOf(at)) ? [] : (before.get(at.node) ?? []);
      const ran = left.filter(({ one }) => !hasEndedBefore(at.since, one, cluster));
      const hit = [...ran, ...(here.get(at.node) ?? [])].filter(({ pods }) => pods.some((pod) => affects(at, pod)));
      const all = new Map(hit.map(({ one }) => [one.uid, one]));
      return [...all.values()].map((one) => affectedOf(one, at, priceOf, now));
    });
    before = here;
    known = new Set(faulty.map(keyOf));
    return affected;
  };
}

/** A run of several workers has several Pods, and is one. */
function gpusByNode({ billed, cache }: Pick<Cluster, 'billed' | 'cache'>): Map<string, Here[]> {
  const found = new Map<string, Here[]>();
  for (const pod of cache.reader.list(POD) as readonly Pod[]) {
    const { namespace = '', labels = {} } = pod.metadata;
    const { [LABEL.kind]: kind, [LABEL.name]: name } = labels;
    const node = pod.spec?.nodeName;
    if (node === undefined || kind === undefined || name === undefined) continue;
    const one = billed.get({ kind, namespace, name });
    if (!one || !usesNow(one).some(({ resource }) => resource.endsWith('gpu'))) continue;
    const there = found.get(node) ?? [];
    const others = there.filter((known) => known.one !== one);
    const pods = there.find((known) => known.one === one)?.pods ?? [];
    found.set(node, [...others, { one, pods: [...pods, pod] }]);
  }
  return found;
}

/** By itself, and not because of the fault. */
function hasEndedBefore(since: number, one: BilledObject, { billed }: Pick<Cluster, 'billed'>): boolean {
  const { metadata } = one.object;
  const now = billed.get({ kind: one.facts.kind, namespace: metadata.namespace ?? '', name: metadata.name });
  const ran = new Set(openIntervals(one).map(({ seq }) => seq));
  return (now?.object.status?.intervals ?? []).some(
    ({ seq, to }) => ran.has(seq) && (instantOf(to) ?? Number.POSITIVE_INFINITY) < since,
  );
}

function affectedOf(one: BilledObject, at: FaultyNode, priceOf: PriceOf, now: number): Affected {
  const { facts, object, uid, organizationId } = one;
  const { spec, metadata } = object as typeof object & { spec: { displayName?: string } };
  const { net: perHour, currency } = priceOf(one);
  const began = Math.min(...openIntervals(one).map(({ from }) => instantOf(from) ?? now));
  return {
    ...{ ...at, uid, organizationId, kind: facts.kind, name: metadata.name },
    title: spec.displayName ?? metadata.name,
    creator: spec.creator,
    from: at.since === 0 ? now : Math.max(at.since, began),
    perHour,
    currency,
  };
}

/** Intervals without a gap between them are one run. Infinite where none is of that instant: what is posted may be gone. */
export function endOfRun(intervals: readonly Pick<Interval, 'from' | 'to'>[], from: number): number {
  let end: number | undefined;
  for (const interval of intervals) {
    const began = instantOf(interval.from) ?? Number.POSITIVE_INFINITY;
    const to = instantOf(interval.to) ?? Number.POSITIVE_INFINITY;
    if (began <= (end ?? from) && to >= from) end = Math.max(end ?? from, to);
  }
  return end ?? Number.POSITIVE_INFINITY;
}
