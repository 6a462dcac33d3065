// A job's spec and status, as the CRD has them.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { idlePolicy } from '../fields/idle.ts';
import { imageSource } from '../fields/image-source.ts';
import { freeName, objectName } from '../fields/name.ts';
import { cron, timeZone, UTC } from '../fields/schedule.ts';
import { MOST_WORKERS, taskFields, taskStatus } from '../fields/task.ts';
import { changing, command, env, expandCommand, host, ports, resources, secretEnv } from '../fields/workload.ts';
import { jobWords as words } from './job-words.ts';

const run = changing('A change takes effect with the next run.', {
  image: imageSource,
  command: command('Program and arguments. Without it the image’s own program runs.'),
  expandCommand,
  workers: z.int().min(1).max(MOST_WORKERS).default(1).meta({
    description: 'How many containers run the program together. They start together or not at all.',
  }),
  ...resources('worker'),
  host,
  env,
  secretEnv,
  ports: ports('worker'),
  tracking: z.boolean().optional().meta({
    description:
      'True: what the program logs by MLflow’s calls is kept and shown with the job. MLFLOW_TRACKING_URI says where it sends them. Of several workers, worker 0 alone is heard.',
  }),
  mounts: z
    .array(
      z.object({
        from: objectName.describe('The name of a DataDisk in this namespace.'),
        as: z
          .enum(['ReadWrite', 'ReadOnly'])
          .default('ReadWrite')
          .describe('Whether the program may write to the disk.'),
        mountPath: z
          .string()
          .max(255)
          .describe('Where the disk is mounted: an absolute path outside of /gantry, /dev, /proc and /sys.')
          .meta(
            cel([
              "self.matches('^(/[.]?[A-Za-z0-9_-][A-Za-z0-9._-]*)+$') && !self.matches('^/(gantry|dev|proc|sys)(/|$)')",
              words.rules.mountPath,
            ]),
          ),
      }),
    )
    .max(16)
    .optional()
    .meta({
      description: 'Disks that the workers mount. Several workers need disks that allow several writers.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['from'],
      ...cel(['self.all(d, self.exists_one(e, e.mountPath == d.mountPath))', words.rules.mountPathTwice]),
    }),
});

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    ...taskFields({
      noun: 'job',
      power:
        'Running: it is to run to its end. Suspended: its workers end, and a resumed job begins another run. Stopped: the run is given up. Of a schedule: whether runs are begun.',
      runCount: 'Raise it by one to run the job once more; of a schedule: to run it now.',
      grows: words.rules.runCountGrows,
      retries: 0,
    }),
    ...run,
    schedule: z
      .object({
        cron: cron.describe('Minute, hour, day of month, month and day of week, as in cron.'),
        timeZone: timeZone.default(UTC).describe('The time zone that the fields are meant in, such as Europe/Berlin.'),
        concurrency: z
          .enum(['Allow', 'Forbid', 'Replace'])
          .default('Forbid')
          .describe(
            'If the run before has not ended. Allow: both run. Forbid: the new one is left out. Replace: the old one is stopped.',
          ),
        startWithinMinutes: z
          .int()
          .min(1)
          .max(1440)
          .default(10)
          .describe('A run that could not be begun within this time is reported as missed.'),
        keep: z.int().min(1).max(50).default(10).describe('How many ended runs are kept. Older ones are deleted.'),
      })
      .optional()
      .meta({ description: 'Runs it at these times, each as a Job of its own. Absent: it runs at once.' }),
    idle: idlePolicy('it is stopped after that.'),
  })
  .describe('What is wanted of the job.');

/** Fields that a person sets of each run, at creation and later. */
export const PROGRAM_FIELDS = [
  'command',
  'expandCommand',
  'workers',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'priority',
  'env',
  'secretEnv',
  'ports',
  'mounts',
  'tracking',
  'maxRunMinutes',
  'retries',
] as const;

/** Fields that a schedule passes on to its runs. */
export const RUN_FIELDS = [
  'displayName',
  'image',
  ...PROGRAM_FIELDS,
  'idle',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

/** A change to one of these starts a run or raises its usage. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'runCount',
  'workers',
  'gpu',
  'cores',
  'memoryGi',
  'schedule',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

export const status = z
  .object({
    ...commonStatus,
    ...taskStatus,
    tracking: z
      .object({
        run: z.int().min(1).describe('The number of the run.'),
        door: z.string().max(64).describe('The SHA-256 of the token that opens its agent, in hexadecimal digits.'),
      })
      .optional()
      .describe('Of the last run whose program may log by MLflow’s calls. The gateway writes it.'),
    schedule: z
      .object({
        nextAt: dateTime.optional().describe('When the next run is due.'),
        lastAt: dateTime.optional().describe('When the last run was due.'),
        lastRun: z.string().max(63).optional().describe('The name of the Job of the last run.'),
        runCount: z.int().min(0).optional().describe('The spec.runCount that was carried out.'),
        missed: z.int().min(0).optional().describe('How many runs were missed so far.'),
        missedAt: dateTime.optional().describe('When the last of them was due.'),
        waitsFor: z
          .string()
          .max(64)
          .optional()
          .describe('What the run waits for that is due now, as one CamelCase word.'),
        missedBecause: z.string().max(64).optional().describe('Why, as one CamelCase word.'),
      })
      .optional()
      .describe('Of a schedule.'),
  })
  .describe('What is known of the job. The platform writes it.');

export type Job = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type JobSpec = Job['spec'];
export type JobStatus = NonNullable<Job['status']>;
