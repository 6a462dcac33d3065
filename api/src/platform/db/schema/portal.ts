// The portal's: counts of how often a GPU model could be had, and of whom an article helped, never who; and cards that are kept for visitors.
import type { Words } from '@gantry/contract/define-kind.ts';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';
import { articles } from './operation.ts';

type Texts = Pick<Words, 'en' | 'zh' | 'ja'>;

/** Of one GPU model on one day (UTC): looks, one a minute, and those at which an instance of one card could have started. */
export const marketDays = pgTable(
  'market_days',
  {
    /** YYYY-MM-DD. */
    day: text('day').notNull(),
    model: text('model').notNull(),
    looks: integer('looks').notNull(),
    available: integer('available').notNull(),
    /** Of the last look, in minutes since 1970: two gateways that look in the same one count once. */
    minute: bigint('minute', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.model] })],
);

export const articleVotes = pgTable('article_votes', {
  articleId: text('article_id')
    .primaryKey()
    .references(() => articles.id, { onDelete: 'cascade' }),
  yes: bigint('yes', { mode: 'number' }).notNull().default(0),
  no: bigint('no', { mode: 'number' }).notNull().default(0),
});

/**
 * Cards that are kept: for a visitor, for the organisation that claimed them, or while an instance is on its way to a node. Rows stay for an
 * hour, because how many an address or an organisation has had is counted.
 */
export const cardHolds = pgTable(
  'card_holds',
  {
    /** Of the id that its holder has. */
    idHash: text('id_hash').primaryKey(),
    region: text('region').notNull(),
    model: text('model').notNull(),
    gpus: integer('gpus').notNull(),
    /** One card by the hour, as it was shown; null where it had no price. */
    price: amount('price'),
    /** A keyed hash of the visitor's; null where no visitor took it. */
    address: text('address'),
    organizationId: text('organization_id'),
    createdAt: time('created_at').notNull(),
    claimedAt: time('claimed_at'),
    until: time('until').notNull(),
    /** The call that makes an instance with it: no other may. */
    usedBy: text('used_by'),
    /** That instance's name. */
    instance: text('instance'),
  },
  (table) => [index('card_holds_until').on(table.until)],
);
/** Of one component of the platform on one day (UTC): checks, one a minute, and those that succeeded. */
export const statusDays = pgTable(
  'status_days',
  {
    /** YYYY-MM-DD. */
    day: text('day').notNull(),
    component: text('component').notNull(),
    checks: integer('checks').notNull(),
    passed: integer('passed').notNull(),
    /** Of the last check, in minutes since 1970: two gateways that check in the same one count once. */
    minute: bigint('minute', { mode: 'number' }).notNull(),
    /** Whether the last check succeeded. */
    isUp: boolean('is_up').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.component] })],
);

/** What staff tell visitors of the status page. */
export const incidents = pgTable(
  'incidents',
  {
    id: text('id').primaryKey(),
    title: jsonb('title').$type<Texts>().notNull(),
    state: text('state', { enum: ['investigating', 'identified', 'monitoring', 'resolved'] }).notNull(),
    components: jsonb('components').$type<string[]>().notNull(),
    startedAt: time('started_at').notNull(),
    resolvedAt: time('resolved_at'),
    /** Words with their states, the earliest first. */
    updates: jsonb('updates').$type<StoredUpdate[]>().notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [index('incidents_started').on(table.startedAt)],
);

interface StoredUpdate {
  /** RFC 3339. */
  at: string;
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  text: Texts;
  by: string;
}

/** What visitors were shown once and are shown no more, until it is published again. */
export const takenOff = pgTable(
  'taken_off',
  {
    kind: text('kind', { enum: ['article', 'model', 'dataset'] }).notNull(),
    /** The address of an article, the id of others. */
    id: text('id').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** How often a page was looked at on one day (UTC), while staff have counts on. */
export const pageViews = pgTable('page_views', {
  /** Day, language and page. */
  id: text('id').primaryKey(),
  /** YYYY-MM-DD. */
  day: text('day').notNull(),
  /** A path without its language. */
  page: text('page').notNull(),
  language: text('language', { enum: ['en', 'zh', 'ja'] }).notNull(),
  views: bigint('views', { mode: 'number' }).notNull(),
});
