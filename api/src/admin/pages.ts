// A page of a table for the operators' console: sorted, filtered and counted by the database.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from '../db/open.ts';

export interface Page<Row> {
  items: Row[];
  total: number;
}

export interface Listed {
  table: PgTable;
  /** By the fields of the wire that may be sorted by or filtered; `id` is one. */
  columns: Readonly<Record<string, PgColumn>>;
  /** In which `q` is looked for, without case. */
  searched: readonly PgColumn[];
  /** Fields that ask whether a time is set. */
  isSet?: Readonly<Record<string, PgColumn>>;
}

/** The ids of a page, in order. Whatever else a row shows is read for these alone; `besides` must hold of every row. */
export async function pageOfIds(
  db: Sql,
  listed: Listed,
  { sort, range, filter }: AdminQuery,
  besides?: SQL,
): Promise<Page<string | number>> {
  const { table, columns, searched, isSet = {} } = listed;
  const where = and(besides, ...Object.entries(filter).map(([field, wanted]) => clauseOf(field, wanted)));
  function clauseOf(field: string, wanted: unknown): SQL | undefined {
    if (wanted === undefined) return undefined;
    if (field === 'q') return or(...searched.map((column) => sql`strpos(lower(${column}), lower(${wanted})) > 0`));
    const flag = isSet[field];
    if (flag) return wanted ? isNotNull(flag) : isNull(flag);
    const column = columnOf(columns, field);
    return Array.isArray(wanted)
      ? inArray(
          column,
          wanted.map((one) => valueFor(column, one)),
        )
      : eq(column, valueFor(column, wanted));
  }
  const [field, order] = sort;
  const id = columnOf(columns, 'id');
  const [first, last] = range;
  const rows = await db
    .select({ id })
    .from(table)
    .where(where)
    .orderBy((order === 'DESC' ? desc : asc)(columnOf(columns, field)), asc(id))
    .offset(first)
    .limit(last - first + 1);
  const [all] = await db.select({ total: count() }).from(table).where(where);
  return { items: rows.map((row) => row.id as string | number), total: all?.total ?? 0 };
}

function columnOf(columns: Listed['columns'], field: string): PgColumn {
  const column = columns[field];
  if (!column) throw new Error(`no column for ${field}`);
  return column;
}

/** An id in a path is text, even if the column is a number: text that is no number matches nothing. */
function valueFor(column: PgColumn, wanted: unknown): unknown {
  if (column.dataType === 'string') return String(wanted);
  if (column.dataType !== 'number') return wanted;
  const number = Number(wanted);
  return Number.isSafeInteger(number) ? number : -1;
}
