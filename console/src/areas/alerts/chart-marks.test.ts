import { expect, test } from '@jest/globals';
import { limitsOf, unitOf, windowAround } from './chart-marks.ts';

test('only rules about the value itself have a line in its chart', () => {
  expect(
    limitsOf([{ value: 1 }, { type: 'Threshold', value: 0 }, { type: 'YearOverYear', value: 50 }, { type: 'NoData' }]),
  ).toEqual([1, 0]);
});

test('a query has no unit, whatever it is called', () => {
  expect([unitOf('GpuTemperature'), unitOf(''), unitOf('toString')]).toEqual(['celsius', 'none', 'none']);
});

const HOUR = 3_600_000;
test.each([
  ['that is over, half an hour around it', 10 * HOUR, 11 * HOUR, 30 * HOUR, { start: 34_200, end: 41_400, step: 30 }],
  ['that goes on, until now', 10 * HOUR, undefined, 10.1 * HOUR, { start: 34_200, end: 36_360, step: 15 }],
  ['of a month, in fewer points', 0, 720 * HOUR, 720 * HOUR, { start: -8_655, end: 2_587_845, step: 8_655 }],
])('around an alarm %s is asked for', (_title, from, to, now, asked) => {
  expect(windowAround(from, to, now)).toEqual(asked);
});
