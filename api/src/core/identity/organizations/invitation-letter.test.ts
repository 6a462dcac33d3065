// The letter of an invitation, as it is read in each language.
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { expect, test } from '@jest/globals';
import { letterOf } from '../../../platform/mail/mail-templates.ts';
import { invitationArgs } from './invitation-letter.ts';

const INVITATION = {
  code: 'aB3xY9zQ0kLm',
  email: 'grace+gpu@example.com',
  organization: 'Acme',
  actor: 'ada',
  language: 'en',
  hasAccount: false,
} as const;
const HERE = 'https://gpu.example.com';

test.each(LANGUAGES)(
  'in %s it leads to registering with the address it came to and then to the invitation, and says how long that holds',
  (language) => {
    const { subject, text } = letterOf(
      'invited',
      language,
      invitationArgs(INVITATION, { publicUrl: HERE, registerType: 'email' }),
    );
    expect(text.match(/https?:\S+/g)).toEqual([
      `${HERE}/register?next=%2Finvitations%3Fcode%3DaB3xY9zQ0kLm#email=grace%2Bgpu%40example.com`,
    ]);
    expect(text).toMatch(/(?<!\d)7 ?(days|天|日)/);
    expect(`${subject} ${text}`).not.toMatch(/[{}]/);
  },
);

test.each(LANGUAGES)('in %s it leads somebody with an account to the invitation itself', (language) => {
  const args = invitationArgs({ ...INVITATION, hasAccount: true }, { publicUrl: HERE, registerType: 'email' });
  const { subject, text } = letterOf('invitedAccount', language, args);
  expect(text.match(/https?:\S+/g)).toEqual([`${HERE}/invitations?code=aB3xY9zQ0kLm`]);
  expect(`${subject} ${text}`).not.toMatch(/[{}]/);
});

test('where accounts are made with phone numbers, it leads to where one signs in', () => {
  expect(invitationArgs(INVITATION, { publicUrl: HERE, registerType: 'phone' })).toMatchObject({
    url: `${HERE}/login?next=%2Finvitations%3Fcode%3DaB3xY9zQ0kLm`,
  });
});
