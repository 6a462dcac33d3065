// The present run of a task whose Pods the gateway fills and follows.
import type { Condition } from '@gantry/contract/define-kind.ts';
import type { Task, TaskStatus } from '@gantry/contract/fields/task.ts';
import { organizationOf } from '@gantry/contract/names.ts';

/** Any task that the gateway brings its inputs, and whose results it keeps (`data-task.ts` of the contract). */
export interface DataTask extends Omit<Task, 'status'> {
  status?: TaskStatus & {
    conditions?: Condition[] | undefined;
    /** Of the run that they say. */
    inputs?: { run: number; digest: string; bytes: number } | undefined;
    output?: { run: number } | undefined;
  };
}

export interface PresentRun<T extends DataTask = DataTask> {
  object: T;
  taskUid: string;
  run: number;
  organizationId: string;
  /** Who began it, and pays. */
  accountId: string;
}

/** Undefined where there is none, or it has ended. */
export function presentRun<T extends DataTask>(object: T): PresentRun<T> | undefined {
  const { metadata, spec, status } = object;
  const { run } = status ?? {};
  const organizationId = organizationOf(metadata.namespace ?? '');
  const accountId = spec.startedBy ?? spec.creator;
  if (metadata.deletionTimestamp !== undefined || !run || run.endedAt !== undefined) return undefined;
  if (organizationId === undefined || accountId === undefined || metadata.uid === undefined) return undefined;
  return { object, taskUid: metadata.uid, run: run.seq, organizationId, accountId };
}

/** The run that this one goes on with: a try again, or a resumption, has its tokens in common with it. */
export function firstTry({ object: { status }, run }: PresentRun): number {
  const begins = (cause: string | undefined) => cause === 'first' || cause === 'again';
  if (begins(status?.run?.cause)) return run;
  return status?.runs?.find(({ cause }) => begins(cause))?.seq ?? 1;
}

/** What its Pod's agent takes from this installation alone. */
export const tokenOf = (
  keyed: (text: string) => string,
  { taskUid, run }: Pick<PresentRun, 'taskUid' | 'run'>,
): string => keyed(`task ${taskUid} ${run}`);
