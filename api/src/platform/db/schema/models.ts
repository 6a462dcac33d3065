// Models, their immutable versions and the files of these. The bytes are in the object store, one object for each digest.
import {
  MODEL_FORMATS,
  MODEL_SOURCES,
  type ModelFormat,
  VERSION_STATES,
  type VersionState,
} from '@gantry/contract/areas/models/models.ts';
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, time } from './columns.ts';
import { accounts, organizations } from './people.ts';

const bytes = (name: string) => bigint(name, { mode: 'number' });
const creator = () =>
  text('creator_id')
    .notNull()
    .references(() => accounts.id);

/**
 * The contents of the store, by a SHA-256 (hexadecimal). A file refers to it before it is stored, so that nothing removes it meanwhile; one
 * that is being removed is not taken up again until it is gone.
 */
export const blobs = pgTable(
  'blobs',
  {
    digest: text('digest').primaryKey(),
    sizeBytes: bytes('size_bytes').notNull(),
    storedAt: time('stored_at'),
    removingAt: time('removing_at'),
  },
  (table) => [index('blobs_removing').on(table.removingAt)],
);

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

export const modelFiles = pgTable(
  'model_files',
  {
    id: text('id').primaryKey(),
    versionId: text('version_id')
      .notNull()
      .references(() => modelVersions.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    /** How much has arrived: whole pieces, and the last one. */
    receivedBytes: bytes('received_bytes').notNull().default(0),
    /** The store's id of the unfinished upload; absent before its first piece and after its last. */
    uploadId: text('upload_id'),
    /** The digest that its source states: other bytes are refused. */
    wantedSha256: text('wanted_sha256'),
    /** For small files a hub states only git's own hash: SHA-1 with a header. */
    wantedGitSha1: text('wanted_git_sha1'),
    /** For a file on a disk: the content that its first byte belonged to. */
    sourceTag: text('source_tag'),
    digest: text('digest').references(() => blobs.digest),
    /** Its bytes are in the store under their digest. */
    keptAt: time('kept_at'),
  },
  (table) => [
    uniqueIndex('model_files_path').on(table.versionId, table.path),
    index('model_files_digest').on(table.digest),
  ],
);

/** Objects of files that were given up, which the store still has. */
export const droppedUploads = pgTable('dropped_uploads', {
  fileId: text('file_id').primaryKey(),
  uploadId: text('upload_id'),
});

/** One for each organisation, encrypted. */
export const hubTokens = pgTable('hub_tokens', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  sealed: text('sealed').notNull(),
  creatorId: creator(),
  createdAt: time('created_at').notNull(),
});

/** The storage of an organisation's models for an hour, and its cost. */
export const modelStorage = pgTable(
  'model_storage',
  {
    hour: time('hour').notNull(),
    organizationId: text('org_id').notNull(),
    bytes: bytes('bytes').notNull(),
    list: amount('list').notNull(),
    net: amount('net').notNull(),
    /** The transfer in the books; null for what costs nothing. */
    transferKey: text('transfer_key'),
  },
  (table) => [primaryKey({ columns: [table.hour, table.organizationId] })],
);
