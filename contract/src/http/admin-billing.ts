// Money in the operators' console: resources of `admin.ts`, and what staff may do with an organisation's wallet.
import * as z from 'zod';
import { BILL_STATUSES, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '../billing/bill.ts';
import { SOURCE_TYPES } from '../billing/resources.ts';
import { currencyCode, money } from '../fields/amounts.ts';
import { plainText } from '../fields/plain-text.ts';
import { oneOf, q, time } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';
import { CREDIT_NOTE_KINDS } from './documents.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];
const organization_id = oneOf(z.string().max(63));
const statuses = z.enum(keysOf(BILL_STATUSES));
const types = z.enum(keysOf(TRANSACTION_TYPES));
const channels = z.enum(keysOf(PAYMENT_CHANNELS));
const sources = z.enum(SOURCE_TYPES);

export const BILLING_RESOURCES = {
  transactions: {
    menu: 'billing',
    one: 'transaction',
    row: z.object({
      id: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      date: time,
      type: types,
      status: statuses,
      currency: currencyCode,
      total_amount: money,
      pay_amount: money,
      credit_used: money,
      refunded_amount: money,
      charged_back_amount: money,
      payment_channel: channels,
      source_type: sources.nullable(),
      operator: z.string(),
      reference: z.string(),
      detail: z.string(),
    }),
    columns: [
      'date',
      'organization_name',
      'type',
      'total_amount',
      'pay_amount',
      'credit_used',
      'payment_channel',
      'status',
      'operator',
      'reference',
    ],
    order: ['date', 'DESC'],
    references: { organization_id: 'organizations' },
    sort: ['id', 'date', 'organization_id', 'type', 'status', 'total_amount'],
    filter: {
      ...q,
      organization_id,
      type: oneOf(types),
      status: oneOf(statuses),
      payment_channel: oneOf(channels),
      source_type: oneOf(sources),
      reference: oneOf(z.string().max(200)),
    },
  },
  invoices: {
    menu: 'billing',
    one: 'invoice',
    row: z.object({
      id: z.string(),
      number: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      month: z.string(),
      zone: z.string(),
      from: time,
      to: time,
      currency: currencyCode,
      list: money,
      discount: money,
      total: money,
      credit_used: money,
      pay_amount: money,
      issued_at: time,
    }),
    columns: ['number', 'organization_name', 'month', 'total', 'credit_used', 'pay_amount', 'issued_at'],
    order: ['issued_at', 'DESC'],
    references: { organization_id: 'organizations' },
    sort: ['id', 'number', 'organization_id', 'month', 'total', 'issued_at'],
    filter: { ...q, organization_id, month: oneOf(z.string().max(7)) },
  },
  'credit-notes': {
    menu: 'billing',
    one: 'credit note',
    row: z.object({
      id: z.string(),
      number: z.string(),
      kind: z.enum(CREDIT_NOTE_KINDS),
      cancels: z.string().nullable(),
      organization_id: z.string(),
      organization_name: z.string(),
      refund_id: z.string(),
      transaction_id: z.string(),
      currency: currencyCode,
      amount: money,
      date: time,
      issued_at: time,
    }),
    columns: ['number', 'kind', 'organization_name', 'amount', 'transaction_id', 'issued_at'],
    order: ['issued_at', 'DESC'],
    references: { organization_id: 'organizations', transaction_id: 'transactions' },
    sort: ['id', 'number', 'organization_id', 'amount', 'date', 'issued_at'],
    filter: {
      ...q,
      organization_id,
      kind: oneOf(z.enum(CREDIT_NOTE_KINDS)),
      transaction_id: oneOf(z.string().max(63)),
    },
  },
  wallets: {
    menu: 'billing',
    one: "organisation's wallet",
    row: z.object({
      id: z.string(),
      name: z.string(),
      currency: currencyCode,
      cash: money,
      credits: money,
      debt: money,
      balance: money,
      held: money,
      overdraft: money,
    }),
    columns: ['id', 'name', 'cash', 'credits', 'debt', 'balance', 'held', 'overdraft'],
    references: { id: 'organizations' },
    sort: ['id', 'name', 'currency', 'cash', 'credits', 'debt'],
    filter: { ...q, currency: oneOf(currencyCode) },
  },
  books: {
    menu: 'billing',
    one: 'line of the balance sheet',
    row: z.object({
      id: z.string(),
      owner: z.enum(['platform', 'organizations']),
      type: z.string(),
      currency: currencyCode,
      accounts: z.int(),
      debits: money,
      credits: money,
      /** Credits less debits: a tenant's assets are positive, its debts negative. */
      balance: money,
    }),
    columns: ['owner', 'type', 'accounts', 'debits', 'credits', 'balance'],
    sort: ['id', 'owner', 'type', 'currency'],
    filter: { owner: oneOf(z.enum(['platform', 'organizations'])), currency: oneOf(currencyCode) },
  },
} as const;
export type BillingResourceName = keyof typeof BILLING_RESOURCES;
export type BillingRow<Name extends BillingResourceName> = z.output<(typeof BILLING_RESOURCES)[Name]['row']>;

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it, and so does the transfer.' });

export const BILLING_COMMANDS = {
  adminTransfer: defineRoute({
    id: 'adminTransfer',
    method: 'POST',
    path: '/admin/wallets/{id}/transfer',
    tag: 'admin',
    summary:
      'Gives credits, or gives or takes money; never more than is there and not held. Debt is paid with it first.',
    access: { platform: 'billing' },
    params: z.object({ id: z.string().min(1).max(63) }),
    body: z.strictObject({
      kind: z.enum(['grant', 'adjust']),
      amount: z
        .string()
        .regex(/^-?(?=.*[1-9])\d{1,9}(\.\d{1,2})?$/, 'transfer_rule')
        .meta({ description: 'Decimal with at most two decimals; below zero takes back.' }),
      /** Which balance an adjustment changes; it can only take credits. */
      of: z.enum(['cash', 'credits']).default('cash'),
      reason,
    }),
    answer: { raw: BILLING_RESOURCES.wallets.row },
    status: 201,
    problems: ['wallet_short', 'transfer_rule'],
  }),
};
