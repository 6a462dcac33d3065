// Wallets and the books on both databases: what each operation does, asked once and asked again; that sequences come to what
// the pure rules say; and that whatever is done to the books by force is found.
import { isDeepStrictEqual } from 'node:util';
import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { Registry } from 'prom-client';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { fc, SEED } from '../../../../../test/support/seeded-fast-check.ts';
import { isSoak } from '../../../../../test/support/soak.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { sqlStateOf } from '../../../platform/db/sqlstate.ts';
import { moveBill, openBill } from './bills.ts';
import { Books } from './books.ts';
import { Ledger, PostedOtherwise } from './ledger.ts';
import { LedgerSealer } from './ledger-sealer.ts';
import { operation } from './testing/model.ts';
import { playOn } from './testing/play-on.ts';
import { verifyBooks } from './verify-books.ts';
import type { Charge } from './wallet-rules.ts';
import { Wallets } from './wallets.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const $ = parseMoney;
const log = pino({ level: 'silent' });

forEachDatabase((database, name) => {
  let clock: SteppedClock;
  let wallets: Wallets;
  beforeEach(async () => {
    clock = new SteppedClock();
    wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    for (const id of ['aaa', 'bbb'])
      await database().sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt: AT });
    await wallets.open('aaa', 'USD');
  });

  const charge = (key: string, price: string, changes: Partial<Charge> = {}): Charge => ({
    key,
    organizationId: 'aaa',
    list: $(price),
    net: $(price),
    at: AT,
    bill: { id: `bill-${key}`, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/ins-1' },
    ...changes,
  });
  const deposit = (key: string, amount: string) =>
    wallets.deposit({
      key,
      organizationId: 'aaa',
      amount: $(amount),
      at: AT,
      channel: 'card',
      bill: { id: `bill-${key}`, reference: key },
    });
  const grant = (key: string, amount: string) =>
    wallets.grant({ key, organizationId: 'aaa', amount: $(amount), at: AT });
  const billOf = async (id: string) => (await database().sql.select().from(bills).where(eq(bills.id, id)))[0];
  const has = async (id = 'aaa') => {
    const { cash, credits, debt } = await wallets.balances(id);
    return { cash, credits, debt };
  };
  const balance = (cash: string, credits: string, debt: string) => ({
    cash: $(cash),
    credits: $(credits),
    debt: $(debt),
  });
  const legs = () =>
    rowsOf<{ leg: string }>(
      database().sql,
      sql`select t.type || ': ' || p.debit || ' → ' || p.credit || ' ' || p.amount as leg from postings p join transfers t on t.id = transfer_id order by t.id, p.leg`,
    ).then((rows) => rows.map(({ leg }) => leg));

  test('credits go first, then cash, and what is short is owed: the price always posts', async () => {
    await grant('welcome', '2');
    await deposit('pay-1', '3');
    await wallets.charge([charge('use-1', '10', { list: $('12') })]);
    expect(await has()).toEqual(balance('0', '0', '5'));
    expect((await legs()).slice(2)).toEqual([
      'charge: aaa/credits/USD → platform/revenue/USD 2000000',
      'charge: aaa/cash/USD → platform/revenue/USD 3000000',
      'charge: aaa/receivable/USD → platform/revenue/USD 5000000',
      'charge: platform/discounts/USD → platform/revenue/USD 2000000',
    ]);
    expect(await billOf('bill-use-1')).toMatchObject({
      status: 'partially_paid',
      total: $('10'),
      paid: $('3'),
      creditUsed: $('2'),
    });
  });

  test('a small top-up pays a small part of a debt: entering debt resets nothing, and the oldest bill is paid first', async () => {
    await wallets.charge([charge('use-2', '6', { at: new Date(AT.getTime() + 1) }), charge('use-1', '5')]);
    await deposit('pay-1', '7');
    expect(await has()).toEqual(balance('0', '0', '4'));
    expect(await billOf('bill-use-1')).toMatchObject({ status: 'paid', paid: $('5') });
    expect(await billOf('bill-use-2')).toMatchObject({ status: 'partially_paid', paid: $('2') });
    await grant('credits', '5');
    expect(await has()).toEqual(balance('0', '1', '0'));
    expect(await billOf('bill-use-2')).toMatchObject({ status: 'paid', creditUsed: $('4') });
  });

  test('asked again, each happens once; with other contents it is refused', async () => {
    await deposit('pay-1', '5');
    await deposit('pay-1', '5');
    expect(await wallets.charge([charge('use-1', '1'), charge('use-1', '1')])).toEqual(new Set(['use-1']));
    const seen: string[][] = [];
    const again = await wallets.charge([charge('use-1', '1'), charge('use-2', '1')], async (_tx, posted) => {
      seen.push([...posted]);
    });
    expect([...again]).toEqual(['use-2']);
    expect(seen).toEqual([['use-2']]);
    expect(await has()).toEqual(balance('3', '0', '0'));
    await expect(wallets.charge([charge('use-1', '2')])).rejects.toThrow(PostedOtherwise);
    await expect(deposit('pay-1', '6')).rejects.toThrow(PostedOtherwise);
    expect(await has()).toEqual(balance('3', '0', '0'));
  });

  test('a correction gives back what was spent last first, and pays what is owed elsewhere', async () => {
    await deposit('pay-1', '3');
    await wallets.charge([charge('use-1', '3'), charge('use-2', '2')]);
    await wallets.charge([charge('back', '-1', { bill: charge('use-1', '0').bill })]);
    expect(await has()).toEqual(balance('0', '0', '1'));
    expect(await billOf('bill-use-1')).toMatchObject({ status: 'paid', total: $('2'), paid: $('2') });
    expect(await billOf('bill-use-2')).toMatchObject({ status: 'partially_paid', paid: $('1') });
  });

  test('a deposit for a bill that was opened before pays it', async () => {
    await database().transaction(async (tx) => {
      const bill = { id: 'bill-1', organizationId: 'aaa', currency: 'USD', type: 'recharge' as const, at: AT };
      await openBill(tx, { ...bill, status: 'unpaid', total: $('5'), channel: 'bank_transfer', reference: 'pay-1' });
    });
    const part = { organizationId: 'aaa', at: AT, channel: 'bank_transfer' as const, billId: 'bill-1' };
    await wallets.deposit({ ...part, key: 'pay-1', amount: $('2') });
    expect(await billOf('bill-1')).toMatchObject({ status: 'partially_paid', paid: $('2') });
    await wallets.deposit({ ...part, key: 'pay-2', amount: $('3') });
    expect(await billOf('bill-1')).toMatchObject({ status: 'paid', paid: $('5') });
    await expect(database().transaction((tx) => moveBill(tx, 'bill-1', 'prepaying', { at: AT }))).rejects.toMatchObject(
      { problem: 'bill_not_movable' },
    );
    expect(await database().sql.$count(bills, eq(bills.organizationId, 'aaa'))).toBe(1);
  });

  test('staff and refunds take what is there, and nothing that is held', async () => {
    await deposit('pay-1', '5');
    await wallets.hold({
      organizationId: 'aaa',
      subject: 'uid-1',
      amount: $('2'),
      until: new Date(AT.getTime() + 60_000),
    });
    const back = { organizationId: 'aaa', at: AT, channel: 'card' as const, billId: 'bill-pay-1' };
    await expect(wallets.refund({ ...back, key: 'refund-1', amount: $('3.01') })).rejects.toMatchObject({
      problem: 'wallet_short',
      args: { available: '3.00', wanted: '3.01', currency: 'USD' },
    });
    await wallets.refund({ ...back, key: 'refund-2', amount: $('1') });
    await wallets.adjust({ key: 'staff-1', organizationId: 'aaa', amount: micros(-$('2')), at: AT });
    await expect(
      wallets.adjust({ key: 'staff-2', organizationId: 'aaa', amount: micros(-1n), at: AT }),
    ).rejects.toMatchObject({ problem: 'wallet_short' });
    expect(await has()).toEqual(balance('2', '0', '0'));
  });

  describe('holds', () => {
    const hold = (subject: string, amount: string, forMs = 60_000) =>
      wallets.hold({ organizationId: 'aaa', subject, amount: $(amount), until: new Date(clock.now() + forMs) });

    test('last until they are posted, replaced or released, whatever the clock says, and never beyond what is there', async () => {
      await deposit('pay-1', '5');
      expect(await hold('uid-1', '3')).toEqual({ held: true });
      expect(await hold('uid-2', '3')).toEqual({ held: false, wanted: $('3'), available: $('2') });
      expect(await hold('uid-1', '4')).toEqual({ held: true });
      expect(await wallets.balances('aaa')).toMatchObject({ balance: $('5'), held: $('4'), available: $('1') });
      await clock.step(60_000);
      expect(await wallets.balances('aaa')).toMatchObject({ held: $('4'), available: $('1') });
      expect(await hold('uid-2', '5')).toMatchObject({ held: false, available: $('1') });
      await wallets.release('uid-1');
      expect(await wallets.holdsOf('aaa')).toEqual([]);
      await wallets.setOverdraft('aaa', $('1'));
      expect(await hold('uid-2', '6')).toEqual({ held: true });
    });

    test('that are posted during a look without the lock count as spent, not as free', async () => {
      await deposit('d1', '10');
      await wallets.hold({ organizationId: 'aaa', subject: 'uid-1', amount: $('4'), until: AT });
      wallets.countUse(async () => {
        await wallets.charge([charge('use', '4', { subject: 'uid-1' })]);
        return [];
      });
      expect((await wallets.look('aaa', [])).free()).toBe($('6'));
    });

    test('are used up by charges for their subject, and never exceed the balance', async () => {
      await deposit('pay-1', '5');
      await hold('uid-1', '2', 60_000);
      await hold('uid-2', '3', 120_000);
      await wallets.charge([charge('use-1', '1.50', { subject: 'uid-1' })]);
      expect((await wallets.holdsOf('aaa')).map(({ amount }) => amount)).toEqual([$('0.50'), $('3')]);
      await wallets.charge([charge('use-2', '2')]);
      // A cut hold covers nothing that comes.
      expect((await wallets.holdsOf('aaa')).map(({ subject, amount, until }) => ({ subject, amount, until }))).toEqual([
        { subject: 'uid-2', amount: $('1'), until: new Date(clock.now()) },
        { subject: 'uid-1', amount: $('0.50'), until: new Date(clock.now() + 60_000) },
      ]);
    });
  });

  test('who listens is told of each wallet that changed, once it is committed', async () => {
    const changed: string[] = [];
    const stop = wallets.on((id) => void changed.push(id));
    await wallets.charge([charge('use-1', '1'), charge('use-2', '1', { organizationId: 'bbb' })]);
    await wallets.charge([charge('use-1', '1')]);
    stop();
    await deposit('pay-1', '1');
    expect(changed).toEqual(['aaa', 'bbb']);
    expect([await has(), await has('bbb')]).toEqual([balance('0', '0', '0'), balance('0', '0', '1')]);
  });

  if (name === 'postgres')
    test('charges of the same organisations from many sides at once all post, and wait for each other in one order', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const two = [charge(`a-${index}`, '1'), charge(`b-${index}`, '1', { organizationId: 'bbb' })];
          return wallets.charge(index % 2 ? two : two.reverse());
        }),
      );
      expect([await has(), await has('bbb')]).toEqual([balance('0', '0', '20'), balance('0', '0', '20')]);
    });

  describe('the books', () => {
    let sealer: LedgerSealer;
    let watch: Books;
    const registry = new Registry();
    beforeEach(async () => {
      sealer = new LedgerSealer({ db: database(), clock, log });
      registry.clear();
      watch = new Books({ db: database(), clock, log, registry });
      await deposit('pay-1', '5');
      await grant('welcome', '1');
      await sealer.seal();
      await wallets.charge([charge('use-1', '7', { list: $('8') }), charge('use-2', '2')]);
      await sealer.seal();
      await deposit('pay-2', '1');
    });
    const proof = () => verifyBooks(database(), new Date(clock.now()));

    test('that nobody touched are proved, to the last block and beyond', async () => {
      const { head, ...rest } = await proof();
      expect(rest).toEqual({
        transfers: 6,
        unsealed: 2,
        balances: {
          'platform/clearing.card/USD': '-6000000',
          'platform/discounts/USD': '-1000000',
          'platform/promotions/USD': '-1000000',
          'platform/revenue/USD': '10000000',
        },
        faults: [],
      });
      expect(head?.number).toBe('2');
      expect(await watch.check()).toEqual([]);
    });

    // The statements are the same on both; sixteen times to make and break the books takes PGlite long.
    if (name === 'postgres')
      test.each([
        ["update transfers set org_id = 'bbb' where id = 1", ['transfer 1 was changed']],
        ['update transfers set memo = \'{"by": "me"}\' where id = 3', ['transfer 3 was changed']],
        [
          'update postings set amount = amount + 1 where transfer_id = 2',
          ['transfer 2 was changed', 'organisation aaa has 0 in its wallet as credits'],
        ],
        ['delete from transfers where id = 4', ['transfer 4 is missing', 'posting 4/0 is of no transfer']],
        [
          "insert into transfers (id, key, type, org_id, currency, at, posted_at, memo) overriding system value values (-1, 'k', 'grant', 'aaa', 'USD', now(), now(), '{}')",
          ['transfer -1 was added after its time was sealed'],
        ],
        ['delete from ledger_blocks where number = 1', ['block 1 is missing']],
        ["update ledger_blocks set hash = repeat('f', 64) where number = 2", ['block 2 is not what was sealed']],
        [
          "insert into postings values (5, 9, 'aaa/credits/USD', 'aaa/cash/USD', 1)",
          ['no recharge moves credits → cash'],
        ],
        [
          "update wallets set cash = cash + 1 where org_id = 'aaa'",
          ['organisation aaa owes', 'organisation aaa has 1 in its wallet as cash, and 0 in the books'],
        ],
        [
          "update wallets set debt = 0 where org_id = 'aaa'",
          ['organisation aaa owes 0, and its bills lack', 'organisation aaa has 0 in its wallet as receivable'],
        ],
        [
          "update bills set paid = paid - 1 where id = 'bill-use-1'",
          ['bill bill-use-1 says', 'bill bill-use-1 is paid with'],
        ],
        [
          "update bills set status = 'paid' where id = 'bill-use-2'",
          ['organisation aaa owes', 'bill bill-use-2 is paid with'],
        ],
        ["insert into holds values ('uid', 'aaa', null, 1, '2027-01-01')", ['organisation aaa has 1 held, and']],
        [
          "insert into slices values ('uid', 1, 0, '2026-01-01', '2026-01-01', false, 'aaa', 'cpu', 1, null, 0, 5, 5, 'use-1')",
          ['transfer use-1 is of 0'],
        ],
        [
          "insert into meters (uid, seq, org_id, region, kind, name, subject_uid, uses, \"from\", \"to\", settled_to, cost) select 'uid', seq, 'aaa', 'r', 'k', 'n', 's', '[]', '2026-01-01', '2026-01-02', '2026-01-01', '[]' from generate_series(1, 2) seq",
          ['intervals of uid overlap'],
        ],
      ] as [string, string[]][])('after %s, which is found', async (statement, faults) => {
        await byForce(statement);
        const found = (await proof()).faults.join('; ');
        for (const fault of faults) expect(found).toContain(fault);
      });

    test('are checked while they grow: what does not hold is in the metrics', async () => {
      await watch.check();
      await byForce("update wallets set debt = debt + 1 where org_id = 'aaa'");
      await deposit('pay-3', '1');
      expect(await watch.check()).toEqual([
        expect.stringMatching(/^organisation aaa owes 1000001, and its bills lack 1000000$/),
        'aaa/receivable/USD has -1000001 in its wallet, and -1000000 in the books',
      ]);
      expect(await registry.metrics()).toContain('gantry_books_faults{check="wallets_are_what_was_posted"} 1');
      await byForce("update wallets set debt = debt - 1 where org_id = 'aaa'");
      expect(await watch.check()).toEqual([]);
      expect(await registry.metrics()).toContain('gantry_books_faults{check="wallets_are_what_was_posted"} 0');
    });

    test.each(['transfers', 'postings', 'ledger_blocks', 'ledger_accounts'])('only grow: %s', async (table) => {
      for (const statement of [
        `update ${table} set ${table === 'ledger_accounts' ? 'type' : table === 'postings' ? 'debit' : table === 'transfers' ? 'key' : 'hash'} = 'x'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await database()
          .sql.execute(sql.raw(statement))
          .then(
            () => expect(statement).toBe('refused'),
            (error) => expect(sqlStateOf(error)).toBe('23001'),
          );
    });
  });

  test(`sequences of operations come to what the pure rules say, and the books are proved, GANTRY_SEED=${SEED}`, async () => {
    const runs = name === 'pglite' ? 10 : 100;
    const sequences = fc.sample(fc.array(operation, { minLength: 5, maxLength: 15 }), isSoak ? 10 * runs : runs);
    const ids = sequences.map((_, index) => `org-${index}`);
    await database()
      .sql.insert(organizations)
      .values(ids.map((id) => ({ id, name: id, currency: 'USD', createdAt: AT })));
    const differences: unknown[] = [];
    for (const [index, sequence] of sequences.entries()) {
      const played = await playOn({ database: database(), wallets, clock }, `org-${index}`, sequence);
      if (!isDeepStrictEqual(played.came, played.said)) differences.push({ sequence, ...played });
    }
    expect(differences).toEqual([]);
    expect((await verifyBooks(database(), new Date(clock.now()))).faults).toEqual([]);
  }, 120_000);

  const byForce = (statement: string): Promise<void> =>
    database().transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql.raw(statement));
    });
});
