// How long the balance lasts.
import { expect, test } from '@jest/globals';
import { timeLeft } from './time-left.ts';

test.each([
  ['nothing in use lasts for no time at all', null, undefined],
  ['what is over lasts under an hour', -3, { unit: 'underAnHour', count: 0 }],
  ['hours are rounded down', 1.99, { unit: 'hours', count: 1 }],
  ['up to two days it is hours', 47.9, { unit: 'hours', count: 47 }],
  ['then it is days', 48, { unit: 'days', count: 2 }],
  ['which are rounded down, too', 71.9, { unit: 'days', count: 2 }],
  ['up to a year', 8759.9, { unit: 'days', count: 364 }],
  ['what lasts for years is not counted', 189_792, { unit: 'overAYear', count: 0 }],
])('%s', (_, hours, left) => expect(timeLeft(hours)).toEqual(left));
