// Statuses, types and channels of bills.

import type * as en from '../en/bills.ts';
import type { Shape } from '../join.ts';

export const statuses: Shape<typeof en.statuses> = {
  unpaid: '未払い',
  prepaying: '前払い中',
  paiding: '支払い処理中',
  partially_paid: '一部支払い済み',
  paid: '支払い済み',
  paid_failed: '支払い失敗',
  refunding: '返金処理中',
  refunded: '返金済み',
};

export const types: Shape<typeof en.types> = {
  recharge: 'チャージ',
  wallet_recharge: 'ウォレットチャージ',
  consumption: '利用',
  order_consumption: '注文',
};

export const channels: Shape<typeof en.channels> = {
  card: 'クレジットカード',
  wallet_a: 'モバイルウォレット A',
  wallet_b: 'モバイルウォレット B',
  domestic_card: '国内カード',
  bank_transfer: '銀行振込',
  balance: '残高',
};
