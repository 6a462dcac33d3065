// How far a Pod's main container has come, how it ended, and why: the same for every kind that runs a tenant's program.
import { START_ERROR } from '@gantry/contract/kinds/exits.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { lastLines } from './last-lines.ts';
import { instant } from './metering.ts';

/** How far a run's Pod has come. `finished`: its container will never run again. */
export type Progress = 'none' | 'unplaced' | 'placed' | 'started' | 'ready' | 'finished';

/** Ends that the platform caused: no fault of the tenant's program, so the next run starts at once. */
export const PLATFORM_EXITS: readonly string[] = ['Evicted', 'NodeGone', 'Deleted', 'Lost'];

export function progressOf(pod: Pod | undefined): Progress {
  if (!pod) return 'none';
  const main = pod.status?.containerStatuses?.[0]?.state;
  if (isTerminal(pod) || main?.terminated) return 'finished';
  const started = main?.running !== undefined;
  // Deleted before its container ran: nothing will run, and no kubelet has to confirm that nothing did.
  if (pod.metadata.deletionTimestamp && !pod.spec?.nodeName) return 'finished';
  if (started) return isReady(pod) ? 'ready' : 'started';
  return pod.spec?.nodeName ? 'placed' : 'unplaced';
}

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const conditionSince = (pod: Pod | undefined, type: string, status: 'True' | 'False'): Instant | undefined =>
  instant(pod?.status?.conditions?.find((c) => c.type === type && c.status === status)?.lastTransitionTime);

export const readiness = (seen: Node | undefined): string =>
  seen?.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'absent';

/** Kubernetes' reasons for a Pod whose node was declared gone. */
export const wentWithNode = ({ status }: Pod): boolean =>
  status?.conditions?.some(
    ({ type, status: is, reason }) => type === 'DisruptionTarget' && is === 'True' && reason === 'DeletionByPodGC',
  ) ?? false;

/** A container that never ran changed nothing. A start that failed has the year 1970, one that was lost sight of no time. */
export function everStarted(pod: Pod): boolean {
  const main = pod.status?.containerStatuses?.[0]?.state;
  if (main?.running) return true;
  const ended = main?.terminated;
  return ended?.reason === 'ContainerStatusUnknown' || (instant(ended?.startedAt) ?? 0) > 0;
}

/** The kubelet's message for a container or Pod that wrote more than its limit; there is no separate reason for that. */
const ROOT_FULL = /exceeded its local ephemeral storage limit|ephemeral local storage usage exceeds/;

/** The kubelet's reasons for ends that it caused itself. */
const EVICTIONS: readonly string[] = ['Evicted', 'Preempting', 'NodeShutdown', 'Terminated'];

/** The kubelet hands the end of a failed program's log on as its message (`terminationMessagePolicy`). */
export function lastWordsOf(pod: Pod | undefined): { exitCode: number | undefined; lastLines: string } {
  const { exitCode, reason, message = '' } = pod?.status?.containerStatuses?.[0]?.state?.terminated ?? {};
  // The code of a container that the kubelet cannot find is made up.
  if (reason === 'ContainerStatusUnknown') return { exitCode: undefined, lastLines: '' };
  if (exitCode === undefined || exitCode === 0 || pod === undefined) return { exitCode, lastLines: '' };
  // A container that could not be started wrote nothing: the message is the runtime's.
  if (everStarted(pod)) return { exitCode, lastLines: lastLines(message) };
  return { exitCode, lastLines: isStartError(reason) ? startErrorIn(message) : '' };
}

/** The end of a container that runs before the program and failed. */
export interface InitFailure {
  name: string;
  exitCode: number;
  isOutOfMemory: boolean;
  /** What it wrote. */
  lastLines: string;
}

/** undefined where none failed, or where the kubelet only lost it. What stays beside the program has no part in how the Pod ends. */
export function initFailure({ spec, status }: Pod): InitFailure | undefined {
  const beside = spec?.initContainers
    ?.filter(({ restartPolicy }) => restartPolicy === 'Always')
    .map(({ name }) => name);
  for (const { name, state } of status?.initContainerStatuses ?? []) {
    if (beside?.includes(name)) continue;
    const { exitCode = 0, reason, message } = state?.terminated ?? {};
    if (exitCode === 0 || reason === 'ContainerStatusUnknown') continue;
    return { name, exitCode, isOutOfMemory: reason === 'OOMKilled', lastLines: lastLines(message || reason || '') };
  }
  return undefined;
}

/** Why a container that waits does not start, by the kubelet's reason. It tries again meanwhile. */
export type Stuck = 'ImageNotFound' | 'BadConfig' | 'StartError';
const WAITING: ReadonlyMap<string, Stuck> = new Map([
  ['ErrImagePull', 'ImageNotFound'],
  ['ImagePullBackOff', 'ImageNotFound'],
  ['InvalidImageName', 'ImageNotFound'],
  ['ErrImageNeverPull', 'ImageNotFound'],
  ['CreateContainerConfigError', 'BadConfig'],
  ['CreateContainerError', 'BadConfig'],
  ['RunContainerError', 'StartError'],
]);
/** Undefined for one that may still start by itself. */
export const stuckOn = (waiting: { reason?: string | undefined } | undefined): Stuck | undefined =>
  WAITING.get(waiting?.reason ?? '');

/** The runtime could not start the program: Kubernetes' words for it, of which each runtime has one. */
export const isStartError = (reason = ''): boolean => ['StartError', 'ContainerCannotRun'].includes(reason);

/** The end of a chain of wrapped errors: `exec: "nosuch": executable file not found in $PATH`. */
export function startErrorIn(message: string): string {
  const text = message.replace(/: unknown$/, '');
  const at = text.lastIndexOf('exec: ');
  return lastLines(at < 0 ? text.split(': ').slice(-2).join(': ') : text.slice(at));
}

/** Why a Pod that ended did: OOMKilled, RootFull, "exit code 1", what the node reports, or one of PLATFORM_EXITS. */
export function podExit(pod: Pod | undefined): string {
  if (!pod) return 'Lost';
  const { containerStatuses, conditions, reason = 'NotStarted' } = pod.status ?? {};
  const ended = containerStatuses?.[0]?.state?.terminated;
  const disrupted = conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (EVICTIONS.includes(reason)) return ROOT_FULL.test(pod.status?.message ?? '') ? 'RootFull' : 'Evicted';
  if (disrupted) return wentWithNode(pod) ? 'NodeGone' : 'Evicted';
  if (ended?.reason === 'OOMKilled') return 'OOMKilled';
  if (pod.metadata.deletionTimestamp) return 'Deleted';
  // The kubelet's word for a container that it cannot find any more; its exit code is made up.
  if (ended?.reason === 'ContainerStatusUnknown') return 'Lost';
  // Without an ended container the node refused to start it: OutOfcpu, UnexpectedAdmissionError.
  if (!ended) return reason;
  return isStartError(ended.reason) && !everStarted(pod) ? START_ERROR : `exit code ${ended.exitCode}`;
}
