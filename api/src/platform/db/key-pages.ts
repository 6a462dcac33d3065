// Pages of a table that go on after the last row of the one before, so that a long list costs no more at its end than at its
// beginning, and a row that does not change meanwhile appears once.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, count, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from './open.ts';

export interface KeyOrder {
  /** By the column and then the id, both in one direction: one index serves both directions. */
  order: SQL[];
  /** The condition for rows after the former page; undefined if there is none. */
  beyond: SQL | undefined;
  /** To be selected with the rows: `lastKey` reads it. */
  key: SQL<string | null>;
}

/** A sort key of a list: a column, or an expression over a row, which is never null. */
export type KeyColumn = PgColumn | { sql: SQL; type: string };
export type KeyColumns = Readonly<Record<string, KeyColumn>>;

export function keyOrder(
  columns: KeyColumns,
  { sort: [field, direction], after }: Pick<AdminQuery, 'sort' | 'after'>,
): KeyOrder {
  const [column, id] = [columnOf(columns, field), columnOf(columns, 'id')];
  const isDown = direction === 'DESC';
  const one = isDown ? desc : asc;
  return {
    order: column === id ? [one(sqlOf(id))] : [one(sqlOf(column)), one(sqlOf(id))],
    beyond: after && beyondOf(column, id, isDown, after),
    key: textOf(column),
  };
}

/** A page as tenants ask for it: by its number from 1, or behind the row that the cursor names. */
export interface CursorPage {
  page: number;
  size: number;
  cursor?: string | undefined;
}

export interface CursorRows<Row> {
  items: Row[];
  /** The number of rows on all pages. */
  total: number;
  /** The start of the next page; undefined if this page is not full, because nothing comes after it. */
  cursor: string | undefined;
}

export interface CursorList {
  table: PgTable;
  /** By the fields that may be sorted by; `id` is unique within `own`, and the cursor. */
  columns: KeyColumns;
  /** The rows that may be named: a cursor names one of these, whether or not a filter shows it. */
  own: SQL;
}

/** The order of a table whose rows are listed by when they were made. */
export const newestFirst = (
  table: PgTable & { id: PgColumn; createdAt: PgColumn },
  own: SQL,
  where?: SQL,
): CursorList & { where?: SQL | undefined; sort: AdminQuery['sort'] } => ({
  ...{ table, columns: { id: table.id, createdAt: table.createdAt } },
  ...{ own, where, sort: ['createdAt', 'DESC'] },
});

/** Throws cursor_rule for a cursor that is no row of theirs. */
export async function cursorOrder(
  db: Sql,
  { table, columns, own }: CursorList,
  sort: AdminQuery['sort'],
  { page, size, cursor }: CursorPage,
): Promise<KeyOrder & { limit: number; offset: number }> {
  if (cursor === undefined) return { ...keyOrder(columns, { sort }), limit: size, offset: (page - 1) * size };
  const [column, id] = [columnOf(columns, sort[0]), columnOf(columns, 'id')];
  // The cursor stays text: nonsense is no row, and never a failed cast.
  const [after] = await db
    .select({ value: textOf(column), id: sql<string>`${textOf(id)}` })
    .from(table)
    .where(and(own, sql`${textOf(id)} = ${cursor}`));
  if (!after) throw noSuchCursor();
  return { ...keyOrder(columns, { sort, after }), limit: size, offset: 0 };
}

/** A page of what `rows` selects from the list's table, and how many there are in all. */
export async function cursorPage<Select extends PgSelect>(
  db: Sql,
  list: CursorList & { where?: SQL | undefined; sort: AdminQuery['sort'] },
  asked: CursorPage,
  rows: Select,
  idOf: (row: RowOf<Select>) => unknown,
): Promise<CursorRows<RowOf<Select>>> {
  const { table, own, where = own, sort } = list;
  const [counted] = await db.select({ total: count() }).from(table).where(where);
  const { order, beyond, limit, offset } = await cursorOrder(db, list, sort, asked);
  const items: RowOf<Select>[] = await rows
    .where(and(where, beyond))
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { items, total: counted?.total ?? 0, cursor: cursorAfter(items.map(idOf), asked) };
}
export type RowOf<Select extends PgSelect> = Select['_']['result'][number];

/** The same of rows that are all in memory, in their order. Throws cursor_rule for a cursor that is none of them. */
export function cursorSlice<Row>(all: readonly Row[], asked: CursorPage, idOf: (row: Row) => string): CursorRows<Row> {
  const { page, size, cursor } = asked;
  const before = cursor === undefined ? (page - 1) * size - 1 : all.findIndex((row) => idOf(row) === cursor);
  if (cursor !== undefined && before < 0) throw noSuchCursor();
  const items = all.slice(before + 1, before + 1 + size);
  return { items, total: all.length, cursor: cursorAfter(items.map(idOf), asked) };
}

/** The cursor of an answer; none if its page is not full, because nothing comes after it. */
export const cursorAfter = (ids: readonly unknown[], { size }: CursorPage): string | undefined =>
  ids.length < size ? undefined : `${ids.at(-1)}`;

const noSuchCursor = () => problem('cursor_rule', {}, { field: 'cursor' });

/** Undefined for a page without rows. */
export function lastKey(rows: readonly { key: string | null; id: unknown }[]): PageKey | undefined {
  const last = rows.at(-1);
  return last && { value: last.key, id: `${last.id}` };
}

export function columnOf<Column extends KeyColumn>(columns: Readonly<Record<string, Column>>, field: string): Column {
  const column = columns[field];
  if (!column) throw new Error(`no column for ${field}`);
  return column;
}

const isComputed = (column: KeyColumn): column is Exclude<KeyColumn, PgColumn> => 'type' in column && 'sql' in column;
/** A column stays one: drizzle names it otherwise in a union. */
const sqlOf = (column: KeyColumn): SQL | PgColumn => (isComputed(column) ? column.sql : column);
const textOf = (column: KeyColumn): SQL<string | null> => sql`(${sqlOf(column)})::text`;

/** PostgreSQL sorts null as the greatest. */
function beyondOf(column: KeyColumn, id: KeyColumn, isDown: boolean, { value, id: lastId }: PageKey): SQL {
  const sign = sql.raw(isDown ? '<' : '>');
  const [by, tie, last] = [sqlOf(column), sqlOf(id), as(id, lastId)];
  if (column === id) return sql`${tie} ${sign} ${last}`;
  if (value === null) {
    const others = isDown ? sql` or ${by} is not null` : sql``;
    return sql`((${by} is null and ${tie} ${sign} ${last})${others})`;
  }
  const rest = sql`(${by}, ${tie}) ${sign} (${as(column, value)}, ${last})`;
  // A column that is never null keeps the comparison of rows alone, which an index answers.
  return isDown || isComputed(column) || column.notNull ? rest : sql`(${rest} or ${by} is null)`;
}

const as = (column: KeyColumn, text: string): SQL => {
  const type = isComputed(column) ? column.type : column.getSQLType();
  return sql`${text}::${sql.raw(type.replace('bigserial', 'bigint').replace('serial', 'integer'))}`;
};
