// Joins the operators' console from the stores of all areas.

import { ADMIN_KINDS } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { OpenGate } from '../../core/billing/gate/open-gate.ts';
import { costOf } from '../../core/billing/metering/object-cost.ts';
import type { OpenPayments } from '../../core/billing/payments/open-payments.ts';
import type { Plans } from '../../core/billing/prices/plans.ts';
import type { OpenOrganizations } from '../../core/identity/open-organizations.ts';
import type { People } from '../../core/identity/open-people.ts';
import { closeAccess, showAgain } from '../../core/identity/organizations/memberships.ts';
import { NOTICES, type Notify } from '../../core/identity/organizations/notices.ts';
import { openWindows, shutWindows } from '../../core/identity/sessions/lockout.ts';
import { IDLE_MS } from '../../core/identity/sessions/sessions.ts';
import { dropTotp, hasTotp } from '../../core/identity/sessions/totp.ts';
import type { ViewSessions } from '../../core/identity/sessions/view-sessions.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { quotaSetter } from '../../core/kinds/organization-quota.ts';
import { EventReader } from '../../core/kinds/staff/events.ts';
import { KindAbouts } from '../../core/kinds/staff/kind-about.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import { StaffWrites } from '../../core/kinds/staff/staff-writes.ts';
import { StorageRows } from '../../core/kinds/staff/storage-rows.ts';
import type { ClusterOf } from '../../core/place-elsewhere.ts';
import { MarketModels } from '../../core/settings/market-models.ts';
import type { Operation } from '../../core/settings/open.ts';
import { contactOf, issuerOf } from '../../core/settings/settings-of.ts';
import { type AuditChecks, CHECK_DEAD_MS } from '../../platform/audit/checks.ts';
import type { Database } from '../../platform/db/open.ts';
import type { AuditEntry } from '../../platform/http/run-route.ts';
import type { Messages } from '../../platform/messages/open.ts';
import { tellMembers } from '../../platform/messages/tell-members.ts';
import { version } from '../../platform/version.ts';
import type { OpenBackups } from '../backups/open.ts';
import type { ClusterChecks } from '../doctor/cluster-checks.ts';
import { TokenUsageRows } from '../inference/usage-rows.ts';
import { usedBytes } from '../models/quota.ts';
import type { Shelf } from '../models/shelf.ts';
import type { Articles } from '../portal/articles.ts';
import type { AdminBillingParts } from './admin-billing-routes.ts';
import type { ComputingParts } from './admin-computing-routes.ts';
import type { AdminParts } from './admin-routes.ts';
import { AuditCheckRows } from './audit-check-rows.ts';
import { EditTurns } from './edit-turns.ts';
import { Health } from './health.ts';
import { KindRows } from './kind-rows.ts';
import { MailRows } from './mail-rows.ts';
import { entriesAbout } from './object-entries.ts';
import { OrganizationStanding } from './organization-standing.ts';
import { PeopleAccess } from './people-access.ts';
import { PeopleRows } from './people-rows.ts';
import { versionOf } from './row-version.ts';
import { StandingRows } from './standing-rows.ts';

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
  articles: Articles;
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
    articles: parts.articles,
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

const RESOURCES = new Map<string, string>(Object.entries(ADMIN_KINDS).map(([name, { kind }]) => [kind, name]));
const resourceOf = (kind: string): string | undefined => RESOURCES.get(kind);
