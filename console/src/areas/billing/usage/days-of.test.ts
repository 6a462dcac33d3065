// The days of a range.
import { expect, test } from '@jest/globals';
import { dayLabels, daysOf } from './days-of.ts';

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

test.each([
  ['a day has its day', '2026-11-22T00:00:00Z', '2026-11-22T23:00:00Z', ['11-22']],
  ['a week has each of its days', '2026-11-28T00:00:00Z', '2026-12-02T00:00:00Z', ['11-28', '11-29', '11-30', '12-01']],
  [
    'three months have their beginnings',
    '2026-08-20T00:00:00Z',
    '2026-11-20T00:00:00Z',
    ['2026-09', '2026-10', '2026-11'],
  ],
  ['two years have theirs', '2024-11-20T00:00:00Z', '2026-11-20T00:00:00Z', ['2025', '2026']],
])('%s', (_, start, end, labels) => {
  const days = daysOf([], span(start, end)).map(({ day }) => day);
  const { labelled, textOf } = dayLabels(days, span(start, end));
  expect(labelled.map(textOf)).toEqual(labels);
});
