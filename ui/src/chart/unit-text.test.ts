import { expect, test } from '@jest/globals';
import { unitText } from './unit-text.ts';

test.each([
  ['cores', 0.12345, '0.123'],
  ['bytes', 1536 * 1024, '1.50 MiB'],
  ['bytes', 2 ** 50 * 3, '3.00 PiB'],
  ['bytesPerSecond', 2048, '2.00 KiB/s'],
  ['percent', 12.34, '12.3%'],
  ['celsius', 97, '97 °C'],
  ['watts', 546.04, '546 W'],
  ['count', 3, '3'],
  ['none', 0.000123456, '0.0001235'],
  ['nobody knows it', 7, '7'],
])('%s: %d reads %s', (unit, value, text) => {
  expect(unitText(unit)(value)).toBe(text);
});
