// Half of a payment, as the refund form fills it in.
import { expect, test } from '@jest/globals';
import { halfOf } from './half-of.ts';

test.each([
  ['50.00', '50.00', 'USD', '25.00'],
  // Odd cents go to the platform's side.
  ['50.01', '50.01', 'USD', '25.00'],
  ['50.00', '10.00', 'USD', '10.00'],
  ['1001.00', '1001.00', 'JPY', '500.00'],
])('half of %s, of which %s can be refunded in %s, is %s', (paid, refundable, currency, half) => {
  expect(halfOf(paid, refundable, currency)).toBe(half);
});
