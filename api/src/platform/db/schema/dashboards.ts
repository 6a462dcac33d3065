// Dashboards that organisations have made of PromQL.
import type { Panel } from '@gantry/contract/monitor/panels.ts';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const dashboards = pgTable(
  'dashboards',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    title: text('title').notNull(),
    panels: jsonb('panels').$type<Panel[]>().notNull(),
    /** Another with each change: whoever saw an older one changes nothing. */
    version: integer('version').notNull().default(1),
    /** The name of whoever changed it last: it stays when they have left. */
    editor: text('editor').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('dashboards_org').on(table.organizationId)],
);
