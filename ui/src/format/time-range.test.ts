import { expect, test } from '@jest/globals';
import { words as en } from '../words/en.ts';
import { timeText } from './time.ts';
import { axisText, axisTicks, axisUnit, isTimeRange, spanOf, stepSeconds, TIME_RANGES } from './time-range.ts';

const DAY_MS = 86_400_000;
const now = new Date(2026, 10, 22, 5, 4, 3);

test('every range has its words, and nothing else does', () => {
  expect(Object.keys(en.time.ranges)).toEqual([...TIME_RANGES]);
  expect(['h1', 'm6', 'y1', ''].map(isTimeRange)).toEqual([true, true, false, false]);
});

test.each([
  ['h1', '2026-11-22 04:04:03'],
  ['h3', '2026-11-22 02:04:03'],
  ['h12', '2026-11-21 17:04:03'],
  ['h24', '2026-11-21 05:04:03'],
  ['d2', '2026-11-20 05:04:03'],
  ['d7', '2026-11-15 05:04:03'],
  ['d30', '2026-10-23 05:04:03'],
  ['m1', '2026-10-22 05:04:03'],
  ['m3', '2026-08-22 05:04:03'],
  ['m6', '2026-05-22 05:04:03'],
] as const)('%s begins at %s', (range, from) => {
  expect(timeText(spanOf(range, now).from)).toBe(from);
  expect(spanOf(range, now).to).toBe(now);
});

test.each([
  ['a month before 31 March is the last of February', new Date(2026, 2, 31), '2026-02-28 00:00:00'],
  ['in a leap year it is the 29th', new Date(2028, 2, 30), '2028-02-29 00:00:00'],
  ['a month before January is in the year before', new Date(2026, 0, 15), '2025-12-15 00:00:00'],
])('%s', (_, at, from) => {
  expect(timeText(spanOf('m1', at).from)).toBe(from);
});

test.each([
  ['an hour', DAY_MS / 24, 60],
  ['a day', DAY_MS, 60],
  ['more than a day', DAY_MS + 1, 300],
  ['seven days', 7 * DAY_MS, 300],
  ['more than seven days', 7 * DAY_MS + 1, 3600],
  ['30 days', 30 * DAY_MS, 3600],
  ['31 days', 31 * DAY_MS, 86_400],
  ['a year', 365 * DAY_MS, 86_400],
  ['more than a year', 366 * DAY_MS, 604_800],
])('the step of %s', (_, span, step) => {
  expect(stepSeconds(span)).toBe(step);
});

test.each([
  ['a day is labelled by time of day', DAY_MS, 'clock', '05:04'],
  ['two days by day', 2 * DAY_MS, 'day', '11-22'],
  ['30 days by day', 30 * DAY_MS, 'day', '11-22'],
  ['more than 30 days by month', 31 * DAY_MS, 'month', '2026-11'],
  ['twelve months of a leap year by month', 366 * DAY_MS, 'month', '2026-11'],
  ['longer by year', 367 * DAY_MS, 'year', '2026'],
] as const)('%s', (_, span, unit, text) => {
  expect(axisUnit(span)).toBe(unit);
  expect(axisText(now, unit)).toBe(text);
});

test.each([
  ['h1', ['04:10', '04:20', '04:30', '04:40', '04:50', '05:00']],
  ['h24', ['06:00', '09:00', '12:00', '15:00', '18:00', '21:00', '00:00', '03:00']],
  ['d2', ['11-21', '11-22']],
  ['d7', ['11-16', '11-17', '11-18', '11-19', '11-20', '11-21', '11-22']],
  ['m6', ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11']],
] as const)('labels of %s stand at whole units within it', (range, labels) => {
  const span = spanOf(range, now);
  const unit = axisUnit(span.to.getTime() - span.from.getTime());
  expect(axisTicks(span).map((tick) => axisText(tick, unit))).toEqual(labels);
});

test('thirty days keep no more labels than fit, the newest among them', () => {
  const ticks = axisTicks(spanOf('d30', now));
  expect(ticks.map((tick) => axisText(tick, 'day'))).toEqual([
    '10-26',
    '10-29',
    '11-01',
    '11-04',
    '11-07',
    '11-10',
    '11-13',
    '11-16',
    '11-19',
    '11-22',
  ]);
});
