// What is behind a fine-tuning task: the curves of its training, and its checkpoints. And before it is made: what it would do and cost.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { trainingCurve } from '../../fields/training-curve.ts';
import { defineRoute } from '../../http/define-route.ts';
import { creationBody } from '../../http/kind-bodies.ts';
import { time } from '../../kind-api.ts';
import { METHODS, spec } from '../../kinds/fine-tune-schema.ts';

const CHECKPOINT_STATES = ['arriving', 'kept', 'failed'] as const;

const count = z.int().min(0);
const params = z.object({ id: z.string().regex(/^[a-z0-9-]{1,63}$/) });
const tag = 'models';
const path = '/model/v1/model/fine-tune/{id}';
const view = { right: 'view' } as const;

const checkpoint = z.object({
  run: count,
  step: count,
  state: z.enum(CHECKPOINT_STATES),
  size_bytes: count,
  problem: z.object({ error: z.string(), message: z.string() }).nullable().meta({ description: 'Why it is not kept.' }),
  create_time: time,
  kept_time: time.nullable(),
});
export type CheckpointView = z.output<typeof checkpoint>;

const piece = z.object({
  tokens: z
    .array(z.tuple([count, z.string()]))
    .meta({ description: 'The id of each, and its text. A character of several tokens stands at the first of them.' }),
  is_trained: z.boolean().meta({ description: 'The model learns to write it.' }),
  is_cut: z.boolean().meta({ description: 'It is longer than shown.' }),
});

const example = z.object({
  dataset: z.string(),
  row: count.meta({ description: 'Of the dataset’s version, from 1 on.' }),
  pieces: z
    .array(piece)
    .meta({ description: 'Of DPO: what is asked, the better answer, the worse one. Empty where it cannot be used.' }),
  tokens: count.meta({ description: 'How many it is trained on. Of DPO, what is asked counts with each answer.' }),
  is_too_long: z.boolean().meta({ description: 'maxLength cuts some of it off.' }),
  reason: z.string().nullable().meta({ description: 'Why it cannot be used, as one CamelCase word.' }),
  reason_label: z.string().nullable().meta({ description: 'The same as a sentence.' }),
});

const sampledSet = z.object({
  dataset: z.string(),
  version: count,
  rows: count,
  sampled: count.meta({ description: 'How many of them were looked at: all, or some from all over it.' }),
  usable: count.meta({ description: 'Of those that were sampled.' }),
  mean_tokens: z.number().min(0).meta({ description: 'Of a row that can be used, as it is trained on.' }),
  longest: count.meta({ description: 'Tokens of the longest row that was sampled, before it is cut.' }),
  too_long: count.meta({ description: 'How many of them maxLength cuts.' }),
  unusable: z.array(z.object({ reason: z.string(), reason_label: z.string(), rows: count })),
});

const advice = z.object({
  message: z.string(),
  change: z
    .object({
      method: z.enum(METHODS).optional(),
      memoryGi: z.number().optional(),
      gpu: z.object({ model: z.string(), count }).optional(),
      parameters: z
        .object({ batch: count.optional(), accumulate: count.optional(), maxLength: count.optional() })
        .optional(),
    })
    .meta({ description: 'Fields of the spec as they would be. Empty: nothing here would do.' }),
});

const memory = z.object({
  device: z.enum(['gpu', 'worker']).meta({ description: 'What it is of: each GPU, or a worker without one.' }),
  lines: z.array(z.object({ what: z.string(), bytes: count, message: z.string() })),
  bytes: count.meta({ description: 'The sum of the lines.' }),
  room_bytes: count.nullable().meta({ description: 'What it may take. Null: the GPUs’ memory is not known.' }),
  host: z
    .object({ bytes: count, room_bytes: count })
    .nullable()
    .meta({ description: 'Of a worker with GPUs: what it needs in its own memory, where weights pass through.' }),
  fits: z.boolean().nullable().meta({ description: 'Null: nobody knows it.' }),
  instead: z.array(advice).meta({ description: 'What would fit; each of them alone.' }),
  is_assumed: z.boolean().meta({ description: 'The base does not say its shape: it is assumed by its size.' }),
});

const preview = z.object({
  examples: z.array(example),
  sets: z.array(sampledSet),
  is_exact: z.boolean().meta({ description: 'False: some rows were counted, and scaled up.' }),
  memory,
  estimate: z
    .object({
      examples: count.meta({ description: 'Rows of one epoch, by the weights of their datasets.' }),
      steps: count,
      tokens: count.meta({ description: 'Trained on in all steps.' }),
      tokens_per_step: count,
      time: z
        .object({
          seconds: count,
          start_seconds: count,
          seconds_each: z.number().min(0).meta({ description: 'Of a step.' }),
          timed_runs: count.nullable().meta({
            description: 'How many runs with the same base say how long a step takes. Null: it is by operations.',
          }),
          token_operations: z.number().min(0),
          rate: z.number().min(0).meta({
            description: 'In a second: tokens of one GPU or worker as timed, or its operations as assumed.',
          }),
        })
        .meta({ description: 'How long the workers run: their start, and then steps × seconds_each.' }),
      price: money
        .nullable()
        .meta({ description: 'Of all workers for an hour, after discounts. Null: nobody knows it.' }),
      total: money.nullable(),
      currency: currencyCode,
    })
    .meta({ description: 'Of a whole run, from the base on.' }),
  preset: z
    .object({
      method: z.enum(METHODS),
      parameters: z.object({
        ...{ batch: count, accumulate: count, maxLength: count, rank: count, alpha: count },
        learningRate: z.number(),
      }),
    })
    .nullable()
    .meta({ description: 'What this base is usually begun with on these devices. Null: nothing fits.' }),
});
export type TunePreviewView = z.input<typeof preview>;

const TRAINED = ['base', 'datasets', 'objective', 'method', 'columns', 'parameters'] as const;
export const tunePreviewBody = creationBody(spec, ...TRAINED, 'workers', 'gpu', 'cores', 'memoryGi', 'host');

export const TUNING_ROUTES = {
  previewFineTune: defineRoute({
    id: 'previewFineTune',
    method: 'POST',
    path: '/model/v1/model/fine-tune/preview',
    tag,
    summary:
      'What a task would be trained on, as five examples in tokens; whether it fits; how long it would take and what it would cost. Nothing is paid.',
    access: view,
    asks: true,
    body: tunePreviewBody,
    answer: { result: preview },
    problems: [
      ...(['dataset_no_table', 'dataset_preparing', 'dataset_query_refused', 'dataset_query_too_much'] as const),
      ...(['dataset_query_too_large', 'dataset_server_failed', 'model_store_off', 'model_store_away'] as const),
      ...(['base_untrainable', 'plain_text'] as const),
    ],
  }),
  getFineTuneCurve: defineRoute({
    id: 'getFineTuneCurve',
    method: 'GET',
    path: `${path}/curve`,
    tag,
    summary:
      'How the loss and other values have changed from step to step, over the runs that went on from each other.',
    access: view,
    params,
    answer: { result: trainingCurve },
    problems: ['model_store_off'],
  }),
  listFineTuneCheckpoints: defineRoute({
    id: 'listFineTuneCheckpoints',
    method: 'GET',
    path: `${path}/checkpoint`,
    tag,
    summary: 'The checkpoints of a task, newest first. The next run goes on from the newest one of the same training.',
    access: view,
    params,
    answer: { result: z.array(checkpoint) },
    problems: ['model_store_off'],
  }),
};
