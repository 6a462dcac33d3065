import { ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';
import { expect, test } from '@jest/globals';
import { mayRemove, rolesToGive } from './may-touch.ts';

const NO_OWNER: OrgRole[] = ['admin', 'member', 'billing', 'viewer'];

const rows: [string, OrgRole, (OrgRole | undefined)[], readonly OrgRole[]][] = [
  ['an owner gives every role', 'owner', ['viewer'], ORG_ROLES],
  ['an owner unmakes an owner', 'owner', ['owner'], ORG_ROLES],
  ['an admin gives all but the owner’s', 'admin', ['member'], NO_OWNER],
  ['an admin does not touch an owner', 'admin', ['owner'], []],
  ['one owner among several keeps an admin off all of them', 'admin', ['member', 'owner'], []],
  ['somebody new gets from an admin no owner’s', 'admin', [undefined], NO_OWNER],
  ['who manages nothing gives nothing', 'member', ['viewer'], []],
];

test.each(rows)('%s', (_, mine, theirs, roles) => {
  expect(rolesToGive(mine, theirs)).toEqual(roles);
});

test('owners are removed by owners', () => {
  expect([mayRemove('owner', 'owner'), mayRemove('admin', 'owner'), mayRemove('admin', 'admin')]).toEqual([
    true,
    false,
    true,
  ]);
});
