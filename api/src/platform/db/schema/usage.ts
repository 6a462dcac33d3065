// Usage: intervals as objects report them, and the slices in which they were billed.
import type { Use } from '@gantry/contract/billing/resources.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

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
    /** The run that used it, and its workers or replicas, of objects that have such; null in all older rows. */
    run: integer('run'),
    parts: text('parts'),
    uses: jsonb('uses').$type<Use[]>().notNull(),
    from: time('from').notNull(),
    /** Absent while it runs. */
    to: time('to'),
    /** Up to here it is in `slices`. Later than `to` if it ended earlier than known: the rest is given back. */
    settledTo: time('settled_to').notNull(),
    /** Exact cumulative cost per use up to there, as `prices/rate.ts` carries it on; empty while nothing is settled. */
    cost: jsonb('cost').$type<unknown[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.seq] }),
    index('meters_due').on(table.organizationId, table.uid, table.seq).where(sql`"to" IS NULL OR "settled_to" <> "to"`),
    check('meters_forwards', sql`${table.to} IS NULL OR ${table.to} >= ${table.from}`),
  ],
);

/**
 * The cost of one use of one interval over one stretch of time. Append-only; (uid, seq, use, from) is billed once, and given back
 * at most once: as a correction with negative quantity and amounts, so that sums are right as they are.
 */
export const slices = pgTable(
  'slices',
  {
    uid: text('uid').notNull(),
    seq: integer('seq').notNull(),
    /** Its place among the interval's uses. */
    use: smallint('use').notNull(),
    from: time('from').notNull(),
    to: time('to').notNull(),
    isCorrection: boolean('is_correction').notNull(),
    organizationId: text('org_id').notNull(),
    /** Empty for included use. */
    sku: text('sku').notNull(),
    /** In thousandths of the resource's unit, rounded; a use with an `exact` size says how much it was (`documents/charged.ts`). */
    quantityMilli: bigint('quantity_milli', { mode: 'bigint' }).notNull(),
    /** The row of `prices` that it was rated by. */
    priceId: bigint('price_id', { mode: 'bigint' }),
    discountBasisPoints: integer('discount_basis_points').notNull(),
    /** The row of `discounts` behind it; null if there was none, and in slices from before there were types of discounts. */
    discountId: bigint('discount_id', { mode: 'bigint' }),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** The transfer it is in; null if nothing was due. */
    transferKey: text('transfer_key'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.seq, table.use, table.from, table.isCorrection] }),
    index('slices_org').on(table.organizationId, table.from),
    // Everybody's month: rows are nearly in this order, so that their blocks' ranges suffice.
    index('slices_month').using('brin', table.from),
    index('slices_discount').on(table.discountId).where(sql`${table.discountId} IS NOT NULL`),
    check('slices_forwards', sql`${table.to} >= ${table.from}`),
  ],
);

/** Impossible reports that were not recorded as usage: each once. */
export const meterAnomalies = pgTable(
  'meter_anomalies',
  {
    uid: text('uid').notNull(),
    seq: integer('seq').notNull(),
    /** One of `ANOMALIES` of `metering/intake.ts`. */
    reason: text('reason').notNull(),
    organizationId: text('org_id').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    /** The reported values, and those that apply instead. */
    detail: text('detail').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.seq, table.reason] }), index('meter_anomalies_at').on(table.at)],
);

/** When metering last knew that all objects of a region existed: objects that vanished since are billed up to here. */
export const meterSigns = pgTable('meter_signs', {
  region: text('region').primaryKey(),
  seenAt: time('seen_at').notNull(),
});
