// Joins the operators' home, search, saved queries and import from the stores that know.
import type { Node } from '@gantry/kube/core-objects.ts';
import { Revenue } from '../../core/billing/ledger/revenue.ts';
import { censusOf } from '../../core/kinds/gpu-census.ts';
import type { Core } from '../../core/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import { NODE } from '../../platform/kube/resources.ts';
import { queueNotice } from '../../platform/mail/mail-queue.ts';
import type { Platform } from '../../platform/open.ts';
import type { AdminHomeParts } from './admin-home-routes.ts';
import { AlarmWatch } from './alarm-watch.ts';
import { measuredUse } from './measured-use.ts';
import { namesOf } from './names.ts';
import { Overview } from './overview.ts';
import { platformAlarms } from './platform-alarms.ts';
import { StaffPreferences } from './preferences.ts';
import { RunEvents } from './run-events.ts';
import { Search } from './search.ts';
import { ownersTold } from './tell-owners.ts';

export interface AdminHome extends AdminHomeParts {
  stop(): Promise<void>;
}

/** The caches are filled: what happened before is taken in. */
export function openAdminHome(
  { config, db, clock, log, audit, prometheus }: Platform,
  { people, cluster: { cache, kinds }, messages: { store: messages }, operation }: Core,
): AdminHome {
  const { currency, databaseSizeGi, adminUrl } = config;
  // The folder in which PGlite keeps its files; empty with PostgreSQL.
  const dataDir = config.databaseUrl ? '' : config.dataDir;
  const events = new RunEvents({ db, clock, cache, log });
  const revenue = new Revenue({ db, clock, currency });
  events.start();
  const alarms = () =>
    platformAlarms({
      ...{ db, clock, dataDir, databaseSizeGi },
      nodes: () => cache.reader.list(NODE) as readonly Node[],
      list: (facts) => cache.list(facts),
    });
  const watch = new AlarmWatch({
    ...{ db, clock, log, read: alarms, addresses: () => operation.config().alarmAddresses },
    ring: (tx, notice, staff) => messages.send(notice, { staff }, tx),
    wake: () => messages.wake(),
    mail: (tx, { address, language, title, content }) =>
      queueNotice(tx, people.secrets, { address, language }, { title, content, url: adminUrl }, clock.now()),
  });
  const turn = new Turn({ db, clock, log }, 'platform-alarms');
  turn.start((signal) => watch.run(signal));
  return {
    overview: new Overview({
      db,
      clock,
      census: () => censusOf(cache.reader, kinds.pool),
      list: (facts) => cache.list(facts),
      staleSince: () => cache.staleSince(),
      hours: () => events.hours(),
      revenue: () => revenue.read(),
      alarms,
      measured: () => measuredUse(prometheus, clock),
    }),
    search: new Search({ db, cache, nodes: () => cache.reader.list(NODE) }),
    preferences: new StaffPreferences({ db, clock }),
    names: (accountIds, organizationIds) => namesOf(db.sql, accountIds, organizationIds),
    accountImport: people.accountImport,
    record: audit,
    tellOwners: ownersTold(messages, log),
    async stop() {
      await turn.stop();
      await events.stop();
    },
  };
}
