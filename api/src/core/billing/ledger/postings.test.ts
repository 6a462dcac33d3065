// The pure rules of the books: tables of what each operation moves, which pairs are refused, and that no sequence breaks what
// always holds. GANTRY_SOAK plays ten times as many sequences.
import { type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { isSoak } from '../../../../../test/support/soak.ts';
import { accountOf, readAccount } from './accounts.ts';
import type { Leg, Transfer } from './ledger.ts';
import { faultOf, PAIRS } from './pairs.ts';
import {
  adjustLegs,
  type Balance,
  type Covered,
  chargeLegs,
  givenBack,
  grantLegs,
  paidDebt,
  rechargeLegs,
  refundLegs,
  settleLegs,
  spent,
} from './postings.ts';
import { ModelWallet, type Operation, operation, priceOf } from './testing/model.ts';

const books = { organizationId: 'aaa', currency: 'USD' };
const balance = (cash: number, credits: number, debt: number): Balance => ({
  cash: micros(cash),
  credits: micros(credits),
  debt: micros(debt),
});
const written = (legs: readonly Leg[]) =>
  legs.map(({ debit, credit, amount }) => `${debit} → ${credit} ${amount}`.replaceAll('/USD', ''));

describe('an amount is spent', () => {
  test.each<[string, Balance, number, Balance, Balance]>([
    ['from credits first', balance(5, 5, 0), 3, balance(5, 2, 0), balance(0, 3, 0)],
    ['then from cash', balance(5, 5, 0), 7, balance(3, 0, 0), balance(2, 5, 0)],
    ['to the last millionth', balance(5, 5, 0), 10, balance(0, 0, 0), balance(5, 5, 0)],
    ['and what is short is owed', balance(5, 5, 0), 11, balance(0, 0, 1), balance(5, 5, 1)],
    ['and owed on top of what is owed', balance(0, 0, 4), 3, balance(0, 0, 7), balance(0, 0, 3)],
    ['or nothing is', balance(1, 1, 0), 0, balance(1, 1, 0), balance(0, 0, 0)],
  ])('%s', (_name, before, amount, after, parts) => {
    expect(spent(before, micros(amount))).toEqual({ balance: after, parts });
  });
});

describe('a correction gives back', () => {
  const bill = (paid: number, creditUsed: number, short: number): Covered => ({
    paid: micros(paid),
    creditUsed: micros(creditUsed),
    short: micros(short),
  });
  test.each<[string, Balance, Covered, number, Balance, Balance]>([
    ['what is owed first', balance(0, 0, 9), bill(3, 3, 3), 2, balance(0, 0, 7), balance(0, 0, 2)],
    ['then what was cash', balance(0, 0, 9), bill(3, 3, 3), 5, balance(2, 0, 6), balance(2, 0, 3)],
    ['then what was credits, as credits', balance(0, 0, 3), bill(3, 3, 3), 9, balance(3, 3, 0), balance(3, 3, 3)],
    ['and beyond what the bill took, cash', balance(0, 0, 0), bill(1, 1, 0), 5, balance(4, 1, 0), balance(4, 1, 0)],
  ])('%s', (_name, before, covered, amount, after, parts) => {
    expect(givenBack(before, micros(amount), covered)).toEqual({ balance: after, parts });
  });
});

describe('debt is paid', () => {
  const due = (...shorts: number[]) => shorts.map((short, index) => ({ billId: `b${index}`, short: micros(short) }));
  test.each<[string, Balance, number[], Balance, string[]]>([
    ['in part: a small top-up clears a small part', balance(2, 0, 9), [4, 5], balance(0, 0, 7), ['b0 2+0']],
    ['the oldest bill first', balance(6, 0, 9), [4, 5], balance(0, 0, 3), ['b0 4+0', 'b1 2+0']],
    ['in full, and the rest is kept', balance(12, 0, 9), [4, 5], balance(3, 0, 0), ['b0 4+0', 'b1 5+0']],
    ['with credits before cash', balance(9, 5, 9), [4, 5], balance(5, 0, 0), ['b0 0+4', 'b1 4+1']],
    ['not at all while there is nothing', balance(0, 0, 9), [9], balance(0, 0, 9), []],
  ])('%s', (_name, before, shorts, after, paid) => {
    const result = paidDebt(before, due(...shorts));
    expect(result.balance).toEqual(after);
    expect(result.settlements.map(({ billId, cash, credits }) => `${billId} ${cash}+${credits}`)).toEqual(paid);
  });
});

test.each<[string, Leg[], string[]]>([
  [
    'a charge credits revenue with the list price; the discount is a cost of its own',
    chargeLegs(books, { list: micros(12), net: micros(10) }, balance(3, 2, 5)),
    [
      'aaa/credits → platform/revenue 2',
      'aaa/cash → platform/revenue 3',
      'aaa/receivable → platform/revenue 5',
      'platform/discounts → platform/revenue 2',
    ],
  ],
  [
    'a charge whose net is a millionth above its list takes it back from the discounts',
    chargeLegs(books, { list: micros(0), net: micros(1) }, balance(1, 0, 0)),
    ['aaa/cash → platform/revenue 1', 'platform/revenue → platform/discounts 1'],
  ],
  ['a charge of nothing moves nothing', chargeLegs(books, { list: ZERO, net: ZERO }, balance(0, 0, 0)), []],
  [
    'a correction is the reverse of a charge',
    chargeLegs(books, { list: micros(-12), net: micros(-10) }, balance(3, 2, 5)),
    [
      'platform/revenue → aaa/credits 2',
      'platform/revenue → aaa/cash 3',
      'platform/revenue → aaa/receivable 5',
      'platform/revenue → platform/discounts 2',
    ],
  ],
  [
    'a recharge comes through its channel',
    rechargeLegs(books, 'card', micros(1)),
    ['platform/clearing.card → aaa/cash 1'],
  ],
  ['a refund leaves through it', refundLegs(books, 'card', micros(1)), ['aaa/cash → platform/clearing.card 1']],
  ['credits are promotions', grantLegs(books, micros(1)), ['platform/promotions → aaa/credits 1']],
  ['staff give cash', adjustLegs(books, 'cash', micros(1)), ['platform/adjustments → aaa/cash 1']],
  ['staff take cash', adjustLegs(books, 'cash', micros(-1)), ['aaa/cash → platform/adjustments 1']],
  ['staff take credits', adjustLegs(books, 'credits', micros(-1)), ['aaa/credits → platform/promotions 1']],
  [
    'a settlement pays what is owed',
    settleLegs(books, { billId: 'b', cash: micros(1), credits: micros(2) }),
    ['aaa/credits → aaa/receivable 2', 'aaa/cash → aaa/receivable 1'],
  ],
])('%s', (_name, legs, expected) => {
  expect(written(legs)).toEqual(expected);
});

describe('a transfer is refused', () => {
  const transfer = (changes: Partial<Transfer>, leg: Partial<Leg> = {}): Transfer => ({
    key: 'k',
    type: 'charge',
    ...books,
    at: new Date(0),
    legs: [{ debit: 'aaa/cash/USD', credit: 'platform/revenue/USD', amount: micros(1), ...leg }],
    ...changes,
  });
  test.each<[string, Transfer, string | undefined]>([
    ['not, when its pair is in the table', transfer({}), undefined],
    ['when its type moves no such pair', transfer({ type: 'grant' }), 'transfer k: no grant moves cash → revenue'],
    [
      'when it moves the other way',
      transfer({}, { debit: 'platform/revenue/USD', credit: 'aaa/cash/USD' }),
      'transfer k: no charge moves revenue → cash',
    ],
    [
      'when it moves nothing',
      transfer({}, { amount: ZERO }),
      'transfer k: aaa/cash/USD → platform/revenue/USD of 0, and only what is above zero moves',
    ],
    [
      'when an account has another currency',
      transfer({}, { credit: 'platform/revenue/EUR' }),
      'transfer k: aaa/cash/USD → platform/revenue/EUR has another currency than USD',
    ],
    [
      "when an account is another organisation's",
      transfer({}, { debit: 'bbb/cash/USD' }),
      'transfer k: bbb/cash/USD → platform/revenue/USD is not of organisation aaa',
    ],
  ])('%s', (_name, transfer, fault) => {
    expect(faultOf(transfer)).toBe(fault);
  });
  test.each(['aaa/revenue/USD', 'platform/cash/USD', 'aaa/cash', 'aaa/cash/USD/x', '/cash/USD'])(
    'for %s is no account',
    (id) => {
      expect(() => readAccount(id)).toThrow(RangeError);
    },
  );
});

test('no pair moves money between two organisations, or out of one but by spending, settling, refunds and staff', () => {
  const own = new Set(['cash', 'credits', 'receivable']);
  const out = Object.entries(PAIRS)
    .filter(([, pairs]) => pairs.some((pair) => own.has(pair.split(' → ')[0] ?? '')))
    .map(([type]) => type);
  expect(out).toEqual(['settle', 'adjust', 'charge', 'refund', 'chargeback']);
});

describe('no sequence of operations breaks what always holds', () => {
  const RUNS = isSoak ? 100_000 : 10_000;

  /** The totals of the sequence, computed without accounts. */
  interface Sums {
    worth: bigint;
    list: bigint;
    discount: bigint;
  }

  /** A hundred thousand of these: `expect` would take most of the time. */
  function must(holds: boolean, what: string): void {
    if (!holds) throw new Error(`${what} no more`);
  }

  function add(sums: Sums, op: Operation, correction: Micros): void {
    if (op.does === 'deposit' || op.does === 'grant' || op.does === 'adjust') sums.worth += op.amount;
    if (op.does === 'refund') sums.worth -= op.amount;
    if (op.does === 'charge' || op.does === 'correct') {
      const { list, net } = op.does === 'charge' ? priceOf(op) : { list: correction, net: correction };
      sums.worth -= net;
      sums.list += list;
      sums.discount += list - net;
    }
  }

  /** Only incoming money or a correction reduces debt. */
  const mostPaid = (op: Operation, correction: Micros): bigint =>
    op.does === 'deposit' || op.does === 'grant' || op.does === 'adjust' ? op.amount : -correction;

  function balancesOf(wallet: ModelWallet): (account: string) => bigint {
    const balances = new Map<string, bigint>();
    for (const { legs } of wallet.posted)
      for (const { debit, credit, amount } of legs) {
        balances.set(debit, (balances.get(debit) ?? 0n) - amount);
        balances.set(credit, (balances.get(credit) ?? 0n) + amount);
      }
    return (account) => balances.get(account) ?? 0n;
  }

  function mustBeWhole(wallet: ModelWallet, sums: Sums): void {
    const { cash, credits, debt } = wallet.balance;
    const accountBalance = balancesOf(wallet);
    const own = (type: 'cash' | 'credits' | 'receivable') => accountBalance(accountOf(books, type, 'USD'));
    must(own('cash') === cash && own('credits') === credits && own('receivable') === -debt, 'the wallet is its fold');
    must(accountBalance('platform/revenue/USD') === sums.list, 'revenue is the sum of list prices');
    must(accountBalance('platform/discounts/USD') === -sums.discount, 'discounts are what was taken off');
    must(cash >= 0n && credits >= 0n && debt >= 0n, 'nothing is below zero');
    must(debt === 0n || cash + credits === 0n, 'who owes has nothing');
    const shorts = [...wallet.bills.values()].map(({ total, paid, creditUsed }) => total - paid - creditUsed);
    must(
      shorts.every((short) => short >= 0n),
      'no bill is paid beyond its total',
    );
    must(shorts.reduce((sum, short) => sum + short, 0n) === debt, 'the debt is what bills lack');
    for (const [n, { type, legs }] of wallet.posted.entries()) {
      const fault = faultOf({ key: `${n}`, type, ...books, at: new Date(0), legs });
      must(fault === undefined, `${fault}: only pairs of the table move`);
    }
  }

  function play(operations: readonly Operation[]): void {
    const wallet = new ModelWallet(books);
    const sums: Sums = { worth: 0n, list: 0n, discount: 0n };
    for (const op of operations) {
      const { debt } = wallet.balance;
      const correction = op.does === 'correct' ? wallet.correction(op) : ZERO;
      if (wallet.do(op) === 'done') add(sums, op, correction);
      const { balance } = wallet;
      must(balance.cash + balance.credits - balance.debt === sums.worth, 'what came in less what went out is there');
      must(debt - balance.debt <= 0n || debt - balance.debt <= mostPaid(op, correction), 'debt is not reset');
      must(wallet.held <= (wallet.room > 0n ? wallet.room : 0n), 'holds have cover');
    }
    mustBeWhole(wallet, sums);
  }

  test(`in ${RUNS} of them`, () => {
    fc.assert(fc.property(fc.array(operation, { minLength: 1, maxLength: 20 }), play), { numRuns: RUNS });
  }, 300_000);
});
