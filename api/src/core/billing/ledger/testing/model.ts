// One organisation's wallet in memory: the pure rules joined as `Wallets` joins them, and nothing of SQL. Property tests play
// sequences on it, and compare what the databases come to with it.
import { statusByCover } from '@gantry/contract/billing/bill.ts';
import { least, type Micros, micros, moneyText, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { fc } from '../../../../../../test/support/seeded-fast-check.ts';
import type { Leg } from '../ledger.ts';
import type { TransferType } from '../pairs.ts';
import {
  adjustLegs,
  type Balance,
  type Books,
  chargeLegs,
  EMPTY,
  givenBack,
  grantLegs,
  paidDebt,
  rechargeLegs,
  refundLegs,
  settleLegs,
  spent,
} from '../postings.ts';

export type Operation =
  | { readonly does: 'deposit' | 'grant' | 'refund'; readonly amount: Micros }
  | { readonly does: 'adjust'; readonly of: 'cash' | 'credits'; readonly amount: Micros }
  /** `bill`: of how many; the same one twice is a day's bill that grows. */
  | {
      readonly does: 'charge';
      readonly list: Micros;
      readonly off: number;
      readonly bill: number;
      readonly subject: number;
    }
  /** A percentage of the bill's total; above a hundred it is more than the bill took. */
  | { readonly does: 'correct'; readonly bill: number; readonly percent: number }
  | { readonly does: 'hold'; readonly subject: number; readonly amount: Micros; readonly forMs: number }
  | { readonly does: 'release'; readonly subject: number }
  | { readonly does: 'overdraft'; readonly amount: Micros }
  | { readonly does: 'wait'; readonly ms: number };

const BILLS = 5;
const SUBJECTS = 3;

const amount = (most: number) => fc.integer({ min: 1, max: most }).map(micros);
const bill = fc.nat(BILLS - 1);
const subject = fc.nat(SUBJECTS - 1);

/** Amounts are small, so that edges occur: exactly enough, one too little, nothing left. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('charge' as const),
      list: fc.nat(20).map(micros),
      off: fc.integer({ min: -1, max: 20 }),
      bill,
      subject,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('deposit' as const, 'grant' as const, 'refund' as const),
      amount: amount(15),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('correct' as const), bill, percent: fc.integer({ min: 1, max: 150 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('adjust' as const),
      of: fc.constant('cash' as const),
      amount: fc
        .integer({ min: -10, max: 10 })
        .filter((one) => one !== 0)
        .map(micros),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('adjust' as const),
      of: fc.constant('credits' as const),
      amount: fc.integer({ min: -10, max: -1 }).map(micros),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('hold' as const),
      subject,
      amount: fc.nat(12).map(micros),
      forMs: fc.integer({ min: 1, max: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('release' as const), subject }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('overdraft' as const), amount: fc.nat(5).map(micros) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 6 }) }) },
);

export interface ModelBill {
  total: Micros;
  paid: Micros;
  creditUsed: Micros;
}

interface Posted {
  readonly type: TransferType;
  readonly legs: readonly Leg[];
  readonly bill?: string;
}

/** How an operation ended. */
export type Outcome = 'done' | 'refused' | 'nothing';

export class ModelWallet {
  readonly #books: Books;
  balance: Balance = EMPTY;
  overdraft: Micros = ZERO;
  now = 0;
  /** Usage bills, in the order in which they are paid. */
  readonly bills = new Map<string, ModelBill>();
  readonly holds = new Map<string, { amount: Micros; until: number }>();
  readonly posted: Posted[] = [];

  constructor(books: Books) {
    this.#books = books;
  }

  get held(): Micros {
    return sumOf(this.inOrder().map(([, { amount }]) => amount));
  }

  /** The maximum that may be held. */
  get room(): Micros {
    return micros(this.balance.cash + this.balance.credits - this.balance.debt + this.overdraft);
  }

  /** Holds that end first are cut last. */
  inOrder(): [string, { amount: Micros; until: number }][] {
    return [...this.holds].sort(([a, one], [b, other]) => one.until - other.until || (a < b ? -1 : 1));
  }

  /** The amount that may leave: neither held nor lent. */
  #free(of: 'cash' | 'credits'): Micros {
    return least(this.balance[of], micros(this.room - this.held));
  }

  do(op: Operation): Outcome {
    switch (op.does) {
      case 'deposit':
        return this.#moneyIn('recharge', rechargeLegs(this.#books, 'card', op.amount), 'cash', op.amount);
      case 'grant':
        return this.#moneyIn('grant', grantLegs(this.#books, op.amount), 'credits', op.amount);
      case 'refund':
        if (op.amount > this.#free('cash')) return 'refused';
        return this.#moneyIn('refund', refundLegs(this.#books, 'card', op.amount), 'cash', micros(-op.amount));
      case 'adjust':
        if (-op.amount > this.#free(op.of) && op.amount < 0n) return 'refused';
        return this.#moneyIn('adjust', adjustLegs(this.#books, op.of, op.amount), op.of, op.amount);
      case 'charge':
        return this.#charge(`bill-${op.bill}`, priceOf(op), `subject-${op.subject}`);
      case 'correct': {
        const net = this.correction(op);
        return net === 0n ? 'nothing' : this.#charge(`bill-${op.bill}`, { list: net, net });
      }
      case 'hold':
        return this.#hold(`subject-${op.subject}`, op.amount, this.now + op.forMs);
      case 'release':
        return this.holds.delete(`subject-${op.subject}`) ? 'done' : 'nothing';
      case 'overdraft':
        this.overdraft = op.amount;
        this.#fitHolds();
        return 'done';
      case 'wait':
        this.now += op.ms;
        return 'done';
    }
  }

  /** Below zero; zero where the bill has come to nothing. */
  correction({ bill, percent }: { bill: number; percent: number }): Micros {
    const total = this.bills.get(`bill-${bill}`)?.total ?? ZERO;
    return total <= 0n ? ZERO : micros(-((total * BigInt(percent) + 99n) / 100n));
  }

  #moneyIn(type: TransferType, legs: Leg[], of: 'cash' | 'credits', by: Micros): Outcome {
    this.posted.push({ type, legs });
    this.balance = { ...this.balance, [of]: micros(this.balance[of] + by) };
    this.#settle();
    return 'done';
  }

  #charge(id: string, price: { list: Micros; net: Micros }, subject?: string): Outcome {
    const bill = this.bills.get(id) ?? { total: ZERO, paid: ZERO, creditUsed: ZERO };
    const cover = { ...bill, short: micros(bill.total - bill.paid - bill.creditUsed) };
    const isBack = price.net < 0n;
    const { balance, parts } = isBack
      ? givenBack(this.balance, micros(-price.net), cover)
      : spent(this.balance, price.net);
    const sign = isBack ? -1n : 1n;
    this.posted.push({ type: isBack ? 'correction' : 'charge', legs: chargeLegs(this.#books, price, parts), bill: id });
    this.balance = balance;
    this.bills.set(id, {
      total: micros(bill.total + price.net),
      paid: micros(bill.paid + sign * parts.cash),
      creditUsed: micros(bill.creditUsed + sign * parts.credits),
    });
    if (isBack) this.#settle();
    const own = subject === undefined ? undefined : this.holds.get(subject);
    if (own && price.net > 0n) {
      if (own.amount <= price.net) own.until = Math.min(own.until, this.now);
      own.amount = micros(own.amount > price.net ? own.amount - price.net : 0n);
    }
    this.#fitHolds();
    return 'done';
  }

  #settle(): void {
    const due = [...this.bills]
      .map(([billId, { total, paid, creditUsed }]) => ({ billId, short: micros(total - paid - creditUsed) }))
      .filter(({ short }) => short > 0n)
      .sort((a, b) => (a.billId < b.billId ? -1 : 1));
    const { balance, settlements } = paidDebt(this.balance, due);
    this.balance = balance;
    for (const settlement of settlements) {
      const bill = this.bills.get(settlement.billId) as ModelBill;
      bill.paid = micros(bill.paid + settlement.cash);
      bill.creditUsed = micros(bill.creditUsed + settlement.credits);
      this.posted.push({ type: 'settle', legs: settleLegs(this.#books, settlement), bill: settlement.billId });
    }
  }

  #hold(subject: string, amount: Micros, until: number): Outcome {
    const others = sumOf(this.inOrder().flatMap(([id, hold]) => (id === subject ? [] : [hold.amount])));
    if (amount > 0n && amount > this.room - others) return 'refused';
    this.holds.set(subject, { amount, until });
    return 'done';
  }

  /** Holds that end last are cut first. */
  #fitHolds(): void {
    let room = this.room > 0n ? this.room : 0n;
    for (const [, hold] of this.inOrder()) {
      if (hold.amount > room) {
        hold.amount = micros(room);
        hold.until = Math.min(hold.until, this.now);
      }
      room -= hold.amount;
    }
  }
}

export const priceOf = ({ list, off }: { list: Micros; off: number }): { list: Micros; net: Micros } => ({
  list,
  net: micros(off >= 0 && BigInt(off) > list ? 0n : list - BigInt(off)),
});

/** A summary for people. */
export const summary = (wallet: ModelWallet): Record<string, string> => ({
  cash: moneyText(wallet.balance.cash),
  credits: moneyText(wallet.balance.credits),
  debt: moneyText(wallet.balance.debt),
  holds: wallet
    .inOrder()
    .map(([id, { amount }]) => `${id} ${amount}`)
    .join(),
  bills: [...wallet.bills]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, bill]) => `${id} ${bill.paid}+${bill.creditUsed}/${bill.total} ${statusByCover(bill)}`)
    .join(),
});
