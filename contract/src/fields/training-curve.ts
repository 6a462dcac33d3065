// How a training goes from step to step, and what its program logs: of fine-tuning tasks, and of jobs that are tracked.
import * as z from 'zod';
import { time } from '../kind-api.ts';

/** Of a longer training some steps are left out. */
export const MOST_CURVE_POINTS = 2_000;

const count = z.int().min(0);

const point = z.object({
  step: count,
  run: count.meta({ description: 'The run that did the step: the last one that did.' }),
  epoch: z.number().nullable(),
  loss: z.number().nullable().meta({ description: 'Null: it was not a number, or was not measured.' }),
  eval_loss: z.number().nullable(),
  learning_rate: z.number().nullable(),
  grad_norm: z.number().nullable(),
  tokens: count.nullable().meta({ description: 'Trained on so far.' }),
  tokens_per_second: z.number().nullable(),
  is_broken: z.boolean().meta({ description: 'The loss was not a number.' }),
  time,
});
export type TrainingPointView = z.output<typeof point>;

export const trainingCurve = z.object({
  points: z.array(point).max(MOST_CURVE_POINTS).meta({ description: 'In the order of their steps.' }),
  of: count.nullable().meta({ description: 'How many steps there are.' }),
  runs: z
    .array(z.object({ run: count, resumed_from: count.nullable() }))
    .meta({ description: 'The runs that did these steps, and the step after whose checkpoint each went on.' }),
  logged: z
    .object({
      params: z.array(z.object({ name: z.string(), value: z.string() })),
      tags: z.array(z.object({ name: z.string(), value: z.string() })),
      metrics: z.array(z.object({ name: z.string(), value: z.number(), step: count })),
      artifacts: z.array(z.object({ name: z.string(), size_bytes: count })),
    })
    .nullable()
    .meta({
      description:
        'What the program of the newest run logged by MLflow’s calls: the last value of each name. Of artifacts, names and sizes alone are kept.',
    }),
});
export type TrainingCurveView = z.output<typeof trainingCurve>;
