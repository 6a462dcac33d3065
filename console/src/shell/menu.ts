// The sidebar: menus in their groups and order. A menu shows where the person has its node and a page exists.

import type { OutputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { MenuName, PageRow } from '../area.ts';

type FactsOf<C> = C extends { readonly facts?: infer F } ? NonNullable<F> : never;
export type PermissionNodes = OutputOf<FactsOf<typeof CALLS.getPermissionNodes>>;
/** `account`: for accounts of other consoles; shows only the person and the money. */
export type Variant = 'full' | 'account';

export const MENU_GROUPS = [
  { name: 'home', menus: ['home'] },
  { name: 'gpu', menus: ['gpu/nodes', 'gpu/storage'] },
  { name: 'model', menus: ['model/space', 'model/deployment', 'model/finetune', 'model/evaluation', 'model/chat'] },
  { name: 'data', menus: ['data/space', 'data/processing'] },
  {
    name: 'monitor',
    menus: [
      'monitor/dashboard',
      'monitor/performance',
      'monitor/analysis',
      'monitor/metric',
      'monitor/policy',
      'monitor/alarm',
    ],
  },
  { name: 'develop', menus: ['develop/instance', 'develop/template', 'develop/file'] },
  { name: 'deploy', menus: ['deploy/job', 'deploy/service'] },
  { name: 'manage', menus: ['manage/account', 'manage/billing', 'manage/organization'] },
] as const satisfies readonly { name: string; menus: readonly MenuName[] }[];

export type GroupName = (typeof MENU_GROUPS)[number]['name'];

export interface MenuGroup {
  readonly name: GroupName;
  readonly menus: readonly MenuName[];
}

const OF_ACCOUNT: readonly MenuName[] = ['home', 'manage/account', 'manage/billing'];

export const isShown = (menu: MenuName, variant: Variant): boolean => variant === 'full' || OF_ACCOUNT.includes(menu);

export const pathOf = (menu: MenuName): string => `/${menu}`;

/** Groups without a menu are left out. */
export function menuOf(nodes: PermissionNodes, pages: readonly PageRow[], variant: Variant): readonly MenuGroup[] {
  const paths = new Set(pages.map(({ path }) => path));
  const granted = new Set(nodes.flatMap(({ pname, peltype }) => (peltype === 'menu' ? [pname] : [])));
  return MENU_GROUPS.map(({ name, menus }) => ({
    name,
    menus: menus.filter((menu) => granted.has(menu) && paths.has(pathOf(menu)) && isShown(menu, variant)),
  })).filter(({ menus }) => menus.length > 0);
}

export const groupOf = (menu: MenuName): GroupName | undefined =>
  MENU_GROUPS.find(({ menus }) => (menus as readonly MenuName[]).includes(menu))?.name;
