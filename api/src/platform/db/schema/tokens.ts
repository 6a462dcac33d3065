// Tokens that models have read and written: one row for each request to /v1, and their sums. Aliases of deployments.
import type { ChatMessage } from '@gantry/contract/areas/inference/chats.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';

const count = (name: string) => bigint(name, { mode: 'number' });

/** A request, once it has ended. Swept after some weeks; `token_totals` keeps what it comes to. */
export const tokenUsage = pgTable(
  'token_usage',
  {
    /** The request's id: written once, whoever tries again. */
    id: text('id').primaryKey(),
    at: time('at').notNull(),
    organizationId: text('org_id').notNull(),
    accountId: text('account_id').notNull(),
    /** The API token; null for a person's session. */
    tokenId: text('token_id'),
    /** The uid of the task that asked for it. */
    task: text('task'),
    modelUid: text('model_uid').notNull(),
    /** The deployment's name. */
    model: text('model').notNull(),
    endpoint: text('endpoint').notNull(),
    /** All that were read, those from a cache among them. */
    prompt: count('prompt').notNull(),
    cached: count('cached').notNull(),
    completion: count('completion').notNull(),
    /** The engine's own counts, if they are impossible: then the counts above are our estimate. */
    reported: jsonb('reported'),
    doubt: text('doubt', { enum: ['silent', 'implausible'] }),
    /** `left`: the client. `broken`: half an answer. `failed`: none. `refused`: nothing was generated. */
    outcome: text('outcome', { enum: ['answered', 'left', 'broken', 'failed', 'refused'] }).notNull(),
    status: integer('status').notNull(),
    /** The Pod that answered. */
    worker: text('worker'),
    ms: integer('ms').notNull(),
    /** Until the first byte. */
    firstMs: integer('first_ms'),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** The transfer in the books; null for what costs nothing. */
    transferKey: text('transfer_key'),
  },
  (table) => [
    index('token_usage_org').on(table.organizationId, table.at),
    index('token_usage_at').on(table.at),
    // How fast a deployment is, over the last hour.
    index('token_usage_model').on(table.modelUid, table.at),
    index('token_usage_transfer').on(table.transferKey),
    index('token_usage_task').on(table.task, table.at),
    check(
      'token_usage_counts',
      sql`${table.prompt} >= ${table.cached} AND ${table.cached} >= 0 AND ${table.completion} >= 0`,
    ),
  ],
);

/** The sums of one UTC day, changed with the rows they are of. */
export const tokenTotals = pgTable(
  'token_totals',
  {
    day: date('day', { mode: 'string' }).notNull(),
    organizationId: text('org_id').notNull(),
    accountId: text('account_id').notNull(),
    /** '' for sessions. */
    tokenId: text('token_id').notNull(),
    modelUid: text('model_uid').notNull(),
    model: text('model').notNull(),
    requests: count('requests').notNull(),
    prompt: count('prompt').notNull(),
    cached: count('cached').notNull(),
    completion: count('completion').notNull(),
    doubtful: count('doubtful').notNull(),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.day, table.accountId, table.tokenId, table.modelUid] }),
    index('token_totals_token').on(table.tokenId, table.day),
  ],
);

/** A name under which one organisation calls several of its deployments. */
export const modelAliases = pgTable(
  'model_aliases',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    name: text('name').notNull(),
    /** A target of weight 0 is used only if no other one answers. */
    targets: jsonb('targets').$type<{ deployment: string; weight: number }[]>().notNull(),
    creatorId: text('creator_id').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('model_aliases_name').on(table.organizationId, table.name)],
);

/** A person's conversation with models, which nobody else reads. */
export const chats = pgTable(
  'chats',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id').notNull(),
    accountId: text('account_id').notNull(),
    title: text('title').notNull(),
    model: text('model').notNull(),
    system: text('system').notNull(),
    messages: jsonb('messages').$type<ChatMessage[]>().notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('chats_person').on(table.organizationId, table.accountId, table.updatedAt)],
);
