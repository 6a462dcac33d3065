// Counts of the portal: how often a GPU model could be had, and whom an article helped. Never who.
import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { articles } from './operation.ts';

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
