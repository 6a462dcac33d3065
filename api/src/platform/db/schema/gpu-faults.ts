// Losses to failed GPUs: one row per node, fault and object.
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

export const gpuFaultLosses = pgTable(
  'gpu_fault_losses',
  {
    node: text('node').notNull(),
    /** When the node first reported it. */
    since: time('since').notNull(),
    uid: text('uid').notNull(),
    organizationId: text('org_id').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    title: text('title').notNull(),
    creator: text('creator'),
    perHour: amount('per_hour').notNull(),
    currency: text('currency').notNull(),
    /** When its loss began. */
    beganAt: time('began_at').notNull(),
    /** When the loss went on, if it came back after what it had lost before was credited. */
    resumedAt: time('resumed_at'),
    endedAt: time('ended_at'),
    creditedAt: time('credited_at'),
  },
  (table) => [
    primaryKey({ columns: [table.node, table.since, table.uid] }),
    index('gpu_fault_losses_uid').on(table.uid),
    index('gpu_fault_losses_open').on(table.beganAt).where(sql`"credited_at" IS NULL`),
  ],
);

/** Nodes that were taken out of service for a fault: once for each. */
export const gpuFaultNodes = pgTable(
  'gpu_fault_nodes',
  {
    node: text('node').notNull(),
    since: time('since').notNull(),
    takenOutAt: time('taken_out_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.node, table.since] })],
);
