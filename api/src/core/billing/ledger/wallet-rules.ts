// The effect of charges and payments on wallets and bills: pure. `wallets.ts` reads the inputs and writes the results.
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { PostedOtherwise, type Transfer } from './ledger.ts';
import { type Balance, type Books, type Covered, chargeLegs, givenBack, type Parts, spent } from './postings.ts';

export interface Wallet extends Balance {
  readonly organizationId: string;
  readonly currency: string;
  readonly overdraft: Micros;
}

export interface Balances extends Balance {
  readonly currency: string;
  readonly held: Micros;
  readonly overdraft: Micros;
  /** cash + credits − debt. */
  readonly balance: Micros;
  /** The amount that may still be held: balance − held + overdraft. */
  readonly available: Micros;
}

export interface Charge {
  readonly key: string;
  readonly organizationId: string;
  readonly list: Micros;
  /** After the discount. Below zero: a correction. */
  readonly net: Micros;
  readonly at: Date;
  readonly bill: {
    readonly id: string;
    readonly type: 'consumption' | 'order_consumption';
    readonly source: SourceType;
    readonly accountId?: string | undefined;
    readonly reference: string;
    readonly detail?: string | undefined;
  };
  /** The object whose hold was for this: a charged amount is held no more. */
  readonly subject?: string | undefined;
  readonly memo?: Readonly<Record<string, string>> | undefined;
}

/** By how much a bill changes. */
export interface BillChange {
  readonly total: bigint;
  readonly paid: bigint;
  readonly creditUsed: bigint;
  readonly charge: Charge;
  readonly currency: string;
}

export const booksOf = ({ organizationId, currency }: Wallet): Books => ({ organizationId, currency });

export function balancesOf(
  { currency, cash, credits, debt, overdraft }: Omit<Wallet, 'organizationId'>,
  held: Micros,
): Balances {
  const balance = micros(cash + credits - debt);
  return { currency, cash, credits, debt, held, overdraft, balance, available: micros(balance - held + overdraft) };
}

/** Each key once. Throws PostedOtherwise where two charges of one key differ in price, organisation or bill. */
export function chargesByKey(charges: readonly Charge[]): Map<string, Charge> {
  const byKey = new Map<string, Charge>();
  for (const charge of charges) {
    const other = byKey.get(charge.key);
    if (other && !isCharge(charge, other.organizationId, other.bill.id, other)) throw new PostedOtherwise(charge.key);
    byKey.set(charge.key, other ?? charge);
  }
  return byKey;
}

/** Charges that are not posted yet. Throws PostedOtherwise for a posted key with another price, organisation or bill. */
export function withoutPosted(byKey: ReadonlyMap<string, Charge>, posted: ReadonlyMap<string, Transfer>): Charge[] {
  for (const [key, transfer] of posted) {
    const charge = byKey.get(key) as Charge;
    if (!isCharge(charge, transfer.organizationId, transfer.billId, priceOf(transfer))) throw new PostedOtherwise(key);
  }
  return [...byKey.values()].filter(({ key }) => !posted.has(key));
}

const isCharge = (
  { organizationId, bill, list, net }: Charge,
  organization: string,
  billId: string | undefined,
  price: { list: bigint; net: bigint },
): boolean => organizationId === organization && bill.id === billId && list === price.list && net === price.net;

/** Read back from its legs: revenue has the list price, the discount is not the organisation's. */
function priceOf({ legs }: Transfer): { list: bigint; net: bigint } {
  let [list, discount] = [0n, 0n];
  const isOf = (account: string, type: string) => account.startsWith(`platform/${type}/`);
  for (const { debit, credit, amount } of legs) {
    if (isOf(credit, 'revenue')) list += amount;
    if (isOf(debit, 'revenue')) list -= amount;
    if (isOf(debit, 'discounts')) discount += amount;
    if (isOf(credit, 'discounts')) discount -= amount;
  }
  return { list, net: list - discount };
}

/** The wallets after charges that are not posted yet, their transfers, and by how much bills change. */
export function afterCharges(
  before: ReadonlyMap<string, Wallet>,
  charges: readonly Charge[],
  covered: ReadonlyMap<string, Covered>,
): { wallets: Map<string, Wallet>; transfers: Transfer[]; bills: ReadonlyMap<string, BillChange> } {
  const wallets = new Map(before);
  const transfers: Transfer[] = [];
  const bills = new Map<string, BillChange>();
  for (const charge of charges) {
    const wallet = wallets.get(charge.organizationId) as Wallet;
    const change = bills.get(charge.bill.id);
    const cover = coverAfter(covered.get(charge.bill.id), change);
    const { balance, parts } =
      charge.net < 0n ? givenBack(wallet, micros(-charge.net), cover) : spent(wallet, charge.net);
    wallets.set(charge.organizationId, { ...wallet, ...balance });
    transfers.push(transferOf(wallet, charge, parts));
    bills.set(charge.bill.id, changeAfter(change ?? unchanged(charge, wallet), charge, parts));
  }
  return { wallets, transfers, bills };
}

const NOT_COVERED: Covered = { paid: ZERO, creditUsed: ZERO, short: ZERO };

function coverAfter(before: Covered = NOT_COVERED, change: BillChange | undefined): Covered {
  if (!change) return before;
  return {
    paid: micros(before.paid + change.paid),
    creditUsed: micros(before.creditUsed + change.creditUsed),
    short: micros(before.short + change.total - change.paid - change.creditUsed),
  };
}

function transferOf(wallet: Wallet, charge: Charge, parts: Parts): Transfer {
  const { key, at, bill, memo, net } = charge;
  const legs = chargeLegs(wallet, charge, parts);
  return { key, type: net < 0n ? 'correction' : 'charge', ...booksOf(wallet), at, legs, billId: bill.id, memo };
}

const unchanged = (charge: Charge, { currency }: Wallet): BillChange => ({
  total: 0n,
  paid: 0n,
  creditUsed: 0n,
  charge,
  currency,
});

function changeAfter(change: BillChange, { net }: Charge, { cash, credits }: Parts): BillChange {
  const sign = net < 0n ? -1n : 1n;
  return {
    ...change,
    total: change.total + net,
    paid: change.paid + sign * cash,
    creditUsed: change.creditUsed + sign * credits,
  };
}

/** By subject, how much of its hold these charges use up. */
export function usedHolds(charges: readonly Charge[]): Map<string, Micros> {
  const used = new Map<string, Micros>();
  for (const { subject, net } of charges)
    if (subject !== undefined && net > 0n) used.set(subject, micros((used.get(subject) ?? 0n) + net));
  return used;
}

/**
 * Whether `posted` is this taking; its legs went by the wallet of that time, so only their sum is compared. Throws
 * PostedOtherwise where the key is of something else.
 */
export function isTaken(
  posted: Transfer | undefined,
  wanted: Pick<Transfer, 'type' | 'organizationId' | 'billId'> & { readonly amount: Micros },
): boolean {
  if (!posted) return false;
  const isSame =
    posted.type === wanted.type &&
    posted.organizationId === wanted.organizationId &&
    posted.billId === wanted.billId &&
    sumOf(posted.legs.map(({ amount }) => amount)) === wanted.amount;
  if (!isSame) throw new PostedOtherwise(posted.key);
  return true;
}
