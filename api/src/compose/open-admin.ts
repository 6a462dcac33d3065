// Joins the operators' console from the stores of all areas.
import type { Clock } from '@gantry/kube/clock.ts';
import { KindRows } from '../admin/kind-rows.ts';
import { quotaSetter } from '../admin/organization-quota.ts';
import { PeopleRows } from '../admin/people-rows.ts';
import type { Documents } from '../billing/documents/open-documents.ts';
import type { OpenPayments } from '../billing/payments/open-payments.ts';
import type { PriceRows } from '../billing/prices/price-rows.ts';
import type { Database } from '../db/open.ts';
import type { AdminParts } from '../http/admin-routes.ts';
import type { OpenOrganizations } from '../identity/open-organizations.ts';
import type { People } from '../identity/open-people.ts';
import { closeAccess, showAgain } from '../identity/organizations/memberships.ts';
import type { Cluster } from '../kube/open-cluster.ts';
import type { Messages } from './start-messages.ts';

export function openAdmin(parts: {
  db: Database;
  clock: Clock;
  people: Pick<People, 'sessions'>;
  organizations: Pick<OpenOrganizations, 'realAuths' | 'projection' | 'leftovers'>;
  messages: Pick<Messages, 'announcements'>;
  cluster: Pick<Cluster, 'client' | 'cache'>;
  prices: PriceRows;
  documents: Pick<Documents, 'rows' | 'transfers'>;
  payments: Pick<OpenPayments, 'rows'>;
}): AdminParts {
  const { db, clock, people, organizations, messages, cluster, prices, documents, payments } = parts;
  const kinds = new KindRows(cluster.cache);
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
    announcements: messages.announcements,
    realAuths: organizations.realAuths,
    setQuota: quotaSetter(cluster),
    prices,
    documents,
    payments,
  };
}
