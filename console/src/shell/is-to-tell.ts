// Whether to report a denial: a page whose ten reads are all denied says so once, and the end of a session replaces anything
// else.
export interface Denial {
  readonly status: number;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
}

/** As long as a toast is shown. */
export const ONCE_IN_MS = 8_000;

export function isToTell(denial: Denial, last: Denial | undefined): boolean {
  if (!last || denial.at - last.at >= ONCE_IN_MS) return true;
  return denial.status === 401 && last.status !== 401;
}
