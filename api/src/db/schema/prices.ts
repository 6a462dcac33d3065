// What things cost, for whom, and since when. Rows never change: news gets a later row.
import { SOURCE_TYPES } from '@gantry/contract/billing/resources.ts';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

export const prices = pgTable(
  'prices',
  {
    /** If two rows begin at the same moment, the later id applies. */
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    sku: text('sku').notNull(),
    /** '*' stands for every region without its own row. */
    region: text('region').notNull(),
    currency: text('currency').notNull(),
    /** For one unit over what the resource's price is for: an hour, a month of 730 hours, a rented month. */
    amount: amount('amount').notNull(),
    validFrom: time('valid_from').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [
    index('prices_sku').on(table.sku, table.region, table.currency, table.validFrom),
    check('prices_amount', sql`${table.amount} >= 0`),
    // A change never alters the past. The default list, which precedes all others, has always applied.
    check(
      'prices_from_now',
      sql`${table.validFrom} >= ${table.createdAt} OR (${table.createdBy} = 'default' AND ${table.validFrom} = 'epoch')`,
    ),
  ],
);

export const discounts = pgTable(
  'discounts',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: text('org_id').notNull(),
    source: text('source', { enum: SOURCE_TYPES }).notNull(),
    /** Hundredths of a percent off the list price; 0 ends an earlier one. */
    basisPoints: integer('basis_points').notNull(),
    validFrom: time('valid_from').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    reason: text('reason').notNull().default(''),
  },
  (table) => [
    index('discounts_org').on(table.organizationId, table.source, table.validFrom),
    check('discounts_share', sql`${table.basisPoints} BETWEEN 0 AND 10000`),
    check('discounts_from_now', sql`${table.validFrom} >= ${table.createdAt}`),
  ],
);

export const plansHeld = pgTable(
  'plans_held',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: text('org_id').notNull(),
    plan: text('plan').notNull(),
    validFrom: time('valid_from').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [index('plans_held_org').on(table.organizationId, table.validFrom)],
);
