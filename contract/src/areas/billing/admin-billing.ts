// Money in the operators' console: resources of `admin.ts`, and what staff may do with an organisation's wallet.
import * as z from 'zod';
import { BILL_STATUSES, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '../../billing/bill.ts';
import { GIFT_CAUSES, GIFT_KINDS } from '../../billing/gifts.ts';
import { ENTRY_ACCOUNTS, ENTRY_DOCUMENTS, TRANSFER_TYPES } from '../../billing/ledger-entries.ts';
import { SOURCE_TYPES } from '../../billing/resources.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { approval_id, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute, type RouteFacts } from '../../http/define-route.ts';
import { CREDIT_NOTE_KINDS } from './documents.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];
const organization_id = oneOf(z.string().max(63));
const statuses = z.enum(keysOf(BILL_STATUSES));
const types = z.enum(keysOf(TRANSACTION_TYPES));
const channels = z.enum(keysOf(PAYMENT_CHANNELS));
const sources = z.enum(SOURCE_TYPES);
const usageTypes = z.enum(
  keysOf(TRANSACTION_TYPES).filter((type) => TRANSACTION_TYPES[type].side === 'usage') as [
    'consumption',
    'order_consumption',
  ],
);
const transferTypes = z.enum(TRANSFER_TYPES);
const entryAccounts = z.enum(ENTRY_ACCOUNTS);
const entryDocuments = z.enum(ENTRY_DOCUMENTS);
export const APPROVAL_STATES = ['pending', 'approved', 'rejected'] as const;
const approvalStates = z.enum(APPROVAL_STATES);
const transferKinds = z.enum(['grant', 'adjust']);
const giftKinds = z.enum(GIFT_KINDS);
const balances = z.enum(['cash', 'credits']);
/** `broken`: the gateway that ran it ended before the run did. */
export const PROOF_STATES = ['running', 'held', 'faulty', 'broken'] as const;
const proofStates = z.enum(PROOF_STATES);

export const BILLING_RESOURCES = {
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
  bills: {
    menu: 'billing',
    one: 'bill',
    row: z.object({
      id: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      date: time,
      type: usageTypes,
      status: statuses,
      currency: currencyCode,
      total_amount: money,
      pay_amount: money,
      credit_used: money,
      /** The part of it that is still owed. */
      owed_amount: money,
      source_type: sources.nullable(),
      reference: z.string(),
      detail: z.string(),
    }),
    columns: [
      'date',
      'organization_name',
      'type',
      'reference',
      'total_amount',
      'credit_used',
      'pay_amount',
      'owed_amount',
      'status',
    ],
    order: ['date', 'DESC'],
    references: { organization_id: 'organizations' },
    sort: ['id', 'date', 'organization_id', 'type', 'status', 'total_amount'],
    filter: {
      ...q,
      organization_id,
      type: oneOf(usageTypes),
      status: oneOf(statuses),
      source_type: oneOf(sources),
      reference: oneOf(z.string().max(200)),
    },
  },
  'ledger-entries': {
    menu: 'billing',
    one: 'entry of the ledger',
    row: z.object({
      /** `<transfer>.<leg>`. */
      id: z.string(),
      transfer: z.string(),
      type: transferTypes,
      organization_id: z.string(),
      organization_name: z.string(),
      date: time,
      posted_at: time,
      /** The account that pays, and the one that receives: `acme/cash/USD`, `platform/revenue/USD`. */
      debit: z.string(),
      credit: z.string(),
      currency: currencyCode,
      amount: money,
      /** The document behind it, and its id: one of the fields below has it. */
      document: entryDocuments,
      bill_id: z.string().nullable(),
      transaction_id: z.string().nullable(),
      payment_id: z.string().nullable(),
      refund_id: z.string().nullable(),
      chargeback_id: z.string().nullable(),
      invoice_id: z.string().nullable(),
      approval_id: z.string().nullable(),
      /** Set for transfers and refunds by staff. */
      by: z.string(),
      reason: z.string(),
    }),
    columns: ['date', 'organization_name', 'type', 'debit', 'credit', 'amount', 'document', 'reason'],
    order: ['id', 'DESC'],
    references: {
      organization_id: 'organizations',
      bill_id: 'bills',
      transaction_id: 'transactions',
      payment_id: 'payments',
      refund_id: 'refunds',
      chargeback_id: 'chargebacks',
      invoice_id: 'invoices',
      approval_id: 'approvals',
    },
    // Others would read the whole ledger.
    sort: ['id'],
    filter: {
      organization_id,
      type: oneOf(transferTypes),
      account: oneOf(entryAccounts),
      document: oneOf(entryDocuments),
      bill_id: oneOf(z.string().max(200)),
      transaction_id: oneOf(z.string().max(200)),
      payment_id: oneOf(z.string().max(63)),
      refund_id: oneOf(z.string().max(63)),
      chargeback_id: oneOf(z.string().max(200)),
      /** From here on, and before that. */
      from: time.optional(),
      to: time.optional(),
    },
  },
  approvals: {
    menu: 'billing',
    one: 'request for approval',
    row: z.object({
      id: z.string(),
      /** Null: everybody whom it applies to gains by it. */
      organization_id: z.string().nullable(),
      organization_name: z.string(),
      kind: giftKinds,
      /** Why a second person is needed. */
      cause: z.enum(GIFT_CAUSES),
      /** Set for a transfer. */
      of: balances.nullable(),
      /** The gift, in names and figures. */
      detail: z.string(),
      /** Null: nobody can say what it comes to. */
      currency: currencyCode.nullable(),
      amount: money.nullable(),
      state: approvalStates,
      reason: z.string(),
      requested_by: z.string(),
      requested_by_name: z.string(),
      requested_at: time,
      decided_by: z.string().nullable(),
      decided_by_name: z.string().nullable(),
      decided_at: time.nullable(),
      decision_reason: z.string().nullable(),
      /** The booking, once it is approved. */
      transaction_id: z.string().nullable(),
    }),
    columns: [
      'requested_at',
      'organization_name',
      'kind',
      'amount',
      'detail',
      'cause',
      'state',
      'reason',
      'requested_by_name',
      'decided_by_name',
    ],
    order: ['requested_at', 'DESC'],
    references: {
      organization_id: 'organizations',
      requested_by: 'users',
      decided_by: 'users',
      transaction_id: 'transactions',
    },
    sort: ['id', 'organization_id', 'state', 'amount', 'requested_at', 'decided_at'],
    filter: {
      ...q,
      organization_id,
      state: oneOf(approvalStates),
      kind: oneOf(giftKinds),
      cause: oneOf(z.enum(GIFT_CAUSES)),
      requested_by: oneOf(z.string().max(63)),
    },
  },
  proofs: {
    menu: 'billing',
    one: 'proof of the books',
    row: z.object({
      id: z.string(),
      state: proofStates,
      started_at: time,
      finished_at: time.nullable(),
      /** Null: the command. */
      started_by: z.string().nullable(),
      started_by_name: z.string(),
      reason: z.string(),
      /** Transfers that were read so far, and the checks after them; of how many. */
      done: z.int(),
      total: z.int(),
      transfers: z.int().nullable(),
      unsealed: z.int().nullable(),
      /** The last block of the chain. */
      head: z.object({ number: z.string(), hash: z.string() }).nullable(),
      balances: z.array(z.object({ account: z.string(), currency: currencyCode, amount: money })),
      faults: z.array(z.string()),
      fault_count: z.int().nullable(),
    }),
    columns: ['started_at', 'state', 'started_by_name', 'finished_at', 'transfers', 'unsealed', 'fault_count'],
    order: ['started_at', 'DESC'],
    references: { started_by: 'users' },
    sort: ['id', 'started_at', 'state'],
    filter: { state: oneOf(proofStates) },
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

const ofOne = z.object({ id: z.string().min(1).max(63) });
const fileOf = (summary: string) =>
  ({
    method: 'GET',
    tag: 'admin',
    access: { platform: 'billing' },
    summary,
    params: ofOne,
    problems: [],
    exempt: true,
    // Its fonts cost half a second of the processor.
    attemptsPerMinute: 30,
  }) as const satisfies Partial<RouteFacts>;

export const BILLING_COMMANDS = {
  adminTransfer: defineRoute({
    id: 'adminTransfer',
    method: 'POST',
    path: '/admin/wallets/{id}/transfer',
    tag: 'admin',
    summary:
      'Gives credits, or gives or takes money; never more than is there and not held. Debt is paid with it first.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({
      kind: transferKinds,
      amount: z
        .string()
        .regex(/^-?(?=.*[1-9])\d{1,9}(\.\d{1,2})?$/, 'transfer_rule')
        .meta({ description: 'Decimal with at most two decimals; below zero takes back.' }),
      /** Which balance an adjustment changes; it can only take credits. */
      of: balances.default('cash'),
      reason,
    }),
    answer: {
      raw: BILLING_RESOURCES.wallets.row.extend({ approval_id }),
    },
    status: 201,
    problems: ['wallet_short', 'transfer_rule'],
  }),
  adminApprove: defineRoute({
    id: 'adminApprove',
    method: 'POST',
    path: '/admin/approvals/{id}/approve',
    tag: 'admin',
    summary:
      'Approves what somebody else asked for, and carries it out as it is then possible. Nobody decides for an own organisation.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({ reason }),
    answer: { raw: BILLING_RESOURCES.approvals.row },
    problems: [
      'approval_own',
      'approval_own_organization',
      'approval_decided',
      'wallet_short',
      'payment_not_open',
      'refund_too_large',
      'refund_under_way',
      'payment_disputed',
      'price_in_past',
      'discount_times',
      'node_taken',
      'node_command',
    ],
  }),
  adminReject: defineRoute({
    id: 'adminReject',
    method: 'POST',
    path: '/admin/approvals/{id}/reject',
    tag: 'admin',
    summary: 'Rejects what somebody else asked for; nothing moves.',
    access: { platform: 'billing' },
    params: ofOne,
    body: z.strictObject({ reason }),
    answer: { raw: BILLING_RESOURCES.approvals.row },
    problems: ['approval_own', 'approval_own_organization', 'approval_decided'],
  }),
  adminVerifyBooks: defineRoute({
    id: 'adminVerifyBooks',
    method: 'POST',
    path: '/admin/books/verify',
    tag: 'admin',
    summary: 'Begins to prove the books, in the background, one run at a time: the proof says how far it is.',
    access: { platform: 'billing' },
    body: z.strictObject({ reason }),
    answer: { raw: BILLING_RESOURCES.proofs.row },
    status: 202,
    problems: ['proof_running'],
  }),
  adminGetInvoicePdf: defineRoute({
    ...fileOf("One invoice of any organisation as PDF, in the caller's language."),
    id: 'adminGetInvoicePdf',
    path: '/admin/invoices/{id}/pdf',
    answer: { file: 'application/pdf' },
  }),
  adminGetCreditNotePdf: defineRoute({
    ...fileOf("One credit note of any organisation as PDF, in the caller's language."),
    id: 'adminGetCreditNotePdf',
    path: '/admin/credit-notes/{id}/pdf',
    answer: { file: 'application/pdf' },
  }),
};
