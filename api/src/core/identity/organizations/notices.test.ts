// Notices to people about their memberships.
import { sentence } from '@gantry/contract/define-kind.ts';
import { argsIn } from '@gantry/contract/localized.ts';
import { namingRole } from '@gantry/contract/role-names.ts';
import { expect, test } from '@jest/globals';
import { NOTICES } from './notices.ts';

test.each([
  ['an invitation', NOTICES.invited],
  ['a new member', NOTICES.invitationAccepted],
  ['another role', NOTICES.roleChanged],
])('%s names the role in the language of its reader', (_, { content }) => {
  const args = { organization: 'acme', actor: 'ann', member: 'ann', ...namingRole('billing') };
  for (const [language, role] of [
    ['en', 'Billing'],
    ['zh', '财务'],
    ['ja', '経理'],
  ] as const)
    expect(sentence(content, language, argsIn(language, args))).toContain(role);
});
