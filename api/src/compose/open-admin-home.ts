// Joins the operators' home, search, saved queries and import from the stores that know.
import { namingRole } from '@gantry/contract/role-names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { Logger } from 'pino';
import { Overview } from '../admin/overview.ts';
import { platformAlarms } from '../admin/platform-alarms.ts';
import { StaffPreferences } from '../admin/preferences.ts';
import { RunEvents } from '../admin/run-events.ts';
import { Search } from '../admin/search.ts';
import type { AuditEntry } from '../audit/entry.ts';
import { Revenue } from '../billing/ledger/revenue.ts';
import type { Database } from '../db/open.ts';
import type { AdminHomeParts } from '../http/admin-home-routes.ts';
import type { People } from '../identity/open-people.ts';
import { NOTICES } from '../identity/organizations/notices.ts';
import { censusOf } from '../kube/gpu-census.ts';
import type { Cluster } from '../kube/open-cluster.ts';
import { NODE } from '../kube/resources.ts';
import type { MessageStore } from '../messages/message-store.ts';

export interface AdminHome extends AdminHomeParts {
  stop(): Promise<void>;
}

/** The caches are filled: what happened before is taken in. */
export function openAdminHome({
  db,
  clock,
  log,
  currency,
  dataDir,
  people,
  cluster: { cache },
  audit,
  messages,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
  currency: string;
  /** Where PGlite keeps its files; empty with PostgreSQL. */
  dataDir: string;
  people: Pick<People, 'accountImport'>;
  cluster: Pick<Cluster, 'cache'>;
  audit(entry: AuditEntry): Promise<void>;
  messages: Pick<MessageStore, 'send'>;
}): AdminHome {
  const events = new RunEvents({ db, clock, cache, log });
  const revenue = new Revenue({ db, clock, currency });
  events.start();
  return {
    overview: new Overview({
      db,
      clock,
      census: () => censusOf(cache.reader),
      list: (facts) => cache.list(facts),
      staleSince: () => cache.staleSince(),
      hours: () => events.hours(),
      revenue: () => revenue.read(),
      alarms: () =>
        platformAlarms({
          ...{ db, clock, dataDir },
          nodes: () => cache.reader.list(NODE) as readonly Node[],
          list: (facts) => cache.list(facts),
        }),
    }),
    search: new Search({ db, cache, nodes: () => cache.reader.list(NODE) }),
    preferences: new StaffPreferences({ db, clock }),
    accountImport: people.accountImport,
    record: audit,
    tellOwners({ accountId, member, staff, organization, role }) {
      const args = { member, staff, organization: organization.name, ...namingRole(role) };
      void messages
        .send(
          { key: `imported/${accountId}`, ...NOTICES.memberImported, args },
          { organization: organization.id, roles: ['owner'] },
        )
        .catch((error: unknown) => log.error({ err: error, accountId }, 'the owners could not be told of a member'));
    },
    stop: () => events.stop(),
  };
}
