import { expect, test } from '@jest/globals';
import { KINDS } from './kinds.ts';
import { menusOf, type NodeRoute, staffNodes, tenantNodes } from './permission-nodes.ts';
import { ADMIN_MENUS, MENUS, ORG_ROLES, type OrgRole, type PlatformRole, ROLE_RIGHTS } from './roles.ts';

const ROUTES: NodeRoute[] = [
  { id: 'login', method: 'POST', access: 'public' },
  { id: 'changePassword', method: 'PUT', access: 'account' },
  { id: 'listDisks', method: 'GET', access: { right: 'view' } },
  { id: 'createDisk', method: 'POST', access: { right: 'use' } },
  { id: 'topUp', method: 'POST', access: { right: 'pay' } },
  { id: 'inviteMembers', method: 'POST', access: { right: 'manage' } },
  { id: 'auditRealAuth', method: 'PUT', access: { platform: 'audit' } },
  { id: 'listRealAuths', method: 'GET', access: { platform: 'audit' } },
  { id: 'readLog', method: 'GET', access: { platform: 'computing', role: 'administrator' } },
];
const names = (nodes: readonly { pname: string; peltype: string }[], type: string) =>
  nodes.filter(({ peltype }) => peltype === type).map(({ pname }) => pname);

const ELEMENTS: Record<OrgRole, { routes: string[]; stops: boolean; pays: boolean }> = {
  owner: { routes: ['createDisk', 'topUp', 'inviteMembers'], stops: true, pays: true },
  admin: { routes: ['createDisk', 'topUp', 'inviteMembers'], stops: true, pays: true },
  member: { routes: ['createDisk'], stops: true, pays: false },
  billing: { routes: ['topUp'], stops: false, pays: true },
  viewer: { routes: [], stops: false, pays: false },
};

test.each(ORG_ROLES)('%s is shown what the role may', (role) => {
  const nodes = tenantNodes(ROLE_RIGHTS[role], ROUTES, KINDS);
  const elements = names(nodes, 'element');
  expect(elements.filter((name) => !name.includes('.'))).toEqual(ELEMENTS[role].routes);
  expect(elements.includes('gpuInstance.stop')).toBe(ELEMENTS[role].stops);
  expect(names(nodes, 'menu').includes('manage/billing')).toBe(ELEMENTS[role].pays);
  expect(names(nodes, 'menu')).toContain('develop/instance');
});

test('an owner is shown every menu and every action of every kind, each once', () => {
  const nodes = tenantNodes(ROLE_RIGHTS.owner, ROUTES, KINDS);
  expect(names(nodes, 'menu')).toEqual([...Object.keys(MENUS), ...menusOf(KINDS)]);
  const actions = Object.entries(KINDS).flatMap(([kind, facts]) =>
    Object.keys(facts.actions).map((action) => `${kind}.${action}`),
  );
  expect(names(nodes, 'element')).toEqual(expect.arrayContaining(actions));
  const all = nodes.map(({ pname, peltype }) => `${peltype} ${pname}`);
  expect(new Set(all).size).toBe(all.length);
});

test('no rights, no nodes', () => expect(tenantNodes([], ROUTES, KINDS)).toEqual([]));

test.each<[PlatformRole[], string[]]>([
  [[], []],
  [['auditManager'], ['manage/user', 'manage/audit']],
  [
    ['finance', 'catalogue'],
    ['manage/billing', 'manage/portal', 'manage/model', 'manage/dataset', 'manage/discount'],
  ],
  [['administrator'], ADMIN_MENUS.map((name) => `manage/${name}`)],
])('staff of %j is shown %j', (roles, menus) => expect(names(staffNodes(roles, ROUTES), 'menu')).toEqual(menus));

test('who audits has its buttons, and finance has not', () => {
  expect(names(staffNodes(['auditManager'], ROUTES), 'element')).toEqual(['auditRealAuth']);
  expect(names(staffNodes(['finance'], ROUTES), 'element')).toEqual([]);
});

test('reading that takes a role besides the menu has a button for those with the role', () => {
  expect(names(staffNodes(['administrator'], ROUTES), 'element')).toEqual(['auditRealAuth', 'readLog']);
  expect(names(staffNodes(['support'], ROUTES), 'element')).toEqual([]);
});
