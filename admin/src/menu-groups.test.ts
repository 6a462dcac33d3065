import type { AdminMenu } from '@gantry/contract/roles.ts';
import { expect, test } from '@jest/globals';
import { MENU_GROUPS } from './menu-groups.ts';
import { tabsOf } from './tables.ts';

test.each(Object.entries(MENU_GROUPS))('each table of %s is in one group', (menu, groups) => {
  expect(groups.flatMap(({ tables }) => tables).toSorted()).toEqual(tabsOf(menu as AdminMenu).toSorted());
});
