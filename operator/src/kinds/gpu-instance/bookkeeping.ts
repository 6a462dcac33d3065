// Facts that are recorded before anything is done: the current run, its intervals, and where it rests. A Pod is created only for a
// recorded run and released only once its end is recorded, so that a crash in between loses nothing.

import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { RunRecord } from '@gantry/contract/fields/runs.ts';
import { returnFrom } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant, iso, wholeSeconds } from '../../metering.ts';
import { conditionSince, PLATFORM_EXITS } from '../../pod-progress.ts';
import { withLogs, withRun } from '../../runs.ts';
import type { Facts } from './facts.ts';
import { afterHold, withHold } from './hold.ts';
import type { SavedHome } from './home/claim.ts';
import { savedHome } from './home/hibernation.ts';
import { intervalsOf } from './intervals.ts';
import { keptAtRest, notebookRunOf } from './notebook.ts';
import { NETWORK_TIMEOUT_MS } from './phase.ts';
import { type Run, startOf } from './pod-facts.ts';
import { runRecord } from './run-record.ts';
import { type SavedRoot, savedRoot } from './saving/root.ts';

/** The status's record of runs; the phase and its words are added to it. */
export interface Books {
  run: Run | undefined;
  settledPower: string | undefined;
  rebootCount: number;
  everReady: boolean;
  /** The run that began with the present notebook token. */
  notebookRun: number | undefined;
  intervals: readonly Interval[];
  root: SavedRoot | undefined;
  home: SavedHome | undefined;
  runs: readonly RunRecord[];
}

const BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 5 * 60_000;
/** After this long of Ready an exit counts as the first again. */
const STEADY_MS = 10 * 60_000;

export function booksOf(f: Facts): Books {
  const { status } = f;
  const before: Books = {
    run: status.run,
    settledPower: status.settledPower,
    rebootCount: status.rebootCount ?? f.owner.spec.rebootCount,
    everReady: status.everReady ?? false,
    notebookRun: status.notebookRun,
    intervals: status.intervals ?? [],
    root: savedRoot(f),
    home: savedHome(f),
    runs: withLogs(status.runs ?? [], f.seen.snapshots, f.settings, f.now),
  };
  const used = withHold(f, withEndAwaited(f, withReady(f, withAnswer(f, before))));
  const books = { ...used, intervals: intervalsOf(f, used) };
  const current = f.run && books.run;
  // At rest another resting state is a change of the word alone.
  if (!current)
    return f.power === 'Running'
      ? withToken(f, { ...books, ...begun(f, undefined) })
      : withToken(f, { ...books, settledPower: f.power });
  if (!isRunOver(f)) return books;
  const record = runRecord(f, current);
  const over = record ? { ...books, runs: withRun(books.runs, record) } : books;
  return withToken(f, { ...over, ...(f.power === 'Running' ? begun(f, current) : rested(f, current)) });
}

/** A run that begins, or a rest, decides whose token there is. */
function withToken({ power }: Facts, books: Books): Books {
  const { run, notebookRun } = books;
  return {
    ...books,
    notebookRun: power === 'Running' ? run && notebookRunOf(run, notebookRun) : keptAtRest(power, notebookRun),
  };
}

/** Over: the container ended; or there is no Pod, and none will follow in this run. */
function isRunOver({ run, power, pods: { progress }, rebootWanted }: Facts): boolean {
  if (progress !== 'none') return progress === 'finished';
  return power !== 'Running' || rebootWanted || run?.readyAt !== undefined || run?.answeredAt !== undefined;
}

/**
 * Notes when one could first log in to a run whose notebook is awaited: Kubernetes keeps no such moment. `started` says that
 * SSH answered, or that nobody asks it. One that came and went unseen answered, if it ran longer than a network may take.
 */
function withAnswer(f: Facts, books: Books): Books {
  const { run, owner, now } = f;
  const { current, progress, finishedAt, isLost } = f.pods;
  if (
    !run ||
    run.readyAt !== undefined ||
    run.answeredAt !== undefined ||
    owner.spec.notebookPort === undefined ||
    isLost
  )
    return books;
  const began = startOf(f.pods) ?? 0;
  const isOpen = progress === 'started' && current?.status?.containerStatuses?.[0]?.started === true;
  const wasOpen = finishedAt !== undefined && began > 0 && finishedAt - began >= NETWORK_TIMEOUT_MS;
  if (!isOpen && !wasOpen) return books;
  return { ...books, run: { ...run, answeredAt: iso(wasOpen ? began : wholeSeconds(now)) } };
}

function withReady(f: Facts, books: Books): Books {
  const { run } = books;
  if (!run || run.readyAt !== undefined || !f.run) return books;
  const { current, progress } = f.pods;
  const at = progress === 'ready' ? conditionSince(current, 'Ready', 'True') : readyUnseen(f);
  if (at === undefined) return books;
  return { ...books, settledPower: undefined, everReady: true, run: { ...run, readyAt: iso(at) } };
}

/** Records since when the end of a finished run is awaited: Kubernetes does not record when a Pod failed. */
function withEndAwaited(f: Facts, books: Books): Books {
  const { run } = books;
  if (!run || run.givenUpAt !== undefined || f.pods.endDueBy === undefined) return books;
  return { ...books, run: { ...run, givenUpAt: iso(wholeSeconds(f.now)) } };
}

/** A container that ran this long was Ready, unless a probe had to say so: the kubelet reports within a second or two. */
const SURELY_READY_MS = 5000;

/** For a run that came and went while no operator looked: it was used, so it counts. */
function readyUnseen({ pods: { current, finishedAt }, owner }: Facts): Instant | undefined {
  const began = instant(current?.status?.containerStatuses?.[0]?.state?.terminated?.startedAt);
  if (began === undefined || finishedAt === undefined || owner.spec.notebookPort !== undefined) return undefined;
  return finishedAt - began >= SURELY_READY_MS && began > 0 ? began : undefined;
}

/** The next run. `ended` is the one that just ended while it was still wanted. */
function begun(f: Facts, ended: Run | undefined): Pick<Books, 'run' | 'rebootCount'> {
  const { status, owner } = f;
  const seq = (status.run?.seq ?? 0) + 1;
  const rebootCount = owner.spec.rebootCount;
  if (status.run && f.rebootWanted) return { rebootCount, run: { seq, cause: 'hardReboot' } };
  if (!ended) {
    const cause = status.run ? returnFrom(status.settledPower).cause : 'first';
    return { rebootCount, run: { seq, cause } };
  }
  if (f.pods.isEdited) return { rebootCount, run: { seq, cause: 'update' } };
  if (ended.freedAt !== undefined) return { rebootCount, run: { seq, ...afterHold(f, ended) } };
  // It waited for a place that there is no more; it is made again once there is.
  if (f.hopeless && ended.readyAt === undefined) return { rebootCount, run: { seq, cause: ended.cause } };
  // Stopped by us and wanted again before it had ended.
  if (f.pods.current?.spec?.activeDeadlineSeconds !== undefined) return { rebootCount, run: { seq, cause: 'resume' } };
  return { rebootCount, run: { seq, cause: 'crash', ...backOffAfter(f, ended) } };
}

/**
 * If the tenant's program ended on its own, the next start waits 10 s, doubled up to 5 min. After an end caused by the platform
 * it starts at once, unless it had not even become Ready: a node that evicts everything must not be offered new Pods without
 * pause.
 */
function backOffAfter({ pods, now }: Facts, ended: Run): Partial<Run> {
  const { exit: lastExit, lastLines, finishedAt } = pods;
  if (PLATFORM_EXITS.includes(lastExit) && ended.readyAt !== undefined) return { lastExit, exits: ended.exits ?? 0 };
  const at = finishedAt ?? now;
  const steady = at - (instant(ended.readyAt) ?? at) >= STEADY_MS;
  const exits = (steady ? 0 : (ended.exits ?? 0)) + 1;
  const backOffMs = Math.min(BACK_OFF_MS * 2 ** (exits - 1), MAX_BACK_OFF_MS);
  return { lastExit, ...(lastLines && { lastLines }), exits, notBefore: iso(at + backOffMs) };
}

function rested(f: Facts, ended: Run): Pick<Books, 'run' | 'settledPower' | 'rebootCount'> {
  const { current, finishedAt } = f.pods;
  const endedAt = iso(finishedAt ?? instant(ended.givenUpAt) ?? conditionSince(current, 'Ready', 'False') ?? f.now);
  return { rebootCount: f.owner.spec.rebootCount, settledPower: f.power, run: { ...ended, endedAt } };
}
