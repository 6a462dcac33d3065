// What was used: intervals as objects report them, and the slices in which they were billed.
import type { Use } from '@gantry/contract/billing/resources.ts';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { amount } from './amount.ts';
import { time } from './time.ts';

/** One interval of one object: (uid, seq) is counted once. */
export const meters = pgTable(
  'meters',
  {
    uid: text('uid').notNull(),
    seq: integer('seq').notNull(),
    organizationId: text('org_id').notNull(),
    region: text('region').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    /** The member who made the object. */
    accountId: text('account_id'),
    subjectUid: text('subject_uid').notNull(),
    uses: jsonb('uses').$type<Use[]>().notNull(),
    from: time('from').notNull(),
    /** Absent while it runs. */
    to: time('to'),
    /** Up to here it is in `slices`. */
    settledTo: time('settled_to').notNull(),
    /** Rounded cumulative cost per use that is posted so far, before and after the discount. */
    posted: jsonb('posted').$type<{ list: string; net: string }[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.seq] }),
    index('meters_open').on(table.organizationId).where(sql`"to" IS NULL OR "settled_to" < "to"`),
    check('meters_forwards', sql`${table.to} IS NULL OR ${table.to} >= ${table.from}`),
  ],
);

/** What one use of one interval cost over one stretch of time. Only grows; (uid, seq, use, from) is billed once. */
export const slices = pgTable(
  'slices',
  {
    uid: text('uid').notNull(),
    seq: integer('seq').notNull(),
    /** Its place among the interval's uses. */
    use: smallint('use').notNull(),
    from: time('from').notNull(),
    to: time('to').notNull(),
    organizationId: text('org_id').notNull(),
    /** Empty for what is included. */
    sku: text('sku').notNull(),
    quantityMilli: bigint('quantity_milli', { mode: 'bigint' }).notNull(),
    /** The row of `prices` that it was rated by. */
    priceId: bigint('price_id', { mode: 'bigint' }),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** Of the transfer it is in; absent where nothing was to pay. */
    transferKey: text('transfer_key'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.seq, table.use, table.from] }),
    index('slices_org').on(table.organizationId, table.from),
    check('slices_forwards', sql`${table.to} >= ${table.from}`),
  ],
);
