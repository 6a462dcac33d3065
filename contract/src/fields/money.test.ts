// Amounts in sentences: true whichever way they have to be rounded.
import { expect, test } from '@jest/globals';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { leftText, micros, neededText, parseMoney } from './money.ts';

test.each([
  ['0', '0.00', '0.00'],
  ['0.005', '0.005', '0.005'],
  ['0.000001', '0.000001', '0.000001'],
  ['3.1', '3.10', '3.10'],
  ['3.100001', '3.10', '3.11'],
  ['3.109999', '3.10', '3.11'],
  ['-0.005', '-0.005', '-0.005'],
  ['-5.001', '-5.01', '-5.00'],
])('%s: %s are left, %s are needed', (amount, left, needed) => {
  expect([leftText(parseMoney(amount)), neededText(parseMoney(amount))]).toEqual([left, needed]);
});

test('never more is left, and never less needed, than a sentence says', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), (size) => {
      const amount = micros(size);
      return parseMoney(leftText(amount)) <= amount && parseMoney(neededText(amount)) >= amount;
    }),
  );
});
