// Checks of the cluster over HTTP: who may have them made, that it is audited, and what a report looks like.
import { CHECK_IDS } from '@gantry/contract/doctor.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { memoryDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';

let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await memoryDatabase();
  gateway = await startMemoryGateway({ db });
  const createdAt = new Date();
  await db.sql.insert(platformGrants).values([
    { accountId: 'acc-viewer', role: 'support', createdAt },
    { accountId: 'acc-billing', role: 'finance', createdAt },
  ]);
}, 120_000);
afterAll(() => gateway.stop());

async function ask(path: string, as: keyof MemoryGateway['tokens'], body?: object) {
  const answer = await gateway.client(gateway.tokens[as]).fetch(`/api/admin/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a row or a problem
  return { status: answer.status, body: (await answer.json()) as any };
}

test.each(['billing', 'member'] as const)(
  'a %s, who is not of the operations staff, may neither have the cluster checked nor see reports',
  async (as) => {
    expect((await ask('cluster-checks', as, { reason: 'curious' })).status).toBe(403);
    expect((await ask('cluster-checks', as)).status).toBe(403);
  },
);

test('without a reason nothing begins', async () => {
  const { status, body } = await ask('cluster-checks', 'administrator', {});
  expect([status, body.field]).toEqual([400, 'reason']);
});

test('support has it checked: accepted at once, audited, and done by itself', async () => {
  const begun = await ask('cluster-checks', 'viewer', { reason: 'after the upgrade' });
  expect([begun.status, begun.body.state, begun.body.total]).toEqual([202, 'running', CHECK_IDS.length]);
  const [entry] = await db.sql
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'adminCheckCluster'))
    .orderBy(desc(auditLog.id))
    .limit(1);
  expect(entry).toMatchObject({
    ...{ object: `ClusterCheck/${begun.body.id}`, reason: 'after the upgrade' },
    ...{ decision: 'allowed', actorId: 'acc-viewer' },
  });
  const report = await eventually('the report is there', async () => {
    const { body } = await ask(`cluster-checks/${begun.body.id}`, 'administrator');
    return body.state === 'running' ? undefined : body;
  });
  expect(report.results.map(({ check }: { check: string }) => check)).toEqual(CHECK_IDS);
  // The API server in memory knows nothing of what is asked: each check says so by itself, and the database is looked at for real.
  expect(report.results.find(({ check }: { check: string }) => check === 'databaseDurable')).toMatchObject({
    finding: 'warning',
    found: [{ reason: 'databaseEmbedded' }],
  });
});
