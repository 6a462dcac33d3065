// One step towards the spec: record what happened, then create, end or release one run.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import type { Task, TaskStatus } from '@gantry/contract/fields/task.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Context, Plan } from '../define-controller.ts';
import { instant } from '../metering.ts';
import type { LogPlan } from '../run-logs.ts';
import { type Books, booksOf, startDeadline, unexplainedAt } from './books.ts';
import { type Facts, factsOf } from './facts.ts';
import { stageOf } from './phase.ts';
import { answerDueAt, isJustAsked, recountAt } from './queue.ts';
import type { Ran, RunSettings } from './ran.ts';
import type { TaskSeen } from './reads.ts';
import { isUnclear } from './retries.ts';
import { childrenOf, logsOf } from './run-batch.ts';
import { recorded, statusOf } from './status.ts';
import { placeDeadline, stuckDeadline } from './stuck.ts';
import { SILENT_MS } from './workers.ts';

/** The fields and conditions that the controller of a kind of tasks writes into the status. */
export const TASK_WRITES = {
  fields: ['run', 'workers', 'runs', 'excludedNodes', 'queue', 'intervals'],
  conditions: ['Queued', 'Complete', CAN_START],
} as const;

export function planTask(ran: Ran, owner: Task, seen: TaskSeen, context: Context<RunSettings>): Plan<TaskStatus> {
  const books = booksOf(factsOf(ran, owner, seen, context));
  // Phase and children follow from what will have been written: the runtime writes status first and stops if it cannot.
  const f = factsOf(ran, recorded(owner, books), seen, context);
  const logs = logsOf(f);
  const { create, patch, remove } = childrenOf(f, logs);
  const status = statusOf(f, books);
  if (f.deleting) return { ...released(f, books), patch, remove, ...again(f, logs) };
  const isDetail = tellsDetails(f, owner.status, status);
  return { finalizer: 'keep', status, isDetail, create, patch, remove, ...again(f, logs) };
}

/** Workers of a gang start and end within a moment of each other; their Pods keep what is yet to be recorded. */
const tellsDetails = (f: Facts, known: TaskStatus | undefined, { phase }: TaskStatus): boolean =>
  ['starting', 'running'].includes(stageOf(f)) && phase === known?.phase;

/** A deleted task: its workers end and are stamped, then it may go itself. */
function released(f: Facts, books: Books): Plan<TaskStatus> {
  const { pods, batchJobs } = f.seen;
  const isLeft = pods.length > 0 || batchJobs.length > 0;
  const others = f.owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
  return {
    ...((isLeft || others) && { status: statusOf(f, books) }),
    finalizer: isLeft ? 'keep' : 'drop',
  };
}

/** Longer waits are recounted less often: a thousand waiting tasks must not keep everybody busy. */
const RECOUNT_MS = { first: 15_000, most: 120_000 };
const LOST_FOR_GOOD_MS = 5 * 60_000;
const END_REPORTED_MS = 2 * 60_000;
/** A sign of life of a node wakes nobody. */
const SIGNS_MS = 5_000;

/** The next moment at which time alone changes the plan. */
function again(f: Facts, logs: LogPlan): Pick<Plan, 'againInMs'> {
  const { run, trouble, status, workers, now } = f;
  const waitedMs = now - (instant(run?.notBefore) ?? instant(f.owner.metadata.creationTimestamp) ?? now);
  const moments = [
    instant(run?.notBefore),
    startDeadline(f, run),
    stuckDeadline(run),
    placeDeadline(f, run),
    unexplainedAt(f, run),
    run && run.exit === undefined && isUnclear(workers, now) ? now + SIGNS_MS : undefined,
    trouble && run ? now + Math.min(Math.max(RECOUNT_MS.first, waitedMs / 4), RECOUNT_MS.most) : undefined,
    f.batch && isJustAsked(f) ? answerDueAt(f.batch) : undefined,
    f.batch?.spec?.suspend === true ? (status.queue ? recountAt(status.queue) : now + RECOUNT_MS.first) : undefined,
    ...workers.flatMap(({ silentSince }) =>
      silentSince === undefined ? [] : [silentSince + SILENT_MS, silentSince + LOST_FOR_GOOD_MS],
    ),
    f.seen.pods.some((pod) => pod.status?.phase === 'Failed' && pod.status.containerStatuses?.[0]?.state?.running)
      ? now + END_REPORTED_MS
      : undefined,
    logs.againInMs === undefined ? undefined : now + logs.againInMs,
  ].filter((at): at is number => at !== undefined && at > now);
  return moments.length > 0 ? { againInMs: Math.min(...moments) - now } : {};
}
