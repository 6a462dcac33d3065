// The place in the queue that a waiting task shows. Far from the front, places are rounded and counted less often: a thousand waiting tasks
// must not keep everybody writing.
import type { TaskStatus } from '@gantry/contract/fields/task.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Place } from '../kueue.ts';
import { instant, iso, wholeSeconds } from '../metering.ts';
import { type Durations, expected } from './durations.ts';
import type { Facts } from './facts.ts';
import type { BatchJob } from './reads.ts';

export type Queue = NonNullable<TaskStatus['queue']>;

const EXACT = 10;
const MOST_WORDS = 512;
const RECOUNT_MS = { first: 15_000, most: 120_000, perPlace: 1_500 };

/** Exact up to 10, in tens up to 100, in hundreds beyond. */
export function rounded(position: number): number {
  if (position <= EXACT) return Math.max(1, Math.round(position));
  const step = position <= 100 ? 10 : 100;
  return Math.round(position / step) * step;
}

/** In which Kueue usually answers: nothing is written of a batch Job that it has not seen yet. */
const ANSWERS_WITHIN_MS = 5_000;

/** The queue has just been asked. */
export const isJustAsked = ({ batch, seen, now }: Pick<Facts, 'batch' | 'seen' | 'now'>): boolean =>
  batch?.spec?.suspend === true && seen.place === undefined && now < answerDueAt(batch);

/** When a queue that has said nothing of this batch Job is silent. */
export const answerDueAt = ({ metadata }: BatchJob): Instant =>
  (instant(metadata.creationTimestamp) ?? 0) + ANSWERS_WITHIN_MS;

/** How long a count stands. */
export const recountMs = (position: number): number =>
  Math.min(Math.max(RECOUNT_MS.first, position * RECOUNT_MS.perPlace), RECOUNT_MS.most);

export const recountAt = ({ at, position }: Queue): Instant => (instant(at) ?? 0) + recountMs(position);

/** The place as it is written next: the known one, unless that is due and differs. */
export function queueOf(
  known: Queue | undefined,
  place: Place | undefined,
  durations: Durations | undefined,
  now: Instant,
): Queue | undefined {
  if (place?.state !== 'pending' || place.position === undefined) return undefined;
  // A clock that was set back must not hold a count for good.
  const isFresh = known !== undefined && recountAt(known) > now && (instant(known.at) ?? now) <= now;
  if (isFresh) return known;
  const position = rounded(place.position);
  const { startsAt, basis } = durations ? expected(place.position, durations, now) : { basis: 'none' as const };
  const next: Queue = {
    position,
    aheadGpus: place.aheadGpus ?? 0,
    // If nobody before it asks for a GPU, it waits for something else.
    ...(!place.aheadGpus && place.isInadmissible && place.message && { because: place.message.slice(0, MOST_WORDS) }),
    ...(startsAt !== undefined && { startsAt: iso(wholeSeconds(startsAt)) }),
    basis,
    at: iso(wholeSeconds(now)),
  };
  return known && isAlike(known, next) ? known : next;
}

/** The same place, and about the same time to wait. Far from the front, what is ahead changes with every job that ends. */
function isAlike(known: Queue, next: Queue): boolean {
  if (known.position !== next.position || known.basis !== next.basis || known.because !== next.because) return false;
  if (known.position <= EXACT && known.aheadGpus !== next.aheadGpus) return false;
  const [was, is, at] = [known.startsAt, next.startsAt, next.at].map(instant);
  if (was === undefined || is === undefined) return was === is;
  return Math.abs(was - is) <= Math.max(60_000, 0.1 * (is - (at ?? is)));
}
