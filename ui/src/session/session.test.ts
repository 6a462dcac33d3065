import { beforeEach, expect, test } from '@jest/globals';
import {
  forgetSession,
  onSessionElsewhere,
  parentDomain,
  readAccountId,
  readOrganizationId,
  readToken,
  storeSession,
  storeToken,
} from './session.ts';

beforeEach(forgetSession);

test.each([
  ['a console beside other apps', 'console.example.com', 'example.com'],
  ['a deeper one', 'console.eu.example.com', 'eu.example.com'],
  ['a site of its own', 'example.com', undefined],
  ['this machine', 'localhost', undefined],
  ['an address', '127.0.0.1', undefined],
  ['an address of IPv6', '[::1]', undefined],
])('the parent domain of %s', (_, host, domain) => {
  expect(parentDomain(host)).toBe(domain);
});

test('a session is kept and forgotten whole', () => {
  storeSession({ token: 'abc', accountId: 'ann', organizationId: 'acme' }, '2099-01-01T00:00:00Z');
  expect([readToken(), readAccountId(), readOrganizationId()]).toEqual(['abc', 'ann', 'acme']);
  forgetSession();
  expect([readToken(), readAccountId(), readOrganizationId()]).toEqual([undefined, undefined, undefined]);
});

test('a session that has ended is none', () => {
  storeSession({ token: 'abc', accountId: 'ann', organizationId: 'acme' }, '2001-01-01T00:00:00Z');
  expect(readToken()).toBeUndefined();
});

test('a new token leaves the rest', () => {
  storeSession({ token: 'abc', accountId: 'ann', organizationId: 'acme' });
  storeToken('def');
  expect([readToken(), readOrganizationId()]).toEqual(['def', 'acme']);
});

test('other tabs are heard when they change who or where one is, and until one stops listening', () => {
  let heard = 0;
  const stop = onSessionElsewhere(() => heard++);
  const tell = (key: string | null) => dispatchEvent(new StorageEvent('storage', { key }));
  tell('gantry_org_id');
  tell('gantry_account_id');
  tell(null);
  tell('gantry_language');
  expect(heard).toBe(3);
  stop();
  tell('gantry_org_id');
  expect(heard).toBe(3);
});
