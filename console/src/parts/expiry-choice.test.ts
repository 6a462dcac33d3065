import { expect, test } from '@jest/globals';
import { dayAhead, dayOf, endOfDay, lastDay } from './expiry-choice.ts';

const at = (text: string) => new Date(text).getTime();
const DAY_MS = 86_400_000;

test('a day that was picked ends with its last second here, and is shown as that day again', () => {
  const end = endOfDay('2027-03-04') as string;
  expect(end).toMatch(/Z$/);
  expect(new Date(end).getTime()).toBe(at('2027-03-04T23:59:59'));
  expect(dayOf(end)).toBe('2027-03-04');
});

test.each(['', '2027-3-4', 'tomorrow', '2027-13-40'])('"%s" is no day', (day) => {
  expect(endOfDay(day)).toBeUndefined();
});

test('permanent and nothing yet are no day', () => {
  expect([dayOf(null), dayOf(undefined)]).toEqual(['', '']);
});

test.each([
  ['within a month', '2026-11-22T08:00:00', 7, '2026-11-29'],
  ['over the end of a year', '2026-12-30T23:59:59', 7, '2027-01-06'],
  ['over a leap day', '2028-02-25T00:00:00', 7, '2028-03-03'],
])('days ahead are those of the calendar: %s', (_, now, days, day) => {
  expect(dayAhead(at(now), days)).toBe(day);
});

test.each(['2026-11-22T00:00:00', '2026-11-22T12:00:00', '2026-11-22T23:59:58'])(
  'the end of the last day that can be picked at %s is not beyond the limit, that of the next one is',
  (now) => {
    const latest = at(now) + 365 * DAY_MS;
    const last = lastDay(at(now), 365);
    expect(Date.parse(endOfDay(last) as string)).toBeLessThanOrEqual(latest);
    expect(Date.parse(endOfDay(dayAhead(Date.parse(`${last}T12:00:00`), 1)) as string)).toBeGreaterThan(latest);
  },
);
