// Statements written by hand, where the query builder has no words.
import { type SQL, sql } from 'drizzle-orm';
import type { Sql } from './open.ts';

/** Its rows, in both drivers' shape. Times and bigints may arrive as strings there: cast what needs a type. */
export async function rowsOf<T>(connection: Sql, query: SQL): Promise<T[]> {
  return ((await connection.execute(query)) as unknown as { rows: T[] }).rows;
}

/** A time as the wire has it: RFC 3339 in UTC, with milliseconds. */
export const isoOf = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
