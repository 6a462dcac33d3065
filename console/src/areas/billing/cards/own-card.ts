// A stored card: its data, and whether it is still usable.

import type { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';

export type OwnCard = OutputOf<typeof PAYMENT_ROUTES.listPaymentMethods>[number];

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa •••• 4242" */
export const cardName = ({ brand, last4 }: Pick<OwnCard, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? brand} •••• ${last4}`.trim();

/** `exp_time` is MM/YYYY: a card is good until the end of that month. */
export function isExpired({ exp_time: expires }: Pick<OwnCard, 'exp_time'>, now: Date): boolean {
  const [month, year] = expires.split('/').map(Number);
  if (!month || !year) return false;
  return now >= new Date(year, month, 1);
}
