// Whether something is idle, and what is done about it: pure. Whatever is not known keeps it from being idle.
import type { IdlePolicy } from '@gantry/contract/fields/idle.ts';

const MINUTE_MS = 60_000;
/** Between the warning and what follows it. */
export const GRACE_MS = 15 * MINUTE_MS;

/** Since when it has been quiet, in ms; or that it is not; or that nothing says. */
export type Signal = number | 'busy' | 'unknown';

/** Every signal that the object has: its GPUs or, without any, its CPU; what it computes; who uses it. */
export type Signals = Readonly<Record<string, Signal>>;

export interface Episode {
  readonly warnedAt: number;
  /** The policy has decided to stop it. */
  readonly actedAt?: number | undefined;
}

export type IdleDecision =
  /** Not idle: an episode ends. */
  | { do: 'end' }
  /** Nothing for now: it is not idle for long enough, or not known to be. */
  | { do: 'wait' }
  | { do: 'warn'; since: number }
  | { do: 'act' };

/** An object without a signal is never idle. */
export function decideIdle(
  signals: Signals,
  { does, afterMinutes }: IdlePolicy,
  now: number,
  episode?: Episode,
): IdleDecision {
  const all = Object.values(signals);
  if (does === 'Nothing' || all.includes('busy')) return { do: 'end' };
  const since = Math.max(...all.map((one) => (typeof one === 'number' ? one : Number.NaN)));
  // A time to come is a clock that was set back: nothing is known about that stretch.
  if (all.length === 0 || !Number.isFinite(since) || since > now) return { do: 'wait' };
  const isLong = now - since >= afterMinutes * MINUTE_MS;
  if (!episode) return isLong ? { do: 'warn', since } : { do: 'wait' };
  // Something happened since the warning, between two looks.
  if (since > episode.warnedAt && !isLong) return { do: 'end' };
  if (does !== 'Act') return { do: 'wait' };
  const from = Math.max(episode.warnedAt, since);
  return isLong && now - from >= GRACE_MS ? { do: 'act' } : { do: 'wait' };
}

/** Follows one object's signals: each is quiet from the first time that it was seen so without a gap. */
export function quietSince(
  seen: Readonly<Record<string, 'busy' | 'quiet' | 'unknown'>>,
  known: Readonly<Record<string, number>>,
  now: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(seen).flatMap(([name, state]) => {
      if (state !== 'quiet') return [];
      const before = known[name];
      return [[name, before !== undefined && before <= now ? before : now]];
    }),
  );
}

/** The amount saved in a stretch of time: 30 days at most, whole micro-units. */
export const MOST_SAVED_MS = 30 * 24 * 60 * MINUTE_MS;
export function savedIn(
  { actedAt, endedAt, perHour }: { actedAt: number | undefined; endedAt: number | undefined; perHour: bigint },
  { from, to }: { from: number; to: number },
): bigint {
  if (actedAt === undefined) return 0n;
  const end = Math.min(endedAt ?? to, to, actedAt + MOST_SAVED_MS);
  const ms = Math.max(0, end - Math.max(actedAt, from));
  return (perHour * BigInt(Math.floor(ms))) / 3_600_000n;
}
