// Pages of a table that go on after the last row of the one before, so that a long list costs no more at its end than at its
// beginning, and a row that does not change meanwhile appears once.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, count, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from './open.ts';

export interface KeyOrder {
  /** By the column and then the id, both in one direction: one index serves both directions. */
  order: SQL[];
  /** What lies after the former page; undefined where there is none. */
  beyond: SQL | undefined;
  /** To be selected with the rows: `lastKey` reads it. */
  key: SQL<string | null>;
}

export function keyOrder(
  columns: Readonly<Record<string, PgColumn>>,
  { sort: [field, direction], after }: Pick<AdminQuery, 'sort' | 'after'>,
): KeyOrder {
  const [column, id] = [columnOf(columns, field), columnOf(columns, 'id')];
  const isDown = direction === 'DESC';
  const one = isDown ? desc : asc;
  return {
    order: column === id ? [one(id)] : [one(column), one(id)],
    beyond: after && beyondOf(column, id, isDown, after),
    key: sql<string | null>`${column}::text`,
  };
}

/** A page as tenants ask for it: by its number from 1, or behind the row that the cursor names. */
export interface CursorPage {
  page: number;
  size: number;
  cursor?: string | undefined;
}

export interface CursorList {
  table: PgTable;
  /** By the fields that may be sorted by; `id` is unique within `own`, and the cursor. */
  columns: Readonly<Record<string, PgColumn>>;
  /** Whose rows: a cursor names one of these, whether or not a filter shows it. */
  own: SQL;
}

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
    .select({ value: sql<string | null>`${column}::text`, id: sql<string>`${id}::text` })
    .from(table)
    .where(and(own, sql`${id}::text = ${cursor}`));
  if (!after) throw problem('cursor_rule', {}, { field: 'cursor' });
  return { ...keyOrder(columns, { sort, after }), limit: size, offset: 0 };
}

/** `cursor` is where the next page begins; absent on the last one. */
export interface CursorRows<Row> {
  items: Row[];
  total: number;
  cursor?: string;
}

/** Rows as `read` finds them in the page's place, how many there are in all, and where the next page begins. */
export async function cursorPage<Row>(
  db: Sql,
  list: CursorList & { where?: SQL | undefined; sort: AdminQuery['sort'] },
  asked: CursorPage,
  read: (place: { where: SQL | undefined; order: SQL[]; limit: number; offset: number }) => PromiseLike<Row[]>,
  idOf: (row: Row) => unknown,
): Promise<CursorRows<Row>> {
  const { table, own, where = own, sort } = list;
  const [counted] = await db.select({ total: count() }).from(table).where(where);
  const { order, beyond, limit, offset } = await cursorOrder(db, list, sort, asked);
  const items = await read({ where: and(where, beyond), order, limit, offset });
  return { items, total: counted?.total ?? 0, ...cursorAfter(items.map(idOf), asked) };
}

/** What an answer carries; nothing where its page is not full, for nothing comes after it. */
export const cursorAfter = (ids: readonly unknown[], { size }: CursorPage): { cursor?: string } =>
  ids.length < size ? {} : { cursor: `${ids.at(-1)}` };

/** Undefined for a page without rows. */
export function lastKey(rows: readonly { key: string | null; id: unknown }[]): PageKey | undefined {
  const last = rows.at(-1);
  return last && { value: last.key, id: `${last.id}` };
}

export function columnOf(columns: Readonly<Record<string, PgColumn>>, field: string): PgColumn {
  const column = columns[field];
  if (!column) throw new Error(`no column for ${field}`);
  return column;
}

/** PostgreSQL sorts null as the greatest. */
function beyondOf(column: PgColumn, id: PgColumn, isDown: boolean, { value, id: lastId }: PageKey): SQL {
  const sign = sql.raw(isDown ? '<' : '>');
  const last = as(id, lastId);
  if (column === id) return sql`${id} ${sign} ${last}`;
  if (value === null) {
    const others = isDown ? sql` or ${column} is not null` : sql``;
    return sql`((${column} is null and ${id} ${sign} ${last})${others})`;
  }
  const rest = sql`(${column}, ${id}) ${sign} (${as(column, value)}, ${last})`;
  // A column that is never null keeps the comparison of rows alone, which an index answers.
  return isDown || column.notNull ? rest : sql`(${rest} or ${column} is null)`;
}

const as = (column: PgColumn, text: string): SQL =>
  sql`${text}::${sql.raw(column.getSQLType().replace('bigserial', 'bigint').replace('serial', 'integer'))}`;
