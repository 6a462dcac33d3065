import { describe, expect, test } from '@jest/globals';
import { publishedHost, serviceAt } from './published-host.ts';

test('a service is published under its name and its organisation', () => {
  expect(publishedHost('chat', 'acme', 'tenants.example')).toBe('chat.acme.tenants.example');
});

test.each([
  ['a-b', 'c'],
  ['a', 'b-c'],
  ['s'.repeat(40), 'o'.repeat(50)],
])('%s of %s is found again by its host', (name, organization) => {
  const host = publishedHost(name, organization, 'tenants.example');
  expect(serviceAt(host, 'tenants.example')).toEqual({ name, organization });
  for (const label of host.split('.')) expect(label.length).toBeLessThanOrEqual(63);
});

describe('a host that is no service’s', () => {
  test.each([
    'tenants.example',
    'acme.tenants.example',
    '8888-dev-acme.tenants.example',
    'a.b.acme.tenants.example',
    '.acme.tenants.example',
    'chat..tenants.example',
    'chat.acme.tenants.example.evil.example',
    'chat.acmetenants.example',
    '1.acme.tenants.example',
    `${'s'.repeat(41)}.acme.tenants.example`,
    'ch%61t.acme.tenants.example',
    'chat.-acme.tenants.example',
    '',
  ])('%j', (host) => expect(serviceAt(host, 'tenants.example')).toBeUndefined());
  test('any, without a domain', () => expect(serviceAt('chat.acme.', '')).toBeUndefined());
});

test('letters of a host have no case', () => {
  expect(serviceAt('Chat.ACME.Tenants.Example', 'tenants.example')).toEqual({ name: 'chat', organization: 'acme' });
});
