// The days of a range.
import { expect, test } from '@jest/globals';
import { daysOf } from './days-of.ts';

const span = (start: string, end: string) => ({ start, end });

test('a day without a row costs nothing, and stands in its place', () => {
  const rows = [
    { key: '2026-11-20', total: '1.50' },
    { key: '2026-11-22', total: '0.000001' },
  ];
  expect(daysOf(rows, span('2026-11-20T10:00:00Z', '2026-11-22T05:00:00Z'))).toEqual([
    { day: '2026-11-20', total: '1.50' },
    { day: '2026-11-21', total: '0.00' },
    { day: '2026-11-22', total: '0.000001' },
  ]);
});

test.each([
  ['an hour lies in one day', '2026-11-22T04:00:00Z', '2026-11-22T05:00:00Z', ['2026-11-22']],
  ['an hour over midnight lies in two', '2026-11-21T23:30:00Z', '2026-11-22T00:30:00Z', ['2026-11-21', '2026-11-22']],
  [
    'a range that ends at midnight has nothing of the next day',
    '2026-11-21T00:00:00Z',
    '2026-11-22T00:00:00Z',
    ['2026-11-21'],
  ],
])('%s', (_, start, end, days) => expect(daysOf([], span(start, end)).map(({ day }) => day)).toEqual(days));
