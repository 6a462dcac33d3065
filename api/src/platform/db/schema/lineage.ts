// Present and past things, and the sources of each. A row is written in the transaction that makes the thing, and none with an edge is ever deleted.

import type { LineageKind } from '@gantry/contract/areas/lineage/lineage.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

const nodeId = (name: string) => bigint(name, { mode: 'number' });

export const lineageNodes = pgTable(
  'lineage_nodes',
  {
    id: nodeId('id').primaryKey().generatedAlwaysAsIdentity(),
    organizationId: text('org_id').notNull(),
    kind: text('kind').$type<LineageKind>().notNull(),
    /** The name by which people and pages refer to it: it may be used again for another one later. */
    ref: text('ref').notNull(),
    version: text('version'),
    /** Its permanent id: of a version the id of its row, of an object on the cluster its uid. */
    uid: text('uid').notNull(),
    /** The digest of its content; empty if it has no content. */
    digest: text('digest').notNull(),
    name: text('name').notNull(),
    /** Only those who manage the organisation see it. */
    managersOnly: boolean('managers_only').notNull().default(false),
    at: time('at').notNull(),
    /** Since when it is no more, or consists of something else. */
    goneAt: time('gone_at'),
  },
  (table) => [
    uniqueIndex('lineage_nodes_uid').on(table.kind, table.uid, table.digest),
    index('lineage_nodes_ref').on(table.organizationId, table.kind, table.ref),
  ],
);

export const lineageEdges = pgTable(
  'lineage_edges',
  {
    fromId: nodeId('from_id')
      .notNull()
      .references(() => lineageNodes.id),
    toId: nodeId('to_id')
      .notNull()
      .references(() => lineageNodes.id),
    /** The organisation of the thing that was made: nobody else learns of it. */
    organizationId: text('org_id').notNull(),
    /** Written by gateways before 0056: the uid of the task that made it. Since then its run is a node. */
    via: text('via'),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.toId, table.fromId] }),
    index('lineage_edges_from').on(table.fromId, table.organizationId),
    check('lineage_edges_apart', sql`${table.fromId} <> ${table.toId}`),
  ],
);
