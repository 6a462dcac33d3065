// The differences between kinds of tasks, whose objects run to an end. All other code here reads such an object as a task.
import type { KindFacts, Words } from '@gantry/contract/define-kind.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import type { DataProcessReason } from '@gantry/contract/kinds/data-process.ts';
import type { EvaluationReason } from '@gantry/contract/kinds/evaluation.ts';
import type { FineTuneReason } from '@gantry/contract/kinds/fine-tune.ts';
import type { JobReason } from '@gantry/contract/kinds/job.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import type { CreditGate } from '../credit.ts';
import type { LogSettings } from '../runs.ts';
import type { Run } from './facts.ts';
import type { TaskSeen } from './reads.ts';

/** How far a task is, whatever its kind calls that. The first that holds, in this order, is its stage. */
export const STAGES = [
  'releasing',
  'released',
  'lost_contact',
  'stopping',
  'stopped',
  'suspending',
  'suspended',
  'scheduled',
  'failed',
  'succeeded',
  'running',
  'starting',
  'queued',
  'preparing',
] as const;
export type Stage = (typeof STAGES)[number];

/** Reasons that one of the kinds has. */
export type RunningReason = JobReason | DataProcessReason | FineTuneReason | EvaluationReason;
/** Those that every kind has, in words of its own: a job's without its schedules' and disks'. */
export type TaskReason = Exclude<
  JobReason,
  | ('Scheduled' | 'ScheduleSuspended' | 'ScheduleStopped' | 'ScheduleUnreadable' | 'NoMoreRuns' | 'RunMissed')
  | ('DiskNotFound' | 'DiskInUse' | 'DiskForOneWorker' | 'DiskNotReady' | 'DiskOnHost' | 'SecretMissing')
  | 'TrackingNotReady'
>;

/** Something that keeps a run from being begun, or ended one, in words. */
export interface Trouble {
  reason: RunningReason;
  args: Args;
}

/** The installation's settings for every task. */
export interface RunSettings extends LogSettings, PoolRules {
  creditGate: CreditGate;
  createTimeoutMs: number;
  /** Of the agent, which runs beside the program or around it. */
  agentImage: string;
  /** Whether runs wait in Kueue's queue. */
  queue?: 'kueue' | 'none';
}

/** The kind's own part of a worker's Pod. The first container is the one that is counted, billed, and whose log is kept. */
export interface Dress {
  initContainers?: readonly object[];
  containers: readonly object[];
  volumes: readonly object[];
  imagePullSecrets?: { name: string }[];
  /** 30 s, where this is not said. */
  terminationGracePeriodSeconds?: number;
  /** In place of what all tasks have. */
  securityContext?: object;
}

/** The meaning of an exit code of the kind's own program. */
export interface Exit {
  reason: RunningReason;
  args?(task: Task): Args;
  /** Whether another try, which counts as any, may help. */
  isRetried: boolean;
}

export interface Ran {
  facts: KindFacts;
  reasons: Readonly<Record<TaskReason, Words>>;
  /** The kind's phase for a stage. */
  phase(stage: Stage, task: Task): string;
  dress(task: Task, run: Pick<Run, 'seq'>, seen: Pick<TaskSeen, 'host' | 'verified'>, settings: RunSettings): Dress;
  /** It never runs itself: its runs are objects of their own. */
  isTemplate?(task: Task): boolean;
  /** A fault that keeps its runs from starting and will not pass by itself: no credit is held for it. */
  trouble?(task: Task): Trouble | undefined;
  /** Something that its recorded run needs before it may start. */
  waitsFor?(task: Task, settings: RunSettings): Trouble | undefined;
  /** How much longer than `createTimeoutMs` a start may take, while files arrive and the program is on trial. */
  arrivesMs?(task: Task): number;
  /** What a run that ended well says in place of Succeeded. */
  succeeded?(task: Task): Trouble | undefined;
  /** By exit code. Any other, besides 0, is a failure that costs a try. */
  exits?: Readonly<Record<number, Exit>>;
}
