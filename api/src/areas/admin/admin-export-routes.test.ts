// Lists as CSV files: what is in them, who is recorded as having taken them, and what a reader who gives up leaves behind.
import { ADMIN_RESOURCES, type AdminQuery } from '@gantry/contract/http/admin.ts';
import { EXPORTED, exportedFields } from '@gantry/contract/http/admin-exports.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { accounts, platformGrants } from '../../platform/db/schema/people.ts';

const MANY = 1_203;

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await migratedDatabase();
  gateway = await startMemoryGateway({ db });
  await db.sql.insert(platformGrants).values({ accountId: 'acc-viewer', role: 'support', createdAt: new Date() });
  await db.sql.insert(accounts).values(
    Array.from({ length: MANY }, (_, at) => ({
      id: `acc-many-${`${at}`.padStart(5, '0')}`,
      name: at === 7 ? '=cmd|calc' : at === 8 ? '@sum(1)' : `many-${at}`,
      email: at % 3 === 0 ? null : `many-${at}@example.com`,
      phone: at === 9 ? '+8613800000009' : null,
      // Several of one moment: the id decides.
      createdAt: new Date(Date.UTC(2026, 0, 1 + (at % 5))),
    })),
  );
}, 120_000);
afterAll(() => gateway.stop());

interface Asked {
  sort?: AdminQuery['sort'];
  filter?: object;
  as?: keyof MemoryGateway['tokens'];
}

async function exported(resource: string, { sort = ['id', 'ASC'], filter = {}, as = 'administrator' }: Asked = {}) {
  const query = new URLSearchParams({ sort: JSON.stringify(sort), filter: JSON.stringify(filter) });
  const answer = await gateway.client(gateway.tokens[as]).fetch(`/api/admin/${resource}/export?${query}`);
  const text = await answer.text();
  // The mark that spreadsheets look for.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter((line) => line !== '');
  return { answer, text, head: lines[0]?.split(',') ?? [], lines: lines.slice(1) };
}

const lastEntry = async (action: string) => {
  const [entry] = await gateway.db.sql
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, action))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return entry;
};

describe('a file of a list', () => {
  test.each(EXPORTED)('%s has a column for each field of its row, and says how many rows come', async (name) => {
    const { answer, head, lines } = await exported(name);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${name}.csv"`,
    ]);
    expect(head).toEqual(exportedFields(ADMIN_RESOURCES[name]));
    expect(lines.length).toBeGreaterThanOrEqual(Number(answer.headers.get('x-total-count')));
  });

  test.each([
    [['name', 'ASC']],
    [['name', 'DESC']],
    // Three of four are null.
    [['email', 'ASC']],
    [['email', 'DESC']],
    [['phone', 'DESC']],
    [['created_at', 'ASC']],
    [['created_at', 'DESC']],
    [['id', 'DESC']],
  ] as const)('users by %j: over several pages each of them once, in the order of the list', async (sort) => {
    const { answer, lines } = await exported('users', { sort: [...sort] });
    const ids = lines.map((line) => line.slice(0, line.indexOf(',')));
    const wanted = await gateway
      .client(gateway.tokens.administrator)
      .fetch(`/api/admin/users?${new URLSearchParams({ sort: JSON.stringify(sort), range: '[0,999]' })}`);
    const listed = ((await wanted.json()) as { id: string }[]).map(({ id }) => id);
    expect(ids.slice(0, listed.length)).toEqual(listed);
    expect([ids.length, new Set(ids).size]).toEqual([Number(answer.headers.get('x-total-count')), ids.length]);
    expect(ids.length).toBeGreaterThan(MANY);
  });

  test('the filter of the list is the filter of the file', async () => {
    const { answer, lines } = await exported('users', { filter: { q: 'MANY-11' } });
    expect([answer.headers.get('x-total-count'), lines.length]).toEqual(['111', 111]);
    const { lines: none } = await exported('users', { filter: { q: 'no such person' } });
    expect(none).toEqual([]);
  });

  test('no cell is taken for a formula, and a number stays one', async () => {
    const { text } = await exported('users', {
      filter: { id: ['acc-many-00007', 'acc-many-00008', 'acc-many-00009'] },
    });
    expect(text).toContain(",'=cmd|calc,");
    expect(text).toContain(",'@sum(1),");
    expect(text).toContain(",'+8613800000009,");
  });

  test('what a tenant put into an object stays there', async () => {
    const { text, head } = await exported('instances');
    expect(head).not.toContain('spec');
    expect(text).toContain('org-otherorg.ins-stranger');
    expect(text).not.toContain('hunter2');
  });

  test('a field that the list does not know is refused before anything is sent', async () => {
    const { answer, text } = await exported('users', { filter: { password_hash: 'x' } });
    expect([answer.status, JSON.parse(text).error, answer.headers.get('content-disposition')]).toEqual([
      400,
      'admin_query_rule',
      null,
    ]);
  });
});

describe('who takes a file', () => {
  test('stands in the audit log, with filter and number of rows', async () => {
    await exported('users', { filter: { q: 'many-110' } });
    const reason = 'sent 11 of 11 rows; filter {"q":"many-110"}, sort id ASC';
    // The file has ended before its entry is written.
    await eventually('it is audited', async () => (await lastEntry('adminExportUsers'))?.reason === reason);
    expect(await lastEntry('adminExportUsers')).toMatchObject({
      actorId: 'acc-administrator',
      object: 'Export/users',
      decision: 'allowed',
    });
  });

  test('also when giving up on the way', async () => {
    const end = new AbortController();
    const answer = await gateway
      .client(gateway.tokens.administrator)
      .fetch('/api/admin/users/export?sort=["name","ASC"]', { signal: end.signal });
    const reader = answer.body?.getReader();
    await reader?.read();
    end.abort();
    await reader?.read().catch(() => undefined);
    // The sockets may already hold the whole of a small file: either outcome is recorded.
    await eventually('it is audited', async () => {
      const entry = await lastEntry('adminExportUsers');
      return entry?.reason?.endsWith('sort name ASC') === true && /^(sent|broken off after) \d+ of/.test(entry.reason);
    });
  });

  test('has the list’s menu', async () => {
    expect((await exported('users', { as: 'viewer' })).answer.status).toBe(200);
    expect((await exported('transactions', { as: 'viewer' })).answer.status).toBe(403);
    expect((await exported('users', { as: 'owner' })).answer.status).toBe(403);
  });

  test('gets no file of real names', async () => {
    expect(EXPORTED).not.toContain('real-auths');
    const { answer } = await exported('real-auths');
    expect(answer.status).not.toBe(200);
  });
});
