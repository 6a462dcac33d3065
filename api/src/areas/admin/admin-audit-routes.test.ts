// Real names as a queue with two reviewers, and the check of the audit log's chains.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditBlocks, auditLog } from '../../platform/db/schema/audit.ts';
import { accounts, memberships, organizations, platformGrants, sessions } from '../../platform/db/schema/people.ts';
import { realAuths } from '../../platform/db/schema/real-auth.ts';
import { realAuthReviews } from '../../platform/db/schema/staff.ts';
import { sha256 } from '../../platform/secrets.ts';

let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db, flags: ['--real-name-reviewers=2'] });
  const now = new Date();
  // Two auditors in an organisation of their own: those of acme are colleagues of most who submit here.
  await db.sql.insert(organizations).values({ id: 'auditors', name: 'auditors', currency: 'USD', createdAt: now });
  for (const name of ['first', 'second']) {
    const accountId = `acc-${name}`;
    await db.sql.insert(accounts).values({ id: accountId, name, createdAt: now });
    await db.sql.insert(platformGrants).values({ accountId, role: 'auditManager', createdAt: now });
    await db.sql.insert(memberships).values({ organizationId: 'auditors', accountId, role: 'owner', createdAt: now });
    await db.sql.insert(sessions).values({
      id: `ses-${name}`,
      tokenHash: sha256(`token-of-${name}`),
      accountId,
      organizationId: 'auditors',
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date('2099-01-01'),
    });
  }
}, 120_000);
afterAll(() => gateway.stop());

interface Asked {
  method?: string;
  body?: unknown;
  as?: string;
}

async function ask(path: string, { method = 'GET', body, as = 'first' }: Asked = {}) {
  const answer = await gateway.client(`token-of-${as}`).fetch(`/api${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: rows of any resource
  return { status: answer.status, body: (await answer.json()) as any };
}

describe('real names', () => {
  let id: string;
  const decide = (as: string, result: 1 | 2 | 3, more: object = {}) =>
    ask(`/admin/real-auths/${id}`, { method: 'PUT', body: { result, reason: `by ${as}`, ...more }, as });

  beforeEach(async () => {
    await db.sql.delete(realAuthReviews);
    await db.sql.execute(sql`delete from real_auth_openings`);
    await db.sql.delete(realAuths);
    const body = { type: 1, name: '张三', phone: '13800138000', id_card: '11010519491231002X', commitment: true };
    const made = await ask('/account/v1/real-auth', { method: 'POST', body, as: 'stranger' });
    id = made.body.result.id;
  });

  test('the first approval is noted, and another person decides', async () => {
    const noted = await decide('first', 1);
    expect([noted.status, noted.body]).toMatchObject([
      200,
      { state: 'pending', first_approved_by: 'first', first_reason: 'by first', decided_by: null },
    ]);
    expect((await decide('first', 1)).body.error).toBe('second_reviewer');
    const decided = await decide('second', 1);
    expect(decided.body).toMatchObject({ state: 'approved', first_approved_by: 'first', decided_by: 'second' });
  });

  test('a rejection needs one, and whoever comes later learns who it was', async () => {
    expect((await decide('first', 2)).body).toMatchObject({ state: 'rejected', decided_by: 'first' });
    const late = await decide('second', 1);
    expect([late.status, late.body.error, late.body.message]).toEqual([
      409,
      'real_auth_decided',
      'first has already decided this submission.',
    ]);
  });

  test('an approval of earlier content counts for nothing', async () => {
    await decide('first', 1);
    await decide('second', 2);
    const body = { type: 1, name: '李四', phone: '13800138000', id_card: '11010519491231002X', commitment: true };
    await ask('/account/v1/real-auth', { method: 'PUT', body, as: 'stranger' });
    expect((await ask(`/admin/real-auths/${id}`)).body).toMatchObject({ name: '李四', first_approved_by: null });
    expect((await decide('second', 1)).body).toMatchObject({ state: 'pending', first_approved_by: 'second' });
  });

  test('a decision about content that was sent again meanwhile is refused', async () => {
    const { version } = (await ask(`/admin/real-auths/${id}`)).body;
    await decide('second', 2);
    const body = { type: 1, name: '李四', phone: '13800138000', id_card: '11010519491231002X', commitment: true };
    await ask('/account/v1/real-auth', { method: 'PUT', body, as: 'stranger' });
    expect((await decide('first', 1, { version })).body.error).toBe('edited_meanwhile');
  });

  test('nobody decides about themselves or a colleague', async () => {
    const body = { type: 1, name: '王五', phone: '13800138001', id_card: '11010519491231002X', commitment: true };
    const made = await ask('/account/v1/real-auth', { method: 'POST', body, as: 'first' });
    id = made.body.result.id;
    expect((await decide('first', 1)).body.error).toBe('own_real_auth');
    expect((await decide('second', 1)).body.error).toBe('real_auth_own_organization');
    expect((await decide('administrator', 2)).body).toMatchObject({ state: 'rejected' });
  });

  test('whoever has it open sees who else has, and what became of it', async () => {
    expect((await ask(`/admin/real-auths/${id}/watch`)).body).toEqual({
      id,
      state: 'pending',
      decided_by: null,
      reviewers: 2,
      next: null,
      waiting: 0,
      others: [],
    });
    const second = await ask(`/admin/real-auths/${id}/watch`, { as: 'second' });
    expect(second.body.others).toMatchObject([{ account_id: 'acc-first', name: 'first' }]);
    await decide('second', 2);
    expect((await ask(`/admin/real-auths/${id}/watch`)).body).toMatchObject({
      state: 'rejected',
      decided_by: 'second',
      others: [],
    });
    expect((await ask('/admin/real-auths/rna-none/watch')).status).toBe(404);
    expect((await ask(`/admin/real-auths/${id}/watch`, { as: 'owner' })).status).toBe(403);
  });

  test('the next is the oldest that waits for the caller and that nobody else has open', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const [row] = await db.sql.select().from(realAuths).where(eq(realAuths.id, id));
    if (!row) throw new Error('there is none');
    // One submission of each account of another organisation.
    for (const [minute, name] of ['ann', 'bea', 'cy'].entries()) {
      await db.sql
        .insert(accounts)
        .values({ id: `acc-${name}`, name, createdAt: new Date() })
        .onConflictDoNothing();
      await db.sql
        .insert(realAuths)
        .values({ ...row, id: `rna-${name}`, accountId: `acc-${name}`, submittedAt: at(minute) });
    }
    const watched = async (which: string, as = 'first') => (await ask(`/admin/real-auths/${which}/watch`, { as })).body;
    expect(await watched('rna-ann')).toMatchObject({ next: 'rna-bea', waiting: 3 });
    // Whoever sends a later one begins again at the oldest.
    expect(await watched(id, 'second')).toMatchObject({ next: 'rna-bea' });
    expect(await watched('rna-bea', 'second')).toMatchObject({ next: 'rna-cy' });
    expect(await watched('rna-ann')).toMatchObject({ next: 'rna-cy' });
    await ask('/admin/real-auths/rna-cy', { method: 'PUT', body: { result: 1, reason: 'seen' } });
    expect(await watched('rna-ann')).toMatchObject({ next: null, waiting: 2 });
    expect((await watched('rna-ann', 'owner')).error).toBe('permission_missing');
  });

  test('looking at one is audited, and having it open is not again and again', async () => {
    const entries = () =>
      db.sql.$count(auditLog, sql`${auditLog.object} = ${`RealAuth/${id}`} and ${auditLog.decision} = 'allowed'`);
    const before = await entries();
    await ask(`/admin/real-auths/${id}`);
    await ask(`/admin/real-auths/${id}/watch`);
    await ask(`/admin/real-auths/${id}/watch`);
    expect(await entries()).toBe(before + 1);
  });
});

describe('the chains of the audit log', () => {
  const check = (organization_id: string, as = 'first') =>
    ask('/admin/audit-checks', { method: 'POST', body: { organization_id, reason: 'the yearly audit' }, as });
  const ended = (id: string) =>
    eventually('the check has ended', async () => {
      const { body } = await ask(`/admin/audit-checks/${id}`);
      return body.state !== 'running' && body;
    });

  test('a check runs in the background, and its result stays', async () => {
    await eventually(
      'something is sealed',
      async () => (await db.sql.$count(auditBlocks, eq(auditBlocks.organizationId, ''))) > 0,
    );
    const begun = await check('');
    expect(begun.status).toBe(202);
    const row = await ended(begun.body.id);
    expect(row).toMatchObject({ organization_id: '', state: 'whole', fault: null, started_by: 'acc-first' });
    expect(row.entries).toBeGreaterThan(0);
    expect(row.head_hash).toMatch(/^[0-9a-f]{64}$/);
    const listed = await ask(
      `/admin/audit-checks?${new URLSearchParams({ filter: '{"organization_id":""}', sort: '["started_at","DESC"]' })}`,
    );
    expect(listed.body[0]).toMatchObject({ id: begun.body.id, state: 'whole' });
  });

  test('an entry that was changed is named', async () => {
    const [block] = await db.sql.select().from(auditBlocks).where(eq(auditBlocks.organizationId, '')).limit(1);
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`update audit_log set reason = 'nothing' where id = ${block?.fromId}`);
    });
    const row = await ended((await check('')).body.id);
    expect(row).toMatchObject({ state: 'broken', fault: `entry ${block?.fromId} was changed`, head_hash: null });
  });

  test('the chain of an organisation, and of none', async () => {
    expect((await ended((await check('otherorg')).body.id)).state).toBe('whole');
    expect((await check('nobodys')).status).toBe(404);
    expect((await check('otherorg', 'owner')).status).toBe(403);
    const [entry] = await db.sql.select().from(auditLog).where(eq(auditLog.action, 'adminCheckAuditLog')).limit(1);
    expect(entry).toMatchObject({ object: 'AuditLog/', reason: 'the yearly audit', actorKind: 'staff' });
  });
});
