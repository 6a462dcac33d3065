import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { describe, expect, test } from '@jest/globals';
import { and } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { keyOrder, lastKey } from './key-pages.ts';
import { accounts } from './schema/people.ts';

const COLUMNS = { id: accounts.id, email: accounts.email, created_at: accounts.createdAt };
const SORTS: AdminQuery['sort'][] = (['id', 'email', 'created_at'] as const).flatMap((field) => [
  [field, 'ASC'],
  [field, 'DESC'],
]);

forEachDatabase((database) => {
  describe('pages that go on after a row', () => {
    test.each(SORTS.map((sort) => [sort]))(
      'give by %j what one page gives, nulls and equals among them',
      async (sort) => {
        const { sql: db } = database();
        // Microseconds, which a Date has not, would be skipped or repeated.
        await db.execute(
          `insert into accounts (id, name, email, created_at) select 'acc-' || lpad(n::text, 3, '0'), 'name-' || n,
          case when n % 3 = 0 then null else 'mail-' || lpad((n * 7 % 100)::text, 3, '0') || '-' || n end,
          timestamptz '2026-01-01' + (n / 4) * interval '1 microsecond' from generate_series(1, 50) n`,
        );
        const page = (limit: number, after?: PageKey) => {
          const { order, beyond, key } = keyOrder(COLUMNS, { sort, ...(after && { after }) });
          return db
            .select({ id: accounts.id, key })
            .from(accounts)
            .where(and(beyond))
            .orderBy(...order)
            .limit(limit);
        };
        const whole = (await page(100)).map(({ id }) => id);
        const pages: string[] = [];
        for (let after: PageKey | undefined; ; ) {
          const rows = await page(7, after);
          pages.push(...rows.map(({ id }) => id));
          after = lastKey(rows);
          if (!after) break;
        }
        expect(whole).toHaveLength(50);
        expect(pages).toEqual(whole);
      },
    );
  });
});
