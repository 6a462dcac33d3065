// The rows of holds: what is written to `holds`, which are money kept for a subject. Changes happen under the lock of the wallet,
// but for a release, which only gives.
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { eq, lte, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { holds } from '../../../platform/db/schema/ledger.ts';
import { anyOf, instant, rowsAs } from './columns.ts';

export type Hold = typeof holds.$inferSelect;

export interface HoldRequest {
  readonly subject: string;
  readonly accountId?: string | undefined;
  readonly amount: Micros;
  readonly until: Date;
}

/** In the order of their end. That time only says what the money is for: a hold ends by being posted, replaced or released. */
export const readHolds = (connection: Sql, organizationId: string): Promise<Hold[]> =>
  connection.select().from(holds).where(eq(holds.organizationId, organizationId)).orderBy(holds.until, holds.subject);

/** Holds of all organisations whose time is over, or that were cut. */
export const readEndedHolds = (connection: Sql, now: number): Promise<Hold[]> =>
  connection
    .select()
    .from(holds)
    .where(lte(holds.until, new Date(now)));

export async function readHeld(connection: Sql, organizationId: string): Promise<Micros> {
  const [row] = await rowsOf<{ held: string }>(
    connection,
    sql`select coalesce(sum(amount), 0)::text as held from holds where org_id = ${organizationId}`,
  );
  return micros(BigInt(row?.held ?? 0));
}

/** The amounts held, by account; for these subjects, separately. */
export async function readHeldBy(
  connection: Sql,
  organizationId: string,
  subjects: readonly string[],
): Promise<{ subject: string | null; account: string | null; held: Micros }[]> {
  const rows = await rowsOf<{ subject: string | null; account: string | null; amount: string }>(
    connection,
    sql`select case when subject = ${anyOf(subjects)} then subject end as subject, account_id as account, sum(amount)::text as amount
      from holds where org_id = ${organizationId} group by 1, 2`,
  );
  return rows.map(({ subject, account, amount }) => ({ subject, account, held: micros(BigInt(amount)) }));
}

/** Each in place of what its subject held before. */
export async function writeHolds(tx: Sql, organizationId: string, requests: readonly HoldRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const input = rowsAs('input', requests, {
    subject: ['text', ({ subject }) => subject],
    account: ['text', ({ accountId }) => accountId],
    amount: ['bigint', ({ amount }) => amount],
    until: ['timestamptz', ({ until }) => until],
  });
  await tx.execute(
    sql`insert into holds as h (subject, org_id, account_id, amount, until)
      select subject, ${organizationId}, account, amount, until from ${input}
      on conflict (subject) do update set org_id = excluded.org_id, account_id = excluded.account_id,
        amount = excluded.amount, until = excluded.until`,
  );
}

/** Resolves with the organisations of those that were there. */
export async function releaseHolds(connection: Sql, subjects: readonly string[]): Promise<string[]> {
  if (subjects.length === 0) return [];
  const rows = await rowsOf<{ org: string }>(
    connection,
    sql`delete from holds where subject = ${anyOf(subjects)} returning org_id as org`,
  );
  return [...new Set(rows.map(({ org }) => org))];
}

/** Takes what is charged off the holds of its subjects. A hold that is used up covers nothing later. */
export async function useHolds(tx: Sql, used: ReadonlyMap<string, Micros>, now: number): Promise<void> {
  if (used.size === 0) return;
  const input = rowsAs('input', [...used], {
    subject: ['text', ([subject]) => subject],
    amount: ['bigint', ([, amount]) => amount],
  });
  await tx.execute(
    sql`update holds h set amount = greatest(0, h.amount - input.amount),
        until = case when h.amount > input.amount then h.until else least(h.until, ${instant(now)}) end
      from ${input} where h.subject = input.subject`,
  );
}

/**
 * No hold lasts beyond what is there: those that end last are cut first, of equal ones the largest. What is cut covers nothing
 * from now on: what its subject uses counts by itself. Resolves with the organisations of those.
 */
export async function fitHolds(tx: Sql, organizations: readonly string[], now: number): Promise<string[]> {
  if (organizations.length === 0) return [];
  const rows = await rowsOf<{ org: string }>(
    tx,
    sql`update holds h set amount = fit.amount, until = least(h.until, ${instant(now)}) from (
        select subject, greatest(0, least(amount, room - before)) as amount from (
          select h.subject, h.amount, greatest(0, w.cash + w.credits - w.debt + w.overdraft) as room,
            coalesce(sum(h.amount) over (partition by h.org_id order by h.until, h.amount, h.subject
              rows between unbounded preceding and 1 preceding), 0) as before
          from holds h join wallets w on w.org_id = h.org_id
          where h.org_id = ${anyOf(organizations)}
        ) placed
      ) fit where h.subject = fit.subject and h.amount > fit.amount returning h.org_id as org`,
  );
  return [...new Set(rows.map(({ org }) => org))];
}
