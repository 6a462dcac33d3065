import { describe, expect, test } from '@jest/globals';
import { alonePoints, areaPath, linePath, thinned } from './path.ts';

const drawn = (points: (number | null)[], isSparse = false) => ({
  points,
  places: points.map((_, at) => at),
  isSparse,
  x: (place: number) => place * 10,
  y: (value: number) => 100 - value,
});

describe('the path of a line', () => {
  test.each([
    ['is one line', drawn([1, 2, 3]), 'M0 99L10 98L20 97', []],
    ['has a gap where there is no data', drawn([1, 2, null, 3, 4]), 'M0 99L10 98M30 97L40 96', []],
    ['of a single sample is a dot', drawn([null, 5, null]), '', [[10, 95]]],
    ['has a dot between two gaps', drawn([1, 2, null, 3]), 'M0 99L10 98', [[30, 97]]],
    ['goes on where it is measured now and then', drawn([1, null, 3], true), 'M0 99L20 97', []],
    ['without data is none', drawn([null, null]), '', []],
  ])('%s', (_, line, path, dots) => {
    expect([linePath(line), alonePoints(line)]).toEqual([path, dots]);
  });

  test('an area ends at the axis', () => {
    expect(areaPath(drawn([1, 2]), 100)).toBe('M0 100L0 99L10 98L10 100Z');
  });

  test('a line of more points than pixels keeps its peaks and its gaps', () => {
    const points: (number | null)[] = Array.from({ length: 10_000 }, () => 1);
    points[5_001] = 99;
    points[5_003] = -99;
    points.fill(null, 8_000, 8_400);
    const kept = thinned(points, 200);
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(kept).toEqual(expect.arrayContaining([5_001, 5_003]));
    expect(kept.some((at) => points[at] === null)).toBe(true);
    expect([...kept]).toEqual([...kept].sort((one, other) => one - other));
  });
});
