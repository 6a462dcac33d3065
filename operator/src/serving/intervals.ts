// The billed use of a service: the sum over its billed replicas, in one sequence; every change of the sum begins the next interval. A
// replica counts from its first Ready, or from the 60th second of its container, until it is gone.

import { sizeUse } from '@gantry/contract/billing/resources.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { milli, quantity } from '@gantry/contract/fields/quantity.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant, kept, openIn, stretched, type Use, wholeSeconds, withoutEmpty } from '../metering.ts';
import { childName } from './desired.ts';
import type { Facts } from './facts.ts';
import type { Replica } from './replicas.ts';

/** As many fit into a status with those that one plan adds. Beyond them only an end is recorded, until billing has caught up. */
const MOST = 200;
const MOST_USES = 8;
const MOST_PART_LETTERS = 253;

/** A stretch in which one replica is billed. */
interface Share {
  replica: Replica;
  from: Instant;
  to: Instant;
}

/** Follows from the recorded intervals, the replicas as they are now, and what the status says of each. */
export function intervalsOf(f: Facts): readonly Interval[] {
  const known = f.status.intervals ?? [];
  const shares = f.replicas.flatMap((replica) => shareOf(replica, f) ?? []);
  const open = openIn(known);
  const floor = instant(open?.from ?? known.at(-1)?.to) ?? Number.NEGATIVE_INFINITY;
  const at = wholeSeconds(f.now);
  const moments = [...shares.flatMap(({ from, to }) => [from, to]), ...vanished(f), at]
    .map((moment) => Math.min(Math.max(wholeSeconds(moment), floor), Math.max(at, floor)))
    .sort((a, b) => a - b);
  const line = [...new Set(moments)].reduce<readonly Interval[]>((sofar, moment) => {
    const used = shares.filter(({ from, to }) => wholeSeconds(from) <= moment && wholeSeconds(to) > moment);
    return stretch(
      sofar,
      used.map(({ replica }) => replica),
      moment,
      f,
    );
  }, known);
  return kept(withoutEmpty(known, line), f.owner, f.settings.creditGate);
}

/** One that is lost was last known to run at its node's last heartbeat. */
function shareOf(replica: Replica, { seen: { leases, nodes }, now }: Facts): Share | undefined {
  const { usedSince: from, endedAt, isLost, node = '' } = replica;
  if (from === undefined) return undefined;
  const silent = isLost ? Math.min(instant(leases[node]) ?? nodes[node]?.since ?? now, now) : undefined;
  const to = Math.min(endedAt ?? Number.POSITIVE_INFINITY, silent ?? Number.POSITIVE_INFINITY);
  return { replica, from, to: Math.max(to, from) };
}

/** When billed replicas went whose Pods nobody sees any more. From then on they are not in the sum. */
function vanished({ status, replicas, seen: { leases, nodes }, now }: Facts): Instant[] {
  return (status.pods ?? [])
    .filter(({ uid, billedFrom }) => billedFrom !== undefined && !replicas.some((one) => one.uid === uid))
    .map(({ node = '' }) => (nodes[node]?.ready === 'True' ? now : Math.min(instant(leases[node]) ?? now, now)));
}

function stretch(line: readonly Interval[], used: readonly Replica[], at: Instant, f: Facts): readonly Interval[] {
  const uses = sumOf(used.map(({ pod }) => pod));
  if (line.length >= MOST && uses.length > 0 && openIn(line)) return line;
  const run = Math.max(0, ...used.map(({ revision = 0 }) => revision));
  return stretched(line, {
    subjectUID: identityOf(f.owner),
    ...(run > 0 && { run }),
    ...(used.length > 0 && { parts: partsOf(f, used) }),
    uses,
    at,
  });
}

/** The replicas by the ends of their names; how many, where they are too many to name. */
function partsOf({ owner }: Facts, used: readonly Replica[]): string {
  const prefix = `${childName(owner)}-`;
  const names = used.map(({ pod: { metadata } }) =>
    metadata.name.startsWith(prefix) ? metadata.name.slice(prefix.length).split('-').at(-1) : metadata.name,
  );
  const text = names.sort().join(', ');
  return text.length <= MOST_PART_LETTERS ? text : String(names.length);
}

/** The sum over all of them, as they requested it. */
function sumOf(pods: readonly Pod[]): Use[] {
  const sums = new Map<string, { resource: string; model?: string; amount: number }>();
  for (const pod of pods)
    for (const { resource, model, amount } of heldBy(pod)) {
      const key = `${resource} ${model ?? ''}`;
      const before = sums.get(key)?.amount ?? 0;
      sums.set(key, { resource, ...(model !== undefined && { model }), amount: before + amount });
    }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_USES)
    .map(([, { resource, model, amount }]) =>
      resource.endsWith('memory')
        ? sizeUse(resource, amount)
        : { resource, ...(model !== undefined && { model }), quantity: milli(amount) },
    );
}

/** The resources that a Pod holds; an edit may have changed the spec since. */
function heldBy({ spec, metadata }: Pod): { resource: string; model?: string; amount: number }[] {
  const asked = spec?.containers[0]?.resources?.requests ?? {};
  const amount = (text: string | undefined) => {
    const value = quantity(text);
    return Number.isFinite(value) && value > 0 ? value : 0;
  };
  const gpus = amount(asked[GPU_RESOURCE]);
  const model = spec?.nodeSelector?.[LABEL.gpuModel];
  // On a host of the organisation's it is paid for with the host.
  const of = (resource: string) => (metadata.annotations?.[ANNOTATION.host] ? `hosted-${resource}` : resource);
  return [
    ...(gpus > 0 ? [{ resource: of('gpu'), ...(model !== undefined && { model }), amount: gpus }] : []),
    { resource: of('cpu'), amount: amount(asked.cpu) },
    { resource: of('memory'), amount: amount(asked.memory) },
  ];
}
