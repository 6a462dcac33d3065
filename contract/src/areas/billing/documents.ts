// Payments and usage as documents: transactions, their totals, usage, invoices, and the recipient of invoices.
import * as z from 'zod';
import { BILL_STATUSES, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '../../billing/bill.ts';
import { zoneName } from '../../billing/months.ts';
import { SOURCE_TYPES } from '../../billing/resources.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { dateTime } from '../../fields/date-time.ts';
import { plainLines, plainText } from '../../fields/plain-text.ts';
import { defineRoute, type RouteFacts } from '../../http/define-route.ts';
import { cursorQuery, pageQuery } from '../../http/paging.ts';

const tag = 'documents';
const time = z.iso.datetime();
const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];
const types = keysOf(TRANSACTION_TYPES);
const sides = ['top-up', 'usage'] as const;

/** From `start` on and before `end`. */
const range = {
  start: dateTime.optional().meta({ description: 'From here on.' }),
  end: dateTime.optional().meta({ description: 'Before this.' }),
};

const filters = {
  ...range,
  type: z.enum([...types, ...sides]).optional(),
  status: z.enum(keysOf(BILL_STATUSES)).optional(),
  source_type: z.enum(SOURCE_TYPES).optional(),
  payment_channel: z.enum(keysOf(PAYMENT_CHANNELS)).optional(),
  search: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'A part of the id, of what it was for, or of who it was.' }),
};

const order = {
  order_by: z.enum(['date', 'total_amount', 'pay_amount', 'credit_used', 'status', 'type']).default('date'),
  order_type: z.enum(['asc', 'desc']).default('desc'),
};

export const transaction = z.object({
  transaction_id: z.string(),
  date: time,
  type: z.enum(types),
  total_amount: money,
  /** How much of it money has paid, and how much credits have. */
  pay_amount: money,
  credit_used: money,
  /** How much of the incoming money, which never falls, was refunded, and how much a bank took back. */
  refunded_amount: money,
  charged_back_amount: money,
  currency: currencyCode,
  payment_channel: z.enum(keysOf(PAYMENT_CHANNELS)),
  status: z.enum(keysOf(BILL_STATUSES)),
  /** The person who paid, ordered, or created what was used; empty if there is none. */
  operator: z.string(),
  operator_id: z.string().nullable(),
  source_type: z.enum(SOURCE_TYPES).nullable(),
  /** `GpuInstance/ins-…`, an order, a payment. */
  reference: z.string(),
  detail: z.string(),
});

const amounts = { list: money, discount: money, total: money };

export const summaryRow = z.object({
  /** A SKU, an account's id, a day of UTC, or a source; empty where none is known. */
  key: z.string(),
  name: z.string(),
  ...amounts,
});

export const usageRow = z.object({
  key: z.string(),
  name: z.string(),
  /** Cards times hours, those of rented hosts too; and what else is counted by the hour. */
  gpu_hours: z.string(),
  core_hours: z.string(),
  memory_gib_hours: z.string(),
  storage_gib_hours: z.string(),
  ...amounts,
});

export const invoiceHead = z.object({
  id: z.string(),
  number: z.string(),
  month: z.string(),
  zone: z.string(),
  from: time,
  to: time,
  currency: currencyCode,
  ...amounts,
  /** How much of the total credits and the balance paid at the time of use; the rest was owed then. */
  credit_used: money,
  pay_amount: money,
  owed: money,
  issued_at: time,
});

export const invoiceLine = z.object({
  type: z.enum(['usage', 'order', 'plan', 'correction']),
  sku: z.string(),
  item: z.string().meta({ description: "What the SKU is, in the caller's language." }),
  reference: z.string(),
  name: z.string(),
  account: z.string(),
  quantity: z
    .string()
    .meta({ description: 'Unit times hours of use; pieces of orders; empty where only an amount is known.' }),
  unit: z.string(),
  from: time,
  to: time,
  price: z.string(),
  discount_percent: z.string(),
  ...amounts,
});

export const CREDIT_NOTE_KINDS = ['refund', 'cancellation'] as const;

export const creditNoteHead = z.object({
  id: z.string(),
  number: z.string(),
  kind: z
    .enum(CREDIT_NOTE_KINDS)
    .meta({ description: 'A `cancellation` belongs to a refund that was returned; its amount is negative.' }),
  cancels: z.string().nullable().meta({ description: 'The number of the note that this one cancels.' }),
  transaction_id: z.string().meta({ description: 'The payment that was refunded.' }),
  paid_at: time,
  currency: currencyCode,
  amount: money,
  date: time.meta({ description: 'When the money was refunded, or the refund was returned.' }),
  issued_at: time,
});

const recipient = {
  legal_name: plainText(200).or(z.literal('')),
  address: plainLines(1000),
  /** Letters, digits and separators. */
  tax_id: z.string().regex(/^([A-Za-z0-9][A-Za-z0-9 ./-]{1,38}[A-Za-z0-9])?$/, 'tax_id_rule'),
};

export const billingProfile = z.object({
  zone: z.string(),
  legal_name: z.string(),
  address: z.string(),
  tax_id: z.string(),
});

const pay = { right: 'pay' } as const satisfies RouteFacts['access'];
const one = z.object({ id: z.string().min(1).max(63) });
const fileOf = (summary: string) =>
  ({ method: 'GET', tag, access: pay, summary, problems: [], exempt: true }) as const satisfies Partial<RouteFacts>;

export const DOCUMENT_ROUTES = {
  listTransactions: defineRoute({
    id: 'listTransactions',
    method: 'GET',
    path: '/paybill/v1/payment-transactions',
    tag,
    summary:
      'What was paid in, given, used and ordered: one line per payment and order, and per object and day of UTC.',
    access: pay,
    query: z.strictObject({ ...cursorQuery(10), ...order, ...filters }),
    answer: { list: transaction },
    problems: ['range_order', 'cursor_rule'],
  }),
  summarizePayments: defineRoute({
    id: 'summarizePayments',
    method: 'GET',
    path: '/paybill/v1/payment-summary',
    tag,
    summary: 'What a range of time has cost, by resource, member, day of UTC or source; their sums are in `extra`.',
    access: pay,
    query: z.strictObject({ ...range, by: z.enum(['resource', 'member', 'day', 'source']).default('resource') }),
    answer: { list: summaryRow },
    problems: ['range_rule'],
  }),
  exportTransactions: defineRoute({
    ...fileOf("The transactions as CSV, in the caller's language, as spreadsheets read it."),
    id: 'exportTransactions',
    path: '/paybill/v1/export-payment-transactions',
    query: z.strictObject({ ...order, ...filters }),
    answer: { file: 'text/csv' },
    problems: ['range_order'],
  }),
  showUsage: defineRoute({
    id: 'showUsage',
    method: 'GET',
    path: '/paybill/v1/usage',
    tag,
    summary: 'How much was used in a range of time, by object, resource, member or day of UTC; sums are in `extra`.',
    access: { right: 'view' },
    query: z.strictObject({
      ...pageQuery(10),
      ...range,
      by: z.enum(['object', 'resource', 'member', 'day']).default('object'),
    }),
    answer: { list: usageRow },
    problems: ['range_rule'],
  }),
  listInvoices: defineRoute({
    id: 'listInvoices',
    method: 'GET',
    path: '/paybill/v1/invoices',
    tag,
    summary: 'The invoices of the organisation, newest first.',
    access: pay,
    query: z.strictObject(cursorQuery(10)),
    answer: { list: invoiceHead },
    problems: ['cursor_rule'],
  }),
  getInvoice: defineRoute({
    id: 'getInvoice',
    method: 'GET',
    path: '/paybill/v1/invoices/{id}',
    tag,
    summary: 'One invoice with its lines, which add up to its total.',
    access: pay,
    params: one,
    answer: {
      result: invoiceHead.extend({
        recipient: billingProfile.omit({ zone: true }),
        issuer: billingProfile.omit({ zone: true }),
        lines: z.array(invoiceLine),
      }),
    },
    problems: [],
  }),
  getInvoiceCsv: defineRoute({
    ...fileOf("One invoice's lines as CSV, in the caller's language."),
    id: 'getInvoiceCsv',
    path: '/paybill/v1/invoices/{id}/csv',
    params: one,
    answer: { file: 'text/csv' },
  }),
  getInvoicePdf: defineRoute({
    ...fileOf("One invoice as PDF, in the caller's language."),
    id: 'getInvoicePdf',
    path: '/paybill/v1/invoices/{id}/pdf',
    params: one,
    answer: { file: 'application/pdf' },
    // Its fonts cost half a second of the processor.
    attemptsPerMinute: 30,
  }),
  listCreditNotes: defineRoute({
    id: 'listCreditNotes',
    method: 'GET',
    path: '/paybill/v1/credit-notes',
    tag,
    summary: 'One credit note for each refund, and one for each refund that was returned, newest first.',
    access: pay,
    query: z.strictObject(cursorQuery(10)),
    answer: { list: creditNoteHead },
    problems: ['cursor_rule'],
  }),
  getCreditNote: defineRoute({
    id: 'getCreditNote',
    method: 'GET',
    path: '/paybill/v1/credit-notes/{id}',
    tag,
    summary: 'One credit note: who issued it, and to whom.',
    access: pay,
    params: one,
    answer: {
      result: creditNoteHead.extend({
        recipient: billingProfile.omit({ zone: true }),
        issuer: billingProfile.omit({ zone: true }),
      }),
    },
    problems: [],
  }),
  getCreditNotePdf: defineRoute({
    ...fileOf("One credit note as PDF, in the caller's language."),
    id: 'getCreditNotePdf',
    path: '/paybill/v1/credit-notes/{id}/pdf',
    params: one,
    answer: { file: 'application/pdf' },
    // Its fonts cost half a second of the processor.
    attemptsPerMinute: 30,
  }),
  getBillingProfile: defineRoute({
    id: 'getBillingProfile',
    method: 'GET',
    path: '/paybill/v1/billing-profile',
    tag,
    summary: 'To whom invoices are written, and in which zone their months begin.',
    access: pay,
    answer: { result: billingProfile },
    problems: [],
  }),
  setBillingProfile: defineRoute({
    id: 'setBillingProfile',
    method: 'PUT',
    path: '/paybill/v1/billing-profile',
    tag,
    summary: 'Says so; what is left out stays. A new zone holds from the next month that is closed.',
    access: pay,
    body: z.strictObject({
      zone: zoneName.optional(),
      legal_name: recipient.legal_name.optional(),
      address: recipient.address.optional(),
      tax_id: recipient.tax_id.optional(),
    }),
    answer: { result: billingProfile },
    problems: ['zone_rule', 'tax_id_rule', 'plain_text'],
  }),
};
