// Identity's SQL on both databases: behaviour under concurrency, and over time.

import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { generateSync } from 'otplib';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { solvePuzzle } from '../../../../../test/support/solve-puzzle.ts';
import { count } from '../../../platform/db/counters.ts';
import type { Database } from '../../../platform/db/open.ts';
import { codes, mails } from '../../../platform/db/schema/identity.ts';
import {
  accounts,
  memberships,
  organizations,
  platformGrants,
  sessions as sessionRows,
} from '../../../platform/db/schema/people.ts';
import { views } from '../../../platform/db/schema/staff.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Secrets } from '../../../platform/secrets.ts';
import { bootstrap } from '../bootstrap.ts';
import { makeOrganization } from '../organizations/organizations.ts';
import { guarded, noteSuccess, reopen } from '../sessions/lockout.ts';
import { Passwords } from '../sessions/passwords.ts';
import { type NewSession, Sessions } from '../sessions/sessions.ts';
import { issueTicket, redeemTicket, tryTicket } from '../sessions/tickets.ts';
import { confirmTotp, dropTotp, enrolTotp, hasTotp, takeSecondFactor } from '../sessions/totp.ts';
import { sweepIdentity } from '../sweep.ts';
import { Captcha } from './captcha.ts';
import { newCode, proveAddress } from './codes.ts';
import { findAccount } from './find-account.ts';
import { makeAccount } from './new-account.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const secrets = new Secrets(Buffer.alloc(32, 7));
const from = { ip: '203.0.113.7', userAgent: 'jest' };
const sum = (results: readonly unknown[]): number => results.filter(Boolean).length;
const tenAtOnce = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 10 }, work));

async function newPerson(database: Database, name: string, email: string | null = null) {
  const now = Date.now();
  const account = await database.transaction((tx) =>
    makeAccount(tx, { name, email, locale: 'en', currency: 'USD', now }),
  );
  if (!account) throw new Error('it was taken');
  const [own] = await database.sql.select().from(organizations).where(eq(organizations.personalOf, account.id));
  return { id: account.id, personal: own?.id ?? '' };
}

forEachDatabase((database) => {
  let clock: SteppedClock;
  const now = (): number => clock.now();
  beforeEach(() => {
    clock = new SteppedClock();
    clock.set(Date.now());
  });

  describe('a code', () => {
    const prove = (code: string) => proveAddress(database().sql, secrets, 'register', 'a@example.com', code, now());
    const make = async (): Promise<string> => {
      const made = await newCode(database().sql, secrets, 'register', 'a@example.com', now());
      return 'code' in made ? made.code : `wait ${made.waitSeconds}`;
    };
    const wrong = (code: string): string => `${(Number(code) + 1) % 1_000_000}`.padStart(6, '0');

    test('counts once, also when ten come with it at the same moment', async () => {
      const code = await make();
      expect(sum(await tenAtOnce(() => prove(code)))).toBe(1);
      expect(await prove(code)).toBe(false);
    });

    test('bears four wrong tries and not five', async () => {
      const first = await make();
      for (let tries = 0; tries < 4; tries++) expect(await prove(wrong(first))).toBe(false);
      expect(await prove(first)).toBe(true);
      await clock.step(MINUTE);
      const second = await make();
      for (let tries = 0; tries < 5; tries++) expect(await prove(wrong(second))).toBe(false);
      expect(await prove(second)).toBe(false);
    });

    test('is over after ten minutes', async () => {
      const code = await make();
      await clock.step(10 * MINUTE);
      expect(await prove(code)).toBe(false);
    });

    test('is followed by another after a minute, which replaces it', async () => {
      const first = await make();
      await clock.step(59_000);
      expect(await make()).toBe('wait 1');
      await clock.step(1_000);
      const second = await make();
      if (first !== second) expect(await prove(first)).toBe(false);
      expect(await prove(second)).toBe(true);
    });

    test('is nobody else’s, and stands nowhere as it is', async () => {
      const code = await make();
      const { sql } = database();
      expect(await proveAddress(sql, secrets, 'reset', 'a@example.com', code, now())).toBe(false);
      expect(await proveAddress(sql, secrets, 'register', 'b@example.com', code, now())).toBe(false);
      expect(JSON.stringify(await sql.select().from(codes))).not.toContain(code);
    });
  });

  test('a ticket is redeemed once, for what it was given, within ten minutes', async () => {
    const { sql } = database();
    const ticket = await issueTicket(sql, { purpose: 'register', address: 'a@example.com' }, now());
    expect(await redeemTicket(sql, ticket, 'reset', now())).toBeUndefined();
    expect(sum(await tenAtOnce(() => redeemTicket(sql, ticket, 'register', now())))).toBe(1);
    const late = await issueTicket(sql, { purpose: 'register', address: 'a@example.com' }, now());
    await clock.step(10 * MINUTE);
    expect(await redeemTicket(sql, late, 'register', now())).toBeUndefined();
    const tried = await issueTicket(sql, { purpose: 'secondFactor' }, now());
    expect(sum(await tenAtOnce(() => tryTicket(sql, tried, 'secondFactor', now())))).toBe(5);
  });

  test('a puzzle opens one door once, and only when it is ours, solved and fresh', async () => {
    const { sql } = database();
    const captcha = new Captcha(secrets, 4);
    const solved = solvePuzzle(await captcha.puzzle(now()));
    expect(sum(await tenAtOnce(() => captcha.solved(sql, solved, now())))).toBe(1);
    const foreign = solvePuzzle(await new Captcha(new Secrets(Buffer.alloc(32, 8)), 4).puzzle(now()));
    const late = solvePuzzle(await captcha.puzzle(now()));
    const changed = Buffer.from(late, 'base64')
      .toString('utf8')
      .replace(/"counter":\d+/, '"counter":999');
    const odd = { challenge: { parameters: { expiresAt: 9e9, nonce: 'zz' }, signature: 7 }, solution: [] };
    for (const payload of [
      btoa(JSON.stringify(odd)),
      btoa('{"challenge":{"parameters":null},"solution":null}'),
      '',
      'x',
      'null',
      '{}',
      btoa('{"challenge":{"parameters":{}},"solution":{}}'),
      foreign,
    ])
      expect(await captcha.solved(sql, payload, now())).toBe(false);
    expect(await captcha.solved(sql, btoa(changed.replace(/"derivedKey":"../, '"derivedKey":"zz')), now())).toBe(false);
    expect(await captcha.solved(sql, late, now() + 11 * MINUTE)).toBe(false);
    expect(await captcha.solved(sql, late, now())).toBe(true);
  });

  test('a counter shuts after its number and opens with the end of its window, however much comes in between', async () => {
    const { sql } = database();
    const limit = { most: 10, windowMs: MINUTE };
    expect(await tenAtOnce(() => count(sql, 'key', limit, now()))).toEqual(Array(10).fill(0));
    expect(await count(sql, 'key', limit, now())).toBe(60);
    await clock.step(MINUTE - 1_000);
    expect(await count(sql, 'key', limit, now())).toBe(1);
    await clock.step(1_000);
    expect(await count(sql, 'key', limit, now())).toBe(0);
  });

  describe('a lockout', () => {
    const open = (who: string, ip: string): Promise<string> =>
      guarded(database().sql, { who, network: ip, now: now() }, async () => true).then(
        () => 'open',
        ({ problem, retryAfterSeconds }) => `${problem} ${retryAfterSeconds}`,
      );
    const fail = async (who: string, ip: string, times: number): Promise<void> => {
      for (let time = 0; time < times; time++)
        await guarded(database().sql, { who, network: ip, now: now() }, async () => false);
    };

    test('holds one address off one account after five failures, and nobody else', async () => {
      await fail('acc-1', '192.0.2.1', 4);
      expect(await open('acc-1', '192.0.2.1')).toBe('open');
      await fail('acc-1', '192.0.2.1', 1);
      expect(await open('acc-1', '192.0.2.1')).toBe('too_many_attempts 900');
      expect(await open('acc-1', '192.0.2.2')).toBe('open');
      expect(await open('acc-2', '192.0.2.1')).toBe('open');
      await clock.step(15 * MINUTE);
      expect(await open('acc-1', '192.0.2.1')).toBe('open');
    });

    test('holds an address off all accounts after fifty', async () => {
      for (let each = 0; each < 50; each++) await fail(`acc-${each}`, '192.0.2.1', 1);
      expect(await open('acc-99', '192.0.2.1')).toBe('too_many_attempts 900');
      expect(await open('acc-99', '192.0.2.2')).toBe('open');
    });

    test('of one account by many strangers lets the owner in, who was there before or proves it by mail', async () => {
      const { id } = await newPerson(database(), 'alice');
      await noteSuccess(database().sql, id, '198.51.100.1', now());
      for (let each = 0; each < 30; each++) await fail(id, `192.0.2.${each}`, 1);
      expect(await open(id, '192.0.2.99')).toBe('too_many_attempts 3600');
      expect(await open(id, '198.51.100.1')).toBe('open');
      await reopen(database().sql, id, '198.51.100.2', now());
      expect(await open(id, '198.51.100.2')).toBe('open');
    });
  });

  describe('a session', () => {
    let sessions: Sessions;
    let alice: Awaited<ReturnType<typeof newPerson>>;
    let begun: NewSession;
    const who = async (token: string): Promise<string | undefined> =>
      (await sessions.authenticate(token))?.account.name;
    const callerOf = async (token: string): Promise<Caller> => (await sessions.authenticate(token)) as Caller;
    beforeEach(async () => {
      sessions = new Sessions({ db: database(), clock });
      alice = await newPerson(database(), 'alice', 'alice@example.com');
      begun = await sessions.begin(database().sql, alice.id, from);
    });

    test('says who, where, and in which role; its token stands nowhere', async () => {
      await database()
        .sql.insert(platformGrants)
        .values([
          { accountId: alice.id, role: 'support', createdAt: new Date() },
          { accountId: alice.id, role: 'finance', createdAt: new Date() },
        ]);
      expect(await callerOf(begun.token)).toEqual({
        account: {
          id: alice.id,
          name: 'alice',
          email: 'alice@example.com',
          locale: 'en',
          platformRoles: ['finance', 'support'],
          hasSecondFactor: false,
        },
        organization: { id: alice.personal, role: 'owner', namespace: `org-${alice.personal}` },
        session: {
          id: begun.id,
          kind: 'session',
          scopes: ['view', 'use', 'pay', 'manage'],
          expiresAt: now() + 7 * 24 * HOUR,
        },
      });
      expect(begun.token).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(await database().sql.select().from(sessionRows))).not.toContain(begun.token);
      expect(await who(`${begun.token}x`)).toBeUndefined();
    });

    test('ends with a logout at once, in this process; a moment later in others', async () => {
      const other = new Sessions({ db: database(), clock });
      expect(await who(begun.token)).toBe('alice');
      expect(await other.authenticate(begun.token)).toBeDefined();
      expect(await sessions.end(alice.id, begun.id)).toBe(true);
      expect(await who(begun.token)).toBeUndefined();
      await clock.step(1_000);
      expect(await other.authenticate(begun.token)).toBeUndefined();
      expect(await sessions.end(alice.id, begun.id)).toBe(false);
    });

    test('that is read while it ends is not kept', async () => {
      const reading = sessions.authenticate(begun.token);
      await sessions.end(alice.id, begun.id);
      await reading;
      expect(await who(begun.token)).toBeUndefined();
    });

    test('is over after a week, and after a day without use', async () => {
      for (let day = 0; day < 6; day++) {
        await clock.step(23 * HOUR);
        expect(await who(begun.token)).toBe('alice');
      }
      await clock.step(24 * HOUR);
      expect(await who(begun.token)).toBeUndefined();
      const second = await sessions.begin(database().sql, alice.id, from);
      for (let hours = 0; hours < 7 * 24; hours += 12) {
        expect(await who(second.token)).toBe('alice');
        await clock.step(12 * HOUR);
      }
      expect(await who(second.token)).toBeUndefined();
    });

    test('switches to another organisation by a new token; the old one lives a minute more', async () => {
      const other = await database().transaction((tx) =>
        makeOrganization(tx, { name: 'Acme', owner: alice.id, isPersonal: false, currency: 'USD', now: now() }),
      );
      const made = await sessions.switch(await callerOf(begun.token), other.id, from);
      expect((await callerOf(made?.token ?? '')).organization.id).toBe(other.id);
      await clock.step(59_000);
      expect(await who(begun.token)).toBe('alice');
      await clock.step(1_000);
      expect(await who(begun.token)).toBeUndefined();
      // The next login opens the last used organisation.
      await clock.step(MINUTE);
      await who(made?.token ?? '');
      expect((await sessions.begin(database().sql, alice.id, from)).organizationId).toBe(other.id);
    });

    test('is told since its person signed in, however often its token was replaced', async () => {
      const signedInAt = new Date(now());
      let { token, id } = begun;
      for (let loads = 0; loads < 2; loads++) {
        await clock.step(HOUR);
        const next = await sessions.switch(await callerOf(token), alice.personal, from);
        ({ token, id } = next as NewSession);
      }
      const { items } = await sessions.list(alice.id, id, { page: 1, size: 10 });
      expect(items).toMatchObject([{ id, createdAt: signedInAt, lastUsedAt: new Date(now()) }]);
    });

    test('does not switch to where one is no member, or which is deleted', async () => {
      const bob = await newPerson(database(), 'bobby');
      const caller = await callerOf(begun.token);
      expect(await sessions.switch(caller, bob.personal, from)).toBeUndefined();
      expect(await sessions.switch(caller, 'nowhere1', from)).toBeUndefined();
      await database()
        .sql.update(organizations)
        .set({ deletedAt: new Date() })
        .where(eq(organizations.id, alice.personal));
      expect(await sessions.switch(caller, alice.personal, from)).toBeUndefined();
    });

    test('hears of a new role with the next request, and ends with the membership, the account, or all at once', async () => {
      await callerOf(begun.token);
      await database().sql.update(memberships).set({ role: 'viewer' });
      sessions.forget({ accountId: alice.id });
      expect((await callerOf(begun.token)).organization.role).toBe('viewer');
      await database().sql.update(accounts).set({ disabledAt: new Date() });
      sessions.forget({ accountId: alice.id });
      expect(await who(begun.token)).toBeUndefined();
      await database().sql.update(accounts).set({ disabledAt: null });
      expect(await who(begun.token)).toBe('alice');
      await sessions.endAll(database().sql, { accountId: alice.id });
      sessions.forget({ accountId: alice.id });
      expect(await who(begun.token)).toBeUndefined();
      const again = await sessions.begin(database().sql, alice.id, from);
      await database().sql.delete(memberships);
      expect(await who(again.token)).toBeUndefined();
    });

    test('ends with the tenants’ consoles that its person opened as staff', async () => {
      const expiresAt = new Date(clock.now() + 60_000);
      const row = {
        accountId: alice.id,
        organizationId: alice.personal,
        reason: 'r',
        createdAt: new Date(clock.now()),
      };
      await database()
        .sql.insert(views)
        .values({ ...row, id: 'viw-1', ticketHash: 'x', tokenHash: 'y', expiresAt });
      const left = async () => (await database().sql.select().from(views))[0]?.expiresAt.getTime();
      await sessions.endAll(database().sql, { accountId: alice.id, organizationId: alice.personal });
      expect(await left()).toBe(expiresAt.getTime());
      await sessions.endAll(database().sql, { accountId: alice.id });
      expect(await left()).toBe(clock.now());
    });

    test('is listed as long as it is good', async () => {
      await clock.step(1_000);
      const second = await sessions.begin(database().sql, alice.id, { ...from, userAgent: undefined });
      const list = async () => (await sessions.list(alice.id, begun.id, { page: 1, size: 10 })).items;
      const listed = await list();
      expect(listed.map(({ id }) => id)).toEqual([second.id, begun.id]);
      expect(listed[1]).toMatchObject({ organizationName: 'alice', ip: from.ip, userAgent: 'jest' });
      await sessions.end(alice.id, second.id);
      expect((await list()).map(({ id }) => id)).toEqual([begun.id]);
    });

    test('ends only by whose it is', async () => {
      const bob = await newPerson(database(), 'bobby');
      expect(await sessions.end(bob.id, begun.id)).toBe(false);
      expect(await who(begun.token)).toBe('alice');
    });
  });

  describe('a second factor', () => {
    const codeNow = (secret: string): string => generateSync({ secret, epoch: Math.floor(now() / 1_000) });
    const take = (id: string, code: string) => takeSecondFactor(database().sql, secrets, id, code, now());

    test('counts from its confirmation; a code counts once, also for ten at once', async () => {
      const { sql } = database();
      const { id } = await newPerson(database(), 'alice');
      const made = await enrolTotp(sql, secrets, { id, name: 'alice' });
      const secret = made?.secret ?? '';
      expect(made?.uri).toMatch(/^otpauth:\/\/totp\/Gantry:alice\?/);
      expect(await hasTotp(sql, id)).toBe(false);
      expect(await take(id, codeNow(secret))).toBe(false);
      expect(await confirmTotp(sql, secrets, id, '000000', now())).toBeUndefined();
      expect(await confirmTotp(sql, secrets, id, codeNow(secret), now())).toHaveLength(10);
      expect(await hasTotp(sql, id)).toBe(true);
      // The code that confirmed it is also used up.
      expect(await take(id, codeNow(secret))).toBe(false);
      await clock.step(30_000);
      const next = codeNow(secret);
      expect(sum(await tenAtOnce(() => take(id, next)))).toBe(1);
      await clock.step(2 * MINUTE);
      expect(await take(id, next)).toBe(false);
      expect(await enrolTotp(sql, secrets, { id, name: 'alice' })).toBeUndefined();
    });

    test('has ten recovery codes, each good once; turned off, nothing of it is left', async () => {
      const { sql } = database();
      const { id } = await newPerson(database(), 'alice');
      const secret = (await enrolTotp(sql, secrets, { id, name: 'alice' }))?.secret ?? '';
      const [first = '', second = ''] = (await confirmTotp(sql, secrets, id, codeNow(secret), now())) ?? [];
      expect(first).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
      expect(sum(await tenAtOnce(() => take(id, first)))).toBe(1);
      expect(await take(id, ` ${second.toUpperCase()} `)).toBe(true);
      await dropTotp(sql, id);
      expect(await hasTotp(sql, id)).toBe(false);
      await clock.step(MINUTE);
      expect(await take(id, codeNow(secret))).toBe(false);
    });
  });

  test('one of ten gateways that start at once creates the administrator', async () => {
    const woken: string[] = [];
    const projection = { wake: (id: string) => void woken.push(id) };
    const announced: string[] = [];
    const tell = async ({ name }: { name: string }) => void announced.push(name);
    const parts = { db: database(), clock, passwords: new Passwords(), currency: 'USD', projection, tell };
    const failing = bootstrap({ ...parts, tell: () => Promise.reject(new Error('the disk is full')) });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await database().sql.$count(accounts)).toBe(0);
    const made = (await tenAtOnce(() => bootstrap(parts))).filter((each) => each !== undefined);
    expect(made).toEqual([{ name: 'admin', password: expect.stringMatching(/^[A-Za-z2-9]{16}$/) }]);
    const [account] = await database().sql.select().from(accounts);
    expect(account).toMatchObject({ name: 'admin', mustChangePassword: true });
    expect(await new Passwords().verify(account?.passwordHash, made[0]?.password ?? '')).toBe(true);
    expect(await bootstrap(parts)).toBeUndefined();
    expect(woken).toHaveLength(1);
    expect(announced).toEqual(['admin']);
    // An account that cannot log in does not count.
    await database()
      .sql.update(accounts)
      .set({ disabledAt: new Date(now()) });
    expect(await bootstrap(parts)).toMatchObject({ name: expect.stringMatching(/^admin-[A-Za-z]{8}$/) });
    expect(await bootstrap(parts)).toBeUndefined();
  });

  test('names and addresses are taken without case, by one of ten who come at once', async () => {
    const make = (name: string, email: string) =>
      database().transaction((tx) => makeAccount(tx, { name, email, locale: 'en', currency: 'USD', now: now() }));
    expect(sum(await tenAtOnce(() => make('alice', 'alice@example.com')))).toBe(1);
    expect(await make('ALICE', 'other@example.com')).toBeUndefined();
    expect(await make('other', 'Alice@Example.com')).toBeUndefined();
    expect(await database().sql.$count(organizations)).toBe(1);
    expect((await findAccount(database().sql, ' ALICE '))?.name).toBe('alice');
    expect((await findAccount(database().sql, 'Alice@EXAMPLE.com'))?.name).toBe('alice');
    expect(await findAccount(database().sql, "' or 1=1 --")).toBeUndefined();
  });

  test('whoever has proven an address is found by it before somebody whose name reads like it', async () => {
    await newPerson(database(), 'b@example.com', 'moved@example.com');
    const { id } = await newPerson(database(), 'bobby', 'b@example.com');
    expect((await findAccount(database().sql, 'b@example.com'))?.id).toBe(id);
  });

  test('expired rows are deleted, the others stay', async () => {
    const { sql } = database();
    const { id } = await newPerson(database(), 'alice');
    const sessions = new Sessions({ db: database(), clock });
    await sessions.begin(sql, id, from);
    await newCode(sql, secrets, 'register', 'a@example.com', now());
    await issueTicket(sql, { purpose: 'register' }, now());
    await guarded(sql, { who: id, network: from.ip, now: now() }, async () => false);
    const left = async () => [await sql.$count(sessionRows), await sql.$count(codes), await sql.$count(mails)];
    await sweepIdentity(sql, now());
    expect(await left()).toEqual([1, 1, 0]);
    await sweepIdentity(sql, now() + 40 * 24 * HOUR);
    expect(await left()).toEqual([0, 0, 0]);
    expect(await sql.$count(accounts)).toBe(1);
  });
});
