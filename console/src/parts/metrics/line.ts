/** A series of a chart: a point for each step, null where there is no data. */
export interface Line {
  readonly name: string;
  readonly points: readonly (number | null)[];
  /** Measured now and then: between two points nothing is missing. */
  readonly isSparse?: boolean;
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
