// Rows that staff change while the platform runs: settings over the options, closed features, help articles, GPU models of the market; and
// the running gateways.
import type { Words } from '@gantry/contract/define-kind.ts';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

type Texts = Pick<Words, 'en' | 'zh' | 'ja'>;

/** Values that count instead of an option's. */
export const changedSettings = pgTable('changed_settings', {
  name: text('name').primaryKey(),
  /** As the option would be written. */
  value: text('value').notNull(),
  changedAt: time('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

export const featureSwitches = pgTable('feature_switches', {
  name: text('name').primaryKey(),
  isOpen: boolean('is_open').notNull(),
  note: jsonb('note').$type<Texts>(),
  changedAt: time('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

/** Staff's decisions on a model; one without a row is shown after the others. */
export const marketModels = pgTable('market_models', {
  model: text('model').primaryKey(),
  isShown: boolean('is_shown').notNull(),
  position: integer('position'),
  note: jsonb('note').$type<Texts>(),
  changedAt: time('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

/** Each gateway says every few seconds that it is there. */
export const gateways = pgTable('gateways', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  version: text('version').notNull(),
  startedAt: time('started_at').notNull(),
  seenAt: time('seen_at').notNull(),
});

export const articles = pgTable('articles', {
  id: text('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  kind: text('kind', { enum: ['help', 'about', 'contact', 'terms', 'privacy'] }).notNull(),
  position: integer('position').notNull(),
  /** Its newest version's. */
  title: jsonb('title').$type<Texts>().notNull(),
  /** Numbers of versions. */
  latest: integer('latest').notNull(),
  published: integer('published'),
  publishedAt: time('published_at'),
  changedAt: time('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

/** Never changed: a roll-back publishes an earlier one again. */
export const articleVersions = pgTable(
  'article_versions',
  {
    id: text('id').notNull().unique(),
    articleId: text('article_id')
      .notNull()
      .references(() => articles.id),
    number: integer('number').notNull(),
    title: jsonb('title').$type<Texts>().notNull(),
    content: jsonb('content').$type<Texts>().notNull(),
    reason: text('reason').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    /** When it was last published; a roll-back passes over drafts, which never were. */
    publishedAt: time('published_at'),
  },
  (table) => [
    primaryKey({ columns: [table.articleId, table.number] }),
    index('article_versions_created').on(table.createdAt),
  ],
);

/** The known facts of the backups in the bucket, which has the last word. */
export const backups = pgTable('backups', {
  id: text('id').primaryKey(),
  askedAt: time('asked_at').notNull(),
  /** Null: the schedule, or somebody else who uses the bucket. */
  askedBy: text('asked_by'),
  begunAt: time('begun_at'),
  endedAt: time('ended_at'),
  removedAt: time('removed_at'),
  bytes: bigint('bytes', { mode: 'number' }),
  rows: integer('rows'),
  objects: integer('objects'),
  /** Why there is none. */
  failure: text('failure'),
});

/** The last restore into this database; unfinished, no gateway starts. */
export const restores = pgTable('restores', {
  backupId: text('backup_id').primaryKey(),
  begunAt: time('begun_at').notNull(),
  endedAt: time('ended_at'),
  findings: jsonb('findings'),
});
