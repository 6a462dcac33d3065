import { beforeEach, expect, test } from '@jest/globals';
import { forgetProviderLogin, keepProviderLogin, keptProviderLogin } from './provider-login.ts';

const login = { id: 'lgn-1', secret: 's', provider: 'corp', next: '/develop/instance' };
const NOW = 1_000_000;
const MINUTE = 60_000;

beforeEach(() => {
  forgetProviderLogin();
  keepProviderLogin(login, NOW);
});

test('whoever comes back finds their login, with where they wanted to go', () => {
  expect(keptProviderLogin('lgn-1', NOW + MINUTE)).toMatchObject(login);
});

test.each([
  ['a link with the id of somebody else’s login finds nothing', 'lgn-2', NOW],
  ['after five minutes it is over', 'lgn-1', NOW + 5 * MINUTE],
])('%s', (_, id, now) => {
  expect(keptProviderLogin(id, now)).toBeUndefined();
});

test('once used it is gone', () => {
  forgetProviderLogin();
  expect(keptProviderLogin('lgn-1', NOW)).toBeUndefined();
});

test('the secret is where no other tab reads it', () => {
  expect(localStorage.length).toBe(0);
  expect(JSON.stringify(Object.entries(sessionStorage))).toContain('secret');
});
