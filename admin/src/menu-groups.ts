// Menus with more tabs than one row takes have them in groups: every table of such a menu is in one (menu-groups.test.ts).
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import type { KeyOf } from '@gantry/ui/i18n/words.ts';
import type { words } from './words/en/shell.ts';

export interface TabGroup {
  readonly title: KeyOf<typeof words>;
  readonly tables: readonly AdminTableName[];
}

/** In the order in which they stand; the first table of the first is what the menu opens. */
export const MENU_GROUPS: Partial<Record<AdminMenu, readonly TabGroup[]>> = {
  billing: [
    { title: 'billing.moneyIn', tables: ['payments', 'refunds', 'chargebacks', 'wallets'] },
    { title: 'billing.documents', tables: ['invoices', 'credit-notes', 'bills'] },
    { title: 'billing.ledger', tables: ['transactions', 'ledger-entries', 'books', 'proofs', 'approvals'] },
    { title: 'billing.prices', tables: ['prices', 'plans', 'token-usage'] },
  ],
};
