// An evaluation's spec and status, as the CRD has them. The limits of its parameters are the evaluator's.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { freeName, modelVersion, objectName } from '../fields/name.ts';
import { plainLinesRule, plainTextRule } from '../fields/plain-text.ts';
import { taskFields, taskStatus } from '../fields/task.ts';
import { changing, host, resources } from '../fields/workload.ts';
import { columnName, datasetId, datasetVersion, digest, ofRun, whole, workerProblem } from './data-task-schema.ts';
import { evaluationWords as words } from './evaluation-words.ts';

export const METRICS = ['ExactMatch', 'F1', 'RougeL', 'Judge', 'Pairwise'] as const;
/** Of a subject beside the baseline; none where the interval of the difference holds 0. */
export const VERDICTS = ['better', 'worse', 'no_difference'] as const;
export type Metric = (typeof METRICS)[number];
/** Those that a model decides. */
const JUDGED: readonly Metric[] = ['Judge', 'Pairwise'];

export const MOST_SUBJECTS = 8;
export const MOST_EVALUATION_TASKS = 16;
/** One of each task for each subject. */
export const MOST_SCORES = MOST_SUBJECTS * MOST_EVALUATION_TASKS;
/** Rows of a task that are asked. */
export const MOST_ASKED_ROWS = 10_000;
const MOST_RUBRIC = 4000;
const MOST_ANSWER_TOKENS = 8192;
/** The agent lets 64 calls wait, one of which measures the time to the first token. */
export const MOST_AT_ONCE = 63;
const MOST_SEED = 100_000_000;

const dataset = datasetId(words.rules.dataset);
const column = (what: string) => columnName.meta({ description: `The column with ${what}.`, ...plainTextRule });
const textOf = (one: string, field: string) => `(has(${one}.${field}) ? ${one}.${field} : '')`;
/** Of fields that may be absent. */
const isSame = ['deployment', 'adapter', 'model', 'version']
  .map((field) => `${textOf('other', field)} == ${textOf('one', field)}`)
  .join(' && ');

const subject = z
  .object({
    deployment: objectName
      .optional()
      .describe('The name of a deployment of the organisation. Absent: a version of a model is named.'),
    adapter: objectName.optional().describe('The name of an adapter that it serves. Absent: the model itself.'),
    model: objectName.optional().meta({
      description:
        'The id of a model of the organisation’s space, or of the library. Its version is deployed for each run, and removed after it.',
    }),
    version: modelVersion.optional().describe('The name of a version of it that is ready.'),
  })
  .meta(
    cel([
      'has(self.deployment) != has(self.model) && has(self.model) == has(self.version) && (has(self.deployment) || !has(self.adapter))',
      words.rules.subject,
    ]),
  );

const task = z
  .object({
    name: freeName.optional().meta({ description: 'What people call it. Absent: its dataset.', ...plainTextRule }),
    dataset: dataset.describe('The id of a dataset of the organisation, or of the library.'),
    version: datasetVersion
      .optional()
      .describe('The number of a version of it. Absent: the newest one that is ready when a run begins.'),
    metric: z
      .enum(METRICS)
      .describe(
        'What an answer is worth. ExactMatch, F1, RougeL: how much of the expected one it has. Judge: what a model says of it. Pairwise: whether a model prefers it to the baseline’s.',
      ),
    columns: z
      .object({
        prompt: column('what is asked'),
        answer: column('what is expected').optional(),
        system: column('what the model is told first').optional(),
      })
      .optional()
      .describe('The columns of the dataset. Absent: question and answer.'),
  })
  .meta(
    cel([
      `!has(self.columns) || has(self.columns.answer) || self.metric in ['${JUDGED.join("', '")}']`,
      words.rules.answer,
    ]),
  );

const { gpu: _gpu, ...size } = resources('worker', { cores: 1, memoryGi: 2 });

const run = changing('A change takes effect with the next run.', {
  subjects: z
    .array(subject)
    .min(1)
    .max(MOST_SUBJECTS)
    .meta({
      description: 'What is evaluated, side by side. Its number is its place, from 0 on.',
      'x-kubernetes-list-type': 'atomic',
      ...cel([`self.all(one, self.exists_one(other, ${isSame}))`, words.rules.subjects]),
    }),
  tasks: z.array(task).min(1).max(MOST_EVALUATION_TASKS).meta({
    description: 'What they are asked. Its number is its place, from 0 on.',
    'x-kubernetes-list-type': 'atomic',
  }),
  judge: z
    .object({
      deployment: objectName.describe('The name of the deployment that judges.'),
      rubric: z
        .string()
        .max(MOST_RUBRIC)
        .optional()
        .meta({ description: 'By what it judges. Absent: by whether the answer is right.', ...plainLinesRule }),
    })
    .optional()
    .meta({ description: 'Of the metrics Judge and Pairwise.' }),
  baseline: z
    .int()
    .min(0)
    .max(MOST_SUBJECTS - 1)
    .optional()
    .meta({ description: 'The number of the subject that the others are compared with. Absent: none are.' }),
  limit: z
    .int()
    .min(1)
    .max(MOST_ASKED_ROWS)
    .optional()
    .meta({ description: `How many rows of each task are asked. Absent: all, at most ${MOST_ASKED_ROWS}.` }),
  seed: z
    .int()
    .min(0)
    .max(MOST_SEED)
    .default(0)
    .meta({ description: 'Models get it, and rows and intervals are drawn by it.' }),
  answerTokens: z
    .int()
    .min(1)
    .max(MOST_ANSWER_TOKENS)
    .default(256)
    .meta({ description: 'How many tokens an answer may have.' }),
  maxRejectedPercent: z.number().min(0).max(100).default(10).meta({
    description: 'A run of which more questions could not be asked or scored, in percent, fails.',
  }),
  maxTokens: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      'How many tokens a run may use, input and output together. A run that needs more fails, and a further one goes on from what was answered. Absent: no limit.',
  }),
  performance: z
    .object({
      concurrency: z
        .array(z.int().min(1).max(MOST_AT_ONCE))
        .min(1)
        .max(8)
        .default([1, 4])
        .meta({
          description: 'How many requests at once; each number is tried alone.',
          'x-kubernetes-list-type': 'atomic',
          ...cel(['self.all(one, self.exists_one(other, other == one))', words.rules.concurrency]),
        }),
      promptTokens: z.int().min(1).max(32_768).default(128).describe('How long a question is, in tokens.'),
      answerTokens: z.int().min(1).max(MOST_ANSWER_TOKENS).default(64).describe('How long an answer is, in tokens.'),
      seconds: z.int().min(1).max(600).default(20).describe('How long each number is tried.'),
    })
    .optional()
    .meta({ description: 'How fast the subjects answer under load is measured, too. Absent: it is not.' }),
  ...size,
  host,
});

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    ...taskFields({
      noun: 'evaluation',
      power:
        'Running: it is to run to its end. Suspended: its worker ends, and a resumed evaluation asks what has no answer yet. Stopped: the run is given up.',
      runCount: 'Raise it by one to evaluate once more: only what has changed since is asked again.',
      grows: words.rules.runCountGrows,
      retries: 3,
    }),
    ...run,
  })
  .describe('What is wanted of the evaluation.');

/** Fields that a person sets, at creation and later. */
export const EVALUATION_FIELDS = [
  'subjects',
  'tasks',
  'judge',
  'baseline',
  'limit',
  'seed',
  'answerTokens',
  'maxRejectedPercent',
  'maxTokens',
  'performance',
  'cores',
  'memoryGi',
  'host',
  'priority',
  'maxRunMinutes',
  'retries',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

/** A change to one of these starts a run or raises what it uses or asks. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'runCount',
  'subjects',
  'tasks',
  'judge',
  'limit',
  'seed',
  'answerTokens',
  'maxTokens',
  'performance',
  'cores',
  'memoryGi',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

const subjectNumber = z
  .int()
  .min(0)
  .max(MOST_SUBJECTS - 1);
const taskNumber = z
  .int()
  .min(0)
  .max(MOST_EVALUATION_TASKS - 1);
const share = (what: string) => z.number().min(0).max(1).describe(what);

export const status = z
  .object({
    ...commonStatus,
    ...taskStatus,
    inputs: z
      .object({
        run: ofRun('The number of the run that they are for.'),
        work: digest.describe('The SHA-256 of what is asked of whom: answers to the same are kept for later runs.'),
        digest: digest.describe('The SHA-256 of the list of files that the worker takes in.'),
        bytes: whole.describe('What these files take together.'),
        subjects: z
          .array(
            z.object({
              model: z.string().max(63).describe('The id of the model that the deployment serves.'),
              version: z.string().max(63).describe('The name of its version.'),
              name: z.string().max(100).optional().describe('The name of the model.'),
            }),
          )
          .max(MOST_SUBJECTS)
          .meta({ 'x-kubernetes-list-type': 'atomic' })
          .describe('What each subject serves, in their order.'),
        datasets: z
          .array(
            z.object({
              dataset: z.string().max(63).describe('The id of the dataset.'),
              name: z.string().max(63).optional().describe('Its name.'),
              version: z.int().min(1).describe('The number of the version that is read.'),
            }),
          )
          .max(MOST_EVALUATION_TASKS)
          .meta({ 'x-kubernetes-list-type': 'atomic' })
          .describe('What each task reads, in their order.'),
      })
      .optional()
      .describe('What the run reads. The gateway writes it before the worker starts.'),
    progress: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        step: z.string().max(32).optional().describe('What the worker is doing, as one word.'),
        done: whole.describe('How much of that is done.'),
        of: whole.describe('How much of that there is.'),
        tokens: whole.optional().describe('How many tokens were used, input and output together.'),
        at: dateTime.describe('When this was counted.'),
      })
      .optional()
      .describe('How far the run is. The gateway writes it.'),
    output: z
      .object({
        run: ofRun('The number of the run that makes it.'),
        examples: whole.optional().describe('How many examples are kept. Absent until its scores are ready.'),
      })
      .optional()
      .describe('What the run makes. The gateway writes it.'),
    scores: z
      .array(
        z.object({
          subject: subjectNumber.describe('The number of the subject.'),
          task: taskNumber.describe('The number of the task.'),
          metric: z.string().max(32).describe('What an answer is worth.'),
          value: share('The mean of all answers.'),
          low: share('The lower end of its 95 % interval.'),
          high: share('The upper end of its 95 % interval.'),
          n: whole.describe('How many answers were scored.'),
        }),
      )
      .max(MOST_SCORES)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['subject', 'task'] })
      .describe('The scores of the run that output is of. The gateway writes them.'),
    outcome: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        problem: workerProblem,
        rows: whole.optional().describe('How many questions were answered and scored.'),
        rejected: whole.optional().describe('How many could not be asked or scored.'),
      })
      .optional()
      .describe('What the worker of the run said at its end. The gateway writes it.'),
  })
  .describe('What is known of the evaluation. The platform writes it.');

export type Evaluation = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type EvaluationSpec = Evaluation['spec'];
export type EvaluationStatus = NonNullable<Evaluation['status']>;
