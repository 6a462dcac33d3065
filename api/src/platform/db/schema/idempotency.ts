// Calls that carried an Idempotency-Key: the row is the lock while one is under way, and its answer afterwards.
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** No foreign keys: a row lives for a day at most. It never holds an answer with a secret. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text('account_id').notNull(),
    organizationId: text('organization_id').notNull(),
    key: text('key').notNull(),
    route: text('route').notNull(),
    /** HMAC-SHA256 of what else was asked, with the platform's key: it may hold passwords. */
    inputHash: text('input_hash').notNull(),
    /** Which call has it, as long as it is under way; a new one after each take-over. Null without an answer: the call failed. */
    holder: text('holder'),
    /** From here on another may take it over. */
    heldUntil: time('held_until').notNull(),
    /** Body and version of the answer, once there is one. */
    answer: text('answer'),
    version: text('version'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.organizationId, table.key] })],
);
