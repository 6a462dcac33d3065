// Requests and answers that deployments have collected: a row for each object of the store, which has them as JSON Lines.
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { organizations } from './people.ts';

export const collectedFiles = pgTable(
  'collected_files',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    /** Its name: what it collected outlives it. */
    deployment: text('deployment').notNull(),
    dataset: text('dataset').notNull(),
    records: integer('records').notNull(),
    /** Sampled requests before it that were not kept. */
    leftOut: integer('left_out').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    firstAt: time('first_at').notNull(),
    lastAt: time('last_at').notNull(),
    /** Absent while the store does not have it for certain. */
    storedAt: time('stored_at'),
  },
  (table) => [index('collected_files_deployment').on(table.organizationId, table.deployment, table.lastAt)],
);
