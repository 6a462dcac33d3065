// An evaluation in the API. Intervals, comparisons and examples are behind it (`areas/evaluation`).
import * as z from 'zod';
import type { Language } from '../fields/language.ts';
import { listOf, wordOf } from '../fields/stored.ts';
import { type Beside, type CommonView, time } from '../kind-api.ts';
import { problemSaid } from './data-task-view.ts';
import { type Evaluation, METRICS, spec } from './evaluation-schema.ts';
import { EVALUATION_STEP_WORDS, EVALUATOR_PROBLEMS, METRIC_WORDS } from './evaluation-words.ts';
import { showTask, taskView } from './task-view.ts';

const count = z.number();

export const evaluationView = taskView.extend({
  subjects: z.array(
    z.object({
      deployment: z.string().nullable().meta({ description: 'Null: the version is deployed for each run.' }),
      adapter: z.string().nullable(),
      model: z
        .string()
        .nullable()
        .meta({ description: 'The id of what it serves; null until a run has looked it up.' }),
      version: z.string().nullable(),
      name: z.string().nullable().meta({ description: 'The name of the model.' }),
    }),
  ),
  tasks: z.array(
    z.object({
      name: z.string().meta({ description: 'What people call it; else the name or the id of its dataset.' }),
      dataset: z.string(),
      version: z.int().nullable().meta({
        description:
          'The version that the newest run reads, or that is asked for; null: the newest one at the next run.',
      }),
      metric: z.enum(METRICS),
      metric_label: z.string(),
    }),
  ),
  baseline: z.int().nullable().meta({ description: 'The number of the subject that others are compared with.' }),
  progress: z
    .object({
      step: z.string().nullable(),
      step_label: z.string().nullable(),
      done: count,
      of: count,
      percent: z.number().meta({ description: 'Of what the step has to do. 0 to 100.' }),
      tokens: count.nullable(),
      time,
    })
    .nullable()
    .meta({ description: 'What the newest run is doing.' }),
  scores: z
    .array(
      z.object({
        subject: z.int(),
        task: z.int(),
        metric: z.string(),
        value: z.number(),
        low: z.number().meta({ description: 'The lower end of the 95 % interval.' }),
        high: z.number(),
        n: count,
      }),
    )
    .meta({ description: 'Of the newest run, once it has ended well. Numbers are places in subjects and tasks.' }),
  examples: count.nullable().meta({ description: 'How many examples are kept of it.' }),
  outcome: z
    .object({
      problem: z.string().nullable().meta({ description: 'Why the worker gave up.' }),
      rows: count.nullable(),
      rejected: count.nullable(),
    })
    .nullable()
    .meta({ description: 'What the worker of the newest run said at its end.' }),
  spec,
});
export type EvaluationView = z.input<typeof evaluationView>;

export function showEvaluation(task: Evaluation, common: CommonView, beside: Beside) {
  const { spec, status } = task;
  const { language } = beside;
  return {
    ...showTask(task, common, beside),
    subjects: subjectsOf(task),
    tasks: tasksOf(task, language),
    baseline: spec.baseline ?? null,
    progress: progressOf(status, language),
    scores: [...listOf(status?.scores)],
    examples: status?.output?.examples ?? null,
    outcome: outcomeOf(status, language),
    spec,
  } satisfies EvaluationView;
}

/** Of the run before, until the next one says something. */
function ofNewest<Part extends { run: number }>(
  part: Part | undefined,
  status: Evaluation['status'],
): Part | undefined {
  return part?.run === status?.run?.seq ? part : undefined;
}

/** The lists of a run are those of the spec that it began with, which may have changed since. */
function subjectsOf({ spec, status }: Evaluation): EvaluationView['subjects'] {
  const subjects = listOf(spec.subjects);
  const served = listOf(status?.inputs?.subjects);
  const isSame = served.length === subjects.length;
  return subjects.map((asked, at) => {
    const found = isSame ? served[at] : undefined;
    return {
      ...{ deployment: asked.deployment ?? null, adapter: asked.adapter ?? null },
      ...{ model: found?.model ?? asked.model ?? null, version: found?.version ?? asked.version ?? null },
      name: found?.name ?? null,
    };
  });
}

function tasksOf({ spec, status }: Evaluation, language: Language): EvaluationView['tasks'] {
  const read = new Map(listOf(status?.inputs?.datasets).map((one) => [one.dataset, one]));
  return listOf(spec.tasks).map(({ name, dataset, version, metric }) => {
    const found = read.get(dataset);
    return {
      ...{ name: name ?? found?.name ?? dataset, dataset, version: version ?? found?.version ?? null },
      ...{ metric, metric_label: wordOf(METRIC_WORDS, metric, language) },
    };
  });
}

function progressOf(status: Evaluation['status'], language: Language): EvaluationView['progress'] {
  const progress = ofNewest(status?.progress, status);
  if (!progress) return null;
  const { step, done, of, tokens, at } = progress;
  return {
    ...{ step: step ?? null, step_label: step === undefined ? null : wordOf(EVALUATION_STEP_WORDS, step, language) },
    ...{ done, of, percent: of > 0 ? Math.floor((1000 * Math.min(done, of)) / of) / 10 : 0 },
    ...{ tokens: tokens ?? null, time: at },
  };
}

function outcomeOf(status: Evaluation['status'], language: Language): EvaluationView['outcome'] {
  const outcome = ofNewest(status?.outcome, status);
  if (!outcome) return null;
  const { problem, rows, rejected } = outcome;
  return {
    problem: problem ? problemSaid(EVALUATOR_PROBLEMS, problem, language) : null,
    ...{ rows: rows ?? null, rejected: rejected ?? null },
  };
}
