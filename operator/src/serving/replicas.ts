// Facts from each replica's Pod: how far it is, since when it is used, and whether it has ended.
import type { ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import { MOST_REPLICAS } from '@gantry/contract/kinds/container-service-schema.ts';
import { GROUP_PART, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { hasFaultyGpu } from '../faulty-gpu.ts';
import { instant, iso } from '../metering.ts';
import { conditionSince, isReady } from '../pod-progress.ts';
import type { ServiceSeen } from './reads.ts';

export type PodRecord = NonNullable<ContainerServiceStatus['pods']>[number];

/** A program can keep its probe failing and be used all the same: after so long a running container is compute. */
const SURELY_USED_MS = 60_000;
/** A busy kubelet reports a failed Pod first, and a moment later when its container ended. */
const END_REPORTED_MS = 2 * 60_000;
const MOST_PODS = MOST_REPLICAS + 8;

export interface Replica {
  pod: Pod;
  uid: string;
  record: PodRecord | undefined;
  revision: number | undefined;
  /** Which part of a replica on several nodes it is. 0: the one that answers, or the whole. */
  part: number;
  node: string | undefined;
  /** Its node is silent, or gone: nobody knows whether its container runs. */
  isLost: boolean;
  /** It has been told to end. */
  isEnding: boolean;
  /** Its container will never run again. */
  endedAt: Instant | undefined;
  isReady: boolean;
  readyAt: Instant | undefined;
  /** Since when its use is billed; undefined while it is not. */
  usedSince: Instant | undefined;
  /** A GPU of its own has failed since it was given it: it goes, and another one takes its place. */
  hasFaultyGpu: boolean;
  /** Time alone will make it used, or ended. */
  awaits: Instant | undefined;
}

/** It is there to serve: it runs, starts, or is about to. */
export const isLive = ({ isEnding, isLost, endedAt }: Replica): boolean =>
  !isEnding && !isLost && endedAt === undefined;

/** Those that answer requests: one for each replica. */
export const answering = (all: readonly Replica[]): readonly Replica[] => all.filter(({ part }) => part === 0);

const main = ({ status }: Pod) =>
  status?.containerStatuses?.find(({ name }) => name === 'main') ?? status?.containerStatuses?.[0];

export const mainOf = main;

export function replicaOf(pod: Pod, records: readonly PodRecord[], seen: ServiceSeen, now: Instant): Replica {
  const uid = pod.metadata.uid ?? '';
  const record = records.find((one) => one.uid === uid);
  const node = pod.spec?.nodeName;
  const at = node === undefined ? undefined : seen.nodes[node];
  const isLost = node !== undefined && at?.ready !== 'True';
  const isEnding = pod.metadata.deletionTimestamp !== undefined;
  const end = endOf(pod, isLost, seen, now);
  const ready = isReady(pod) && !isLost && !isTerminal(pod);
  const part = Number(pod.metadata.labels?.[GROUP_PART] ?? 0);
  const isOther = Number.isSafeInteger(part) && part > 0;
  const seenReady = isOther ? answeredSince(pod, seen) : conditionSince(pod, 'Ready', 'True');
  const readyAt = instant(record?.readyAt) ?? (seenReady === undefined ? undefined : Math.min(seenReady, now));
  const run = Number(pod.metadata.labels?.[LABEL.run]);
  const surely = surelyUsedFrom(pod);
  const replica = {
    pod,
    uid,
    record,
    revision: Number.isSafeInteger(run) && run > 0 ? run : undefined,
    part: isOther ? part : 0,
    node,
    isLost,
    isEnding,
    endedAt: end.at,
    isReady: ready && !isEnding,
    readyAt,
    hasFaultyGpu: hasFaultyGpu(pod, at?.faults ?? []),
  };
  return {
    ...replica,
    usedSince: usedSince(replica, surely, at?.since, now),
    awaits:
      end.awaited ?? (surely !== undefined && surely > now && !isLost && end.at === undefined ? surely : undefined),
  };
}

/**
 * Nothing asks a part that does not answer, and that its program runs says nothing: it is used as soon as the first part of its replica,
 * after which it is called, answers with it.
 */
function answeredSince(part: Pod, { pods }: ServiceSeen): Instant | undefined {
  const first = pods.find(({ metadata }) => metadata.name === part.metadata.name.replace(/-\d+$/, ''));
  const answers = first && !isTerminal(first) ? conditionSince(first, 'Ready', 'True') : undefined;
  const began = instant(main(part)?.state?.running?.startedAt);
  return answers === undefined || began === undefined ? undefined : Math.max(answers, began);
}

/**
 * The start of sure use by the container that runs, or ran last; undefined if that ended before. One that failed to start has the year
 * 1970.
 */
function surelyUsedFrom(pod: Pod): Instant | undefined {
  const { running, terminated } = main(pod)?.state ?? {};
  const began = instant(running?.startedAt ?? terminated?.startedAt) ?? 0;
  const at = began + SURELY_USED_MS;
  return began > 0 && at <= (terminated ? (instant(terminated.finishedAt) ?? 0) : Number.POSITIVE_INFINITY)
    ? at
    : undefined;
}

/** Between two tries of a program that ends the Pod goes on, and holds what it has. */
function endOf(pod: Pod, isLost: boolean, { leases }: ServiceSeen, now: Instant): { at?: Instant; awaited?: Instant } {
  const { deletionTimestamp } = pod.metadata;
  const node = pod.spec?.nodeName;
  if (!isTerminal(pod) && deletionTimestamp === undefined) return {};
  const { running, terminated } = main(pod)?.state ?? {};
  const finishedAt = instant(terminated?.finishedAt);
  if (terminated)
    return { at: Math.min(finishedAt !== undefined && finishedAt > 0 ? finishedAt : lastSign(pod, now), now) };
  // Nothing ran there after its last heartbeat that anybody knows of.
  if (isLost) return { at: Math.min(instant(leases[node ?? '']) ?? lastSign(pod, now), now) };
  if (!isTerminal(pod)) return node === undefined ? { at: now } : {};
  const due = lastSign(pod, now) + END_REPORTED_MS;
  return running && due > now ? { awaited: due } : { at: lastSign(pod, now) };
}

/** Since when it did not answer, or was to be gone. */
const lastSign = (pod: Pod, now: Instant): Instant =>
  Math.min(conditionSince(pod, 'Ready', 'False') ?? instant(pod.metadata.deletionTimestamp) ?? now, now);

function usedSince(
  { record, isLost, endedAt, readyAt }: Omit<Replica, 'usedSince' | 'awaits'>,
  surely: Instant | undefined,
  nodeSince: Instant | undefined,
  now: Instant,
): Instant | undefined {
  const isStamped = record?.endedAt !== undefined;
  if (isStamped) return undefined;
  const known = instant(record?.billedFrom);
  if (known !== undefined) return known;
  const since = [readyAt, surely].filter((at) => at !== undefined && at <= (endedAt ?? now)) as Instant[];
  if (isLost || since.length === 0) return undefined;
  // One that is known again after its node was lost was billed until its node's last heartbeat.
  return Math.min(
    Math.max(Math.min(...since), record ? (nodeSince ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY),
    now,
  );
}

/** Whether its use is billed at this very moment. */
const isBilledNow = ({ usedSince: since, endedAt, isLost }: Replica): boolean =>
  since !== undefined && endedAt === undefined && !isLost;

/** The status's record of the replicas: those that count first, if there are more than it holds. */
export function recordsOf(replicas: readonly Replica[], failing: (replica: Replica) => boolean): readonly PodRecord[] {
  const weight = (one: Replica): number => (isBilledNow(one) ? 0 : one.endedAt !== undefined ? 1 : 2);
  const kept = [...replicas].sort((a, b) => weight(a) - weight(b)).slice(0, MOST_PODS);
  return kept.map((one) => recordOf(one, failing(one))).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function recordOf(replica: Replica, isFailing: boolean): PodRecord {
  const { pod, uid, revision, part, node, readyAt, usedSince: since, endedAt, record, isEnding } = replica;
  const restarts = main(pod)?.restartCount;
  const runs = main(pod)?.state?.running !== undefined && !isTerminal(pod);
  const podIP = runs && endedAt === undefined ? pod.status?.podIP : undefined;
  const over = record?.endedAt ?? (endedAt === undefined ? undefined : iso(wholeOf(endedAt)));
  return {
    name: pod.metadata.name,
    uid,
    ...(revision !== undefined && { revision }),
    ...(part > 0 && { part }),
    ...(node && { node }),
    ...(podIP && { podIP }),
    phase: isEnding || endedAt !== undefined ? 'ending' : phaseOf(replica, isFailing),
    ...(readyAt !== undefined && { readyAt: iso(wholeOf(readyAt)) }),
    ...(isBilledNow(replica) && since !== undefined && { billedFrom: iso(wholeOf(since)) }),
    ...(over !== undefined && { endedAt: over }),
    ...(Number.isSafeInteger(restarts) && (restarts ?? 0) > 0 && { restarts: restarts as number }),
  };
}

const wholeOf = (at: Instant): Instant => Math.floor(at / 1000) * 1000;

function phaseOf({ isReady: ready, node }: Replica, isFailing: boolean): PodRecord['phase'] {
  if (ready) return 'ready';
  if (isFailing) return 'failing';
  return node === undefined ? 'waiting' : 'starting';
}
