// Checks of the cluster that staff had made.

import { CLUSTER_CHECK_STATES } from '@gantry/contract/areas/doctor/admin-doctor.ts';
import type { CheckResult } from '@gantry/contract/doctor.ts';
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const clusterChecks = pgTable(
  'cluster_checks',
  {
    id: text('id').primaryKey(),
    state: text('state', { enum: CLUSTER_CHECK_STATES }).notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    startedBy: text('started_by').notNull(),
    reason: text('reason').notNull(),
    /** While it runs: when its gateway last said so. */
    aliveAt: time('alive_at').notNull(),
    /** As they come. */
    results: jsonb('results').$type<CheckResult[]>().notNull().default([]),
    /** The findings of the last one that was done before it, by check. */
    before: jsonb('before').$type<Partial<Record<CheckResult['check'], CheckResult['finding']>>>(),
  },
  (table) => [
    index('cluster_checks_started').on(table.startedAt),
    // One at a time, whichever gateway it is in.
    uniqueIndex('cluster_checks_running').on(table.state).where(sql`"state" = 'running'`),
  ],
);
