import { expect, test } from '@jest/globals';
import { IMAGE_SOURCE } from './fields/image-source.ts';
import { closedToTenants, NOT_PUBLIC } from './inner-addresses.ts';

test.each([
  'localhost',
  'registry',
  'registry.',
  'kubernetes.default.svc',
  'registry.gantry.internal',
  'printer.local.',
  'intranet.corp',
  '127.1',
  '10.0.0.1',
  'a.0x7f',
])('%s is written as a host inside', (host) => {
  expect(host).toMatch(new RegExp(NOT_PUBLIC));
});

test.each(['ghcr.io', 'registry.example.org.', 'svc.example.org', '1.example.org', 'x.0y'])('%s is not', (host) => {
  expect(host).not.toMatch(new RegExp(NOT_PUBLIC));
});

test.each(['[64:ff9b:1::a00:1]', '[64:ff9b:1::a00:1]:5000', '[fec0::1]', '[::1]:5000', '::1'])(
  'an image does not come from %s: an address of IPv6 names no registry',
  (host) => {
    expect(`${host}/a/work:1`).not.toMatch(IMAGE_SOURCE);
  },
);

test('tenants reach the internet of IPv4 through NAT64, and nothing else of IPv4', () => {
  const { v4, v6 } = closedToTenants(['20.1.0.0/16', '2620:1::/32']);
  expect(v4).toEqual(expect.arrayContaining(['192.168.0.0/16', '20.1.0.0/16']));
  expect(v6).toEqual(
    expect.arrayContaining(['64:ff9b::c0a8:0/112', '64:ff9b::1401:0/112', '2620:1::/32', 'fec0::/10']),
  );
  expect(v6).not.toContain('64:ff9b::/96');
});
