// A page of rows that are all in memory: prices and discounts are few.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Page } from '../../../platform/db/list-pages.ts';

/** `numbers`: fields that sort as numbers though they are text. */
export function rowPage<Row extends { id: string }>(
  rows: readonly Row[],
  { sort: [field, order], range: [first, last], filter }: AdminQuery,
  searched: readonly (keyof Row)[],
  numbers: Partial<Record<string, (row: Row) => number>>,
): Page<Row> {
  const { q, ...equal } = filter;
  const sortedBy = (row: Row) => {
    const number = field === 'id' ? Number(row.id) : numbers[field]?.(row);
    return number ?? (row[field as keyof Row] as string | number);
  };
  const direction = order === 'DESC' ? -1 : 1;
  const found = rows
    .filter((row) =>
      Object.entries(equal).every(
        ([name, wanted]) =>
          wanted === undefined || [wanted].flat().some((one) => `${one}` === `${row[name as keyof Row]}`),
      ),
    )
    .filter(
      (row) => q === undefined || searched.some((name) => `${row[name]}`.toLowerCase().includes(`${q}`.toLowerCase())),
    )
    .sort((a, b) => direction * compare(sortedBy(a), sortedBy(b)) || Number(a.id) - Number(b.id));
  return { items: found.slice(first, last + 1), total: found.length, last: undefined };
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
