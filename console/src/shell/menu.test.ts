import { MENUS } from '@gantry/contract/roles.ts';
import { expect, test } from '@jest/globals';
import type { MenuName, PageRow } from '../area.ts';
import { MENU_GROUPS, menuOf, type PermissionNodes, type Variant } from './menu.ts';

const all = Object.keys(MENUS) as MenuName[];
const nodesOf = (names: readonly string[]): PermissionNodes =>
  names.map((pname) => ({ pname, peltype: 'menu' as const }));
const pagesOf = (paths: readonly string[]): PageRow[] =>
  paths.map((path) => ({ path, load: async () => ({ Page: () => null }) }));
const menusOf = (nodes: readonly string[], paths: readonly string[], variant: Variant = 'full') =>
  menuOf(nodesOf(nodes), pagesOf(paths), variant).flatMap(({ menus }) => menus);

test('every menu has its place in one group', () => {
  expect(MENU_GROUPS.flatMap(({ menus }) => [...menus] as MenuName[]).sort()).toEqual([...all].sort());
});

test('a menu shows where its node is granted and its page is there, in the order of the groups', () => {
  const paths = ['/manage/billing', '/home', '/gpu/nodes/:id', '/develop/instance'];
  expect(menusOf(all, paths)).toEqual(['home', 'develop/instance', 'manage/billing']);
  expect(menusOf(['home'], paths)).toEqual(['home']);
  expect(menusOf([], paths)).toEqual([]);
});

test('an element grants no menu', () => {
  expect(menuOf([{ pname: 'home', peltype: 'element' }], pagesOf(['/home']), 'full')).toEqual([]);
});

test('the account console has account and billing alone', () => {
  const paths = all.map((name) => `/${name}`);
  expect(menusOf(all, paths, 'account')).toEqual(['home', 'manage/account', 'manage/billing']);
});
