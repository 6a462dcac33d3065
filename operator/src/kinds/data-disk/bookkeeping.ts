// The usage of a disk that is billed: its size, from the moment its claim is Bound until the claim is gone. It is recorded before any
// action that ends it, so that a crash in between loses nothing.

import { sizeUse } from '@gantry/contract/billing/resources.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { GI } from '@gantry/contract/fields/quantity.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant, kept, openIn, stretched, wholeSeconds } from '../../metering.ts';
import type { Facts } from './facts.ts';

/** One interval for each size; they follow each other and never overlap. */
export function intervalsOf(f: Facts): readonly Interval[] {
  const known = f.status.intervals ?? [];
  const uid = f.claim?.metadata.uid;
  const held = f.bound && f.capacityGi !== undefined && uid !== undefined;
  const open = openIn(known);
  const next = held
    ? stretched(known, {
        subjectUID: uid,
        uses: [sizeUse('disk', (f.capacityGi ?? 0) * GI)],
        at: wholeSeconds(open ? f.now : boundAt(f, known.at(-1))),
      })
    : stretched(known, { subjectUID: open?.subjectUID ?? '', uses: [], at: wholeSeconds(endOf(f)) });
  return kept(next, f.owner, f.settings.creditGate);
}

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
