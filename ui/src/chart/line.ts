// A series of a chart: what it spans, and where it has a point.

/** A point for each place, null where there is no data. */
export interface Line {
  readonly name: string;
  readonly points: readonly (number | null)[];
  /** Measured now and then: between two points nothing is missing. */
  readonly isSparse?: boolean;
  /** It counts failures: the colour of errors. */
  readonly isBad?: boolean;
}

export interface Spread {
  readonly least: number;
  readonly most: number;
  readonly last: number | null;
}

/** Undefined where there is no data at all. */
export function spreadOf({ points, isSparse = false }: Line): Spread | undefined {
  const known = points.filter((point) => point !== null);
  if (known.length === 0) return undefined;
  const least = known.reduce((one, other) => Math.min(one, other));
  const most = known.reduce((one, other) => Math.max(one, other));
  return { least, most, last: (isSparse ? known : points).at(-1) ?? null };
}

/** The index of the place next to `place`; -1 without places. They ascend. */
export function nearest(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [at = 0, after = 0] = [places[middle], places[middle + 1]];
    if (place <= (at + after) / 2) high = middle;
    else low = middle + 1;
  }
  return high;
}
