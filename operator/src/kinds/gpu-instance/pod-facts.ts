// What an instance's Pods say: the progress of the current run, how it ended, and what earlier runs left behind.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { lastLines } from '../../last-lines.ts';
import { instant } from '../../metering.ts';
import { keeperName, podName, runHash } from './desired.ts';
import { type InstanceSeen, readiness } from './reads.ts';
import { everStarted, isUnsaved, wentWithNode } from './saving/ended-pods.ts';

export type Run = NonNullable<GpuInstanceStatus['run']>;

/** How far the current run's Pod has come. `finished`: its container will never run again. */
export type Progress = 'none' | 'unplaced' | 'placed' | 'started' | 'ready' | 'finished';

/** Ends that the platform caused: no fault of the tenant's program, so the next run starts at once. */
export const PLATFORM_EXITS: readonly string[] = ['Evicted', 'NodeGone', 'Deleted', 'Lost'];

/** The Pods of one instance. All fields but `spent`, `unsaved` and `keeper` are about the current run's Pod. */
export interface PodFacts {
  /** The current run's Pod; undefined before it is created, and once it is gone. */
  current: Pod | undefined;
  progress: Progress;
  /** Until when the kubelet may still report how the container ended; undefined if nothing more is awaited. */
  endDueBy: Instant | undefined;
  /** When the main container ended, as the kubelet reports. */
  finishedAt: Instant | undefined;
  /** Why it ended, if it did: OOMKilled, RootFull, "exit code 1", what the node reports, or one of PLATFORM_EXITS. */
  exit: string;
  /** Its program's exit code, if that is known. */
  exitCode: number | undefined;
  /** The last lines that its program wrote, if it failed; else empty. */
  lastLines: string;
  /** Its node is not ready, so it is unknown whether its container runs. */
  isLost: boolean;
  /** It was built from another spec than is wanted now. */
  isEdited: boolean;
  /** Pods of runs that are over and stamped: to be let go. */
  spent: readonly Pod[];
  /** Those of `spent` that are held because their container's changes are not saved yet. */
  unsaved: readonly Pod[];
  /** Holds the home's volume while it is saved. */
  keeper: Pod | undefined;
}

interface Inputs {
  owner: GpuInstance;
  status: GpuInstanceStatus;
  seen: InstanceSeen;
  now: Instant;
  deleting: boolean;
  run: Run | undefined;
}

export function podFactsOf({ owner, status, seen, now, deleting, run }: Inputs): PodFacts {
  const current = run && seen.pods.find(({ metadata }) => metadata.name === podName(owner, run.seq));
  const keeper = seen.pods.find(({ metadata }) => metadata.name === keeperName(owner));
  const spent = seen.pods.filter((pod) => pod !== current && pod !== keeper);
  const endDueBy = run && endDue(run, current, seen, now);
  const progress = endDueBy === undefined ? progressOf(current) : 'started';
  const wantedHash = runHash(owner.spec);
  return {
    current,
    progress,
    endDueBy,
    finishedAt: instant(current?.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt),
    exit: exitOf(current),
    ...lastWordsOf(current),
    isLost: current?.spec?.nodeName !== undefined && progress !== 'finished' && readiness(seen.node) !== 'True',
    isEdited: (current?.metadata.annotations?.[ANNOTATION.hash] ?? wantedHash) !== wantedHash,
    spent,
    unsaved: spent.filter((pod) => isUnsaved(pod, { deleting, seen, status })),
    keeper,
  };
}

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

/** Long enough for a node under load. */
const END_REPORTED_MS = 2 * 60_000;

/**
 * A busy kubelet reports a failed Pod while its container is still running, and how and when that ended a moment later. On a
 * present node the plan waits for this, for a while, because billing ends with it.
 */
function endDue(run: Run, pod: Pod | undefined, { node }: InstanceSeen, now: Instant): Instant | undefined {
  const runs = pod?.status?.containerStatuses?.[0]?.state?.running !== undefined;
  if (!pod || !isTerminal(pod) || !runs || readiness(node) !== 'True') return undefined;
  const due = (instant(run.givenUpAt) ?? now) + END_REPORTED_MS;
  return due > now ? due : undefined;
}

const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const conditionSince = (pod: Pod | undefined, type: string, status: 'True' | 'False'): Instant | undefined =>
  instant(pod?.status?.conditions?.find((c) => c.type === type && c.status === status)?.lastTransitionTime);

/** When the container of the current run began to run. */
export const startOf = ({ current }: Pick<PodFacts, 'current'>): Instant | undefined => {
  const main = current?.status?.containerStatuses?.[0]?.state;
  return instant(main?.running?.startedAt ?? main?.terminated?.startedAt);
};

/** The kubelet's message for a container or Pod that wrote more than its limit; there is no separate reason for that. */
const ROOT_FULL = /exceeded its local ephemeral storage limit|ephemeral local storage usage exceeds/;

/** The kubelet's reasons for ends that it caused itself. */
const EVICTIONS: readonly string[] = ['Evicted', 'Preempting', 'NodeShutdown', 'Terminated'];

/** The kubelet hands the end of a failed program's log on as its message (`terminationMessagePolicy`). */
function lastWordsOf(pod: Pod | undefined): Pick<PodFacts, 'exitCode' | 'lastLines'> {
  const { exitCode, reason, message = '' } = pod?.status?.containerStatuses?.[0]?.state?.terminated ?? {};
  // The code of a container that the kubelet cannot find is made up.
  if (reason === 'ContainerStatusUnknown') return { exitCode: undefined, lastLines: '' };
  // What could not be started wrote nothing: the message is the runtime's.
  const isOwn = exitCode !== undefined && exitCode !== 0 && pod !== undefined && everStarted(pod);
  return { exitCode, lastLines: isOwn ? lastLines(message) : '' };
}

function exitOf(pod: Pod | undefined): string {
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
  const restore = pod.status?.initContainerStatuses?.[1]?.state?.terminated;
  if (restore && restore.exitCode !== 0) return `restore code ${restore.exitCode}`;
  // Without an ended container the node refused to start it: OutOfcpu, UnexpectedAdmissionError.
  return ended ? `exit code ${ended.exitCode}` : reason;
}
