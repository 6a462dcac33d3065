// A job in the API.
import * as z from 'zod';
import { listOf } from '../fields/stored.ts';
import { type Beside, type CommonView, time } from '../kind-api.ts';
import { LABEL } from '../names.ts';
import { type Job, spec } from './job-schema.ts';
import { showTask, taskView } from './task-view.ts';

export const jobView = taskView.extend({
  image: z.string(),
  execution: z.enum(['immediate', 'scheduled']),
  schedule: z.string().nullable().meta({ description: 'Of a run of a schedule: the id of the schedule.' }),
  ports: z
    .array(
      z.object({
        name: z.string().nullable(),
        port: z.int(),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Where the first worker answers inside the organisation; null while it does not run.' }),
      }),
    )
    .meta({ description: 'The ports of its containers.' }),
  next_run_time: time.nullable().meta({ description: 'Of a schedule.' }),
  last_run: z.string().nullable().meta({ description: 'Of a schedule: the id of its newest run.' }),
  missed_runs: z.int(),
  spec,
});
export type JobView = z.input<typeof jobView>;

export function showJob(job: Job, common: CommonView, beside: Beside) {
  const { metadata, spec, status } = job;
  return {
    ...showTask(job, common, beside),
    image: spec.image,
    execution: spec.schedule ? 'scheduled' : 'immediate',
    schedule: metadata.labels?.[LABEL.schedule] ?? null,
    ports: portsOf(spec, status),
    next_run_time: status?.schedule?.nextAt ?? null,
    last_run: status?.schedule?.lastRun ?? null,
    missed_runs: status?.schedule?.missed ?? 0,
    spec,
  } satisfies JobView;
}

/** By its address: a single worker has no name of its own. */
function portsOf({ ports }: Job['spec'], status: Job['status']): JobView['ports'] {
  const first = listOf(status?.workers).find(({ index, phase }) => index === 0 && phase === 'running');
  // An older operator, or a hand, may have written anything.
  const ip = typeof first?.podIP === 'string' ? first.podIP : undefined;
  const host = ip?.includes(':') ? `[${ip}]` : ip;
  return listOf(ports).map(({ name, port }) => ({
    name: name ?? null,
    port,
    url: host === undefined ? null : `http://${host}:${port}`,
  }));
}
