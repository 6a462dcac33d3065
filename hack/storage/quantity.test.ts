import { expect, test } from '@jest/globals';
import { parseQuantity } from './quantity.ts';

test.each([
  ['0', 0],
  ['1073741824', 2 ** 30],
  ['1Gi', 2 ** 30],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['10G', 1e10],
  ['5Ti', 5 * 2 ** 40],
  ['1e3', 1000],
  ['1E', 1e18],
  ['100m', 1],
])('%s is %d bytes', (text, bytes) => {
  expect(parseQuantity(text)).toBe(bytes);
});

test.each(['', 'Gi', '1Gb', '-1', '1 Gi'])('"%s" is refused', (text) => {
  expect(() => parseQuantity(text)).toThrow('no quantity');
});
