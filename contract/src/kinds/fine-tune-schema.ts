// A fine-tuning task's spec and status, as the CRD has them. The limits of its parameters are the trainer's.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { freeName, modelVersion, objectName } from '../fields/name.ts';
import { plainTextRule } from '../fields/plain-text.ts';
import { MOST_WORKERS, taskFields, taskStatus } from '../fields/task.ts';
import { changing, host, resources } from '../fields/workload.ts';
import { columnName, datasetId, datasetVersion, digest, ofRun, whole, workerProblem } from './data-task-schema.ts';
import { fineTuneWords as words } from './fine-tune-words.ts';

export const OBJECTIVES = ['SFT', 'DPO'] as const;
export const METHODS = ['LoRA', 'QLoRA', 'Full'] as const;
export const OUTPUT_FORMS = ['Adapter', 'Merged'] as const;
export const SCHEDULES = ['Linear', 'Cosine', 'Constant'] as const;
/** As `status.progress.step` has them. */
export const TRAINING_STEPS = ['loading', 'training', 'evaluating', 'saving'] as const;

export const MOST_DATASETS = 8;
const MOST_STEPS = 10_000_000;
const MOST_SEED = 100_000_000;
/** Of losses and rates: whatever is beyond is broken. */
const MOST_VALUE = 1_000_000_000;

const dataset = datasetId(words.rules.dataset);
const newest = 'Absent: the newest one that is ready when a run begins.';
const column = (what: string) =>
  columnName.optional().meta({ description: `The column with ${what}.`, ...plainTextRule });

/** What is trained where nothing is said of it. */
const PARAMETERS = {
  batch: 8,
  accumulate: 1,
  schedule: 'Cosine',
  warmup: 0.03,
  rank: 16,
  alpha: 32,
  dropout: 0,
  maxLength: 2048,
  beta: 0.1,
  seed: 0,
} as const;

const parameters = z
  .object({
    epochs: z
      .number()
      .min(0.01)
      .max(1000)
      .optional()
      .describe('How often each row is seen. Absent, and maxSteps as well: three times.'),
    maxSteps: z.int().min(1).max(MOST_STEPS).optional().describe('How many steps there are, whatever rows there are.'),
    batch: z
      .int()
      .min(1)
      .max(1024)
      .default(PARAMETERS.batch)
      .describe('Rows at once on each GPU, or on a worker’s CPUs.'),
    accumulate: z
      .int()
      .min(1)
      .max(1024)
      .default(PARAMETERS.accumulate)
      .describe('Over how many batches gradients are added up before a step.'),
    learningRate: z
      .number()
      .min(1e-8)
      .max(1)
      .optional()
      .describe('The highest learning rate. Absent: 0.0002 for LoRA and QLoRA, 0.00002 for Full, 0.000005 for DPO.'),
    schedule: z
      .enum(SCHEDULES)
      .default(PARAMETERS.schedule)
      .describe('How the learning rate falls after the warm-up: in a line, as a cosine, or not at all.'),
    warmup: z
      .number()
      .min(0)
      .max(0.5)
      .default(PARAMETERS.warmup)
      .describe('Over which share of the steps the learning rate rises.'),
    rank: z.int().min(1).max(512).default(PARAMETERS.rank).describe('Of LoRA and QLoRA: the rank of the adapter.'),
    alpha: z.int().min(1).max(2048).default(PARAMETERS.alpha).describe('Of LoRA and QLoRA: its scale, over the rank.'),
    dropout: z
      .number()
      .min(0)
      .max(0.9)
      .default(PARAMETERS.dropout)
      .describe('Of LoRA and QLoRA: which share of its inputs is dropped in a step.'),
    maxLength: z
      .int()
      .min(16)
      .max(131_072)
      .default(PARAMETERS.maxLength)
      .describe('How many tokens of a row are trained on, at most. What is longer is cut.'),
    beta: z
      .number()
      .min(0.001)
      .max(10)
      .default(PARAMETERS.beta)
      .describe('Of DPO: how close the model stays to its base.'),
    seed: z.int().min(0).max(MOST_SEED).default(PARAMETERS.seed).describe('Another number, another order of rows.'),
  })
  .default(PARAMETERS)
  .meta({
    description: 'How it is trained.',
    ...cel(['!has(self.epochs) || !has(self.maxSteps)', words.rules.length]),
  });

const run = changing('A change takes effect with the next run.', {
  base: z
    .object({
      model: objectName.describe('The id of a model of the organisation’s space, or of the library.'),
      version: modelVersion.describe('The name of a version of it that is ready.'),
    })
    .meta({ description: 'What is trained.' }),
  datasets: z
    .array(
      z.object({
        dataset: dataset.describe('The id of a dataset of the organisation, or of the library.'),
        version: datasetVersion.optional().describe(`The number of a version of it. ${newest}`),
        weight: z
          .number()
          .min(0.01)
          .max(100)
          .default(1)
          .describe('How often its rows are seen in an epoch: 0.5 is half of them, 2 each twice.'),
      }),
    )
    .min(1)
    .max(MOST_DATASETS)
    .meta({
      description: 'What it is trained on, mixed.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['dataset'],
    }),
  evalDataset: z
    .object({
      dataset: dataset.describe('The id of a dataset of the organisation, or of the library.'),
      version: datasetVersion.optional().describe(`The number of a version of it. ${newest}`),
    })
    .optional()
    .meta({ description: 'What the loss is measured on between steps. Absent: nothing is.' }),
  objective: z
    .enum(OBJECTIVES)
    .default('SFT')
    .meta({ description: 'SFT: it learns the answers. DPO: it learns to prefer one of two answers.' }),
  method: z.enum(METHODS).default('LoRA').meta({
    description:
      'LoRA: an adapter beside the model’s weights is trained. QLoRA: the same beside weights of 4 bits, on a GPU. Full: all weights are.',
  }),
  columns: z
    .object({
      prompt: column('what is asked'),
      answer: column('the answer'),
      system: column('what the model is told first'),
      messages: column('whole conversations'),
      chosen: column('the better answer'),
      rejected: column('the worse answer'),
    })
    .optional()
    .meta({
      description:
        'The columns of the datasets. Absent: question and answer for SFT; prompt, chosen and rejected for DPO.',
    }),
  parameters,
  checkpoints: z
    .object({
      everySteps: z
        .int()
        .min(1)
        .max(MOST_STEPS)
        .optional()
        .describe('After how many steps there is one. Absent: ten over the run.'),
      keep: z.int().min(1).max(20).default(3).describe('How many of a run are kept, newest first.'),
    })
    .default({ keep: 3 })
    .meta({ description: 'From the newest one the task goes on after whatever ends a run.' }),
  earlyStop: z
    .object({
      patience: z.int().min(1).max(1000).describe('How many evaluations in a row may bring nothing better.'),
      minDelta: z
        .number()
        .min(0)
        .max(MOST_VALUE)
        .default(0)
        .describe('By how much the loss has to fall to count as better.'),
    })
    .optional()
    .meta({ description: 'Ends the training early, with what it has. Absent: it is trained to its end.' }),
  workers: z.int().min(1).max(MOST_WORKERS).default(1).meta({
    description: 'How many workers train together, each with these GPUs. They start together or not at all.',
  }),
  output: z
    .object({
      model: objectName.optional().describe('The id of a model of the organisation that gets a new version.'),
      name: freeName.optional().meta({ description: 'The name of a model that the first run makes.' }),
      form: z
        .enum(OUTPUT_FORMS)
        .optional()
        .describe(
          'Adapter: the adapter alone, which is served beside its base. Merged: the whole model. Absent: Adapter, and Merged for Full.',
        ),
      gguf: z.boolean().default(false).describe('True: as GGUF besides, which engines without a GPU read.'),
    })
    .meta({
      description: 'Where the result goes: a new version of a model.',
      ...cel(['has(self.model) != has(self.name)', words.rules.output]),
    }),
  ...resources('worker', { cores: 2, memoryGi: 8 }),
  host,
});

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    ...taskFields({
      noun: 'task',
      power:
        'Running: it is to run to its end. Suspended: its workers end, and a resumed task goes on from its last checkpoint. Stopped: the run is given up.',
      runCount: 'Raise it by one to run the task once more, from its last checkpoint.',
      grows: words.rules.runCountGrows,
      retries: 3,
    }),
    saveCount: z
      .int()
      .min(0)
      .default(0)
      .meta({
        description: 'Raise it by one to make a version of the model from the newest checkpoint.',
        ...cel(['self >= oldSelf', words.rules.saveCountGrows]),
      }),
    freshCount: z
      .int()
      .min(0)
      .default(0)
      .meta({
        description:
          'Raise it by one, together with runCount, to train once more from the base: no earlier checkpoint is used.',
        ...cel(['self >= oldSelf', words.rules.freshCountGrows]),
      }),
    ...run,
  })
  .describe('What is wanted of the task.');

/** Fields that a person sets, at creation and later. */
export const TUNE_FIELDS = [
  'base',
  'datasets',
  'evalDataset',
  'objective',
  'method',
  'columns',
  'parameters',
  'checkpoints',
  'earlyStop',
  'workers',
  'output',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'priority',
  'maxRunMinutes',
  'retries',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

/** A change to one of these starts a run or raises what it uses. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'runCount',
  'saveCount',
  'freshCount',
  'base',
  'datasets',
  'evalDataset',
  'objective',
  'method',
  'columns',
  'parameters',
  'workers',
  'gpu',
  'cores',
  'memoryGi',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

const value = (what: string) => z.number().min(-MOST_VALUE).max(MOST_VALUE).describe(what);
const amount = (what: string) => z.number().min(0).max(MOST_VALUE).describe(what);
const modelId = z.string().max(63);
const versionOf = z.string().max(63);

export const status = z
  .object({
    ...commonStatus,
    ...taskStatus,
    inputs: z
      .object({
        run: ofRun('The number of the run that they are for.'),
        model: modelId.describe('The id of the base model.'),
        name: z.string().max(100).optional().describe('Its name.'),
        version: versionOf.describe('The name of its version.'),
        digest: digest.describe('The SHA-256 of the list of files that each worker takes in.'),
        bytes: whole.describe('What these files take together.'),
        baseBytes: whole.describe('What those of the base model take of it.'),
        datasets: z
          .array(
            z.object({
              dataset: z.string().max(63).describe('The id of the dataset.'),
              version: z.int().min(1).describe('The number of the version that is read.'),
            }),
          )
          .max(MOST_DATASETS + 1)
          .meta({ 'x-kubernetes-list-type': 'atomic' })
          .describe('The datasets that it is trained on, and then the one that it is measured on.'),
      })
      .optional()
      .describe('What the run reads. The gateway writes it before the workers start.'),
    progress: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        step: z.string().max(32).optional().describe('What the trainer is doing, as one word.'),
        done: whole.describe('How much of that is done.'),
        of: whole.describe('How much of that there is.'),
        at: dateTime.describe('When the trainer said so.'),
      })
      .optional()
      .describe('What the run is doing. The gateway writes it.'),
    training: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        step: whole.describe('How many steps are done, those before a checkpoint included.'),
        of: whole.describe('How many steps there are.'),
        epoch: amount('How often each row was seen.').optional(),
        loss: value('The loss of the last steps. Absent: it is not a number.').optional(),
        learningRate: amount('The learning rate of the last step.').optional(),
        evalLoss: value('The loss on the evaluation dataset, as it was last measured.').optional(),
        tokens: whole.optional().describe('How many tokens were trained on.'),
        tokensPerSecond: amount('How many of them in a second.').optional(),
        secondsLeft: amount('How long the remaining steps take at this speed, in seconds.').optional(),
        at: dateTime.describe('When the trainer said so.'),
      })
      .optional()
      .describe('How far the training is. The gateway writes it.'),
    checkpoint: z
      .object({
        run: ofRun('The number of the run that made it.'),
        step: whole.describe('After which step it was made.'),
        bytes: whole.describe('What it takes.'),
        at: dateTime.describe('When it was stored.'),
      })
      .optional()
      .describe('The newest checkpoint that is kept: the next run goes on from there. The gateway writes it.'),
    rehearsal: z
      .object({
        run: ofRun('The number of the run that it was for.'),
        peakMemoryMi: whole.describe('How much memory the longest batch took, of the GPU or of the worker, in MiB.'),
        secondsPerStep: amount('How long a step took.'),
        longest: whole.optional().describe('How many tokens the longest row has.'),
      })
      .optional()
      .describe('What the steps before the bill showed. The gateway writes it.'),
    saved: z
      .object({
        count: z.int().min(0).describe('The spec.saveCount that was carried out.'),
        step: whole.describe('After which step the checkpoint was made.'),
        model: modelId.describe('The id of the model that got the version.'),
        version: versionOf.describe('The name of the version.'),
        digest: digest.optional().describe('The digest of the version. Absent until it is ready.'),
        at: dateTime.describe('When the version was begun.'),
      })
      .optional()
      .describe('The version that was last made from a checkpoint. The gateway writes it.'),
    output: z
      .object({
        run: ofRun('The number of the run that makes it.'),
        model: modelId.describe('The id of the model.'),
        version: versionOf.optional().describe('The name of the version.'),
        digest: digest.optional().describe('The digest of the version. Absent until it is ready.'),
        form: z.string().max(32).optional().describe('What it is: Adapter or Merged.'),
        ended: z
          .string()
          .max(64)
          .optional()
          .describe('Why the training ended before its last step, as one CamelCase word, such as EarlyStop.'),
      })
      .optional()
      .describe('What the run makes. The gateway writes it.'),
    outcome: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        problem: workerProblem,
        rows: whole.optional().describe('How many rows were trained on.'),
        rejected: whole.optional().describe('How many rows could not be used.'),
      })
      .optional()
      .describe('What the trainer of the run said at its end. The gateway writes it.'),
  })
  .describe('What is known of the task. The platform writes it.');

export type FineTune = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type FineTuneSpec = FineTune['spec'];
export type FineTuneStatus = NonNullable<FineTune['status']>;
