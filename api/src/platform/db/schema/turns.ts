// Which gateway does what only one may do at a time.
import { pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const turns = pgTable('turns', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  until: time('until').notNull(),
});
