import { expect, test } from '@jest/globals';
import { quantity } from './quantity.ts';

test.each([
  [undefined, 0],
  ['0', 0],
  [8, 8],
  ['250m', 0.25],
  ['1073741824', 2 ** 30],
  ['1Gi', 2 ** 30],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['10G', 1e10],
  ['5Ti', 5 * 2 ** 40],
  ['1e3', 1000],
  ['1E3', 1000],
  ['1E', 1e18],
  ['2Ei', 2 ** 61],
])('the quantity %s is %d', (text, number) => {
  expect(quantity(text)).toBe(number);
});

test.each(['', 'Gi', '1Gb', '-1', '1 Gi'])('"%s" is none', (text) => {
  expect(quantity(text)).toBeNaN();
});
