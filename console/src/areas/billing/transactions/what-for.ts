// A transaction's description besides its amounts. A failed payment stores the code of the reason; people read the sentence.
import { isPaymentFailure, PAYMENT_FAILURES } from '@gantry/contract/billing/payments.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { rateText } from '@gantry/ui/format/money.ts';
import { objectPath } from '../../../parts/object-path.ts';

interface Said {
  transaction_id: string;
  reference: string;
  detail: string;
}

/** Empty if there is only its own id. */
export function whatFor({ transaction_id: id, reference, detail }: Said, language: Language): string {
  if (isPaymentFailure(detail)) return PAYMENT_FAILURES[detail][language];
  if (detail || reference === id) return detail;
  // An id says of what kind it is: the kind's own name is no word for people.
  return objectPath(reference) === undefined ? reference : reference.replace(/^.*\//, '');
}

/** Charged to the default card automatically: any other top-up has an author. */
export const isAutomatic = (one: { type: string; payment_channel: string; operator_id: string | null }): boolean =>
  one.type === 'recharge' && one.payment_channel === 'card' && one.operator_id === null;

interface Returned {
  refunded_amount: string;
  charged_back_amount: string;
  currency: string;
}

/** How much of a payment was refunded, and how much a bank took back, as people read it; neither where it is nothing. */
export const wentBack = ({ refunded_amount, charged_back_amount, currency }: Returned) =>
  (
    [
      ['refunded', refunded_amount],
      ['chargedBack', charged_back_amount],
    ] as const
  )
    .filter(([, text]) => Number(text) !== 0)
    .map(([word, text]) => ({ word, amount: rateText(text, currency) }));
