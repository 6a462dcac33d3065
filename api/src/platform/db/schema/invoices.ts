// Documents: a month of an organisation, as it was when it was closed. Only grows.
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

export interface InvoiceLine {
  /** `correction`: of a month that was closed before. */
  type: 'usage' | 'order' | 'plan' | 'correction';
  sku: string;
  /** `GpuInstance/ins-…`, an order. */
  reference: string;
  name: string;
  account: string;
  /** For jobs and services: the run, and the workers or replicas. Absent in all older lines. */
  run?: number;
  parts?: string;
  /** In thousandths of the unit times seconds, or of the unit for orders; empty where only an amount is known. */
  quantity: string;
  from: string;
  to: string;
  /** The row of `prices` that it was rated by; empty if there is none, or several. */
  price: string;
  discountBasisPoints: number;
  list: string;
  discount: string;
  net: string;
}

export const invoices = pgTable(
  'invoices',
  {
    id: text('id').primaryKey(),
    /** Without a gap over the platform. */
    number: integer('number').notNull().unique(),
    organizationId: text('org_id').notNull(),
    /** YYYY-MM in its zone. */
    month: text('month').notNull(),
    zone: text('zone').notNull(),
    from: time('from').notNull(),
    to: time('to').notNull(),
    currency: text('currency').notNull(),
    lines: jsonb('lines').$type<InvoiceLine[]>().notNull(),
    list: amount('list').notNull(),
    discount: amount('discount').notNull(),
    total: amount('total').notNull(),
    /** How much of `total` credits and cash paid at the time of use; the rest became debt. */
    creditUsed: amount('credit_used').notNull(),
    paid: amount('paid').notNull(),
    recipient: jsonb('recipient').$type<Record<string, string>>().notNull(),
    /** The issuer, as it was then. */
    issuer: jsonb('issuer').$type<Record<string, string>>().notNull(),
    issuedAt: time('issued_at').notNull(),
  },
  (table) => [
    uniqueIndex('invoices_month').on(table.organizationId, table.month),
    check('invoices_total', sql`${table.total} = ${table.list} - ${table.discount}`),
  ],
);

/** Each month of an organisation is closed once, one after the other without a gap, whether or not there was anything in it. */
export const closedMonths = pgTable(
  'closed_months',
  {
    organizationId: text('org_id').notNull(),
    month: text('month').notNull(),
    zone: text('zone').notNull(),
    from: time('from').notNull(),
    to: time('to').notNull(),
    /** Null if nothing was used. */
    invoiceId: text('invoice_id').references(() => invoices.id),
    closedAt: time('closed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.month] }),
    uniqueIndex('closed_months_from').on(table.organizationId, table.from),
    check('closed_months_forwards', sql`${table.to} > ${table.from}`),
  ],
);

/** Refunds of payments; and, where the money came back after all, their cancellations. Append-only. */
export const creditNotes = pgTable(
  'credit_notes',
  {
    id: text('id').primaryKey(),
    /** Without a gap over the platform, in its own series. */
    number: integer('number').notNull().unique(),
    kind: text('kind', { enum: ['refund', 'cancellation'] }).notNull(),
    /** The number of the note that is cancelled. */
    cancels: integer('cancels'),
    organizationId: text('org_id').notNull(),
    refundId: text('refund_id').notNull(),
    /** The payment's transaction, and when it was paid. */
    billId: text('bill_id').notNull(),
    paidAt: time('paid_at').notNull(),
    currency: text('currency').notNull(),
    /** Negative for a cancellation. */
    amount: amount('amount').notNull(),
    /** When the provider had sent the money, or had it back. */
    at: time('at').notNull(),
    recipient: jsonb('recipient').$type<Record<string, string>>().notNull(),
    issuer: jsonb('issuer').$type<Record<string, string>>().notNull(),
    issuedAt: time('issued_at').notNull(),
  },
  (table) => [
    uniqueIndex('credit_notes_refund').on(table.refundId, table.kind),
    index('credit_notes_org').on(table.organizationId, table.number),
    check('credit_notes_sign', sql`${table.amount} <> 0 AND (${table.amount} > 0) = (${table.kind} = 'refund')`),
    check('credit_notes_cancels', sql`(${table.cancels} IS NULL) = (${table.kind} = 'refund')`),
  ],
);
