// One measured figure of a row of the performance table, and whether it is what was promised.
import { availableParallelism } from 'node:os';
import { median, spread } from './statistics.ts';

/** Runs that lie further apart say more about the machine than about us. */
const MOST_SPREAD = 0.15;

/** Of its cores: what others may take before a figure without a peer says more about them. */
const MOST_LOAD = 0.25;

export interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Measure {
  readonly row: string;
  readonly work: string;
  readonly unit: string;
  readonly ours: number;
  /** What the other did in the same run; null where there is no other yet. */
  readonly peer: number | null;
  /** Ours over the peer's, the median of the pairs. */
  readonly ratio: number | null;
  /** Of ours over rounds, or of the ratio over pairs; null for what is counted or done once. */
  readonly spread: number | null;
  readonly target: Target | null;
  /** null: nothing was promised. */
  readonly holds: boolean | 'void' | null;
}

export interface Given {
  readonly row: string;
  readonly work: string;
  readonly unit: string;
  readonly target?: Target;
}

const meets = (value: number, { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }: Target) =>
  atLeast <= value && value <= atMost;

/** A count, which no noise can move, or a figure over many samples of one run, such as a percentile. */
export const single = (given: Given, ours: number): Measure => measure(given, ours, null);

/** The median of several rounds of the same. */
export const ofRounds = (given: Given, rounds: readonly number[]): Measure =>
  measure(given, median(rounds), rounds.length > 1 ? spread(rounds) : null);

/** `load` is what the machine did before; the figure says it. */
export function unlessBusy(measured: Measure, load: number, cores = availableParallelism()): Measure {
  const work = `${measured.work} (load ${load.toFixed(1)})`;
  const isVoid = measured.holds !== null && load > MOST_LOAD * cores;
  return { ...measured, work, holds: isVoid ? 'void' : measured.holds };
}

export interface Pair {
  readonly ours: number;
  readonly peer: number;
}

/** What `sum` makes of how much each of ours took beyond its peer; `ratio` and `spread` are of the pairs themselves. */
export function besidePeer(given: Given, pairs: readonly Pair[], sum: (added: readonly number[]) => number): Measure {
  const ratios = pairs.map(({ ours, peer }) => ours / peer);
  const added = pairs.map(({ ours, peer }) => ours - peer);
  return {
    ...measure(given, sum(added), spread(ratios)),
    peer: median(pairs.map(({ peer }) => peer)),
    ratio: median(ratios),
  };
}

/** What is promised is how ours compares with its peer. */
export function againstPeer({ target, ...given }: Given, pairs: readonly Pair[]): Measure {
  const ratios = pairs.map(({ ours, peer }) => ours / peer);
  const ratio = measure({ ...given, ...(target && { target }) }, median(ratios), spread(ratios));
  return {
    ...ratio,
    ours: median(pairs.map(({ ours }) => ours)),
    peer: median(pairs.map(({ peer }) => peer)),
    ratio: ratio.ours,
  };
}

function measure({ row, work, unit, target }: Given, ours: number, spreadOfRuns: number | null): Measure {
  const isVoid = spreadOfRuns !== null && spreadOfRuns > MOST_SPREAD;
  const holds = target === undefined ? null : isVoid ? 'void' : meets(ours, target);
  return { row, work, unit, ours, peer: null, ratio: null, spread: spreadOfRuns, target: target ?? null, holds };
}
