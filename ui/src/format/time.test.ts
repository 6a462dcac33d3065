import { expect, test } from '@jest/globals';
import { countdownText, dateText, localTimes, relativeText, timeText } from './time.ts';

const at = new Date(2026, 0, 2, 3, 4, 5);

test.each([
  ['a time, local', at, '2026-01-02 03:04:05'],
  ['milliseconds', at.getTime(), '2026-01-02 03:04:05'],
  ['text of the wire', at.toISOString(), '2026-01-02 03:04:05'],
  ['nothing', null, '–'],
  ['nothing at all', undefined, '–'],
  ['what is no time', 'yesterday', '–'],
])('timeText of %s', (_, time, text) => {
  expect(timeText(time)).toBe(text);
});

test('moments of a sentence are in the reader’s zone, like every other time beside it', () => {
  const here = (time: string) => timeText(time);
  expect(localTimes('Firing since 2026-11-22 05:04 UTC, until 2026-11-22 06:00:30 UTC.')).toBe(
    `Firing since ${here('2026-11-22T05:04:00Z').slice(0, 16)}, until ${here('2026-11-22T06:00:30Z')}.`,
  );
  expect(localTimes('2026-99-99 05:04 UTC and 05:04 UTC')).toBe('2026-99-99 05:04 UTC and 05:04 UTC');
});

test('dateText leaves the time of day out', () => {
  expect(dateText(at)).toBe('2026-01-02');
});

test.each([
  [0, '00:00:00'],
  [999, '00:00:00'],
  [61_000, '00:01:01'],
  [86_399_999, '23:59:59'],
  [90_000_000, '25:00:00'],
  [-5, '00:00:00'],
])('countdownText of %d ms is %s', (ms, text) => {
  expect(countdownText(ms)).toBe(text);
});

test.each([
  ['an hour ago', -3_600_000, 'en', '1 hour ago'],
  ['59 seconds ago', -59_000, 'en', '59 seconds ago'],
  ['now', 0, 'en', 'now'],
  ['in two days', 2 * 86_400_000, 'en', 'in 2 days'],
  ['in Chinese', -3 * 60_000, 'zh-CN', '3分钟前'],
  ['in Japanese', 5 * 3_600_000, 'ja', '5 時間後'],
])('relativeText: %s', (_, ms, locale, text) => {
  expect(relativeText(at.getTime() + ms, at.getTime(), locale)).toBe(text);
});

test('relativeText of what is no time is nothing, and no error', () => {
  expect(relativeText('2099-11-23T02:00:00+99:99', at.getTime(), 'en')).toBe('–');
});
