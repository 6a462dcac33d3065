// Lists, search and exports at a size where a plan matters: what the database does for a page, not how long it takes.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { idsOf, type ListedTable } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { entriesAbout, namedAlone, namedAmongOthers } from './object-entries.ts';
import { AUDIT_LOG, ORGANIZATIONS, USERS } from './people-rows.ts';
import { Search } from './search.ts';

/** `GANTRY_ROWS=100000` measures at full size; plans are the same at this one. */
const ROWS = Number(process.env.GANTRY_ROWS ?? 20_000);

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
  await seed(db, ROWS);
}, 600_000);
afterAll(() => db.close());

async function seed(database: Database, rows: number): Promise<void> {
  const statements = [
    `insert into accounts (id, name, email, phone, created_at, disabled_at)
      select 'acc-' || substr(md5(n::text), 1, 8) || n, 'person-' || n, case when n % 5 > 0 then md5('m' || n) || '@example.com' end,
        case when n % 7 = 0 then '+86' || (13000000000 + n) end, timestamptz '2026-01-01' + n * interval '1 minute',
        case when n % 1000 = 0 then timestamptz '2026-06-01' end
      from generate_series(1, ${rows}) n`,
    `insert into organizations (id, name, currency, created_at)
      select 'o' || substr(md5(n::text), 1, 6) || n, 'Company ' || md5('o' || n), 'USD', timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, ${rows}) n`,
    `insert into audit_log (at, actor_id, actor_name, actor_kind, organization_id, request_id, action, object, decision, status, ip)
      select timestamptz '2026-01-01' + n * interval '1 second', 'acc-' || (n % 1000), 'person', 'session', 'o' || (n % 1000),
        md5('r' || n), 'action' || (n % 200),
        case when n % 3 > 0 then 'GPUInstance/ins-' || n || case when n % 11 = 0 then ' DataDisk/dsk_' || n else '' end end,
        'allowed', 200, '10.0.0.1'
      from generate_series(1, ${rows}) n`,
    `insert into bills (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, reference)
      select 'b' || md5(n::text), 'o' || (n % 1000), 'USD', 'recharge', 'paid', now(), now(), 1, 1, 0, 'stripe', 'ref' || md5('b' || n)
      from generate_series(1, ${rows}) n`,
    `insert into payments (id, bill_id, org_id, channel, provider_id, amount, currency, state, paid, refunded, initiator, next, created_at, changed_at)
      select 'p' || md5(n::text), 'b' || md5(n::text), 'o' || (n % 1000), 'stripe', 'pi_' || md5('p' || n), 1, 'USD', 'paid', 1, 0, 'account', '{}', now(), now()
      from generate_series(1, ${rows}) n`,
    `insert into invoices (id, number, org_id, month, zone, "from", "to", currency, lines, list, discount, total, credit_used, paid, recipient, issuer, issued_at)
      select 'i' || md5(n::text), n, 'o' || n, '2026-01', 'UTC', now(), now(), 'USD', '[]', 1, 0, 1, 0, 1, '{}', '{}', now()
      from generate_series(1, ${rows}) n`,
    `insert into credit_notes (id, number, kind, org_id, refund_id, bill_id, paid_at, currency, amount, at, recipient, issuer, issued_at)
      select 'c' || md5(n::text), n, 'refund', 'o' || n, 'r' || n, 'b' || md5(n::text), now(), 'USD', 1, now(), '{}', '{}', now()
      from generate_series(1, ${rows}) n`,
    'analyze',
  ];
  await database.transaction(async (tx) => {
    // References rest: no row behind them is read here.
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

async function stepsOf(query: SQLWrapper): Promise<string[]> {
  const rows = await rowsOf<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    db.sql,
    sql`explain (format json) ${query.getSQL() as SQL}`,
  );
  const steps = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(steps)];
  const [found] = rows;
  return found ? steps(found['QUERY PLAN'][0].Plan) : [];
}

const page = (sort: AdminQuery['sort'], more: Partial<AdminQuery> = {}): AdminQuery => ({
  sort,
  range: [0, 24],
  filter: {},
  ...more,
});

const LISTS: readonly [string, ListedTable, AdminQuery['sort'][0][]][] = [
  ['users', USERS, ['id', 'name', 'email', 'created_at']],
  ['organizations', ORGANIZATIONS, ['id', 'name', 'created_at']],
  ['audit-log', AUDIT_LOG, ['id', 'at', 'actor_id', 'action']],
];

describe.each(LISTS)('a page of %s', (_, listed, fields) => {
  test.each(fields.flatMap((field) => [[field, 'ASC'] as const, [field, 'DESC'] as const]))(
    'by %s %s is read from an index, and nothing is sorted',
    async (field, order) => {
      const steps = await stepsOf(idsOf(db.sql, listed, page([field, order])));
      expect(steps.filter((step) => step === 'Sort' || step === 'Seq Scan' || step === 'Incremental Sort')).toEqual([]);
    },
  );
});

test.each([
  ['an actor', { actor_id: 'acc-7' }],
  ['an organisation', { organization_id: 'o7' }],
  ['an action', { action: 'action7' }],
  ['a request', { request_id: 'r7' }],
])('the audit log of %s is found by an index', async (_, filter) => {
  const steps = await stepsOf(idsOf(db.sql, AUDIT_LOG, page(['id', 'DESC'], { filter })));
  expect(steps).not.toContain('Seq Scan');
});

test('entries about an object are read from indexes, also where there are none', async () => {
  for (const place of [
    { organizationId: 'o7', object: 'GPUInstance/ins-7' },
    { organizationId: '', object: 'GPUInstance/org-o7.ins-7' },
    { organizationId: 'o-none', object: 'GPUInstance/none' },
  ]) {
    const steps = [...(await stepsOf(namedAlone(db.sql, place))), ...(await stepsOf(namedAmongOthers(db.sql, place)))];
    expect(steps).not.toContain('Seq Scan');
  }
});

test('an object is found where an entry names it alone or among others, and not by a part of its name', async () => {
  // 22 % 3 = 1 and 22 % 11 = 0.
  const of = async (object: string) =>
    (await entriesAbout(db, [{ organizationId: 'o22', object }], 'en')).map(({ action }) => action);
  expect(await of('DataDisk/dsk_22')).toEqual(['action22']);
  expect(await of('GPUInstance/ins-22')).toEqual(['action22']);
  expect(await of('GPUInstance/ins-2')).toEqual([]);
  expect(await of('DataDisk/dsk-22')).toEqual([]);
  const alone = await entriesAbout(
    db,
    [
      { organizationId: '', object: 'GPUInstance/ins-1' },
      { organizationId: 'o1', object: 'GPUInstance/ins-1' },
    ],
    'en',
  );
  expect(alone.map(({ action }) => action)).toEqual(['action1']);
});

test('a file goes on where a page ended, without passing over what was sent', async () => {
  const after = { value: '2026-01-08 00:00:00+00', id: 'acc-x' };
  const steps = await stepsOf(idsOf(db.sql, USERS, page(['created_at', 'ASC'], { after })));
  expect(steps.filter((step) => step === 'Sort' || step === 'Seq Scan')).toEqual([]);
});

const SEARCHED = ['accounts', 'audit_log', 'bills', 'credit_notes', 'invoices', 'organizations', 'payments'];

// If nothing is found, every searched column of each table is read.
test.each([
  ['what begins many names', 'person-77'],
  ['what is nowhere', 'zz-none'],
  ['a number of no paper', '1999999999'],
])('the search for %s reads no table from end to end', async (_, typed) => {
  const statements: SQLWrapper[] = [];
  const recording = new Proxy(db.sql, {
    get(target, name, receiver) {
      if (name !== 'select') return Reflect.get(target, name, receiver);
      return (...args: unknown[]) => {
        const begun = Reflect.apply(target.select, target, args) as { from(table: unknown): object };
        return {
          from: (table: unknown) => {
            const query = begun.from(table) as SQLWrapper;
            statements.push(query);
            return query;
          },
        };
      };
    },
  });
  const search = new Search({ db: { sql: recording as typeof db.sql }, cache: { list: () => [] }, nodes: () => [] });
  const { groups } = await search.find(typed, () => true, 'en');
  expect(groups.map(({ resource }) => resource)).toEqual(typed === 'person-77' ? ['users'] : []);
  const asked = new Set<string>();
  for (const statement of statements) {
    const [, table = ''] =
      /from "(\w+)"/.exec((statement as unknown as { toSQL(): { sql: string } }).toSQL().sql) ?? [];
    asked.add(table);
    expect([table, (await stepsOf(statement)).includes('Seq Scan')]).toEqual([table, false]);
  }
  expect([...asked].sort()).toEqual(SEARCHED);
});
