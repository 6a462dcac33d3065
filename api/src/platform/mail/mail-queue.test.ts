// Mails and texts against servers that refuse, hang, go away or send elsewhere: nothing is lost, nobody waits, nothing leaks.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { solvePuzzle } from '../../../../test/support/solve-puzzle.ts';
import { MailRows } from '../../areas/admin/mail-rows.ts';
import { openPeople } from '../../core/identity/open-people.ts';
import { sweepIdentity } from '../../core/identity/sweep.ts';
import type { Database } from '../db/open.ts';
import { mails } from '../db/schema/identity.ts';
import { isInnerHost } from '../public-address.ts';
import { Secrets } from '../secrets.ts';
import { MailQueue, queueMail, type Sender } from './mail-queue.ts';
import { mailSender } from './send-mail.ts';
import { textSender } from './send-text.ts';
import { signatureOf } from './signed-post.ts';

const CODE = '913377';
const secrets = new Secrets(Buffer.alloc(32, 7));
let db: Database;
let clock: SteppedClock;
let log: string[];
// Neither a time nor a process id is in it, whose digits might be the code's.
const logger = pino({ level: 'trace', base: null, timestamp: false }, { write: (line) => void log.push(line) });

beforeAll(async () => {
  db = await migratedDatabase();
});
beforeEach(async () => {
  log = [];
  clock = new SteppedClock();
  clock.set(Date.now());
  await resetDatabase(db);
});
afterEach(async () => {
  const kept = JSON.stringify([await db.sql.select().from(mails), log]);
  expect(kept).not.toContain(CODE);
});
afterAll(() => db.close());

const put = (address = 'a@example.com', lifeMs = 600_000) =>
  queueMail(
    db.sql,
    secrets,
    { channel: 'email', address, template: 'code', language: 'en', args: { code: CODE }, lifeMs },
    clock.now(),
  );
const queue = (email: Sender) => new MailQueue({ db: db.sql, secrets, clock, log: logger, senders: { email } });
const states = async () =>
  (await db.sql.select().from(mails).orderBy(mails.address)).map(({ tries, sentAt, failedAt }) => [
    tries,
    !!sentAt,
    !!failedAt,
  ]);

describe('a mail server', () => {
  /** Hears a mail out, then does what the test says. */
  let onMail: (answer: (error?: Error) => void) => void;
  let received: string[];
  let server: SMTPServer;
  let port: number;
  const start = (at = 0): Promise<void> =>
    new Promise((resolve) => {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onData: (stream, _session, done) =>
          void text(stream).then((mail) =>
            onMail((error) => {
              if (!error) received.push(mail);
              done(error);
            }),
          ),
      });
      server.on('error', () => undefined);
      const listening = server.listen(at, '127.0.0.1', () => {
        port = (listening.address() as AddressInfo).port;
        resolve();
      });
    });
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  let sender: ReturnType<typeof mailSender>;
  let sending: MailQueue;
  beforeEach(async () => {
    [received, onMail] = [[], (answer) => answer()];
    await start();
    sender = mailSender(`smtp://127.0.0.1:${port}`, 'Gantry <no-reply@gantry.example>');
    sending = queue(sender);
  });
  afterEach(async () => {
    await sending.stop();
    sender.close();
    await stop();
  });

  test('that refuses is asked again, later each time, until it takes the mail', async () => {
    // It quotes what it refuses, as some servers do.
    onMail = (answer) => answer(Object.assign(new Error(`451 not now: ${CODE}`), { responseCode: 451 }));
    await put();
    sending.wake();
    await sending.settle();
    const waits: number[] = [];
    for (let tries = 1; tries <= 3; tries++) {
      const [row] = await db.sql.select().from(mails);
      expect(row).toMatchObject({ tries, sentAt: null, failedAt: null, lastError: 'EMESSAGE' });
      waits.push((row?.nextAt.getTime() ?? 0) - clock.now());
      if (tries === 3) onMail = (answer) => answer();
      await clock.step(waits.at(-1) ?? 0);
      sending.wake();
      await sending.settle();
    }
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    expect(await states()).toEqual([[4, true, false]]);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain(CODE);
    // Nothing of the mail is stored.
    expect((await db.sql.select().from(mails))[0]?.sealedArgs).toBeNull();
    expect(log.filter((line) => line.includes('could not be sent'))).toHaveLength(3);
  });

  test('that is away gets the mail when it is back, without anybody asking again', async () => {
    await stop();
    await put();
    sending.wake();
    await sending.settle();
    expect(await states()).toEqual([[1, false, false]]);
    await start(port);
    await clock.step(5_000);
    await eventually('the mail', async () => {
      await sending.settle();
      return received.length === 1;
    });
  });

  test('that hangs holds nobody up', async () => {
    const hanging: (() => void)[] = [];
    onMail = (answer) => void hanging.push(answer);
    await put();
    sending.wake();
    await eventually('the mail is in hand', () => hanging.length === 1);
    // Requests continue; their mails wait.
    await put('b@example.com');
    sending.wake();
    expect(await states()).toEqual([
      [1, false, false],
      [0, false, false],
    ]);
    onMail = (answer) => answer();
    hanging[0]?.();
    await sending.settle();
    expect((await states()).map(([, sent]) => sent)).toEqual([true, true]);
  });

  test('gets nothing that came too late to be of use', async () => {
    await put('a@example.com', 1_000);
    await clock.step(1_000);
    sending.wake();
    await sending.settle();
    expect(await states()).toEqual([[1, false, true]]);
    expect(received).toEqual([]);
    expect(log.some((line) => line.includes('given up'))).toBe(true);
    // A code is of no use to anybody any more.
    expect((await db.sql.select().from(mails))[0]?.sealedArgs).toBeNull();
  });

  test('gets nothing that staff gave up, while what was not sent in time stays for a week so that they can send it', async () => {
    const invitation = { channel: 'email', template: 'invitedAccount', language: 'en', args: { actor: 'x' } } as const;
    await queueMail(db.sql, secrets, { ...invitation, address: 'a@example.com', lifeMs: 1_000 }, clock.now());
    await queueMail(db.sql, secrets, { ...invitation, address: 'b@example.com' }, clock.now());
    const rows = new MailRows({ db, clock, queue: sending });
    const [, second] = await db.sql.select().from(mails).orderBy(mails.address);
    await rows.giveUp(second?.id ?? '', 'acc-staff');
    await clock.step(1_000);
    sending.wake();
    await sending.settle();
    expect(received).toEqual([]);
    const kept = async () =>
      (await db.sql.select().from(mails).orderBy(mails.address)).map((one) => one.sealedArgs !== null);
    expect(await kept()).toEqual([true, false]);
    const page = await rows.page({ sort: ['id', 'ASC'], range: [0, 9], filter: { state: 'failed' } });
    expect(page.items).toMatchObject([{ address: 'a***@example.com', failure: 'expired', can_retry: true }]);
    await rows.retry(page.items[0]?.id ?? '');
    await sending.settle();
    expect(received).toHaveLength(1);
    expect(await states()).toEqual([
      [2, true, false],
      [0, false, true],
    ]);
  });

  test('keeps what a mail that failed for good says for a week, and its row for a month', async () => {
    const invitation = {
      channel: 'email',
      template: 'invitedAccount',
      language: 'en',
      args: {},
      lifeMs: 1_000,
    } as const;
    await queueMail(db.sql, secrets, { ...invitation, address: 'a@example.com' }, clock.now());
    await clock.step(1_000);
    sending.wake();
    await sending.settle();
    const WEEK_MS = 7 * 24 * 3_600_000;
    await sweepIdentity(db.sql, clock.now() + WEEK_MS - 1_000);
    expect((await db.sql.select().from(mails))[0]?.sealedArgs).not.toBeNull();
    await sweepIdentity(db.sql, clock.now() + WEEK_MS + 1_000);
    expect(await db.sql.select().from(mails)).toMatchObject([{ sealedArgs: null, failedAt: expect.any(Date) }]);
  });
});

describe('with several gateways', () => {
  test('each mail is sent by one', async () => {
    const sent: string[] = [];
    const queues = [1, 2, 3].map(() => queue(async ({ address }) => void sent.push(address)));
    const addresses = Array.from({ length: 20 }, (_, each) => `p${each}@example.com`);
    for (const address of addresses) await put(address);
    for (const each of queues) each.wake();
    await Promise.all(queues.map((each) => each.settle()));
    await Promise.all(queues.map((each) => each.stop()));
    expect(sent.sort()).toEqual(addresses.sort());
  });

  test('a mail that one was sending when it died is sent by another within a minute', async () => {
    await put();
    const dying = queue(() => new Promise(() => undefined));
    dying.wake();
    await eventually('it is in hand', async () => (await states())[0]?.[0] === 1);
    const sent: string[] = [];
    const other = queue(async ({ address }) => void sent.push(address));
    other.wake();
    await other.settle();
    expect(sent).toEqual([]);
    await clock.step(60_000);
    other.wake();
    await other.settle();
    expect(sent).toEqual(['a@example.com']);
    await other.stop();
  });
});

describe('an adapter for texts', () => {
  let server: Server;
  let heard: { headers: Record<string, unknown>; body: string }[];
  let answer: RequestListener;
  let port: number;
  beforeEach(async () => {
    heard = [];
    answer = (_, res) => res.writeHead(204).end();
    server = createServer(async (req, res) => {
      heard.push({ headers: req.headers, body: await text(req) });
      answer(req, res);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  const letter = { id: 'mail-1', address: '+819012345678', subject: 'unused', text: 'hello' };
  const send = (host: string, allowInner: boolean) =>
    textSender({ url: `http://${host}:${port}/sms`, key: 'shared', allowInner }, () => 1_700_000_000_000)(letter);

  test('gets a signed text', async () => {
    await send('127.0.0.1', true);
    const [{ headers, body } = { headers: {}, body: '' }] = heard;
    expect(JSON.parse(body)).toEqual({ id: 'mail-1', to: '+819012345678', text: 'hello' });
    expect(headers['x-gantry-timestamp']).toBe('1700000000');
    expect(headers['x-gantry-signature']).toBe(signatureOf('shared', '1700000000', body));
  });

  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])('at the inner address %s hears nothing', async (host) => {
    await expect(send(host, false)).rejects.toMatchObject({ code: 'EINNER' });
    expect(heard).toEqual([]);
  });

  test('that sends elsewhere is not followed', async () => {
    answer = (req, res) => {
      if (req.url === '/sms') res.writeHead(302, { location: `http://127.0.0.1:${port}/inner` }).end();
      else res.writeHead(204).end();
    };
    await expect(send('127.0.0.1', true)).rejects.toMatchObject({ code: 'HTTP 302' });
    expect(heard).toHaveLength(1);
  });

  test('carries a registration by phone, and then a login by it', async () => {
    const people = openPeople({
      leftovers: { wake: () => undefined },
      db,
      clock,
      log: logger,
      projection: { wake: () => undefined },
      apiToken: async () => undefined,
      platformKey: Buffer.alloc(32, 7),
      publicUrl: 'http://localhost',
      currency: 'CNY',
      termsVersion: '1',
      registerType: 'phone',
      smtpUrl: '',
      mailFrom: '',
      texts: { url: `http://127.0.0.1:${port}/sms`, key: 'shared', allowInner: true },
      providers: [],
      puzzleSteps: 4,
    });
    const wanted = {
      channel: 'phone',
      purpose: 'register',
      address: '+8613800138000',
      network: '192.0.2.1',
      language: 'zh',
    } as const;
    const { verification } = people;
    const wrong = verification.sendCode({ ...wanted, channel: 'email', address: 'a@example.com', captcha: '' });
    await expect(wrong).rejects.toMatchObject({ problem: 'register_type_closed', args: { type: 'phone' } });
    await verification.sendCode({ ...wanted, captcha: solvePuzzle(await verification.puzzle()) });
    await people.mails.settle();
    const code = /验证码是 (\d{6})/.exec(heard[0]?.body ?? '')?.[1] ?? '';
    const ticket = await verification.verify('register', wanted.address, code, wanted.network);
    const fields = { password: 'letters1', ticket, termsVersion: '1', locale: 'zh' } as const;
    const stranger = people.registration.register({ ...fields, name: '13900139000' });
    await expect(stranger).rejects.toMatchObject({ problem: 'username_email' });
    const account = await people.registration.register({ ...fields, name: '13800138000' });
    expect(account).toMatchObject({ phone: '+8613800138000', email: null });
    const origin = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: undefined };
    const byPhone = await people.login.byPassword({ account: '+8613800138000', password: 'letters1' }, origin);
    expect(byPhone).toMatchObject({ session: { accountId: account.id } });
    await people.stop();
  });
});

test.each([
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['169.254.169.254', true],
  ['0.0.0.0', true],
  ['::1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:169.254.169.254', true],
  ['[::a00:1]', true],
  ['[64:ff9b::a00:1]', true],
  ['[64:ff9b:1::a00:1]', true],
  ['[64:ff9b:1:ffff:ffff:ffff:a00:1]', true],
  ['[2002:a00:1::1]', true],
  ['[2001:0:a00:1::1]', true],
  ['[fec0::1]', true],
  ['[feff::1]', true],
  ['[::ffff:0:a00:1]', true],
  ['[ff02::1]', true],
  ['8.8.8.8', false],
  ['::ffff:8.8.8.8', false],
  ['2001:4860:4860::8888', false],
  ['172.32.0.1', false],
  ['2606:4700::1111', false],
])('%s is an inner address: %s', (ip, inner) => expect(isInnerHost(ip)).toBe(inner));
