// Facts from an instance's Pods: the progress of the current run, how it ended, and what earlier runs left behind.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { instant } from '../../metering.ts';
import { lastWordsOf, PLATFORM_EXITS, type Progress, podExit, progressOf, readiness } from '../../pod-progress.ts';
import { keeperName, podName, RESTORE, runHash } from './desired.ts';
import type { InstanceSeen } from './reads.ts';
import { isUnsaved } from './saving/ended-pods.ts';

export type Run = NonNullable<GpuInstanceStatus['run']>;

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

/** When the container of the current run began to run. */
export const startOf = ({ current }: Pick<PodFacts, 'current'>): Instant | undefined => {
  const main = current?.status?.containerStatuses?.[0]?.state;
  return instant(main?.running?.startedAt ?? main?.terminated?.startedAt);
};

/** How far the step that puts a saved home back has come. */
export const restoreIn = (pod: Pod | undefined) =>
  pod?.status?.initContainerStatuses?.find(({ name }) => name === RESTORE)?.state;

function exitOf(pod: Pod | undefined): string {
  const restore = restoreIn(pod)?.terminated;
  const exit = podExit(pod);
  // The platform's own ends say more than a step that they cut short.
  const isStep =
    restore !== undefined && restore.exitCode !== 0 && ![...PLATFORM_EXITS, 'RootFull', 'OOMKilled'].includes(exit);
  return isStep ? `restore code ${restore.exitCode}` : exit;
}
