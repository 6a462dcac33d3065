// The audit log and the seals upon it. Both may only grow.
import { sql } from 'drizzle-orm';
import { bigint, bigserial, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: time('at').notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    actorKind: text('actor_kind', { enum: ['anonymous', 'session', 'apiToken', 'staff', 'system'] }).notNull(),
    /** No foreign key: an entry outlives its organisation. '' is the platform's own. */
    organizationId: text('organization_id').notNull(),
    requestId: text('request_id').notNull(),
    action: text('action').notNull(),
    object: text('object'),
    decision: text('decision', { enum: ['allowed', 'denied', 'failed'] }).notNull(),
    status: integer('status').notNull(),
    reason: text('reason'),
    ip: text('ip').notNull(),
    userAgent: text('user_agent'),
  },
  (table) => [
    index('audit_log_organization').on(table.organizationId, table.id),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.id),
    index('audit_log_request').on(table.requestId),
    index('audit_log_at').on(table.at, table.id),
    index('audit_log_object').on(table.object, table.id),
    index('audit_log_policies')
      .on(table.organizationId, table.action, table.object)
      .where(sql`"decision" = 'allowed' AND "object" LIKE 'AlertPolicy/%'`),
  ],
);

/** A link of one organisation's chain: the entries it seals, and the link before. */
export const auditBlocks = pgTable(
  'audit_blocks',
  {
    organizationId: text('organization_id').notNull(),
    /** From 1, without a gap. */
    seq: integer('seq').notNull(),
    fromId: bigint('from_id', { mode: 'number' }).notNull(),
    toId: bigint('to_id', { mode: 'number' }).notNull(),
    /** Id and SHA-256 of each entry, in order of the ids: they tell which entry was changed. */
    entries: jsonb('entries').$type<[id: number, hash: string][]>().notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
    sealedAt: time('sealed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.seq] }), index('audit_blocks_to').on(table.toId)],
);
