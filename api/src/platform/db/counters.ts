// Counters in SQL, shared by all processes. A window begins with its first count and ends after its length, whatever comes in
// between: nobody can keep it closed forever by continuing.

import { eq, sql } from 'drizzle-orm';
import type { Sql } from './open.ts';
import { counters } from './schema/identity.ts';

export interface Limit {
  /** So many in a window are allowed. */
  most: number;
  windowMs: number;
}

/** Counts one more; returns how many seconds to wait if that was one too many, otherwise 0. */
export async function count(db: Sql, key: string, limit: Limit, now: number): Promise<number> {
  const at = new Date(now);
  const endsAt = new Date(now + limit.windowMs);
  const [row] = await db
    .insert(counters)
    .values({ key, count: 1, endsAt })
    .onConflictDoUpdate({
      target: counters.key,
      set: {
        count: sql`case when ${counters.endsAt} <= ${at} then 1 else least(${counters.count} + 1, 1000000) end`,
        endsAt: sql`case when ${counters.endsAt} <= ${at} then ${endsAt} else ${counters.endsAt} end`,
      },
    })
    .returning();
  return row && row.count > limit.most ? secondsUntil(row.endsAt, now) : 0;
}

/** One of those counted turned out to be none. */
export const takeBack = (db: Sql, key: string) =>
  db
    .update(counters)
    .set({ count: sql`greatest(${counters.count} - 1, 0)` })
    .where(eq(counters.key, key));

export const forgetCount = (db: Sql, key: string) => db.delete(counters).where(eq(counters.key, key));

const secondsUntil = (end: Date, now: number): number => Math.max(1, Math.ceil((end.getTime() - now) / 1_000));
