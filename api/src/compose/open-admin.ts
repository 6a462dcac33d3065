// Joins the operators' console from the stores of all areas.

import { ADMIN_KINDS } from '@gantry/contract/http/admin-computing.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { AuditCheckRows } from '../admin/audit-check-rows.ts';
import { EditTurns } from '../admin/edit-turns.ts';
import { KindRows } from '../admin/kind-rows.ts';
import { entriesAbout } from '../admin/object-entries.ts';
import { quotaSetter } from '../admin/organization-quota.ts';
import { OrganizationStanding } from '../admin/organization-standing.ts';
import { PeopleAccess } from '../admin/people-access.ts';
import { PeopleRows } from '../admin/people-rows.ts';
import { versionOf } from '../admin/row-version.ts';
import { StandingRows } from '../admin/standing-rows.ts';
import { type AuditChecks, CHECK_DEAD_MS } from '../audit/checks.ts';
import type { OpenGate } from '../billing/gate/open-gate.ts';
import { costOf } from '../billing/metering/object-cost.ts';
import type { OpenPayments } from '../billing/payments/open-payments.ts';
import type { Plans } from '../billing/prices/plans.ts';
import { TokenUsageRows } from '../completions/usage-rows.ts';
import type { Database } from '../db/open.ts';
import type { ClusterChecks } from '../doctor/cluster-checks.ts';
import type { AdminBillingParts } from '../http/admin-billing-routes.ts';
import type { ComputingParts } from '../http/admin-computing-routes.ts';
import type { AdminParts } from '../http/admin-routes.ts';
import type { AuditEntry } from '../http/run-route.ts';
import type { OpenOrganizations } from '../identity/open-organizations.ts';
import type { People } from '../identity/open-people.ts';
import { closeAccess, showAgain } from '../identity/organizations/memberships.ts';
import { NOTICES, type Notify } from '../identity/organizations/notices.ts';
import { openWindows, shutWindows } from '../identity/sessions/lockout.ts';
import { IDLE_MS } from '../identity/sessions/sessions.ts';
import { dropTotp, hasTotp } from '../identity/sessions/totp.ts';
import type { ViewSessions } from '../identity/sessions/view-sessions.ts';
import type { Cluster } from '../kube/open-cluster.ts';
import { EventReader } from '../kube/staff/events.ts';
import { KindAbouts } from '../kube/staff/kind-about.ts';
import { StaffNodes } from '../kube/staff/staff-nodes.ts';
import { StaffWrites } from '../kube/staff/staff-writes.ts';
import { StorageRows } from '../kube/staff/storage-rows.ts';
import { usedBytes } from '../models/quota.ts';
import type { Shelf } from '../models/shelf.ts';
import { Health } from '../operation/health.ts';
import { MailRows } from '../operation/mail-rows.ts';
import { MarketModels } from '../operation/market-models.ts';
import type { OpenBackups } from './open-backups.ts';
import type { Operation } from './open-operation.ts';
import type { ClusterOf } from './place-elsewhere.ts';
import { contactOf, issuerOf } from './settings-of.ts';
import type { Messages } from './start-messages.ts';
import { tellMembers } from './tell-members.ts';
import { version } from './version.ts';

export interface OpenAdmin extends AdminParts {
  computing: ComputingParts;
}

export function openAdmin(parts: {
  db: Database;
  clock: Clock;
  people: Pick<People, 'sessions' | 'mails'>;
  organizations: Pick<OpenOrganizations, 'realAuths' | 'projection' | 'leftovers'>;
  messages: Pick<Messages, 'announcements' | 'store'>;
  cluster: Pick<Cluster, 'client' | 'cache' | 'kinds'>;
  clusterOf: ClusterOf;
  audit(entry: AuditEntry): Promise<void>;
  billing: AdminBillingParts;
  payments: Pick<OpenPayments, 'rows' | 'refundRows' | 'chargebackRows'>;
  gate: Pick<OpenGate, 'checks'>;
  plans: Pick<Plans, 'ofMany'>;
  views: ViewSessions;
  checks: AuditChecks;
  clusterChecks: ClusterChecks;
  notify: Notify;
  publicUrl: string;
  operation: Operation;
  registryUrl: string;
  backups: OpenBackups;
  shelf: Shelf;
  currencyOf(organizationId: string): string;
}): OpenAdmin {
  const { db, clock, people, organizations, messages, cluster, billing, payments, operation } = parts;
  const turns = new EditTurns({ db, clock });
  const kinds = new KindRows(cluster.kinds.everywhere);
  const events = new EventReader(cluster.client);
  const nodes = new StaffNodes({ ...cluster, events });
  const storage = new StorageRows({ ...cluster, clock });
  return {
    kinds,
    people: new PeopleRows({
      db,
      clock,
      sessions: people.sessions,
      access: { close: closeAccess, showAgain },
      projection: organizations.projection,
      leftovers: organizations.leftovers,
      organization: (id) => kinds.organization(id),
    }),
    access: new PeopleAccess({
      db,
      clock,
      sessions: {
        endAll: (tx, which) => people.sessions.endAll(tx, which),
        forget: (changed) => people.sessions.forget(changed),
        idleMs: IDLE_MS,
      },
      factor: { has: hasTotp, drop: dropTotp },
      lockout: { shut: shutWindows, open: openWindows },
      tell: (accountId, what, staff) => parts.notify({ accountId, ...NOTICES[what], args: { staff } }),
    }),
    standing: new OrganizationStanding({
      db,
      cache: cluster.cache,
      wallet: (id) => parts.gate.checks.walletOf(id),
      plan: async (id) => (await parts.plans.ofMany([id])).get(id)?.plan ?? 'free',
      modelBytes: (id) => usedBytes(db.sql, id),
    }),
    views: parts.views,
    consoleUrl: parts.publicUrl,
    checks: parts.checks,
    clusterChecks: parts.clusterChecks,
    checkRows: new AuditCheckRows({ db, clock, deadMs: CHECK_DEAD_MS }),
    versionOf,
    alone: (row, signal, work) => turns.alone(row, signal, work),
    announcements: messages.announcements,
    realAuths: organizations.realAuths,
    setQuota: quotaSetter(cluster),
    prices: billing.prices,
    documents: billing.documents,
    approvals: billing.approvals,
    proofs: billing.proofs,
    payments,
    estate: new StandingRows({ nodes, storage }),
    mails: new MailRows({ db, clock, queue: people.mails }),
    settings: operation.settings,
    articles: operation.articles,
    models: new MarketModels({ db, clock, state: operation.state, specs: () => cluster.kinds.gpuSpecs() }),
    backups: parts.backups.runs,
    health: new Health({
      db,
      clock,
      version,
      registryUrl: parts.registryUrl,
      canMail: people.mails.can('email'),
      wanted: { contact: () => contactOf(operation.config()), issuer: () => issuerOf(operation.config()) },
      backups: { where: parts.backups.where, standing: () => parts.backups.runs.standing() },
      cluster: {
        list: (resource, query) => cluster.client.list(resource, query),
        nodes: () => nodes.rows().flatMap(({ id, simulated }) => (simulated ? [] : [id])),
        elsewhere: () => cluster.kinds.elsewhere(),
      },
    }),
    shelf: parts.shelf,
    tokenUsage: new TokenUsageRows({ db, currencyOf: parts.currencyOf }),
    computing: {
      kinds,
      nodes,
      approvals: billing.approvals,
      staff: new StaffWrites(cluster.kinds),
      abouts: {
        of(facts, object, language) {
          const { namespace = '', name } = object.metadata;
          const { cache, client } = parts.clusterOf(facts, namespace, name);
          return new KindAbouts({ cache, events: new EventReader(client), resourceOf }).of(facts, object, language);
        },
      },
      costOf: (uid) => costOf(db.sql, uid),
      entriesAbout: (places) => entriesAbout(db, places),
      tell: tellMembers(messages.store),
      audit: parts.audit,
    },
  };
}

const RESOURCES = new Map<string, string>(
  Object.entries(ADMIN_KINDS).map(([name, { kind }]) => [KINDS[kind].kind, name]),
);
const resourceOf = (kind: string): string | undefined => RESOURCES.get(kind);
