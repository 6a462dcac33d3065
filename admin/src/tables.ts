// Tables of the contract as pages ask for them. react-admin calls a resource by its address here: `manage/user/users`, so that
// every link it makes leads into the menu.
import type { AdminTable } from '@gantry/contract/http/admin-table.ts';
import { ADMIN_TABLES, type AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { ADMIN_MENUS, type AdminMenu } from '@gantry/contract/roles.ts';

export const TABLE_NAMES = Object.keys(ADMIN_TABLES) as AdminTableName[];

export const tableOf = (name: AdminTableName): AdminTable => ADMIN_TABLES[name];

/** `manage/user/users` of `users`: the name of a resource within react-admin. */
export const resourceOf = (name: AdminTableName): string => `manage/${tableOf(name).menu}/${name}`;

/** `users` of `manage/user/users`. */
export const tableNameOf = (resource: string): AdminTableName => resource.split('/').at(-1) as AdminTableName;

/** The resources of a menu that have a tab, in the contract's order. */
export const tabsOf = (menu: AdminMenu): AdminTableName[] =>
  TABLE_NAMES.filter((name) => tableOf(name).menu === menu && !tableOf(name).isPart);

/** The menu of an address: `/manage/user/users/acc-1/show` → `user`; undefined outside the menus. */
export const menuOf = (pathname: string): AdminMenu | undefined => {
  const [, manage, menu] = pathname.split('/');
  if (manage !== 'manage') return undefined;
  return menu === 'host' ? 'computing' : ADMIN_MENUS.find((each) => each === menu);
};
