// The books of a task: its run from the queue to its end, its workers, what is billed, and the runs before.

import type { Interval } from '@gantry/contract/fields/metering.ts';
import { MOST_LAST_LINES, MOST_RUNS } from '@gantry/contract/fields/runs.ts';
import { MOST_WORKER_RECORDS, type TaskRun, type TaskWorker } from '@gantry/contract/fields/task.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant, iso, kept, wholeSeconds } from '../metering.ts';
import { withPartLogs } from '../run-logs.ts';
import { type Facts, isDone, type Run } from './facts.ts';
import { billable, billedBefore, intervalsOf, isSettled, withFormer } from './intervals.ts';
import { isJustAsked } from './queue.ts';
import { runOf } from './reads.ts';
import {
  culpritOf,
  isUnclear,
  meaningOf,
  NOT_ALL_PLACED,
  NOT_ALL_STARTED,
  nextAfter,
  SUCCEEDED,
  TOO_LONG,
  verdictOf,
  withExcluded,
} from './retries.ts';
import { withStrays } from './strays.ts';
import { placeDeadline, stuckDeadline, stuckIn } from './stuck.ts';
import { indexOf, isPodOver, isSetAside, recordOf, usesOf } from './workers.ts';

export interface Books {
  run: Run | undefined;
  workers: readonly TaskWorker[];
  runs: readonly TaskRun[];
  excludedNodes: readonly string[];
  intervals: readonly Interval[];
}

export function booksOf(f: Facts): Books {
  const { status, run } = f;
  const known = withStrays(f);
  const before: Books = {
    run: status.run,
    workers: status.run ? withSavedLogs(f, status.run, status.workers ?? []) : (status.workers ?? []),
    runs: withLogsOf(f, status.runs ?? []),
    excludedNodes: status.excludedNodes ?? [],
    intervals: kept(known, f.owner, f.settings.creditGate),
  };
  if (!run) return isWanted(f) ? { ...before, run: begun(f), workers: [] } : before;
  const moved = withEnding(f, withMoments(f, run));
  const workers = withSavedLogs(f, run, f.workers.map(recordOf)).map((one) => endedWith(moved, one));
  const books: Books = {
    ...before,
    run: moved,
    // One that waits is news once the queue has let all of them in.
    workers: moved.admittedAt !== undefined && moved.exit === undefined ? workers : workers.filter(hasBegun),
    intervals: billed(f, moved, workers, known),
  };
  return isOver(f, moved) ? ended(f, books, moved) : books;
}

/** As the first worker of a run ends, Kubernetes deletes the others, sometimes before we stop them: nobody took those away. */
function endedWith({ exit, worker }: Run, one: TaskWorker): TaskWorker {
  const isTaken = one.index === worker || (exit === 'Deleted' && worker === undefined);
  return exit === undefined || one.exit !== 'Deleted' || isTaken ? one : { ...one, phase: 'stopped', exit: 'Stopped' };
}

const hasBegun = ({ phase, endedAt }: TaskWorker): boolean => phase !== 'waiting' || endedAt !== undefined;

const isWanted = (f: Facts): boolean => f.power === 'Running' && !isDone(f) && !f.isTemplate;

function begun({ status, owner }: Facts): Run {
  const runCount = owner.spec.runCount ?? 0;
  const { run } = status;
  const cause = !run ? 'first' : run.runCount === runCount ? 'resume' : 'again';
  return { seq: (run?.seq ?? 0) + 1, cause, runCount };
}

/** When it was queued, admitted, ready; and when the queue took its place back. */
function withMoments(f: Facts, run: Run): Run {
  const { batch, workers, seen, now } = f;
  if (run.exit !== undefined) return run;
  if (!batch) {
    const { queuedAt: _queued, admittedAt: _admitted, ...rest } = run;
    return isWithdrawn(f) ? rest : run;
  }
  if (run.queuedAt === undefined && isJustAsked(f)) return run;
  const at = iso(wholeSeconds(now));
  const queuedAt = run.queuedAt ?? batch.metadata.creationTimestamp ?? at;
  const { admittedAt, startedAt, stuckSince, ...waits } = run;
  // Kueue resumes it a moment after it has let it in.
  if (batch.spec?.suspend === true && seen.place?.state !== 'admitted') {
    const isPreempted = admittedAt !== undefined;
    return { ...waits, queuedAt, ...(isPreempted && { preemptedAt: at }) };
  }
  const admitted = admittedAt ?? seen.place?.admittedAt ?? batch.status?.startTime ?? at;
  const readyAt = workers.map((one) => instant(one.startedAt));
  const isStarted = readyAt.length > 0 && readyAt.every((one) => one !== undefined);
  const started = startedAt ?? (isStarted ? iso(Math.max(...(readyAt as number[]))) : undefined);
  const isStuck = started === undefined && stuckIn(f) !== undefined;
  return {
    ...waits,
    queuedAt,
    admittedAt: admitted,
    ...(started !== undefined && { startedAt: started }),
    ...(isStuck && { stuckSince: stuckSince ?? at }),
  };
}

/** Why the run is over, decided once: from then on its workers are ended. */
function withEnding(f: Facts, run: Run): Run {
  if (run.exit !== undefined) return run;
  const { workers, batch, power } = f;
  if (workers.length > 0 && workers.every(isWell)) return { ...run, exit: SUCCEEDED, exitCode: 0 };
  if (power !== 'Running') return { ...run, exit: 'Stopped' };
  if (hasFailed(batch, 'DeadlineExceeded') || isTooLong(f)) return { ...run, exit: TOO_LONG };
  if (isUnclear(workers, f.now)) return run;
  const culprit = culpritOf(workers);
  if (culprit) return endedBy(culprit, run);
  if (isPast(stuckDeadline(run), f)) return stuckBy(f, run);
  if (isPast(placeDeadline(f, run), f)) return { ...run, exit: NOT_ALL_PLACED };
  if (isPast(startDeadline(f, run), f)) return { ...run, exit: NOT_ALL_STARTED };
  // Its batch Job is gone, or has failed for a reason that no worker shows.
  const isGone = run.queuedAt !== undefined && !batch && !isWithdrawn(f);
  return isGone || (unexplainedAt(f, run) ?? Number.POSITIVE_INFINITY) <= f.now ? { ...run, exit: 'Deleted' } : run;
}

/** Batch Jobs and Pods are watched apart: the one may be seen to have failed before the other. */
const EXPLAINED_WITHIN_MS = 10_000;

/** When a batch Job that failed has done so for no reason that its workers show. */
export function unexplainedAt({ batch }: Facts, run: Run | undefined): Instant | undefined {
  if (run === undefined || run.exit !== undefined || !hasFailed(batch)) return undefined;
  const failed = batch?.status?.conditions?.filter(({ type, status }) => FAILED.includes(type) && status === 'True');
  return Math.min(...(failed ?? []).map((one) => instant(one.lastTransitionTime) ?? 0)) + EXPLAINED_WITHIN_MS;
}
const FAILED: readonly string[] = ['Failed', 'FailureTarget'];

/** Kubernetes deletes the Pods first, and says why a moment later. */
function isTooLong({ batch, now }: Facts): boolean {
  const [since, limitS] = [instant(batch?.status?.startTime), batch?.spec?.activeDeadlineSeconds];
  return since !== undefined && limitS !== undefined && batch?.spec?.suspend !== true && since + limitS * 1000 <= now;
}

const SILENT_EXIT: Partial<Record<TaskWorker['phase'], string>> = { lost: 'NodeGone' };

function endedBy({ index, phase, node, exit, exitCode, lastLines, fate }: Facts['workers'][number], run: Run): Run {
  return {
    ...run,
    exit: exit ?? SILENT_EXIT[phase] ?? fate ?? 'Deleted',
    worker: index,
    ...(node !== undefined && { node }),
    ...(exitCode !== undefined && { exitCode }),
    ...(lastLines !== '' && { lastLines }),
  };
}

const isWell = ({ phase }: TaskWorker): boolean => phase === 'succeeded';

function hasFailed(batch: Facts['batch'], reason?: string): boolean {
  return (
    batch?.status?.conditions?.some(
      (one) => FAILED.includes(one.type) && one.status === 'True' && (reason === undefined || one.reason === reason),
    ) ?? false
  );
}

/** Taken out of the queue by us: without credit it may not be let in. */
export const isWithdrawn = ({ run, credit, workers, seen, hopeless }: Facts): boolean =>
  run?.startedAt === undefined &&
  // Billing looks at every edit again, and answers within moments.
  (credit.hasTooManyRuns ||
    hopeless !== undefined ||
    (credit.trouble !== undefined && credit.trouble.reason !== 'WaitingForCredit')) &&
  !seen.pods.some((pod) => runOf(pod) === run?.seq) &&
  workers.every((one) => one.startedAt === undefined);

/** All start, or none: the moment by which all have to be ready. */
export function startDeadline({ ran, owner, settings, workers }: Facts, run: Run | undefined): Instant | undefined {
  if (!run || run.admittedAt === undefined || run.startedAt !== undefined || run.exit !== undefined) return undefined;
  // A worker that already succeeded was ready.
  if (workers.length > 0 && workers.every((one) => one.startedAt !== undefined)) return undefined;
  const at = instant(run.admittedAt);
  return at === undefined ? undefined : at + settings.createTimeoutMs + (ran.arrivesMs?.(owner) ?? 0);
}

const isPast = (deadline: Instant | undefined, { now }: Facts): boolean =>
  (deadline ?? Number.POSITIVE_INFINITY) <= now;

/** Its reason, and the kubelet's words for it. */
function stuckBy(f: Facts, run: Run): Run {
  const { reason = 'BadConfig', args = {} } = stuckIn(f) ?? {};
  const lines = args.detail ?? [args.secret, args.key].filter(Boolean).join('/');
  return { ...run, exit: reason, ...(lines && { lastLines: lines.slice(0, MOST_LAST_LINES) }) };
}

/** Its end is decided, and nothing of it runs any more, as far as anybody will ever know. */
const isOver = (f: Facts, run: Run): boolean =>
  run.exit !== undefined && f.workers.every((one) => one.isOver) && f.aside.every((pod) => isPodOver(pod, f));

function billed(f: Facts, run: Run, after: readonly TaskWorker[], known: readonly Interval[]): readonly Interval[] {
  const { status, batch, seen, owner, now } = f;
  const pod = seen.pods.find(
    (one) => one.metadata.labels?.[LABEL.run] === String(run.seq) && !!one.spec?.containers[0]?.resources,
  );
  const line = intervalsOf(known, {
    subjectUID: batch?.metadata.uid ?? known.at(-1)?.subjectUID ?? identityOf(owner),
    run: run.seq,
    ...withFormer(
      {
        before: billedBefore(status.workers ?? [], run.seq, status.run?.startedAt, known),
        after: billable(after, run.startedAt),
      },
      { former: f.former.map((one) => ({ ...recordOf(one), isOver: one.isOver })), known, run: run.seq },
    ),
    unseen: unseenIn(f, run, known),
    uses: pod && ((count) => usesOf(pod, count)),
    lastSign: (worker) => lastSignOf(worker, f),
    now,
  });
  return kept(line, owner, f.settings.creditGate);
}

/**
 * Pods that a suspension ends between two looks. Once that is billed, an interval with their worker reaches beyond their start: so it
 * does, too, where they were seen, and nothing is billed twice.
 */
function unseenIn(f: Facts, { seq }: Run, known: readonly Interval[]) {
  return f.aside.flatMap((pod) => {
    const index = indexOf(pod);
    const [from = 0, end = 0] = ranIn(pod);
    // The next Pod of its worker may be there already.
    const next = instant(f.workers.find((one) => one.index === index)?.startedAt);
    const to = Math.min(end, next ?? Number.POSITIVE_INFINITY);
    const stretch = { index, from: wholeSeconds(from), to: wholeSeconds(to) };
    const isNone = from <= 0 || to <= from || to > f.now || Number.isNaN(index);
    return isNone || isSettled(known, { run: seq, ...stretch }) ? [] : [stretch];
  });
}

/** By the kubelet's own word, in which a start that failed has the year 1970. */
function ranIn(pod: Pod): [from: Instant | undefined, to: Instant | undefined] {
  const { terminated } = pod.status?.containerStatuses?.[0]?.state ?? {};
  return [instant(terminated?.startedAt), instant(terminated?.finishedAt)];
}

function lastSignOf(
  { node, podUID }: { node?: string | undefined; podUID?: string | undefined },
  { seen, now, aside, batch }: Facts,
): Instant {
  const own = aside.find(({ metadata }) => metadata.uid === podUID);
  const finished =
    own && isSetAside(own, batch)
      ? instant(own.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt)
      : undefined;
  if (finished !== undefined && finished > 0) return finished;
  const found = seen.nodes.find(({ metadata }) => metadata.name === node);
  const isHeard = found?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return isHeard ? now : (instant(seen.heartbeats[node ?? '']) ?? now);
}

/** Recorded, and followed by the run that makes up for it, if one does. */
function ended(f: Facts, books: Books, run: Run): Books {
  const { now, owner } = f;
  const workers = books.workers
    .filter(hasBegun)
    .map((one) => (one.endedAt === undefined && one.startedAt !== undefined ? closed(one, f) : one));
  const ends = workers.flatMap((one) => instant(one.endedAt) ?? []);
  const endedAt = iso(ends.length > 0 ? Math.min(Math.max(...ends), wholeSeconds(now)) : wholeSeconds(now));
  const over: Run = { ...run, endedAt };
  const verdict = verdictOf(over);
  const isFault = verdict === 'node';
  const runs = withRun(books.runs, over, workers);
  const excludedNodes = isFault ? withExcluded(books.excludedNodes, run.node) : books.excludedNodes;
  const isLast = f.power !== 'Running' || meaningOf(f.ran, over)?.isRetried === false;
  const next = isLast ? undefined : nextAfter(over, { retries: owner.spec.retries ?? 0, now });
  return { ...books, workers: next ? [] : workers, runs, excludedNodes, run: next ?? over };
}

function closed(worker: TaskWorker, f: Facts): TaskWorker {
  const { podIP: _, ...one } = worker;
  const at = Math.max(
    instant(worker.startedAt) ?? 0,
    Math.min(wholeSeconds(lastSignOf(worker, f)), wholeSeconds(f.now)),
  );
  return { ...one, phase: 'failed', endedAt: iso(at), exit: worker.exit ?? 'NodeGone' };
}

/** Newest first. A run is recorded once; older runs lose their workers before they go themselves. */
function withRun(known: readonly TaskRun[], run: Run, workers: readonly TaskWorker[]): readonly TaskRun[] {
  const { seq, cause, queuedAt, startedAt, endedAt = '', exit = 'Stopped', exitCode } = run;
  const record: TaskRun = {
    seq,
    cause,
    ...(queuedAt !== undefined && { queuedAt }),
    ...(startedAt !== undefined && { startedAt }),
    endedAt,
    exit,
    ...(exitCode !== undefined && { exitCode }),
    ...(workers.length > 0 && {
      workers: workers.map(({ podUID: _uid, node: _node, podIP: _ip, phase: _phase, ...one }) => one),
    }),
  };
  let left = MOST_WORKER_RECORDS;
  return [record, ...known.filter((one) => one.seq !== seq)].slice(0, MOST_RUNS).map(({ workers: of, ...one }) => {
    left -= of?.length ?? 0;
    return { ...one, ...(of && left >= 0 && { workers: of }) };
  });
}

/** A worker may have ended long before the run does. */
function withSavedLogs(
  { status, seen, settings, now }: Facts,
  { seq, endedAt }: Pick<Run, 'seq' | 'endedAt'>,
  workers: readonly TaskWorker[],
): TaskWorker[] {
  const known = workers.map((one) => {
    const same = status.workers?.find(({ index, podUID }) => index === one.index && podUID === one.podUID);
    return { ...one, ...(same?.log && { log: same.log }) };
  });
  // While this run is under way, a Snapshot belongs to another Pod.
  return withPartLogs(known, { seq, endedAt, at: 0 }, seen.snapshots, settings, now).map(({ log, ...one }) => ({
    ...one,
    ...(log && one.endedAt !== undefined && { log }),
  }));
}

function withLogsOf({ seen, settings, now }: Facts, runs: readonly TaskRun[]): readonly TaskRun[] {
  return runs.map((one, at) =>
    one.workers
      ? {
          ...one,
          workers: withPartLogs(one.workers, { seq: one.seq, endedAt: one.endedAt, at }, seen.snapshots, settings, now),
        }
      : one,
  );
}
