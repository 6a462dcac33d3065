// The statuses and transaction types of a bill, from the specification, with their transitions, as tables.
import type { Tone } from '../define-kind.ts';
import * as en from '../words/en/bills.ts';
import * as ja from '../words/ja/bills.ts';
import { joined, worded } from '../words/join.ts';
import * as zh from '../words/zh/bills.ts';

interface StatusFacts {
  tone: Tone;
  /** The statuses that may follow. */
  to: readonly string[];
}

const STATUSES: Readonly<Record<keyof typeof en.statuses, StatusFacts>> = {
  unpaid: { tone: 'warning', to: ['prepaying', 'partially_paid', 'paid'] },
  /** An order was made and its money is held. */
  prepaying: {
    tone: 'progress',
    to: ['paiding', 'paid', 'partially_paid', 'unpaid', 'paid_failed'],
  },
  /** The provider works on it. */
  paiding: {
    tone: 'progress',
    to: ['paid', 'partially_paid', 'paid_failed'],
  },
  partially_paid: {
    tone: 'warning',
    to: ['paid', 'refunding', 'refunded'],
  },
  /** A day's usage bill grows until the day is over: what was paid may be short again by evening. */
  paid: {
    tone: 'good',
    to: ['refunding', 'refunded', 'partially_paid', 'unpaid'],
  },
  /** A transfer that was called off may arrive all the same, and short. */
  paid_failed: {
    tone: 'bad',
    to: ['unpaid', 'paid', 'partially_paid'],
  },
  refunding: {
    tone: 'progress',
    to: ['refunded', 'paid', 'partially_paid'],
  },
  /** A bank may send money back that it was to take. */
  refunded: { tone: 'neutral', to: ['paid', 'partially_paid'] },
};
export const BILL_STATUSES = worded(joined('bill', { en: en.statuses, zh: zh.statuses, ja: ja.statuses }), STATUSES);
export type BillStatus = keyof typeof BILL_STATUSES;

export const mayBecome = (from: BillStatus, to: BillStatus): boolean => BILL_STATUSES[from].to.includes(to);

/** The status that a usage bill's amounts imply: nobody decides it. */
export const statusByCover = (bill: { total: bigint; paid: bigint; creditUsed: bigint }): BillStatus => {
  const covered = bill.paid + bill.creditUsed;
  if (covered >= bill.total) return 'paid';
  return covered > 0n ? 'partially_paid' : 'unpaid';
};

/**
 * The status that a top-up's amounts imply while no refund is running. `paid` is everything that arrived, `refunded` what went
 * back: a partly refunded top-up is still paid.
 */
export const statusOfTopUp = (bill: {
  total: bigint;
  paid: bigint;
  creditUsed: bigint;
  refunded: bigint;
}): BillStatus => (bill.paid > 0n && bill.refunded >= bill.paid ? 'refunded' : statusByCover(bill));

interface TypeFacts {
  side: 'top-up' | 'usage';
}

const TYPES: Readonly<Record<keyof typeof en.types, TypeFacts>> = {
  /** Money from outside. */
  recharge: { side: 'top-up' },
  /** Credits, or what an operator put there. */
  wallet_recharge: { side: 'top-up' },
  /** Metered. */
  consumption: { side: 'usage' },
  /** An order that was paid ahead. */
  order_consumption: { side: 'usage' },
};
export const TRANSACTION_TYPES = worded(joined('transaction', { en: en.types, zh: zh.types, ja: ja.types }), TYPES);
export type TransactionType = keyof typeof TRANSACTION_TYPES;

/** `wallet`: paid from the balance, without an outside party. The two mobile wallets are named by type, not by brand. */
export const PAYMENT_CHANNELS = joined('channel', { en: en.channels, zh: zh.channels, ja: ja.channels });
export type PaymentChannel = keyof typeof PAYMENT_CHANNELS;
