// The changes of a policy and their authors, read from a long audit log.
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { changesOf, policyChanges } from './policy-changes.ts';

const START = Date.UTC(2026, 10, 10);
const OF = { organizationId: 'acme', id: 'alp-one', since: new Date(START) };
const at = (minute: number) => new Date(START + minute * 60_000);

forEachDatabase((database) => {
  const wrote = async (minute: number, action: string, over: Partial<typeof auditLog.$inferInsert> = {}) => {
    await database()
      .sql.insert(auditLog)
      .values({
        ...{ at: at(minute), actorName: `ann ${minute}`, actorKind: 'session', organizationId: 'acme' },
        ...{ requestId: 'r', action, object: 'AlertPolicy/alp-one', decision: 'allowed', status: 200, ip: '' },
        ...over,
      });
  };
  const read = async (page: number, size: number) => {
    const { items, total } = await policyChanges(database(), OF, { page, size });
    return [total, items.map(({ account, action }) => `${account} ${action}`)];
  };

  test('changes stand behind any number of edits that failed, page by page; what is of others does not', async () => {
    await resetDatabase(database());
    await wrote(-1, 'updatePolicy');
    await wrote(0, 'createPolicy');
    await wrote(1, 'batchPolicies', { object: 'AlertPolicy/alp-two AlertPolicy/alp-one' });
    await wrote(2, 'batchPolicies', { object: 'AlertPolicy/alp-two AlertPolicy/alp-one2' });
    await wrote(3, 'updatePolicy', { object: 'AlertPolicy/alp-two' });
    await wrote(4, 'updatePolicy', { organizationId: 'other' });
    await wrote(5, 'testPolicy');
    await wrote(6, 'updatePolicy');
    for (let minute = 10; minute < 70; minute++) await wrote(minute, 'updatePolicy', { decision: 'failed' });
    expect(await read(1, 2)).toEqual([3, ['ann 6 updatePolicy', 'ann 1 batchPolicies']]);
    expect(await read(2, 2)).toEqual([3, ['ann 0 createPolicy']]);
  });

  test('a long log of other things is not read', async () => {
    await database().sql.execute(sql`
      insert into audit_log (at, actor_kind, organization_id, request_id, action, object, decision, status, ip)
      select now(), 'session', 'acme', 'r', 'a' || n % 50, 'GpuInstance/i' || n, 'allowed', 200, '' from generate_series(1, 5000) n`);
    await database().sql.execute(sql`analyze audit_log`);
    const plan = JSON.stringify(
      await rowsOf(database().sql, sql`explain (format json) ${changesOf(database().sql, OF).getSQL()}`),
    );
    expect(plan).toContain('audit_log_policies');
    expect(plan).not.toContain('Seq Scan');
  });
});
