// One measured figure of a row of the performance table, and whether it meets its target.
import { MOST_TAKEN } from './quiet-machine.ts';
import { median, spread } from './statistics.ts';

export interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Measure {
  readonly row: string;
  readonly work: string;
  readonly unit: string;
  readonly ours: number;
  /** The peer's figure in the same run; null if there is no peer yet. */
  readonly peer: number | null;
  /** Ours over the peer's, the median of the pairs. */
  readonly ratio: number | null;
  /** Over rounds for ours, over pairs for ratios; null for counts and single runs. */
  readonly spread: number | null;
  readonly target: Target | null;
  /** `void`: the target lies within the spread, and another run might say otherwise. null: nothing was promised. */
  readonly holds: boolean | 'void' | null;
}

export interface RowSpec {
  readonly row: string;
  readonly work: string;
  readonly unit: string;
  readonly target?: Target;
}

const meets = (value: number, { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }: Target) =>
  atLeast <= value && value <= atMost;

/** A count, which no noise can move, or a figure over many samples of one run, such as a percentile. */
export const single = (spec: RowSpec, ours: number): Measure => measure(spec, ours, [ours]);

/** The median of several rounds of the same. */
export const ofRounds = (spec: RowSpec, rounds: readonly number[]): Measure => measure(spec, median(rounds), rounds);

/** A time without a peer says more about others where they took this much before; the figure says how much. */
export function unlessBusy(measured: Measure, taken: number): Measure {
  const work = `${measured.work} (others ${Math.round(taken * 100)} %)`;
  return { ...measured, work, holds: measured.holds !== null && taken > MOST_TAKEN ? 'void' : measured.holds };
}

export interface Pair {
  readonly ours: number;
  readonly peer: number;
}

/** `sum` aggregates how much longer each of ours took than its peer; `ratio` and `spread` are of the pairs themselves. */
export function besidePeer(spec: RowSpec, pairs: readonly Pair[], sum: (added: readonly number[]) => number): Measure {
  const ratios = pairs.map(({ ours, peer }) => ours / peer);
  const added = pairs.map(({ ours, peer }) => ours - peer);
  const thirds = [0, 1, 2].map((third) => added.filter((_, at) => at % 3 === third)).filter(({ length }) => length > 0);
  return {
    ...measure(spec, sum(added), thirds.map(sum)),
    spread: spread(ratios),
    peer: median(pairs.map(({ peer }) => peer)),
    ratio: median(ratios),
  };
}

/** The target is how ours compares with its peer. */
export function againstPeer({ target, ...spec }: RowSpec, pairs: readonly Pair[]): Measure {
  const ratios = pairs.map(({ ours, peer }) => ours / peer);
  const ratio = measure({ ...spec, ...(target && { target }) }, median(ratios), ratios);
  return {
    ...ratio,
    ours: median(pairs.map(({ ours }) => ours)),
    peer: median(pairs.map(({ peer }) => peer)),
    ratio: ratio.ours,
  };
}

function measure({ row, work, unit, target }: RowSpec, ours: number, runs: readonly number[]): Measure {
  return {
    row,
    work,
    unit,
    ours,
    peer: null,
    ratio: null,
    spread: runs.length > 1 ? spread(runs) : null,
    target: target ?? null,
    holds: target === undefined ? null : verdict(runs, target),
  };
}

function verdict(runs: readonly number[], target: Target): boolean | 'void' {
  const met = runs.filter((run) => meets(run, target)).length;
  return met === 0 ? false : met === runs.length ? true : 'void';
}
