import { expect, test } from '@jest/globals';
import { amountOf, countOf, isSameUse, partsOf, sizeUse } from './resources.ts';

const MI = 2 ** 20;

test.each([
  ['in thousandths of a GiB where these hold it', 512 * MI, { quantity: 0.5 }],
  ['in Mi beside its rounded GiB where they do not', 64 * MI, { quantity: 0.063, exact: { count: 64, unit: 'Mi' } }],
  ['in bytes where Mi do not', 64 * MI + 1, { quantity: 0.063, exact: { count: 64 * MI + 1, unit: 'B' } }],
  ['a PiB without loss', 2 ** 50, { quantity: 2 ** 20 }],
  ['rounded alone beyond what a number holds', 2 ** 53 + 2, { quantity: 2 ** 23 }],
])('a size is told %s', (_, bytes, use) => {
  expect(sizeUse('memory', bytes)).toEqual({ resource: 'memory', ...use });
});

test('whoever does not know the exact size reads 100 MB as 0.093 GiB', () => {
  const { quantity, exact } = sizeUse('snapshot', 100_000_000);
  expect([quantity, exact]).toEqual([0.093, { count: 100_000_000, unit: 'B' }]);
});

test.each([1, 1023, 64 * MI, 100 * MI, 12_345_678_901, 2 ** 44 + 7])('%d bytes are counted exactly', (bytes) => {
  const use = sizeUse('snapshot', bytes);
  expect((countOf(use) * 2n ** 30n) / partsOf(use)).toBe(BigInt(bytes));
  expect(amountOf(use)).toBe(bytes / 2 ** 30);
});

test.each([
  ['written before there was an exact size', { resource: 'memory', quantity: 0.063 }, true],
  ['of the very same size', sizeUse('memory', 64 * MI), true],
  ['that rounds alike and is another', sizeUse('memory', 64 * MI + 1), false],
  ['that rounds to another', sizeUse('memory', 66 * MI), false],
  ['of another resource', sizeUse('snapshot', 64 * MI), false],
  ['of a model', { ...sizeUse('memory', 64 * MI), model: 'H100' }, false],
])('64 Mi beside a use %s', (_, other, isSame) => {
  const use = sizeUse('memory', 64 * MI);
  expect([isSameUse(use, other), isSameUse(other, use)]).toEqual([isSame, isSame]);
});
