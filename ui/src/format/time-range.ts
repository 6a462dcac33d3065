// The time ranges that charts and lists offer, a chart's step, and the labels of its axis. All pure.
import { stepOf } from '@gantry/contract/monitor/ranges.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** In the order in which they are offered; their words are `time.ranges` of ui's. */
export const TIME_RANGES = ['h1', 'h3', 'h12', 'h24', 'd2', 'd7', 'd30', 'm1', 'm3', 'm6'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

export const isTimeRange = (text: string): text is TimeRange => (TIME_RANGES as readonly string[]).includes(text);

export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** The span that ends at `now`. Months are calendar months: on 31 March the last month begins on 28 February. */
export function spanOf(range: TimeRange, now: Date): TimeSpan {
  const count = Number(range.slice(1));
  if (range.startsWith('m')) return { from: monthsBefore(now, count), to: now };
  return { from: new Date(now.getTime() - count * (range.startsWith('h') ? HOUR_MS : DAY_MS)), to: now };
}

function monthsBefore(now: Date, months: number): Date {
  const from = new Date(now);
  from.setDate(1);
  from.setMonth(from.getMonth() - months);
  const lastDay = new Date(from.getFullYear(), from.getMonth() + 1, 0).getDate();
  from.setDate(Math.min(now.getDate(), lastDay));
  return from;
}

export const lengthMs = ({ from, to }: TimeSpan): number => to.getTime() - from.getTime();

/** How far a chart's points are apart, in seconds. */
export const stepSeconds = (spanMs: number): number => stepOf(spanMs / 1_000);

/** The unit that a label of the axis names. */
export type AxisUnit = 'clock' | 'day' | 'month' | 'year';

const MOST_DAYS_DAILY = 30;
/** Twelve months, one of them February of a leap year. */
const MOST_DAYS_MONTHLY = 366;

/** Within a day, where all labels would be the same day, they are the time of day. */
export function axisUnit(spanMs: number): AxisUnit {
  if (spanMs <= DAY_MS) return 'clock';
  if (spanMs <= MOST_DAYS_DAILY * DAY_MS) return 'day';
  return spanMs <= MOST_DAYS_MONTHLY * DAY_MS ? 'month' : 'year';
}

const two = (value: number): string => `${value}`.padStart(2, '0');

/** "05:04", "11-22", "2026-11", "2026"; local. */
export function axisText(time: number | Date, unit: AxisUnit): string {
  const at = new Date(time);
  switch (unit) {
    case 'clock':
      return `${two(at.getHours())}:${two(at.getMinutes())}`;
    case 'day':
      return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    case 'month':
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}`;
    case 'year':
      return `${at.getFullYear()}`;
  }
}

const CLOCK_STEPS_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720];

/** Positions of labels: starts of the unit, local, within the span; if there are too many, every second, third, … one. */
export function axisTicks(span: TimeSpan, most = 10): number[] {
  const unit = axisUnit(lengthMs(span));
  const ticks = unit === 'clock' ? clockTicks(span, most) : calendarTicks(span, unit);
  const each = Math.max(1, Math.ceil(ticks.length / most));
  // Counted from the end: the newest is of most interest.
  return ticks.filter((_, index) => (ticks.length - 1 - index) % each === 0);
}

function clockTicks(span: TimeSpan, most: number): number[] {
  const step = CLOCK_STEPS_MINUTES.find((minutes) => lengthMs(span) / (minutes * MINUTE_MS) <= most) ?? 720;
  const ticks = [];
  const at = new Date(span.from);
  at.setHours(0, 0, 0, 0);
  for (; at <= span.to; at.setMinutes(at.getMinutes() + step)) if (at >= span.from) ticks.push(at.getTime());
  return ticks;
}

function calendarTicks({ from, to }: TimeSpan, unit: Exclude<AxisUnit, 'clock'>): number[] {
  const startOf = (count: number) => {
    switch (unit) {
      case 'day':
        return new Date(from.getFullYear(), from.getMonth(), from.getDate() + count);
      case 'month':
        return new Date(from.getFullYear(), from.getMonth() + count);
      case 'year':
        return new Date(from.getFullYear() + count, 0);
    }
  };
  const ticks = [];
  for (let count = 0; startOf(count) <= to; count++) if (startOf(count) >= from) ticks.push(startOf(count).getTime());
  return ticks;
}
