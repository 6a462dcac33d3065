// How long the tasks of an organisation take, and when one that waits is expected to start. Only its own ones of the same kind are looked at.
import type { Task } from '@gantry/contract/fields/task.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant } from '../metering.ts';

export interface Durations {
  /** The runs under way: since when they run, and how long they may. */
  running: readonly { since: Instant; limitMs: number | undefined }[];
  /** The mean duration of ended runs. */
  meanMs: number | undefined;
}

/** Older runs say less about the next; and the sum stays cheap. */
const MOST_PER_TASK = 3;

export function durationsIn(tasks: readonly Task[]): Durations {
  const parts = tasks.map(partOf);
  const count = parts.reduce((sum, { ended }) => sum + ended, 0);
  const totalMs = parts.reduce((sum, { endedMs }) => sum + endedMs, 0);
  return { running: parts.flatMap(({ running }) => running), meanMs: count > 0 ? totalMs / count : undefined };
}

interface Part {
  running: Durations['running'];
  /** Ended runs, and the sum of their times. */
  ended: number;
  endedMs: number;
}
// Caches replace an object and never change it; all tasks are asked about whenever one of them waits.
const known = new WeakMap<Task, Part>();

function partOf(task: Task): Part {
  const { spec, status } = task;
  const before = known.get(task);
  if (before) return before;
  const since = status?.run?.endedAt === undefined ? instant(status?.run?.startedAt) : undefined;
  const limitMs = spec.maxRunMinutes === undefined ? undefined : spec.maxRunMinutes * 60_000;
  const times = (status?.runs?.slice(0, MOST_PER_TASK) ?? [])
    .map(({ startedAt, endedAt }) => (instant(endedAt) ?? Number.NaN) - (instant(startedAt) ?? Number.NaN))
    .filter((ms) => ms >= 0);
  const part = {
    running: since === undefined ? [] : [{ since, limitMs }],
    ended: times.length,
    endedMs: times.reduce((sum, ms) => sum + ms, 0),
  };
  known.set(task, part);
  return part;
}

export interface Expectation {
  startsAt?: Instant;
  basis: 'limits' | 'history' | 'none';
}

/** When the one at this position starts, if each that runs makes room for one that waits. Never before `now`. */
export function expected(position: number, { running, meanMs }: Durations, now: Instant): Expectation {
  if (running.length === 0) return { basis: 'none' };
  const limits = running.map(({ limitMs }) => limitMs);
  const isLimited = limits.every((ms): ms is number => ms !== undefined);
  const eachMs = isLimited ? limits.reduce((a, b) => a + b, 0) / limits.length : meanMs;
  if (eachMs === undefined) return { basis: 'none' };
  const ends = running
    .map(({ since, limitMs }) => Math.max(now, since + (isLimited ? (limitMs ?? eachMs) : eachMs)))
    .sort((a, b) => a - b);
  const rounds = Math.floor((position - 1) / ends.length);
  const end = ends[(position - 1) % ends.length] ?? now;
  return { startsAt: end + rounds * eachMs, basis: isLimited ? 'limits' : 'history' };
}
