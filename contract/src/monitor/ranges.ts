// How far apart the points of charts are, and how many there may be.

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The longest range of each step. */
const STEPS: readonly (readonly [mostSeconds: number, step: number])[] = [
  [DAY, 60],
  [7 * DAY, 300],
  [30 * DAY, HOUR],
  [365 * DAY, DAY],
];
const WEEK = 7 * DAY;

/** In seconds, for a range of so many. */
export const stepOf = (seconds: number): number => STEPS.find(([most]) => seconds <= most)?.[1] ?? WEEK;

/** Seven days at five minutes have 2,017. */
export const MOST_POINTS = 2_020;
/** How often metrics are read, usually. */
export const LEAST_STEP = 15;
export const MOST_RANGE = 2 * 366 * DAY;
