// A page of a table for the operators' console: sorted, filtered and counted by the database.
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { and, count, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core';
import { columnOf, type KeyColumns, keyOrder, lastKey, type RowOf } from './key-pages.ts';
import type { Sql } from './open.ts';
import { organizations } from './schema/people.ts';

export interface Page<Row> {
  items: Row[];
  /** The number of rows on all pages; not counted for a page that goes on after another. */
  total: number;
  /** There are `total` and more: counting stopped there. */
  isTotalMore?: true;
  /** Where the next page goes on; undefined for one without rows, and where a list, all in memory, goes on by the place alone. */
  last: PageKey | undefined;
}

export interface Listed {
  /** By the fields of the wire that may be sorted by or filtered; `id` is one. */
  columns: Readonly<Record<string, PgColumn>>;
  /** In which `q` is looked for, without case. */
  searched: readonly (PgColumn | SQL)[];
  /** Further conditions that find a text: on other tables, each asked once and not for every row. */
  found?: (text: unknown) => readonly SQL[];
  /** Fields that are no column: whether a condition holds. */
  computed?: Readonly<Record<string, SQL>>;
  /** Filters that no column equals. */
  clauses?: Readonly<Record<string, (wanted: never) => SQL>>;
  /** Which rows there are at all. */
  only?: SQL;
}

/** Needs no other table to be sorted and filtered. */
export interface ListedTable extends Listed {
  table: PgTable;
}

const sizeOf = ({ range: [first, last] }: AdminQuery): number => last - first + 1;

/** The ids of a page, in order. Whatever else a row shows is read for these alone; `besides` must hold of every row. */
export async function pageOfIds(db: Sql, listed: ListedTable, query: AdminQuery, besides?: SQL): Promise<Page<string>> {
  const rows = await idsOf(db, listed, query, besides);
  const page = { items: rows.map(({ id }) => `${id}`), last: lastKey(rows) };
  if (query.after) return { ...page, total: 0 };
  const [all] = await db
    .select({ total: count() })
    .from(listed.table)
    .where(and(besides, whereOf(listed, query)));
  return { ...page, total: all?.total ?? 0 };
}

/** The statement itself, so that a test sees how it is answered. */
export function idsOf(db: Sql, listed: ListedTable, query: AdminQuery, besides?: SQL) {
  const { table, columns } = listed;
  const { order, beyond, key } = keyOrder(columns, query);
  return db
    .select({ id: columnOf(columns, 'id'), key })
    .from(table)
    .where(and(besides, whereOf(listed, query), beyond))
    .orderBy(...order)
    .offset(query.after ? 0 : query.range[0])
    .limit(sizeOf(query));
}

/** A page of what `rows` selects beside each row's key. `counted` counts the same rows, and `where` holds of both. */
export async function pageOfRows<Select extends PgSelect>(
  { columns, where }: { columns: KeyColumns; where: SQL | undefined },
  query: AdminQuery,
  rows: (key: SQL<string | null>) => Select & { _: { result: KeyedRow[] } },
  counted: PgSelect,
): Promise<Page<RowOf<Select>>> {
  const { order, beyond, key } = keyOrder(columns, query);
  const items: RowOf<Select>[] = await rows(key)
    .where(and(where, beyond))
    .orderBy(...order)
    .offset(query.after ? 0 : query.range[0])
    .limit(sizeOf(query));
  const page = { items, last: lastKey(items as KeyedRow[]) };
  if (query.after) return { ...page, total: 0 };
  const [all] = (await counted.where(where)) as { total: number }[];
  return { ...page, total: all?.total ?? 0 };
}
interface KeyedRow {
  id: unknown;
  key: string | null;
}

/** Where the rows of a list are, for `pageOfRows`. */
export const placeOf = (listed: Listed, query: AdminQuery) => ({
  columns: {
    ...listed.columns,
    ...Object.fromEntries(
      Object.entries(listed.computed ?? {}).map(([field, flag]) => [field, { sql: flag, type: 'boolean' }]),
    ),
  },
  where: whereOf(listed, query),
});

/** Rows that were read by their ids, in the order of these. */
export function inOrderOf<Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function whereOf(
  { columns, searched, found = () => [], computed = {}, clauses = {}, only }: Listed,
  { filter }: Pick<AdminQuery, 'filter'>,
): SQL | undefined {
  return and(only, ...Object.entries(filter).map(([field, wanted]) => clauseOf(field, wanted)));

  function clauseOf(field: string, wanted: unknown): SQL | undefined {
    if (wanted === undefined) return undefined;
    if (field === 'q') return or(...searched.map((column) => contains(column, wanted)), ...found(wanted));
    const flag = computed[field];
    if (flag) return wanted ? flag : sql`not (${flag})`;
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

const contains = (column: PgColumn | SQL, text: unknown): SQL => sql`strpos(lower(${column}), lower(${text})) > 0`;

/** The condition for rows of an organisation whose name contains the text. */
export const ofNamed = (organizationId: PgColumn, text: unknown): SQL =>
  sql`${organizationId} in (select ${organizations.id} from ${organizations} where ${contains(organizations.name, text)})`;
