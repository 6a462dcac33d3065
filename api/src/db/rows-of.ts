// Statements written by hand, where the query builder has no words.
import type { SQL } from 'drizzle-orm';
import type { Sql } from './open.ts';

/** Its rows, in both drivers' shape. Times and bigints may arrive as strings there: cast what needs a type. */
export async function rowsOf<T>(connection: Sql, query: SQL): Promise<T[]> {
  return ((await connection.execute(query)) as unknown as { rows: T[] }).rows;
}
