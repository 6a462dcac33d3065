// Calculations in the browser: how long a balance lasts, and the price of a disk by size.
import { expect, test } from '@jest/globals';
import { hoursLeft, timesWhole } from './amounts.ts';

test.each<[string, { balance: string; per_hour: string }, string, number | undefined]>([
  ['with what runs already', { balance: '10.00', per_hour: '0.60' }, '0.40', 10],
  ['whole hours, rounded down', { balance: '10.00', per_hour: '0.00' }, '3.00', 3],
  ['a debt lasts for nothing', { balance: '-1.00', per_hour: '0.00' }, '1.00', 0],
  ['where nothing costs there is no end', { balance: '10.00', per_hour: '0.00' }, '0.00', undefined],
])('a balance lasts %s', (_, wallet, more, hours) => {
  expect(hoursLeft(wallet, more)).toBe(hours);
});

test('an amount times a size is exact', () => {
  expect(timesWhole('0.10', 3)).toBe('0.30');
  expect(timesWhole('0.000001', 5120)).toBe('0.00512');
});
