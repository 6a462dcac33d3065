// The logs of runs that consist of several programs, such as a job's workers. Each program's log is a Snapshot of its own, made when
// the program ended and removed once its place is recorded. A Pod waits for its log, and never for longer than HOLD_MS.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { RunRecord } from '@gantry/contract/fields/runs.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL, REGISTRY } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { type Removal, targetOf } from '@gantry/kube/resource.ts';
import { instant } from './metering.ts';
import { ownedBy } from './resources.ts';
import { isLogOver, type LogSettings } from './runs.ts';

/** How long an ended Pod waits for its log. The agent took it at the container's end, and goes on trying after this. */
export const HOLD_MS = 3 * 60_000;
/** After this long a Snapshot that has not ended is given up, and one that no run records any more is removed. */
export const GIVE_UP_MS = 60 * 60_000;

export type LogRecord = NonNullable<RunRecord['log']>;

/** A Pod that still exists and whose program has ended. */
export interface EndedPod {
  pod: Pod;
  run: number;
  /** The number of its program in the run; 0 is the first. */
  part: number;
  /** When it ended, not in the future: a node's clock may be wrong. */
  endedAt: Instant;
  /** Its program was started, and its node has not been declared gone. */
  hasLog: boolean;
}

interface Inputs {
  owner: KubeObject;
  ended: readonly EndedPod[];
  /** All that the owner has. */
  snapshots: readonly Snapshot[];
  /** The nodes of its Pods that have an agent. */
  agents: readonly string[];
  /** Whether the status that this plan writes has the log: runs are written before anything is removed. */
  isRecorded(run: number, part: number): boolean;
  now: Instant;
}

export interface LogPlan {
  create: readonly Snapshot[];
  remove: readonly Removal[];
  /** UIDs of Pods that wait for their logs. All others may go. */
  held: ReadonlySet<string>;
  /** When the first of them waits no longer. */
  againInMs?: number;
}

/** A deleted owner needs none of this: its Snapshots go with it. */
export function planLogs({ owner, ended, snapshots, agents, isRecorded, now }: Inputs): LogPlan {
  const saves = snapshots.filter(({ spec }) => spec.of === 'Log');
  /** By its Snapshot too: not every end has a time that stays. */
  const heldUntil = (pod: Pod, endedAt: Instant): Instant =>
    Math.min(endedAt, instant(saveOf(pod, saves)?.metadata.creationTimestamp) ?? endedAt) + HOLD_MS;
  const waiting = ended.filter(({ pod, run, part, endedAt, hasLog }) => {
    if (!hasLog || isRecorded(run, part) || heldUntil(pod, endedAt) <= now) return false;
    const phase = saveOf(pod, saves)?.status?.phase;
    return phase !== 'failed' && (phase === 'ready' || agents.includes(pod.spec?.nodeName ?? ''));
  });
  const newest = Math.max(
    ...ended.map(({ run }) => run),
    ...saves.map(({ metadata }) => numbersOf(metadata.labels).run),
  );
  const isUseless = (save: Snapshot): boolean => {
    if (save.metadata.deletionTimestamp !== undefined) return false;
    // A failed run reports that no retry is needed while its Pod exists.
    if (save.status?.phase === 'failed') return !ended.some(({ pod }) => isOf(save, pod));
    const { run, part } = numbersOf(save.metadata.labels);
    const isOld = (instant(save.metadata.creationTimestamp) ?? now) + GIVE_UP_MS <= now;
    // A program may have ended long before its run does, which is when it is recorded.
    return isRecorded(run, part) || (isOld && (save.status?.phase !== 'ready' || run < newest));
  };
  const dues = waiting.map(({ pod, endedAt }) => heldUntil(pod, endedAt) - now);
  return {
    create: waiting.filter(({ pod }) => !saves.some(isNamedAs(pod))).map((one) => desiredLogSnapshot(owner, one)),
    remove: saves.filter(isUseless).map(targetOf),
    held: new Set(waiting.map(({ pod }) => pod.metadata.uid ?? '')),
    ...(dues.length > 0 && { againInMs: Math.min(...dues) }),
  };
}

interface Part {
  index: number;
  log?: LogRecord | undefined;
}

/**
 * The parts of one run with the logs that were saved meanwhile, and without any that is too old. `at`: how many runs are newer.
 */
export function withPartLogs<P extends Part>(
  parts: readonly P[],
  run: { seq: number; endedAt?: string | undefined; at: number },
  snapshots: readonly Snapshot[],
  settings: LogSettings,
  now: Instant,
): P[] {
  const isOver = isLogOver(run, settings, now);
  return parts.map(({ log: kept, ...part }) => {
    const log = isOver ? undefined : (kept ?? savedLog(run.seq, part.index, snapshots));
    return { ...part, ...(log && { log }) } as P;
  });
}

function savedLog(run: number, part: number, snapshots: readonly Snapshot[]): LogRecord | undefined {
  const saved = snapshots.find(({ metadata, spec, status }) => {
    const numbers = numbersOf(metadata.labels);
    return spec.of === 'Log' && status?.phase === 'ready' && numbers.run === run && numbers.part === part;
  });
  return saved?.status?.log ? { image: saved.spec.target, ...saved.status.log } : undefined;
}

const numbersOf = (labels: Readonly<Record<string, string>> = {}) => ({
  run: Number(labels[LABEL.run] ?? Number.NaN),
  part: Number(labels[LABEL.part] ?? Number.NaN),
});

const isNamedAs =
  ({ metadata: { name } }: Pod) =>
  ({ metadata }: Snapshot): boolean =>
    metadata.name === name;
const isOf = (save: Snapshot, pod: Pod): boolean => isNamedAs(pod)(save) && save.spec.podUID === pod.metadata.uid;
const saveOf = (pod: Pod, saves: readonly Snapshot[]): Snapshot | undefined => saves.find((save) => isOf(save, pod));

function desiredLogSnapshot(owner: KubeObject, { pod, run, part }: EndedPod): Snapshot {
  const { name, namespace = '' } = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: 'Snapshot',
    metadata: {
      name: pod.metadata.name,
      namespace,
      labels: {
        [LABEL.kind]: owner.kind,
        [LABEL.name]: name,
        [LABEL.run]: String(run),
        [LABEL.part]: String(part),
      },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      instance: name,
      of: 'Log',
      node: pod.spec?.nodeName ?? '',
      podName: pod.metadata.name,
      podUID: pod.metadata.uid ?? '',
      // Objects of two kinds may have one name.
      target: `${REGISTRY}/${namespace}/${name}.${owner.kind.toLowerCase()}.log:${run}-${part}`,
    },
  };
}
