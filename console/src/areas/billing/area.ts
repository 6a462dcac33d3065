import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

const menu = 'manage/billing';

/** Each tab has its own address. */
export const billingArea: Area = {
  name: 'billing',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/manage/billing',
      menu,
      load: pageOf(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
    },
    {
      path: '/manage/billing/recharge',
      menu,
      load: pageOf(() => import('./recharge/recharge-page.tsx'), 'RechargePage'),
    },
    {
      path: '/manage/billing/usage',
      menu,
      load: pageOf(() => import('./usage/usage-page.tsx'), 'UsagePage'),
    },
    {
      path: '/manage/billing/transactions',
      menu,
      load: pageOf(() => import('./transactions/transactions-page.tsx'), 'TransactionsPage'),
    },
    {
      path: '/manage/billing/history',
      menu,
      load: pageOf(() => import('./transactions/transactions-page.tsx'), 'HistoryPage'),
    },
    {
      path: '/manage/billing/cards',
      menu,
      load: pageOf(() => import('./cards/cards-page.tsx'), 'CardsPage'),
    },
    {
      path: '/manage/billing/invoices',
      menu,
      load: pageOf(() => import('./documents/invoices-page.tsx'), 'InvoicesPage'),
    },
    {
      path: '/manage/billing/invoices/:id',
      menu,
      load: pageOf(() => import('./documents/invoice-page.tsx'), 'InvoicePage'),
    },
    {
      path: '/manage/billing/profile',
      menu,
      load: pageOf(() => import('./documents/profile-page.tsx'), 'ProfilePage'),
    },
  ],
};
