// Many rows by one parameter: a statement of a thousand VALUES costs the driver and the server more than their writing does.
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * `insert into <table> (…) select … ` of these rows, to which a conflict's clause may be added. A column that no row names keeps its
 * default; one that only some name is null in the others.
 */
export function insertRows<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => rows.some((row) => field in row));
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  );
  const typed = sql.join(
    columns.map(([, column]) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`),
    sql`, `,
  );
  const given = rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (const [field, { name }] of columns) named[name] = (row as Record<string, unknown>)[field];
    return named;
  });
  return sql`insert into ${table} (${names}) select ${names} from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(${typed})`;
}
