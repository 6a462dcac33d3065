// What a disk is billed for: its size, from the moment its claim is Bound until the claim is gone.
// It is written down before anything is done that ends it, so that a crash in between loses nothing.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { type Facts, instant } from './facts.ts';

const MAX_INTERVALS = 50;

/** One interval for each size; they follow each other and never overlap. */
export function intervalsOf(f: Facts): readonly Interval[] {
  const known = f.status.intervals ?? [];
  const last = known.at(-1);
  const open = last && last.to === undefined ? last : undefined;
  const uid = f.claim?.metadata.uid;
  const held = f.bound && f.capacityGi !== undefined && uid !== undefined;
  if (open) {
    if (held && open.subjectUID === uid && open.uses[0]?.quantity === f.capacityGi) return known;
    const to = rfc3339(Math.max(held ? f.now : endOf(f), Date.parse(open.from)));
    const closed = [...known.slice(0, -1), { ...open, to }];
    return kept(f, held ? [...closed, opened(f, uid, open, Date.parse(to))] : closed);
  }
  if (!held) return known;
  return kept(f, [...known, opened(f, uid, last, boundAt(f, last))]);
}

const opened = (f: Facts, subjectUID: string, last: Interval | undefined, from: Instant): Interval => ({
  seq: (last?.seq ?? 0) + 1,
  subjectUID,
  from: rfc3339(Math.max(from, instant(last?.to) ?? Number.NEGATIVE_INFINITY)),
  uses: [{ resource: 'disk', quantity: f.capacityGi ?? 0 }],
});

/** As its volume says; of a claim that was billed before, only now is known. */
function boundAt({ seen: { volume }, now }: Facts, last: Interval | undefined): Instant {
  const since = volume?.status?.phase === 'Bound' ? instant(volume.status.lastPhaseTransitionTime) : undefined;
  return last === undefined && since !== undefined ? Math.min(since, now) : now;
}

/** A volume that outlives its claim says when it was let go, however long no operator looked. */
function endOf({ seen: { volume }, now }: Facts): Instant {
  const released = volume?.status?.phase === 'Released' ? instant(volume.status.lastPhaseTransitionTime) : undefined;
  return Math.min(released ?? now, now);
}

/** With the credit gate on, only what billing has posted may be dropped; with it off, the oldest goes. */
function kept({ settings, status }: Facts, intervals: readonly Interval[]): readonly Interval[] {
  const posted = settings.creditGate === 'off' ? Number.POSITIVE_INFINITY : (status.credit?.postedSeq ?? 0);
  const surplus = intervals.length - MAX_INTERVALS;
  return intervals.filter(({ seq }, index) => index >= surplus || seq > posted);
}

/** Unposted sizes pile up only when billing is away; the disk does not grow then. */
export const tooManyUnposted = ({ settings, status }: Facts): boolean =>
  settings.creditGate === 'required' &&
  (status.intervals ?? []).filter(({ seq, to }) => to !== undefined && seq > (status.credit?.postedSeq ?? 0)).length >=
    MAX_INTERVALS;
