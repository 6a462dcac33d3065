// Counts of services' requests by each gateway, so that one of them can add them up. Nothing here outlives an hour.
import { bigint, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** The present state in one gateway, written anew every two seconds while there is traffic. */
export const serviceTraffic = pgTable(
  'service_traffic',
  {
    serviceUid: text('service_uid').notNull(),
    gateway: text('gateway').notNull(),
    inFlight: integer('in_flight').notNull(),
    waiting: integer('waiting').notNull(),
    perSecond: doublePrecision('per_second').notNull(),
    lastActiveAt: time('last_active_at'),
    /** The last requests, as `RecentRequest` has them. */
    recent: jsonb('recent').notNull(),
    /** Which way the requests of the last minutes went, as `Flow` has them. */
    flows: jsonb('flows'),
    /** By the database's clock. */
    seenAt: time('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serviceUid, table.gateway] }),
    index('service_traffic_seen').on(table.seenAt),
  ],
);

/** One step of the last hour in one gateway. */
export const serviceSteps = pgTable(
  'service_steps',
  {
    serviceUid: text('service_uid').notNull(),
    /** Fifteen seconds each, since 1970. */
    step: bigint('step', { mode: 'number' }).notNull(),
    gateway: text('gateway').notNull(),
    /** An array of numbers: `AT` says what each one counts. */
    counts: jsonb('counts').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serviceUid, table.step, table.gateway] }),
    index('service_steps_step').on(table.step),
  ],
);

/** How many replicas what is served was to have, from when on, and why. */
export const scalingRecords = pgTable(
  'scaling_records',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    objectUid: text('object_uid').notNull(),
    at: time('at').notNull(),
    replicas: integer('replicas').notNull(),
    /** As `status.scaling` has it; null: by hand, or the first that is known. */
    because: text('because'),
    value: doublePrecision('value'),
    /** The object's generation at that time. */
    generation: bigint('generation', { mode: 'number' }),
    /** By hand: who started more replicas, as the object itself says. */
    accountId: text('account_id'),
  },
  (table) => [index('scaling_records_object').on(table.objectUid, table.seq), index('scaling_records_at').on(table.at)],
);

/** Changes of how many replicas there are to be, made through this platform's API. */
export const scalingWishes = pgTable(
  'scaling_wishes',
  {
    objectUid: text('object_uid').notNull(),
    /** That the change has led to. */
    generation: bigint('generation', { mode: 'number' }).notNull(),
    replicas: integer('replicas').notNull(),
    /** Null: the platform's staff. */
    accountId: text('account_id'),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.objectUid, table.generation] }), index('scaling_wishes_at').on(table.at)],
);
