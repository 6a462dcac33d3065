// Datasets and their immutable versions; their files are in `files.ts`.
import { DATASET_TYPES, type DatasetType } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import {
  DATASET_FORMATS,
  DATASET_SOURCES,
  DATASET_STEPS,
  DATASET_VERSION_STATES,
  type DatasetFormat,
  type DatasetSource,
  type DatasetStep,
  type DatasetVersionState,
} from '@gantry/contract/areas/datasets/datasets.ts';
import type { ProfileStep } from '@gantry/contract/areas/datasets/tables.ts';
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { accounts, organizations } from './people.ts';

const number = (name: string) => bigint(name, { mode: 'number' });
const creator = () =>
  text('creator_id')
    .notNull()
    .references(() => accounts.id);

/** What a version is fetched of; of a hub, its revision is the commit as soon as that is known. */
export type DatasetAsked = { include: readonly string[] } & (
  | { source: 'hub'; repository: string; revision: string }
  | { source: 'disk'; disk: string; folder: string }
  | {
      source: 's3';
      bucket: string;
      prefix: string;
      endpoint: string;
      region: string;
      pathStyle: boolean;
      /** The name of sealed ones; null for none. */
      credentials: string | null;
    }
  | {
      source: 'process';
      /** The name of the task, its uid, and the run that has made it. */
      task: string;
      taskUid: string;
      run: number;
      /** The version that was read. */
      from: { dataset: string; version: number };
    }
);

/** Of a version that is a knowledge base: what searches it, and what its questions are embedded by. */
export interface KnowledgeBase {
  /** As whoever made it called the deployment or alias. */
  model: string;
  dimensions: number;
  chunks: number;
  /** Its files, by what they are; the chunks in their order. */
  parts: readonly { kind: 'chunks' | 'vectors' | 'words'; sha256: string; bytes: number }[];
}

export const datasets = pgTable(
  'datasets',
  {
    id: text('id').primaryKey(),
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    type: text('type', { enum: DATASET_TYPES }).$type<DatasetType>().notNull(),
    license: text('license'),
    language: text('language').array().notNull().default([]),
    tags: text('tags').array().notNull().default([]),
    card: text('card').notNull().default(''),
    downloads: number('downloads').notNull().default(0),
    /** Of the version that was begun last: none is given twice. */
    lastVersion: integer('last_version').notNull().default(0),
    /** Something collected was ever put into it: only those who manage the organisation see it. */
    managersOnly: boolean('managers_only').notNull().default(false),
    /** Every organisation sees it. */
    shelvedAt: time('shelved_at'),
    shelvedBy: text('shelved_by'),
    creatorId: creator(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('datasets_name').on(table.organizationId, table.name),
    index('datasets_shelved').on(table.shelvedAt),
  ],
);

export const datasetVersions = pgTable(
  'dataset_versions',
  {
    id: text('id').primaryKey(),
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    state: text('state', { enum: DATASET_VERSION_STATES }).$type<DatasetVersionState>().notNull(),
    /** Of one that is processing. */
    step: text('step', { enum: DATASET_STEPS }).$type<DatasetStep>(),
    source: text('source', { enum: DATASET_SOURCES }).$type<DatasetSource>().notNull(),
    /** Of what was collected: the deployment; of what is fetched: from where, as people read it. */
    sourceRef: text('source_ref'),
    /** Of what is fetched. */
    asked: jsonb('asked').$type<DatasetAsked>(),
    message: text('message').notNull(),
    /** SHA-256 of its sorted list, once it is ready. */
    digest: text('digest'),
    format: text('format', { enum: DATASET_FORMATS }).$type<DatasetFormat>(),
    rows: number('rows'),
    /** Null: it is no knowledge base. */
    knowledge: jsonb('knowledge').$type<KnowledgeBase>(),
    /** Why it failed: a problem of the contract with what stands in its sentence. */
    problem: text('problem').$type<ProblemCode>(),
    problemArgs: jsonb('problem_args').$type<ProblemArgs>(),
    creatorId: creator(),
    createdAt: time('created_at').notNull(),
    readyAt: time('ready_at'),
    /** How often its source was away, and when it is asked again. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: time('next_try_at'),
  },
  (table) => [
    uniqueIndex('dataset_versions_number').on(table.datasetId, table.number),
    index('dataset_versions_state').on(table.state),
  ],
);

/** `fetching`: a data server reads it, and its parts come; `checking`: they are all there. */
const PROFILE_STATES = ['waiting', 'fetching', 'checking', 'ready', 'failed'] as const;

/** A part of a table: a Parquet file among the stored files of the table. */
export interface TablePart {
  kind: 'data' | 'rejected';
  path: string;
  firstRow: number;
  rows: number;
  bytes: number;
  sha256: string;
}

/** The table that a data server makes of a ready version. Its files are those of the owner `<version>.table`. */
export const datasetProfiles = pgTable(
  'dataset_profiles',
  {
    versionId: text('version_id')
      .primaryKey()
      .references(() => datasetVersions.id, { onDelete: 'cascade' }),
    state: text('state', { enum: PROFILE_STATES }).notNull(),
    step: text('step').$type<ProfileStep>(),
    done: number('done'),
    of: number('of'),
    /** What the data server says of it, checked: statistics without parts. */
    facts: jsonb('facts').$type<Record<string, unknown>>(),
    parts: jsonb('parts').$type<TablePart[]>().notNull().default([]),
    rejected: number('rejected'),
    problem: text('problem').$type<ProblemCode>(),
    problemArgs: jsonb('problem_args').$type<ProblemArgs>(),
    createdAt: time('created_at').notNull(),
    tries: integer('tries').notNull().default(0),
    nextTryAt: time('next_try_at'),
  },
  (table) => [index('dataset_profiles_state').on(table.state)],
);

/** The test set of a knowledge base. */
export const datasetQuestions = pgTable('dataset_questions', {
  datasetId: text('dataset_id')
    .primaryKey()
    .references(() => datasets.id, { onDelete: 'cascade' }),
  questions: jsonb('questions').$type<readonly { question: string; expected: string }[]>().notNull(),
});
