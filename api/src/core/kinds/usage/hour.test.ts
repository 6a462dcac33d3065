// The ring of an hour: gaps, wrapping, and what counts as now.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Hour, POINTS } from './hour.ts';

const cpu = (value: number | undefined) => [['cpu', value]] as const;

test('the newest points are the last, and steps without a value are gaps', () => {
  const hour = new Hour();
  hour.put(1000, cpu(1));
  hour.put(1001, cpu(undefined));
  hour.put(1003, cpu(3));
  expect(hour.points('cpu', 1003).slice(-5)).toEqual([null, 1, null, null, 3]);
  expect(hour.points('cpu', 1003)).toHaveLength(POINTS);
});

test('the present step is no gap before it was measured', () => {
  const hour = new Hour();
  hour.put(1000, cpu(1));
  expect(hour.points('cpu', 1001).at(-1)).toBe(1);
  expect([hour.lastStep(1000), hour.lastStep(1001), hour.lastStep(1005)]).toEqual([1000, 1000, 1004]);
  expect(hour.points('cpu', 1005).slice(-5)).toEqual([1, null, null, null, null]);
});

test('what is older than three steps is not now', () => {
  const hour = new Hour();
  hour.put(1000, cpu(1));
  expect([hour.now('cpu', 1003), hour.now('cpu', 1004), hour.now('memory', 1000)]).toEqual([1, null, null]);
});

test('a step before the newest is left out', () => {
  const hour = new Hour();
  hour.put(1000, cpu(1));
  hour.put(999, cpu(9));
  expect(hour.points('cpu', 1000).slice(-2)).toEqual([null, 1]);
});

test('after an hour without a value a series is empty, and so is one that nobody keeps', () => {
  const hour = new Hour();
  hour.put(1000, [...cpu(1), ['memory', 2]]);
  expect([hour.points('cpu', 1000 + POINTS).length, hour.points('cpu', 1001 + POINTS).length]).toEqual([POINTS, 0]);
  expect([hour.isOver(1000 + POINTS - 1), hour.isOver(1000 + POINTS)]).toEqual([false, true]);
  hour.keep(new Set(['memory']));
  expect([hour.points('cpu', 1000), hour.points('memory', 1000).at(-1)]).toEqual([[], 2]);
});

test('it holds exactly what was put within the hour, whatever was left out', () => {
  const put = fc.tuple(fc.integer({ min: 1, max: 2 * POINTS }), fc.option(fc.integer({ min: 0, max: 1000 })));
  fc.assert(
    fc.property(fc.array(put, { minLength: 1, maxLength: 50 }), (puts) => {
      const hour = new Hour();
      const known = new Map<number, number>();
      let step = 0;
      for (const [later, value] of puts) {
        step += later;
        hour.put(step, cpu(value ?? undefined));
        if (value !== null) known.set(step, value);
      }
      const expected = Array.from({ length: POINTS }, (_, index) => known.get(step - POINTS + 1 + index) ?? null);
      expect(hour.points('cpu', step)).toEqual(expected.some((value) => value !== null) ? expected : []);
    }),
  );
});
