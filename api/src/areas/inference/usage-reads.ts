// The recorded use of tokens: of one API token, for its budgets, and of an organisation, by day, person, token and model.

import {
  type DeploymentTrafficView,
  MOST_TIMED,
  type UsageGroup,
} from '@gantry/contract/areas/inference/completions.ts';
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, desc, eq, gte, lte, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../../platform/db/open.ts';
import { tokenTotals, tokenUsage } from '../../platform/db/schema/tokens.ts';
import type { Spent } from './key-limits.ts';

/** In the UTC day and month of this moment. */
export async function readSpent(db: Database, tokenId: string, now: number): Promise<Spent> {
  const today = new Date(now).toISOString().slice(0, 10);
  const rows = await db.sql
    .select({
      isToday: sql<boolean>`${tokenTotals.day} = ${today}`,
      tokens: sql<string>`sum(${tokenTotals.prompt} + ${tokenTotals.completion})::text`,
      money: sql<string>`sum(${tokenTotals.net})::text`,
    })
    .from(tokenTotals)
    .where(
      and(
        eq(tokenTotals.tokenId, tokenId),
        gte(tokenTotals.day, `${today.slice(0, 7)}-01`),
        lte(tokenTotals.day, today),
      ),
    )
    .groupBy(sql`1`);
  const sum = (some: typeof rows) =>
    some.reduce(
      (all, { tokens, money }) => ({ tokens: all.tokens + Number(tokens), money: micros(all.money + BigInt(money)) }),
      { tokens: 0, money: micros(0) as Micros },
    );
  return { day: sum(rows.filter(({ isToday }) => isToday)), month: sum(rows) };
}

export type TotalRow = typeof tokenTotals.$inferSelect;

/** UTC days. `accountId`: of one person alone. */
export interface UsageRange {
  organizationId: string;
  accountId?: string | undefined;
  from: string;
  to: string;
}

/** The newest first, and no more than are asked for. */
export function readTotals(db: Database, range: UsageRange, most: number): Promise<TotalRow[]> {
  return db.sql
    .select()
    .from(tokenTotals)
    .where(inRange(range))
    .orderBy(desc(tokenTotals.day), tokenTotals.accountId, tokenTotals.tokenId, tokenTotals.model)
    .limit(most);
}

export type UsageSum = Pick<TotalRow, 'requests' | 'prompt' | 'cached' | 'completion' | 'doubtful' | 'net'> & {
  /** The day, the model, the account, or the token: '' for sessions. */
  key: string;
};

const KEYS = {
  model: tokenTotals.model,
  token: tokenTotals.tokenId,
  person: tokenTotals.accountId,
  day: tokenTotals.day,
} as const satisfies Record<UsageGroup, unknown>;

/** One for each day, model, person or token, however many rows there are. */
export async function readSums(db: Database, range: UsageRange, by: UsageGroup): Promise<UsageSum[]> {
  const key = KEYS[by];
  const sum = (column: PgColumn) => sql<number>`sum(${column})::float8`;
  const rows = await db.sql
    .select({
      key,
      requests: sum(tokenTotals.requests),
      prompt: sum(tokenTotals.prompt),
      cached: sum(tokenTotals.cached),
      completion: sum(tokenTotals.completion),
      doubtful: sum(tokenTotals.doubtful),
      net: sql<string>`sum(${tokenTotals.net})::text`,
    })
    .from(tokenTotals)
    .where(inRange(range))
    .groupBy(key)
    .orderBy(by === 'day' ? desc(key) : desc(sql`sum(${tokenTotals.prompt} + ${tokenTotals.completion})`), key);
  return rows.map(({ net, ...row }) => ({ ...row, net: micros(BigInt(net)) }));
}

const inRange = ({ organizationId, accountId, from, to }: UsageRange) =>
  and(
    eq(tokenTotals.organizationId, organizationId),
    gte(tokenTotals.day, from),
    lte(tokenTotals.day, to),
    accountId === undefined ? undefined : eq(tokenTotals.accountId, accountId),
  );

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface OfDeployment {
  organizationId: string;
  modelUid: string;
  now: number;
}

/** Its requests of the last hour, the newest first; no more than are timed. */
export const newestOf = (db: Database, { organizationId, modelUid, now }: OfDeployment) =>
  db.sql
    .select()
    .from(tokenUsage)
    .where(
      and(
        eq(tokenUsage.organizationId, organizationId),
        eq(tokenUsage.modelUid, modelUid),
        gte(tokenUsage.at, new Date(now - HOUR_MS)),
      ),
    )
    .orderBy(desc(tokenUsage.at))
    .limit(MOST_TIMED);

/** How fast a deployment answered over the last hour; null where it answered nothing. */
export async function readSpeed(db: Database, of: OfDeployment): Promise<DeploymentTrafficView['tokens']> {
  const { now } = of;
  const newest = newestOf(db, of).as('newest');
  const sum = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::float8`;
  const lastMinute = sql`${newest.at} >= ${new Date(now - MINUTE_MS).toISOString()}::timestamptz`;
  const first = (part: number) =>
    sql<number | null>`(percentile_cont(${part}::float8) within group (order by ${newest.firstMs}))::float8`;
  const [row] = await db.sql
    .select({
      requests: sql<number>`count(*)::int`,
      prompt: sum(newest.prompt),
      cached: sum(newest.cached),
      completion: sum(newest.completion),
      recent: sql<number>`coalesce(sum(${newest.completion}) filter (where ${lastMinute}), 0)::float8`,
      first_p50_ms: first(0.5),
      first_p95_ms: first(0.95),
    })
    .from(newest);
  if (!row || row.requests === 0) return null;
  const { requests: _, recent, ...tokens } = row;
  return { ...tokens, per_second: Math.round((10 * recent * 1000) / MINUTE_MS) / 10 };
}

/** Answered requests of the last hour, taken together. */
export interface Pace {
  requests: number;
  ms: number;
  prompt: number;
  completion: number;
}

/** Of these deployments together, each by its newest requests. */
export async function readPace(
  db: Database,
  of: Omit<OfDeployment, 'modelUid'>,
  modelUids: readonly string[],
): Promise<Pace> {
  const sums = { requests: 0, ms: 0, prompt: 0, completion: 0 };
  for (const modelUid of modelUids) {
    const newest = newestOf(db, { ...of, modelUid }).as('newest');
    const sum = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::float8`;
    const [row] = await db.sql
      .select({
        requests: sql<number>`count(*)::int`,
        ...{ ms: sum(newest.ms), prompt: sum(newest.prompt), completion: sum(newest.completion) },
      })
      .from(newest)
      .where(eq(newest.outcome, 'answered'));
    for (const name of ['requests', 'ms', 'prompt', 'completion'] as const) sums[name] += row?.[name] ?? 0;
  }
  return sums;
}

export type RequestRow = typeof tokenUsage.$inferSelect;

/** A request of this person alone. Throws not_found. */
export async function readRequest(
  db: Database,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  id: string,
): Promise<RequestRow> {
  const [row] = await db.sql
    .select()
    .from(tokenUsage)
    .where(
      and(eq(tokenUsage.id, id), eq(tokenUsage.organizationId, organizationId), eq(tokenUsage.accountId, accountId)),
    );
  if (!row) throw problem('not_found', { what: id });
  return row;
}
