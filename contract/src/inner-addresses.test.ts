import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { NOT_PUBLIC } from './inner-addresses.ts';

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

test('the agent, which asks registries for the sizes of images, has the same rule', () => {
  expect(readFileSync('agent/imagesize/dial.go', 'utf8')).toContain(`\`${NOT_PUBLIC}\``);
});
