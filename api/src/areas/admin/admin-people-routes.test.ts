// Accounts and organisations in the operators' console: why somebody cannot sign in, what staff do about it, and two people who edit
// one row.
import { ADMIN_KIND_NAMES } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { generateSync } from 'otplib';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { Passwords } from '../../core/identity/sessions/passwords.ts';
import { sweepSignIns } from '../../core/identity/sessions/sign-ins.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { totps } from '../../platform/db/schema/identity.ts';
import { accounts, memberships, platformGrants, sessions } from '../../platform/db/schema/people.ts';
import { signIns } from '../../platform/db/schema/staff.ts';
import { sha256 } from '../../platform/secrets.ts';

const PASSWORD = 'Right-pass-77';
let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db });
  await db.sql.insert(platformGrants).values({ accountId: 'acc-viewer', role: 'support', createdAt: new Date() });
  await db.sql.update(accounts).set({ passwordHash: await new Passwords().hash(PASSWORD) });
}, 120_000);
afterAll(() => gateway.stop());

interface Asked {
  method?: string;
  body?: unknown;
  as?: keyof MemoryGateway['tokens'];
}

async function ask(path: string, { method = 'GET', body, as = 'administrator' }: Asked = {}) {
  const answer = await gateway.client(gateway.tokens[as]).fetch(`/api/admin/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: rows of any resource
  return { status: answer.status, body: (await answer.json()) as any };
}

const command = (path: string, as: Asked['as'] = 'administrator') =>
  ask(path, { method: 'POST', body: { reason: 'asked by phone' }, as });
const list = (resource: string, filter: object) =>
  ask(`${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`);

const signIn = async (body: object) => {
  const answer = await gateway.client().fetch('/api/auth/v1/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'a phone' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: an answer or a problem
  return (await answer.json()) as any;
};
const findings = async (id: string) =>
  (await ask(`users/${id}/access`)).body.findings.map(({ finding }: { finding: string }) => finding);

describe('why somebody cannot sign in', () => {
  test('nothing is in the way of somebody who signs in', async () => {
    expect((await signIn({ account: 'member', password: PASSWORD })).result.token).toBeDefined();
    expect((await ask('users/acc-member/access')).body).toMatchObject({
      findings: [{ finding: 'nothing' }],
      has_password: true,
      second_factor: false,
      sessions: 2,
      last_signed_in: expect.any(String),
    });
  });

  test('wrong passwords, then a lockout, which staff lift', async () => {
    for (let tries = 0; tries < 5; tries++) await signIn({ account: 'stranger', password: 'Wrong-pass-77' });
    expect((await signIn({ account: 'stranger', password: PASSWORD })).error).toBe('too_many_attempts');
    const { body } = await ask('users/acc-stranger/access');
    expect(body.findings).toMatchObject([
      { finding: 'lockedHere', until: expect.any(String), address: '127.0.0.1', times: 5 },
      { finding: 'wrongPasswords', times: 5 },
    ]);
    const history = (await list('sign-ins', { account_id: 'acc-stranger' })).body;
    expect(history).toHaveLength(2);
    expect(history).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ outcome: 'wrongPassword', way: 'password', times: 5, user_agent: 'a phone' }),
        expect.objectContaining({ outcome: 'locked', times: 1, ip: '127.0.0.1' }),
      ]),
    );
    expect((await command('users/acc-stranger/lift-lockout')).status).toBe(200);
    expect((await signIn({ account: 'stranger', password: PASSWORD })).result.token).toBeDefined();
  });

  test('a name that nobody has is in nobody’s history', async () => {
    await signIn({ account: 'no-such-person', password: PASSWORD });
    const rows = await db.sql.select().from(signIns);
    expect(rows.filter(({ accountId }) => accountId === null)).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('no-such-person');
  });

  test('a disabled account, and one that belongs nowhere', async () => {
    await ask('users/acc-billing', { method: 'PUT', body: { disabled: true, reason: 'spam' } });
    await signIn({ account: 'billing', password: PASSWORD });
    expect(await findings('acc-billing')).toEqual(['disabled']);
    expect((await list('sign-ins', { account_id: 'acc-billing' })).body).toMatchObject([{ outcome: 'disabled' }]);
    await db.sql.insert(accounts).values({ id: 'acc-lonely', name: 'lonely', createdAt: new Date() });
    expect(await findings('acc-lonely')).toEqual(['noOrganization', 'noPassword']);
  });

  test('404: of somebody who is not there', async () => {
    expect((await ask('users/acc-nobody/access')).status).toBe(404);
  });

  test('a history is kept for 90 days, and at most 500 rows of an account', async () => {
    const row = (at: number, age: number) => ({
      id: `sgn-old-${at}`,
      accountId: 'acc-owner',
      way: 'password' as const,
      outcome: 'signedIn' as const,
      firstAt: new Date(Date.now() - age),
      lastAt: new Date(Date.now() - age),
      ip: '192.0.2.1',
    });
    await db.sql
      .insert(signIns)
      .values([...Array.from({ length: 510 }, (_, at) => row(at, at * 1000)), row(9999, 91 * 24 * 3_600_000)]);
    await sweepSignIns(db.sql, Date.now());
    const kept = await db.sql.select({ id: signIns.id }).from(signIns).where(eq(signIns.accountId, 'acc-owner'));
    expect(kept).toHaveLength(500);
    expect(kept).not.toContainEqual({ id: 'sgn-old-9999' });
  });
});

describe('what staff do about an account', () => {
  test('its sessions are listed without their tokens, and end at once', async () => {
    const before = (await list('sessions', { account_id: 'acc-member' })).body;
    expect(before.map(({ id }: { id: string }) => id)).toContain('ses-member');
    expect(JSON.stringify(before)).not.toContain(sha256('token-of-member'));
    const { status, body } = await command('users/acc-member/end-sessions');
    expect([status, body]).toEqual([200, { id: 'acc-member', ended: before.length }]);
    expect((await ask('users', { as: 'member' })).status).toBe(401);
    expect((await list('sessions', { account_id: 'acc-member' })).body).toEqual([]);
    const [entry] = await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(entry).toMatchObject({ action: 'adminEndSessions', object: 'Account/acc-member', reason: 'asked by phone' });
    await db.sql
      .update(sessions)
      .set({ expiresAt: new Date('2099-01-01') })
      .where(eq(sessions.id, 'ses-member'));
  });

  test('a lost second factor is removed, and the sessions with it', async () => {
    const own = gateway.client(gateway.tokens.admin);
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await own.fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: an answer of any route
      return (await answer.json()) as any;
    };
    const { secret } = (await post('/auth/v1/totp', { password: PASSWORD })).result;
    await post('/auth/v1/totp/confirm', { code: generateSync({ secret }) });
    expect((await ask('users/acc-admin')).body.second_factor).toBe(true);
    expect((await signIn({ account: 'admin', password: PASSWORD })).result.second_factor).toBe(true);
    const reset = await command('users/acc-admin/reset-second-factor');
    expect([reset.status, reset.body.second_factor]).toEqual([200, false]);
    expect(await db.sql.select().from(totps)).toEqual([]);
    expect((await signIn({ account: 'admin', password: PASSWORD })).result.token).toBeDefined();
    expect((await command('users/acc-admin/reset-second-factor')).body.error).toBe('totp_off');
  });

  test.each(['end-sessions', 'reset-second-factor'])('%s is not for oneself', async (what) => {
    expect((await command(`users/acc-administrator/${what}`)).body.error).toBe('own_access');
  });

  test.each(['end-sessions', 'reset-second-factor', 'lift-lockout'])('403: %s by support', async (what) => {
    expect(await command(`users/acc-owner/${what}`, 'viewer')).toMatchObject({
      status: 403,
      body: { error: 'permission_missing' },
    });
  });

  test.each(['end-sessions', 'reset-second-factor', 'lift-lockout'])('404: %s of nobody', async (what) => {
    expect((await command(`users/acc-nobody/${what}`)).status).toBe(404);
  });
});

describe('an organisation', () => {
  test('its members with their roles', async () => {
    const { body } = await list('members', { organization_id: 'otherorg' });
    expect(body).toMatchObject([
      { id: 'otherorg.acc-stranger', account_name: 'stranger', organization_name: 'otherorg', role: 'owner' },
    ]);
    const ofAccount = await list('members', { account_id: 'acc-owner' });
    expect(ofAccount.body).toMatchObject([{ organization_id: 'acmeorgs', role: 'owner' }]);
    expect((await ask('members/otherorg.acc-stranger')).body.role).toBe('owner');
    expect(await db.sql.select().from(memberships)).toHaveLength(8);
  });

  test('its money, its plan, what it holds beside what it may hold', async () => {
    const { status, body } = await ask('organizations/otherorg/standing');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'otherorg', plan: 'free', currency: 'USD', debt: '0.00', in_credit: true });
    const instances = body.objects.find(({ resource }: { resource: string }) => resource === 'instances');
    expect(instances).toMatchObject({ kind: 'GpuInstance', total: 1, phases: { starting: 1 } });
    const tasks = body.objects.find(({ resource }: { resource: string }) => resource === 'processing');
    expect(tasks).toMatchObject({ kind: 'DataProcess', total: 1 });
    // Whatever has a list of its own is counted.
    expect(body.objects.map(({ resource }: { resource: string }) => resource)).toEqual(ADMIN_KIND_NAMES);
    expect(body.quota).toContainEqual(expect.objectContaining({ name: 'disks', used: 1 }));
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect((await ask('organizations/nobodys/standing')).status).toBe(404);
  });
});

describe('two people edit one row', () => {
  test('the second is refused, and may send again what they have seen of the first', async () => {
    const mine = (await ask('users/acc-owner')).body;
    const theirs = (await ask('users/acc-owner')).body;
    expect(mine.version).toEqual(expect.any(String));
    const put = (row: object, platform_roles: string[]) =>
      ask('users/acc-owner', { method: 'PUT', body: { ...row, platform_roles, reason: 'new colleague' } });
    const first = await put(theirs, ['finance']);
    expect([first.status, first.body.platform_roles]).toEqual([200, ['finance']]);
    expect(first.body.version).not.toBe(mine.version);
    const second = await put(mine, ['catalogue']);
    expect([second.status, second.body.error]).toEqual([409, 'edited_meanwhile']);
    expect((await ask('users/acc-owner')).body.platform_roles).toEqual(['finance']);
    const again = await put({ ...mine, version: first.body.version }, []);
    expect([again.status, again.body.platform_roles]).toEqual([200, []]);
  });

  test('of two at the same moment, one is refused', async () => {
    const row = (await ask('organizations/otherorg')).body;
    const put = (gpus: number) =>
      ask('organizations/otherorg', { method: 'PUT', body: { ...row, quota: { gpus }, reason: 'asked' } });
    const statuses = (await Promise.all([put(11), put(12)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  test('what else changes of a row is in nobody’s way', async () => {
    const row = (await ask('users/acc-owner')).body;
    await db.sql.update(accounts).set({ email: 'new@example.com' }).where(eq(accounts.id, 'acc-owner'));
    const { status } = await ask('users/acc-owner', { method: 'PUT', body: { ...row, disabled: false, reason: 'x' } });
    expect(status).toBe(200);
  });

  test('a script that names no version is taken as it is', async () => {
    const body = { quota: { gpus: 13 }, reason: 'asked' };
    expect((await ask('organizations/otherorg', { method: 'PUT', body })).body.quota.gpus).toBe(13);
  });

  test('an announcement has a version, too', async () => {
    const title = { en: 'Repairs', zh: '维护', ja: 'メンテナンス' };
    const times = { starts_at: '2026-01-01T00:00:00.000Z', ends_at: '2026-01-02T00:00:00.000Z' };
    const body = { title, content: title, ...times, reason: 'planned' };
    const { id } = (await ask('announcements', { method: 'POST', body })).body;
    const seen = (await ask(`announcements/${id}`)).body;
    const put = (ends_at: string) =>
      ask(`announcements/${id}`, { method: 'PUT', body: { ...seen, ends_at, reason: 'longer' } });
    expect((await put('2026-01-03T00:00:00.000Z')).status).toBe(200);
    expect((await put('2026-01-04T00:00:00.000Z')).body.error).toBe('edited_meanwhile');
  });
});

test('what was done to an account is among its entries of the audit log', async () => {
  await eventually('they are written', async () => {
    const { body } = await list('audit-log', { object: 'Account/acc-stranger', action: 'adminLiftLockout' });
    expect(body).toMatchObject([{ reason: 'asked by phone', actor_id: 'acc-administrator' }]);
    return true;
  });
});

test('accounts are found by the role that they have among the staff, any of several', async () => {
  const names = async (roles: unknown) =>
    (await list('users', { platform_roles: roles })).body.map(({ id }: { id: string }) => id);
  expect(await names('support')).toEqual(['acc-viewer']);
  expect(await names(['support', 'administrator'])).toEqual(
    expect.arrayContaining(['acc-viewer', 'acc-administrator']),
  );
  expect(await names('finance')).not.toContain('acc-viewer');
  expect((await list('users', { platform_roles: 'owner' })).status).toBe(400);
});

test('entries of the audit log are found by their time, from a moment on and before another', async () => {
  const [entry] = (await list('audit-log', {})).body;
  const at = (shift: number) => new Date(Date.parse(entry.at) + shift).toISOString();
  const has = async (filter: object) => (await list('audit-log', { id: entry.id, ...filter })).body.length === 1;
  expect(await has({ from: at(0), to: at(1) })).toBe(true);
  expect(await has({ from: at(1) })).toBe(false);
  expect(await has({ to: at(0) })).toBe(false);
  expect((await list('audit-log', { from: 'yesterday' })).status).toBe(400);
});
