// The operators' console, asked as ra-data-simple-rest 5.15 asks.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';

let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db });
  // A second staff member, who is not an administrator.
  await db.sql.insert(platformGrants).values({ accountId: 'acc-viewer', role: 'support', createdAt: new Date() });
}, 120_000);
afterAll(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows of any resource
type Rows = any;

async function ask(path: string, { method = 'GET', body, as = 'administrator', headers = {} }: Asked = {}) {
  const answer = await fetch(`${gateway.url}/api/admin/${path}`, {
    method,
    headers: {
      'x-token': gateway.tokens[as],
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, range: answer.headers.get('content-range'), body: (await answer.json()) as Rows };
}
interface Asked {
  method?: string;
  body?: unknown;
  as?: keyof MemoryGateway['tokens'];
  headers?: Record<string, string>;
}

/** As the data provider writes it, with the header that Chrome wants. */
const list = (resource: string, { sort = ['id', 'ASC'], range = [0, 9], filter = {} }: Listed = {}) =>
  ask(
    `${resource}?${new URLSearchParams({ filter: JSON.stringify(filter), range: JSON.stringify(range), sort: JSON.stringify(sort) })}`,
    { headers: { Range: `${resource}=${range[0]}-${range[1]}` } },
  );
interface Listed {
  sort?: [string, string];
  range?: [number, number];
  filter?: object;
}
const many = (resource: string, ids: readonly (string | number)[]) =>
  ask(`${resource}?${new URLSearchParams({ filter: JSON.stringify({ id: ids }) })}`);

const lastEntry = async () => {
  const [entry] = await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  return entry;
};

const names = ({ body }: { body: Rows }): string[] => body.map(({ name }: { name: string }) => name);

describe('lists', () => {
  test('a page in order, and which of how many it is', async () => {
    const first = await list('users', { sort: ['name', 'DESC'], range: [0, 2] });
    expect([first.status, first.range, names(first)]).toEqual([200, 'users 0-2/8', ['viewer', 'stranger', 'owner']]);
    const last = await list('users', { sort: ['name', 'DESC'], range: [6, 8] });
    expect([last.range, names(last)]).toEqual(['users 6-7/8', ['administrator', 'admin'].sort().reverse()]);
  });

  test('an empty page has a total, too', async () => {
    expect(await list('users', { filter: { q: 'nobody' } })).toMatchObject({ range: 'users */0', body: [] });
  });

  test('filters: a part of a name, a value, several, whether a time is set', async () => {
    expect(names(await list('users', { filter: { q: 'STRANG' } }))).toEqual(['stranger']);
    expect(names(await list('users', { filter: { disabled: true } }))).toEqual([]);
    expect((await list('users', { filter: { kind: ['personal', 'enterprise'] } })).range).toBe('users 0-7/8');
    expect((await list('organizations', { filter: { deleted: false } })).body).toMatchObject([
      { id: 'acmeorgs', members: 7 },
      { id: 'otherorg', members: 1 },
    ]);
  });

  test('several by their ids, and one', async () => {
    const hundred = Array.from({ length: 97 }, (_, at) => `acc-${at}-${'x'.repeat(20)}`);
    const { status, body } = await many('users', ['acc-owner', 'acc-nobody', 'acc-admin', ...hundred]);
    expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, ['acc-admin', 'acc-owner']]);
    expect((await ask('users/acc-owner')).body).toMatchObject({
      id: 'acc-owner',
      email: 'owner@example.com',
      organizations: [{ id: 'acmeorgs', role: 'owner' }],
    });
  });

  test.each([
    ['hosts', 'org-otherorg.hst-stranger'],
    ['instances', 'org-otherorg.ins-stranger'],
    ['disks', 'org-otherorg.dsk-stranger'],
    ['images', 'org-otherorg.img-stranger'],
  ])('%s of all organisations', async (resource, id) => {
    const all = await list(resource, { sort: ['organization_id', 'DESC'] });
    expect(new Set(all.body.map((row: Rows) => row.organization_id))).toEqual(new Set(['otherorg', 'acmeorgs']));
    expect(all.range).toBe(`${resource} 0-${all.body.length - 1}/${all.body.length}`);
    const other = await list(resource, { filter: { organization_id: 'otherorg' } });
    expect(other.body.map((row: Rows) => row.id)).toEqual([id]);
    expect((await many(resource, [id, 'org-none.none'])).body).toHaveLength(1);
    expect((await ask(`${resource}/${id}`)).body).toMatchObject({ id, organization_id: 'otherorg' });
  });

  test('a tenant’s variables are no part of a row', async () => {
    const { spec } = (await ask('instances/org-otherorg.ins-stranger')).body;
    expect(spec.displayName).toBe('one');
    expect(spec).not.toHaveProperty('env');
    expect(JSON.stringify((await list('instances')).body)).not.toContain('hunter2');
  });

  test.each([
    'users',
    'organizations',
    'real-auths',
    'announcements',
    'hosts',
    'instances',
    'disks',
    'images',
    'audit-log',
    'prices',
    'discounts',
    'plans',
  ])('one of %s that is not there', async (resource) => {
    expect(await ask(`${resource}/nothing`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test.each([
    ['sort=["password_hash","ASC"]', 'sort'],
    ['sort=["name"]', 'sort'],
    ['range=[5,2]', 'range'],
    ['range=[0,5000]', 'range'],
    ['filter={"password_hash":"x"}', 'filter'],
    ['filter={', 'filter'],
  ])('400: %s', async (query, field) => {
    const { status, body } = await ask(`users?${query}`);
    expect([status, body.error, body.field]).toEqual([400, 'admin_query_rule', field]);
  });
});

describe('changes', () => {
  test('an account that is disabled is out at once, and in again', async () => {
    const row = (await ask('users/acc-member')).body;
    const closed = await ask('users/acc-member', { method: 'PUT', body: { ...row, disabled: true, reason: 'spam' } });
    expect([closed.status, closed.body.disabled_at]).toEqual([200, expect.any(String)]);
    expect(await lastEntry()).toMatchObject({
      action: 'adminEditUser',
      actorKind: 'staff',
      actorId: 'acc-administrator',
      organizationId: '',
      object: 'Account/acc-member',
      reason: 'spam',
      decision: 'allowed',
    });
    expect((await ask('users', { as: 'member' })).status).toBe(401);
    const open = await ask('users/acc-member', { method: 'PUT', body: { disabled: false, reason: 'a mistake' } });
    expect(open.body.disabled_at).toBeNull();
  });

  test.each([
    ['users/acc-billing', { platform_roles: ['finance'] }],
    ['users/acc-billing', { disabled: true }],
    ['organizations/otherorg', { quota: { gpus: 8 } }],
  ])('403: %s %j by staff that may only look', async (path, body) => {
    expect(await ask(path, { method: 'PUT', body: { ...body, reason: 'x' }, as: 'viewer' })).toMatchObject({
      status: 403,
      body: { error: 'permission_missing' },
    });
    expect((await ask(path, { as: 'viewer' })).status).toBe(200);
  });

  test('staff is made by an administrator, and nobody changes their own access', async () => {
    const roles = { platform_roles: ['finance'], reason: 'new colleague' };
    expect(await ask('users/acc-administrator', { method: 'PUT', body: roles })).toMatchObject({
      status: 409,
      body: { error: 'own_access' },
    });
    expect((await ask('users/acc-billing', { method: 'PUT', body: roles })).body.platform_roles).toEqual(['finance']);
    expect(
      (await ask('users/acc-billing', { method: 'PUT', body: { platform_roles: [], reason: 'left' } })).body
        .platform_roles,
    ).toEqual([]);
  });

  test('limits of an organisation are set one by one, and the others stay', async () => {
    const before = (await ask('organizations/otherorg')).body.quota;
    const edited = await ask('organizations/otherorg', {
      method: 'PUT',
      body: { quota: { gpus: 5 }, reason: 'asked' },
    });
    expect([edited.status, edited.body.quota]).toEqual([200, { ...before, gpus: 5 }]);
    expect((await ask('organizations/otherorg')).body.quota).toEqual({ ...before, gpus: 5 });
  });

  test('a price, from its moment on in the public list; a discount; a plan', async () => {
    const listed = async (sku: string) => {
      const answer = await fetch(`${gateway.url}/api/paybill/v1/price`);
      const { data } = (await answer.json()) as Rows;
      return data.find((row: Rows) => row.sku === sku);
    };
    const price = { sku: 'gpu/NVIDIA-L4', amount: '0.5', reason: 'the market' };
    const made = await ask('prices', { method: 'POST', body: price });
    expect([made.status, made.body]).toMatchObject([201, { sku: 'gpu/NVIDIA-L4', state: 'later', currency: 'USD' }]);
    expect(await lastEntry()).toMatchObject({ action: 'adminSetPrice', reason: 'the market' });
    expect(await listed('gpu/NVIDIA-L4')).toMatchObject({ amount: '0.43', next: { amount: '0.50' } });
    const refused = await ask('prices', { method: 'POST', body: { ...price, amount: '-1' } });
    expect([refused.status, refused.body.error]).toEqual([400, 'price_rule']);
    const old = { ...price, valid_from: '2020-01-01T00:00:00Z' };
    expect((await ask('prices', { method: 'POST', body: old })).body.error).toBe('price_in_past');

    const wish = { organization_id: 'otherorg', source: 'host_rent', percent: 12.35, reason: 'a year ahead' };
    expect((await ask('discounts', { method: 'POST', body: wish })).body).toMatchObject({ percent: 12.35 });
    const found = await list('discounts', { filter: { organization_id: 'otherorg', source: ['host_rent'] } });
    expect([found.range, found.body[0].reason]).toEqual(['discounts 0-0/1', 'a year ahead']);

    const changed = await ask('plans/otherorg', { method: 'PUT', body: { plan: 'enterprise', reason: 'agreed' } });
    expect(changed.body).toMatchObject({ plan: 'enterprise', name: 'otherorg' });
    expect((await ask('plans/nobody', { method: 'PUT', body: { plan: 'free', reason: 'x' } })).status).toBe(404);
    expect((await ask('prices', { as: 'viewer' })).status).toBe(403);
    const own = await fetch(`${gateway.url}/api/paybill/v1/plan`, { headers: { 'x-token': gateway.tokens.viewer } });
    expect(await own.json()).toMatchObject({ result: { plan: 'free', hosts_held: 1, currency: 'USD' } });
  });

  test('a menu is a role’s', async () => {
    expect((await ask('users', { as: 'viewer' })).status).toBe(200);
    expect(await ask('audit-log', { as: 'viewer' })).toMatchObject({ status: 403 });
    // A refusal does not wait for its entry.
    await eventually('it is audited', async () => {
      const denied = { action: 'adminListAuditLog', decision: 'denied', actorKind: 'staff' };
      expect(await lastEntry()).toMatchObject(denied);
      return true;
    });
  });

  test('an announcement, from its first word to its end', async () => {
    const title = { en: 'Repairs', zh: '维护', ja: 'メンテナンス' };
    const times = { starts_at: '2026-01-01T00:00:00.000Z', ends_at: '2026-01-02T00:00:00.000Z' };
    const body = { title, content: title, ...times, reason: 'planned' };
    const made = await ask('announcements', { method: 'POST', body });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ title, ...times, created_by: 'acc-administrator' }),
    ]);
    const { id } = made.body;
    const wrong = await ask(`announcements/${id}`, { method: 'PUT', body: { ends_at: times.starts_at, reason: 'x' } });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'announcement_times']);
    const edited = await ask(`announcements/${id}`, {
      method: 'PUT',
      body: { ...made.body, ends_at: '2026-01-03T00:00:00.000Z', reason: 'longer' },
    });
    expect(edited.body.ends_at).toBe('2026-01-03T00:00:00.000Z');
    expect(await list('announcements')).toMatchObject({ range: 'announcements 0-0/1', body: [{ id }] });

    const silent = await ask(`announcements/${id}`, { method: 'DELETE', headers: { 'content-type': 'text/plain' } });
    expect([silent.status, silent.body.error, silent.body.field]).toEqual([400, 'reason_needed', 'X-Reason']);
    const gone = await ask(`announcements/${id}`, {
      method: 'DELETE',
      headers: { 'x-reason': encodeURIComponent('完了') },
    });
    expect([gone.status, gone.body.id]).toEqual([200, id]);
    expect(await lastEntry()).toMatchObject({ object: `Announcement/${id}`, reason: '完了' });
    expect((await ask(`announcements/${id}`)).status).toBe(404);
  });

  test.each([
    ['users/acc-owner', 'PUT', { disabled: true }],
    ['organizations/acmeorgs', 'PUT', { quota: { gpus: 1 } }],
    ['real-auths/rna-1', 'PUT', { result: 1 }],
    ['announcements/ann-1', 'PUT', {}],
  ])('400: %s without a reason', async (path, method, body) => {
    for (const reason of [undefined, '', '  ']) {
      const { status, body: answer } = await ask(path, { method, body: { ...body, reason } });
      expect([status, answer.field]).toEqual([400, 'reason']);
    }
  });

  test('staff of every role read the names of accounts and organisations whose ids they see', async () => {
    const names = await ask('names?accounts=acc-billing,default&organizations=acmeorgs,nowhere', { as: 'viewer' });
    expect(names.body).toEqual({ accounts: { 'acc-billing': 'billing' }, organizations: { acmeorgs: 'acmeorgs' } });
    expect((await ask('names', { as: 'viewer' })).body).toEqual({ accounts: {}, organizations: {} });
    expect((await ask('names?accounts=a%27b', { as: 'viewer' })).status).toBe(400);
    expect((await ask('names?accounts=acc-billing', { as: 'owner' })).status).toBe(403);
  });

  test('the audit log tells it all', async () => {
    const { body, range } = await list('audit-log', {
      sort: ['id', 'DESC'],
      filter: { action: 'adminEditUser', decision: 'allowed' },
    });
    expect(body.map(({ object, reason }: Rows) => [object, reason])).toEqual([
      ['Account/acc-billing', 'left'],
      ['Account/acc-billing', 'new colleague'],
      ['Account/acc-member', 'a mistake'],
      ['Account/acc-member', 'spam'],
    ]);
    expect(range).toBe('audit-log 0-3/4');
    const [entry] = body;
    expect([entry.action_label, entry.object_label]).toEqual(['Edit an account', 'billing']);
    expect((await ask(`audit-log/${entry.id}`)).body).toEqual(entry);
    const [row] = await db.sql.select().from(auditLog).where(eq(auditLog.id, entry.id));
    expect(row?.action).toBe('adminEditUser');
  });
});
