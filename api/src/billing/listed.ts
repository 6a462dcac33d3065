// A page of a table for the operators' lists of money: sorted, filtered and counted by the database.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { and, asc, desc, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

export interface Page<Row> {
  items: Row[];
  /** Of all pages; not counted for a page that goes on after another. */
  total: number;
  /** Where the next page goes on; absent where a list goes on by the place alone. */
  last?: PageKey | undefined;
}

export interface Listed {
  /** By the fields of the wire that may be sorted by or filtered; `id` is one. */
  columns: Readonly<Record<string, PgColumn>>;
  /** In which `q` is looked for, without case. */
  searched: readonly (PgColumn | SQL)[];
  /** Fields that are no column. */
  computed?: Readonly<Record<string, SQL>>;
  /** Which rows there are at all. */
  only?: SQL;
}

export const sizeOf = ({ range: [first, last] }: AdminQuery): number => last - first + 1;

/** Rows that are equal in the field come in the order of `then`, else of their ids. */
export function orderOf({ columns, computed }: Listed, { sort: [field, order] }: AdminQuery, then?: SQL): SQL[] {
  const id = columns.id as PgColumn;
  const by = computed?.[field] ?? columns[field] ?? id;
  return [(order === 'DESC' ? desc : asc)(by), ...(then ? [then] : []), asc(id)];
}

export function whereOf({ columns, searched, computed = {}, only }: Listed, { filter }: AdminQuery): SQL | undefined {
  return and(
    only,
    ...Object.entries(filter).map(([field, wanted]) => {
      if (wanted === undefined) return undefined;
      if (field === 'q') return or(...searched.map((column) => sql`strpos(lower(${column}), lower(${wanted})) > 0`));
      const flag = computed[field];
      if (flag) return wanted ? flag : sql`not (${flag})`;
      const column = columns[field] as PgColumn;
      return inArray(
        column,
        [wanted].flat().map((one) => (column.dataType === 'string' ? String(one) : Number(one))),
      );
    }),
  );
}
