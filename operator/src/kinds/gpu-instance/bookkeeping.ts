// What is written down before anything is done: the run under way, its intervals, and where it rests.
// A Pod is made only for a recorded run and let go only once its end is recorded, so that a crash in between loses nothing.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '../../resources.ts';
import { conditionSince, type Facts, instant, iso, PLATFORM_EXITS, type Run } from './facts.ts';
import { type Home, savedHome } from './home.ts';
import { NETWORK_TIMEOUT_MS } from './phase.ts';
import { type Root, savedRoot } from './saving.ts';

/** What status records of runs; the phase and its words come on top. */
export interface Books {
  run: Run | undefined;
  settledPower: string | undefined;
  rebootCount: number;
  everReady: boolean;
  intervals: readonly Interval[];
  root: Root | undefined;
  home: Home | undefined;
}

const MAX_INTERVALS = 50;
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
    intervals: status.intervals ?? [],
    root: savedRoot(f),
    home: savedHome(f),
  };
  const books = metered(f, ready(f, answered(f, before)));
  const current = f.run && books.run;
  // At rest another resting state is a change of the word alone.
  if (!current)
    return f.power === 'Running' ? { ...books, ...begun(f, undefined) } : { ...books, settledPower: f.power };
  if (!isOver(f)) return books;
  return f.power === 'Running' ? { ...books, ...begun(f, current) } : { ...books, ...rested(f, current) };
}

/** Over: the container ended; or there is no Pod, and none is to follow in this run. */
function isOver({ run, power, progress, rebootWanted }: Facts): boolean {
  if (progress !== 'none') return progress === 'finished';
  return power !== 'Running' || rebootWanted || run?.readyAt !== undefined || run?.answeredAt !== undefined;
}

const startOf = ({ pod }: Facts): Instant | undefined => {
  const main = pod?.status?.containerStatuses?.[0]?.state;
  return instant(main?.running?.startedAt ?? main?.terminated?.startedAt);
};

/**
 * Notes when one could first log in to a run whose notebook is awaited: Kubernetes keeps no such moment. `started` says that
 * SSH answered, or that nobody asks it. One that came and went unseen answered, if it ran longer than a network may take.
 */
function answered(f: Facts, books: Books): Books {
  const { run, pod, owner, finishedAt, now, lost } = f;
  if (
    !run ||
    run.readyAt !== undefined ||
    run.answeredAt !== undefined ||
    owner.spec.notebookPort === undefined ||
    lost
  )
    return books;
  const began = startOf(f) ?? 0;
  const isOpen = f.progress === 'started' && pod?.status?.containerStatuses?.[0]?.started === true;
  const wasOpen = finishedAt !== undefined && began > 0 && finishedAt - began >= NETWORK_TIMEOUT_MS;
  if (!isOpen && !wasOpen) return books;
  return { ...books, run: { ...run, answeredAt: iso(wasOpen ? began : wholeSeconds(now)) } };
}

/** As the kubelet's own moments are. */
const wholeSeconds = (at: Instant): Instant => Math.floor(at / 1000) * 1000;

/**
 * Since when a run is used: first Ready, or else, once the network has had its time, since one could log in. A port that
 * never answers must not make cards free that somebody works on.
 */
function usedSince(f: Facts, { readyAt, answeredAt }: Run): Instant | undefined {
  const ready = instant(readyAt);
  const open = instant(answeredAt);
  const silentFor = (ready ?? f.finishedAt ?? f.now) - (startOf(f) ?? f.now);
  return open !== undefined && silentFor >= NETWORK_TIMEOUT_MS ? open : ready;
}

function ready(f: Facts, books: Books): Books {
  const { run } = books;
  if (!run || run.readyAt !== undefined || !f.run) return books;
  const at = f.progress === 'ready' ? conditionSince(f.pod, 'Ready', 'True') : readyUnseen(f);
  if (at === undefined) return books;
  return { ...books, settledPower: undefined, everReady: true, run: { ...run, readyAt: iso(at) } };
}

/** A container that ran this long was Ready, unless a probe had to say so: the kubelet reports within a second or two. */
const SURELY_READY_MS = 5000;

/** For a run that came and went while no operator looked: it was used, so it counts. */
function readyUnseen({ pod, owner, finishedAt }: Facts): Instant | undefined {
  const began = instant(pod?.status?.containerStatuses?.[0]?.state?.terminated?.startedAt);
  if (began === undefined || finishedAt === undefined || owner.spec.notebookPort !== undefined) return undefined;
  return finishedAt - began >= SURELY_READY_MS && began > 0 ? began : undefined;
}

/** Opens an interval when the run is first used, closes it at the container's end or at a lost node's last heartbeat. Never negative, never overlapping. */
function metered(f: Facts, books: Books): Books {
  const last = books.intervals.at(-1);
  const open = last && last.to === undefined ? last : undefined;
  const closed = instant(last?.to) ?? Number.NEGATIVE_INFINITY;
  if (open) {
    const end = endOf(f, open);
    if (end === undefined) return books;
    const to = iso(Math.max(end, Date.parse(open.from)));
    return { ...books, intervals: kept(f, [...books.intervals.slice(0, -1), { ...open, to }]) };
  }
  const since = f.pod && books.run && usedSince(f, books.run);
  if (!f.pod || since === undefined || f.lost) return books;
  const unseen = f.progress === 'finished' && last?.subjectUID !== f.pod.metadata.uid;
  if (f.progress !== 'ready' && f.progress !== 'started' && !unseen) return books;
  // After a lost node came back, the use goes on from the moment it was known again.
  const from = Math.max(since, closed, backAt(f, last));
  const next: Interval = {
    seq: (last?.seq ?? 0) + 1,
    subjectUID: f.pod.metadata.uid ?? '',
    from: iso(from),
    ...(unseen && { to: iso(Math.max(from, f.finishedAt ?? from)) }),
    uses: usesOf(f.pod),
  };
  return { ...books, intervals: kept(f, [...books.intervals, next]) };
}

/** A second interval of the same Pod waits for its node to be known again, and so does one that opens after the fact. */
function backAt({ seen, pod, run }: Facts, last: Interval | undefined): Instant {
  if (last?.subjectUID !== pod?.metadata.uid && run?.answeredAt === undefined) return Number.NEGATIVE_INFINITY;
  return instant(seen.node?.status?.conditions?.[0]?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
}

function endOf(f: Facts, open: Interval): Instant | undefined {
  if (f.finishedAt !== undefined && f.pod?.metadata.uid === open.subjectUID) return f.finishedAt;
  if (f.lost) return Math.min(instant(f.seen.lease?.spec?.renewTime) ?? lastSign(f, open), f.now);
  const gone = f.progress === 'finished' || f.pod?.metadata.uid !== open.subjectUID;
  // A node that had died before its Pod was collected ran nothing after its last heartbeat.
  return gone ? Math.min(instant(f.seen.lease?.spec?.renewTime) ?? f.now, lastSign(f, open)) : undefined;
}

/**
 * Of a container whose end nobody saw. A Node's heartbeats go with the Node, and an operator may have been down for hours:
 * then the Pod still says when it was given up, or collected.
 */
function lastSign({ pod, now }: Facts, open: Interval): Instant {
  const givenUp = conditionSince(pod, 'Ready', 'False') ?? now;
  const collected = instant(pod?.metadata.deletionTimestamp) ?? now;
  return Math.min(givenUp > Date.parse(open.from) ? givenUp : now, collected, now);
}

/** With the credit gate on, only what billing has posted may be dropped; with it off, the oldest goes. */
function kept({ settings, status }: Facts, intervals: readonly Interval[]): readonly Interval[] {
  const posted = settings.creditGate === 'off' ? Number.POSITIVE_INFINITY : (status.credit?.postedSeq ?? 0);
  const surplus = intervals.length - MAX_INTERVALS;
  return intervals.filter(({ seq }, index) => index >= surplus || seq > posted);
}

/** Unposted runs pile up only when billing is away; the next does not start then. */
export const tooManyUnposted = ({ settings, status }: Facts): boolean =>
  settings.creditGate === 'required' &&
  (status.intervals ?? []).filter(({ seq, to }) => to !== undefined && seq > (status.credit?.postedSeq ?? 0)).length >=
    MAX_INTERVALS;

/** Billing has to act before anything new is made. */
export const isUnpaid = (f: Facts): boolean => !f.creditOpen || tooManyUnposted(f);

/** What the Pod holds, which an edit since may have changed in the spec. */
function usesOf({ spec }: Pod): Interval['uses'] {
  const held = spec?.containers[0]?.resources?.requests ?? {};
  const gpus = quantity(held[GPU_RESOURCE]);
  const model = spec?.nodeSelector?.[LABEL.gpuModel];
  return [
    ...(gpus > 0 ? [{ resource: 'gpu', ...(model !== undefined && { model }), quantity: gpus }] : []),
    { resource: 'cpu', quantity: quantity(held.cpu) },
    { resource: 'memory', quantity: quantity(held.memory) / 1024 ** 3 },
  ];
}

const SETTLED_CAUSE: Record<string, Run['cause']> = { Stopped: 'resume', ShutDown: 'start', Hibernated: 'restore' };

/** The next run. `ended` is the one that just ended while it was still wanted. */
function begun(f: Facts, ended: Run | undefined): Pick<Books, 'run' | 'rebootCount'> {
  const { status, owner } = f;
  const seq = (status.run?.seq ?? 0) + 1;
  const rebootCount = owner.spec.rebootCount;
  if (status.run && f.rebootWanted) return { rebootCount, run: { seq, cause: 'hardReboot' } };
  if (!ended) {
    const cause = status.run ? (SETTLED_CAUSE[status.settledPower ?? ''] ?? 'start') : 'first';
    return { rebootCount, run: { seq, cause } };
  }
  if (f.edited) return { rebootCount, run: { seq, cause: 'update' } };
  // Stopped by us and wanted again before it had ended.
  if (f.pod?.spec?.activeDeadlineSeconds !== undefined) return { rebootCount, run: { seq, cause: 'resume' } };
  return { rebootCount, run: { seq, cause: 'crash', ...afterExit(f, ended) } };
}

/**
 * The tenant's program ended by itself: the next start waits 10 s, doubled to 5 min. What the platform ended starts at once,
 * unless it had not even become Ready: a node that throws everything out must not be offered a new Pod without pause.
 */
function afterExit({ exit: lastExit, finishedAt, now }: Facts, ended: Run): Partial<Run> {
  if (PLATFORM_EXITS.includes(lastExit) && ended.readyAt !== undefined) return { lastExit, exits: ended.exits ?? 0 };
  const at = finishedAt ?? now;
  const steady = ended.readyAt !== undefined && at - Date.parse(ended.readyAt) >= STEADY_MS;
  const exits = (steady ? 0 : (ended.exits ?? 0)) + 1;
  const backOffMs = Math.min(BACK_OFF_MS * 2 ** (exits - 1), MAX_BACK_OFF_MS);
  return { lastExit, exits, notBefore: iso(at + backOffMs) };
}

function rested(f: Facts, ended: Run): Pick<Books, 'run' | 'settledPower' | 'rebootCount'> {
  const endedAt = iso(f.finishedAt ?? conditionSince(f.pod, 'Ready', 'False') ?? f.now);
  return { rebootCount: f.owner.spec.rebootCount, settledPower: f.power, run: { ...ended, endedAt } };
}
