// How the ledger's entries are named on the wire: types of transfers, families of accounts, and the documents behind them. The rules
// of the ledger itself are the gateway's (`api/src/core/billing/ledger/pairs.ts`); its tables are checked against these names.

export const TRANSFER_TYPES = [
  'recharge',
  'settle',
  'grant',
  'adjust',
  'charge',
  'correction',
  'refund',
  'refund_return',
  'chargeback',
  'chargeback_return',
  'dispute_fee',
  'dispute_fee_return',
] as const;
export type LedgerTransferType = (typeof TRANSFER_TYPES)[number];

/** An organisation's, then the platform's. */
export const ENTRY_ACCOUNTS = [
  'cash',
  'credits',
  'receivable',
  'revenue',
  'discounts',
  'promotions',
  'adjustments',
  'fees',
  'clearing',
] as const;
export type EntryAccount = (typeof ENTRY_ACCOUNTS)[number];

/** The document that an entry belongs to; a bill is on an invoice once its month is closed. */
export const ENTRY_DOCUMENTS = ['bill', 'payment', 'refund', 'chargeback', 'adjustment'] as const;
export type EntryDocument = (typeof ENTRY_DOCUMENTS)[number];

export const DOCUMENT_OF: Readonly<Record<LedgerTransferType, EntryDocument>> = {
  recharge: 'payment',
  /** Debt that incoming money pays: the bill that was owed. */
  settle: 'bill',
  grant: 'adjustment',
  adjust: 'adjustment',
  charge: 'bill',
  correction: 'bill',
  refund: 'refund',
  refund_return: 'refund',
  chargeback: 'chargeback',
  chargeback_return: 'chargeback',
  dispute_fee: 'chargeback',
  dispute_fee_return: 'chargeback',
};
