import { expect, test } from '@jest/globals';
import { filtersIn, filterText, type RowFilter, rowsPath, sortIn } from './filters.ts';

const paramsOf = (path: string) => new URL(path, 'http://x').searchParams;

test('the address of a bar leads to its rows', () => {
  const filter: RowFilter = { column: 'a&b', at_least: 1, below: 2 };
  const params = paramsOf(rowsPath('dst-1', 3, filter));
  expect(params.get('version')).toBe('3');
  expect(filtersIn(params)).toEqual([filter]);
});

test.each(['{', '3', 'null', '{"column":3}', '{"column":"a","other":1}'])(
  'what is no filter is left out: %s',
  (text) => {
    expect(filtersIn(new URLSearchParams({ filter: text }))).toEqual([]);
  },
);

test('a sort is a column and a direction', () => {
  expect(sortIn(new URLSearchParams('sort=a&descending=true'))).toEqual({ column: 'a', descending: true });
  expect(sortIn(new URLSearchParams('sort=a'))).toEqual({ column: 'a', descending: false });
  expect(sortIn(new URLSearchParams())).toBeUndefined();
});

test.each<[RowFilter, string]>([
  [{ column: 'a', at_least: 1, below: 2 }, 'a ≥ 1, a < 2'],
  [{ column: 'a', equals: 'x' }, 'a = x'],
  [{ column: 'a', length_at_least: 3 }, '|a| ≥ 3'],
  [{ column: 'a', is_null: false }, 'a ≠ null'],
])('%j is told as %s', (filter, text) => {
  expect(filterText(filter, 'null')).toBe(text);
});
