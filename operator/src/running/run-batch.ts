// The batch Job of a run, one step at a time: made for a recorded run, its workers ended when the run is, and everything let go once
// its end is in the books and its logs are saved.
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { type Patch, targetOf } from '@gantry/kube/resource.ts';
import { instant } from '../metering.ts';
import { everStarted, progressOf, wentWithNode } from '../pod-progress.ts';
import { isMetered } from '../resources.ts';
import { type EndedPod, type LogPlan, planLogs } from '../run-logs.ts';
import { isWithdrawn } from './books.ts';
import { desiredBatchJob, runLabels } from './desired.ts';
import type { Children, Facts } from './facts.ts';
import { runOf } from './reads.ts';
import { endedStrays } from './strays.ts';
import { indexOf, isPodOver } from './workers.ts';

/** Which logs to save, and which Pods wait for theirs. */
export function logsOf(f: Facts): LogPlan {
  const { owner, seen, status, now, deleting, strays, aside, workers } = f;
  if (deleting) return { create: [], remove: [], held: new Set() };
  const ended = [
    ...strays.filter((pod) => isPodOver(pod, f)),
    ...workers.flatMap((one) => (one.isOver && one.pod_ ? [one.pod_] : [])),
  ];
  const asEnded = (pod: Pod): EndedPod => ({
    pod,
    run: runOf(pod),
    part: indexOf(pod) || 0,
    endedAt: Math.min(now, instant(pod.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt) ?? now),
    hasLog:
      everStarted(pod) &&
      !wasNeverSeen(pod, f) &&
      !wentWithNode(pod) &&
      !aside.includes(pod) &&
      !Number.isNaN(indexOf(pod)),
  });
  return planLogs({
    owner,
    ended: ended.map(asEnded),
    snapshots: seen.snapshots,
    agents: seen.agents,
    isRecorded: (run, part) =>
      [...(status.runs ?? []), { seq: status.run?.seq, workers: status.workers }].some(
        ({ seq, workers: of }) => seq === run && of?.some((one) => one.index === part && one.log !== undefined),
      ),
    now,
  });
}

/** The kubelet lost sight of it, or never had one of its container: without a start in the books there is no log to look for. */
const wasNeverSeen = (pod: Pod, { workers, status }: Facts): boolean =>
  pod.status?.containerStatuses?.[0]?.state?.terminated?.reason === 'ContainerStatusUnknown' &&
  ![...workers, ...(status.workers ?? [])].some(
    ({ podUID, startedAt }) => podUID === pod.metadata.uid && startedAt !== undefined,
  );

export function childrenOf(f: Facts, logs: LogPlan): Required<Children> {
  const steps = [letGo(f, logs), endRun(f), startRun(f), mend(f)];
  return {
    create: [...logs.create, ...steps.flatMap(({ create = [] }) => create)],
    patch: steps.flatMap(({ patch = [] }) => patch),
    remove: [...logs.remove, ...steps.flatMap(({ remove = [] }) => remove)],
  };
}

/** Pods of runs that are over, and those that a suspension ended: stamped and saved, so the finalizer has done its work. */
function letGo(f: Facts, { held }: LogPlan): Children {
  const { strays, aside, seen, run } = f;
  const done = [...endedStrays(f), ...aside.filter((pod) => isPodOver(pod, f))].filter(
    ({ metadata }) => !held.has(metadata.uid ?? ''),
  );
  // One of an older run that still runs has no business to.
  const running = strays.filter((pod) => !isPodOver(pod, f));
  const isWaitedFor = (batchRun: number) =>
    strays.some((pod) => runOf(pod) === batchRun && held.has(pod.metadata.uid ?? ''));
  const batches = seen.batchJobs.filter((one) => runOf(one) !== run?.seq && !isWaitedFor(runOf(one)));
  return {
    patch: done.filter(isMetered).map((pod) => ({ ...targetOf(pod), ...withoutMetered(pod) })),
    remove: [
      ...[...done, ...running].filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf),
      ...batches.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(removal),
    ],
  };
}

const removal = (batch: Facts['seen']['batchJobs'][number]) => ({
  ...targetOf(batch),
  propagation: 'Background' as const,
});

/** Ends the workers of a run whose end is decided. A silent node's are left alone. */
function endRun(f: Facts): Children {
  const { run, workers, batch } = f;
  // Without credit, what waits in the queue may not be let in.
  if (run && batch && run.exit === undefined && batch.metadata.deletionTimestamp === undefined && isWithdrawn(f))
    return { remove: [removal(batch)] };
  if (run?.exit === undefined) return {};
  const pods = workers.flatMap((one) => (one.isOver || one.silentSince !== undefined || !one.pod_ ? [] : [one.pod_]));
  const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const started = (pod: Pod) => ['started', 'ready'].includes(progressOf(pod));
  return {
    // The deadline stops a container in place, with an exact end, and leaves its log to be saved.
    patch: present
      .filter((pod) => started(pod) && pod.spec?.activeDeadlineSeconds === undefined)
      .map((pod) => ({ ...targetOf(pod), body: { spec: { activeDeadlineSeconds: 1 } } })),
    remove: present.filter((pod) => !started(pod)).map(targetOf),
  };
}

/** The batch Job of a recorded run, once nothing of an older one is left that may still run. */
function startRun(f: Facts): Children {
  const { ran, owner, run, batch, seen, settings, power, credit, trouble, strays, now } = f;
  if (!run || batch || run.exit !== undefined || run.queuedAt !== undefined || power !== 'Running') return {};
  if (credit.isUnpaid || (instant(run.notBefore) ?? 0) > now) return {};
  const isTaken = seen.batchJobs.length > 0 || strays.some((pod) => !isPodOver(pod, f));
  // A refused creation is retried.
  const isHeld = trouble !== undefined && !RETRIED.includes(trouble.reason);
  return isTaken || (isHeld && !isRefused(f)) ? {} : { create: [desiredBatchJob(ran, owner, run, seen, settings)] };
}

const RETRIED: readonly string[] = ['NameTaken', 'Refused'];
const isRefused = ({ refusals, trouble }: Facts): boolean =>
  refusals.some(({ kind }) => kind === 'Job') &&
  trouble !== undefined &&
  ['QuotaExceeded', 'OutOfCredit'].includes(trouble.reason);

/** Manual changes: labels, by which others find a worker, and the finalizer that holds it until its end is recorded. */
function mend({ owner, run, workers }: Facts): Children {
  const patch: Patch[] = [];
  for (const { pod_: pod, isOver } of workers) {
    if (!run || !pod || isOver || pod.metadata.deletionTimestamp !== undefined) continue;
    const labels = runLabels(owner, run.seq);
    const bears = Object.entries(labels).every(([name, value]) => pod.metadata.labels?.[name] === value);
    if (!bears) patch.push({ ...targetOf(pod), body: { metadata: { labels } } });
    if (!isMetered(pod)) patch.push({ ...targetOf(pod), ...withFinalizers(pod, [...others(pod), FINALIZER.metered]) });
  }
  return { patch };
}

/** A merge patch replaces the whole list, so it counts only for the list that was seen. */
const withFinalizers = ({ metadata }: Pod, finalizers: string[]): Pick<Patch, 'body' | 'resourceVersion'> => ({
  body: { metadata: { finalizers } },
  ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
});
const others = ({ metadata }: Pod): string[] => (metadata.finalizers ?? []).filter((one) => one !== FINALIZER.metered);
const withoutMetered = (pod: Pod) => withFinalizers(pod, others(pod));
