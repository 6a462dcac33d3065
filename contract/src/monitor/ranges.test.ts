import { expect, test } from '@jest/globals';
import { MOST_POINTS, stepOf } from './ranges.ts';

const DAY = 86_400;

test.each([
  [1, 60],
  [DAY, 60],
  [DAY + 1, 300],
  [7 * DAY, 300],
  [7 * DAY + 1, 3_600],
  [30 * DAY, 3_600],
  [30 * DAY + 1, DAY],
  [365 * DAY, DAY],
  [365 * DAY + 1, 7 * DAY],
])('%d seconds have a step of %d', (range, step) => {
  expect(stepOf(range)).toBe(step);
});

test('no range for which there is a step has more points than a query may', () => {
  const points = [DAY, 7 * DAY, 30 * DAY, 365 * DAY].map((range) => Math.floor(range / stepOf(range)) + 1);
  expect(Math.max(...points)).toBeLessThanOrEqual(MOST_POINTS);
});
