import { expect, test } from '@jest/globals';
import { evenly, namedPlaces, stepPlaces, timePlaces } from './places.ts';

test('times are apart by their step, and have labels of the clock', () => {
  const start = new Date(2026, 10, 25, 8, 0).getTime();
  const { values, ticks } = timePlaces(start, 600_000, 7, 'Time');
  expect([values.length, values.at(-1)]).toEqual([7, start + 3_600_000]);
  expect(ticks(10).map(({ text }) => text)).toEqual(['08:00', '08:10', '08:20', '08:30', '08:40', '08:50', '09:00']);
  expect(ticks(3).map(({ text }) => text)).toEqual(['08:00', '08:30', '09:00']);
});

test('steps have round labels within what there is', () => {
  expect(stepPlaces([3, 10, 47], 'Step', String).ticks(6)).toEqual(
    [10, 20, 30, 40].map((place) => ({ place, text: `${place}` })),
  );
});

test('names have labels where one is wanted', () => {
  const days = ['2026-11-30', '2026-12-01', '2026-12-02'];
  const months = { labelled: ['2026-12-01'], textOf: (day: string) => day.slice(0, 7) };
  expect(
    namedPlaces(days, 'Day')
      .ticks(9)
      .map(({ text }) => text),
  ).toEqual(days);
  expect(namedPlaces(days, 'Day', months).ticks(9)).toEqual([{ place: 1, text: '2026-12' }]);
});

test.each([
  [7, 20, [1, 2, 3, 4, 5, 6, 7]],
  [30, 15, [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]],
  [30, 4, [6, 14, 22, 30]],
  [3, 0, [3]],
  [0, 5, []],
])('of %p labels, %p fit: those shown stand at even distances, and the last is shown', (count, most, shown) => {
  const labelled = Array.from({ length: count }, (_, at) => `${at + 1}`);
  expect(evenly(labelled, most)).toEqual(shown.map(String));
});
