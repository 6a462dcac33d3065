// The sidebar: menus in their groups. A menu shows where the person has its node and a page exists.

import type { OutputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { MenuName, PageRow } from '../area.ts';

type FactsOf<C> = C extends { readonly facts?: infer F } ? NonNullable<F> : never;
export type PermissionNodes = OutputOf<FactsOf<typeof CALLS.getPermissionNodes>>;
/** `account`: for accounts of other consoles; shows only the person and the money. */
export type Variant = 'full' | 'account';

/** In their order. A menu is in the group that its name begins with. */
export const GROUPS = ['home', 'gpu', 'model', 'data', 'monitor', 'develop', 'deploy', 'manage'] as const;
export type GroupName = (typeof GROUPS)[number];

export interface MenuGroup {
  readonly name: GroupName;
  readonly menus: readonly MenuName[];
}

export const groupOf = (menu: MenuName): GroupName | undefined => GROUPS.find((name) => name === menu.split('/')[0]);

const OF_ACCOUNT: readonly MenuName[] = ['home', 'manage/account', 'manage/billing'];

export const isShown = (menu: MenuName, variant: Variant): boolean => variant === 'full' || OF_ACCOUNT.includes(menu);

export const pathOf = (menu: MenuName): string => `/${menu}`;

/** Groups without a menu are left out; menus of one group are in the order of their pages. */
export function menuOf(nodes: PermissionNodes, pages: readonly PageRow[], variant: Variant): readonly MenuGroup[] {
  const granted = new Set(nodes.flatMap(({ pname, peltype }) => (peltype === 'menu' ? [pname] : [])));
  const menus = pages
    .map(({ path }) => path.slice(1) as MenuName)
    .filter((menu) => granted.has(menu) && isShown(menu, variant));
  return GROUPS.map((name) => ({ name, menus: menus.filter((menu) => groupOf(menu) === name) })).filter(
    (group) => group.menus.length > 0,
  );
}
