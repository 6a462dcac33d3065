import { expect, test } from '@jest/globals';
import { bytesText, gibibytesText } from './size.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KiB'],
  [1536, '1.50 KiB'],
  [1024 ** 2 - 1, '1.00 MiB'],
  [5 * 1024 ** 2, '5.00 MiB'],
  [1024 ** 3 * 1.239, '1.24 GiB'],
  [1024 ** 4, '1.00 TiB'],
  [1024 ** 5 * 2, '2.00 PiB'],
  // There is nothing above.
  [1024 ** 6, '1024.00 PiB'],
  [-2048, '-2.00 KiB'],
])('bytesText of %d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([null, undefined, Number.NaN, Number.POSITIVE_INFINITY])('bytesText of %s, which is not known', (bytes) => {
  expect(bytesText(bytes)).toBe('–');
});

test.each([
  [0.125, '0.13 GiB'],
  [20, '20 GiB'],
  [1023, '1023 GiB'],
  [1024, '1 TiB'],
  [1536, '1.5 TiB'],
  [5120, '5 TiB'],
])('gibibytesText of %d is %s', (gi, text) => {
  expect(gibibytesText(gi)).toBe(text);
});
