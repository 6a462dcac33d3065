import { expect, test } from '@jest/globals';
import { moved } from './moved.ts';

test.each([
  [0, 1, 'bac'],
  [2, -1, 'acb'],
  [0, -1, 'abc'],
  [2, 1, 'abc'],
  [7, -1, 'abc'],
] as const)('the row at %d goes %d further', (place, by, order) => {
  expect(moved(['a', 'b', 'c'], place, by).join('')).toBe(order);
});
