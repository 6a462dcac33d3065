// The days of a range, each with its cost, and their labels. Days are UTC days, as on bills.
import { axisUnit } from '@gantry/ui/format/time-range.ts';

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

/** Which days of the range have a label, and what it says: each day up to 30 days, then each month up to 12, then each year. */
export function dayLabels(days: readonly string[], { start, end }: { start: string; end: string }) {
  const unit = axisUnit(Date.parse(end) - Date.parse(start));
  switch (unit) {
    case 'month':
      return { labelled: days.filter((day) => day.endsWith('-01')), textOf: (day: string) => day.slice(0, 7) };
    case 'year':
      return { labelled: days.filter((day) => day.endsWith('-01-01')), textOf: (day: string) => day.slice(0, 4) };
    default:
      return { labelled: [...days], textOf: (day: string) => day.slice(5) };
  }
}
