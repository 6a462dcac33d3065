// A job as a form holds it, and the bodies that are made of it: of a new one, and of a change.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { type RunSettings, runSettingsBody, runSettingsOf } from '../../../parts/task/run-settings.ts';
import { changeBetween } from '../../../parts/workload/run-values.ts';
import { ANY_IMAGE, isPositive, numberOrNull, placeOf } from '../../../parts/workload/workload-values.ts';
import { EMPTY_PROGRAM, type ProgramValues, programBody, programOf } from '../form/program-values.ts';

export type JobBody = InputOf<NonNullable<typeof CALLS.createJob.facts>>['body'];
export type JobChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateJob.facts>>['body']>;

export const CONCURRENCIES = ['Forbid', 'Allow', 'Replace'] as const;

export interface JobValues extends ProgramValues, RunSettings {
  workers: number | undefined;
  /** What its program logs with MLflow is kept. */
  tracking: boolean;
  mounts: { from: string; as: 'ReadWrite' | 'ReadOnly'; mountPath: string }[];
  execution: 'immediate' | 'scheduled';
  /** Used for a schedule; ignored otherwise. */
  schedule: {
    cron: string;
    timeZone: string;
    concurrency: (typeof CONCURRENCIES)[number];
    startWithinMinutes: number | undefined;
    keep: number | undefined;
  };
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const emptyJob = (): JobValues => ({
  ...EMPTY_PROGRAM,
  workers: 1,
  priority: 'Normal',
  tracking: false,
  mounts: [],
  retries: 0,
  maxRunMinutes: undefined,
  execution: 'immediate',
  schedule: { cron: '0 3 * * *', timeZone: ownTimeZone(), concurrency: 'Forbid', startWithinMinutes: 10, keep: 10 },
});

export function jobBody(values: JobValues): JobBody {
  const { workers, mounts, tracking, execution, schedule } = values;
  const { cron, timeZone, concurrency, startWithinMinutes, keep } = schedule;
  return {
    ...programBody(values),
    workers: numberOrNull(workers),
    ...runSettingsBody(values),
    ...(tracking && { tracking }),
    ...(mounts.length > 0 && { mounts }),
    ...(execution === 'scheduled' && {
      schedule: {
        cron: cron.trim().replace(/\s+/g, ' '),
        timeZone,
        concurrency,
        startWithinMinutes: numberOrNull(startWithinMinutes),
        keep: numberOrNull(keep),
      },
    }),
  };
}

export const jobChange = (before: JobValues, after: JobValues): JobChange =>
  changeBetween(jobBody(before), jobBody(after)) as JobChange;

/** `isCopy`: for another job, which has no secrets yet. */
export function jobValuesOf({ id, name, spec }: Pick<JobView, 'id' | 'name' | 'spec'>, isCopy = false): JobValues {
  const empty = emptyJob();
  const { schedule } = spec;
  return {
    ...programOf(spec, id, name, isCopy),
    workers: spec.workers ?? empty.workers,
    tracking: spec.tracking ?? empty.tracking,
    mounts: (spec.mounts ?? []).map(({ from, as = 'ReadWrite', mountPath }) => ({ from, as, mountPath })),
    ...runSettingsOf(spec, empty),
    execution: schedule ? 'scheduled' : 'immediate',
    schedule: schedule
      ? {
          cron: schedule.cron,
          timeZone: schedule.timeZone ?? 'UTC',
          concurrency: schedule.concurrency ?? empty.schedule.concurrency,
          startWithinMinutes: schedule.startWithinMinutes ?? empty.schedule.startWithinMinutes,
          keep: schedule.keep ?? empty.schedule.keep,
        }
      : empty.schedule,
  };
}

/** The inputs for price and place; undefined while a number is missing. */
export function jobSize(
  values: Pick<JobValues, 'gpu' | 'cores' | 'memoryGi' | 'host' | 'workers' | 'priority' | 'maxRunMinutes' | 'retries'>,
) {
  const place = placeOf(values);
  const { workers, priority, maxRunMinutes, retries } = values;
  if (!place || !isPositive(workers) || !Number.isInteger(workers)) return undefined;
  return {
    place: { ...place, workers, priority },
    cost: {
      ...place,
      image: ANY_IMAGE,
      workers,
      ...(maxRunMinutes !== undefined && { maxRunMinutes }),
      ...(retries !== undefined && { retries }),
    },
  };
}
