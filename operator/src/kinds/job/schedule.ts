// A schedule: which runs are due, which were missed and why, and the Jobs that are made for them. Total over clocks that jump: at most
// the newest due time is started, and every due time has one name.

import { nextTimes, type Recurrence } from '@gantry/contract/fields/schedule.ts';
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { type Job, type JobStatus, job } from '@gantry/contract/kinds/job.ts';
import { RUN_FIELDS } from '@gantry/contract/kinds/job-schema.ts';
import { FINALIZER, LABEL } from '@gantry/contract/names.ts';
import { type Args, quoted, type Said, said } from '@gantry/contract/said.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { Context, Plan } from '../../define-controller.ts';
import { instant, iso } from '../../metering.ts';
import { ownedBy } from '../../resources.ts';
import { factsOf, type Facts as TaskFacts } from '../../running/facts.ts';
import type { RunSettings, Trouble } from '../../running/ran.ts';
import { refusedBy } from '../../running/room.ts';
import { worded } from '../../running/status.ts';
import { ran } from './ran.ts';
import type { JobSeen } from './reads.ts';

interface Facts extends TaskFacts {
  owner: Job;
  status: JobStatus;
  seen: JobSeen;
}

type Schedule = NonNullable<JobStatus['schedule']>;

/** So many missed times are counted at once; who is away for longer has missed at least as many. */
const MOST_COUNTED = 200;
const RETRY_MS = 15_000;
/** A timer of a longer time would fire at once. */
const LONGEST_MS = 60 * 60_000;

export interface Due {
  /** The newest that is due and recent enough to be started. */
  at?: Instant;
  /** Due, and too old; the newest of them. */
  missed: number;
  missedAt?: Instant;
  /** The next one after now. */
  nextAt?: Instant;
}

/** Schedules that come to no time after this moment: the search for one takes long, and is made with every plan. */
const exhausted = new Map<string, Instant>();
const MOST_EXHAUSTED = 1000;

function timesAfter(recurrence: Recurrence, from: Instant, count: number): number[] | undefined {
  const key = `${recurrence.cron} ${recurrence.timeZone}`;
  if (from >= (exhausted.get(key) ?? Number.POSITIVE_INFINITY)) return [];
  const times = nextTimes(recurrence, from, count);
  if (times?.length !== 0) return times;
  if (exhausted.size >= MOST_EXHAUSTED) exhausted.clear();
  exhausted.set(key, from);
  return times;
}

/** Undefined for a schedule that cannot be read. `since`: the oldest time that nothing was decided about. */
export function dueOf(
  recurrence: Recurrence,
  since: Instant | undefined,
  withinMs: number,
  now: Instant,
): Due | undefined {
  const next = timesAfter(recurrence, now, 1);
  if (!next) return undefined;
  const coming = { ...(next[0] !== undefined && { nextAt: next[0] }) };
  if (since === undefined || since > now) return { missed: 0, ...coming };
  const recent = Math.max(since, now - withinMs);
  // Old ones first, and no more of them than are worth counting.
  const old = (timesAfter(recurrence, since - 1, MOST_COUNTED) ?? []).filter((at) => at < recent && at <= now);
  const fresh = allUntil(recurrence, recent - 1, now);
  const at = fresh.at(-1);
  const passed = [...old, ...fresh.slice(0, -1)];
  const missedAt = passed.at(-1);
  return {
    ...(at !== undefined && { at }),
    missed: passed.length,
    ...(missedAt !== undefined && { missedAt }),
    ...coming,
  };
}

/** At most one a minute, and `startWithinMinutes` is at most a day. */
function allUntil(recurrence: Recurrence, from: Instant, now: Instant): number[] {
  const found: number[] = [];
  for (let after = from; found.length <= 1440; ) {
    const batch = (timesAfter(recurrence, after, 60) ?? []).filter((at) => at <= now);
    found.push(...batch);
    if (batch.length < 60) break;
    after = batch.at(-1) as number;
  }
  return found;
}

/** One for each due time, whoever asks. */
export const childName = (schedule: string, at: Instant): string => `${schedule}-${Math.floor(at / 60_000)}`;
/** One for each time that somebody asked for a run. */
const askedName = (schedule: string, runCount: number): string => `${schedule}-r${runCount}`;

const isAtRest = ({ status }: Job): boolean =>
  ['succeeded', 'failed', 'stopped', 'suspended'].includes(status?.phase ?? '') && status?.run?.endedAt !== undefined;
const isActive = (child: Job): boolean =>
  child.metadata.deletionTimestamp === undefined && !isAtRest(child) && child.spec.power === 'Running';

function childOf(owner: Job, name: string): Job {
  const { spec, metadata, apiVersion, kind } = owner;
  const copied = Object.fromEntries(
    [...RUN_FIELDS, 'creator', 'startedBy'].flatMap((field) => {
      const value = spec[field as keyof Job['spec']];
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      labels: { [LABEL.schedule]: metadata.name },
      ownerReferences: ownedBy(owner),
    },
    spec: { ...copied, power: 'Running', runCount: 0 } as Job['spec'],
  };
}

interface Step {
  schedule: Schedule;
  create: readonly Job[];
  /** Why a run that is wanted now is not made. */
  waits?: Trouble;
}

export function planSchedule(owner: Job, seen: JobSeen, context: Context<RunSettings>): Plan<JobStatus> {
  const f: Facts = { ...factsOf(ran, owner, seen, context), owner, seen, status: owner.status ?? {} };
  const { deleting, now } = f;
  if (deleting) {
    const others = owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
    return { ...(others && { status: worded(f, 'released', plain('Released')) }), finalizer: 'drop' };
  }
  const { schedule, create, waits } = step(f);
  const phase = f.power === 'Suspended' ? 'suspended' : f.power === 'Stopped' ? 'stopped' : 'scheduled';
  const children = seen.children.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const old = children
    .filter(isAtRest)
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))
    .slice(owner.spec.schedule?.keep ?? 10);
  const replaced = create.length > 0 && owner.spec.schedule?.concurrency === 'Replace' ? children.filter(isActive) : [];
  const at = instant(schedule.nextAt);
  const waitMs = waits || create.length > 0 ? RETRY_MS : at === undefined ? LONGEST_MS : Math.max(1, at - now);
  return {
    finalizer: 'keep',
    status: { ...worded(f, phase, why(f, schedule, waits)), schedule },
    create,
    patch: replaced.map((child) => ({ ...targetOf(child), body: { spec: { power: 'Stopped' } } })),
    remove: old.map(targetOf),
    ...(phase === 'scheduled' && { againInMs: Math.min(waitMs, LONGEST_MS) }),
  };
}

const plain = (reason: Trouble['reason']): Trouble => ({ reason, args: {} });

/** Decides about the oldest thing that is open: a run that somebody asked for, then the due times. */
function step(f: Facts): Step {
  const { owner, status, now, power } = f;
  const { schedule: wanted } = owner.spec;
  const runCount = owner.spec.runCount ?? 0;
  const known: Schedule = { ...status.schedule, runCount: status.schedule?.runCount ?? runCount };
  const { nextAt: _next, ...rest } = known;
  if (!wanted || power !== 'Running') return { schedule: rest, create: [] };
  const asked = runCount > (known.runCount ?? 0) ? askedFor(f, known, runCount) : { schedule: known, create: [] };
  const due = dueOf(wanted, instant(known.nextAt), wanted.startWithinMinutes * 60_000, now);
  const { nextAt: _nextAt, ...kept } = asked.schedule;
  if (!due) return { ...asked, schedule: kept };
  // One that was held back until it was too late says why; any other found nobody.
  const { waitsFor, ...open } = kept;
  const schedule = missedIn(open, due.missed, due.missedAt, waitsFor ?? 'OperatorAway');
  const next = { ...(due.nextAt !== undefined && { nextAt: iso(due.nextAt) }) };
  if (due.at === undefined) return { ...asked, schedule: { ...schedule, ...next } };
  // One thing at a time: what is due stays so.
  if (asked.create.length > 0) return { ...asked, schedule: { ...schedule, nextAt: iso(due.at) } };
  const decided = dueNow(f, schedule, next, due.at);
  return { ...decided, ...(decided.waits === undefined && asked.waits && { waits: asked.waits }) };
}

/** Made already, left out, held back, or made now. */
function dueNow(f: Facts, known: Schedule, next: Pick<Schedule, 'nextAt'>, at: Instant): Step {
  const { owner, seen, now } = f;
  const { concurrency = 'Forbid', startWithinMinutes = 10 } = owner.spec.schedule ?? {};
  const name = childName(owner.metadata.name, at);
  if (seen.children.some(({ metadata }) => metadata.name === name))
    return { schedule: { ...known, ...next, lastAt: iso(at), lastRun: name }, create: [] };
  if (concurrency === 'Forbid' && seen.children.some(isActive))
    return { schedule: { ...missedIn(known, 1, at, 'Overlap'), ...next }, create: [] };
  const waits = heldBack(f, name);
  if (!waits) return { schedule: { ...known, nextAt: iso(at) }, create: [childOf(owner, name)] };
  // A refused one is tried again until it is too late.
  const isTooLate = now >= at + startWithinMinutes * 60_000;
  if (isTooLate) return { schedule: { ...missedIn(known, 1, at, waits.reason), ...next }, create: [] };
  const create = isRefusal(f, name) ? [childOf(owner, name)] : [];
  return { schedule: { ...known, nextAt: iso(at), waitsFor: waits.reason.slice(0, 64) }, create, waits };
}

function askedFor(f: Facts, known: Schedule, runCount: number): Step {
  const name = askedName(f.owner.metadata.name, runCount);
  if (f.seen.children.some(({ metadata }) => metadata.name === name))
    return { schedule: { ...known, runCount, lastRun: name }, create: [] };
  const waits = heldBack(f, name);
  if (waits && !isRefusal(f, name)) return { schedule: known, create: [], waits };
  return { schedule: known, create: [childOf(f.owner, name)], ...(waits && { waits }) };
}

const isRefusal = ({ refusals }: Facts, name: string): boolean => refusals.some((one) => one.name === name);

/** The credit gate, and what the cluster refuses. */
function heldBack({ credit, seen, refusals }: Facts, name: string): Trouble | undefined {
  if (credit.trouble) return credit.trouble;
  const detail = seen.namespace.outOfCredit;
  if (detail !== undefined) return { reason: 'OutOfCredit', args: { detail: detail.slice(0, 1000) } };
  return refusedBy(refusals.filter((one) => one.kind === job.kind && one.name === name));
}

const missedIn = (known: Schedule, missed: number, at: Instant | undefined, because: string): Schedule =>
  missed === 0 || at === undefined
    ? known
    : { ...known, missed: (known.missed ?? 0) + missed, missedAt: iso(at), missedBecause: because.slice(0, 64) };

function why({ owner, power, now }: Facts, schedule: Schedule, waits: Trouble | undefined): Trouble {
  const { schedule: wanted } = owner.spec;
  if (power === 'Suspended') return plain('ScheduleSuspended');
  if (power === 'Stopped') return plain('ScheduleStopped');
  if (waits) return waits;
  if (wanted && !timesAfter(wanted, now, 1))
    return { reason: 'ScheduleUnreadable', args: { cron: wanted.cron, timeZone: wanted.timeZone } };
  const { missedAt, lastAt, nextAt, missedBecause = '' } = schedule;
  if (missedAt !== undefined && (lastAt === undefined || missedAt > lastAt))
    return { reason: 'RunMissed', args: { at: missedAt, ...missedArgs(missedBecause, wanted?.startWithinMinutes) } };
  return nextAt === undefined ? plain('NoMoreRuns') : { reason: 'Scheduled', args: { at: nextAt } };
}

function missedArgs(because: string, minutes = 0): Args {
  const row: Readonly<Record<string, Said>> = {
    OperatorAway: said(DETAILS.missedAway),
    Overlap: said(DETAILS.missedOverlap),
  };
  return quoted('detail', row[because] ?? said(DETAILS.missedLate, { minutes: String(minutes), why: because }));
}
