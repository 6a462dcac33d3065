// Shared by all billable kinds: how stretches of use are recorded, and how many wait for billing.
import { isSameUse } from '@gantry/contract/billing/resources.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { CreditGate } from './credit.ts';

export type Use = Interval['uses'][number];

interface Costly extends KubeObject {
  status?: {
    credit?: { postedSeq?: number | undefined } | undefined;
    intervals?: readonly Interval[] | undefined;
  };
}

/** Letters of a tenant's value that a condition repeats. */
export const MOST_VALUE = 64;

/** Undefined for whatever is no point in time. A kubelet that lost sight of a container writes null for its times. */
export const instant: (time: unknown) => Instant | undefined = instantOf;

/** As Kubernetes writes times, which has whole seconds. */
export const iso = (at: Instant): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** As the kubelet's own moments are. */
export const wholeSeconds = (at: Instant): Instant => Math.floor(at / 1000) * 1000;

export const openIn = (intervals: readonly Interval[]): Interval | undefined => {
  const last = intervals.at(-1);
  return last && last.to === undefined ? last : undefined;
};

/**
 * From the second of `at` on this subject uses this: closes the open interval and opens the next without a gap. Never negative,
 * never overlapping. Nothing changes if nothing differs. A Lease says its moments to the microsecond; an interval has seconds.
 */
export function stretched(
  known: readonly Interval[],
  { uses, at, ...of }: Pick<Interval, 'subjectUID' | 'run' | 'parts'> & { uses: readonly Use[]; at: Instant },
): readonly Interval[] {
  const open = openIn(known);
  if (open ? isOf(open, of) && isSame(open.uses, uses) : uses.length === 0) return known;
  const last = known.at(-1);
  const from = iso(Math.max(wholeSeconds(at), instant(open?.from ?? last?.to) ?? Number.NEGATIVE_INFINITY));
  const closed = open ? [...known.slice(0, -1), { ...open, to: from }] : known;
  if (uses.length === 0) return closed;
  return [...closed, { seq: (last?.seq ?? 0) + 1, ...of, from, uses: [...uses] }];
}

type Subject = Pick<Interval, 'subjectUID' | 'run' | 'parts'>;
const isOf = (open: Subject, of: Subject): boolean =>
  open.subjectUID === of.subjectUID && open.run === of.run && open.parts === of.parts;

const isSame = (a: readonly Use[], b: readonly Use[]): boolean =>
  a.length === b.length && a.every((use, index) => isSameUse(use, b[index] as Use));

/** New intervals of zero length, from two simultaneous events, are not recorded. */
export function withoutEmpty(before: readonly Interval[], after: readonly Interval[]): readonly Interval[] {
  const known = before.at(-1)?.seq ?? 0;
  let seq = known;
  return after
    .filter((one) => one.seq <= known || one.from !== one.to)
    .map((one) => (one.seq <= known ? one : { ...one, seq: ++seq }));
}

/** How many are kept; those that billing has not posted are kept beyond that. */
const MAX_INTERVALS = 50;

const postedBy = ({ status }: Costly, gate: CreditGate): number =>
  gate === 'off' ? Number.POSITIVE_INFINITY : (status?.credit?.postedSeq ?? 0);

/** With the credit gate on, only what billing has posted may be dropped; with it off, the oldest goes. */
export function kept(intervals: readonly Interval[], owner: Costly, gate: CreditGate): readonly Interval[] {
  const posted = postedBy(owner, gate);
  const surplus = intervals.length - MAX_INTERVALS;
  return surplus <= 0 ? intervals : intervals.filter(({ seq }, index) => index >= surplus || seq > posted);
}

/** Unposted use piles up only when billing is away; then no more of what `counts` is begun. */
export function tooManyUnposted(
  owner: Costly,
  gate: CreditGate,
  counts: (interval: Interval) => boolean = () => true,
): boolean {
  const posted = postedBy(owner, gate);
  const waiting = (owner.status?.intervals ?? []).filter((one) => one.to !== undefined && one.seq > posted);
  return waiting.filter(counts).length >= MAX_INTERVALS;
}
