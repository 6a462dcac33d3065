// How far an append-only table is settled: the id below which no row can still appear. Ids are drawn in a different order than
// rows are committed; writers hold the table's lock, shared, from before their first id: see `guards.ts`.
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './open.ts';
import { rowsOf } from './rows-of.ts';

/**
 * `last`: a statement whose one row has the newest `id`. Writers queue behind this, so it gives up after `waitMs` rather than
 * wait for somebody's forgotten transaction.
 */
export function settledUpTo(db: Database, lock: number, last: SQL, waitMs: number): Promise<bigint> {
  return db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = ${waitMs}`));
    await tx.execute(sql`select pg_advisory_xact_lock(${lock})`);
    const [row] = await rowsOf<{ id: string | number }>(tx, last);
    return BigInt(row?.id ?? 0);
  });
}
