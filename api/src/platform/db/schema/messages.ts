// Messages to people. A notice holds the words, once, in every language; a message is one reader's copy of it.
import type { Words } from '@gantry/contract/define-kind.ts';
import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

export const notices = pgTable(
  'notices',
  {
    id: text('id').primaryKey(),
    /** Identifies the event, so that it is sent once, however many gateways saw it. */
    key: text('key').notNull().unique(),
    kind: text('kind', { enum: ['event', 'announcement'] }).notNull(),
    title: jsonb('title').$type<Words>().notNull(),
    content: jsonb('content').$type<Words>().notNull(),
    /** The subject, if a page shows it. */
    object: jsonb('object').$type<{ kind: string; id: string }>(),
    createdAt: time('created_at').notNull(),
    /** For announcements: shown from here until there. */
    startsAt: time('starts_at'),
    endsAt: time('ends_at'),
    /** The staff account that wrote it. */
    createdBy: text('created_by'),
  },
  (table) => [index('notices_announcements').on(table.endsAt).where(sql`${table.kind} = 'announcement'`)],
);

export const messages = pgTable(
  'messages',
  {
    /** In the order of commits: writers hold a lock from before the number is drawn until it is visible. */
    seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text('id').notNull().unique(),
    noticeId: text('notice_id')
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Shown only in sessions of this organisation; absent: in all. */
    organizationId: text('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    readAt: time('read_at'),
  },
  (table) => [
    uniqueIndex('messages_once').on(table.noticeId, table.accountId),
    index('messages_reader').on(table.accountId, table.seq),
    index('messages_unread').on(table.accountId).where(sql`${table.readAt} is null`),
  ],
);

/** The last reported state of each resource, so that a starting gateway knows what is news. */
export const reportedStates = pgTable(
  'told_states',
  {
    uid: text('uid').primaryKey(),
    kind: text('kind').notNull(),
    state: text('state').notNull(),
    /** The resourceVersion in which the state was seen: a gateway that lags behind changes nothing. */
    version: bigint('version', { mode: 'number' }).notNull(),
    /** Kept for a while after the resource is gone, against gateways that have not heard of it. */
    goneAt: time('gone_at'),
  },
  (table) => [index('told_states_kind').on(table.kind)],
);
