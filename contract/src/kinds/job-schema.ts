// A job's spec and status, as the CRD has them.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { idlePolicy } from '../fields/idle.ts';
import { imageSource } from '../fields/image-source.ts';
import { credit, intervals } from '../fields/metering.ts';
import { freeName, objectName } from '../fields/name.ts';
import { MOST_LAST_LINES, MOST_RUNS } from '../fields/runs.ts';
import { cron, timeZone, UTC } from '../fields/schedule.ts';
import { changing, command, env, expandCommand, host, ports, resources, secretEnv } from '../fields/workload.ts';
import { jobWords as words } from './job-words.ts';

/** Workers of one run. Every start and end of one may begin an interval of use, and those have to fit into a status. */
export const MOST_WORKERS = 64;
/** Nodes that the runs of one job stay off, newest first. */
export const MOST_EXCLUDED = 16;

export const PRIORITIES = ['Low', 'Normal', 'High'] as const;

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
    startedBy: z.string().max(63).optional().meta({
      description:
        'The account that began the last run or had it use more; its spend cap counts what the run uses. Absent: its creator.',
    }),
    power: z.enum(['Running', 'Suspended', 'Stopped']).default('Running').meta({
      description:
        'Running: it is to run to its end. Suspended: its workers end, and a resumed job begins another run. Stopped: the run is given up. Of a schedule: whether runs are begun.',
    }),
    runCount: z
      .int()
      .min(0)
      .default(0)
      .meta({
        description: 'Raise it by one to run the job once more; of a schedule: to run it now.',
        ...cel(['self >= oldSelf', words.rules.runCountGrows]),
      }),
    ...run,
    priority: z
      .enum(PRIORITIES)
      .default('Normal')
      .meta({ description: 'Which of the waiting jobs of the organisation comes first.' }),
    maxRunMinutes: z
      .int()
      .min(1)
      .max(129_600)
      .optional()
      .meta({ description: 'A run that takes longer is ended and counts as failed. Absent: no limit.' }),
    retries: z.int().min(0).max(10).default(0).meta({
      description:
        'How often the job starts again after its program failed. A fault of a node costs none: the job starts again on another one.',
    }),
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

/** Fields that a schedule passes on to its runs. */
export const RUN_FIELDS = [
  'displayName',
  'image',
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
  'maxRunMinutes',
  'retries',
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

const index = z
  .int()
  .min(0)
  .max(MOST_WORKERS - 1)
  .describe('The number of the worker, which is its rank; the first is 0.');
const exit = z.string().max(64).describe('How it ended, such as OOMKilled; Stopped where that was requested.');
const exitCode = z.int().describe('The exit code of its program, if that is known.');

/** Why a run was begun. */
export const RUN_CAUSES = ['first', 'again', 'resume', 'retry', 'node'] as const;

const endedWorker = z.object({
  index,
  pod: z.string().max(253).optional().describe('The name of its Pod.'),
  startedAt: dateTime.optional().describe('When it was ready. Absent: it never was.'),
  endedAt: dateTime.optional().describe('When it ended.'),
  exit: exit.optional(),
  exitCode: exitCode.optional(),
  log: z
    .object({
      image: z.string().max(512).describe('Where it is in the registry.'),
      bytes: z.int().min(0).describe('How many bytes of it are kept.'),
      isCut: z.boolean().describe('Whether its beginning is not kept, because it was longer.'),
    })
    .optional()
    .describe('What its program wrote, as far as that is kept.'),
});

/** Records of workers over all ended runs of a job: older runs lose theirs first. */
export const MOST_WORKER_RECORDS = 128;

export const status = z
  .object({
    ...commonStatus,
    run: z
      .object({
        seq: z.int().min(1).describe('The number of the run.'),
        cause: z.enum(RUN_CAUSES).describe('Why the run was begun.'),
        runCount: z.int().min(0).optional().describe('The spec.runCount that it belongs to.'),
        notBefore: dateTime.optional().describe('It is not begun earlier: back-off after a failure.'),
        queuedAt: dateTime.optional().describe('When it was put into the queue.'),
        admittedAt: dateTime.optional().describe('When the queue let it in.'),
        startedAt: dateTime.optional().describe('When all of its workers were first ready.'),
        endedAt: dateTime.optional().describe('When it ended.'),
        exit: exit.optional(),
        exitCode: exitCode.optional(),
        failures: z.int().min(0).optional().describe('How many runs before this one failed by their program.'),
        nodeFailures: z
          .int()
          .min(0)
          .optional()
          .describe('How many runs in a row before this one ended because of their node.'),
        unplaced: z
          .int()
          .min(0)
          .optional()
          .describe('How many runs in a row before this one were ended because not all workers found a place.'),
        stuckSince: dateTime.optional().describe('Since when a container of it cannot be started.'),
        preemptedAt: dateTime.optional().describe('When it was last moved back into the queue.'),
        worker: index.optional().describe('The worker whose end ended the run.'),
        node: z.string().max(253).optional().describe('The node of that worker.'),
        before: z
          .object({
            worker: index.optional(),
            node: z.string().max(253).optional().describe('The node of that worker.'),
            exit: exit.optional(),
            exitCode: exitCode.optional(),
            lastLines: z.string().max(MOST_LAST_LINES).optional().describe('The last lines that it wrote.'),
          })
          .optional()
          .describe('How the run before it ended, if this one makes up for it.'),
        lastLines: z
          .string()
          .max(MOST_LAST_LINES)
          .optional()
          .describe('The last lines that the worker wrote whose program failed.'),
      })
      .optional()
      .describe('The present run, or the last one.'),
    workers: z
      .array(
        endedWorker.extend({
          podUID: z.string().max(64).optional().describe('The UID of its Pod.'),
          node: z.string().max(253).optional().describe('The node that it runs on, or ran on.'),
          podIP: z.string().max(45).optional().describe('Its address while it runs.'),
          phase: z
            .enum(['waiting', 'starting', 'running', 'succeeded', 'failed', 'stopped', 'lost'])
            .describe('How far it is.'),
        }),
      )
      .max(MOST_WORKERS)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['index'] })
      .describe('The workers of the present run, or of the last one.'),
    runs: z
      .array(
        z.object({
          seq: z.int().min(1).describe('The number of the run.'),
          cause: z.string().max(32).describe('Why it was begun.'),
          queuedAt: dateTime.optional().describe('When it was put into the queue.'),
          startedAt: dateTime.optional().describe('When all of its workers were ready. Absent: they never were.'),
          endedAt: dateTime.describe('When it ended.'),
          exit,
          exitCode: exitCode.optional(),
          workers: z
            .array(endedWorker)
            .max(MOST_WORKERS)
            .optional()
            .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['index'] })
            .describe('Its workers. Dropped before the run itself is.'),
        }),
      )
      .max(MOST_RUNS)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['seq'] })
      .describe('The ended runs, newest first. Older ones are dropped.'),
    excludedNodes: z
      .array(z.string().max(253).describe('The name of a node.'))
      .max(MOST_EXCLUDED)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'atomic' })
      .describe('Nodes that failed under a run. Further runs stay off them.'),
    queue: z
      .object({
        position: z.int().min(1).describe('Its place in the queue; far from the front it is rounded.'),
        aheadGpus: z.int().min(0).describe('How many GPUs the jobs before it ask for.'),
        because: z
          .string()
          .max(512)
          .optional()
          .describe('Why it waits, in the queue’s own words, where no GPU is asked for before it.'),
        startsAt: dateTime.optional().describe('When it is expected to start. Absent: nothing says.'),
        basis: z
          .enum(['limits', 'history', 'none'])
          .describe(
            'What that rests on. limits: the maximum run times of what runs. history: how long earlier jobs ran. none: there is no estimate.',
          ),
        at: dateTime.describe('When this was counted.'),
      })
      .optional()
      .describe('While it waits in the queue.'),
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
    intervals: intervals.optional(),
    credit: credit.optional(),
  })
  .describe('What is known of the job. The platform writes it.');

export type Job = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type JobSpec = Job['spec'];
export type JobStatus = NonNullable<Job['status']>;
export type JobWorker = NonNullable<JobStatus['workers']>[number];
export type JobRun = NonNullable<JobStatus['runs']>[number];
