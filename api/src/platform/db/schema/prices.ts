// The prices of things, for whom, and since when. Rows never change: a new price gets a later row.
import { DISCOUNT_TYPES } from '@gantry/contract/billing/discounts.ts';
import { SOURCE_TYPES } from '@gantry/contract/billing/resources.ts';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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

/**
 * For one organisation, plan, SKU or code. Rows of the same target and source follow each other: from its start on the later one
 * counts alone, also after its end.
 */
export const discounts = pgTable(
  'discounts',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The version before types writes none. */
    type: text('type', { enum: DISCOUNT_TYPES }).notNull().default('organization'),
    organizationId: text('org_id'),
    /** The plan, SKU or code of the other types. */
    target: text('target'),
    /** Null: whatever the money is for. */
    source: text('source', { enum: SOURCE_TYPES }),
    /** Hundredths of a percent off the list price; 0 ends an earlier one. */
    basisPoints: integer('basis_points').notNull(),
    /** How many organisations may redeem a code; null: any number. */
    mostUses: integer('most_uses'),
    validFrom: time('valid_from').notNull(),
    /** Null: until another row of its target. */
    validTo: time('valid_to'),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    /** The second person, where it took one. */
    approvedBy: text('approved_by'),
    reason: text('reason').notNull().default(''),
  },
  (table) => [
    index('discounts_org').on(table.organizationId, table.source, table.validFrom),
    index('discounts_target').on(table.type, table.target, table.validFrom),
    check('discounts_share', sql`${table.basisPoints} BETWEEN 0 AND 10000`),
    check('discounts_from_now', sql`${table.validFrom} >= ${table.createdAt}`),
    check('discounts_forwards', sql`${table.validTo} > ${table.validFrom}`),
    check(
      'discounts_one_target',
      sql`(${table.type} = 'organization') = (${table.organizationId} IS NOT NULL) AND (${table.type} = 'organization') = (${table.target} IS NULL)`,
    ),
  ],
);

/** Organisations that typed a code, each once. It applies to them from `validFrom` on, while the code itself is valid. */
export const redemptions = pgTable(
  'discount_redemptions',
  {
    code: text('code').notNull(),
    organizationId: text('org_id').notNull(),
    accountId: text('account_id').notNull(),
    validFrom: time('valid_from').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.code, table.organizationId] }),
    index('discount_redemptions_org').on(table.organizationId),
    check('discount_redemptions_from_now', sql`${table.validFrom} >= ${table.createdAt}`),
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
