// Questions about a whole month of everybody's usage: one at a time in this process, and given up after some seconds.
import { problem } from '@gantry/contract/http/problem.ts';
import { inTime, isTooLong } from '../../../platform/db/in-time.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';

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
  const asking = before.then(() => inTime(db, seconds * 1000, work));
  running.set(
    db,
    asking.catch(() => undefined),
  );
  return asking.catch((error: unknown) => {
    if (!isTooLong(error)) throw error;
    throw problem('simulation_too_long', { seconds });
  });
}
