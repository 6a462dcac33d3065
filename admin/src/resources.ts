// Resources that have more than the list and the page that follow from their facts: one line each, and a folder in resources/.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { type ComponentType, lazy } from 'react';
import { TABLE_NAMES, tableOf } from './tables.ts';

const PAGES = { list: 'List', show: 'Show', edit: 'Edit', create: 'Create' } as const;
type PageName = keyof typeof PAGES;

export interface ResourcePages {
  readonly pages: Partial<Record<PageName, ComponentType>>;
  /** By page: the route that it calls. Whoever may not call it has no such page. */
  readonly needs: Partial<Record<PageName, string>>;
}
// biome-ignore lint/suspicious/noExplicitAny: a folder may export more than its pages
type Folder = Record<string, any>;

/** The folder exports `List`, `Show`, `Edit`, `Create`: those that are named, each with the id of the route that it calls or `true`. */
const own = (load: () => Promise<Folder>, names: Partial<Record<PageName, string | true>>): ResourcePages => {
  const entries = Object.entries(names) as [PageName, string | true][];
  return {
    pages: Object.fromEntries(
      entries.map(([page]) => [page, lazy(async () => ({ default: (await load())[PAGES[page]] as ComponentType }))]),
    ),
    needs: Object.fromEntries(entries.filter(([, route]) => route !== true)),
  };
};

/** Tenants' objects: the same list and page for every kind. */
const objects = own(() => import('./resources/objects/objects.tsx'), { list: true, show: true });

const document = (name: keyof typeof import('./resources/documents/documents.tsx')) =>
  own(async () => (await import('./resources/documents/documents.tsx'))[name], { list: true, show: true });

export const RESOURCES: Partial<Record<AdminTableName, ResourcePages>> = {
  ...Object.fromEntries(TABLE_NAMES.filter((name) => tableOf(name).kind).map((name) => [name, objects])),
  nodes: own(() => import('./resources/nodes/nodes.tsx'), { show: true }),
  users: own(() => import('./resources/users/users.tsx'), { show: true }),
  organizations: own(() => import('./resources/organizations/organizations.tsx'), { show: true }),
  'real-auths': own(() => import('./resources/real-auths/real-auths.tsx'), { list: true, show: true }),
  'audit-checks': own(() => import('./resources/audit-checks/audit-checks.tsx'), { list: true }),
  wallets: own(() => import('./resources/wallets/wallets.tsx'), { list: true, show: true }),
  transactions: document('transactions'),
  bills: document('bills'),
  invoices: document('invoices'),
  'credit-notes': document('creditNotes'),
  payments: own(() => import('./resources/payments/payments.tsx'), { list: true, show: true }),
  refunds: document('refunds'),
  chargebacks: document('chargebacks'),
  approvals: own(() => import('./resources/approvals/approvals.tsx'), { list: true, show: true }),
  plans: own(() => import('./resources/plans/plans.tsx'), { list: true, show: true }),
  proofs: own(() => import('./resources/proofs/proofs.tsx'), { list: true, show: true }),
  books: own(() => import('./resources/books/books.tsx'), { list: true }),
  prices: own(() => import('./resources/prices/prices.tsx'), { list: true, create: 'adminSimulatePrices' }),
  discounts: own(() => import('./resources/discounts/discounts.tsx'), { list: true, create: 'adminSetDiscount' }),
  announcements: own(() => import('./resources/announcements/announcements.tsx'), {
    show: true,
    create: 'adminCreateAnnouncement',
  }),
  incidents: own(() => import('./resources/incidents/incidents.tsx'), {
    show: true,
    create: 'adminCreateIncident',
  }),
  mails: own(() => import('./resources/mails/mails.tsx'), { list: true, show: true }),
  settings: own(() => import('./resources/settings/settings.tsx'), { show: true }),
  features: own(() => import('./resources/features/features.tsx'), { list: true, show: true }),
  health: own(() => import('./resources/health/health.tsx'), { list: true }),
  'cluster-checks': own(() => import('./resources/cluster-checks/cluster-checks.tsx'), { list: true }),
  backups: own(() => import('./resources/backups/backups.tsx'), { list: true }),
  articles: own(() => import('./resources/articles/articles.tsx'), { show: true, create: 'adminCreateArticle' }),
  'article-versions': own(() => import('./resources/articles/article-versions.tsx'), { show: true }),
  models: own(() => import('./resources/models/models.tsx'), { show: true }),
  datasets: own(() => import('./resources/datasets/datasets.tsx'), { show: true }),
  'gpu-models': own(() => import('./resources/gpu-models/gpu-models.tsx'), { show: true }),
};
