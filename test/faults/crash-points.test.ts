import { expect, test } from '@jest/globals';
import { crashPoints, seedOf } from './crash-points.ts';

const NOON = new Date('2026-01-01T12:00:00Z');

test('the seed is the number of the day, or what GANTRY_SEED says', () => {
  expect(seedOf({}, NOON)).toBe(20_454);
  expect(seedOf({ GANTRY_SEED: '42' }, NOON)).toBe(42);
  expect(() => seedOf({ GANTRY_SEED: 'today' }, NOON)).toThrow(
    'GANTRY_SEED must be a whole number from 0 up, not "today"',
  );
});

test('all is before and after each write', () => {
  expect(crashPoints('x', 2, 'all', 0)).toEqual([
    { write: 1, moment: 'before' },
    { write: 1, moment: 'after' },
    { write: 2, moment: 'before' },
    { write: 2, moment: 'after' },
  ]);
});

test.each([0, 1, 3, 5, 17])('twenty seeds in a row try every crash of %i writes, none of them nothing', (writes) => {
  const days = Array.from({ length: 20 }, (_, day) => crashPoints('instance', writes, 'twentieth', 20_000 + day));
  const tried = new Set(days.flat().map(({ write, moment }) => `${write} ${moment}`));
  expect(tried.size).toBe(writes * 2);
  expect(days.every((points) => points.length > 0)).toBe(writes > 0);
});

test('a twentieth is a twentieth', () => {
  expect(crashPoints('instance', 50, 'twentieth', 20_000)).toHaveLength(5);
});
