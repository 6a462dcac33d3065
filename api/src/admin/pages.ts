// A page of a table for the operators' console: sorted, filtered and counted by the database.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { and, count, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { columnOf, keyOrder, lastKey } from '../db/key-pages.ts';
import type { Sql } from '../db/open.ts';

export interface Page<Row> {
  items: Row[];
  /** Of all pages; not counted for a page that goes on after another. */
  total: number;
  /** Where the next page goes on; absent where a list goes on by the place alone. */
  last?: PageKey | undefined;
}

export interface Listed {
  table: PgTable;
  /** By the fields of the wire that may be sorted by or filtered; `id` is one. */
  columns: Readonly<Record<string, PgColumn>>;
  /** In which `q` is looked for, without case. */
  searched: readonly PgColumn[];
  /** Fields that ask whether a time is set. */
  isSet?: Readonly<Record<string, PgColumn>>;
  /** Filters that no column equals. */
  clauses?: Readonly<Record<string, (wanted: never) => SQL>>;
}

/** The ids of a page, in order. Whatever else a row shows is read for these alone; `besides` must hold of every row. */
export async function pageOfIds(
  db: Sql,
  listed: Listed,
  query: AdminQuery,
  besides?: SQL,
): Promise<Page<string | number>> {
  const { filter, after } = query;
  const rows = await idsOf(db, listed, query, besides);
  const items = rows.map((row) => row.id as string | number);
  if (after) return { items, total: 0, last: lastKey(rows) };
  const [all] = await db
    .select({ total: count() })
    .from(listed.table)
    .where(and(besides, whereOf(listed, filter)));
  return { items, total: all?.total ?? 0, last: lastKey(rows) };
}

/** The statement itself, so that a test sees how it is answered. */
export function idsOf(db: Sql, listed: Listed, query: AdminQuery, besides?: SQL) {
  const { table, columns } = listed;
  const { order, beyond, key } = keyOrder(columns, query);
  const [first, last] = query.range;
  return db
    .select({ id: columnOf(columns, 'id'), key })
    .from(table)
    .where(and(besides, whereOf(listed, query.filter), beyond))
    .orderBy(...order)
    .offset(query.after ? 0 : first)
    .limit(last - first + 1);
}

function whereOf(
  { columns, searched, isSet = {}, clauses = {} }: Listed,
  filter: AdminQuery['filter'],
): SQL | undefined {
  return and(...Object.entries(filter).map(([field, wanted]) => clauseOf(field, wanted)));

  function clauseOf(field: string, wanted: unknown): SQL | undefined {
    if (wanted === undefined) return undefined;
    if (field === 'q') return or(...searched.map((column) => sql`strpos(lower(${column}), lower(${wanted})) > 0`));
    const flag = isSet[field];
    if (flag) return wanted ? isNotNull(flag) : isNull(flag);
    const clause = clauses[field];
    // The contract has parsed it.
    if (clause) return clause(wanted as never);
    const column = columnOf(columns, field);
    return Array.isArray(wanted)
      ? inArray(
          column,
          wanted.map((one) => valueFor(column, one)),
        )
      : eq(column, valueFor(column, wanted));
  }
}

/** An id in a path is text, even if the column is a number: text that is no number matches nothing. */
function valueFor(column: PgColumn, wanted: unknown): unknown {
  if (column.dataType === 'string') return String(wanted);
  if (column.dataType !== 'number') return wanted;
  const number = Number(wanted);
  return Number.isSafeInteger(number) ? number : -1;
}
