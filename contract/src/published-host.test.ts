import { expect, test } from '@jest/globals';
import { publishedHost } from './published-host.ts';

test('a service is published under its name and its organisation', () => {
  expect(publishedHost('chat', 'acme', 'tenants.example')).toBe('chat.acme.tenants.example');
});

test('letters of a host have no case', () => {
  expect(publishedHost('chat', 'acme', 'Tenants.Example')).toBe('chat.acme.tenants.example');
});

test('the longest names are labels of DNS', () => {
  const host = publishedHost('s'.repeat(40), 'o'.repeat(50), 'tenants.example');
  for (const label of host.split('.')) expect(label.length).toBeLessThanOrEqual(63);
});
