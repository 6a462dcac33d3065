// Evaluations: what each run asks of whom, and what came out: scores, comparisons with the baseline, load, and where its examples lie.
// Files are those of the owners `<task uid>` (parts of answers) and `<task uid>.<run>.examples` (`files.ts`).
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import { VERDICTS } from '@gantry/contract/kinds/evaluation-schema.ts';
import { bigint, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { organizations } from './people.ts';

const number = (name: string) => bigint(name, { mode: 'number' });

/** What answers were made by: results of different stamps are not compared silently. */
export interface Stamp {
  engine: string;
  /** With its digest, where a replica says it. */
  image: string | null;
  /** SHA-256 of the chat template. */
  template: string | null;
  dtype: string | null;
  /** Null: it was served without one. */
  gpu: { model: string; count: number } | null;
  seed: number;
}

/** A subject as it was served when the run began. */
export interface ServedSubject {
  deployment: string;
  adapter: string | null;
  /** The deployment's. */
  uid: string;
  model: string;
  version: string;
  name: string;
  /** Digests of the lists of files that a deployment of this version alone takes in: of the base, and of the adapter. */
  weights: string;
  adapterWeights: string | null;
  stamp: Stamp;
  /** It was served otherwise when the run ended. */
  isChanged?: boolean;
}

/** What a task asks: results with the same one are of the same questions. */
export interface AskedTask {
  name: string;
  dataset: string;
  version: number;
  metric: string;
  /** SHA-256 of all that says what is asked and how it is scored. */
  measures: string;
}

/** Where the examples of a task lie in their table, one for each subject of each row. */
export interface ExamplePlaces {
  task: number;
  /** The first example's row of the table, and how many rows of the dataset have examples. */
  first: number;
  rows: number;
  /** Of these, from 0 on, in order: those whose subjects' scores differ. */
  different: number[];
}

const STATES = ['running', 'fetching', 'checking', 'kept', 'failed'] as const;

export const evaluationRuns = pgTable(
  'evaluation_runs',
  {
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    organizationId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    /** What its answers are kept for, and what answered, by the name that is asked: later runs take what is the same. */
    work: text('work').notNull(),
    answering: jsonb('answering').$type<Record<string, string>>().notNull(),
    subjects: jsonb('subjects').$type<readonly ServedSubject[]>().notNull(),
    tasks: jsonb('tasks').$type<readonly AskedTask[]>().notNull(),
    /** The number of a subject. */
    baseline: integer('baseline'),
    /** How far its examples are: fetched from its Pod once it has ended. */
    state: text('state', { enum: STATES }).notNull(),
    problem: text('problem').$type<ProblemCode>(),
    problemArgs: jsonb('problem_args').$type<ProblemArgs>(),
    tries: integer('tries').notNull().default(0),
    nextTryAt: time('next_try_at'),
    examples: jsonb('examples').$type<readonly ExamplePlaces[]>(),
    createdAt: time('created_at').notNull(),
    /** Since then its scores are the evaluation's. */
    scoredAt: time('scored_at'),
  },
  (table) => [primaryKey({ columns: [table.taskUid, table.run] }), index('evaluation_runs_state').on(table.state)],
);

const ofTask = {
  taskUid: text('task_uid').notNull(),
  run: integer('run').notNull(),
  subject: integer('subject').notNull(),
  task: integer('task').notNull(),
  metric: text('metric').notNull(),
};

export const evaluationScores = pgTable(
  'evaluation_scores',
  {
    ...ofTask,
    value: doublePrecision('value').notNull(),
    low: doublePrecision('low').notNull(),
    high: doublePrecision('high').notNull(),
    n: integer('n').notNull(),
    promptTokens: number('prompt_tokens').notNull(),
    completionTokens: number('completion_tokens').notNull(),
    p50Ms: doublePrecision('p50_ms'),
    p99Ms: doublePrecision('p99_ms'),
    /** Of these tokens, as /v1 billed them when the run ended; null where nobody knew. */
    costMicros: number('cost_micros'),
  },
  (table) => [primaryKey({ columns: [table.taskUid, table.run, table.subject, table.task] })],
);

export const evaluationComparisons = pgTable(
  'evaluation_comparisons',
  {
    ...ofTask,
    baseline: integer('baseline').notNull(),
    difference: doublePrecision('difference').notNull(),
    low: doublePrecision('low').notNull(),
    high: doublePrecision('high').notNull(),
    n: integer('n').notNull(),
    better: integer('better').notNull(),
    worse: integer('worse').notNull(),
    verdict: text('verdict', { enum: VERDICTS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskUid, table.run, table.subject, table.task] })],
);

export const evaluationLoads = pgTable(
  'evaluation_loads',
  {
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    subject: integer('subject').notNull(),
    concurrency: integer('concurrency').notNull(),
    requests: number('requests').notNull(),
    failed: number('failed').notNull(),
    tokensPerSecond: doublePrecision('tokens_per_second').notNull(),
    ttftP50Ms: doublePrecision('ttft_p50_ms'),
    ttftP99Ms: doublePrecision('ttft_p99_ms'),
    p50Ms: doublePrecision('p50_ms'),
    p99Ms: doublePrecision('p99_ms'),
  },
  (table) => [primaryKey({ columns: [table.taskUid, table.run, table.subject, table.concurrency] })],
);
