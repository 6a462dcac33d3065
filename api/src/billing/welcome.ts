// What people were promised at their verification becomes credits: once, however often a process dies in between.
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { events } from '../db/schema/events.ts';
import type { Wallets } from './ledger/wallets.ts';

const MOST_AT_ONCE = 100;

interface Parts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  wallets: Pick<Wallets, 'grant'>;
  /** In the currency of each organisation; 0 gives nothing. */
  amount: Micros;
}

/** Gives what is owed to those who are new; resolves with how many there were. */
export async function grantWelcome({ db, clock, wallets, amount }: Parts): Promise<number> {
  const waiting = await db.sql
    .select()
    .from(events)
    .where(isNull(events.postedAt))
    .orderBy(asc(events.at), asc(events.id))
    .limit(MOST_AT_ONCE);
  for (const { id, organizationId, accountId, at } of waiting) {
    const key = `welcome/${id}`;
    if (amount > micros(0)) {
      const bill = { id: key, accountId, reference: key };
      await wallets.grant({ key, organizationId, amount, at, bill });
    }
    await db.sql
      .update(events)
      .set({ postedAt: new Date(clock.now()) })
      .where(eq(events.id, id));
  }
  return waiting.length;
}
