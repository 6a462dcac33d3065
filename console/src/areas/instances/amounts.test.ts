// Calculations in the browser: the price of a disk by size.
import { expect, test } from '@jest/globals';
import { timesWhole } from './amounts.ts';

test('an amount times a size is exact', () => {
  expect(timesWhole('0.10', 3)).toBe('0.30');
  expect(timesWhole('0.000001', 5120)).toBe('0.00512');
});
