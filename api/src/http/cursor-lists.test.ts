// Every list with page and size that takes a cursor: its second page repeats no row and misses none, whatever came in front.
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../test/support/database.ts';
import { Alarms } from '../alerts/alarms.ts';
import { openDocuments } from '../billing/documents/open-documents.ts';
import type { CursorPage } from '../db/key-pages.ts';
import type { Database } from '../db/open.ts';
import { ApiTokens } from '../identity/keys/api-tokens.ts';
import { type KubeconfigParts, Kubeconfigs } from '../identity/keys/kubeconfigs.ts';
import { readInvitations } from '../identity/organizations/invitation-rows.ts';
import { type MemberParts, Members } from '../identity/organizations/members.ts';
import { Collected } from '../models/collected/collected.ts';

type Read = (db: Database, organizationId: string, asked: CursorPage) => Promise<{ ids: string[]; cursor?: string }>;

interface CursorList {
  read: Read;
  /** Row `n` of an organisation; a greater one comes before a smaller one. Several share a moment where the list allows it. */
  insert(organizationId: string, n: number): SQL;
}

const clock = new SteppedClock();
const log = pino({ enabled: false });
const documentsOf = (db: Database) =>
  openDocuments({
    ...{ db, clock, log, issuer: { legalName: '', address: '', taxId: '' } },
    isSettled: async () => true,
    tell: async () => undefined,
  });
const idsOf = <Row extends { id: string }>({ cursor }: { cursor?: string }, rows: readonly Row[]) => ({
  ids: rows.map(({ id }) => id),
  ...(cursor !== undefined && { cursor }),
});
/** Two rows have one moment, and moments are microseconds, which a Date has not. */
const moment = (n: number): SQL => sql`timestamptz '2026-01-01' + ${Math.floor(n / 2)}::int * interval '1 microsecond'`;
const name = (organizationId: string, n: number): string => `${organizationId}-${`${n}`.padStart(3, '0')}`;
const numberOf = (organizationId: string, n: number): number => (organizationId === 'acme' ? 0 : 1000) + n;

const transactionsBy =
  (by: 'date' | 'total_amount'): Read =>
  async (db, organizationId, asked) => {
    const page = await documentsOf(db).transactions.page(organizationId, {}, { by, descending: true }, asked);
    return idsOf(page, page.items);
  };
const insertBill = (organizationId: string, n: number): SQL =>
  sql`insert into bills (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, reference)
    values (${name(organizationId, n)}, ${organizationId}, 'USD', 'recharge', 'paid', ${moment(n)}, ${moment(n)},
      ${Math.floor(n / 2)}::int, 0, 0, 'card', '')`;

/** What the last statement of `insert` refers to: the organisation and somebody's account. */
const having = (organizationId: string, account: string, insert: SQL): SQL =>
  sql`with o as (insert into organizations (id, name, currency, created_at)
        values (${organizationId}, '', 'USD', ${moment(0)}) on conflict do nothing),
      a as (insert into accounts (id, name, created_at) values (${account}, ${account}, ${moment(0)}) on conflict do nothing)
    ${insert}`;
const whoOf = (organizationId: string) => ({ accountId: 'nobody', organizationId, role: 'owner' }) as const;

const LISTS: Record<string, CursorList> = {
  'listTransactions by date': { read: transactionsBy('date'), insert: insertBill },
  'listTransactions by amount': { read: transactionsBy('total_amount'), insert: insertBill },
  listInvoices: {
    async read(db, organizationId, asked) {
      const page = await documentsOf(db).invoices.list(organizationId, asked);
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      sql`insert into invoices (id, number, org_id, month, zone, "from", "to", currency, lines, list, discount, total,
          credit_used, paid, recipient, issuer, issued_at)
        values (${name(organizationId, n)}, ${numberOf(organizationId, n)}, ${organizationId}, ${`${n}`}, 'UTC', ${moment(n)},
          ${moment(n)}, 'USD', '[]', 0, 0, 0, 0, 0, '{}', '{}', ${moment(n)})`,
  },
  listCreditNotes: {
    async read(db, organizationId, asked) {
      const page = await documentsOf(db).creditNotes.list(organizationId, asked);
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      sql`insert into credit_notes (id, number, kind, org_id, refund_id, bill_id, paid_at, currency, amount, at, recipient,
          issuer, issued_at)
        values (${name(organizationId, n)}, ${numberOf(organizationId, n)}, 'refund', ${organizationId},
          ${name(organizationId, n)}, '', ${moment(n)}, 'USD', 1, ${moment(n)}, '{}', '{}', ${moment(n)})`,
  },
  listAlerts: {
    async read(db, organizationId, asked) {
      const page = await new Alarms({ db, clock, muted: () => [] }).list(organizationId, asked);
      return idsOf(page, page.rows);
    },
    insert: (organizationId, n) =>
      sql`insert into alarms (id, org_id, policy_uid, policy, title, kind, labels, metric, level, status, first_abnormal_at)
        values (${name(organizationId, n)}, ${organizationId}, '', '', '', '', '{}', '', 'Info', 'firing', ${moment(n)})`,
  },
  listMembers: {
    async read(db, organizationId, asked) {
      const page = await new Members({ db } as MemberParts).list(organizationId, { ...asked, byEmail: true });
      return idsOf(
        page,
        page.items.map(({ account }) => account),
      );
    },
    // The oldest first.
    insert: (organizationId, n) =>
      having(
        organizationId,
        name(organizationId, n),
        sql`insert into memberships (organization_id, account_id, role, created_at)
          values (${organizationId}, ${name(organizationId, n)}, 'member', ${moment(-n)})`,
      ),
  },
  listInvitations: {
    async read(db, organizationId, asked) {
      const page = await readInvitations(db.sql, organizationId, asked, new Date(clock.now()));
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      having(
        organizationId,
        'ann',
        sql`insert into invitations (id, organization_id, email, role, invited_by, created_at, expires_at)
          values (${name(organizationId, n)}, ${organizationId}, ${`${n}@example.com`}, 'member', 'ann', ${moment(n)},
            '2099-01-01')`,
      ),
  },
  listApiTokens: {
    async read(db, organizationId, asked) {
      const page = await new ApiTokens({ db, clock, sessions: { forget() {} } }).list(whoOf(organizationId), asked);
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      having(
        organizationId,
        'ann',
        sql`insert into api_tokens (id, token_hash, organization_id, account_id, remark, scopes, created_at)
          values (${name(organizationId, n)}, ${name(organizationId, n)}, ${organizationId}, 'ann', '', '{}', ${moment(n)})`,
      ),
  },
  listKubeconfigs: {
    async read(db, organizationId, asked) {
      const page = await new Kubeconfigs({ db, clock } as Partial<KubeconfigParts> as KubeconfigParts).list(
        whoOf(organizationId),
        asked,
      );
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      having(
        organizationId,
        'ann',
        sql`insert into kubeconfigs (id, organization_id, account_id, remark, expires_at, created_at, secret_uid)
          values (${name(organizationId, n)}, ${organizationId}, 'ann', '', '2099-01-01', ${moment(n)}, 'uid')`,
      ),
  },
  listCollectedFiles: {
    async read(db, organizationId, asked) {
      const parts = { db, store: undefined, exists: () => true };
      const page = await new Collected(parts).files({ organizationId, deployment: 'chat' }, asked);
      return idsOf(page, page.items);
    },
    insert: (organizationId, n) =>
      having(
        organizationId,
        'ann',
        sql`insert into collected_files (id, org_id, deployment, dataset, records, left_out, size_bytes, first_at, last_at,
            stored_at)
          values (${name(organizationId, n)}, ${organizationId}, 'chat', '', 1, 0, 1, ${moment(n)}, ${moment(n)},
            ${moment(n)})`,
      ),
  },
};

const NONSENSE = ['nonsense', '-1', '99999999999999999999', "' or true --", '2026-01-01'];

test('every route that takes a cursor beside a page is in the table', () => {
  const taking = Object.values(ROUTES).filter(({ query }) =>
    ['cursor', 'page', 'size'].every((field) => field in (query?.shape ?? {})),
  );
  expect(new Set(taking.map(({ id }) => id))).toEqual(new Set(Object.keys(LISTS).map((title) => title.split(' ')[0])));
});

forEachDatabase((database) => {
  const fill = async ({ insert }: CursorList, organizationId: string, from: number, to: number) => {
    for (let n = from; n <= to; n++) await database().sql.execute(insert(organizationId, n));
  };

  test.each(Object.entries(LISTS))('%s: pages repeat no row and miss none while others insert', async (_, list) => {
    await fill(list, 'acme', 1, 10);
    await fill(list, 'other', 1, 10);
    const whole = (await list.read(database(), 'acme', { page: 1, size: 100 })).ids;
    expect(whole).toHaveLength(10);
    const paged: string[] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= 4; page++) {
      const found = await list.read(database(), 'acme', { page, size: 3, cursor });
      paged.push(...found.ids);
      cursor = found.cursor;
      expect(cursor === undefined).toBe(page === 4);
      await fill(list, 'acme', 10 * page + 1, 10 * page + 10);
    }
    expect(paged).toEqual(whole);
  });

  test.each(Object.entries(LISTS))('%s: a page without a cursor is the one that its number says', async (_, list) => {
    await fill(list, 'acme', 1, 10);
    const whole = (await list.read(database(), 'acme', { page: 1, size: 100 })).ids;
    expect((await list.read(database(), 'acme', { page: 2, size: 3 })).ids).toEqual(whole.slice(3, 6));
  });

  test.each(Object.entries(LISTS))('%s: a cursor that no page of theirs had is refused', async (_, list) => {
    await fill(list, 'acme', 1, 4);
    await fill(list, 'other', 1, 4);
    const { cursor: theirs } = await list.read(database(), 'other', { page: 1, size: 2 });
    expect(theirs).toBeDefined();
    for (const cursor of [`${theirs}`, ...NONSENSE])
      await expect(list.read(database(), 'acme', { page: 2, size: 2, cursor })).rejects.toMatchObject({
        problem: 'cursor_rule',
        field: 'cursor',
      });
  });
});
