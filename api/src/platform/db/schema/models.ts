// Models and their immutable versions; their files are in `files.ts`.
import {
  MODEL_FORMATS,
  MODEL_SOURCES,
  type ModelFormat,
  VERSION_STATES,
  type VersionState,
} from '@gantry/contract/areas/models/models.ts';
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

const bytes = (name: string) => bigint(name, { mode: 'number' });
const creator = () =>
  text('creator_id')
    .notNull()
    .references(() => accounts.id);

/** Of a version that a task has made. */
export interface ModelMade {
  /** The name of the task, its uid, and the run that has made it. */
  task: string;
  taskUid: string;
  run: number;
  /** Of a checkpoint. */
  step?: number | undefined;
  from: { base: { model: string; version: string }; datasets: readonly { dataset: string; version: number }[] };
}

export const models = pgTable(
  'models',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    license: text('license'),
    language: text('language').array().notNull().default([]),
    tags: text('tags').array().notNull().default([]),
    card: text('card').notNull().default(''),
    downloads: bytes('downloads').notNull().default(0),
    /** The library offers it. */
    shelvedAt: time('shelved_at'),
    shelvedBy: text('shelved_by'),
    creatorId: creator(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('models_name').on(table.organizationId, table.name),
    index('models_shelved').on(table.shelvedAt),
  ],
);

export const modelVersions = pgTable(
  'model_versions',
  {
    id: text('id').primaryKey(),
    modelId: text('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    state: text('state', { enum: VERSION_STATES }).$type<VersionState>().notNull(),
    source: text('source', { enum: MODEL_SOURCES }).notNull(),
    repository: text('repository'),
    /** The requested revision; later the commit that it resolved to. */
    revision: text('revision'),
    include: text('include').array().notNull().default([]),
    made: jsonb('made').$type<ModelMade>(),
    /** Why it failed: a problem of the contract with what stands in its sentence. */
    problem: text('problem').$type<ProblemCode>(),
    problemArgs: jsonb('problem_args').$type<ProblemArgs>(),
    format: text('format', { enum: MODEL_FORMATS }).$type<ModelFormat>(),
    structure: text('structure'),
    parameters: bytes('parameters'),
    quantisation: text('quantisation'),
    contextLength: bytes('context_length'),
    weightBytes: bytes('weight_bytes'),
    kvBytesPerToken: bytes('kv_bytes_per_token'),
    attentionHeads: integer('attention_heads'),
    /** SHA-256 of its chat template; null where it has none. */
    templateHash: text('template_hash'),
    creatorId: creator(),
    createdAt: time('created_at').notNull(),
    readyAt: time('ready_at'),
    /** How often its source was away, and when it is asked again. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: time('next_try_at'),
  },
  (table) => [
    uniqueIndex('model_versions_name').on(table.modelId, table.name),
    index('model_versions_state').on(table.state),
  ],
);
