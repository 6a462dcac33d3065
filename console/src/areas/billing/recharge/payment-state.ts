// The meaning of a payment's status for the page that waits for it.
import type { BillStatus } from '@gantry/contract/billing/bill.ts';
import { isCalledOff, type PaymentFailure } from '@gantry/contract/billing/payments.ts';

interface Said {
  status: BillStatus;
  failure: PaymentFailure | null;
}

/** It may still continue, by itself or by the person's action. */
export const isOpen = (status: BillStatus): boolean => ['unpaid', 'prepaying', 'paiding'].includes(status);

export function severityOf({ status, failure }: Said): 'info' | 'success' | 'error' {
  if (status === 'paid_failed') return isCalledOff(failure) ? 'info' : 'error';
  return status === 'paid' || status === 'partially_paid' ? 'success' : 'info';
}
