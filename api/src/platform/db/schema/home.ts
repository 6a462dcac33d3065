// Data of the operators' home: begun and failed runs of the last day, and each staff member's own saved queries.
import type { Preferences } from '@gantry/contract/areas/admin/admin-home.ts';
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts } from './people.ts';

/**
 * A run that began or failed, by the object and the moment: every gateway writes what it sees, and each is there once. Rows older
 * than a day and an hour are deleted.
 */
export const runEvents = pgTable(
  'run_events',
  {
    uid: text('uid').notNull(),
    at: time('at').notNull(),
    what: text('what', { enum: ['start', 'failure'] }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.at, table.what] }), index('run_events_at').on(table.at)],
);

export const staffPreferences = pgTable('staff_preferences', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  value: jsonb('value').$type<Preferences>().notNull(),
  changedAt: time('changed_at').notNull(),
});
