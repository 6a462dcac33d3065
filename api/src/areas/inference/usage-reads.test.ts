// How fast a deployment is, read from a long table of what others have used.
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { newestOf, readSpeed } from './usage-reads.ts';

const NOW = Date.UTC(2026, 10, 27, 12);

forEachDatabase((database) => {
  test('the last hour of one deployment is read, and neither its own past nor what others have used', async () => {
    await resetDatabase(database());
    const at = new Date(NOW).toISOString();
    // Each of fifty deployments answers twice a minute: two words, with three tokens read.
    await database().sql.execute(sql`
      insert into token_usage (id, at, org_id, account_id, model_uid, model, endpoint, prompt, cached, completion, outcome, status, ms, list, net)
      select 'req-' || n, ${at}::timestamptz - n / 50 * interval '30 seconds', 'acme', 'acc', 'uid-' || n % 50, 'tiny',
        'chat/completions', 3, 0, 2, 'answered', 200, 10, 0, 0 from generate_series(0, 9999) n`);
    await database().sql.execute(sql`analyze token_usage`);
    const of = { organizationId: 'acme', modelUid: 'uid-7', now: NOW };
    const plan = JSON.stringify(
      await rowsOf(database().sql, sql`explain (format json) ${newestOf(database(), of).getSQL()}`),
    );
    expect(plan).toContain('token_usage_model');
    expect(plan).not.toContain('Seq Scan');
    expect(await readSpeed(database(), of)).toMatchObject({ prompt: 363, completion: 242 });
  });
});
