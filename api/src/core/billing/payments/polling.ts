// When to ask the provider of an open payment again, and when it is too late. Pure.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Young payments are asked about often: a webhook may have been lost, or this process killed before it heard the answer. */
const STEPS: readonly (readonly [youngerThanMs: number, everyMs: number])[] = [
  [2 * MINUTE_MS, 10_000],
  [15 * MINUTE_MS, MINUTE_MS],
  [2 * HOUR_MS, 5 * MINUTE_MS],
  [24 * HOUR_MS, 30 * MINUTE_MS],
  [Number.POSITIVE_INFINITY, 6 * HOUR_MS],
];

export function askAgainInMs(ageMs: number): number {
  const [, everyMs] = STEPS.find(([youngerThanMs]) => ageMs < youngerThanMs) as (typeof STEPS)[number];
  return everyMs;
}

/** A call that never arrived: by then whatever was on its way has timed out, and the provider says that it knows of nothing. */
export const NEVER_REACHED_AFTER_MS = 10 * MINUTE_MS;
/** Nobody confirmed it. A bank's transfer takes as long as it takes. */
export const GIVEN_UP_AFTER_MS = 24 * HOUR_MS;
