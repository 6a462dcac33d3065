import { expect, test } from '@jest/globals';
import { storedValue, valueText } from './value-text.ts';

test.each([
  [0, '0'],
  [0.004, '0.004'],
  [0.000123456, '0.000123'],
  [-0.5, '-0.5'],
  [91.256, '91.26'],
  [3_000_000_123, '3000000123'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, '–'],
  [undefined, '–'],
])('%s reads %s, stored or not', (value, text) => {
  expect(valueText(value)).toBe(text);
  expect(valueText(storedValue(value))).toBe(text);
  expect(JSON.parse(JSON.stringify(storedValue(value)))).toBe(storedValue(value));
});
