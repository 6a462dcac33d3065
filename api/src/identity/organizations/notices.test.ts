// Notices to people about their memberships.
import { expect, test } from '@jest/globals';
import { NOTICES, withRole } from './notices.ts';

test.each([
  ['an invitation', NOTICES.invited],
  ['a new member', NOTICES.invitationAccepted],
  ['another role', NOTICES.roleChanged],
])('%s names the role in the language of its reader', (_, notice) => {
  const { content } = withRole(notice, 'billing');
  expect([content.en, content.zh, content.ja]).toEqual([
    expect.stringContaining('Billing'),
    expect.stringContaining('财务'),
    expect.stringContaining('経理'),
  ]);
  expect(content.en).toContain('%{organization}');
});
