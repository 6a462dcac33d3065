// What a bill is and how it goes on: the statuses and transaction types of the specification as tables.
import type { Tone, Words } from '../define-kind.ts';

interface StatusFacts extends Words {
  tone: Tone;
  /** What may follow. */
  to: readonly string[];
}

export const BILL_STATUSES = {
  unpaid: { tone: 'warning', en: 'Unpaid', zh: '未支付', ja: '未払い', to: ['prepaying', 'partially_paid', 'paid'] },
  /** An order was made and its money is held. */
  prepaying: {
    tone: 'progress',
    en: 'Prepaying',
    zh: '预支付中',
    ja: '前払い中',
    to: ['paiding', 'paid', 'partially_paid', 'unpaid', 'paid_failed'],
  },
  /** The provider works on it. */
  paiding: {
    tone: 'progress',
    en: 'Paying',
    zh: '支付中',
    ja: '支払い処理中',
    to: ['paid', 'partially_paid', 'paid_failed'],
  },
  partially_paid: {
    tone: 'warning',
    en: 'Partially paid',
    zh: '部分支付',
    ja: '一部支払い済み',
    to: ['paid', 'refunding', 'refunded'],
  },
  /** A day's bill of use grows until the day is over: what was paid may be short again by evening. */
  paid: {
    tone: 'good',
    en: 'Paid',
    zh: '已支付',
    ja: '支払い済み',
    to: ['refunding', 'refunded', 'partially_paid', 'unpaid'],
  },
  /** A transfer that was called off may arrive all the same, and short. */
  paid_failed: {
    tone: 'bad',
    en: 'Payment failed',
    zh: '支付失败',
    ja: '支払い失敗',
    to: ['unpaid', 'paid', 'partially_paid'],
  },
  refunding: {
    tone: 'progress',
    en: 'Refunding',
    zh: '退款中',
    ja: '返金処理中',
    to: ['refunded', 'paid', 'partially_paid'],
  },
  /** A bank may send money back that it was to take. */
  refunded: { tone: 'neutral', en: 'Refunded', zh: '已退款', ja: '返金済み', to: ['paid', 'partially_paid'] },
} as const satisfies Record<string, StatusFacts>;
export type BillStatus = keyof typeof BILL_STATUSES;

export const mayBecome = (from: BillStatus, to: BillStatus): boolean =>
  (BILL_STATUSES[from].to as readonly string[]).includes(to);

/** What the amounts of a bill of use say: nobody decides it. */
export const statusByCover = (bill: { total: bigint; paid: bigint; creditUsed: bigint }): BillStatus => {
  const covered = bill.paid + bill.creditUsed;
  if (covered >= bill.total) return 'paid';
  return covered > 0n ? 'partially_paid' : 'unpaid';
};

/**
 * What the amounts of a top-up say while no refund is under way. `paid` is all that arrived, `refunded` what of it went back: part
 * of it may be back and the top-up is still paid.
 */
export const statusOfTopUp = (bill: {
  total: bigint;
  paid: bigint;
  creditUsed: bigint;
  refunded: bigint;
}): BillStatus => (bill.paid > 0n && bill.refunded >= bill.paid ? 'refunded' : statusByCover(bill));

interface TypeFacts extends Words {
  side: 'top-up' | 'usage';
}

export const TRANSACTION_TYPES = {
  /** Money from outside. */
  recharge: { side: 'top-up', en: 'Recharge', zh: '充值', ja: 'チャージ' },
  /** Credits, or what an operator put there. */
  wallet_recharge: { side: 'top-up', en: 'Wallet recharge', zh: '钱包充值', ja: 'ウォレットチャージ' },
  /** Metered. */
  consumption: { side: 'usage', en: 'Consumption', zh: '消费', ja: '利用' },
  /** An order that was paid ahead. */
  order_consumption: { side: 'usage', en: 'Order', zh: '订单消费', ja: '注文' },
} as const satisfies Record<string, TypeFacts>;
export type TransactionType = keyof typeof TRANSACTION_TYPES;

/** `wallet`: paid out of what is there, with nobody outside. The two mobile wallets are named by what they are, not by a brand. */
export const PAYMENT_CHANNELS = {
  card: { en: 'Credit card', zh: '信用卡', ja: 'クレジットカード' },
  wallet_a: { en: 'Mobile wallet A', zh: '移动钱包 A', ja: 'モバイルウォレット A' },
  wallet_b: { en: 'Mobile wallet B', zh: '移动钱包 B', ja: 'モバイルウォレット B' },
  domestic_card: { en: 'Domestic card network', zh: '国内银行卡', ja: '国内カード' },
  bank_transfer: { en: 'Bank transfer', zh: '银行转账', ja: '銀行振込' },
  balance: { en: 'Balance', zh: '余额', ja: '残高' },
} as const satisfies Record<string, Words>;
export type PaymentChannel = keyof typeof PAYMENT_CHANNELS;
