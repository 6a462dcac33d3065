// The SQL of idleness.

import type { IdlePolicyView, IdleSavingsView } from '@gantry/contract/areas/idle/idle.ts';
import { DEFAULT_IDLE_POLICY, type IdleDoes, type IdlePolicy } from '@gantry/contract/fields/idle.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import { and, desc, eq, gte, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { idleEpisodes, idlePolicies } from '../../platform/db/schema/idle.ts';
import { MOST_SAVED_MS, savedIn } from './decide-idle.ts';

export type EpisodeRow = typeof idleEpisodes.$inferSelect;

const MOST_OBJECTS = 500;

export async function policyOf(db: Database, organizationId: string): Promise<IdlePolicyView> {
  const [row] = await db.sql.select().from(idlePolicies).where(eq(idlePolicies.organizationId, organizationId));
  const { does, afterMinutes } = row ?? DEFAULT_IDLE_POLICY;
  return { does, after_minutes: afterMinutes, is_default: row === undefined };
}

export async function setPolicy(
  db: Database,
  organizationId: string,
  policy: { does: IdleDoes; afterMinutes: number },
): Promise<IdlePolicyView> {
  await db.sql
    .insert(idlePolicies)
    .values({ organizationId, ...policy })
    .onConflictDoUpdate({ target: idlePolicies.organizationId, set: policy });
  return policyOf(db, organizationId);
}

export async function readPolicies(db: Database): Promise<ReadonlyMap<string, IdlePolicy>> {
  const rows = await db.sql.select().from(idlePolicies);
  return new Map(rows.map(({ organizationId, ...policy }) => [organizationId, policy]));
}

export const readOpenEpisodes = (db: Database): Promise<EpisodeRow[]> =>
  db.sql.select().from(idleEpisodes).where(isNull(idleEpisodes.endedAt));

export async function endEpisodes(db: Database, episodes: readonly EpisodeRow[], now: number): Promise<void> {
  for (const { uid, since } of episodes)
    await db.sql
      .update(idleEpisodes)
      .set({ endedAt: sql`greatest(${idleEpisodes.warnedAt}, ${new Date(now).toISOString()}::timestamptz)` })
      .where(and(eq(idleEpisodes.uid, uid), eq(idleEpisodes.since, since), isNull(idleEpisodes.endedAt)));
}

/** The savings of this month, UTC. */
export async function savingsOf(db: Database, organizationId: string, now: number): Promise<IdleSavingsView> {
  const date = new Date(now);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const rows = await db.sql
    .select()
    .from(idleEpisodes)
    .where(
      and(
        eq(idleEpisodes.organizationId, organizationId),
        or(gte(idleEpisodes.warnedAt, new Date(from)), gte(idleEpisodes.actedAt, new Date(from - MOST_SAVED_MS))),
      ),
    )
    .orderBy(desc(idleEpisodes.warnedAt), idleEpisodes.uid);
  const sums = new Map<string, bigint>();
  const objects = rows.map((row) => {
    const saved = savedIn(
      { actedAt: row.actedAt?.getTime(), endedAt: row.endedAt?.getTime(), perHour: row.perHour },
      { from, to: now },
    );
    sums.set(row.currency, (sums.get(row.currency) ?? 0n) + saved);
    return {
      kind: row.kind,
      name: row.name,
      uid: row.uid,
      idle_since: row.since.toISOString(),
      warn_time: row.warnedAt.toISOString(),
      stop_time: row.actedAt?.toISOString() ?? null,
      end_time: row.endedAt?.toISOString() ?? null,
      currency: row.currency,
      per_hour: moneyText(row.perHour),
      saved: moneyText(saved as Micros),
    };
  });
  return {
    month: date.toISOString().slice(0, 7),
    saved: [...sums].map(([currency, amount]) => ({ currency, amount: moneyText(amount as Micros) })),
    objects: objects.slice(0, MOST_OBJECTS),
  };
}

/** By namespace and name: terminals, and visits to what instances serve. */
export async function lastUses(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ place: string; at: string }>(
    db.sql,
    sql`select place, (extract(epoch from max(at)) * 1000)::bigint as at from (
        select namespace || '/' || name as place, at from idle_visits
        union all select namespace || '/' || instance, seen_at from terminal_sessions
        union all select (caller -> 'organization' ->> 'namespace') || '/' || instance, seen_at from open_terminals
      ) uses where place is not null group by place`,
  );
  return new Map(rows.map(({ place, at }) => [place, Number(at)]));
}
