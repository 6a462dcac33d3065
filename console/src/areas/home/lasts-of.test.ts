import { expect, test } from '@jest/globals';
import { lastsOf } from './lasts-of.ts';

test.each([
  [null, undefined],
  [-3, { unit: 'hours', count: 0 }],
  [0.9, { unit: 'hours', count: 0 }],
  [47.9, { unit: 'hours', count: 47 }],
  [71.9, { unit: 'days', count: 2 }],
])('a balance of %p hours', (hours, lasts) => {
  expect(lastsOf(hours)).toEqual(lasts);
});
