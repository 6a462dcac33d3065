// Lists of the operators' console that go on behind a row: no page of an export repeats or misses one, whatever came in front.

import { ADMIN_KINDS } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { ADMIN_RESOURCES, type AdminQuery, type AdminResourceName } from '@gantry/contract/http/admin.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { DocumentRows } from '../../core/billing/documents/document-rows.ts';
import { entryRows } from '../../core/billing/documents/entry-rows.ts';
import { Approvals } from '../../core/billing/giving/approvals.ts';
import { Proofs } from '../../core/billing/ledger/proofs.ts';
import { chargebackRows, paymentRows, refundRows } from '../../core/billing/payments/payment-rows.ts';
import { PriceRows, type PriceRowsParts } from '../../core/billing/prices/price-rows.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { Announcements } from '../../platform/messages/announcements.ts';
import { Shelf as DatasetShelf } from '../datasets/shelf.ts';
import { ClusterChecks } from '../doctor/cluster-checks.ts';
import { Shelf } from '../models/shelf.ts';
import { Articles } from '../portal/articles.ts';
import { PageViews } from '../portal/page-views.ts';
import { Incidents } from '../portal/status/incidents.ts';
import { AuditCheckRows } from './audit-check-rows.ts';
import { MailRows } from './mail-rows.ts';
import { PeopleAccess, type PeopleAccessParts } from './people-access.ts';
import { PeopleRows } from './people-rows.ts';

type Listed = string | { id: string | number };
interface KeyList {
  read(db: Database, query: AdminQuery): Promise<Page<Listed>>;
  sort: string;
  /** What makes row `n`; a greater one is greater in the list. Two have one value where the list allows it. */
  insert(n: number): SQL[];
}

const clock = new SteppedClock();
/** A list takes no more of its parts than these. */
const only = <Parts>(parts: object): Parts => parts as Parts;
const id = (n: number): string => `${500 + n}`;
/** Microseconds, which a Date has not. */
const moment = (n: number): SQL => sql`timestamptz '2026-01-01' + ${Math.floor(n / 2)}::int * interval '1 microsecond'`;
const LATER = '2099-01-01';

const account = (n: number) =>
  sql`insert into accounts (id, name, created_at) values (${id(n)}, ${id(n)}, ${moment(n)}) on conflict do nothing`;
const organization = (n: number) =>
  sql`insert into organizations (id, name, currency, created_at)
    values (${id(n)}, ${id(Math.floor(n / 2))}, 'USD', ${moment(n)}) on conflict do nothing`;
const bill = (n: number, type = 'recharge') =>
  sql`insert into bills (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, reference)
    values (${id(n)}, ${id(n)}, 'USD', ${type}, 'paid', ${moment(n)}, ${moment(n)}, 1, 0, 0, 'stripe', '')`;
const payment = (n: number) =>
  sql`insert into payments (id, bill_id, org_id, channel, amount, currency, state, paid, refunded, initiator, next, created_at,
      changed_at)
    values (${id(n)}, ${id(n)}, ${id(n)}, ${n > 4 ? 'bank_transfer' : 'stripe'}, 1, 'USD', 'open', 0, 0, 'person', '{}',
      ${moment(n)}, ${moment(n)})`;
const article = (n: number) =>
  sql`insert into articles (id, slug, kind, position, title, latest, changed_at, changed_by)
    values (${id(n)}, ${id(n)}, 'help', 1, '{}', 1, ${moment(n)}, '')`;
const dataset = (n: number) =>
  sql`insert into datasets (id, org_id, name, type, creator_id, created_at, updated_at)
    values (${id(n)}, ${id(n)}, ${id(n)}, 'file', ${id(n)}, ${moment(n)}, ${moment(n)})`;
const model = (n: number) =>
  sql`insert into models (id, organization_id, name, creator_id, created_at, updated_at)
    values (${id(n)}, ${id(n)}, ${id(n)}, ${id(n)}, ${moment(n)}, ${moment(n)})`;

const people = (db: Database) => new PeopleRows(only({ db, organization: () => ({ phase: '', quota: {} }) }));
const access = (db: Database) => new PeopleAccess(only<PeopleAccessParts>({ db, clock, sessions: { idleMs: 1e13 } }));
const documents = (db: Database) => new DocumentRows({ db });

const LISTS: Partial<Record<`${AdminResourceName}${'' | ' by waits' | ' by decided'}`, KeyList>> = {
  users: { read: (db, query) => people(db).users(query), sort: 'created_at', insert: (n) => [account(n)] },
  organizations: {
    read: (db, query) => people(db).organizations(query),
    sort: 'name',
    insert: (n) => [organization(n)],
  },
  'real-auths': {
    read: (db, query) => people(db).realAuthIds(query),
    sort: 'submitted_at',
    insert: (n) => [
      account(n),
      sql`insert into real_auths (id, account_id, type, state, name, id_card, commitment_version, committed_at, submitted_at)
        values (${id(n)}, ${id(n)}, 1, 'pending', '', '', '', ${moment(n)}, ${moment(n)})`,
    ],
  },
  'audit-log': {
    read: (db, query) => people(db).auditLog(query, 'en'),
    sort: 'at',
    insert: (n) => [
      sql`insert into audit_log (id, at, actor_name, actor_kind, organization_id, request_id, action, decision, status, ip)
        values (${500 + n}, ${moment(n)}, '', 'session', '', '', '', 'allowed', 200, '')`,
    ],
  },
  'audit-checks': {
    read: (db, query) => new AuditCheckRows({ db, clock, deadMs: 1 }).page(query),
    sort: 'started_at',
    insert: (n) => [
      sql`insert into audit_checks (id, organization_id, account_id, started_at, seen_at)
        values (${id(n)}, '', '', ${moment(n)}, ${moment(n)})`,
    ],
  },
  announcements: {
    read: (db, query) => new Announcements({ db, clock }).list(query),
    sort: 'starts_at',
    insert: (n) => [
      sql`insert into notices (id, key, kind, title, content, created_at, starts_at, ends_at)
        values (${id(n)}, ${id(n)}, 'announcement', '{}', '{}', ${moment(n)}, ${moment(n)}, ${LATER})`,
    ],
  },
  'page-views': {
    read: (db, query) => new PageViews(only({ db, clock })).page(query),
    sort: 'views',
    insert: (n) => [
      sql`insert into page_views (id, day, page, language, views) values (${id(n)}, '', '', 'en', ${Math.floor(n / 2)})`,
    ],
  },
  incidents: {
    read: (db, query) => new Incidents({ db, clock }).page(query),
    sort: 'started_at',
    insert: (n) => [
      sql`insert into incidents (id, title, state, components, started_at, updates, created_by)
        values (${id(n)}, '{}', 'resolved', '[]', ${moment(n)}, '[]', '')`,
    ],
  },
  mails: {
    read: (db, query) => new MailRows(only({ db, clock })).page(query),
    sort: 'created_at',
    insert: (n) => [
      sql`insert into mails (id, channel, address, template, language, created_at, expires_at, next_at)
        values (${id(n)}, 'email', 'a@example.com', '', 'en', ${moment(n)}, ${LATER}, ${LATER})`,
    ],
  },
  articles: {
    read: (db, query) => new Articles(only({ db, clock })).page(query),
    sort: 'changed_at',
    insert: (n) => [article(n)],
  },
  'article-versions': {
    read: (db, query) => new Articles(only({ db, clock })).versions(query),
    sort: 'created_at',
    insert: (n) => [
      article(n),
      sql`insert into article_versions (id, article_id, number, title, content, reason, created_at, created_by)
        values (${id(n)}, ${id(n)}, 1, '{}', '{}', '', ${moment(n)}, '')`,
    ],
  },
  'cluster-checks': {
    read: (db, query) => new ClusterChecks(only({ db, clock })).rows(query),
    sort: 'started_at',
    insert: (n) => [
      sql`insert into cluster_checks (id, state, started_at, started_by, reason, alive_at)
        values (${id(n)}, 'done', ${moment(n)}, '', '', ${moment(n)})`,
    ],
  },
  members: {
    read: (db, query) => access(db).members(query),
    sort: 'created_at',
    insert: (n) => [
      account(n),
      organization(n),
      sql`insert into memberships (organization_id, account_id, role, created_at)
        values (${id(n)}, ${id(n)}, 'member', ${moment(n)})`,
    ],
  },
  'sign-ins': {
    read: (db, query) => access(db).signIns(query),
    sort: 'last_at',
    insert: (n) => [
      sql`insert into sign_ins (id, way, outcome, first_at, last_at, ip)
        values (${id(n)}, 'password', 'locked', ${moment(n)}, ${moment(n)}, '')`,
    ],
  },
  sessions: {
    read: (db, query) => access(db).sessions(query),
    sort: 'created_at',
    insert: (n) => [
      account(n),
      organization(n),
      sql`insert into sessions (id, token_hash, account_id, organization_id, created_at, expires_at, last_used_at)
        values (${id(n)}, ${id(n)}, ${id(n)}, ${id(n)}, ${moment(n)}, ${LATER}, ${LATER})`,
    ],
  },
  views: {
    read: (db, query) => access(db).views(query),
    sort: 'created_at',
    insert: (n) => [
      account(n),
      organization(n),
      sql`insert into views (id, ticket_hash, account_id, organization_id, reason, created_at, expires_at)
        values (${id(n)}, ${id(n)}, ${id(n)}, ${id(n)}, '', ${moment(n)}, ${LATER})`,
    ],
  },
  plans: {
    read(db, query) {
      const plans = { ofMany: async (ids: string[]) => new Map(ids.map((each) => [each, { plan: 'free' }])) };
      return new PriceRows(only<PriceRowsParts>({ db, clock, plans, hosts: { held: () => 0, cap: () => 0 } })).plans(
        query,
      );
    },
    sort: 'name',
    insert: (n) => [organization(n)],
  },
  models: {
    read: (db, query) => new Shelf({ db, clock }).page(query),
    sort: 'created_at',
    insert: (n) => [account(n), organization(n), model(n)],
  },
  datasets: {
    read: (db, query) => new DatasetShelf({ db, clock }).page(query),
    sort: 'created_at',
    insert: (n) => [account(n), organization(n), dataset(n)],
  },
  'dataset-usage': {
    read: (db, query) => new DatasetShelf({ db, clock }).usage(query),
    sort: 'organization_name',
    insert: (n) => [account(n), organization(n), dataset(n)],
  },
  transactions: { read: (db, query) => documents(db).transactions(query), sort: 'date', insert: (n) => [bill(n)] },
  bills: {
    read: (db, query) => documents(db).bills(query),
    sort: 'date',
    insert: (n) => [bill(n, 'consumption')],
  },
  invoices: {
    read: (db, query) => documents(db).invoices(query),
    sort: 'issued_at',
    insert: (n) => [
      sql`insert into invoices (id, number, org_id, month, zone, "from", "to", currency, lines, list, discount, total,
          credit_used, paid, recipient, issuer, issued_at)
        values (${id(n)}, ${500 + n}, ${id(n)}, '', 'UTC', ${moment(n)}, ${moment(n)}, 'USD', '[]', 0, 0, 0, 0, 0, '{}', '{}',
          ${moment(n)})`,
    ],
  },
  'credit-notes': {
    read: (db, query) => documents(db).creditNotes(query),
    sort: 'issued_at',
    insert: (n) => [
      sql`insert into credit_notes (id, number, kind, org_id, refund_id, bill_id, paid_at, currency, amount, at, recipient,
          issuer, issued_at)
        values (${id(n)}, ${500 + n}, 'refund', '', ${id(n)}, '', ${moment(n)}, 'USD', 1, ${moment(n)}, '{}', '{}',
          ${moment(n)})`,
    ],
  },
  wallets: {
    read: (db, query) => documents(db).wallets(query),
    sort: 'cash',
    insert: (n) => [
      organization(n),
      sql`insert into wallets (org_id, currency, cash, credits, debt, overdraft)
        values (${id(n)}, 'USD', ${250 + Math.floor(n / 2)}, 0, 0, 0)`,
    ],
  },
  'ledger-entries': {
    read: entryRows,
    sort: 'id',
    insert: (n) => [
      // The ledger's own rules rest.
      sql`set local session_replication_role = replica`,
      sql`insert into transfers (id, key, type, org_id, currency, at, posted_at, memo) overriding system value
        values (${500 + n}, ${id(n)}, 'grant', '', 'USD', ${moment(n)}, ${moment(n)}, '{}')`,
      sql`insert into postings (transfer_id, leg, debit, credit, amount)
        values (${500 + n}, 0, 'platform/promotions USD', 'organization/aaaaaa/credits USD', 1)`,
    ],
  },
  approvals: {
    read: (db, query) => new Approvals(only({ db, clock })).rows(query),
    sort: 'requested_at',
    insert: (n) => [
      sql`insert into approvals (id, org_id, kind, of, currency, amount, reason, state, requested_by, requested_at)
        values (${id(n)}, '', 'transfer', 'cash', 'USD', 1, '', 'pending', '', ${moment(n)})`,
    ],
  },
  // None is decided: null is their order.
  'approvals by decided': {
    read: (db, query) => new Approvals(only({ db, clock })).rows({ ...query, sort: ['decided_at', query.sort[1]] }),
    sort: 'decided_at',
    insert: (n) => [
      sql`insert into approvals (id, org_id, kind, of, currency, amount, reason, state, requested_by, requested_at)
        values (${id(n)}, '', 'transfer', 'cash', 'USD', 1, '', 'pending', '', ${moment(n)})`,
    ],
  },
  proofs: {
    read: (db, query) => new Proofs(only({ db, clock })).rows(query),
    sort: 'started_at',
    insert: (n) => [
      sql`insert into book_proofs (id, state, started_at, alive_at) values (${id(n)}, 'whole', ${moment(n)}, ${moment(n)})`,
    ],
  },
  payments: { read: paymentRows, sort: 'created_at', insert: (n) => [bill(n), payment(n)] },
  'payments by waits': { read: paymentRows, sort: 'waits', insert: (n) => [bill(n), payment(n)] },
  refunds: {
    read: refundRows,
    sort: 'created_at',
    insert: (n) => [
      bill(n),
      payment(n),
      sql`insert into refunds (id, payment_id, org_id, amount, state, by, reason, created_at, changed_at)
        values (${id(n)}, ${id(n)}, '', 1, 'asked', '', '', ${moment(n)}, ${moment(n)})`,
    ],
  },
  chargebacks: {
    read: chargebackRows,
    sort: 'created_at',
    insert: (n) => [
      bill(n),
      payment(n),
      sql`insert into disputes (id, payment_id, org_id, status, moves, created_at, changed_at)
        values (${id(n)}, ${id(n)}, '', '', '[]', ${moment(n)}, ${moment(n)})`,
    ],
  },
};

/** Lists that go on by the place. */
const BY_PLACE: Partial<Record<AdminResourceName, string>> = {
  ...Object.fromEntries(Object.keys(ADMIN_KINDS).map((name) => [name, 'objects of the cluster, read from a cache'])),
  ...{ nodes: 'of the cluster', orphans: 'of the cluster', 'storage-fill': 'measured anew by each call' },
  ...{ settings: 'a fixed set', features: 'a fixed set', health: 'measured anew by each call' },
  ...{
    backups: 'read whole from the store',
    'gpu-models': 'of the cluster',
    'article-faults': 'found anew by each call',
    'token-usage': 'sums, made anew by each call',
  },
  ...{ prices: 'few, read whole', discounts: 'few, read whole', books: 'sums, made anew by each call' },
};
test('every list goes on behind a row and is in the table, or is one of those that cannot', () => {
  const inTable = Object.keys(LISTS).map((title) => title.split(' ')[0] as string);
  expect([...new Set([...inTable, ...Object.keys(BY_PLACE)])].sort()).toEqual(Object.keys(ADMIN_RESOURCES).sort());
});

const idOf = (row: Listed): string => (typeof row === 'string' ? row : `${row.id}`);

forEachDatabase((database) => {
  const fill = ({ insert }: KeyList, from: number, to: number) =>
    database().transaction(async (tx) => {
      for (let n = from; n <= to; n++) for (const statement of insert(n)) await tx.execute(statement);
    });

  test.each(
    Object.entries(LISTS).flatMap(([title, list]) => [[title, 'ASC', list] as const, [title, 'DESC', list] as const]),
  )('%s, %s: pages repeat no row and miss none while others insert in front', async (_, direction, list) => {
    const query: Omit<AdminQuery, 'range'> = { sort: [list.sort, direction], filter: {} };
    await fill(list, 1, 10);
    const whole = await list.read(database(), { ...query, range: [0, 99] });
    expect([whole.items.length, whole.total]).toEqual([10, 10]);
    const paged: string[] = [];
    let after: AdminQuery['after'];
    for (let page = 0; page < 4; page++) {
      const { items, last } = await list.read(database(), {
        ...query,
        range: [3 * page, 3 * page + 2],
        ...(after && { after }),
      });
      expect(last).toBeDefined();
      paged.push(...items.map(idOf));
      after = last;
      if (direction === 'DESC') await fill(list, 11 + 4 * page, 14 + 4 * page);
      else await fill(list, -4 * page - 3, -4 * page);
    }
    expect(paged).toEqual(whole.items.map(idOf));
  });
});
