// People over HTTP: each route with each of its answers, on a real database, a real mail server and a real login provider.
// After every test nothing that is secret may stand in the database, the log or the audit log.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { and, eq, isNull } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import express from 'express';
import { generateSync } from 'otplib';
import pino from 'pino';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { frameParts } from '../../../../test/support/frame-parts.ts';
import { HttpClient, type Reply } from '../../../../test/support/http-client.ts';
import { type LoginProvider, openLoginProvider } from '../../../../test/support/login-provider.ts';
import { type Mailbox, openMailbox } from '../../../../test/support/mail-sink.ts';
import { solvePuzzle } from '../../../../test/support/solve-puzzle.ts';
import type { Database } from '../../platform/db/open.ts';
import { counters } from '../../platform/db/schema/identity.ts';
import { apiTokens, kubeconfigs } from '../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../platform/db/schema/people.ts';
import { SCHEMA } from '../../platform/db/schema.ts';
import { routerOf, runnablesOf } from '../../platform/http/routes-of.ts';
import { accountRoutes, loginCookie } from './account-routes.ts';
import { openPeople, type People } from './open-people.ts';
import { makeOrganization } from './organizations/organizations.ts';
import { guarded } from './sessions/lockout.ts';

const R = ACCOUNT_ROUTES;
const MINUTE = 60_000;
const PASSWORD = 'Canary-pass-77';

let database: Database;
let mailbox: Mailbox;
let provider: LoginProvider;
let server: Server;
let people: People;
let anybody: HttpClient;
let clock: SteppedClock;
let log: string[];
let audit: unknown[];
let secrets: Set<string>;
let woken: string[];
let counted = 0;
let tests = 0;

beforeAll(async () => {
  clock = new SteppedClock();
  clock.set(Date.now());
  [database, mailbox] = await Promise.all([migratedDatabase(), openMailbox()]);
  const app = express().set('trust proxy', 'loopback').set('query parser', 'simple');
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = await openLoginProvider(`${publicUrl}/api/auth/v1/login/callback`);
  const logger = pino({ level: 'trace', base: null, timestamp: false }, { write: (line) => void log.push(line) });
  people = openPeople({
    db: database,
    clock,
    log: logger,
    projection: { wake: (id) => void woken.push(id) },
    leftovers: { wake: () => void woken.push('leftovers') },
    platformKey: Buffer.alloc(32, 7),
    publicUrl,
    currency: 'USD',
    termsVersion: '3',
    registerType: 'email',
    smtpUrl: mailbox.url,
    mailFrom: 'Gantry <no-reply@gantry.example>',
    providers: [
      { id: 'oidc', name: 'Elsewhere', ...provider.client },
      { id: 'gone', name: 'Gone', issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y' },
    ],
    puzzleSteps: 4,
  });
  const parts = frameParts({
    authenticate: (token) => people.sessions.authenticate(token),
    audit: async (entry) => void audit.push(entry),
    log: logger,
    answerLimitMs: 30_000,
  });
  // Each test has its own address, so that tests do not share rate limits.
  app.use((req, _res, next) => {
    req.headers['x-forwarded-for'] ??= `198.18.0.${tests}`;
    next();
  });
  app.use('/api', routerOf(runnablesOf(parts, Object.values(R), accountRoutes({ people })), app.get('trust proxy fn')));
  anybody = new HttpClient(() => publicUrl);
});

beforeEach(async () => {
  tests++;
  [log, audit, woken, secrets] = [[], [], [], new Set([PASSWORD])];
  await resetDatabase(database);
});

afterEach(async () => {
  await people.mails.settle();
  const rows = await Promise.all(
    Object.values(SCHEMA as unknown as Record<string, PgTable>).map((table) => database.sql.select().from(table)),
  );
  const kept = JSON.stringify([rows, log, audit]);
  for (const secret of secrets) expect({ secret, kept: isIn(kept, secret) }).toEqual({ secret, kept: false });
  expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await people.stop();
  await Promise.all([database.close(), mailbox.close(), provider.close()]);
});

/** Six digits may occur by chance within a number or a hash, which reveals nothing. */
const isIn = (text: string, secret: string): boolean =>
  /^\d{6}$/.test(secret) ? new RegExp(`(?<![\\da-f])${secret}(?![\\da-f])`).test(text) : text.includes(secret);
const hide = <T extends string | undefined>(text: T): T => {
  if (text) secrets.add(text);
  return text;
};
const refusal = ({ status, body }: Reply) => [status, body.error, ...(body.field ? [body.field] : [])];
/** Short enough to be a username. */
const newEmail = (): string => `p${++counted}@example.com`;
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

async function solved(): Promise<string> {
  const { challenge } = await anybody.must(R.captcha, { params: { type: 'challenge' } });
  return solvePuzzle(challenge ?? {});
}

type Purpose = 'register' | 'reset' | 'contact';
const askCode = async (email: string, purpose: Purpose = 'register', captcha?: string): Promise<Reply> =>
  anybody.call(R.captcha, {
    params: { type: 'email' },
    body: { email, purpose, captcha: captcha ?? (await solved()) },
  });

async function codeFor(email: string, purpose: Purpose): Promise<string> {
  expect((await askCode(email, purpose)).status).toBe(200);
  // An earlier one to the same address is not meant.
  await people.mails.settle();
  const mail = await mailbox.newest(email, /verification code is/);
  return hide(/\d{6}/.exec(mail.text ?? '')?.[0] ?? '');
}

async function registerTicket(email: string): Promise<string> {
  const code = await codeFor(email, 'register');
  const { ticket } = await anybody.must(R.verifyRegistration, { body: { email, code } });
  return hide(ticket);
}

interface Person {
  id: string;
  name: string;
  email: string;
}

async function person(name = `person.${counted + 1}`): Promise<Person> {
  const email = newEmail();
  const ticket = await registerTicket(email);
  const body = { username: name, password: PASSWORD, ticket, terms_version: '3' };
  const { account_id } = await anybody.must(R.register, { body });
  return { id: account_id, name, email };
}

const logIn = (account: string, password = PASSWORD, ip = '192.0.2.1'): Promise<Reply> =>
  anybody.call(R.login, { body: { account, password }, ...from(ip) });

async function signedIn({ name }: Person): Promise<HttpClient> {
  const { status, body } = await logIn(name);
  expect(status).toBe(200);
  return anybody.with(hide(body.result.token));
}

describe('captcha/{type}', () => {
  test('200: a puzzle; solved, a code by mail, in the language that is asked for', async () => {
    const email = newEmail();
    const captcha = await solved();
    const answer = await anybody.call(R.captcha, {
      params: { type: 'email' },
      body: { email, captcha },
      headers: { 'accept-language': 'ja' },
    });
    expect([answer.status, answer.body.result]).toEqual([200, { resend_after_s: 60 }]);
    const mail = await mailbox.newest(email);
    expect(mail.subject).toBe('Gantry の確認コード');
    expect(mail.text).toMatch(/確認コードは \d{6} です/);
    expect(mail.from?.address).toBe('no-reply@gantry.example');
  });

  test.each([
    ['no address', { captcha: 'x' }, [400, 'email_rule', 'email']],
    ['a broken address', { email: 'nobody', captcha: 'x' }, [400, 'email_rule', 'email']],
    ['no puzzle', { email: 'a@example.com' }, [400, 'captcha_missing', 'captcha']],
    ['an unsolved puzzle', { email: 'a@example.com', captcha: 'e30=' }, [400, 'captcha_missing', 'captcha']],
    ['an unknown field', { email: 'a@example.com', captcha: 'x', admin: true }, [400, 'invalid_field', 'admin']],
  ])('400: %s', async (_, body, expected) => {
    expect(refusal(await anybody.call(R.captcha, { params: { type: 'email' }, body }))).toEqual(expected);
  });

  test('400: a kind of captcha that there is not, and by phone where people register by e-mail', async () => {
    expect(refusal(await anybody.call(R.captcha, { params: { type: 'fax' } }))).toEqual([400, 'invalid_field', 'type']);
    const phone = await anybody.call(R.captcha, {
      params: { type: 'phone' },
      body: { phone: '+819012345678', captcha: await solved() },
    });
    expect(refusal(phone)).toEqual([400, 'register_type_closed']);
  });

  test('409: texts where nothing sends them', async () => {
    const body = { phone: '+819012345678', captcha: await solved(), purpose: 'reset' as const };
    expect(refusal(await anybody.call(R.captcha, { params: { type: 'phone' }, body }))).toEqual([409, 'cannot_send']);
  });

  test('400: the same solved puzzle again', async () => {
    const captcha = await solved();
    expect((await askCode(newEmail(), 'register', captcha)).status).toBe(200);
    expect(refusal(await askCode(newEmail(), 'register', captcha))).toEqual([400, 'captcha_missing', 'captcha']);
  });

  test('429: another code within the minute, and when to come again', async () => {
    const email = newEmail();
    expect((await askCode(email)).status).toBe(200);
    await clock.step(20_000);
    const answer = await askCode(email);
    expect([...refusal(answer), answer.headers.get('retry-after')]).toEqual([429, 'code_too_soon', '40']);
  });

  test('429: an address gets ten codes a day', async () => {
    const email = newEmail();
    for (let sent = 0; sent < 10; sent++) {
      expect((await askCode(email)).status).toBe(200);
      await clock.step(10 * MINUTE);
    }
    expect(refusal(await askCode(email))).toEqual([429, 'too_many_attempts']);
  });

  test('200: who was there before gets a code although strangers have used up those of the day', async () => {
    const one = await person();
    await signedIn(one);
    await clock.step(MINUTE);
    await database.sql
      .update(counters)
      .set({ count: 10 })
      .where(eq(counters.key, `code:${one.email}`));
    const ask = async (ip: string) => {
      const body = { email: one.email, purpose: 'reset' as const, captcha: await solved() };
      return anybody.call(R.captcha, { params: { type: 'email' }, body, ...from(ip) });
    };
    expect(refusal(await ask('192.0.2.2'))).toEqual([429, 'too_many_attempts']);
    expect((await ask('192.0.2.1')).status).toBe(200);
  });

  test('says the same of an address that has an account; its owner is told', async () => {
    const { email, name } = await person();
    await clock.step(MINUTE);
    const [known, unknown] = [await askCode(email), await askCode(newEmail())];
    expect([known.status, known.body.result]).toEqual([unknown.status, unknown.body.result]);
    expect((await mailbox.newest(email, /already have/)).text).toContain(name);
    const nobody = newEmail();
    const reset = await askCode(nobody, 'reset');
    expect([reset.status, reset.body.result]).toEqual([known.status, known.body.result]);
  });
});

describe('register', () => {
  test('201: an account with its own organisation, which the cluster is to hear of', async () => {
    const { id, name, email } = await person();
    const [row] = await database.sql.select().from(accounts);
    expect(row).toMatchObject({ id, name, email, termsVersion: '3', locale: 'en', mustChangePassword: false });
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const [own] = await database.sql.select().from(organizations);
    expect(own).toMatchObject({ personalOf: id, currency: 'USD', isNew: true });
    expect(await database.sql.select().from(memberships)).toMatchObject([{ accountId: id, role: 'owner' }]);
    expect(woken).toEqual([own?.id]);
  });

  test.each([
    ['no name', { username: '' }, [400, 'username_required', 'username'], 'Please enter a username'],
    ['a short name', { username: 'abcd' }, [400, 'username_rule', 'username'], 'has 5 to 20 letters'],
    ['a name of lookalikes', { username: 'аdmin' }, [400, 'username_rule', 'username'], 'has 5 to 20 letters'],
    ['another’s address', { username: 'boss@example.com' }, [400, 'username_email', 'username'], 'verified one'],
    ['a weak password', { password: 'abcdefgh' }, [400, 'password_rule', 'password'], '8 to 16 characters'],
    ['a common password', { password: 'Passw0rd' }, [400, 'password_guessable', 'password'], 'easy to guess'],
    ['one with the name', { password: 'Newcomer-77' }, [400, 'password_guessable', 'password'], 'easy to guess'],
    ['old terms', { terms_version: '2' }, [400, 'terms_not_accepted', 'terms_version'], 'Version 3 of the terms'],
    ['an invented ticket', { ticket: 'x'.repeat(43) }, [400, 'registration_failed'], 'Registration failed.'],
    ['a role', { role: 'administrator' }, [400, 'invalid_field', 'role'], 'role'],
  ])('400: %s', async (_, wrong, expected, sentence) => {
    const ticket = await registerTicket(newEmail());
    const right = { username: 'newcomer', password: PASSWORD, ticket, terms_version: '3' };
    const answer = await anybody.call(R.register, { body: { ...right, ...wrong } });
    expect(refusal(answer)).toEqual(expected);
    expect(answer.body.message).toContain(sentence);
    expect(await database.sql.$count(accounts)).toBe(0);
    // It cost no ticket.
    expect((await anybody.call(R.register, { body: right })).status).toBe(201);
  });

  test('the sentences come in the language that is asked for', async () => {
    const say = async (language: string) => {
      const body = { username: 'newcomer', password: PASSWORD, ticket: 'x', terms_version: '3' };
      return (await anybody.call(R.register, { body, headers: { 'accept-language': language } })).body.message;
    };
    expect([await say('zh-CN'), await say('ja')]).toEqual(['注册失败。', '登録に失敗しました。']);
  });

  test('400: the ticket again', async () => {
    const ticket = await registerTicket(newEmail());
    const body = { username: 'newcomer', password: PASSWORD, ticket, terms_version: '3' };
    expect((await anybody.call(R.register, { body })).status).toBe(201);
    expect(refusal(await anybody.call(R.register, { body: { ...body, username: 'another' } }))).toEqual([
      400,
      'registration_failed',
    ]);
  });

  test('409: a name that somebody has, without case', async () => {
    await person('Somebody');
    const ticket = await registerTicket(newEmail());
    const body = { username: 'sOMEBODY', password: PASSWORD, ticket, terms_version: '3' };
    expect(refusal(await anybody.call(R.register, { body }))).toEqual([409, 'username_taken', 'username']);
    expect((await anybody.call(R.register, { body: { ...body, username: 'else.where' } })).status).toBe(201);
  });

  test('one of ten who use one ticket at once gets an account', async () => {
    const ticket = await registerTicket(newEmail());
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, each) =>
        anybody.call(R.register, {
          body: { username: `person.x${each}`, password: PASSWORD, ticket, terms_version: '3' },
        }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
    expect(await database.sql.$count(organizations)).toBe(1);
  });
});

describe('register/verify', () => {
  test('400: a wrong code, and the right one after five of them', async () => {
    const email = newEmail();
    const code = await codeFor(email, 'register');
    const wrong = `${(Number(code) + 1) % 1_000_000}`.padStart(6, '0');
    for (let tries = 0; tries < 5; tries++) {
      const answer = await anybody.call(R.verifyRegistration, { body: { email, code: wrong } });
      expect([...refusal(answer), answer.body.message]).toEqual([
        400,
        'code_wrong',
        'code',
        'Verification code error.',
      ]);
    }
    expect(refusal(await anybody.call(R.verifyRegistration, { body: { email, code } }))).toEqual([
      400,
      'code_wrong',
      'code',
    ]);
  });

  test('400: both addresses, none, or no digits', async () => {
    const ask = async (body: object) =>
      refusal(await anybody.call(R.verifyRegistration, { body: body as { code: string } }));
    expect(await ask({ code: '123456' })).toEqual([400, 'email_rule', 'email']);
    const both = { email: 'a@example.com', phone: '+819012345678', code: '123456' };
    expect(await ask(both)).toEqual([400, 'email_rule', 'email']);
    expect(await ask({ email: 'a@example.com', code: '12345x' })).toEqual([400, 'code_wrong', 'code']);
  });

  test('429: too many wrong ones from one address', async () => {
    let answer: Reply | undefined;
    for (let tries = 0; tries < 51; tries++)
      answer = await anybody.call(R.verifyRegistration, { body: { email: newEmail(), code: '000000' } });
    expect(answer && refusal(answer)).toEqual([429, 'too_many_attempts']);
  });
});

describe('login', () => {
  test('200: by name or address, and the token works', async () => {
    const { id, name, email } = await person();
    for (const account of [name, name.toUpperCase(), email]) {
      const { status, body } = await logIn(account);
      expect(status).toBe(200);
      const me = await anybody.with(hide(body.result.token)).must(R.getMe);
      expect(me).toMatchObject({ account_id: id, username: name, email, role: 'owner', org_id: body.result.org_id });
    }
  });

  test('400: a wrong password and an unknown account look alike', async () => {
    const { name } = await person();
    const [wrong, unknown] = [await logIn(name, 'Wrong-pass-77'), await logIn('nobody.at.all', 'Wrong-pass-77')];
    expect(refusal(wrong)).toEqual([400, 'login_failed']);
    const { request_id: _one, ...first } = wrong.body;
    const { request_id: _two, ...second } = unknown.body;
    expect(first).toEqual(second);
  });

  test('400: half of one way in, or two of them', async () => {
    for (const body of [
      {},
      { account: 'alice' },
      { password: PASSWORD },
      { ticket: 'x' },
      { account: 'alice', password: PASSWORD, provider: 'oidc' },
    ])
      expect(refusal(await anybody.call(R.login, { body }))).toEqual([400, 'login_by_what']);
  });

  test('400: a closed account, which is told only to whoever knows the password', async () => {
    const { id, name } = await person();
    await database.sql.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, id));
    expect(refusal(await logIn(name))).toEqual([400, 'account_closed']);
    expect(refusal(await logIn(name, 'Wrong-pass-77'))).toEqual([400, 'login_failed']);
  });

  test('429: the sixth guess from one network, with the right password, too; elsewhere the owner gets in', async () => {
    const owner = await person();
    const here = (host: number) => `2001:db8:1:2::${host}`;
    for (let guess = 0; guess < 5; guess++)
      expect((await logIn(owner.name, `Wrong-pass-${guess}`, here(guess))).status).toBe(400);
    const answer = await logIn(owner.name, PASSWORD, here(9));
    expect([...refusal(answer), answer.headers.get('retry-after')]).toEqual([429, 'too_many_attempts', '900']);
    const elsewhere = await logIn(owner.name, PASSWORD, '2001:db8:1:3::1');
    expect([elsewhere.status, !!hide(elsewhere.body.result.token)]).toEqual([200, true]);
    await clock.step(15 * MINUTE);
    expect((await logIn(owner.name, PASSWORD, here(9))).status).toBe(200);
  });

  test('429: of twenty guesses at the same moment five are looked at', async () => {
    const one = await person();
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, guess) => logIn(one.name, `Wrong-pass-${guess}`, '192.0.2.1')),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('429: guesses from everywhere shut an account for strangers, not for where its owner was before', async () => {
    const owner = await person();
    expect((await logIn(owner.name, PASSWORD, '198.51.100.1')).status).toBe(200);
    for (let guess = 0; guess < 30; guess++)
      expect((await logIn(owner.name, 'Wrong-pass-77', `192.0.2.${guess}`)).status).toBe(400);
    expect((await logIn(owner.name, PASSWORD, '192.0.2.99')).status).toBe(429);
    expect((await logIn(owner.name, PASSWORD, '198.51.100.1')).status).toBe(200);
  });
});

describe('the first administrator', () => {
  test('gets no token before the password is changed', async () => {
    const made = await people.bootstrap(async () => undefined);
    const { name, password } = made ?? { name: '', password: '' };
    hide(password);
    const first = (await logIn(name, password)).body.result;
    expect(first).toEqual({ must_change_password: true, ticket: expect.any(String) });
    const ticket = hide(first.ticket);
    expect(refusal(await anybody.call(R.resetPassword, { body: { ticket, password } }))).toEqual([
      400,
      'password_same',
      'password',
    ]);
    expect((await anybody.call(R.resetPassword, { body: { ticket, password: PASSWORD } })).status).toBe(200);
    expect((await logIn(name, password)).status).toBe(400);
    const me = await (await signedIn({ name, id: '', email: '' })).must(R.getMe);
    expect(me).toMatchObject({ username: 'admin', platform_roles: ['administrator'] });
  });
});

describe('a first administrator whose password was chosen', () => {
  test('logs in with it, and has to change it', async () => {
    const made = await people.bootstrap(async () => undefined, 'Chosen-by-helm-1');
    const first = (await logIn(made?.name ?? '', 'Chosen-by-helm-1')).body.result;
    expect(first).toEqual({ must_change_password: true, ticket: expect.any(String) });
    hide(first.ticket);
  });
});

describe('a forgotten password', () => {
  test('200: is set anew by a code; all sessions end, guesses are forgotten, and the owner is told', async () => {
    const owner = await person();
    const session = await signedIn(owner);
    for (let guess = 0; guess < 30; guess++)
      await guarded(database.sql, { who: owner.id, network: `192.0.2.${guess}`, now: clock.now() }, async () => false);
    const code = await codeFor(owner.email, 'reset');
    const { ticket } = await anybody.must(R.verifyReset, { body: { email: owner.email, code } });
    hide(ticket);
    const password = hide('Other-pass-88');
    expect((await anybody.call(R.resetPassword, { body: { ticket, password }, ...from('198.51.100.9') })).status).toBe(
      200,
    );
    expect((await session.call(R.getMe)).status).toBe(401);
    expect((await logIn(owner.name, PASSWORD, '198.51.100.9')).status).toBe(400);
    expect((await logIn(owner.name, password, '198.51.100.9')).status).toBe(200);
    expect((await mailbox.newest(owner.email, /was changed/)).text).toContain(owner.name);
    const again = await anybody.call(R.resetPassword, { body: { ticket, password: 'Third-pass-99' } });
    expect([...refusal(again), again.body.message]).toEqual([400, 'modification_failed', 'Modification failed.']);
  });

  test('400: a code for registering, a ticket for registering, a weak password', async () => {
    const email = newEmail();
    const code = await codeFor(email, 'register');
    expect(refusal(await anybody.call(R.verifyReset, { body: { email, code } }))).toEqual([400, 'code_wrong', 'code']);
    const { ticket } = await anybody.must(R.verifyRegistration, { body: { email, code } });
    expect(refusal(await anybody.call(R.resetPassword, { body: { ticket, password: PASSWORD } }))).toEqual([
      400,
      'modification_failed',
    ]);
    expect(refusal(await anybody.call(R.resetPassword, { body: { ticket, password: 'short' } }))).toEqual([
      400,
      'password_rule',
      'password',
    ]);
  });

  test('400: a common password, and one with the name, by a reset and by a change; the ticket stays good', async () => {
    const owner = await person();
    const session = await signedIn(owner);
    const guessable = [400, 'password_guessable', 'password'];
    const change = { old_password: PASSWORD, password: 'Trustno1' };
    expect(refusal(await session.call(R.editAccount, { params: { id: owner.id }, body: change }))).toEqual(guessable);
    const code = await codeFor(owner.email, 'reset');
    const { ticket } = await anybody.must(R.verifyReset, { body: { email: owner.email, code } });
    for (const password of ['Trustno1', `1-${owner.name}`])
      expect(refusal(await anybody.call(R.resetPassword, { body: { ticket: hide(ticket), password } }))).toEqual(
        guessable,
      );
    expect((await anybody.call(R.resetPassword, { body: { ticket, password: hide('Other-pass-88') } })).status).toBe(
      200,
    );
  });
});

describe('sessions', () => {
  test('a logout ends the token with the next request', async () => {
    const session = await signedIn(await person());
    expect((await session.call(R.logout)).status).toBe(200);
    const after = await session.call(R.getMe);
    expect([...refusal(after), after.body.message]).toEqual([401, 'unauthenticated', 'no valid user token provided']);
    expect((await session.call(R.logout)).status).toBe(401);
  });

  test('a switch gives a token for another organisation; no member: 404, as of one that is not', async () => {
    const [one, two] = [await person(), await person()];
    const session = await signedIn(one);
    const made = await database.transaction((tx) =>
      makeOrganization(tx, { name: 'Acme', owner: one.id, isPersonal: false, currency: 'USD', now: clock.now() }),
    );
    const { token, org_id } = await session.must(R.switchOrganization, { body: { org_id: made.id } });
    expect(org_id).toBe(made.id);
    expect((await anybody.with(hide(token)).must(R.getMe)).org_id).toBe(made.id);
    const [theirs] = await database.sql.select().from(organizations).where(eq(organizations.personalOf, two.id));
    for (const org of [theirs?.id ?? '', 'nowhere1'])
      expect(refusal(await session.call(R.switchOrganization, { body: { org_id: org } }))).toEqual([404, 'not_found']);
    await clock.step(MINUTE);
    expect((await session.call(R.getMe)).status).toBe(401);
  });

  test('a logout also ends the one that was switched away from', async () => {
    const one = await person();
    const [before, elsewhere] = [await signedIn(one), await signedIn(one)];
    const { org_id } = await before.must(R.getMe);
    const { token } = await before.must(R.switchOrganization, { body: { org_id } });
    expect((await before.call(R.getMe)).status).toBe(200);
    await anybody.with(hide(token)).must(R.logout);
    expect([(await before.call(R.getMe)).status, (await elsewhere.call(R.getMe)).status]).toEqual([401, 200]);
  });

  test('one that was switched away from is listed to nobody but itself', async () => {
    const one = await person();
    const before = await signedIn(one);
    const { org_id } = await before.must(R.getMe);
    const { token } = await before.must(R.switchOrganization, { body: { org_id } });
    const isCurrent = ({ is_current }: { is_current: boolean }) => is_current;
    expect((await anybody.with(hide(token)).must(R.listSessions)).map(isCurrent)).toEqual([true]);
    expect((await before.must(R.listSessions)).map(isCurrent).sort()).toEqual([false, true]);
  });

  test('are listed page by page, and ended one by one by whose they are', async () => {
    const [one, two] = [await person(), await person()];
    const [first, second, foreign] = [await signedIn(one), await signedIn(one), await signedIn(two)];
    const page = await first.call(R.listSessions, { query: { size: 1, page: 2 } });
    expect([page.body.data.length, page.body.paginated.total_num]).toEqual([1, 2]);
    const all = await first.must(R.listSessions);
    expect(all.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const id = all.find(({ is_current }) => !is_current)?.id ?? '';
    expect(refusal(await foreign.call(R.endSession, { params: { id } }))).toEqual([404, 'not_found']);
    expect((await first.call(R.endSession, { params: { id } })).status).toBe(200);
    expect((await second.call(R.getMe)).status).toBe(401);
    expect((await first.call(R.getMe)).status).toBe(200);
  });

  test.each(Object.values(R).filter(({ access }) => access === 'account'))(
    '401: $id without a token',
    async (route) => {
      const answer = await anybody.fetch(`/api${route.path.replace('{id}', 'acc-1')}`, { method: route.method });
      const { error } = (await answer.json()) as { error: string };
      expect([answer.status, error]).toEqual([401, 'unauthenticated']);
    },
  );
});

describe('account/{id}', () => {
  test('404: another’s, to read and to edit', async () => {
    const [one, two] = [await person(), await person()];
    const session = await signedIn(one);
    for (const id of [two.id, 'acc-00000000']) {
      expect(refusal(await session.call(R.getAccount, { params: { id } }))).toEqual([404, 'not_found']);
      expect(refusal(await session.call(R.editAccount, { params: { id }, body: { locale: 'ja' } }))).toEqual([
        404,
        'not_found',
      ]);
    }
    expect((await session.must(R.getAccount, { params: { id: one.id } })).username).toBe(one.name);
  });

  test('200: name and language', async () => {
    const one = await person();
    const session = await signedIn(one);
    const params = { id: one.id };
    const { account } = await session.must(R.editAccount, { params, body: { username: 'renamed.1', locale: 'zh' } });
    expect(account).toMatchObject({ username: 'renamed.1', locale: 'zh' });
    expect((await session.must(R.getMe)).username).toBe('renamed.1');
    const { name } = await person();
    expect(refusal(await session.call(R.editAccount, { params, body: { username: name.toUpperCase() } }))).toEqual([
      409,
      'username_taken',
      'username',
    ]);
  });

  test('200: a new password gives a new token and ends every other session', async () => {
    const one = await person();
    const [session, other] = [await signedIn(one), await signedIn(one)];
    const body = { old_password: PASSWORD, password: hide('Other-pass-88') };
    const { token } = await session.must(R.editAccount, { params: { id: one.id }, body });
    expect((await anybody.with(hide(token ?? '')).call(R.getMe)).status).toBe(200);
    expect([(await session.call(R.getMe)).status, (await other.call(R.getMe)).status]).toEqual([401, 401]);
    expect((await logIn(one.name, 'Other-pass-88')).status).toBe(200);
  });

  /** Creates an API token and a kubeconfig for somebody; returns how many of them are still valid. */
  async function credentialsOf(accountId: string, organizationId: string): Promise<() => Promise<number[]>> {
    const createdAt = new Date(clock.now());
    const held = { accountId, organizationId, remark: 'ci', createdAt, expiresAt: new Date(clock.now() + 3_600_000) };
    await database.sql
      .insert(apiTokens)
      .values({ ...held, id: `tok-${accountId}`, tokenHash: accountId, scopes: ['view'] });
    await database.sql.insert(kubeconfigs).values({ ...held, id: `kcf-${accountId}` });
    const good = and(eq(kubeconfigs.accountId, accountId), isNull(kubeconfigs.revokedAt));
    return async () => [
      await database.sql.$count(apiTokens, eq(apiTokens.accountId, accountId)),
      await database.sql.$count(kubeconfigs, good),
    ];
  }

  test.each([
    ['revoked', undefined, [0, 0], /API tokens and kubeconfigs are revoked/],
    ['kept where that is wanted', true, [1, 1], /API tokens and kubeconfigs still work/],
  ])('a new password: API tokens and kubeconfigs are %s, and the mail says so', async (_, keep_tokens, left, says) => {
    const [one, two] = [await person(), await person()];
    const session = await signedIn(one);
    const { org_id } = await session.must(R.getMe);
    const good = await credentialsOf(one.id, org_id);
    const others = await credentialsOf(two.id, org_id);
    const body = { old_password: PASSWORD, password: hide('Other-pass-88'), keep_tokens };
    const { token } = await session.must(R.editAccount, { params: { id: one.id }, body });
    hide(token ?? '');
    expect(await good()).toEqual(left);
    expect(await others()).toEqual([1, 1]);
    await mailbox.newest(one.email, says);
    const reason = keep_tokens ? undefined : 'revoked with the password: 1 API tokens, 1 kubeconfigs';
    expect(audit.at(-1)).toMatchObject({ action: 'editAccount', reason });
    expect(woken).toContain('leftovers');
  });

  test('a password that is reset revokes API tokens and kubeconfigs', async () => {
    const one = await person();
    const session = await signedIn(one);
    const good = await credentialsOf(one.id, (await session.must(R.getMe)).org_id);
    const code = await codeFor(one.email, 'reset');
    const { ticket } = await anybody.must(R.verifyReset, { body: { email: one.email, code } });
    await anybody.must(R.resetPassword, { body: { ticket: hide(ticket), password: hide('Other-pass-88') } });
    expect(await good()).toEqual([0, 0]);
    await mailbox.newest(one.email, /API tokens and kubeconfigs are revoked/);
    expect(audit.at(-1)).toMatchObject({
      action: 'resetPassword',
      object: `Account/${one.id}`,
      reason: 'revoked with the password: 1 API tokens, 1 kubeconfigs',
    });
  });

  test('400, then 429: a wrong old password, or none', async () => {
    const one = await person();
    const session = await signedIn(one);
    const change = (body: object) => session.call(R.editAccount, { params: { id: one.id }, body });
    const answer = await change({ old_password: 'Wrong-pass-77', password: 'Other-pass-88' });
    expect([...refusal(answer), answer.body.message]).toEqual([
      400,
      'old_password_wrong',
      'old_password',
      'Incorrect old password.',
    ]);
    expect(refusal(await change({ password: 'Other-pass-88' }))).toEqual([400, 'old_password_wrong', 'old_password']);
    expect(refusal(await change({ old_password: PASSWORD, password: PASSWORD }))).toEqual([
      400,
      'password_same',
      'password',
    ]);
    for (let guess = 0; guess < 5; guess++)
      await change({ old_password: `Wrong-pass-${guess}`, password: 'Other-pass-88' });
    expect(refusal(await change({ old_password: PASSWORD, password: 'Other-pass-88' }))).toEqual([
      429,
      'too_many_attempts',
    ]);
  });

  test('200: a new address by its code; the old one is told', async () => {
    const one = await person();
    const session = await signedIn(one);
    const email = newEmail();
    const change = (body: object) => session.call(R.editAccount, { params: { id: one.id }, body });
    expect(refusal(await change({ email, old_password: PASSWORD, code: '000000' }))).toEqual([
      400,
      'code_wrong',
      'code',
    ]);
    const code = await codeFor(email, 'contact');
    const { account } = (await change({ email, old_password: PASSWORD, code })).body.result;
    expect(account.email).toBe(email);
    expect((await mailbox.newest(one.email, /no longer uses/)).text).toContain(one.name);
    expect((await logIn(email)).status).toBe(200);
    expect((await logIn(one.email)).status).toBe(400);
  });

  test('400: two addresses at once, of which the code would prove one', async () => {
    const one = await person();
    const session = await signedIn(one);
    const email = newEmail();
    const body = {
      email,
      phone: '+819012345678',
      old_password: PASSWORD,
      code: await codeFor(email, 'contact'),
    };
    expect(refusal(await session.call(R.editAccount, { params: { id: one.id }, body }))).toEqual([
      400,
      'email_rule',
      'email',
    ]);
    expect(await session.must(R.getMe)).toMatchObject({ email: one.email, phone_num: null });
  });

  test('400: another address while one is called by the old one, which somebody else may have next', async () => {
    const one = await person();
    const session = await signedIn(one);
    const params = { id: one.id };
    await session.must(R.editAccount, { params, body: { username: one.email } });
    const email = newEmail();
    const body = { email, old_password: PASSWORD, code: await codeFor(email, 'contact') };
    expect(refusal(await session.call(R.editAccount, { params, body }))).toEqual([400, 'username_email', 'username']);
  });

  test('409: an address that somebody registered after its code was sent', async () => {
    const [one, two] = [await person(), await person()];
    const session = await signedIn(one);
    const email = newEmail();
    const code = await codeFor(email, 'contact');
    await database.sql.update(accounts).set({ email }).where(eq(accounts.id, two.id));
    const body = { email, old_password: PASSWORD, code };
    expect(refusal(await session.call(R.editAccount, { params: { id: one.id }, body }))).toEqual([
      409,
      'address_taken',
      'email',
    ]);
  });
});

describe('a second factor', () => {
  const codeNow = (secret: string): string => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });

  async function withTotp() {
    const one = await person();
    const [session, other] = [await signedIn(one), await signedIn(one)];
    const { secret, uri } = await session.must(R.enrolTotp, { body: { password: PASSWORD } });
    hide(secret);
    expect(uri).toContain(secret);
    const { recovery_codes } = await session.must(R.confirmTotp, { body: { code: codeNow(secret) } });
    for (const each of recovery_codes) hide(each);
    await clock.step(MINUTE);
    expect((await other.call(R.getMe)).status).toBe(401);
    return { one, session, secret, recovery: recovery_codes };
  }

  async function firstStep({ name }: Person): Promise<string> {
    const { body } = await logIn(name);
    expect(body.result).toEqual({ second_factor: true, ticket: expect.any(String) });
    return hide(body.result.ticket);
  }

  test('200: is asked for after the password; a code of the authenticator, or a recovery code, gives the token', async () => {
    const { one, secret, recovery } = await withTotp();
    for (const code of [codeNow(secret), recovery[0] ?? '']) {
      const ticket = await firstStep(one);
      const { token } = await anybody.must(R.login, { body: { ticket, code } });
      expect((await anybody.with(hide(token ?? '')).must(R.getMe)).second_factor).toBe(true);
      // Neither comes in twice.
      expect(refusal(await anybody.call(R.login, { body: { ticket, code } }))).toEqual([400, 'login_over']);
      const next = await firstStep(one);
      expect(refusal(await anybody.call(R.login, { body: { ticket: next, code } }))).toEqual([
        400,
        'code_wrong',
        'code',
      ]);
    }
  });

  test('200: is still asked for after the password was reset by mail', async () => {
    const { one, secret } = await withTotp();
    const code = await codeFor(one.email, 'reset');
    const { ticket } = await anybody.must(R.verifyReset, { body: { email: one.email, code } });
    const password = hide('Other-pass-88');
    expect((await anybody.call(R.resetPassword, { body: { ticket: hide(ticket), password } })).status).toBe(200);
    const { body } = await logIn(one.name, password);
    expect(body.result).toEqual({ second_factor: true, ticket: expect.any(String) });
    const next = { ticket: hide(body.result.ticket), code: codeNow(secret) };
    expect((await anybody.call(R.login, { body: next })).status).toBe(200);
  });

  test('400, then 429: wrong codes, for whoever knows the password', async () => {
    const { one, secret } = await withTotp();
    const tries: unknown[] = [];
    for (let guess = 0; guess < 6; guess++) {
      const { status, body } = await logIn(one.name);
      if (status !== 200) tries.push(status);
      else
        tries.push(
          (
            await anybody.call(R.login, {
              body: { ticket: hide(body.result.ticket), code: '000000' },
              ...from('192.0.2.1'),
            })
          ).status,
        );
    }
    expect(tries).toEqual([400, 400, 400, 400, 400, 429]);
    const ticket = (await logIn(one.name, PASSWORD, '192.0.2.2')).body.result.ticket;
    const again = await anybody.call(R.login, { body: { ticket, code: codeNow(secret) }, ...from('192.0.2.1') });
    expect(refusal(again)).toEqual([429, 'too_many_attempts']);
  });

  test('409 and 400: is turned on once and off with the password', async () => {
    const { one, session } = await withTotp();
    expect(refusal(await session.call(R.enrolTotp, { body: { password: PASSWORD } }))).toEqual([409, 'totp_on']);
    expect(refusal(await session.call(R.confirmTotp, { body: { code: '000000' } }))).toEqual([409, 'totp_on']);
    expect(refusal(await session.call(R.dropTotp, { body: {} }))).toEqual([400, 'old_password_wrong', 'old_password']);
    expect((await session.call(R.dropTotp, { body: { password: PASSWORD } })).status).toBe(200);
    expect(refusal(await session.call(R.dropTotp, { body: { password: PASSWORD } }))).toEqual([409, 'totp_off']);
    expect((await logIn(one.name)).body.result.token).toBeDefined();
    expect(refusal(await session.call(R.enrolTotp, { body: {} }))).toEqual([400, 'old_password_wrong', 'old_password']);
    expect(refusal(await session.call(R.confirmTotp, { body: { code: '000000' } }))).toEqual([
      400,
      'code_wrong',
      'code',
    ]);
  });
});

describe('a login at a provider', () => {
  async function begin(more: object = { terms_version: '3' }) {
    const answer = await anybody.call(R.login, { body: { provider: 'oidc', ...more } });
    const { id, url, secret } = answer.body.result;
    hide(secret);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    hide(cookie.split('=')[1]);
    return { id, url, secret, cookie, facts: answer.headers.get('set-cookie') };
  }
  const fetchToken = (id: string, secret: string): Promise<Reply> =>
    anybody.call(R.getLogin, { params: { id }, headers: { 'x-login-secret': secret } });

  /** Visits the provider with the browser and returns with its cookie. Resolves with the final address. */
  async function visit(url: string, cookie: string): Promise<string | null> {
    const back = await provider.signIn(url);
    const answer = await fetch(back, { redirect: 'manual', headers: { cookie } });
    expect([answer.status, answer.status === 303 ? '' : await answer.text()]).toEqual([303, '']);
    return answer.headers.get('location');
  }

  test('200: pending, then the token once, to the browser that began it; a new account with its organisation', async () => {
    provider.person = { sub: 'sub-1', email: newEmail(), email_verified: true, preferred_username: 'Ada Lovelace!' };
    const { id, url, secret, cookie, facts } = await begin();
    expect(facts).toMatch(/HttpOnly; SameSite=Lax/);
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    expect((await fetchToken(id, secret)).body.result).toEqual({ id, pending: true });
    expect(await visit(url, cookie)).toBe(`${people.publicUrl}/login?login=${id}`);
    expect(refusal(await fetchToken(id, 'guess'))).toEqual([404, 'not_found']);
    expect(refusal(await anybody.call(R.getLogin, { params: { id } }))).toEqual([404, 'not_found']);
    const { status, body } = await fetchToken(id, secret);
    expect(status).toBe(200);
    expect(await anybody.with(hide(body.result.token)).must(R.getMe)).toMatchObject({
      username: 'AdaLovelace',
      email: provider.person.email,
      has_password: false,
      role: 'owner',
    });
    expect(refusal(await fetchToken(id, secret))).toEqual([404, 'not_found']);
    const object = `Account/${body.result.account_id}`;
    const entries = audit.filter((entry) => (entry as { object?: string }).object === object);
    expect(entries).toMatchObject([{ action: 'getLogin', decision: 'allowed' }]);
  });

  test('the same person gets the same account, and a name that is taken four more characters', async () => {
    const ids: string[] = [];
    for (const sub of ['sub-1', 'sub-1', 'sub-2']) {
      provider.person = { sub, preferred_username: 'ada.lovelace' };
      const { id, url, secret, cookie } = await begin();
      await visit(url, cookie);
      ids.push((await fetchToken(id, secret)).body.result.account_id);
    }
    expect(ids[0]).toBe(ids[1]);
    const [other] = await database.sql
      .select()
      .from(accounts)
      .where(eq(accounts.id, ids[2] ?? ''));
    expect(other).toMatchObject({ name: expect.stringMatching(/^ada\.lovelace-[0-9a-z]{4}$/), email: null });
  });

  test('an address that the provider has verified links to its account, any other does not', async () => {
    const one = await person();
    provider.person = { sub: 'sub-1', email: one.email, email_verified: true };
    const verified = await begin({});
    await visit(verified.url, verified.cookie);
    expect((await fetchToken(verified.id, verified.secret)).body.result.account_id).toBe(one.id);
    provider.person = { sub: 'sub-2', email: one.email, email_verified: false };
    const claimed = await begin();
    await visit(claimed.url, claimed.cookie);
    const { account_id } = (await fetchToken(claimed.id, claimed.secret)).body.result;
    expect(account_id).not.toBe(one.id);
  });

  test('400: whoever comes back without the cookie of the beginning is not logged in, nor is who began it', async () => {
    provider.person = { sub: 'sub-1', preferred_username: 'ada.lovelace' };
    const { id, url, secret } = await begin();
    await visit(url, 'gantry-login=guess');
    const answer = await fetchToken(id, secret);
    expect([...refusal(answer), answer.body.message]).toEqual([
      400,
      'provider_refused',
      'The login at Elsewhere failed; start again.',
    ]);
    expect(await database.sql.$count(accounts)).toBe(0);
  });

  test('400: the terms were not accepted and there is no account yet', async () => {
    provider.person = { sub: 'sub-1', preferred_username: 'ada.lovelace' };
    const { id, url, secret, cookie } = await begin({});
    await visit(url, cookie);
    const answer = await fetchToken(id, secret);
    expect([...refusal(answer), answer.body.message]).toEqual([
      400,
      'terms_not_accepted',
      'Version 3 of the terms must be accepted.',
    ]);
  });

  test('400: the provider refused, or the code is used a second time', async () => {
    provider.person = { sub: 'sub-1', preferred_username: 'ada.lovelace' };
    const { id, url, secret, cookie } = await begin();
    const state = new URL(url).searchParams.get('state');
    const callback = `${people.publicUrl}/api/auth/v1/login/callback`;
    await fetch(`${callback}?error=access_denied&state=${state}`, { redirect: 'manual', headers: { cookie } });
    expect(refusal(await fetchToken(id, secret))).toEqual([400, 'provider_refused']);
    const second = await begin();
    const back = await provider.signIn(second.url);
    const twice = await Promise.all(
      [1, 2].map(() => fetch(back, { redirect: 'manual', headers: { cookie: second.cookie } })),
    );
    expect(twice.map(({ headers }) => headers.get('location')).sort()).toEqual([
      `${people.publicUrl}/login`,
      `${people.publicUrl}/login?login=${second.id}`,
    ]);
    const unknown = await fetch(`${callback}?state=x`, { redirect: 'manual' });
    expect(unknown.headers.get('location')).toBe(`${people.publicUrl}/login`);
  });

  test('404: after five minutes', async () => {
    const { id, secret } = await begin();
    await clock.step(5 * MINUTE);
    expect(refusal(await fetchToken(id, secret))).toEqual([404, 'not_found']);
  });

  test('400: a provider that there is not; 503: one that does not answer', async () => {
    expect(refusal(await anybody.call(R.login, { body: { provider: 'nobody' } }))).toEqual([
      400,
      'provider_unknown',
      'provider',
    ]);
    expect(refusal(await anybody.call(R.login, { body: { provider: 'gone' } }))).toEqual([503, 'unavailable']);
  });
});

test('over TLS the cookie of a login at a provider is for this host alone, and out of reach of scripts', () => {
  const cookie = loginCookie(new URL('https://console.example/api/auth/v1/login/callback'));
  expect(cookie.with('x')).toBe('__Host-gantry-login=x; Max-Age=300; HttpOnly; SameSite=Lax; Secure; Path=/');
  expect(cookie.in('gantry-login=other; __Host-gantry-login=mine')).toBe('mine');
});

test('every table is looked through for secrets', () => {
  expect(
    Object.values(SCHEMA as unknown as Record<string, PgTable>).map((table) => getTableConfig(table).name),
  ).toContain('mails');
});
