// Which accounts a transfer may move money between, by its type: the one table. What is in no row is refused.
import { readAccount } from './accounts.ts';
import type { Transfer } from './ledger.ts';

/** Each `debit → credit`; what lies left of the arrow pays. */
export const PAIRS = {
  /** Money from outside. */
  recharge: ['clearing → cash'],
  /** Incoming money pays debt. */
  settle: ['cash → receivable', 'credits → receivable'],
  grant: ['promotions → credits'],
  /** Staff give or take. */
  adjust: ['adjustments → cash', 'cash → adjustments', 'credits → promotions'],
  /**
   * Revenue is credited with the list price; the discount is a separate cost. List and net price are each rounded over a whole
   * interval, so a single slice's net may be a millionth above the list: then the discount shrinks.
   */
  charge: ['cash → revenue', 'credits → revenue', 'receivable → revenue', 'discounts → revenue', 'revenue → discounts'],
  correction: [
    'revenue → cash',
    'revenue → credits',
    'revenue → receivable',
    'revenue → discounts',
    'discounts → revenue',
  ],
  /** A refund that is requested here takes cash; one made at the provider leaves the shortfall as debt. */
  refund: ['cash → clearing', 'receivable → clearing'],
  /** A refund that failed, or that a bank sent back. */
  refund_return: ['clearing → cash'],
  /** A bank took money back for a cardholder, even if the wallet does not have it. */
  chargeback: ['cash → clearing', 'receivable → clearing'],
  /** The dispute was won. */
  chargeback_return: ['clearing → cash'],
  /** The provider's fee for a dispute: the platform's own cost. */
  dispute_fee: ['fees → clearing'],
  dispute_fee_return: ['clearing → fees'],
} as const satisfies Record<string, readonly string[]>;
export type TransferType = keyof typeof PAIRS;

export const isTransferType = (type: string): type is TransferType => Object.hasOwn(PAIRS, type);

/** Why this cannot be posted, in one sentence; undefined if it can. */
export function faultOf({ key, type, organizationId, currency, legs }: Transfer): string | undefined {
  const pairs: readonly string[] = PAIRS[type];
  for (const { debit, credit, amount } of legs) {
    const [from, to] = [readAccount(debit), readAccount(credit)];
    if (amount <= 0n) return `transfer ${key}: ${debit} → ${credit} of ${amount}, and only what is above zero moves`;
    if (from.currency !== currency || to.currency !== currency)
      return `transfer ${key}: ${debit} → ${credit} has another currency than ${currency}`;
    if (
      (from.organizationId ?? organizationId) !== organizationId ||
      (to.organizationId ?? organizationId) !== organizationId
    )
      return `transfer ${key}: ${debit} → ${credit} is not of organisation ${organizationId}`;
    if (!pairs.includes(`${from.family} → ${to.family}`))
      return `transfer ${key}: no ${type} moves ${from.family} → ${to.family}`;
  }
  return undefined;
}
