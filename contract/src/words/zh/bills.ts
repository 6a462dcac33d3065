// Statuses, types and channels of bills.

import type * as en from '../en/bills.ts';
import type { Shape } from '../join.ts';

export const statuses: Shape<typeof en.statuses> = {
  unpaid: '未支付',
  prepaying: '预支付中',
  paiding: '支付中',
  partially_paid: '部分支付',
  paid: '已支付',
  paid_failed: '支付失败',
  refunding: '退款中',
  refunded: '已退款',
};

export const types: Shape<typeof en.types> = {
  recharge: '充值',
  wallet_recharge: '钱包充值',
  consumption: '消费',
  order_consumption: '订单消费',
};

export const channels: Shape<typeof en.channels> = {
  card: '信用卡',
  wallet_a: '移动钱包 A',
  wallet_b: '移动钱包 B',
  domestic_card: '国内银行卡',
  bank_transfer: '银行转账',
  balance: '余额',
};
