import { expect, test } from '@jest/globals';
import { newToken, Secrets, sha256 } from './secrets.ts';

const secrets = new Secrets(Buffer.alloc(32, 7));

test('what is sealed is opened again, whatever its bytes', () => {
  const bytes = Buffer.from([0, 255, 1, 254]);
  expect(secrets.openBytes('a', secrets.sealBytes('a', bytes))).toEqual(bytes);
  expect(secrets.open('a', secrets.seal('a', '证件 1'))).toBe('证件 1');
});

test('the same is never sealed to the same bytes', () => {
  expect(secrets.seal('a', 'x')).not.toBe(secrets.seal('a', 'x'));
});

test.each<[string, (sealed: Buffer) => Buffer, string, Secrets]>([
  [
    'a changed byte',
    (sealed) => Buffer.from(sealed.map((byte, at) => (at === sealed.length - 1 ? byte ^ 1 : byte))),
    'a',
    secrets,
  ],
  ['a shortened tag', (sealed) => sealed.subarray(0, 16), 'a', secrets],
  ['another purpose', (sealed) => sealed, 'b', secrets],
  ['another platform key', (sealed) => sealed, 'a', new Secrets(Buffer.alloc(32, 8))],
])('%s opens nothing', (_, change, purpose, by) => {
  expect(() => by.openBytes(purpose, change(secrets.sealBytes('a', Buffer.from('content'))))).toThrow();
});

test('a platform key of fewer than 32 bytes is refused', () => {
  expect(() => new Secrets(Buffer.alloc(31))).toThrow('fewer than 32 bytes');
});

test('a token has 256 bits by chance, and stands for nothing in its stored form', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  expect(new Set(tokens).size).toBe(1_000);
  for (const token of tokens) {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(sha256(token)).not.toContain(token);
  }
});
