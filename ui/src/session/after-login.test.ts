import { expect, test } from '@jest/globals';
import { afterLogin, type LoginAnswer } from './after-login.ts';

const session = { token: 'tok', account_id: 'acc-1', org_id: 'org-1', expires_at: '2026-11-23T00:00:00Z' };

const rows: [string, LoginAnswer, object][] = [
  [
    'a token enters, in its organisation and until its end',
    session,
    {
      next: 'enter',
      session: { token: 'tok', accountId: 'acc-1', organizationId: 'org-1' },
      expiresAt: '2026-11-23T00:00:00Z',
    },
  ],
  ['a second factor is asked for', { second_factor: true, ticket: 't1' }, { next: 'secondFactor', ticket: 't1' }],
  ['a new password comes first', { must_change_password: true, ticket: 't2' }, { next: 'newPassword', ticket: 't2' }],
  ['a provider that has not answered is waited for', { id: 'lgn-1', pending: true }, { next: 'wait' }],
  ['a token without its organisation is none', { token: 'tok' }, { next: 'again' }],
];

test.each(rows)('%s', (_, answer, expected) => {
  expect(afterLogin(answer)).toEqual(expected);
});
