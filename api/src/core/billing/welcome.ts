// Turns promises to new people and organisations into credits: once, however often a process dies in between.
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { events } from '../../platform/db/schema/events.ts';
import type { Wallets } from './ledger/wallets.ts';

const MOST_AT_ONCE = 100;

interface Parts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  wallets: Pick<Wallets, 'grant'>;
  /** By event, in the currency of each organisation; 0 gives nothing. */
  amounts: Readonly<Record<typeof events.$inferSelect.type, Micros>>;
  log: { warn(facts: object, text: string): void };
}

/** Grants what newcomers are owed; resolves with how many got it. A failure delays nobody else, and is retried. */
export async function grantWelcome({ db, clock, wallets, amounts, log }: Parts): Promise<number> {
  const waiting = await db.sql
    .select()
    .from(events)
    .where(isNull(events.postedAt))
    .orderBy(asc(events.at), asc(events.id))
    .limit(MOST_AT_ONCE);
  let granted = 0;
  for (const { id, type, organizationId, accountId, at } of waiting) {
    const key = `welcome/${id}`;
    const amount = amounts[type];
    try {
      if (amount > micros(0)) {
        const bill = { id: key, reference: key, ...(accountId !== null && { accountId }) };
        await wallets.grant({ key, organizationId, amount, at, bill });
      }
      await db.sql
        .update(events)
        .set({ postedAt: new Date(clock.now()) })
        .where(eq(events.id, id));
      granted += 1;
    } catch (error) {
      log.warn({ err: error, event: id, organizationId }, 'credits for who is new were not given');
    }
  }
  return granted;
}
