import { expect, test } from '@jest/globals';
import { nearest, spreadOf } from './line.ts';

test('a series spans what it has; gaps are none of it', () => {
  expect(spreadOf({ name: 'a', points: [2, null, 1, 3] })).toEqual({ least: 1, most: 3, last: 3 });
  expect(spreadOf({ name: 'a', points: [2, null] })).toEqual({ least: 2, most: 2, last: null });
  expect(spreadOf({ name: 'a', points: [2, null], isSparse: true })).toEqual({ least: 2, most: 2, last: 2 });
  expect(spreadOf({ name: 'a', points: [null, null] })).toBeUndefined();
});

test('the place next to another is found, whatever lies between', () => {
  const places = [0, 10, 40];
  expect([-5, 4, 6, 24, 26, 90].map((place) => nearest(places, place))).toEqual([0, 0, 1, 1, 2, 2]);
  expect([nearest([], 1), nearest([7], 1)]).toEqual([-1, 0]);
});
