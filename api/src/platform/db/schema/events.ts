// Events that billing has to post, written in the same transaction as their cause.
import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { accounts, organizations } from './people.ts';

export const events = pgTable('events', {
  id: text('id').primaryKey(),
  type: text('type', { enum: ['welcome_credit', 'organization_adopted'] }).notNull(),
  /** Events that may happen only once share one key: a second row is refused. */
  once: text('once').unique(),
  /** Null if it concerns no particular person. */
  accountId: text('account_id').references(() => accounts.id),
  organizationId: text('org_id')
    .notNull()
    .references(() => organizations.id),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull(),
  payload: jsonb('payload').$type<Record<string, string>>().notNull(),
  /** When billing had carried it out. */
  postedAt: timestamp('posted_at', { withTimezone: true, mode: 'date' }),
});
