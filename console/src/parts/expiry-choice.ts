// Dates as a person picks them: whole days, which end with their last second here.
import { dateText } from '@gantry/ui/format/time.ts';

const DAY_MS = 86_400_000;

/** The last second of that local day, in wire format; undefined for an invalid date. */
export function endOfDay(day: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const at = new Date(`${day}T23:59:59`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The day that a moment falls on here. */
export const dayOf = (time: string | null | undefined): string => (time ? dateText(time) : '');

/** The day that is so many days ahead, of the calendar: an hour more or less in spring and autumn moves nothing. */
export function dayAhead(now: number, days: number): string {
  const at = new Date(now);
  return dateText(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12));
}

/** The last day whose end is at most so many days ahead. */
export function lastDay(now: number, mostDays: number): string {
  const latest = now + mostDays * DAY_MS;
  const day = dateText(latest);
  return Date.parse(endOfDay(day) ?? '') <= latest ? day : dayAhead(latest, -1);
}
