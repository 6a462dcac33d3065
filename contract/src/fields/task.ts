// The common fields of tasks: kinds whose objects run to an end, such as jobs. A run is a batch/v1 Job of one or several workers, queued by
// Kueue where that is installed.
import * as z from 'zod';
import { type CelRule, cel, commonStatus, type KubeObject } from '../define-kind.ts';
import { dateTime } from './date-time.ts';
import { credit, intervals } from './metering.ts';
import { keptLog, MOST_LAST_LINES, MOST_RUNS } from './runs.ts';

/** Workers of one run. Every start and end of one may begin an interval of use, and those have to fit into a status. */
export const MOST_WORKERS = 64;
/** Nodes that the runs of one task stay off, newest first. */
export const MOST_EXCLUDED = 16;
/** Records of workers over all ended runs of a task: older runs lose theirs first. */
export const MOST_WORKER_RECORDS = 128;

export const PRIORITIES = ['Low', 'Normal', 'High'] as const;
const POWERS = ['Running', 'Suspended', 'Stopped'] as const;

/** Of a spec: how its runs begin and end. `noun` names the kind in descriptions. */
export const taskFields = ({
  noun,
  power,
  runCount,
  grows,
  retries,
}: {
  noun: string;
  power: string;
  runCount: string;
  /** The refusal of a smaller runCount. */
  grows: CelRule['words'];
  /** How many retries it has where nobody says. */
  retries: number;
}) => ({
  startedBy: z.string().max(63).optional().meta({
    description:
      'The account that began the last run or had it use more; its spend cap counts what the run uses. Absent: its creator.',
  }),
  power: z.enum(POWERS).default('Running').meta({ description: power }),
  runCount: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: runCount, ...cel(['self >= oldSelf', grows]) }),
  priority: z
    .enum(PRIORITIES)
    .default('Normal')
    .meta({ description: `Which of the waiting ${noun}s of the organisation comes first.` }),
  maxRunMinutes: z
    .int()
    .min(1)
    .max(129_600)
    .optional()
    .meta({ description: 'A run that takes longer is ended and counts as failed. Absent: no limit.' }),
  retries: z
    .int()
    .min(0)
    .max(10)
    .default(retries)
    .meta({
      description: `How often the ${noun} starts again after its program failed. A fault of a node costs none: the ${noun} starts again on another one.`,
    }),
});

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
  log: keptLog,
});

/** Of a status: its runs, what they used, and their place in the queue. */
export const taskStatus = {
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
  intervals: intervals.optional(),
  credit: credit.optional(),
};

const whole = z.object({ ...commonStatus, ...taskStatus });
export type TaskStatus = z.output<typeof whole>;
/** A worker of the present run. */
export type TaskWorker = NonNullable<TaskStatus['workers']>[number];
/** An ended run. */
export type TaskRun = NonNullable<TaskStatus['runs']>[number];

/** Any task, as far as all kinds have the same fields. */
export interface Task extends KubeObject {
  spec: {
    power: (typeof POWERS)[number];
    runCount: number;
    creator?: string | undefined;
    startedBy?: string | undefined;
    /** One, where the kind has no such field. */
    workers?: number | undefined;
    gpu?: { model: string; count: number } | undefined;
    cores: number;
    memoryGi: number;
    host?: string | undefined;
    priority: (typeof PRIORITIES)[number];
    maxRunMinutes?: number | undefined;
    retries: number;
    /** The tenant's own image, in kinds that have one. */
    image?: string | undefined;
    secretEnv?: { name: string; secret: string; key: string }[] | undefined;
    /** Disks that its workers mount. */
    mounts?: { from: string; as: 'ReadWrite' | 'ReadOnly'; mountPath: string }[] | undefined;
  };
  status?: TaskStatus;
}

export const workersOf = ({ workers = 1 }: Pick<Task['spec'], 'workers'>): number => workers;
