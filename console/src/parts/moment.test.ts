import { expect, test } from '@jest/globals';
import { momentIn, within } from './moment.ts';

test.each([
  ['?from=1000&to=2000', { from: 1000, to: 2000 }],
  ['?from=2000&to=1000', undefined],
  ['?from=x&to=2000', undefined],
  ['', undefined],
])('the address %p names %p', (search, moment) => {
  expect(momentIn(search)).toEqual(moment);
});

test('a state lasts until the next begins', () => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString();
  const rows = [30, 20, 10, 0].map((minute) => ({ since: at(minute) }));
  expect(within(rows, { from: 12 * 60_000, to: 25 * 60_000 })).toEqual([{ since: at(20) }, { since: at(10) }]);
  expect(within(rows, { from: 40 * 60_000, to: 41 * 60_000 })).toEqual([{ since: at(30) }]);
});
