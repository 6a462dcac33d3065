// Pages that are neither a resource's nor a tab of a menu, by their exact address: one line each. `menu` is highlighted meanwhile.
import type { AdminMenu } from '@gantry/contract/roles.ts';
import type { ComponentType } from 'react';

export interface PageRow {
  readonly path: string;
  /** Absent: every member of the staff sees it. */
  readonly menu?: AdminMenu;
  load(): Promise<{ default: ComponentType }>;
}

export const PAGES: readonly PageRow[] = [
  { path: '/home', load: () => import('./home/home-page.tsx').then(({ HomePage }) => ({ default: HomePage })) },
  {
    path: '/manage/discount/:id/:type',
    menu: 'discount',
    load: () =>
      import('./resources/discounts/discount-page.tsx').then(({ DiscountPage }) => ({ default: DiscountPage })),
  },
];
