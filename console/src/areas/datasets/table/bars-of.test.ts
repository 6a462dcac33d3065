import type { DatasetColumnStatistics } from '@gantry/contract/areas/datasets/tables.ts';
import { expect, test } from '@jest/globals';
import { barsOf, lengthBarsOf, valueBarsOf } from './bars-of.ts';

const column = (more: Partial<DatasetColumnStatistics>): DatasetColumnStatistics => ({
  ...{ name: 'price', type: 'DOUBLE', nulls: 0, distinct: null, min: null, max: null, mean: null, deviation: null },
  ...{ quartiles: null, shortest: null, longest: null, mean_length: null, histogram: null, lengths: null },
  ...{ values: null, values_more: null },
  ...more,
});

test('each bin leaves its own rows, and the last one has its upper edge too', () => {
  const bars = barsOf(column({ histogram: { edges: [0, 1.5, 3], counts: [4, 2] } }));
  expect(bars).toEqual([
    { label: '0 – 1.5', count: 4, filter: { column: 'price', at_least: 0, below: 1.5 } },
    { label: '≥ 1.5', count: 2, filter: { column: 'price', at_least: 1.5 } },
  ]);
});

test('times are told and compared as they are', () => {
  const histogram = { edges: ['2026-01-01T00:00:00', '2026-02-01T00:00:00'], counts: [3] };
  expect(barsOf(column({ type: 'TIMESTAMP', histogram }))[0]?.filter).toEqual({
    ...{ column: 'price', at_least: '2026-01-01T00:00:00' },
  });
});

test('lengths between two whole numbers are none, and those of one are told as one', () => {
  const bars = lengthBarsOf(column({ lengths: { edges: [31, 31.5, 31.9, 32.4, 40], counts: [9, 0, 90, 3] } }));
  expect(bars.map(({ label, count }) => [label, count])).toEqual([
    ['31', 9],
    ['32', 90],
    ['≥ 33', 3],
  ]);
});

test('of lengths whole numbers are asked for', () => {
  const bars = lengthBarsOf(column({ lengths: { edges: [0.5, 2.5, 9], counts: [1, 1] } }));
  expect(bars.map(({ filter }) => filter)).toEqual([
    { column: 'price', length_at_least: 1, length_below: 3 },
    { column: 'price', length_at_least: 3 },
  ]);
});

test.each([
  ['VARCHAR', '7', '7'],
  ['BIGINT', '7', 7],
  ['BIGINT', '9007199254740993', '9007199254740993'],
  ['BOOLEAN', 'false', false],
])('a value of %s is compared as its column has it: %s', (type, value, equals) => {
  const [bar] = valueBarsOf(column({ type, values: [{ value, count: 2 }] }));
  expect(bar).toEqual({ label: value, count: 2, filter: { column: 'price', equals } });
});

test('a broken answer draws nothing', () => {
  expect(barsOf(column({ histogram: { edges: [1], counts: [1, 2] } }))).toEqual([]);
});
