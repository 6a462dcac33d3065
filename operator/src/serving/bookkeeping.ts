// Records written before anything is done: the revision, the intervals of use, and which replicas they count. The Deployment follows a
// recorded revision, and a Pod is let go once its end is recorded, so that a crash in between loses nothing.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { iso, wholeSeconds } from '../metering.ts';
import type { Facts } from './facts.ts';
import { intervalsOf } from './intervals.ts';
import { type PodRecord, recordsOf } from './replicas.ts';
import { type Revision, revisionsOf } from './revisions.ts';
import { isFailing } from './trouble.ts';

export interface Books {
  revisions: readonly Revision[];
  pods: readonly PodRecord[];
  intervals: readonly Interval[];
  /** When the present revision was first complete. */
  readyAt: string | undefined;
  asleepSince: string | undefined;
}

export function booksOf(f: Facts): Books {
  const revisions = revisionsOf(f);
  const isSame = revisions[0]?.revision === f.present?.revision;
  const at = iso(wholeSeconds(f.now));
  const isAsleep = f.wanted === 0 && f.owner.spec.autoscaling !== undefined && f.owner.spec.power === 'Running';
  return {
    revisions,
    pods: recordsOf(f.replicas, (replica) => isFailing(replica, f)),
    intervals: intervalsOf(f),
    readyAt: (isSame ? f.status.readyAt : undefined) ?? (f.isComplete ? at : undefined),
    asleepSince: isAsleep && !f.deleting ? (f.status.asleepSince ?? at) : undefined,
  };
}
