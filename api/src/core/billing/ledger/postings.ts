// Which accounts each operation moves money between: pure. Takes a wallet, returns the new wallet and the legs.
import { least, type Micros, micros, most, ZERO } from '@gantry/contract/fields/money.ts';
import { accountOf, type OrganizationAccount, type PlatformAccount } from './accounts.ts';
import type { Leg } from './ledger.ts';

/** The money of an organisation, and its debt (positive). A debtor has no money: `paidDebt` ensures that. */
export interface Balance {
  readonly cash: Micros;
  readonly credits: Micros;
  readonly debt: Micros;
}

/** How much of an amount each of the three paid; or, for a correction, how much each gets back. */
export interface Parts {
  readonly cash: Micros;
  readonly credits: Micros;
  readonly debt: Micros;
}

export interface Books {
  readonly organizationId: string;
  readonly currency: string;
}

export const EMPTY: Balance = { cash: ZERO, credits: ZERO, debt: ZERO };

/** Credits go first, then cash; usage is always posted, so the rest is owed. */
export function spent(balance: Balance, amount: Micros): { balance: Balance; parts: Parts } {
  const credits = least(balance.credits, amount);
  const cash = least(balance.cash, micros(amount - credits));
  const debt = micros(amount - credits - cash);
  return {
    balance: {
      cash: micros(balance.cash - cash),
      credits: micros(balance.credits - credits),
      debt: micros(balance.debt + debt),
    },
    parts: { cash, credits, debt },
  };
}

/** The money that paid a bill, and the part that is owed. */
export interface Covered {
  readonly paid: Micros;
  readonly creditUsed: Micros;
  readonly short: Micros;
}

/** A correction of a positive `amount`: what was spent last comes back first. Beyond what the bill took, it is cash. */
export function givenBack(balance: Balance, amount: Micros, bill: Covered): { balance: Balance; parts: Parts } {
  const debt = least(amount, most(bill.short, ZERO));
  const paid = least(micros(amount - debt), most(bill.paid, ZERO));
  const credits = least(micros(amount - debt - paid), most(bill.creditUsed, ZERO));
  const cash = micros(amount - debt - credits);
  return {
    balance: {
      cash: micros(balance.cash + cash),
      credits: micros(balance.credits + credits),
      debt: micros(balance.debt - debt),
    },
    parts: { cash, credits, debt },
  };
}

export interface Due {
  readonly billId: string;
  readonly short: Micros;
}

export interface Settlement {
  readonly billId: string;
  readonly cash: Micros;
  readonly credits: Micros;
}

/** Debt is paid with whatever there is, credits first, and the first bill of `due` first. */
export function paidDebt(balance: Balance, due: readonly Due[]): { balance: Balance; settlements: Settlement[] } {
  let { cash, credits, debt } = balance;
  const settlements: Settlement[] = [];
  for (const { billId, short } of due) {
    const fromCredits = least(credits, short, debt);
    const fromCash = least(cash, micros(short - fromCredits), micros(debt - fromCredits));
    if (fromCredits + fromCash <= 0n) break;
    settlements.push({ billId, cash: fromCash, credits: fromCredits });
    cash = micros(cash - fromCash);
    credits = micros(credits - fromCredits);
    debt = micros(debt - fromCash - fromCredits);
  }
  return { balance: { cash, credits, debt }, settlements };
}

/** Legs of usage. A negative `net` is a correction: `parts` then come back. */
export function chargeLegs(books: Books, { list, net }: { list: Micros; net: Micros }, parts: Parts): Leg[] {
  const own = accountsOf(books);
  const revenue = platform('revenue', books);
  const moved = [
    { account: own('credits'), amount: parts.credits },
    { account: own('cash'), amount: parts.cash },
    { account: own('receivable'), amount: parts.debt },
  ];
  // Above zero: taken off the list price. Below zero: of it, something is taken back.
  const discount = micros(list - net);
  return [
    ...moved.flatMap(({ account, amount }) =>
      net < 0n ? leg(revenue, account, amount) : leg(account, revenue, amount),
    ),
    ...between(platform('discounts', books), revenue, discount),
  ];
}

export const rechargeLegs = (books: Books, channel: string, amount: Micros): Leg[] =>
  leg(platform(`clearing.${channel}`, books), accountsOf(books)('cash'), amount);

export const refundLegs = (books: Books, channel: string, amount: Micros): Leg[] =>
  takenLegs(books, channel, { cash: amount, debt: ZERO });

/** Money that went back: cash first, the rest is owed. Credits never leave the platform. */
export function takenBack(balance: Balance, amount: Micros): { balance: Balance; parts: Pick<Parts, 'cash' | 'debt'> } {
  const cash = least(balance.cash, amount);
  const debt = micros(amount - cash);
  return {
    balance: { ...balance, cash: micros(balance.cash - cash), debt: micros(balance.debt + debt) },
    parts: { cash, debt },
  };
}

export function takenLegs(books: Books, channel: string, { cash, debt }: Pick<Parts, 'cash' | 'debt'>): Leg[] {
  const own = accountsOf(books);
  const clearing = platform(`clearing.${channel}`, books);
  return [...leg(own('cash'), clearing, cash), ...leg(own('receivable'), clearing, debt)];
}

/** A negative amount comes back from the provider. */
export const feeLegs = (books: Books, channel: string, amount: Micros): Leg[] =>
  between(platform('fees', books), platform(`clearing.${channel}`, books), amount);

export const grantLegs = (books: Books, amount: Micros): Leg[] =>
  leg(platform('promotions', books), accountsOf(books)('credits'), amount);

/** Below zero it is taken: cash to the adjustments, credits back to the promotions. */
export const adjustLegs = (books: Books, of: 'cash' | 'credits', amount: Micros): Leg[] =>
  of === 'cash'
    ? between(platform('adjustments', books), accountsOf(books)('cash'), amount)
    : between(platform('promotions', books), accountsOf(books)('credits'), amount);

export const settleLegs = (books: Books, { cash, credits }: Settlement): Leg[] => {
  const own = accountsOf(books);
  return [...leg(own('credits'), own('receivable'), credits), ...leg(own('cash'), own('receivable'), cash)];
};

const accountsOf =
  ({ organizationId, currency }: Books) =>
  (type: OrganizationAccount): string =>
    accountOf({ organizationId }, type, currency);
const platform = (type: PlatformAccount, { currency }: Books): string => accountOf('platform', type, currency);

/** No leg if nothing moves. */
const leg = (debit: string, credit: string, amount: Micros): Leg[] => (amount > 0n ? [{ debit, credit, amount }] : []);

/** Below zero it moves the other way. */
const between = (debit: string, credit: string, amount: Micros): Leg[] =>
  amount < 0n ? leg(credit, debit, micros(-amount)) : leg(debit, credit, amount);
