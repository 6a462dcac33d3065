import type { Area } from '../../area.ts';

const menu = 'manage/billing';

/** Each tab has its own address. */
export const billingArea: Area = {
  name: 'billing',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/manage/billing',
      menu,
      load: () => import('./overview/overview-page.tsx').then(({ OverviewPage }) => ({ Page: OverviewPage })),
    },
    {
      path: '/manage/billing/recharge',
      menu,
      load: () => import('./recharge/recharge-page.tsx').then(({ RechargePage }) => ({ Page: RechargePage })),
    },
    {
      path: '/manage/billing/usage',
      menu,
      load: () => import('./usage/usage-page.tsx').then(({ UsagePage }) => ({ Page: UsagePage })),
    },
    {
      path: '/manage/billing/transactions',
      menu,
      load: () =>
        import('./transactions/transactions-page.tsx').then(({ TransactionsPage }) => ({ Page: TransactionsPage })),
    },
    {
      path: '/manage/billing/history',
      menu,
      load: () => import('./transactions/transactions-page.tsx').then(({ HistoryPage }) => ({ Page: HistoryPage })),
    },
    {
      path: '/manage/billing/cards',
      menu,
      load: () => import('./cards/cards-page.tsx').then(({ CardsPage }) => ({ Page: CardsPage })),
    },
    {
      path: '/manage/billing/invoices',
      menu,
      load: () => import('./documents/invoices-page.tsx').then(({ InvoicesPage }) => ({ Page: InvoicesPage })),
    },
    {
      path: '/manage/billing/invoices/:id',
      menu,
      load: () => import('./documents/invoice-page.tsx').then(({ InvoicePage }) => ({ Page: InvoicePage })),
    },
    {
      path: '/manage/billing/profile',
      menu,
      load: () => import('./documents/profile-page.tsx').then(({ ProfilePage }) => ({ Page: ProfilePage })),
    },
  ],
};
