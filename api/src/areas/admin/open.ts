// Joins the operators' console from the stores of all areas.

import { ADMIN_KINDS } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { costOf } from '../../core/billing/metering/object-cost.ts';
import { closeAccess, showAgain } from '../../core/identity/organizations/memberships.ts';
import { NOTICES } from '../../core/identity/organizations/notices.ts';
import { openWindows, shutWindows } from '../../core/identity/sessions/lockout.ts';
import { IDLE_MS } from '../../core/identity/sessions/sessions.ts';
import { dropTotp, hasTotp } from '../../core/identity/sessions/totp.ts';
import { quotaSetter } from '../../core/kinds/organization-quota.ts';
import { EventReader } from '../../core/kinds/staff/events.ts';
import { KindAbouts } from '../../core/kinds/staff/kind-about.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import { StaffWrites } from '../../core/kinds/staff/staff-writes.ts';
import { StorageRows } from '../../core/kinds/staff/storage-rows.ts';
import type { Core } from '../../core/open.ts';
import { MarketModels } from '../../core/settings/market-models.ts';
import { contactOf, issuerOf } from '../../core/settings/settings-of.ts';
import { AuditChecks, CHECK_DEAD_MS } from '../../platform/audit/checks.ts';
import { tellMembers } from '../../platform/messages/tell-members.ts';
import type { Platform } from '../../platform/open.ts';
import { version } from '../../platform/version.ts';
import type { OpenBackups } from '../backups/open.ts';
import type { ClusterChecks } from '../doctor/cluster-checks.ts';
import { TokenUsageRows } from '../inference/usage-rows.ts';
import type { Shelf } from '../models/shelf.ts';
import type { ArticleFaults } from '../portal/article-faults.ts';
import type { Articles } from '../portal/articles.ts';
import type { PageViews } from '../portal/page-views.ts';
import type { Previews } from '../portal/previews.ts';
import type { Incidents } from '../portal/status/incidents.ts';
import type { ComputingParts } from './admin-computing-routes.ts';
import type { DatasetShelf } from './admin-dataset-routes.ts';
import type { AdminParts } from './admin-routes.ts';
import { AuditCheckRows } from './audit-check-rows.ts';
import { EditTurns } from './edit-turns.ts';
import { Health } from './health.ts';
import { InfrastructureRows } from './infrastructure-rows.ts';
import { KindRows } from './kind-rows.ts';
import { MailRows } from './mail-rows.ts';
import { entriesAbout } from './object-entries.ts';
import { OrganizationSummary } from './organization-summary.ts';
import { PeopleAccess } from './people-access.ts';
import { PeopleRows } from './people-rows.ts';
import { versionOf } from './row-version.ts';

export interface OpenAdmin extends AdminParts {
  computing: ComputingParts;
  stop(): Promise<void>;
}

/** The parts of other areas that staff use. */
interface ForStaff {
  articles: Articles;
  incidents: Incidents;
  faults: ArticleFaults;
  previews: Previews;
  pageViews: PageViews;
  clusterChecks: ClusterChecks;
  backups: OpenBackups;
  shelf: Shelf;
  datasetShelf: DatasetShelf;
}

export function openAdmin(platform: Platform, core: Core, parts: ForStaff): OpenAdmin {
  const { config, db, clock, log, audit } = platform;
  const { people, organizations, messages, cluster, billing, operation } = core;
  const checks = new AuditChecks({ db, clock, log });
  const turns = new EditTurns({ db, clock });
  const kinds = new KindRows(cluster.kinds.everywhere, cluster.kinds);
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
      objectName: (object, organizationId) => kinds.nameOf(object, organizationId),
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
      tell: (accountId, what, staff) => messages.notify({ accountId, ...NOTICES[what], args: { staff } }),
    }),
    summary: new OrganizationSummary(platform, core),
    views: core.views,
    consoleUrl: config.publicUrl,
    checks,
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
    payments: billing.payments,
    infrastructure: new InfrastructureRows(nodes, storage),
    mails: new MailRows({ db, clock, queue: people.mails }),
    settings: operation.settings,
    articles: parts.articles,
    ...{ incidents: parts.incidents, faults: parts.faults, previews: parts.previews, pageViews: parts.pageViews },
    models: new MarketModels({ db, clock, state: operation.state, specs: () => cluster.kinds.gpuSpecs() }),
    backups: parts.backups.runs,
    health: new Health({
      db,
      clock,
      version,
      registryUrl: config.registryUrl,
      canMail: people.mails.can('email'),
      wanted: { contact: () => contactOf(operation.config()), issuer: () => issuerOf(operation.config()) },
      backups: { where: parts.backups.where, status: () => parts.backups.runs.status() },
      cluster: {
        list: (resource, query) => cluster.client.list(resource, query),
        nodes: () => nodes.rows().flatMap(({ id, simulated }) => (simulated ? [] : [id])),
        elsewhere: () => cluster.kinds.elsewhere(),
      },
    }),
    shelf: parts.shelf,
    datasetShelf: parts.datasetShelf,
    tokenUsage: new TokenUsageRows({ db, currencyOf: (id) => billing.tariffs.of(id).currency }),
    computing: {
      kinds,
      nodes,
      approvals: billing.approvals,
      staff: new StaffWrites(cluster.kinds),
      abouts: {
        of(facts, object, language) {
          const { namespace = '', name } = object.metadata;
          const { cache, client } = core.clusterOf(facts, namespace, name);
          return new KindAbouts({ cache, events: new EventReader(client), resourceOf }).of(facts, object, language);
        },
      },
      costOf: (uid) => costOf(db.sql, uid),
      entriesAbout: (places, language) => entriesAbout(db, places, language),
      tell: tellMembers(messages.store),
      audit,
    },
    stop: () => checks.stop(),
  };
}

const RESOURCES = new Map<string, string>(Object.entries(ADMIN_KINDS).map(([name, { kind }]) => [kind, name]));
const resourceOf = (kind: string): string | undefined => RESOURCES.get(kind);
