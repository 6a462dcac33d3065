// Tasks that make something of data, in Pods of tenants: how far each run is, and what is kept of its work. Files of the work are those of
// the owner `<work>.work` (`files.ts`). Of runs of jobs, what their programs log.
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';
import { organizations } from './people.ts';

const number = (name: string) => bigint(name, { mode: 'number' });
const organization = () =>
  text('org_id')
    .notNull()
    .references(() => organizations.id);

/** The last word of a worker: `ended` says why it ended before all units were done, of which `unitsLeft` are left. */
export type SaidAtEnd =
  | {
      type: 'done';
      rows: number;
      rejected: number;
      ended?: string | undefined;
      unitsLeft: number;
      removed: Record<string, number>;
      masked: Record<string, number>;
    }
  | { type: 'failed'; code: string; sentence: string; values: Record<string, string | number | boolean> };

/** Finite numbers; a loss that is none is left out, and `isBroken` says so. */
export interface PointValues {
  of?: number | undefined;
  epoch?: number | undefined;
  loss?: number | undefined;
  evalLoss?: number | undefined;
  learningRate?: number | undefined;
  gradNorm?: number | undefined;
  tokens?: number | undefined;
  tokensPerSecond?: number | undefined;
  secondsLeft?: number | undefined;
  isBroken?: boolean | undefined;
}

export interface TaskInput {
  path: string;
  sha256: string;
  bytes: number;
}

/** What a run's program logged by MLflow's calls: pairs of a name and its last value, as no name is a member of an object. */
export interface Logged {
  params: readonly (readonly [string, string])[];
  tags: readonly (readonly [string, string])[];
  metrics: readonly (readonly [string, { value: number; step: number }])[];
  /** In bytes. */
  artifacts: readonly (readonly [string, number])[];
}

/** What a trainer says once of a run. */
export interface TrainedFacts {
  resumedFrom?: number;
  rehearsal?: { peakBytes: number; secondsPerStep: number; longest: number };
  logged?: Logged;
}

/** A run of a task, by the uid of its object. */
export const taskRuns = pgTable(
  'task_runs',
  {
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    organizationId: organization(),
    /** The start of its agent that `taken` counts lines of. */
    boot: text('boot').notNull().default(''),
    /** Lines of the journal that are taken. */
    taken: number('taken').notNull().default(0),
    /** Units of the input, and those among them that were kept from earlier runs. */
    units: number('units'),
    kept: number('kept'),
    /** Of work that is not counted in units. */
    step: text('step'),
    done: number('done'),
    of: number('of'),
    said: jsonb('said').$type<SaidAtEnd>(),
    /** The files that its Pod takes in, with their digests; null until they are chosen, and never changed afterwards. */
    inputs: jsonb('inputs').$type<readonly TaskInput[]>(),
    /** Of training: what its checkpoints are of, so that a later run of the same goes on from them, and how many are kept. */
    checkpointsOf: text('checkpoints_of'),
    checkpointsKept: integer('checkpoints_kept').notNull().default(0),
    /** Of training: the step that it went on from, and what was rehearsed. */
    trained: jsonb('trained').$type<TrainedFacts>().notNull().default({}),
    /** A run of a job, of which nothing is kept but what its program logs: it goes with the job. */
    isTracked: boolean('is_tracked').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskUid, table.run] })],
);

const UNIT_STATES = ['done', 'failed', 'skipped'] as const;

/** A piece of work that is kept: `unit` says what of, with which parameters, so the same is never done twice for one `work`. */
export const taskUnits = pgTable(
  'task_units',
  {
    /** What the units are made for, which they go with: the id of a dataset. */
    work: text('work').notNull(),
    /** SHA-256, hexadecimal. */
    unit: text('unit').notNull(),
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    /** The SHA-256 of the part that has its rows. */
    part: text('part').notNull(),
    label: text('label').notNull(),
    state: text('state', { enum: UNIT_STATES }).notNull(),
    reason: text('reason'),
    rows: number('rows').notNull(),
    rejected: number('rejected').notNull(),
    /** The model that was asked for it first, by the name that its worker asked; null where none was. */
    model: text('model'),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.work, table.unit] }),
    index('task_units_task').on(table.taskUid, table.state, table.unit),
  ],
);

/** A file that a run has made for its outcome, still in its Pod. */
export const taskOutputs = pgTable(
  'task_outputs',
  {
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    /** As people see it; of a checkpoint, below a folder of its step. */
    name: text('name').notNull(),
    /** Where it lies in the Pod. */
    path: text('path').notNull(),
    kind: text('kind', { enum: ['output', 'rejected', 'checkpoint'] }).notNull(),
    sha256: text('sha256').notNull(),
    sizeBytes: number('size_bytes').notNull(),
    rows: number('rows'),
    /** What it is to the version: data, graph, vectors, words. */
    role: text('role'),
    /** Of vectors. */
    dimensions: integer('dimensions'),
  },
  (table) => [
    primaryKey({ columns: [table.taskUid, table.run, table.name] }),
    foreignKey({ columns: [table.taskUid, table.run], foreignColumns: [taskRuns.taskUid, taskRuns.run] }).onDelete(
      'cascade',
    ),
  ],
);

/** What a model has answered to the work under way: asked again after a kill, it costs nothing. Gone once the unit is kept. */
export const taskAnswers = pgTable(
  'task_answers',
  {
    taskUid: text('task_uid').notNull(),
    /** SHA-256 of the unit, the number of its call, the path and the body. */
    key: text('key').notNull(),
    unit: text('unit').notNull(),
    organizationId: organization(),
    /** The name that was asked. */
    model: text('model'),
    body: text('body').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.taskUid, table.key] }),
    index('task_answers_unit').on(table.taskUid, table.unit),
    index('task_answers_at').on(table.at),
  ],
);

/** A checkpoint of a training run: files of the owner `<task uid>.<run>.<step>`. */
export const taskCheckpoints = pgTable(
  'task_checkpoints',
  {
    /** Its files' owner. */
    id: text('id').primaryKey(),
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    step: number('step').notNull(),
    organizationId: organization(),
    state: text('state', { enum: ['fetching', 'checking', 'kept', 'failed'] }).notNull(),
    /** Its Pod knows that it need not keep the files any longer. */
    isTold: boolean('is_told').notNull().default(false),
    /** Why it could not be kept: a problem of the contract with what stands in its sentence. */
    problem: text('problem').$type<ProblemCode>(),
    problemArgs: jsonb('problem_args').$type<ProblemArgs>(),
    tries: integer('tries').notNull().default(0),
    nextTryAt: time('next_try_at'),
    createdAt: time('created_at').notNull(),
    keptAt: time('kept_at'),
  },
  (table) => [
    index('task_checkpoints_task').on(table.taskUid, table.run, table.step),
    index('task_checkpoints_state').on(table.state),
  ],
);

/** What a trainer says of a step: numbers by name. */
export const taskPoints = pgTable(
  'task_points',
  {
    taskUid: text('task_uid').notNull(),
    run: integer('run').notNull(),
    step: number('step').notNull(),
    values: jsonb('values').$type<PointValues>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.taskUid, table.run, table.step] }),
    foreignKey({ columns: [table.taskUid, table.run], foreignColumns: [taskRuns.taskUid, taskRuns.run] }).onDelete(
      'cascade',
    ),
  ],
);
