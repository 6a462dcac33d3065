// What an invoice says of its month and its sums, to its organisation and to operators.
import { moneyText } from '@gantry/contract/fields/money.ts';
import type { InvoiceHead } from './invoices.ts';

type Shown = Omit<InvoiceHead, 'id' | 'number' | 'organizationId'>;

export const invoiceView = (invoice: Shown) => ({
  month: invoice.month,
  zone: invoice.zone,
  from: invoice.from.toISOString(),
  to: invoice.to.toISOString(),
  currency: invoice.currency,
  list: moneyText(invoice.list),
  discount: moneyText(invoice.discount),
  total: moneyText(invoice.total),
  credit_used: moneyText(invoice.creditUsed),
  pay_amount: moneyText(invoice.paid),
  issued_at: invoice.issuedAt.toISOString(),
});
