// What is behind an evaluation: scores with their intervals, how subjects compare with the baseline, how they answer under load, by what
// they were served, and each example. And several evaluations side by side.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { time } from '../../kind-api.ts';
import { METRICS, MOST_EVALUATION_TASKS, MOST_SUBJECTS, VERDICTS } from '../../kinds/evaluation-schema.ts';

/** Examples of a page, each with what all subjects answered. */
export const MOST_EXAMPLES = 20;
/** Evaluations side by side. */
export const MOST_COMPARED = 8;
/** Of a stamp: what may differ between results that are compared. */
export const STAMP_PARTS = ['engine', 'image', 'template_hash', 'dtype', 'gpu', 'seed'] as const;

const count = z.int().min(0);
const ID = '[a-z0-9-]{1,63}';
const params = z.object({ id: z.string().regex(new RegExp(`^${ID}$`)) });
const tag = 'models';
const path = '/model/v1/model/evaluation/{id}';
const view = { right: 'view' } as const;
const taskNumber = z
  .int()
  .min(0)
  .max(MOST_EVALUATION_TASKS - 1);

const stamp = z.object({
  engine: z.string(),
  image: z.string().nullable().meta({ description: 'Of the engine, with its digest where a replica says it.' }),
  template_hash: z.string().nullable().meta({ description: 'SHA-256 of the chat template; null where it has none.' }),
  dtype: z.string().nullable().meta({ description: 'The type of its weights, or how they are quantised.' }),
  gpu: z
    .object({ model: z.string(), count })
    .nullable()
    .meta({ description: 'Of a replica on a node; null: without one.' }),
  seed: count,
});

const subject = z.object({
  deployment: z.string(),
  adapter: z.string().nullable(),
  model: z.string(),
  version: z.string(),
  name: z.string().meta({ description: 'The name of the model.' }),
  stamp,
  is_changed: z.boolean().meta({ description: 'The deployment was changed while it was evaluated.' }),
  differs: z.array(z.enum(STAMP_PARTS)).meta({
    description: 'What of its stamp differs from the one that it is shown beside: results may differ by that.',
  }),
});

const task = z.object({
  name: z.string(),
  dataset: z.string(),
  version: count,
  metric: z.enum(METRICS),
  metric_label: z.string(),
});

const score = z.object({
  value: z.number(),
  low: z.number().meta({ description: 'The lower end of the 95 % interval.' }),
  high: z.number(),
  n: count.meta({ description: 'How many answers were scored.' }),
  prompt_tokens: count,
  completion_tokens: count,
  cost: money.nullable().meta({ description: 'Of these tokens, when the run ended. Null: nobody knows it.' }),
  p50_ms: z.number().nullable().meta({ description: 'How long half of the answers took, at most.' }),
  p99_ms: z.number().nullable(),
});

const scores = z.object({
  run: count.nullable().meta({ description: 'The newest run that ended well; null: none has.' }),
  time: time.nullable(),
  currency: currencyCode,
  subjects: z.array(subject).max(MOST_SUBJECTS),
  tasks: z.array(task).max(MOST_EVALUATION_TASKS),
  baseline: count.nullable().meta({ description: 'The number of a subject.' }),
  scores: z.array(score.extend({ subject: count, task: count })),
  comparisons: z
    .array(
      z.object({
        ...{ subject: count, task: count },
        difference: z.number().meta({ description: 'Of the mean scores, over the rows that both have.' }),
        low: z.number().meta({ description: 'The lower end of its 95 % interval, by paired bootstrap.' }),
        high: z.number(),
        n: count,
        better: count.meta({ description: 'Rows in which the subject scores higher.' }),
        worse: count,
        verdict: z.enum(VERDICTS).meta({ description: 'no_difference: none is shown by so many rows.' }),
      }),
    )
    .meta({ description: 'Of each other subject with the baseline.' }),
  loads: z
    .array(
      z.object({
        ...{ subject: count, concurrency: count.meta({ description: 'Requests at once.' }) },
        ...{ requests: count, failed: count, tokens_per_second: z.number() },
        ttft_p50_ms: z.number().nullable().meta({ description: 'The time to the first token.' }),
        ttft_p99_ms: z.number().nullable(),
        ...{ p50_ms: z.number().nullable(), p99_ms: z.number().nullable() },
      }),
    )
    .meta({ description: 'How they answered under load, where that was measured.' }),
});
export type EvaluationScoresView = z.input<typeof scores>;

const answer = z.object({
  subject: count,
  answer: z.string().nullable(),
  score: z.number().nullable(),
  is_right: z.boolean().nullable(),
  ms: z.number().nullable(),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  error: z.string().nullable().meta({ description: 'Why it has no score, as one CamelCase word.' }),
});

const example = z.object({
  task: count,
  row: count.meta({ description: 'Of the dataset’s version, from 1 on.' }),
  prompt: z.string(),
  expected: z.string().nullable(),
  answers: z.array(answer).max(MOST_SUBJECTS).meta({ description: 'Of all subjects, in their order.' }),
  is_different: z.boolean().meta({ description: 'Their scores differ.' }),
});
export type EvaluationExampleView = z.input<typeof example>;

const compared = z.object({
  currency: currencyCode,
  columns: z.array(subject.extend({ evaluation: z.string(), evaluation_name: z.string(), subject: count, time })),
  rows: z.array(
    task.extend({
      cells: z
        .array(score.nullable())
        .meta({ description: 'By column. Null: it was not asked this, or not of the same rows in the same way.' }),
    }),
  ),
});
export type ComparedEvaluationsView = z.input<typeof compared>;

export const EVALUATION_ROUTES = {
  getEvaluationScores: defineRoute({
    id: 'getEvaluationScores',
    method: 'GET',
    path: `${path}/scores`,
    tag,
    summary:
      'The scores of the newest run that ended well, how subjects compare with the baseline, and what they were served by.',
    access: view,
    params,
    answer: { result: scores },
    problems: ['model_store_off'],
  }),
  listEvaluationExamples: defineRoute({
    id: 'listEvaluationExamples',
    method: 'GET',
    path: `${path}/examples`,
    tag,
    summary: 'What was asked and what each subject answered, row by row.',
    access: view,
    params,
    query: z.object({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      size: z.coerce.number().int().min(1).max(MOST_EXAMPLES).default(10),
      task: z.coerce
        .number()
        .pipe(taskNumber)
        .optional()
        .meta({ description: 'The number of a task; all where absent.' }),
      only: z
        .enum(['different'])
        .optional()
        .meta({ description: 'different: those alone whose subjects’ scores differ.' }),
    }),
    answer: { list: example },
    problems: ['model_store_off', 'model_store_away', 'table_unreadable', 'unavailable'],
  }),
  compareEvaluations: defineRoute({
    id: 'compareEvaluations',
    method: 'GET',
    // Beside the kind's own paths: an evaluation may have any name.
    path: '/model/v1/evaluation/compare',
    tag,
    summary:
      'The scores of several evaluations side by side. Scores stand in one row where the same rows were asked in the same way; a column says what of its stamp differs from the first one.',
    access: view,
    query: z.object({
      ids: z
        .string()
        .regex(new RegExp(`^${ID}(,${ID}){0,${MOST_COMPARED - 1}}$`))
        .meta({ description: 'The ids, with commas between them.' }),
    }),
    answer: { result: compared },
    problems: ['model_store_off'],
  }),
};
