// The workers of one run, as their Pods and nodes show them: how far each has come, how it ended, and whether a node is to blame.

import { sizeUse } from '@gantry/contract/billing/resources.ts';
import { milli, quantity } from '@gantry/contract/fields/quantity.ts';
import { MOST_WORKERS, type Task, type TaskStatus, type TaskWorker, workersOf } from '@gantry/contract/fields/task.ts';
import { gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { TASK_REHEARSAL } from '@gantry/contract/kinds/data-task.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { hasFaultyGpu } from '../faulty-gpu.ts';
import { instant, iso, type Use, wholeSeconds } from '../metering.ts';
import {
  conditionSince,
  type InitFailure,
  initFailure,
  lastWordsOf,
  type Progress,
  podExit,
  progressOf,
  readiness,
} from '../pod-progress.ts';
import { type BatchJob, isOutOfService, type TaskSeen } from './reads.ts';
import { DOES_NOT_FIT, INPUTS_NOT_FETCHED, isOfProgram } from './retries.ts';

/** A node that does not answer for so long has failed under its workers. */
export const SILENT_MS = 60_000;
/** Then Kubernetes itself gives a node's Pods up. */
const LOST_FOR_GOOD_MS = 5 * 60_000;
/** A busy kubelet reports a failed Pod first, and the end of its container a moment later. */
const END_REPORTED_MS = 2 * 60_000;

export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
const TRACKING = 'batch.kubernetes.io/job-tracking';

export interface Worker extends TaskWorker {
  pod_: Pod | undefined;
  progress: Progress;
  lastLines: string;
  /** Its end, or its silence, is the fault of a node or of the platform: it costs no try. */
  blames: 'node' | 'platform' | 'program' | undefined;
  /** Its container runs no more, as far as anybody will ever know. */
  isOver: boolean;
  /** Since when its node does not answer. */
  silentSince: Instant | undefined;
  /** When its node last gave a sign of life, of one that is there. */
  signedAt: Instant | undefined;
  /** The exit that will end it, while it still runs. */
  fate: string | undefined;
}

interface Inputs {
  owner: Task;
  status: TaskStatus;
  seen: TaskSeen;
  now: Instant;
}

/** As `podExit` says it. */
const NOT_STARTED = 'NotStarted';
/** The cluster's word for its own ends. */
const NODE_EXITS: readonly string[] = ['NodeGone', 'Evicted', 'Lost'];
const PLATFORM_EXITS: readonly string[] = ['Deleted', 'Displaced', 'Stopped'];
/** Kubernetes' reasons for taking a Pod off a node that may be as sound as before. */
const DISPLACEMENTS: readonly string[] = [
  'PreemptionByScheduler',
  'EvictionByEvictionAPI',
  // Also set on Pods of a silent node, which then does not answer.
  'DeletionByTaintManager',
];

export const indexOf = ({ metadata: { annotations, labels } }: Pod): number => {
  const index = Number(annotations?.[COMPLETION_INDEX] ?? labels?.[COMPLETION_INDEX] ?? Number.NaN);
  return Number.isInteger(index) && index >= 0 ? index : Number.NaN;
};

/** Ended by a suspension: Kubernetes takes its own finalizer off before it deletes such a Pod, and counts it neither way. */
export function isSetAside({ metadata }: Pod, batch: BatchJob | undefined): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  if (batch?.spec?.suspend === true) return true;
  const hasFailed = (batch?.status?.failed ?? 0) > 0 || isFailed(batch);
  return !hasFailed && batch !== undefined && !metadata.finalizers?.includes(TRACKING);
}

const isFailed = (batch: BatchJob | undefined): boolean =>
  batch?.status?.conditions?.some(
    ({ type, status }) => (type === 'Failed' || type === 'FailureTarget') && status === 'True',
  ) ?? false;

/** So many as the run has: a later edit of the spec takes effect with the next one. */
const countOf = (owner: Task, batch: BatchJob | undefined): number =>
  Math.min(batch?.spec?.completions ?? owner.status?.workers?.length ?? workersOf(owner.spec), MOST_WORKERS);

/** The workers of the run; `batch` and `pods` are this run's alone. */
export function workersIn(batch: BatchJob | undefined, pods: readonly Pod[], inputs: Inputs): readonly Worker[] {
  const count = countOf(inputs.owner, batch);
  const present = pods.filter((pod) => !isSetAside(pod, batch));
  return Array.from({ length: count }, (_, index) => {
    const own = present
      .filter((pod) => indexOf(pod) === index)
      .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1));
    const before = inputs.status.workers?.find((one) => one.index === index);
    return own[0] ? seenWorker(index, own[0], before, inputs) : absentWorker(index, before, batch, pods, inputs);
  });
}

/** None yet, none any more because it was set aside, or one that somebody took away. */
function absentWorker(
  index: number,
  before: TaskWorker | undefined,
  batch: BatchJob | undefined,
  pods: readonly Pod[],
  { seen, now }: Inputs,
): Worker {
  const none = { index, pod_: undefined, progress: 'none', lastLines: '', fate: undefined } as const;
  const silent = { silentSince: undefined, signedAt: undefined };
  const wasStarted = before?.startedAt !== undefined;
  const isAside =
    batch?.spec?.suspend === true || pods.some((pod) => pod.metadata.uid === before?.podUID && isSetAside(pod, batch));
  if (!before || (!wasStarted && before.endedAt === undefined) || isAside)
    return { ...none, ...silent, phase: 'waiting', blames: undefined, isOver: true };
  const { podIP: _, ...kept } = before;
  if (before.endedAt !== undefined) {
    const blames = before.exitCode === 0 ? undefined : blameOf(before.exit ?? '');
    return { ...kept, ...none, ...silent, blames, isOver: true };
  }
  const at = Math.max(instant(before.startedAt) ?? 0, lastSign(before.node, seen, now));
  const end = { phase: 'failed', endedAt: iso(at), exit: 'Deleted', blames: 'platform' } as const;
  return { ...kept, ...none, ...silent, ...end, isOver: true };
}

/** Workers whose Pod is not, or no more, the one of the run: a suspension ended it, or the next one is there already. */
export const formerIn = (workers: readonly Worker[], pods: readonly Pod[], inputs: Inputs): readonly Worker[] =>
  pods
    .filter((pod) => !Number.isNaN(indexOf(pod)) && !workers.some(({ pod_ }) => pod_ === pod))
    .map((pod) => seenWorker(indexOf(pod), pod, undefined, inputs));

const nodeNamed = (name: string | undefined, { nodes }: TaskSeen): Node | undefined =>
  nodes.find(({ metadata }) => metadata.name === name);

/** When its kubelet was last heard of; `now` for one that answers. */
function lastSign(node: string | undefined, seen: TaskSeen, now: Instant): Instant {
  const found = nodeNamed(node, seen);
  if (found && readiness(found) === 'True') return wholeSeconds(now);
  const renewed = instant(seen.heartbeats[node ?? '']) ?? silentSinceOf(found);
  return wholeSeconds(Math.min(renewed ?? now, now));
}

const silentSinceOf = (node: Node | undefined): Instant | undefined =>
  instant(node?.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime);

const blameOf = (exit: string): Worker['blames'] => {
  if (exit === INPUTS_NOT_FETCHED) return 'program';
  if (NODE_EXITS.includes(exit)) return 'node';
  if (PLATFORM_EXITS.includes(exit)) return 'platform';
  return isOfProgram(exit) ? 'program' : 'node';
};

const disruptionOf = ({ status }: Pod): string | undefined =>
  status?.conditions?.find(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True')?.reason;

/** It was preempted, drained or tainted away, and its node answers: nothing is wrong with that. */
const isDisplaced = (pod: Pod, node: Node | undefined): boolean =>
  DISPLACEMENTS.includes(disruptionOf(pod) ?? '') && readiness(node) === 'True';

/** The reason for which a running worker is about to end. */
function fateOf(pod: Pod, node: Node | undefined): string | undefined {
  if (isDisplaced(pod, node)) return 'Displaced';
  if (disruptionOf(pod) !== undefined) return 'Evicted';
  return hasFaultyGpu(pod, gpuFaultsOf(node)) ? 'GpuFault' : undefined;
}

/** Nobody will ever hear of its container again, or it does not matter: nothing of it writes to a disk. */
function isLostForGood(pod: Pod, { seen, now, owner }: Pick<Inputs, 'seen' | 'now' | 'owner'>): boolean {
  const name = pod.spec?.nodeName;
  if (name === undefined) return false;
  const node = nodeNamed(name, seen);
  if (node === undefined || isOutOfService(node)) return true;
  const isWriter = owner.spec.mounts?.some(({ as }) => as !== 'ReadOnly') ?? false;
  return readiness(node) !== 'True' && !isWriter && now - (silentSinceOf(node) ?? now) >= LOST_FOR_GOOD_MS;
}

/** Its container runs no more, as far as anybody will ever know. */
export const isPodOver = (pod: Pod, inputs: Pick<Inputs, 'seen' | 'now' | 'owner'>): boolean =>
  (progressOf(pod) === 'finished' && !isEndAwaited(pod, nodeNamed(pod.spec?.nodeName, inputs.seen), inputs.now)) ||
  isLostForGood(pod, inputs);

function seenWorker(index: number, pod: Pod, before: TaskWorker | undefined, inputs: Inputs): Worker {
  const { seen, now } = inputs;
  const same = before?.podUID === pod.metadata.uid ? before : undefined;
  const nodeName = pod.spec?.nodeName;
  const node = nodeNamed(nodeName, seen);
  const progress = isEndAwaited(pod, node, now) ? 'started' : progressOf(pod);
  const silentSince = progress === 'finished' ? undefined : silenceOf(pod, inputs);
  const startedAt = same?.startedAt ?? startIn(pod, progress, silentSince, now);
  const worker: Worker = {
    index,
    pod: pod.metadata.name,
    ...(pod.metadata.uid !== undefined && { podUID: pod.metadata.uid }),
    ...(nodeName !== undefined && { node: nodeName }),
    ...(startedAt !== undefined && { startedAt }),
    phase: 'waiting',
    pod_: pod,
    progress,
    lastLines: '',
    blames: undefined,
    isOver: isPodOver(pod, inputs),
    silentSince,
    signedAt: instant(seen.heartbeats[nodeName ?? '']),
    fate: undefined,
  };
  return { ...worker, ...(worker.isOver ? endOf(worker, pod, same, inputs) : progressIn(worker, pod, node, now)) };
}

/** Since when its node does not answer; undefined for one that does, and for a Pod without one. */
function silenceOf({ spec }: Pod, { seen, now }: Inputs): Instant | undefined {
  if (spec?.nodeName === undefined) return undefined;
  const node = nodeNamed(spec.nodeName, seen);
  if (node && readiness(node) === 'True' && !isOutOfService(node)) return undefined;
  return Math.min(silentSinceOf(node) ?? now, now);
}

/** When it was Ready: its program has no probe, so one that came and went unseen was Ready as soon as it ran. */
function startIn(pod: Pod, progress: Progress, silentSince: Instant | undefined, now: Instant): string | undefined {
  const ended = instant(pod.status?.containerStatuses?.[0]?.state?.terminated?.startedAt) ?? 0;
  // A start that failed has the year 1970.
  const unseen = progress === 'finished' && ended > 0 ? ended : undefined;
  const isUp = progress === 'ready' && silentSince === undefined;
  const at = isUp ? (conditionSince(pod, 'Ready', 'True') ?? now) : unseen;
  return at === undefined ? undefined : iso(wholeSeconds(Math.min(at, now)));
}

function progressIn(worker: Worker, pod: Pod, node: Node | undefined, now: Instant): Partial<Worker> {
  const { progress, silentSince } = worker;
  if (silentSince !== undefined)
    return { phase: 'lost', ...(now - silentSince >= SILENT_MS && { blames: 'node' as const }) };
  const isUp = progress === 'ready' || progress === 'started';
  const podIP = isUp ? pod.status?.podIP : undefined;
  const phase = progress === 'ready' ? 'running' : progress === 'unplaced' ? 'waiting' : 'starting';
  const fate = fateOf(pod, node);
  return { phase, ...(podIP && { podIP }), ...(fate !== undefined && { fate, blames: blameOf(fate) }) };
}

function endOf(worker: Worker, pod: Pod, same: TaskWorker | undefined, { seen, now }: Inputs): Partial<Worker> {
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
  const isGivenUp = worker.progress !== 'finished';
  const isWell = !isGivenUp && (ended ? ended.exitCode === 0 : pod.status?.phase === 'Succeeded');
  const before = isWell || isGivenUp ? undefined : initFailure(pod);
  const exit = isWell
    ? 'exit code 0'
    : (same?.exit ?? exitIn(pod, isGivenUp, nodeNamed(pod.spec?.nodeName, seen))).slice(0, 64);
  const blames = isWell ? undefined : blameOf(exit);
  const { exitCode, lastLines } = before && exitBefore(before) === exit ? before : lastWordsOf(pod);
  return {
    phase: isWell ? 'succeeded' : exit === 'Stopped' ? 'stopped' : 'failed',
    endedAt: same?.endedAt ?? endIn(worker, instant(ended?.finishedAt) ?? 0, seen, now),
    exit,
    ...(exitCode !== undefined && { exitCode }),
    lastLines: blames === 'program' ? lastLines : '',
    blames,
  };
}

/** As the kubelet says, otherwise its node's last sign of life; not before its start, and not in the future. */
function endIn({ node, startedAt }: Worker, finishedAt: Instant, seen: TaskSeen, now: Instant): string {
  const at = finishedAt > 0 ? finishedAt : lastSign(node, seen, now);
  return iso(Math.max(instant(startedAt) ?? 0, wholeSeconds(Math.min(at, now))));
}

/** An end that we asked for, by the deadline or by a removal, is no failure of anybody's. */
function exitIn(pod: Pod, isGivenUp: boolean, node: Node | undefined): string {
  if (isGivenUp) return 'NodeGone';
  if (pod.spec?.activeDeadlineSeconds !== undefined) return 'Stopped';
  if (isDisplaced(pod, node)) return 'Displaced';
  const exit = podExit(pod);
  // The node says nothing of a Pod whose first containers failed.
  const failure = exit === NOT_STARTED ? initFailure(pod) : undefined;
  return failure ? exitBefore(failure) : exit;
}

/** A rehearsal is the program itself, and its codes are the program's; whatever else runs before takes the input in. */
function exitBefore({ name, exitCode, isOutOfMemory }: InitFailure): string {
  if (name !== TASK_REHEARSAL) return INPUTS_NOT_FETCHED;
  return isOutOfMemory ? DOES_NOT_FIT : `exit code ${exitCode}`;
}

function isEndAwaited(pod: Pod, node: Node | undefined, now: Instant): boolean {
  const runs = pod.status?.containerStatuses?.[0]?.state?.running !== undefined;
  if (!isTerminal(pod) || !runs || readiness(node) !== 'True') return false;
  const since = conditionSince(pod, 'Ready', 'False');
  return since !== undefined && now - since < END_REPORTED_MS;
}

/** Without what only plans need. */
export function recordOf({
  pod_: _pod,
  progress: _progress,
  lastLines: _lines,
  blames: _blames,
  isOver: _over,
  silentSince: _silent,
  signedAt: _signed,
  fate: _fate,
  ...record
}: Worker): TaskWorker {
  return record;
}

/** The combined use of `count` workers, as their Pod requests it. */
export function usesOf({ spec, metadata }: Pod, count: number): Use[] {
  const asked = spec?.containers[0]?.resources?.requests ?? {};
  const gpus = quantity(asked[GPU_RESOURCE]);
  const model = spec?.nodeSelector?.[LABEL.gpuModel];
  // On a host of the organisation's it is paid for with the host.
  const of = (resource: string) => (metadata.annotations?.[ANNOTATION.host] ? `hosted-${resource}` : resource);
  return [
    ...(gpus > 0 ? [{ resource: of('gpu'), ...(model !== undefined && { model }), quantity: gpus * count }] : []),
    { resource: of('cpu'), quantity: milli(quantity(asked.cpu) * count) },
    sizeUse(of('memory'), quantity(asked.memory) * count),
  ];
}
