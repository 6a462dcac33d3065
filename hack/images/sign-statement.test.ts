import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { signingKey, signStatement } from './sign-statement.ts';

const folder = mkdtempSync(join(tmpdir(), 'gantry-sign-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const written = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('an envelope has the statement, and a signature over its type and bytes', () => {
  const statement = { _type: 'https://in-toto.io/Statement/v1', subject: [{ name: 'gateway' }] };
  const { payloadType, payload, signatures } = signStatement(statement, privateKey);
  expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toEqual(statement);
  expect(payloadType).toBe('application/vnd.in-toto+json');
  const bytes = Buffer.from(payload, 'base64');
  const signed = Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${bytes.length} ${bytes}`);
  expect(verify(null, signed, publicKey, Buffer.from(signatures[0]?.sig ?? '', 'base64'))).toBe(true);
  expect(signStatement(statement, privateKey)).toEqual({ payloadType, payload, signatures });
});

test('the key is that of the file that SIGNING_KEY names', () => {
  const key = signingKey(written('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' })));
  expect(key && createPublicKey(key).equals(publicKey)).toBe(true);
  expect(signingKey('')).toBeUndefined();
});

test.each([
  [
    'a file that is not there',
    () => join(folder, 'absent'),
    /SIGNING_KEY: must name a file with an Ed25519 key: .*ENOENT/,
  ],
  ['no key', () => written('text', 'no key'), /SIGNING_KEY: must name a file with an Ed25519 key/],
  [
    'another kind of key',
    () => {
      const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return written('ec.pem', other.export({ type: 'pkcs8', format: 'pem' }));
    },
    /has one of ec$/,
  ],
])('%s is refused', (_, file, sentence) => {
  expect(() => signingKey(file())).toThrow(sentence);
});
