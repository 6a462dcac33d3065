// How fast bytes go: over the last seconds, since older ones say little about what is left.
const OVER_MS = 4000;

/** Bytes that had gone at a time, in milliseconds. */
export type Mark = readonly [at: number, sent: number];

/** The marks that still count, with a new one. */
export const marked = (marks: readonly Mark[], now: number, sent: number): readonly Mark[] => [
  ...marks.filter(([at]) => now - at <= OVER_MS),
  [now, sent],
];

/** Bytes per second; undefined while there is nothing to measure. */
export function rateOf(marks: readonly Mark[]): number | undefined {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || last[0] <= first[0]) return undefined;
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]));
}
