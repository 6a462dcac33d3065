// Questions about a whole month of everybody's usage: one at a time in this process, and given up after some seconds.
import { problem } from '@gantry/contract/http/problem.ts';
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { sqlStateOf } from '../../db/sqlstate.ts';

const CANCELED = '57014';

/** The calendar month of UTC before the one of `now`. */
export function lastMonth(now: number): { month: string; from: number; to: number } {
  const at = new Date(now);
  const [from, to] = [-1, 0].map((by) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by, 1)) as [number, number];
  return { month: new Date(from).toISOString().slice(0, 7), from, to };
}

const running = new WeakMap<Database, Promise<unknown>>();

/** Each statement may take so long. Throws simulation_too_long. PGlite knows no limit: it answers nobody else meanwhile anyway. */
export function askedInTime<T>(db: Database, seconds: number, work: (tx: Sql) => Promise<T>): Promise<T> {
  const before = running.get(db) ?? Promise.resolve();
  const asking = before.then(() =>
    db.transaction(async (tx) => {
      if (db.kind === 'postgres') await tx.execute(sql.raw(`set local statement_timeout = ${seconds * 1000}`));
      return work(tx);
    }),
  );
  running.set(
    db,
    asking.catch(() => undefined),
  );
  return asking.catch((error: unknown) => {
    if (sqlStateOf(error) !== CANCELED) throw error;
    throw problem('simulation_too_long', { seconds });
  });
}
