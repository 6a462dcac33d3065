// The operators' home, search, saved queries and accounts from a file, over HTTP.
import type { Overview, SearchResult } from '@gantry/contract/areas/admin/admin-home.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { mails } from '../../platform/db/schema/identity.ts';
import { messages, notices } from '../../platform/db/schema/messages.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await migratedDatabase();
  gateway = await startMemoryGateway({ db, flags: ['--smtp-url=smtp://127.0.0.1:9'] });
  const createdAt = new Date();
  await db.sql.insert(platformGrants).values([
    { accountId: 'acc-viewer', role: 'support', createdAt },
    { accountId: 'acc-billing', role: 'finance', createdAt },
    { accountId: 'acc-member', role: 'catalogue', createdAt },
  ]);
}, 120_000);
afterAll(() => gateway.stop());

type Who = keyof MemoryGateway['tokens'];
// biome-ignore lint/suspicious/noExplicitAny: answers of any route
type Body = any;

async function ask(path: string, { as = 'administrator', headers = {}, ...init }: RequestInit & { as?: Who } = {}) {
  const answer = await gateway.client(gateway.tokens[as]).fetch(`/api/admin/${path}`, {
    ...init,
    headers: { ...(init.body ? { 'content-type': 'application/json' } : {}), ...(headers as Record<string, string>) },
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get('etag'),
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

describe('the overview', () => {
  test('has for each reader the parts of their menus, and null for the rest', async () => {
    const partsOf = async (as: Who) => {
      const { status, body } = await ask('overview', { as });
      const { computing, revenue, organizations: all } = body as Overview;
      return [status, computing !== null, revenue !== null, all !== null];
    };
    expect(await partsOf('administrator')).toEqual([200, true, true, true]);
    expect(await partsOf('viewer')).toEqual([200, true, false, true]);
    expect(await partsOf('billing')).toEqual([200, false, true, false]);
    expect(await partsOf('member')).toEqual([200, false, false, false]);
    expect((await ask('overview', { as: 'owner' })).status).toBe(403);
  });

  test('shows what there is, and says where there is nothing to say', async () => {
    // Alarm policies of the fixtures are months old: they are late until their first cycle.
    const {
      computing,
      revenue,
      organizations: all,
    } = await eventually('nothing is wrong', async () => {
      const overview: Overview = (await ask('overview')).body;
      return overview.alarms?.length === 0 ? overview : undefined;
    });
    expect(computing?.measured).toBeNull();
    expect(computing?.hours).toHaveLength(24);
    expect(revenue).toMatchObject([{ currency: 'USD', today: '0.00', month: '0.00' }]);
    expect(all).toMatchObject({ total: 2, newest: [{ id: expect.any(String) }, { id: expect.any(String) }] });
  });

  test('costs nothing where nothing has changed', async () => {
    const first = await ask('overview', { as: 'billing' });
    const again = await ask('overview', { as: 'billing', headers: { 'if-none-match': first.etag ?? '' } });
    expect([again.status, again.body, again.etag]).toEqual([304, undefined, first.etag]);
    // Another reader's parts are another answer.
    expect((await ask('overview', { as: 'member' })).etag).not.toBe(first.etag);
  });
});

describe('the search', () => {
  const find = async (q: string, as: Who = 'administrator') => {
    const { status, body } = await ask(`search?${new URLSearchParams({ q })}`, { as });
    expect(status).toBe(200);
    return Object.fromEntries(
      (body as SearchResult).groups.map(({ resource, items }) => [resource, items.map(({ id }) => id)]),
    );
  };

  test.each([
    ['a name', 'STRANG', { users: ['acc-stranger'] }],
    ['a mail', 'owner@exam', { users: ['acc-owner'] }],
    ['an account', 'acc-own', { users: ['acc-owner'] }],
    ['an organisation', 'otherorg', { organizations: ['otherorg'] }],
    ['a namespace', 'org-otherorg', { organizations: ['otherorg'] }],
    ['an instance', 'ins-stranger', { instances: ['org-otherorg.ins-stranger'] }],
    ['its display name', 'disk', { disks: ['org-acmeorgs.dsk-own', 'org-otherorg.dsk-stranger'] }],
    ['an invoice by its number', '00000001', { invoices: ['inv-stranger'] }],
    ['an invoice by its number without zeros', '1', undefined],
    ['a credit note by its number', 'CN-00000002', { 'credit-notes': ['crn-own'] }],
    ['a payment', 'pay-stranger', { payments: ['pay-stranger'] }],
    ['nothing that anything begins with', 'zzzzzzzz', {}],
    ['what LIKE would take for anything', '%%', {}],
  ])('finds by %s', async (_, q, wanted) => {
    if (wanted === undefined) expect((await ask(`search?q=${q}`)).status).toBe(400);
    else expect(await find(q)).toMatchObject(wanted);
    if (wanted && Object.keys(wanted).length === 0) expect(await find(q)).toEqual({});
  });

  test('finds a call by its request id, for who reads the audit log', async () => {
    const id = 'req-of-the-search';
    await ask('users/acc-owner', {
      method: 'PUT',
      body: JSON.stringify({ disabled: false, reason: 'x' }),
      headers: { 'x-request-id': id },
    });
    const [entry] = await gateway.db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    // As the answer and the client's own log have it.
    expect(entry?.requestId).toBe(`~${id}`);
    expect(await find(id)).toEqual({ 'audit-log': [`${entry?.id}`] });
    expect(await find(`~${id}`)).toEqual({ 'audit-log': [`${entry?.id}`] });
    expect(await find(id, 'viewer')).toEqual({});
  });

  test('looks only into menus that the reader has', async () => {
    expect(Object.keys(await find('stranger'))).toContain('users');
    expect(await find('stranger', 'billing')).toEqual({});
    expect(await find('pay-stranger', 'billing')).toEqual({ payments: ['pay-stranger'] });
    expect(await find('pay-stranger', 'viewer')).toEqual({});
    expect(await find('stranger', 'member')).toEqual({});
  });

  test('gives five of a kind, what is exactly so first, and says that there are more', async () => {
    const createdAt = new Date();
    await gateway.db.sql.insert(accounts).values(
      ['abcde', ...Array.from({ length: 9 }, (_, at) => `abcde${at}`)].map((name) => ({
        id: `acc-${name}`,
        name,
        createdAt,
      })),
    );
    const { body } = await ask('search?q=abcde');
    expect(body.groups).toMatchObject([{ resource: 'users', has_more: true }]);
    expect(body.groups[0].items).toHaveLength(5);
    expect(body.groups[0].items[0].id).toBe('acc-abcde');
  });
});

describe('saved queries', () => {
  const value = {
    saved_queries: {
      users: [{ label: 'disabled', value: { filter: { disabled: true }, sort: { field: 'name', order: 'ASC' } } }],
    },
  };
  const put = (body: unknown, as: Who = 'administrator') =>
    ask('preferences', { method: 'PUT', body: JSON.stringify(body), as });

  test('are each person’s own', async () => {
    expect((await ask('preferences')).body).toEqual({ saved_queries: {} });
    expect((await put(value)).body).toEqual(value);
    expect((await ask('preferences')).body).toEqual(value);
    expect((await ask('preferences', { as: 'viewer' })).body).toEqual({ saved_queries: {} });
  });

  test('are bounded', async () => {
    const [one] = value.saved_queries.users;
    const many = { saved_queries: { users: Array.from({ length: 21 }, () => one) } };
    expect((await put(many)).status).toBe(400);
    const large = { saved_queries: { users: [{ ...one, value: { filter: { q: 'x'.repeat(5_000) } } }] } };
    expect((await put(large)).status).toBe(400);
    expect((await put({ saved_queries: { users: [{ ...one, label: 'x'.repeat(70_000) }] } })).status).toBe(413);
    expect((await ask('preferences')).body).toEqual(value);
  });
});

describe('accounts from a file', () => {
  const importing = (csv: string, { dry = false, as = 'administrator' as Who, headers = {} } = {}) =>
    ask(`users/import?dry_run=${dry}`, {
      method: 'POST',
      body: JSON.stringify({ csv, reason: 'a course' }),
      as,
      headers,
    });
  const outcomes = (body: Body) =>
    body.rows.map(({ line, outcome, problem }: Body) => [line, outcome, ...(problem ? [problem] : [])]);
  const FILE = [
    'name;email;phone;organization;role;locale',
    'pupil-1;Pupil.1@example.com;;acmeorgs;viewer;zh',
    'pupil-2;pupil2@example.com;;;;',
    '',
    'pupil-3;;;;;',
    'abc;pupil4@example.com;;;;',
    'pupil-5;pupil2@example.com;;;;',
    'pupil-6;pupil6@example.com;;nowhere;;',
    'pupil-7;pupil7@example.com;;;admin;',
    'owner;someone@example.com;;;;',
    'pupil-8;owner@example.com;;;;',
    'pupil-9;;+14155550132;;;',
    'someone@else.com;pupil10@example.com;;;;',
    'pupil-11;pupil11@example.com;;acmeorgs;boss;',
    'pupil-12;pupil12@example.com;;acmeorgs;owner;',
    'pupil-13;pupil13@example.com;;acmeorgs;admin;',
  ].join('\r\n');
  const VERDICTS = [
    [5, 'refused', 'import_address_missing'],
    [6, 'refused', 'username_rule'],
    [7, 'refused', 'import_repeated'],
    [8, 'refused', 'not_found'],
    [9, 'refused', 'import_role_alone'],
    [10, 'refused', 'username_taken'],
    [11, 'refused', 'address_taken'],
    [12, 'refused', 'cannot_send'],
    [13, 'refused', 'username_email'],
    [14, 'refused', 'invalid_field'],
    [15, 'refused', 'import_role_high'],
    [16, 'refused', 'import_role_high'],
  ];
  const counted = async () => [
    await gateway.db.sql.$count(accounts),
    await gateway.db.sql.$count(organizations),
    await gateway.db.sql.$count(mails),
  ];

  test('a dry run says what would happen line by line, and writes nothing', async () => {
    const before = await counted();
    const { status, body } = await importing(`\uFEFF${FILE}`, { dry: true });
    expect([status, body.dry_run, body.counts]).toEqual([200, true, { new: 2, made: 0, exists: 0, refused: 12 }]);
    expect(outcomes(body)).toEqual([[2, 'new'], [3, 'new'], ...VERDICTS]);
    expect(body.rows[4]).toMatchObject({ said: 'Line 3 has the same email.', field: 'email' });
    expect(await counted()).toEqual(before);
  });

  test('each good row becomes an account that nobody knows a password of, and a mail says how to set one', async () => {
    const { body } = await importing(FILE);
    expect(outcomes(body)).toEqual([[2, 'made'], [3, 'made'], ...VERDICTS]);
    const [made] = await gateway.db.sql.select().from(accounts).where(eq(accounts.name, 'pupil-1'));
    expect(made).toMatchObject({ email: 'pupil.1@example.com', locale: 'zh', passwordHash: null, termsVersion: null });
    const member = await gateway.db.sql
      .select()
      .from(memberships)
      .where(eq(memberships.accountId, made?.id ?? ''));
    expect(member.map(({ organizationId, role }) => [organizationId === 'acmeorgs', role]).sort()).toEqual([
      [false, 'owner'],
    ]);
    const letters = await gateway.db.sql.select().from(mails);
    expect(letters.map(({ address, template, language }) => [address, template, language]).sort()).toEqual([
      ['pupil.1@example.com', 'accountMadeIn', 'zh'],
      ['pupil2@example.com', 'accountMade', 'en'],
    ]);
    const [entry] = await gateway.db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(entry).toMatchObject({ action: 'adminImportUsers', reason: 'import: a course' });
    expect(entry?.object).toContain(made?.id);
    const own = await gateway.db.sql
      .select()
      .from(auditLog)
      .where(eq(auditLog.object, `Account/${made?.id}`));
    expect(own).toMatchObject([
      {
        action: 'adminImportUsers',
        actorKind: 'staff',
        reason: 'a course (proposed as viewer of Organization/acmeorgs)',
      },
    ]);
    const told = await eventually('the owners are told', async () => {
      const found = await gateway.db.sql
        .select({ title: notices.title, content: notices.content, reader: messages.accountId })
        .from(messages)
        .innerJoin(notices, eq(notices.id, messages.noticeId))
        .where(eq(notices.key, `imported/${made?.id}`));
      return found.length > 0 ? found : undefined;
    });
    const readers = told.map(({ reader }) => reader);
    expect(readers).toContain('acc-owner');
    expect(readers).not.toContain('acc-member');
    expect(told[0]?.title).toMatchObject({ en: expect.stringMatching(/^Platform staff propose pupil-1 for /) });
    expect(told[0]?.content).toMatchObject({ en: expect.stringMatching(/^administrator of the platform’s staff /) });
  });

  test('the same file again changes nothing', async () => {
    const before = await counted();
    const { body } = await importing(FILE);
    expect(outcomes(body)).toEqual([[2, 'exists'], [3, 'exists'], ...VERDICTS]);
    expect(await counted()).toEqual(before);
  });

  test.each([
    ['a column that nobody knows', 'name,email,password\npupil-20,a@example.com,hunter2', 'import_columns'],
    ['no header', 'pupil-20,a@example.com', 'import_columns'],
    ['a column twice', 'name,email,email\npupil-20,a@example.com,b@example.com', 'import_columns'],
    ['a quote that is never closed', 'name,email\n"pupil-20,a@example.com', 'import_malformed'],
    ['too many rows', `name,email\n${'pupil-20,a@example.com\n'.repeat(1_001)}`, 'import_too_long'],
  ])('%s is refused as a whole', async (_, csv, problem) => {
    const { status, body } = await importing(csv, { dry: true });
    expect([Math.floor(status / 100), body.error]).toEqual([4, problem]);
  });

  test('a cell that our own file has guarded is read as it was', async () => {
    const { body } = await importing("name,phone\npupil-30,'+14155550133", { dry: true });
    // The number is one; that nothing is sent by text messages here is another matter.
    expect(outcomes(body)).toEqual([[2, 'refused', 'cannot_send']]);
  });

  test('only administrators', async () => {
    expect((await importing(FILE, { dry: true, as: 'viewer' })).status).toBe(403);
  });
});
