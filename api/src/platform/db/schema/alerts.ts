// Alarms: the state of each series, episodes, their flow, and notifications on their way.
import { sql } from 'drizzle-orm';
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** The state of each series of a policy; written with its consequences. */
export const alertSeries = pgTable(
  'alert_series',
  {
    policyUid: text('policy_uid').notNull(),
    key: text('key').notNull(),
    organizationId: text('org_id').notNull(),
    object: text('object'),
    labels: jsonb('labels').$type<Record<string, string>>().notNull(),
    state: jsonb('state').$type<Record<string, unknown>>().notNull(),
    /** The last cycle that was counted, in ms. */
    at: bigint('at', { mode: 'number' }).notNull(),
    /** Another with each write: whoever knows an older one writes nothing. */
    version: integer('version').notNull().default(0),
    alarmId: text('alarm_id'),
  },
  (table) => [primaryKey({ columns: [table.policyUid, table.key] }), index('alert_series_alarm').on(table.alarmId)],
);

/** One episode, from the first cycle in which a rule was met. */
export const alarms = pgTable(
  'alarms',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    policyUid: text('policy_uid').notNull(),
    policy: text('policy').notNull(),
    /** As people call it. */
    title: text('title').notNull(),
    kind: text('kind').notNull(),
    object: text('object'),
    labels: jsonb('labels').$type<Record<string, string>>().notNull(),
    metric: text('metric').notNull(),
    level: text('level', { enum: ['Info', 'Warning', 'Critical'] }).notNull(),
    status: text('status', { enum: ['inactive', 'firing', 'resolved', 'closed'] }).notNull(),
    value: doublePrecision('value'),
    firstAbnormalAt: time('first_abnormal_at').notNull(),
    firedAt: time('fired_at'),
    endedAt: time('ended_at'),
    /** The reason why it ended. */
    ended: text('ended', { enum: ['resolved', 'gone', 'vanished', 'closed'] }),
    shieldedUntil: time('shielded_until'),
  },
  (table) => [
    index('alarms_org').on(table.organizationId, table.firstAbnormalAt, table.id),
    index('alarms_open').on(table.policyUid).where(sql`"ended_at" IS NULL`),
  ],
);

/** The history of an alarm: changes by the system or by a person. */
export const alarmFlow = pgTable(
  'alarm_flow',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    alarmId: text('alarm_id')
      .notNull()
      .references(() => alarms.id, { onDelete: 'cascade' }),
    at: time('at').notNull(),
    type: text('type', { enum: ['system', 'manual'] }).notNull(),
    what: text('what').notNull(),
    args: jsonb('args').$type<Record<string, string>>().notNull(),
  },
  (table) => [index('alarm_flow_alarm').on(table.alarmId, table.seq)],
);

/** One notification of one transition by one channel: written with the transition, sent behind it. */
export const alertNotices = pgTable(
  'alert_notices',
  {
    id: text('id').primaryKey(),
    alarmId: text('alarm_id')
      .notNull()
      .references(() => alarms.id, { onDelete: 'cascade' }),
    organizationId: text('org_id').notNull(),
    policyUid: text('policy_uid').notNull(),
    /** `fired`, `raised`, `resolved`, `closed`, or `repeated/2`. */
    transition: text('transition').notNull(),
    /** The channel's type and where it goes. */
    channel: text('channel').notNull(),
    dueAt: time('due_at').notNull(),
    tries: integer('tries').notNull().default(0),
    sentAt: time('sent_at'),
    /** Notices that went out together. */
    batch: text('batch'),
    /** It is not sent any more. */
    endedAt: time('ended_at'),
    failure: jsonb('failure').$type<{ reason: string; args: Record<string, string> }>(),
    /** The link in its mail was used. */
    mutedAt: time('muted_at'),
  },
  (table) => [
    uniqueIndex('alert_notices_once').on(table.alarmId, table.transition, table.channel),
    index('alert_notices_due').on(table.dueAt).where(sql`"sent_at" IS NULL AND "ended_at" IS NULL`),
    index('alert_notices_sent').on(table.policyUid, table.channel, table.sentAt),
  ],
);

/** The contacts of organisations besides people: addresses are secrets. */
export const alertContacts = pgTable(
  'alert_contacts',
  {
    organizationId: text('org_id').notNull(),
    name: text('name').notNull(),
    type: text('type', { enum: ['Webhook', 'Slack', 'DingTalk'] }).notNull(),
    /** The address, and the key that calls are signed with. */
    sealed: text('sealed').notNull(),
    host: text('host').notNull(),
    creatorId: text('creator_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.name] })],
);

/** Addresses beyond members' that have confirmed, or are asked to, that they want an organisation's alarms. */
export const alertMailboxes = pgTable(
  'alert_mailboxes',
  {
    organizationId: text('org_id').notNull(),
    /** In lower case. */
    address: text('address').notNull(),
    state: text('state', { enum: ['unconfirmed', 'confirmed', 'unsubscribed'] }).notNull(),
    language: text('language', { enum: ['en', 'zh', 'ja'] }).notNull(),
    creatorId: text('creator_id').notNull(),
    createdAt: time('created_at').notNull(),
    confirmedAt: time('confirmed_at'),
    unsubscribedAt: time('unsubscribed_at'),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.address] })],
);

/** Up to which cycle policies of a period were evaluated: the next evaluator goes on there. */
export const alertCycles = pgTable('alert_cycles', {
  periodSeconds: integer('period_seconds').primaryKey(),
  at: bigint('at', { mode: 'number' }).notNull(),
});

/** Alarms of the platform itself that stand, and of which staff were told. */
export const platformAlarms = pgTable('platform_alarms', {
  name: text('name').primaryKey(),
  /** The id of the newest notice: one each for a beginning, for more of it, and for the end. */
  id: text('id').notNull(),
  begunAt: time('begun_at').notNull(),
  /** How many it concerned when staff were told last, or fewer since. */
  count: integer('count').notNull().default(1),
});

/** When staff were told of them: for an hour, which has a limit. */
export const platformNotices = pgTable(
  'platform_notices',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    sentAt: time('sent_at').notNull(),
  },
  (table) => [index('platform_notices_sent').on(table.name, table.sentAt)],
);
