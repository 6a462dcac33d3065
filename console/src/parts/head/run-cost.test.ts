import { expect, test } from '@jest/globals';
import { runCost } from './run-cost.ts';

const HOUR = 3_600_000;

test.each([
  ['two hours of an hourly price', { amount: '2.50', per: 'hour' }, 2 * HOUR, '5.000000'],
  ['a second of a cheap one', { amount: '0.001587', per: 'hour' }, 1000, '0.000000'],
  ['a month', { amount: '0.10', per: 'month' }, 730 * HOUR, '0.100000'],
  ['a clock that is ahead', { amount: '1', per: 'hour' }, -5, '0.000000'],
  ['an amount that no float holds', { amount: '9007199254740993', per: 'hour' }, HOUR, '9007199254740993.000000'],
  ['what is no amount', { amount: 'free', per: 'hour' }, HOUR, undefined],
] as const)('%s', (_, price, ms, cost) => expect(runCost(price, ms)).toBe(cost));
