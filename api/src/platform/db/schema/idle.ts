// Idleness: organisations' policies, since when signals are quiet, visits, and episodes with what they saved.
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

export const idlePolicies = pgTable('idle_policies', {
  organizationId: text('org_id').primaryKey(),
  does: text('does', { enum: ['Nothing', 'Warn', 'Act'] }).notNull(),
  afterMinutes: integer('after_minutes').notNull(),
});

/** Since when each signal of an object has been seen quiet without a gap: a restart does not begin anew. */
export const idleQuiet = pgTable('idle_quiet', {
  uid: text('uid').primaryKey(),
  /** By signal, in ms. */
  since: jsonb('since').$type<Record<string, number>>().notNull(),
  seenAt: time('seen_at').notNull(),
});

/** When somebody last visited what an object serves: written by every gateway, read by one. */
export const idleVisits = pgTable(
  'idle_visits',
  {
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.namespace, table.name] })],
);

/** One stretch in which an object was idle, from its warning on. */
export const idleEpisodes = pgTable(
  'idle_episodes',
  {
    uid: text('uid').notNull(),
    since: time('since').notNull(),
    organizationId: text('org_id').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    warnedAt: time('warned_at').notNull(),
    /** When the policy decided to stop it. */
    actedAt: time('acted_at'),
    /** When that was done, and people were told. */
    doneAt: time('done_at'),
    /** It was used, or ran again, or is gone. */
    endedAt: time('ended_at'),
    currency: text('currency').notNull(),
    perHour: amount('per_hour').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.since] }),
    index('idle_episodes_open').on(table.uid).where(sql`"ended_at" IS NULL`),
    index('idle_episodes_org').on(table.organizationId, table.warnedAt),
    check('idle_episodes_price', sql`${table.perHour} >= 0`),
  ],
);
