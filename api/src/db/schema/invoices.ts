// Documents: a month of an organisation, as it was when it was closed. Only grows.
import { integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount } from './amount.ts';
import { time } from './time.ts';

export interface InvoiceLine {
  /** `usage`, `order`, `plan`, `correction`. */
  type: string;
  sku: string;
  reference: string;
  name: string;
  account: string;
  /** In thousandths of the unit times seconds, or of the unit for orders. */
  quantity: string;
  from: string;
  to: string;
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
    creditUsed: amount('credit_used').notNull(),
    paid: amount('paid').notNull(),
    recipient: jsonb('recipient').$type<Record<string, string>>().notNull(),
    issuedAt: time('issued_at').notNull(),
  },
  (table) => [uniqueIndex('invoices_month').on(table.organizationId, table.month)],
);
