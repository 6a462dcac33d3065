// Summaries of runs. All take at least one number; order does not matter.

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** The smallest of the values that at least this share of them does not exceed (nearest rank). `share` is above 0, at most 1. */
export function percentile(values: readonly number[], share: number): number {
  return sorted(values)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const half = values.length / 2;
  const middle = sorted(values).slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** How far apart they lie: from least to most, as a share of the median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);
