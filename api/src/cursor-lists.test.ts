// Every list with page and size that takes a cursor: its second page repeats no row and misses none, whatever came in front.

import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../test/support/database.ts';
import { Alarms } from './areas/alerts/alarms.ts';
import { policyChanges } from './areas/alerts/policy-changes.ts';
import { Datasets, type DatasetsParts } from './areas/datasets/datasets.ts';
import { Versions } from './areas/datasets/versions.ts';
import { Collected } from './areas/models/collected/collected.ts';
import { Models, type ModelsParts } from './areas/models/models.ts';
import { DatasetLibrary, type DatasetLibraryParts } from './areas/portal/dataset-library.ts';
import { ModelLibrary, type ModelLibraryParts } from './areas/portal/model-library.ts';
import { openDocuments } from './core/billing/documents/open-documents.ts';
import { ApiTokens } from './core/identity/keys/api-tokens.ts';
import { type KubeconfigParts, Kubeconfigs } from './core/identity/keys/kubeconfigs.ts';
import { type PubKeyParts, PubKeys } from './core/identity/keys/pub-keys.ts';
import { Registries } from './core/identity/keys/registries.ts';
import { readInvitations, readOwnInvitations } from './core/identity/organizations/invitation-rows.ts';
import { type MemberParts, Members } from './core/identity/organizations/members.ts';
import { type OrganizationParts, Organizations } from './core/identity/organizations/organizations.ts';
import { type RealAuthParts, RealAuths } from './core/identity/people/real-auths.ts';
import { type SessionParts, Sessions } from './core/identity/sessions/sessions.ts';
import { TaskStore } from './core/tasks/task-store.ts';
import type { CursorPage } from './platform/db/key-pages.ts';
import type { Database } from './platform/db/open.ts';
import type { Caller } from './platform/http/caller.ts';

type Read = (
  db: Database,
  organizationId: string,
  asked: CursorPage,
) => Promise<{ ids: string[]; cursor: string | undefined }>;

interface CursorList {
  read: Read;
  /** Row `n` of an organisation; a greater one comes before a smaller one. Several share a moment where the list allows it. */
  insert(organizationId: string, n: number): SQL;
  /** A row of an other organisation is one of the list, too. */
  isOfAll?: true;
}

/** Lists that go on at a number alone. */
const WITHOUT_CURSOR: Record<string, string> = {
  listEvaluationExamples: 'examples of a run that has ended, by their place',
  ...Object.fromEntries(
    Object.values(KIND_ROUTES).map(({ list }) => [list.id, 'the cluster, whose changes its stream tells']),
  ),
  listMounts: 'the cluster, whose changes its stream tells',
  listFiles: 'a folder of a disk, which has no rows that could be found again',
  showUsage: 'sums of a range of time: its rows are made anew by each call',
};

const clock = new SteppedClock();
const log = pino({ enabled: false });
const documentsOf = (db: Database) =>
  openDocuments({
    ...{ db, clock, log, issuer: { legalName: '', address: '', taxId: '' } },
    isSettled: async () => true,
    tell: async () => undefined,
  });
const idsOf = <Row extends { id: string }>({ cursor }: { cursor?: unknown }, rows: readonly Row[]) => ({
  ids: rows.map(({ id }) => id),
  cursor: cursor as string | undefined,
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
/** For lists that begin with the smallest. */
const down = (n: number): number => 500 - n;

const insertBill = (organizationId: string, n: number): SQL =>
  sql`insert into bills (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, reference)
    values (${name(organizationId, n)}, ${organizationId}, 'USD', 'recharge', 'paid', ${moment(n)}, ${moment(n)},
      ${Math.floor(n / 2)}::int, 0, 0, 'card', '')`;

/** The rows that the last statement of `insert` refers to: the organisation and somebody's account. */
const having = (organizationId: string, account: string, insert: SQL, called = ''): SQL =>
  sql`with o as (insert into organizations (id, name, currency, created_at)
        values (${organizationId}, ${called}, 'USD', ${moment(0)}) on conflict do nothing),
      a as (insert into accounts (id, name, created_at) values (${account}, ${account}, ${moment(0)}) on conflict do nothing)
    ${insert}`;
const whoOf = (organizationId: string) => ({ accountId: 'nobody', organizationId, role: 'owner' }) as const;

const modelsBy =
  (of: 'space' | 'library'): Read =>
  async (db, organizationId, asked) => {
    const models = new Models({ db, clock, quotaGi: () => 1, usedBy: () => [] } as Partial<ModelsParts> as ModelsParts);
    const caller = { organization: { id: organizationId } } as Caller;
    const order = { order_by: 'update_time', order_type: 'desc' } as const;
    const { items, extra } = await models[of](caller, { ...asked, ...order, search: organizationId });
    return idsOf(extra, items);
  };
const insertModel = (organizationId: string, n: number): SQL =>
  having(
    organizationId,
    'ann',
    sql`insert into models (id, organization_id, name, creator_id, shelved_at, created_at, updated_at)
      values (${name(organizationId, down(n))}, ${organizationId}, ${name(organizationId, n)}, 'ann', ${moment(0)}, ${moment(0)},
        timestamptz '2026-01-01' + ${Math.floor(n / 2)}::int * interval '1 second')`,
  );

const inOrganization = (organizationId: string) =>
  ({ organization: { id: organizationId, role: 'owner' }, session: { kind: 'session' } }) as Caller;
const datasetsBy =
  (of: 'space' | 'library'): Read =>
  async (db, organizationId, asked) => {
    const all = new Datasets({
      db,
      clock,
      quotaGi: () => 1,
      usedBy: () => [],
    } as Partial<DatasetsParts> as DatasetsParts);
    const order = { order_by: 'update_time', order_type: 'desc' } as const;
    const { items, extra } = await all[of](inOrganization(organizationId), {
      ...asked,
      ...order,
      search: organizationId,
    });
    return idsOf(extra, items);
  };
const insertDataset = (organizationId: string, n: number): SQL =>
  having(
    organizationId,
    'ann',
    sql`insert into datasets (id, org_id, name, type, creator_id, shelved_at, created_at, updated_at)
      values (${name(organizationId, n)}, ${organizationId}, ${name(organizationId, n)}, 'file', 'ann', ${moment(0)}, ${moment(0)},
        ${moment(n)})`,
  );
/** Of one dataset of the organisation, and the newest is the greatest. */
const insertVersion = (organizationId: string, n: number): SQL =>
  having(
    organizationId,
    'ann',
    sql`, d as (insert into datasets (id, org_id, name, type, creator_id, created_at, updated_at)
        values (${organizationId}, ${organizationId}, 'one', 'file', 'ann', ${moment(0)}, ${moment(0)}) on conflict do nothing)
      insert into dataset_versions (id, dataset_id, number, state, source, message, creator_id, created_at)
      values (${name(organizationId, n)}, ${organizationId}, ${numberOf(organizationId, n)}::int, 'ready', 'upload', '', 'ann', ${moment(0)})`,
  );
/** Of one version of it, by their paths. */
const insertDatasetFile = (organizationId: string, n: number): SQL =>
  having(
    organizationId,
    'ann',
    sql`, d as (insert into datasets (id, org_id, name, type, creator_id, created_at, updated_at)
        values (${organizationId}, ${organizationId}, 'one', 'file', 'ann', ${moment(0)}, ${moment(0)}) on conflict do nothing),
      v as (insert into dataset_versions (id, dataset_id, number, state, source, message, creator_id, created_at)
        values (${organizationId}, ${organizationId}, 1, 'ready', 'upload', '', 'ann', ${moment(0)}) on conflict do nothing)
      insert into files (id, owner_kind, owner_id, org_id, path, size_bytes)
      values (${name(organizationId, n)}, 'dataset', ${organizationId}, ${organizationId}, ${name(organizationId, down(n))}, 1)`,
  );

/** As visitors see them: in memory, whose times are milliseconds. */
const insertShownDataset = (organizationId: string, n: number): SQL =>
  having(
    organizationId,
    'ann',
    sql`insert into datasets (id, org_id, name, type, creator_id, shelved_at, created_at, updated_at)
      values (${name(organizationId, down(n))}, ${organizationId}, ${name(organizationId, n)}, 'file', 'ann', ${moment(0)},
        ${moment(0)}, timestamptz '2026-01-01' + ${Math.floor(n / 2)}::int * interval '1 second')`,
  );
const NEWEST = { order_by: 'update_time' } as const;

const insertUnit = (organizationId: string, n: number): SQL =>
  sql`insert into task_units (work, unit, task_uid, run, part, label, state, rows, rejected, at)
      values (${organizationId}, ${name(organizationId, down(n))}, ${organizationId}, 1, '', '', 'done', 1, 0, ${moment(0)})`;

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
      return idsOf(page, page.items);
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
      const parts = { db, clock, store: undefined, exists: () => true };
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
  listSessions: {
    async read(db, accountId, asked) {
      const page = await new Sessions({ db, clock } as SessionParts).list(accountId, '', asked);
      return idsOf(page, page.items);
    },
    insert: (accountId, n) =>
      having(
        'acme',
        accountId,
        sql`insert into sessions (id, token_hash, account_id, organization_id, created_at, expires_at, last_used_at)
          values (${name(accountId, n)}, ${name(accountId, n)}, ${accountId}, 'acme', ${moment(n)}, '2099-01-01',
            '2099-01-01')`,
      ),
  },
  listOrganizations: {
    async read(db, accountId, asked) {
      const page = await new Organizations({ db } as OrganizationParts & { mostOwned: number }).list(accountId, asked);
      return idsOf(page, page.items);
    },
    // By name, two of each.
    insert: (accountId, n) =>
      having(
        name(accountId, down(n)),
        accountId,
        sql`insert into memberships (organization_id, account_id, role, created_at)
          values (${name(accountId, down(n))}, ${accountId}, 'owner', ${moment(0)})`,
        `${Math.floor(down(n) / 2)}`.padStart(3, '0'),
      ),
  },
  listMyInvitations: {
    async read(db, accountId, asked) {
      const page = await readOwnInvitations(db.sql, accountId, asked, new Date(clock.now()));
      return idsOf(page, page.items);
    },
    insert: (accountId, n) =>
      having(
        name(accountId, n),
        accountId,
        sql`insert into invitations (id, organization_id, account_id, role, invited_by, created_at, expires_at)
          values (${name(accountId, n)}, ${name(accountId, n)}, ${accountId}, 'member', ${accountId}, ${moment(n)},
            '2099-01-01')`,
      ),
  },
  listPubKeys: {
    async read(db, accountId, asked) {
      const page = await new PubKeys({ db, clock } as Partial<PubKeyParts> as PubKeyParts).list(accountId, asked);
      return idsOf(page, page.items);
    },
    insert: (accountId, n) =>
      having(
        'acme',
        accountId,
        sql`insert into pub_keys (id, account_id, remark, public_key, fingerprint, created_at)
          values (${name(accountId, n)}, ${accountId}, '', ${`${n}`}, '', ${moment(n)})`,
      ),
  },
  listRegistries: {
    async read(db, organizationId, asked) {
      type Parts = ConstructorParameters<typeof Registries>[0];
      const parts = { db, clock } as Partial<Parts> as Parts;
      const page = await new Registries(parts).list(organizationId, asked);
      return idsOf(
        page,
        page.items.map((registry) => ({ id: registry.name })),
      );
    },
    insert: (organizationId, n) =>
      having(
        organizationId,
        'ann',
        sql`insert into registries (organization_id, name, server, username, creator_id, created_at)
          values (${organizationId}, ${name(organizationId, down(n))}, '', '', 'ann', ${moment(0)})`,
      ),
  },
  // The submissions of everybody, the oldest first.
  listRealAuths: {
    async read(db, person, asked) {
      const secrets = { open: () => '' } as Partial<RealAuthParts['secrets']>;
      const page = await new RealAuths({ db, clock, secrets } as Partial<RealAuthParts> as RealAuthParts).list({
        ...asked,
        q: person,
      });
      return idsOf(page, page.items);
    },
    isOfAll: true,
    insert: (person, n) =>
      having(
        'acme',
        name(person, down(n)),
        sql`insert into real_auths (id, account_id, type, state, name, id_card, commitment_version, committed_at, submitted_at)
          values (${name(person, down(n))}, ${name(person, down(n))}, 1, 'pending', ${person}, '', '', ${moment(0)},
            ${moment(-n)})`,
      ),
  },
  listPolicyChanges: {
    async read(db, organizationId, asked) {
      const page = await policyChanges(db, { organizationId, id: 'hot', since: new Date(0) }, asked);
      return idsOf(
        page,
        page.items.map(({ account }) => ({ id: `${account}` })),
      );
    },
    // Every second one names other policies beside it.
    insert: (organizationId, n) =>
      sql`insert into audit_log (id, at, actor_name, actor_kind, organization_id, request_id, action, object, decision, status, ip)
        values (${numberOf(organizationId, n)}, ${moment(n)}, ${`${n}`}, 'session', ${organizationId}, '',
          ${n % 2 ? 'updatePolicy' : 'batchPolicies'}, ${n % 2 ? 'AlertPolicy/hot' : 'AlertPolicy/cold AlertPolicy/hot'},
          'allowed', 200, '')`,
  },
  listModelSpace: { read: modelsBy('space'), insert: insertModel },
  listDatasets: { read: datasetsBy('space'), insert: insertDataset },
  listDatasetLibrary: { read: datasetsBy('library'), insert: insertDataset, isOfAll: true },
  listDatasetVersions: {
    async read(db, organizationId, asked) {
      const versions = new Versions({ db, blobs: undefined });
      const page = await versions.list(inOrganization(organizationId), organizationId, asked, 'en');
      return idsOf(
        page,
        page.items.map(({ version }) => ({ id: `${version}` })),
      );
    },
    insert: insertVersion,
  },
  listDatasetFiles: {
    async read(db, organizationId, asked) {
      const versions = new Versions({ db, blobs: undefined });
      const page = await versions.files(inOrganization(organizationId), { id: organizationId, version: '1' }, asked);
      return idsOf(
        page,
        page.items.map(({ path }) => ({ id: path })),
      );
    },
    insert: insertDatasetFile,
  },
  listDataProcessUnits: {
    async read(db, organizationId, asked) {
      const store = new TaskStore({ db, clock, quotaGi: () => 1, blobs: { keepBytes: async () => undefined } });
      const page = await store.units(organizationId, asked);
      return idsOf(
        page,
        page.items.map(({ unit }) => ({ id: unit })),
      );
    },
    insert: insertUnit,
  },
  listPortalModels: {
    async read(db, organizationId, asked) {
      const models = new Models({
        db,
        clock,
        quotaGi: () => 1,
        usedBy: () => [],
      } as Partial<ModelsParts> as ModelsParts);
      const library = new ModelLibrary({ clock, models } as Partial<ModelLibraryParts> as ModelLibraryParts);
      const { items, extra } = await library.page({ ...asked, ...NEWEST, search: organizationId });
      return idsOf(extra, items);
    },
    insert: insertModel,
    isOfAll: true,
  },
  listPortalDatasets: {
    async read(db, organizationId, asked) {
      const datasets = new Datasets({ db, clock } as Partial<DatasetsParts> as DatasetsParts);
      const library = new DatasetLibrary({ clock, datasets } as Partial<DatasetLibraryParts> as DatasetLibraryParts);
      const { items, extra } = await library.page({ ...asked, ...NEWEST, search: organizationId });
      return idsOf(extra, items);
    },
    insert: insertShownDataset,
    isOfAll: true,
  },
  listModelLibrary: { read: modelsBy('library'), insert: insertModel, isOfAll: true },
};

const NONSENSE = ['nonsense', '-1', '99999999999999999999', "' or true --", '2026-01-01'];

test('every list with pages takes a cursor and is in the table, or is one of those that cannot', () => {
  const paged = Object.values(ROUTES).filter(({ query }) => 'page' in (query?.shape ?? {}));
  const [taking, others] = [true, false].map((takes) =>
    paged.filter(({ query }) => 'cursor' in (query?.shape ?? {}) === takes).map(({ id }) => id),
  );
  expect(new Set(taking)).toEqual(new Set(Object.keys(LISTS).map((title) => title.split(' ')[0])));
  expect(new Set(others)).toEqual(new Set(Object.keys(WITHOUT_CURSOR)));
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
    for (const cursor of [...(list.isOfAll ? [] : [`${theirs}`]), ...NONSENSE])
      await expect(list.read(database(), 'acme', { page: 2, size: 2, cursor })).rejects.toMatchObject({
        problem: 'cursor_rule',
        field: 'cursor',
      });
  });
});
