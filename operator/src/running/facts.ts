// The facts about one task right now, derived once from what is observed; books, phases and children all read them.
import type { Task, TaskStatus } from '@gantry/contract/fields/task.ts';
import { taskRunName } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { type Credit, creditOf } from '../credit.ts';
import type { Context, Plan } from '../define-controller.ts';
import { isHostOver } from '../host-nodes.ts';
import { tooManyUnposted } from '../metering.ts';
import type { Ran, RunSettings, Trouble } from './ran.ts';
import { type BatchJob, runOf, type TaskSeen } from './reads.ts';
import { hopelessFor, neededFor } from './room.ts';
import { formerIn, isSetAside, type Worker, workersIn } from './workers.ts';

export type Run = NonNullable<TaskStatus['run']>;
type Power = Task['spec']['power'];
export type Children = Pick<Plan, 'create' | 'patch' | 'remove'>;

export interface Facts {
  ran: Ran;
  owner: Task;
  status: TaskStatus;
  seen: TaskSeen;
  now: Instant;
  settings: RunSettings;
  refusals: readonly Refusal[];
  /** Or its namespace is. */
  deleting: boolean;
  /** The power wanted for its runs: an organisation out of credit suspends them, a deleted task stops. */
  power: Power;
  credit: Credit & { isUnpaid: boolean; hasTooManyRuns: boolean };
  /** The run under way; absent before the first and after one that nothing follows. */
  run: Run | undefined;
  /** Its batch Job; undefined before it is created, and once it is gone. */
  batch: BatchJob | undefined;
  workers: readonly Worker[];
  /** Pods of this run that a suspension ended. */
  aside: readonly Pod[];
  /** Of this run too: those whose place another Pod has, or none. */
  former: readonly Worker[];
  /** Pods of earlier runs. */
  strays: readonly Pod[];
  /** Why no run can be begun now. */
  trouble: Trouble | undefined;
  /** The same, where no waiting solves it. */
  hopeless: Trouble | undefined;
  isQueueUsed: boolean;
  /** It never runs itself. */
  isTemplate: boolean;
}

export function factsOf(
  ran: Ran,
  owner: Task,
  seen: TaskSeen,
  { now, settings, refusals }: Context<RunSettings>,
): Facts {
  const status = owner.status ?? {};
  const deleting = owner.metadata.deletionTimestamp !== undefined || seen.namespace.isGoing;
  const gate = settings.creditGate;
  const credit = creditOf(owner, gate, now);
  const hasTooManyRuns = tooManyUnposted(owner, gate);
  const run = status.run?.endedAt === undefined ? status.run : undefined;
  const isOfRun = (object: BatchJob | Pod) => run !== undefined && runOf(object) === run.seq;
  const batch = seen.batchJobs.find((one) => isOfRun(one) && one.metadata.name === taskRunName(owner, run?.seq ?? 0));
  // A hand may have taken the labels off.
  const isOwn = (pod: Pod) =>
    isOfRun(pod) || (batch !== undefined && (pod.metadata.ownerReferences?.some(isTo(batch)) ?? false));
  const own = seen.pods.filter(isOwn);
  const isQueueUsed = settings.queue === 'kueue' && owner.spec.host === undefined;
  const inputs = { owner, status, seen, now };
  const workers = run ? workersIn(batch, own, inputs) : [];
  const isTemplate = ran.isTemplate?.(owner) ?? false;
  const facts = {
    ran,
    owner,
    status,
    seen,
    now,
    settings,
    refusals,
    deleting,
    power: run && isTemplate ? ('Stopped' as const) : powerOf(owner, { deleting, credit, seen }),
    credit: { ...credit, hasTooManyRuns, isUnpaid: credit.trouble !== undefined || hasTooManyRuns },
    run,
    batch,
    workers,
    former: run ? formerIn(workers, own, inputs) : [],
    aside: own.filter((pod) => isSetAside(pod, batch)),
    strays: seen.pods.filter((pod) => !isOwn(pod)),
    isQueueUsed,
    isTemplate,
  };
  return { ...facts, hopeless: hopelessFor(facts), trouble: neededFor(facts) };
}

const isTo =
  ({ metadata }: BatchJob) =>
  ({ uid }: { uid: string }): boolean =>
    uid === metadata.uid;

function powerOf(
  owner: Task,
  { deleting, credit, seen }: { deleting: boolean; credit: Credit; seen: TaskSeen },
): Power {
  if (deleting) return 'Stopped';
  const { power } = owner.spec;
  const { run } = owner.status ?? {};
  // A run that was never queued waits, like a task that never ran.
  const hasBegun = run?.queuedAt !== undefined || run?.exit !== undefined;
  return power === 'Running' &&
    hasBegun &&
    !isDone({ owner, status: { run } }) &&
    (credit.isOut || isHostOver(seen.host))
    ? 'Suspended'
    : power;
}

/** The newest run is the one that is wanted, and has ended; one that was stopped is begun again once it is wanted. */
export const isDone = ({ owner: { spec }, status: { run } }: Pick<Facts, 'owner' | 'status'>): boolean =>
  run?.endedAt !== undefined && run.runCount === (spec.runCount ?? 0) && run.exit !== 'Stopped';
