import { expect, test } from '@jest/globals';
import { spreadOf } from './line.ts';

test('a series spans what it has; gaps are none of it', () => {
  expect(spreadOf({ name: 'a', points: [2, null, 1, 3] })).toEqual({ least: 1, most: 3, last: 3 });
  expect(spreadOf({ name: 'a', points: [2, null] })).toEqual({ least: 2, most: 2, last: null });
  expect(spreadOf({ name: 'a', points: [2, null], isSparse: true })).toEqual({ least: 2, most: 2, last: 2 });
  expect(spreadOf({ name: 'a', points: [null, null] })).toBeUndefined();
});
