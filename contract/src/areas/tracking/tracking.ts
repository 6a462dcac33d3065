// What the program of a job logs by MLflow's calls.
import * as z from 'zod';
import { trainingCurve } from '../../fields/training-curve.ts';
import { defineRoute } from '../../http/define-route.ts';

const count = z.coerce.number().int().min(1).max(1_000_000_000);

export const TRACKING_ROUTES = {
  getJobCurve: defineRoute({
    id: 'getJobCurve',
    method: 'GET',
    path: '/deploy/v1/job/{id}/curve',
    tag: 'job',
    summary:
      'What the program of a job has logged by MLflow’s calls, where spec.tracking is on: the last value of each name, and from step to step the metrics that are named like a loss, a learning rate or a speed.',
    access: { right: 'view' },
    params: z.object({ id: z.string().regex(/^[a-z0-9-]{1,63}$/) }),
    query: z.strictObject({
      run: count
        .optional()
        .meta({ description: 'The number of a run. Absent: the newest one. Of earlier runs ten are kept.' }),
    }),
    answer: { result: trainingCurve },
    problems: [],
  }),
};
