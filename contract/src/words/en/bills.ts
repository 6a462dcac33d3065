// Statuses, types and channels of bills.

export const statuses = {
  unpaid: 'Unpaid',
  prepaying: 'Prepaying',
  paiding: 'Paying',
  partially_paid: 'Partially paid',
  paid: 'Paid',
  paid_failed: 'Payment failed',
  refunding: 'Refunding',
  refunded: 'Refunded',
};

export const types = {
  recharge: 'Top-up',
  wallet_recharge: 'Wallet top-up',
  consumption: 'Consumption',
  order_consumption: 'Order',
};

export const channels = {
  card: 'Credit card',
  wallet_a: 'Mobile wallet A',
  wallet_b: 'Mobile wallet B',
  domestic_card: 'Domestic card network',
  bank_transfer: 'Bank transfer',
  balance: 'Balance',
};
