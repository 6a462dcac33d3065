// The days of a range, each with its cost. Days are UTC days, as on bills.
const DAY_MS = 86_400_000;

export interface DayCost {
  /** YYYY-MM-DD */
  day: string;
  total: string;
}

/** Each day that the range touches, in order; one that nothing was charged on costs nothing. */
export function daysOf(
  rows: readonly { key: string; total: string }[],
  { start, end }: { start: string; end: string },
): readonly DayCost[] {
  const known = new Map(rows.map(({ key, total }) => [key, total]));
  const days: DayCost[] = [];
  for (let at = Math.floor(Date.parse(start) / DAY_MS) * DAY_MS; at < Date.parse(end); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push({ day, total: known.get(day) ?? '0.00' });
  }
  return days;
}
