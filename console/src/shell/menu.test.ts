import { KINDS } from '@gantry/contract/kinds.ts';
import { menusOf as menusOfKinds } from '@gantry/contract/permission-nodes.ts';
import { MENUS } from '@gantry/contract/roles.ts';
import { expect, test } from '@jest/globals';
import type { MenuName, PageRow } from '../area.ts';
import { AREAS } from '../areas.ts';
import { groupOf, menuOf, type PermissionNodes, pathOf, type Variant } from './menu.ts';
import { loadMenuRows } from './menu-rows.ts';

const all = [...Object.keys(MENUS), ...menusOfKinds(KINDS)] as MenuName[];
const nodesOf = (names: readonly string[]): PermissionNodes =>
  names.map((pname) => ({ pname, peltype: 'menu' as const }));
const pagesOf = (paths: readonly string[]): PageRow[] =>
  paths.map((path) => ({ path, load: async () => ({ Page: () => null }) }));
const menusOf = (nodes: readonly string[], paths: readonly string[], variant: Variant = 'full') =>
  menuOf(nodesOf(nodes), pagesOf(paths), variant).flatMap(({ menus }) => menus);

test('every menu has its place in one group', () => {
  expect(all.filter((menu) => groupOf(menu) === undefined)).toEqual([]);
  const paths = all.map(pathOf);
  expect([...menusOf(all, paths)].sort()).toEqual([...all].sort());
});

const pages = AREAS.flatMap((area) => area.pages);
const shown = menuOf(nodesOf(all), pages, 'full').flatMap(({ menus }) => menus);

test('every menu that is shown has a picture and a name, and every row belongs to a menu', async () => {
  const rows = await loadMenuRows(AREAS);
  expect(Object.keys(rows).sort()).toEqual([...shown].sort());
  for (const { icon, name } of Object.values(rows)) expect([icon, name.en, name.zh, name.ja]).not.toContain('');
});

/** As the specification has them; a kind's own menu stands behind them in its group. */
const ORDER = [
  ...['home', 'gpu/nodes', 'gpu/storage', 'model/space', 'model/deployment', 'model/chat'],
  ...['monitor/dashboard', 'monitor/performance', 'monitor/analysis', 'monitor/metric', 'monitor/policy'],
  ...['monitor/alarm', 'develop/instance', 'develop/template', 'develop/file', 'deploy/job', 'deploy/service'],
  ...['manage/account', 'manage/billing', 'manage/organization'],
];
test('menus are in the order of the specification', () => {
  expect(shown.filter((menu) => ORDER.includes(menu))).toEqual(ORDER);
});

test('every kind with a page of its own shows it under its menu', () => {
  const missing = Object.values(KINDS).filter(
    ({ menu, plural }) => menu !== undefined && !pages.some((page) => page.of === plural && page.menu === menu),
  );
  expect(missing).toEqual([]);
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
