// Questions that may take long, with a limit: what staff ask must not hold up what everybody else writes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import type { Database, Sql } from './open.ts';
import { sqlStateOf } from './sqlstate.ts';

/** Each statement may take so long on PostgreSQL; `isTooLong` says so of the failure. PGlite knows no limit. */
export const inTime = <T>(db: Database, limitMs: number, work: (tx: Sql) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    if (db.kind === 'postgres') await tx.execute(sql.raw(`set local statement_timeout = ${limitMs}`));
    return work(tx);
  });

export const isTooLong = (error: unknown): boolean => sqlStateOf(error) === '57014';

const limits = new AsyncLocalStorage<number>();

/** As `inTime`, for work that knows nothing of it: each of its statements outside of a transaction. */
export const statementsInTime = <T>(limitMs: number, work: () => Promise<T>): Promise<T> => limits.run(limitMs, work);

export const statementLimit = (): number | undefined => limits.getStore();
