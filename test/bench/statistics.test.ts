import { describe, expect, test } from '@jest/globals';
import { median, percentile, spread } from './statistics.ts';

describe('a percentile is one of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  test.each([
    [0.01, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('%d of one to a hundred', (share, value) => {
    expect(percentile(hundred, share)).toBe(value);
  });
  test('is the value itself where there is only one', () => {
    expect([0.5, 0.99].map((share) => percentile([7], share))).toEqual([7, 7]);
  });
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[5], 5],
])('the median of %j', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('the spread is a share of the median', () => {
  expect(spread([90, 100, 110])).toBeCloseTo(0.2);
});
