// How long a balance lasts, rounded down: it never ends sooner than stated.
const HOURS_OF_A_DAY = 24;
const DAYS_FROM_HOURS = 48;

/** Undefined if nothing is in use. */
export function lastsOf(hours: number | null): { unit: 'hours' | 'days'; count: number } | undefined {
  if (hours === null) return undefined;
  return hours < DAYS_FROM_HOURS
    ? { unit: 'hours', count: Math.max(0, Math.floor(hours)) }
    : { unit: 'days', count: Math.floor(hours / HOURS_OF_A_DAY) };
}
