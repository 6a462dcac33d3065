// A data processing task in the API.
import * as z from 'zod';
import type { Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import { wordOf } from '../fields/stored.ts';
import { type Beside, type CommonView, time } from '../kind-api.ts';
import { type DataProcess, PROCESS_TYPES, spec } from './data-process-schema.ts';
import { MASKED_WORDS, PROCESS_TYPE_WORDS, REMOVED_WORDS, WORKER_PROBLEMS } from './data-process-words.ts';
import { problemSaid } from './data-task-view.ts';
import { showTask, taskView } from './task-view.ts';

const count = z.number();
const counted = z.array(z.object({ what: z.string(), label: z.string(), count }));

export const dataProcessView = taskView.extend({
  type: z.enum(PROCESS_TYPES),
  type_label: z.string(),
  model: z.string().nullable(),
  input: z.object({
    dataset: z.string(),
    name: z.string().nullable().meta({ description: 'The name of the dataset; null until a run has looked it up.' }),
    version: z.int().nullable().meta({
      description: 'The version that the newest run reads, or that is asked for; null: the newest one at the next run.',
    }),
  }),
  output: z.object({
    dataset: z.string().nullable().meta({ description: 'Null until the first run has made it.' }),
    name: z.string().nullable().meta({ description: 'Of a dataset that the first run makes.' }),
    version: z.int().nullable().meta({ description: 'The version that the newest run makes.' }),
    is_ready: z.boolean(),
    rows: count.nullable(),
  }),
  progress: z
    .object({
      step: z.string().nullable(),
      done: count,
      of: count,
      failed: count,
      skipped: count.meta({ description: 'With nothing to be done, such as pages without text.' }),
      rejected: count,
      tokens: count.nullable(),
      percent: z.number().meta({ description: 'Of the units: done, failed or skipped. 0 to 100.' }),
      time,
    })
    .nullable()
    .meta({ description: 'Of the newest run; counted from its units.' }),
  outcome: z
    .object({
      problem: z.string().nullable().meta({ description: 'Why the worker gave up.' }),
      removed: counted.meta({ description: 'Rows that were removed, by the reason.' }),
      masked: counted.meta({ description: 'Pieces of personal data that were masked, by their kind.' }),
    })
    .nullable()
    .meta({ description: 'What the worker of the newest run said at its end.' }),
  spec,
});
export type DataProcessView = z.input<typeof dataProcessView>;

export function showDataProcess(task: DataProcess, common: CommonView, beside: Beside) {
  const { spec, status } = task;
  const { inputs, output } = status ?? {};
  const { dataset, version } = spec.input;
  const isSame = inputs?.dataset === dataset;
  return {
    ...showTask(task, common, beside),
    type: spec.type,
    type_label: wordOf(PROCESS_TYPE_WORDS, spec.type, beside.language),
    model: spec.model ?? null,
    input: {
      dataset,
      name: (isSame ? inputs?.name : undefined) ?? null,
      version: version ?? (isSame ? inputs?.version : undefined) ?? null,
    },
    output: {
      dataset: output?.dataset ?? spec.output.dataset ?? null,
      name: spec.output.name ?? null,
      version: output?.version ?? null,
      is_ready: output?.digest !== undefined,
      rows: output?.rows ?? null,
    },
    progress: progressOf(status),
    outcome: outcomeOf(status, beside.language),
    spec,
  } satisfies DataProcessView;
}

function progressOf(status: DataProcess['status']): DataProcessView['progress'] {
  const { progress, run } = status ?? {};
  // Of the run before, until the next one says something.
  if (!progress || (progress.run !== undefined && progress.run !== run?.seq)) return null;
  const { step, done, of, failed, skipped = 0, rejected, tokens, at } = progress;
  const percent = of > 0 ? Math.floor((1000 * Math.min(done + failed + skipped, of)) / of) / 10 : 0;
  return { step: step ?? null, done, of, failed, skipped, rejected, tokens: tokens ?? null, percent, time: at };
}

function outcomeOf(status: DataProcess['status'], language: Language): DataProcessView['outcome'] {
  const { outcome, run } = status ?? {};
  if (!outcome || outcome.run !== run?.seq) return null;
  const { problem, removed, masked } = outcome;
  const listed = (words: Readonly<Record<string, Words>>, counts: Readonly<Record<string, number>> = {}) =>
    Object.entries(counts).map(([what, count]) => ({ what, label: wordOf(words, what, language), count }));
  return {
    problem: problem ? problemSaid(WORKER_PROBLEMS, problem, language) : null,
    ...{ removed: listed(REMOVED_WORDS, removed), masked: listed(MASKED_WORDS, masked) },
  };
}
