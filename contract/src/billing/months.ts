// Months as an organisation counts them: in its recorded zone, from the first moment of the first day to that of the next.
import * as z from 'zod';

/** Both in ms since 1970, UTC; `to` is exclusive. */
export interface Month {
  /** YYYY-MM. */
  name: string;
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;
const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** A name of the IANA database, as this runtime knows it; offsets are none. */
export function isZone(zone: string): boolean {
  if (zone.length > 64 || !ZONE.test(zone)) return false;
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

export const zoneName = z.string().refine(isZone, 'zone_rule').meta({ description: 'IANA, such as Asia/Kolkata.' });

/** The month in which the moment lies. */
export function monthAt(zone: string, at: number): Month {
  const local = new Date(localReading(zone, at));
  return monthOf(zone, local.getUTCFullYear(), local.getUTCMonth());
}

export function nextMonth(zone: string, { name }: Month): Month {
  const [year = 0, month = 0] = name.split('-').map(Number);
  return monthOf(zone, year, month);
}

/** Every first moment of a month with `from` < it < `to`. */
export function monthStarts(zone: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let month = monthAt(zone, from); month.to < to; month = nextMonth(zone, month)) starts.push(month.to);
  return starts;
}

/** `month` counts from 0, and may be 12. */
function monthOf(zone: string, year: number, month: number): Month {
  const first = Date.UTC(year, month, 1);
  return {
    name: new Date(first).toISOString().slice(0, 7),
    from: startAt(zone, first),
    to: startAt(zone, Date.UTC(year, month + 1, 1)),
  };
}

/**
 * The earliest moment at which local clocks show this reading or a later one: if midnight is skipped, the one after it; if it
 * occurs twice, the first.
 */
function startAt(zone: string, reading: number): number {
  const candidates = [reading - DAY_MS, reading + DAY_MS]
    .map((near) => reading - (localReading(zone, near) - near))
    .filter((at) => localReading(zone, at) >= reading);
  return Math.min(...candidates);
}

/** The local clock's reading, written as if it were UTC. */
function localReading(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  const wholeSeconds = Date.UTC(year, month - 1, day, hour, minute, second);
  return wholeSeconds + (((at % 1000) + 1000) % 1000);
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}
