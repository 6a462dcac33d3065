// A line as a path of SVG: gaps where there is no data, and no more points than there are pixels to show them.

type Points = readonly (number | null)[];
type ToPx = (value: number) => number;

/** More points to a pixel would not be seen. */
const POINTS_PER_PX = 2;

export interface Drawn {
  readonly points: Points;
  /** Of each point. */
  readonly places: readonly number[];
  readonly isSparse: boolean;
  readonly x: ToPx;
  readonly y: ToPx;
}

/** The attribute `d`; empty without two points that belong together. */
export function linePath(drawn: Drawn): string {
  return runsOf(drawn)
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}`)
    .join('');
}

/** The same, filled down to `floor`. */
export function areaPath(drawn: Drawn, floor: number): string {
  return runsOf(drawn)
    .filter((run) => run.length > 1)
    .map((run) => {
      const [first, last] = [run[0]?.[0] ?? 0, run.at(-1)?.[0] ?? 0];
      return `M${px(first)} ${px(floor)}L${run.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}L${px(last)} ${px(floor)}Z`;
    })
    .join('');
}

/** Points that no line leads to: each needs a dot, or it is not seen. */
export const alonePoints = (drawn: Drawn): readonly (readonly [number, number])[] =>
  runsOf(drawn).flatMap((run) => (run.length === 1 && run[0] ? [run[0]] : []));

/** Indices: a smallest and a greatest value instead of many at the same pixel. */
export function thinned(points: Points, most: number): readonly number[] {
  if (points.length <= most) return points.map((_, at) => at);
  const size = Math.ceil((points.length / most) * 2);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    extremes(points, at * size, Math.min((at + 1) * size, points.length)),
  ).flat();
}

/** Nothing but gaps is a gap. */
function extremes(points: Points, from: number, to: number): readonly number[] {
  let [least, most] = [from, from];
  const pointAt = (at: number) => points[at] ?? null;
  for (let at = from; at < to; at++) {
    const value = pointAt(at);
    if (value === null) continue;
    if (value < (pointAt(least) ?? Infinity)) least = at;
    if (value > (pointAt(most) ?? -Infinity)) most = at;
  }
  return least === most ? [least] : [Math.min(least, most), Math.max(least, most)];
}

/** Points that belong together, in pixels. */
function runsOf({ points, places, isSparse, x, y }: Drawn): (readonly [number, number])[][] {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const most = Math.max(100, Math.abs(x(last) - x(first)) * POINTS_PER_PX);
  const runs: (readonly [number, number])[][] = [[]];
  for (const at of thinned(points, most)) {
    const point = points[at];
    if (point === null || point === undefined) {
      if (!isSparse && runs.at(-1)?.length !== 0) runs.push([]);
    } else runs.at(-1)?.push([x(places[at] ?? 0), y(point)]);
  }
  return runs;
}

const px = (value: number): string => `${Number(value.toFixed(1))}`;
