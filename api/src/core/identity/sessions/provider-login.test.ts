// The answer of an OpenID Connect provider is believed only if it is meant for us, for this very login, and signed by the provider.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import { migratedDatabase, resetDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { openPeople, type People } from '../open-people.ts';

const CLIENT = 'gantry';
const ORIGIN = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: undefined };
const THEIRS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const STRANGERS = generateKeyPairSync('rsa', { modulusLength: 2048 });

let database: Database;
let server: Server;
let issuer: string;
let people: People;
let idToken: string;

beforeAll(async () => {
  database = await migratedDatabase();
  server = createServer((req, res) => {
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': metadata,
      '/mimic/.well-known/openid-configuration': metadata,
      '/keys': { keys: [{ ...THEIRS.publicKey.export({ format: 'jwk' }), kid: 'theirs', use: 'sig', alg: 'RS256' }] },
      '/token': { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken },
    };
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answers[req.url ?? ''] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new SteppedClock();
  clock.set(Date.now());
  people = openPeople({
    db: database,
    clock,
    log: pino({ level: 'silent' }),
    projection: { wake: () => {} },
    leftovers: { wake: () => {} },
    platformKey: Buffer.alloc(32, 7),
    publicUrl: 'http://127.0.0.1:1',
    currency: 'USD',
    termsVersion: '1',
    registerType: 'email',
    smtpUrl: '',
    mailFrom: 'Gantry <no-reply@gantry.example>',
    providers: [
      { id: 'oidc', name: 'Elsewhere', issuer, clientId: CLIENT, clientSecret: 'secret' },
      { id: 'mimic', name: 'Mimic', issuer: `${issuer}/mimic`, clientId: CLIENT, clientSecret: 'secret' },
    ],
  });
});
beforeEach(() => resetDatabase(database));
afterAll(async () => {
  await people.stop();
  await database.close();
  server.close();
});

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(claims: object, { alg = 'RS256', key }: { alg?: string; key?: KeyObject } = {}): string {
  const text = `${base64({ alg, kid: 'theirs' })}.${base64(claims)}`;
  return `${text}.${key ? sign('sha256', Buffer.from(text), key).toString('base64url') : ''}`;
}

const claimsFor = (nonce: string) => {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer, sub: 'sub-1', aud: CLIENT, iat: now, exp: now + 60, nonce, preferred_username: 'ada.lovelace' };
};

/** Begins a login, comes back with what `answer` makes of its nonce, and fetches the outcome. */
async function logIn(answer: (nonce: string) => string, back: Record<string, string> = {}) {
  const wanted = { provider: 'oidc', termsVersion: '1', locale: 'en' as const };
  const { id, url, secret, cookie } = await people.providers.begin(wanted, ORIGIN.network);
  const asked = new URL(url).searchParams;
  idToken = answer(asked.get('nonce') ?? '');
  const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', ...back });
  await people.providers.callback(query, cookie);
  return people.providers.finish(id, secret, ORIGIN);
}

test('what the provider has signed for us and for this login lets its person in', async () => {
  const outcome = await logIn((nonce) => tokenOf(claimsFor(nonce), { key: THEIRS.privateKey }));
  expect(outcome).toMatchObject({ session: { token: expect.any(String) } });
});

const signed = (claims: object) => tokenOf(claims, { key: THEIRS.privateKey });
test.each<[string, (nonce: string) => string]>([
  ['signed by somebody else', (nonce) => tokenOf(claimsFor(nonce), { key: STRANGERS.privateKey })],
  ['that is not signed', (nonce) => tokenOf(claimsFor(nonce))],
  ['of the algorithm none', (nonce) => tokenOf(claimsFor(nonce), { alg: 'none' })],
  ['for another client', (nonce) => signed({ ...claimsFor(nonce), aud: 'another' })],
  ['of another issuer', (nonce) => signed({ ...claimsFor(nonce), iss: 'https://elsewhere.example' })],
  ['of another login', () => signed(claimsFor('x'.repeat(43)))],
  ['that is over', (nonce) => signed({ ...claimsFor(nonce), iat: 1_000, exp: 2_000 })],
  ['without a person', (nonce) => signed({ ...claimsFor(nonce), sub: undefined })],
])('an ID token %s lets nobody in', async (_, answer) => {
  await expect(logIn(answer)).rejects.toMatchObject({ problem: 'provider_refused' });
  expect(await database.sql.$count(accounts)).toBe(0);
});

test('an answer in the name of another issuer lets nobody in', async () => {
  const right = (nonce: string) => signed(claimsFor(nonce));
  await expect(logIn(right, { iss: 'https://elsewhere.example' })).rejects.toMatchObject({
    problem: 'provider_refused',
  });
});

test('a provider whose metadata names another issuer than it is configured by begins no login', async () => {
  const wanted = { provider: 'mimic', termsVersion: '1', locale: 'en' as const };
  await expect(people.providers.begin(wanted, ORIGIN.network)).rejects.toMatchObject({ problem: 'unavailable' });
});
