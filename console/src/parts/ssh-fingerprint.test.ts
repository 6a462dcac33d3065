import { expect, test } from '@jest/globals';
import { commentOf, isPrivateKey, sshFingerprint } from './ssh-fingerprint.ts';

// jsdom has no cryptography; Node's types are not a browser's.
const NODE: string = 'node:crypto';
const { webcrypto } = (await import(NODE)) as { webcrypto: Crypto };
Object.defineProperty(globalThis, 'crypto', { value: webcrypto });

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL4HgxVV+SgkX4BKzwihRxq10Bn9OG3j7UYBIInwgwkb';

test('a key has the fingerprint that ssh-keygen -l shows, with or without a comment', async () => {
  const shown = 'SHA256:o+d+E397s/cLxzWlA1EC//WFa3zjrDFx4tju0egTJnU';
  expect(await sshFingerprint(KEY)).toBe(shown);
  expect(await sshFingerprint(`  ${KEY} dora@laptop\n`)).toBe(shown);
});

test.each(['', 'ssh-ed25519', 'ssh-ed25519 not*base64'])('"%s" has none', async (text) => {
  expect(await sshFingerprint(text)).toBeUndefined();
});

test('a private key is known as one, whoever wrote it', () => {
  expect(isPrivateKey(`-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\nb3Blb`)).toBe(true);
  expect(isPrivateKey(`-----BEGIN ${'PRIVATE'} KEY-----`)).toBe(true);
  expect(isPrivateKey('PuTTY-User-Key-File-3: ssh-ed25519')).toBe(true);
  expect(isPrivateKey(`${KEY} dora@laptop`)).toBe(false);
});

test('a key is remarked by its comment', () => {
  expect(commentOf(`${KEY} dora@laptop`)).toBe('dora@laptop');
  expect(commentOf(`${KEY} of my laptop\n`)).toBe('of my laptop');
  expect(commentOf(KEY)).toBe('');
});
