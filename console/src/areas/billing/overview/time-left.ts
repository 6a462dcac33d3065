// How long the balance lasts, in words. Rounded down: it never ends sooner than stated.
const HOURS_OF_A_DAY = 24;
const DAYS_FROM_HOURS = 48;

export interface TimeLeft {
  unit: 'days' | 'hours' | 'underAnHour';
  count: number;
}

/** Undefined if nothing is in use. */
export function timeLeft(hours: number | null): TimeLeft | undefined {
  if (hours === null) return undefined;
  if (hours < 1) return { unit: 'underAnHour', count: 0 };
  if (hours < DAYS_FROM_HOURS) return { unit: 'hours', count: Math.floor(hours) };
  return { unit: 'days', count: Math.floor(hours / HOURS_OF_A_DAY) };
}
