// Which crashes of a scenario are tried today: all of them, or the twentieth that a seed picks. Twenty seeds in a row try all.
import type { Moment } from './action.ts';

export interface CrashPoint {
  /** The operator's n-th write in the scenario, from 1. */
  readonly write: number;
  readonly moment: Moment;
}

export type Share = 'all' | 'twentieth';

const DAY_MS = 86_400_000;
const PARTS = 20;

/**
 * GANTRY_SEED when set, else the day's number, so that a failing run can be repeated and twenty days cover everything.
 * Throws when GANTRY_SEED is not a whole number from 0 up.
 */
export function seedOf(env: Readonly<Record<string, string | undefined>>, now: Date): number {
  const wanted = env.GANTRY_SEED;
  if (wanted === undefined || wanted === '') return Math.floor(now.getTime() / DAY_MS);
  if (!/^\d{1,15}$/.test(wanted)) throw new Error(`GANTRY_SEED must be a whole number from 0 up, not "${wanted}"`);
  return Number(wanted);
}

/** Before and after each of `writes` writes, or this seed's share of them: never none, unless there are no writes. */
export function crashPoints(scenario: string, writes: number, share: Share, seed: number): readonly CrashPoint[] {
  const all = Array.from({ length: writes }, (_, index) => index + 1).flatMap((write): CrashPoint[] => [
    { write, moment: 'before' },
    { write, moment: 'after' },
  ]);
  if (share === 'all' || all.length === 0) return all;
  // Each scenario begins at a different point, so that one day does not try the first write of every one.
  const turn = seed + [...scenario].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  const step = Math.min(PARTS, all.length);
  return all.filter((_, index) => index % step === turn % step);
}
