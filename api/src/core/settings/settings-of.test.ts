import { DOCUMENTS } from '@gantry/contract/fields/identity-document.ts';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../platform/config.ts';
import { settingsOf } from './settings-of.ts';

const settings = (...flags: string[]) => {
  const config = readConfig(['--data-dir=x', '--platform-key-file=package.json', ...flags], {});
  if (config === 'help') throw new Error('help was asked for');
  return settingsOf(config, config.paymentChannels);
};
const PROVIDER = '--oidc-issuer=https://login.example';

test.each([
  ['overseas, the provider comes first', ['--market=overseas', PROVIDER], ['oidc', 'password']],
  ['in the domestic market the password comes first', ['--market=domestic', PROVIDER], ['password', 'oidc']],
  ['without a provider there is the password alone', ['--market=overseas'], ['password']],
])('%s', (_, flags, types) => {
  expect(settings(...flags).login_types).toEqual(types);
});

test('the app store preset is overseas, in dollars, by e-mail and by card, whatever the other options say', () => {
  const others = ['--market=domestic', '--billing-unit=¥', '--register-type=phone'];
  expect(settings(...others, '--preset=app-store')).toMatchObject({
    market: 'overseas',
    billing_unit: '$',
    register_type: 'email',
    payment_channels: ['card'],
  });
  expect(settings(...others)).toMatchObject({ market: 'domestic', billing_unit: '¥', register_type: 'phone' });
});

test.each([
  ['overseas one is verified by many documents', ['--market=overseas'], [...DOCUMENTS]],
  ['in the domestic market by the ID card alone', ['--market=domestic'], ['idCard']],
])('%s', (_, flags, documents) => expect(settings(...flags).real_name_documents).toEqual(documents));

test('a review takes a day unless the option says otherwise', () => {
  const hours = [settings(), settings('--real-name-review-hours=4')].map((one) => one.real_name_review_hours);
  expect(hours).toEqual([24, 4]);
});

test.each([
  ['the one of the option', ['--contact=help@example.com', '--support=https://s.example'], 'help@example.com'],
  ['support', ['--support=https://s.example', '--community=https://c.example'], 'https://s.example'],
  ['the community', ['--community=https://c.example'], 'https://c.example'],
  ['where mails come from', ['--mail-from=Acme <cloud@acme.example>'], 'cloud@acme.example'],
  ['no address that nobody reads', ['--mail-from=Acme <no-reply@acme.example>'], ''],
  ['nothing that is only on this machine', [], ''],
])('the contact is %s', (_, flags, contact) => {
  expect(settings(...flags).contact).toBe(contact);
});

test('the welcome credits are those of the option', () => {
  expect(settings('--welcome-credit=25').welcome_credits).toBe('25.00');
});
