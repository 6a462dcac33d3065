// The ledger's entries at a size where counting all of them matters.
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import { entryRows } from './entry-rows.ts';

test('a page of a long ledger counts no further than somebody turns pages', async () => {
  const db = await migratedDatabase();
  try {
    await db.transaction(async (tx) => {
      // As a restore writes: the ledger's own rules rest.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`insert into transfers (key, type, org_id, currency, at, posted_at, memo)
        select 'staff/' || n, 'grant', 'aaaaaa', 'USD', now(), now(), '{}' from generate_series(1, 10100) n`);
      await tx.execute(sql`insert into postings (transfer_id, leg, debit, credit, amount)
        select id, 0, 'platform/promotions USD', 'organization/aaaaaa/credits USD', 1 from transfers`);
    });
    const page = (filter: Record<string, unknown>) =>
      entryRows(db, { sort: ['id', 'ASC'], range: [0, 1], filter } as Parameters<typeof entryRows>[1]);
    const all = await page({});
    expect([all.items.length, all.total, all.isTotalMore]).toEqual([2, 10_001, true]);
    const some = await page({ id: all.items.map(({ id }) => id) });
    expect([some.total, some.isTotalMore]).toEqual([2, undefined]);
  } finally {
    await db.close();
  }
});
