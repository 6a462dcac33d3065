// The operators' console over HTTP, in ra-data-simple-rest's dialect. What is read and changed stands in the areas' stores.
import type { ServerResponse } from 'node:http';
import {
  ADMIN_KIND_NAMES,
  ADMIN_KINDS,
  type AdminKindName,
  type ComputingRow,
} from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import {
  ADMIN_READS,
  ADMIN_RESOURCES,
  type AdminQuery,
  type AdminResourceName,
  type AdminRow,
  adminGetId,
  adminListId,
} from '@gantry/contract/http/admin.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { OpenPayments } from '../../core/billing/payments/open-payments.ts';
import type { RealAuths } from '../../core/identity/people/real-auths.ts';
import { isTooLong, statementsInTime } from '../../platform/db/in-time.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { noteRead } from '../../platform/http/note-read.ts';
import type { Served } from '../../platform/http/serve.ts';
import { adminDoctorRoutes } from '../doctor/admin-doctor-routes.ts';
import type { ClusterChecks } from '../doctor/cluster-checks.ts';
import type { TokenUsageRows } from '../inference/usage-rows.ts';
import { adminModelRoutes } from '../models/admin-model-routes.ts';
import type { Shelf } from '../models/shelf.ts';
import { type AdminAuditParts, adminAuditRoutes, realAuthRow } from './admin-audit-routes.ts';
import { type AdminBillingParts, adminBillingRoutes } from './admin-billing-routes.ts';
import { adminDatasetRoutes, type DatasetShelf } from './admin-dataset-routes.ts';
import { exportRoutes } from './admin-export-routes.ts';
import { type AdminOperationParts, adminOperationRoutes, operationLists } from './admin-operation-routes.ts';
import { type AdminPeopleParts, adminPeopleRoutes } from './admin-people-routes.ts';
import type { AuditCheckRows } from './audit-check-rows.ts';
import { type EditParts, guardEdits, versioned } from './guard-edits.ts';
import type { KindRows } from './kind-rows.ts';
import type { PeopleAccess } from './people-access.ts';
import type { PeopleRows } from './people-rows.ts';

export interface AdminParts
  extends Omit<AdminPeopleParts, 'user' | 'organization'>,
    Omit<AdminAuditParts, 'check'>,
    AdminBillingParts,
    Omit<AdminOperationParts, 'one'>,
    Omit<EditParts, 'one'> {
  people: PeopleRows;
  access: PeopleAccess;
  checkRows: AuditCheckRows;
  clusterChecks: ClusterChecks;
  kinds: Pick<KindRows, 'page'>;
  /** Nodes and storage, which come and go by themselves. */
  infrastructure: {
    nodes(query: AdminQuery): Page<ComputingRow<'nodes'>>;
    orphans(query: AdminQuery): Promise<Page<ComputingRow<'orphans'>>>;
    fill(query: AdminQuery): Promise<Page<ComputingRow<'storage-fill'>>>;
  };
  realAuths: Pick<RealAuths, 'get' | 'audit' | 'watch'>;
  payments: Pick<OpenPayments, 'rows' | 'refundRows' | 'chargebackRows'>;
  shelf: Shelf;
  datasetShelf: DatasetShelf;
  tokenUsage: Pick<TokenUsageRows, 'page'>;
}

type Lists = {
  [Name in AdminResourceName]: (
    query: AdminQuery,
    language: Language,
  ) => Promise<Page<AdminRow<Name>>> | Page<AdminRow<Name>>;
};

/** The time limit of each statement that a list makes. */
const LIST_LIMIT_MS = 10_000;
/** Its reads are audited too. */
const REAL_NAMES: AdminResourceName = 'real-auths';

export function adminRoutes(parts: AdminParts): Served[] {
  const { people, access, kinds, infrastructure, realAuths, prices, documents, proofs, payments } = parts;
  const lists = inTime({
    users: (query) => people.users(query),
    organizations: (query) => people.organizations(query),
    'real-auths': async (query) => {
      const { items, ...page } = await people.realAuthIds(query);
      return { ...page, items: (await Promise.all(items.map((id) => realAuths.get(id)))).map(realAuthRow) };
    },
    ...operationLists(parts),
    'cluster-checks': (query) => parts.clusterChecks.rows(query),
    ...listsOf(kinds),
    nodes: (query) => infrastructure.nodes(query),
    orphans: (query) => infrastructure.orphans(query),
    'storage-fill': (query) => infrastructure.fill(query),
    members: (query) => access.members(query),
    'sign-ins': (query) => access.signIns(query),
    sessions: (query) => access.sessions(query),
    views: (query) => access.views(query),
    'audit-log': (query, language) => people.auditLog(query, language),
    'audit-checks': (query) => parts.checkRows.page(query),
    prices: (query) => prices.rows.prices(query),
    discounts: (query) => prices.discounts.page(query),
    plans: (query) => prices.rows.plans(query),
    models: (query) => parts.shelf.page(query),
    datasets: (query) => parts.datasetShelf.page(query),
    'dataset-usage': (query) => parts.datasetShelf.usage(query),
    'token-usage': (query) => parts.tokenUsage.page(query),
    transactions: (query) => documents.rows.transactions(query),
    invoices: (query) => documents.rows.invoices(query),
    'credit-notes': (query) => documents.rows.creditNotes(query),
    wallets: (query) => documents.rows.wallets(query),
    books: (query) => documents.rows.books(query),
    bills: (query) => documents.rows.bills(query),
    'ledger-entries': (query) => documents.entries(query),
    approvals: (query) => parts.approvals.rows(query),
    proofs: (query) => proofs.rows(query),
    payments: (query) => payments.rows(query),
    refunds: (query) => payments.refundRows(query),
    chargebacks: (query) => payments.chargebackRows(query),
  });
  const one = async <Name extends AdminResourceName>(
    name: Name,
    id: string,
    language: Language = 'en',
  ): Promise<AdminRow<Name>> => {
    const { items } = await lists[name]({ sort: ['id', 'ASC'], range: [0, 0], filter: { id } }, language);
    const [row] = items;
    if (!row) throw problem('not_found', { what: id });
    return row as AdminRow<Name>;
  };

  // The loop cannot tell the rows' types apart: the table fixes their shapes.
  const reads = (Object.keys(ADMIN_RESOURCES) as AdminResourceName[]).flatMap((name): Served[] => [
    {
      route: routeOf(adminListId(name)),
      async handler({ query, res, audit, language }) {
        const asked = query as AdminQuery;
        const { items, total } = await lists[name](asked, language);
        if (name === REAL_NAMES) noteRead(audit, items);
        tellRange(res, name, asked.range[0], items.length, total);
        return items.map((row) => versioned(parts, name, row));
      },
    },
    {
      route: routeOf(adminGetId(name)),
      async handler({ params, audit, language }) {
        const row = await one(name, (params as { id: string }).id, language);
        if (name === REAL_NAMES) noteRead(audit, [row]);
        return versioned(parts, name, row);
      },
    },
  ]);

  const served: Served[] = [
    ...reads,
    ...exportRoutes(lists),
    ...adminPeopleRoutes({
      ...parts,
      user: (id) => one('users', id),
      organization: (id) => one('organizations', id),
    }),
    ...adminAuditRoutes({ ...parts, check: (id) => one('audit-checks', id) }),
    ...adminBillingRoutes({ ...parts, one }),
    ...adminOperationRoutes({ ...parts, one }),
    ...adminDoctorRoutes(parts.clusterChecks, one),
    ...adminDatasetRoutes({ shelf: parts.datasetShelf, one: (id) => one('datasets', id) }),
    ...adminModelRoutes({ shelf: parts.shelf, one: (id) => one('models', id) }),
  ];
  return guardEdits(served, { ...parts, one });
}

/** Lists of the objects of each kind that staff have one of. */
const listsOf = (kinds: AdminParts['kinds']): Pick<Lists, AdminKindName> =>
  Object.fromEntries(
    ADMIN_KIND_NAMES.map((name) => [
      name,
      (query: AdminQuery, language: Language) => kinds.page(ADMIN_KINDS[name], query, language),
    ]),
  ) as unknown as Pick<Lists, AdminKindName>;

/** A list that reads a large table from end to end gives up, and holds up no one who writes. */
function inTime(lists: Lists): Lists {
  const limited = Object.entries(lists).map(([name, list]) => [
    name,
    (query: AdminQuery, language: Language) =>
      statementsInTime(LIST_LIMIT_MS, async () => await (list as Lists[AdminResourceName])(query, language)).catch(
        (error: unknown) => {
          throw isTooLong(error) ? problem('timed_out', { seconds: LIST_LIMIT_MS / 1000 }) : error;
        },
      ),
  ]);
  return Object.fromEntries(limited) as Lists;
}

const routeOf = (id: string): RouteFacts => ADMIN_READS[id] as RouteFacts;

/** `users 0-24/319`; an empty page has no range. */
function tellRange(res: ServerResponse, name: string, first: number, rows: number, total: number): void {
  res.setHeader('content-range', `${name} ${rows === 0 ? '*' : `${first}-${first + rows - 1}`}/${total}`);
}
