// A fine-tuning task in the API.
import * as z from 'zod';
import type { Language } from '../fields/language.ts';
import { listOf, wordOf } from '../fields/stored.ts';
import { type Beside, bytes, type CommonView, time } from '../kind-api.ts';
import { problemSaid } from './data-task-view.ts';
import { type FineTune, METHODS, OBJECTIVES, spec } from './fine-tune-schema.ts';
import { METHOD_WORDS, OBJECTIVE_WORDS, TRAINER_PROBLEMS, TRAINING_STEP_WORDS } from './fine-tune-words.ts';
import { showTask, taskView } from './task-view.ts';

const count = z.number();
const madeVersion = { model: z.string(), version: z.string(), is_ready: z.boolean() };

export const fineTuneView = taskView.extend({
  objective: z.enum(OBJECTIVES),
  objective_label: z.string(),
  method: z.enum(METHODS),
  method_label: z.string(),
  base: z.object({
    model: z.string(),
    version: z.string(),
    name: z.string().nullable().meta({ description: 'The name of the model; null until a run has looked it up.' }),
  }),
  datasets: z
    .array(
      z.object({
        dataset: z.string(),
        version: z.int().nullable().meta({
          description:
            'The version that the newest run reads, or that is asked for; null: the newest one at the next run.',
        }),
        weight: z.number().nullable().meta({ description: 'Null: of the one that the loss is measured on.' }),
      }),
    )
    .meta({ description: 'What it is trained on, and then what it is measured on.' }),
  output: z.object({
    model: z.string().nullable().meta({ description: 'Null until the first run has made it.' }),
    name: z.string().nullable().meta({ description: 'Of a model that the first run makes.' }),
    version: z.string().nullable().meta({ description: 'The version that the newest run makes.' }),
    is_ready: z.boolean(),
    form: z.string().nullable(),
    ended: z.string().nullable().meta({ description: 'Why the training ended early, as one CamelCase word.' }),
  }),
  progress: z
    .object({ step: z.string().nullable(), step_label: z.string().nullable(), done: count, of: count, time })
    .nullable()
    .meta({ description: 'What the newest run is doing.' }),
  training: z
    .object({
      step: count,
      of: count,
      percent: z.number().meta({ description: 'Of the steps. 0 to 100.' }),
      epoch: z.number().nullable(),
      loss: z.number().nullable().meta({ description: 'Null: there is none yet, or it is not a number.' }),
      learning_rate: z.number().nullable(),
      eval_loss: z.number().nullable(),
      tokens: count.nullable(),
      tokens_per_second: z.number().nullable(),
      seconds_left: z.number().nullable(),
      time,
    })
    .nullable()
    .meta({ description: 'How far the newest run is.' }),
  checkpoint: z
    .object({ step: count, size: bytes, time })
    .nullable()
    .meta({ description: 'The newest one that is kept: the next run goes on from there.' }),
  rehearsal: z
    .object({ peak_memory_mi: count, seconds_per_step: z.number(), longest: count.nullable() })
    .nullable()
    .meta({ description: 'What the steps before the bill of the newest run showed.' }),
  saved: z
    .object({ ...madeVersion, step: count, time })
    .nullable()
    .meta({ description: 'The version that was last made from a checkpoint.' }),
  is_saving: z.boolean().meta({ description: 'Whether a version is still to be made from a checkpoint.' }),
  outcome: z
    .object({
      problem: z.string().nullable().meta({ description: 'Why the trainer gave up.' }),
      rows: count.nullable(),
      rejected: count.nullable(),
    })
    .nullable()
    .meta({ description: 'What the trainer of the newest run said at its end.' }),
  spec,
});
export type FineTuneView = z.input<typeof fineTuneView>;

export function showFineTune(task: FineTune, common: CommonView, beside: Beside) {
  const { spec, status } = task;
  const { inputs, output } = status ?? {};
  const { language } = beside;
  return {
    ...showTask(task, common, beside),
    objective: spec.objective,
    objective_label: wordOf(OBJECTIVE_WORDS, spec.objective, language),
    method: spec.method,
    method_label: wordOf(METHOD_WORDS, spec.method, language),
    base: { ...spec.base, name: (inputs?.model === spec.base.model ? inputs.name : undefined) ?? null },
    datasets: datasetsOf(task),
    output: {
      model: output?.model ?? spec.output.model ?? null,
      name: spec.output.name ?? null,
      version: output?.version ?? null,
      is_ready: output?.digest !== undefined,
      form: output?.form ?? null,
      ended: output?.ended ?? null,
    },
    progress: progressOf(status, language),
    training: trainingOf(status),
    checkpoint: status?.checkpoint
      ? { step: status.checkpoint.step, size: status.checkpoint.bytes, time: status.checkpoint.at }
      : null,
    rehearsal: rehearsalOf(status),
    saved: savedOf(status),
    is_saving: status?.checkpoint !== undefined && (spec.saveCount ?? 0) > (status.saved?.count ?? 0),
    outcome: outcomeOf(status, language),
    spec,
  } satisfies FineTuneView;
}

/** Of the run before, until the next one says something. */
function ofNewest<Part extends { run: number }>(part: Part | undefined, status: FineTune['status']): Part | undefined {
  return part?.run === status?.run?.seq ? part : undefined;
}

function datasetsOf({ spec, status }: FineTune): FineTuneView['datasets'] {
  const read = new Map(listOf(status?.inputs?.datasets).map(({ dataset, version }) => [dataset, version]));
  const shown = ({ dataset, version }: { dataset: string; version?: number | undefined }, weight: number | null) => ({
    dataset,
    version: version ?? read.get(dataset) ?? null,
    weight,
  });
  return [
    ...listOf(spec.datasets).map((one) => shown(one, one.weight)),
    ...(spec.evalDataset ? [shown(spec.evalDataset, null)] : []),
  ];
}

function progressOf(status: FineTune['status'], language: Language): FineTuneView['progress'] {
  const progress = ofNewest(status?.progress, status);
  if (!progress) return null;
  const { step, done, of, at } = progress;
  const label = step === undefined ? null : wordOf(TRAINING_STEP_WORDS, step, language);
  return { step: step ?? null, step_label: label, done, of, time: at };
}

function trainingOf(status: FineTune['status']): FineTuneView['training'] {
  const training = ofNewest(status?.training, status);
  if (!training) return null;
  const { step, of, epoch, loss, learningRate, evalLoss, tokens, tokensPerSecond, secondsLeft, at } = training;
  return {
    step,
    of,
    percent: of > 0 ? Math.floor((1000 * Math.min(step, of)) / of) / 10 : 0,
    epoch: epoch ?? null,
    loss: loss ?? null,
    learning_rate: learningRate ?? null,
    eval_loss: evalLoss ?? null,
    tokens: tokens ?? null,
    tokens_per_second: tokensPerSecond ?? null,
    seconds_left: secondsLeft ?? null,
    time: at,
  };
}

function rehearsalOf(status: FineTune['status']): FineTuneView['rehearsal'] {
  const rehearsal = ofNewest(status?.rehearsal, status);
  if (!rehearsal) return null;
  const { peakMemoryMi, secondsPerStep, longest } = rehearsal;
  return { peak_memory_mi: peakMemoryMi, seconds_per_step: secondsPerStep, longest: longest ?? null };
}

function savedOf(status: FineTune['status']): FineTuneView['saved'] {
  if (!status?.saved) return null;
  const { model, version, digest, step, at } = status.saved;
  return { model, version, is_ready: digest !== undefined, step, time: at };
}

function outcomeOf(status: FineTune['status'], language: Language): FineTuneView['outcome'] {
  const outcome = ofNewest(status?.outcome, status);
  if (!outcome) return null;
  const { problem, rows, rejected } = outcome;
  return {
    problem: problem ? problemSaid(TRAINER_PROBLEMS, problem, language) : null,
    rows: rows ?? null,
    rejected: rejected ?? null,
  };
}
