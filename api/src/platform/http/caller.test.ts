import type { OrgRole, Right } from '@gantry/contract/roles.ts';
import { expect, test } from '@jest/globals';
import { type Caller, hasRight } from './caller.ts';

type Kind = Caller['session']['kind'];
test.each<[string, OrgRole, Kind, readonly Right[], Right, boolean]>([
  ['A session has the rights of its role.', 'member', 'session', [], 'use', true],
  ['A session has no right that its role does not have.', 'viewer', 'session', ['use'], 'use', false],
  ['An API token has the rights that it was made with.', 'owner', 'apiToken', ['use'], 'use', true],
  ['An API token that was narrowed has less than its role.', 'owner', 'apiToken', ['view'], 'use', false],
  ['An API token has no right that its person’s role lost.', 'viewer', 'apiToken', ['use'], 'use', false],
  ['Staff who look at a tenant’s console read.', 'viewer', 'view', ['view'], 'view', true],
  ['Staff who look at a tenant’s console use nothing.', 'viewer', 'view', ['view'], 'use', false],
])('%s', (_, role, kind, scopes, right, wanted) => {
  expect(hasRight({ organization: { role }, session: { kind, scopes } }, right)).toBe(wanted);
});
