// A page of a table for the operators' lists of money: sorted, filtered and counted by the database.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { and, asc, count, desc, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { columnOf, keyOrder, lastKey } from '../db/key-pages.ts';
import type { Sql } from '../db/open.ts';
import { organizations } from '../db/schema/people.ts';

export interface Page<Row> {
  items: Row[];
  /** Of all pages; not counted for a page that goes on after another. */
  total: number;
  /** There are `total` and more: counting stopped there. */
  isTotalMore?: true;
  /** Where the next page goes on; absent where a list goes on by the place alone. */
  last?: PageKey | undefined;
}

export interface Listed {
  /** By the fields of the wire that may be sorted by or filtered; `id` is one. */
  columns: Readonly<Record<string, PgColumn>>;
  /** In which `q` is looked for, without case. */
  searched: readonly (PgColumn | SQL)[];
  /** What else finds a text: conditions on other tables, each asked once and not for every row. */
  found?: (text: unknown) => readonly SQL[];
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

export function whereOf(
  { columns, searched, found = () => [], computed = {}, only }: Listed,
  { filter }: Pick<AdminQuery, 'filter'>,
): SQL | undefined {
  return and(
    only,
    ...Object.entries(filter).map(([field, wanted]) => {
      if (wanted === undefined) return undefined;
      if (field === 'q') return or(...searched.map((column) => contains(column, wanted)), ...found(wanted));
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

const contains = (column: PgColumn | SQL, text: unknown): SQL => sql`strpos(lower(${column}), lower(${text})) > 0`;

/** Of an organisation whose name holds the text. */
export const ofNamed = (organizationId: PgColumn, text: unknown): SQL =>
  sql`${organizationId} in (select ${organizations.id} from ${organizations} where ${contains(organizations.name, text)})`;

/** The ids of a page, in order, of a table that needs no other to be sorted and filtered. The rest is read for these alone. */
export async function idsOfPage(
  db: Sql,
  table: PgTable,
  listed: Listed,
  query: AdminQuery,
): Promise<Omit<Page<string>, 'items'> & { ids: string[] }> {
  const where = whereOf(listed, query);
  const { order, beyond, key } = keyOrder(listed.columns, query);
  const rows = await db
    .select({ id: columnOf(listed.columns, 'id'), key })
    .from(table)
    .where(and(where, beyond))
    .orderBy(...order)
    .offset(query.after ? 0 : query.range[0])
    .limit(sizeOf(query));
  const page = { ids: rows.map(({ id }) => `${id}`), last: lastKey(rows) };
  if (query.after) return { ...page, total: 0 };
  const [all] = await db.select({ total: count() }).from(table).where(where);
  return { ...page, total: all?.total ?? 0 };
}

/** Rows that were read by their ids, in the order of these. */
export function inOrderOf<Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
