import { expect, test } from '@jest/globals';
import { amountOf, countOf, partsOf, sizeUse } from './resources.ts';

const MI = 2 ** 20;

test.each([
  ['in thousandths of a GiB where these hold it', 512 * MI, { resource: 'memory', quantity: 0.5 }],
  ['in Mi where they do not', 64 * MI, { resource: 'memory', quantity: 64, unit: 'Mi' }],
  ['in bytes where Mi do not', 64 * MI + 1, { resource: 'memory', quantity: 64 * MI + 1, unit: 'B' }],
  ['a PiB without loss', 2 ** 50, { resource: 'memory', quantity: 2 ** 20 }],
])('a size is told %s', (_, bytes, use) => {
  expect(sizeUse('memory', bytes)).toEqual(use);
});

test.each([1, 1023, 64 * MI, 100 * MI, 12_345_678_901, 2 ** 44 + 7])('%d bytes are counted exactly', (bytes) => {
  const use = sizeUse('snapshot', bytes);
  expect((countOf(use) * 2n ** 30n) / partsOf(use)).toBe(BigInt(bytes));
  expect(amountOf(use)).toBe(bytes / 2 ** 30);
});
