// Money for requests, in real books: what is kept never exceeds the wallet, and what is posted is what requests cost.
import { randomUUID } from 'node:crypto';
import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { Ledger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify-books.ts';
import { Wallets } from '../ledger/wallets.ts';
import { chargeTokens } from './token-charges.ts';
import { TokenHolds } from './token-holds.ts';

const ann = { organizationId: 'acme', accountId: 'acc-ann' };

forEachDatabase((database) => {
  let wallets: Wallets;
  let holds: TokenHolds;

  beforeEach(async () => {
    const db = database();
    wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
    holds = new TokenHolds({ db, clock: systemClock, wallets, gateway: 'one' });
    await db.sql
      .insert(organizations)
      .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date(), revision: 1, projected: 1 });
    await wallets.open('acme', 'USD');
    await wallets.grant({ key: 'start', organizationId: 'acme', amount: parseMoney('1.00'), at: new Date() });
  });

  const held = async () => (await wallets.balances('acme')).held;

  test('one hold serves many requests, and grows to what there is at most', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => holds.keep(ann, parseMoney('0.10'))));
    expect(answers.filter((answer) => 'kept' in answer)).toHaveLength(10);
    expect(answers.at(-1)).toMatchObject({ wanted: '0.10', available: '0.00', currency: 'USD' });
    expect(await held()).toBe(parseMoney('1.00'));
    for (const answer of answers) if ('kept' in answer) answer.kept.release();
    expect(await holds.keep(ann, parseMoney('0.90'))).toHaveProperty('kept');
  });

  test('what requests cost is posted once, and taken off the hold', async () => {
    const answer = await holds.keep(ann, parseMoney('0.20'));
    if (!('kept' in answer)) throw new Error('it was refused');
    const net = micros(123_457);
    answer.kept.spend(net);
    const cost = {
      ...ann,
      key: `tokens/${randomUUID()}/0`,
      modelUid: 'uid-tiny',
      model: 'tiny',
      at: new Date(),
      list: net,
      net,
      subject: answer.kept.subject,
    };
    const before = await held();
    expect(before).toBe(parseMoney('0.20'));
    for (let again = 0; again < 3; again++) await chargeTokens(wallets, [cost], async () => {});
    answer.kept.posted(net);
    expect((await wallets.balances('acme')).balance).toBe(parseMoney('1.00') - net);
    expect(await held()).toBe(before - net);
    await holds.stop();
    expect(await held()).toBe(0n);
    expect((await verifyBooks(database(), new Date())).faults).toEqual([]);
  });

  test('a hold in use is renewed, and no other gateway takes it for one that is left over', async () => {
    let now = Date.now();
    const clock = { now: () => now };
    const long = new TokenHolds({ db: database(), clock, wallets, gateway: 'one' });
    const other = new TokenHolds({ db: database(), clock, wallets, gateway: 'two' });
    await long.keep(ann, parseMoney('0.02'));
    const before = await held();
    for (let minutes = 0; minutes < 180; minutes += 5) {
      now += 300_000;
      await long.tidy();
      await other.tidy();
    }
    expect(await held()).toBe(before);
  });

  test('a hold that is being made is not idle', async () => {
    const gate = Promise.withResolvers<void>();
    const slow: ConstructorParameters<typeof TokenHolds>[0]['wallets'] = {
      on: (hears) => wallets.on(hears),
      release: (...subjects) => wallets.release(...subjects),
      spend: async (...args) => {
        await gate.promise;
        return wallets.spend(...args);
      },
    };
    const first = new TokenHolds({ db: database(), clock: systemClock, wallets: slow, gateway: 'one' });
    const asked = first.keep(ann, parseMoney('0.20'));
    const tidied = first.tidy();
    gate.resolve();
    expect(await asked).toHaveProperty('kept');
    await tidied;
    expect(await held()).toBe(parseMoney('0.20'));
  });

  const keeps = async (amount: string) => {
    const answer = await holds.keep(ann, parseMoney(amount));
    if (!('kept' in answer)) throw new Error('it was refused');
    return answer.kept;
  };

  test('the first request holds what it can cost and no more, however much that is', async () => {
    await keeps('0.04');
    expect(await held()).toBe(parseMoney('0.04'));
    await keeps('0.50');
    expect(await held()).toBe(parseMoney('0.54'));
  });

  test('requests of small cost after the first need no statement each, for a hundredth of what is free', async () => {
    const one = await keeps('0.10');
    one.spend(parseMoney('0.001'));
    let statements = 0;
    const counting = wallets.spend.bind(wallets);
    wallets.spend = (...args) => {
      statements++;
      return counting(...args);
    };
    for (let at = 0; at < 20; at++) (await keeps('0.10')).spend(parseMoney('0.0001'));
    expect(statements).toBeLessThan(4);
    expect(await held()).toBeLessThanOrEqual(parseMoney('0.12'));
  });

  test('fifty requests at once are one or two changes of the hold, and keep no more than there is', async () => {
    let statements = 0;
    const counting = wallets.spend.bind(wallets);
    wallets.spend = (...args) => {
      statements++;
      return counting(...args);
    };
    const answers = await Promise.all(Array.from({ length: 50 }, () => holds.keep(ann, parseMoney('0.03'))));
    expect(answers.filter((answer) => 'kept' in answer)).toHaveLength(33);
    expect(statements).toBeLessThanOrEqual(2);
    expect(await held()).toBe(parseMoney('0.99'));
  });

  test('what was held for a large request is given back while small ones go on, and all of it once none comes', async () => {
    let now = Date.now();
    const clock = { now: () => now };
    const own = new TokenHolds({ db: database(), clock, wallets, gateway: 'three' });
    const large = await own.keep(ann, parseMoney('0.90'));
    if ('kept' in large) large.kept.release();
    await own.tidy();
    const small = await own.keep(ann, parseMoney('0.01'));
    await own.tidy();
    expect(await held()).toBe(parseMoney('0.01'));
    if ('kept' in small) small.kept.release();
    // A refused request keeps nothing meanwhile.
    for (let seconds = 0; seconds < 10; seconds++) {
      now += 1_000;
      expect(await own.keep(ann, parseMoney('2.00'))).toHaveProperty('wanted');
      await own.tidy();
    }
    expect(await held()).toBe(0n);
    await own.stop();
  });

  test('a change of the hold that fails refuses nobody for good', async () => {
    const sound = wallets.spend.bind(wallets);
    wallets.spend = () => Promise.reject(new Error('the database is away'));
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => holds.keep(ann, parseMoney('0.10'))));
    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    wallets.spend = sound;
    await keeps('0.90');
    expect(await held()).toBe(parseMoney('0.90'));
  });

  test('a hold of a gateway that is gone is released', async () => {
    await holds.keep(ann, parseMoney('0.20'));
    const later = { now: () => Date.now() + 3 * 3_600_000 };
    const other = new TokenHolds({ db: database(), clock: later, wallets, gateway: 'two' });
    await other.tidy();
    expect(await held()).toBe(0n);
  });
});
