// How fast a deployment is, read from a long table of what others have used.
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { newestOf, readPace, readSpeed } from './usage-reads.ts';

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

  test('the pace of several deployments is that of their answered requests together', async () => {
    await resetDatabase(database());
    const at = new Date(NOW).toISOString();
    const old = new Date(NOW - 3_600_001).toISOString();
    await database().sql.execute(sql`
      insert into token_usage (id, at, org_id, account_id, model_uid, model, endpoint, prompt, cached, completion, outcome, status, ms, list, net)
      select org || uid || outcome || at, at::timestamptz, org, 'acc', uid, 'tiny', 'chat/completions', 3, 0, 2, outcome, 200, ms, 0, 0
      from (values ('acme', 'one', 'answered', ${at}, 10), ('acme', 'two', 'answered', ${at}, 30), ('acme', 'one', 'failed', ${at}, 9999),
        ('acme', 'one', 'answered', ${old}, 9999), ('acme', 'three', 'answered', ${at}, 9999),
        ('other', 'one', 'answered', ${at}, 9999)) as v (org, uid, outcome, at, ms)`);
    const pace = await readPace(database(), { organizationId: 'acme', now: NOW }, ['one', 'two']);
    expect(pace).toEqual({ requests: 2, ms: 40, prompt: 6, completion: 4 });
  });
});
