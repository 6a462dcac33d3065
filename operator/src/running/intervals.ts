// The billed use of a task: its workers from the moment in which all are Ready. Every start and every end of one begins the next interval,
// in one sequence without gaps; queueing, pulling and failed starts are free, and a silent node's workers pause.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { TaskWorker } from '@gantry/contract/fields/task.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant, iso, openIn, stretched, type Use, wholeSeconds, withoutEmpty } from '../metering.ts';

interface Change {
  at: Instant;
  index: number;
  runs: boolean;
}

interface Inputs {
  subjectUID: string;
  run: number;
  /** As the books had them before this plan, and as they are now. */
  before: readonly TaskWorker[];
  after: readonly TaskWorker[];
  /** Workers that were set aside before anybody saw them run. */
  unseen?: readonly { index: number; from: Instant; to: Instant }[];
  /** The use of `count` workers; undefined if no Pod states it any more: then everything ends. */
  uses: ((count: number) => Use[]) | undefined;
  /** When the worker's node last gave a sign of life. */
  lastSign(worker: TaskWorker): Instant;
  now: Instant;
}

const isActive = ({ startedAt, endedAt, phase }: TaskWorker): boolean =>
  startedAt !== undefined && endedAt === undefined && phase !== 'lost';

/** `0-3, 5`. */
export function partsOf(indexes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && index === last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** Whether a worker is among the parts of an interval. One that names no parts has all of them. */
const hasPart = (parts: string | undefined, index: number): boolean =>
  parts?.split(', ').some((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return from !== undefined && to !== undefined && from <= index && index <= to;
  }) ?? true;

/**
 * Whether a stretch that nobody saw has no place in the line any more: the worker is in an interval that reaches beyond its start, or it
 * was over by the time from which the line goes on. What is billed stays as it is.
 */
export function isSettled(
  known: readonly Interval[],
  { run, index, from, to }: { run: number; index: number; from: Instant; to: Instant },
): boolean {
  const endOf = (one: Interval) => instant(one.to) ?? Number.POSITIVE_INFINITY;
  const last = known.at(-1);
  const goesOnFrom = instant(last?.to ?? last?.from) ?? Number.NEGATIVE_INFINITY;
  return to <= goesOnFrom || known.some((one) => one.run === run && endOf(one) > from && hasPart(one.parts, index));
}

/**
 * Workers as they are billed: from the moment in which all were ready, since nobody has ordered a part of a gang. `stuck.ts` and
 * `createTimeoutMs` bound the time before, and each such end costs a try. One that is not billed has not started.
 */
export function billable(workers: readonly TaskWorker[], wholeAt: string | undefined): TaskWorker[] {
  const starts = workers.map(({ startedAt }) => instant(startedAt) ?? Number.POSITIVE_INFINITY);
  const whole = instant(wholeAt) ?? Math.max(...starts);
  return workers.map((one) => {
    const { startedAt, ...never } = one;
    const at = instant(startedAt);
    if (at === undefined) return one;
    const from = Math.max(at, whole);
    return Number.isFinite(from) && from < (instant(one.endedAt) ?? Number.POSITIVE_INFINITY)
      ? { ...one, startedAt: iso(from) }
      : never;
  });
}

/** Those of before: while not all had started, one that no interval has was not billed. */
export const billedBefore = (
  workers: readonly TaskWorker[],
  run: number,
  wholeAt: string | undefined,
  known: readonly Interval[],
): TaskWorker[] =>
  workers.map((one) => {
    const { startedAt: _, ...never } = one;
    const isBilled = known.some((stretch) => stretch.run === run && hasPart(stretch.parts, one.index));
    return wholeAt === undefined && !isBilled ? never : one;
  });

/** A worker whose Pod a suspension ends, or replaces. */
interface Former extends TaskWorker {
  isOver: boolean;
}

interface Workers {
  before: readonly TaskWorker[];
  after: readonly TaskWorker[];
}

/**
 * The workers with the former ones that are still billed: until their ends are reported, as of workers that end by themselves, or until the
 * next Pod of a worker is ready. Only the open interval remembers them. One that nobody has seen yet is billed from its start.
 */
export function withFormer(
  workers: Workers,
  { former, known, run }: { former: readonly Former[]; known: readonly Interval[]; run: number },
): Workers {
  const open = openIn(known);
  let { before, after } = workers;
  for (const { isOver, ...one } of lastOfEach(former)) {
    const { index, podUID, node } = one;
    const recorded = before.find((other) => other.index === index && isActive(other));
    const isOpen = open?.run === run && hasPart(open.parts, index) && (recorded?.podUID ?? podUID) === podUID;
    const startedAt = isOpen ? (recorded?.startedAt ?? open.from) : one.startedAt;
    const from = instant(startedAt);
    if (startedAt === undefined || from === undefined) continue;
    if (!isOpen && (isOver || isSettled(known, { run, index, from, to: Number.POSITIVE_INFINITY }))) continue;
    const others = (list: readonly TaskWorker[]) => list.filter((other) => other.index !== index);
    const hasNext = after.some((other) => other.index === index && other.startedAt !== undefined);
    if (isOpen)
      before = [
        ...others(before),
        { index, ...(podUID && { podUID }), ...(node && { node }), startedAt, phase: 'running' },
      ];
    if (!hasNext) after = [...others(after), { ...one, startedAt }];
  }
  return { before, after };
}

const lastOfEach = (former: readonly Former[]): Iterable<Former> =>
  new Map(former.toSorted((a, b) => startOf(a) - startOf(b)).map((one) => [one.index, one])).values();

const startOf = ({ startedAt }: TaskWorker): Instant => instant(startedAt) ?? 0;

export function intervalsOf(known: readonly Interval[], inputs: Inputs): readonly Interval[] {
  const { before, after, subjectUID, run, uses, now } = inputs;
  const open = openIn(known);
  // Use for which nothing runs any more ends with the last sign of its workers.
  const running = new Set(before.filter(isActive).map(({ index }) => index));
  const changes = [...unseenIn(inputs), ...changesIn(inputs)].sort((a, b) => a.at - b.at || a.index - b.index);
  let line = known;
  for (const [at, change] of changes.entries()) {
    if (change.runs) running.add(change.index);
    else running.delete(change.index);
    // Changes within one second are one.
    if (changes[at + 1]?.at === change.at) continue;
    line = used(line, [...running], change.at);
  }
  if (open && !after.some(isActive) && openIn(line)) line = used(line, [], wholeSeconds(now));
  return withoutEmpty(known, line);

  function used(from: readonly Interval[], indexes: readonly number[], at: Instant): readonly Interval[] {
    const held = uses && indexes.length > 0 ? uses(indexes.length) : [];
    return stretched(from, { subjectUID, run, parts: partsOf(indexes), uses: held, at });
  }
}

const unseenIn = ({ unseen = [] }: Inputs): Change[] =>
  unseen.flatMap(({ index, from, to }) => [
    { index, runs: true, at: from },
    { index, runs: false, at: to },
  ]);

function changesIn({ before, after, lastSign, now }: Inputs): Change[] {
  const clamped = (at: Instant | undefined) => wholeSeconds(Math.min(at ?? now, now));
  const indexes = new Set([...before, ...after].map(({ index }) => index));
  return [...indexes].flatMap((index) => {
    const [was, is] = [before, after].map((list) => list.find((one) => one.index === index));
    const same = was !== undefined && was.podUID === is?.podUID ? is : undefined;
    const stops = was !== undefined && isActive(was) && !(same && isActive(same));
    const stopped = same?.endedAt === undefined ? was && lastSign(was) : instant(same.endedAt);
    return [
      ...(stops ? [{ index, runs: false, at: clamped(stopped) }] : []),
      ...(is ? beganIn(is, same ? was : undefined, clamped) : []),
    ];
  });
}

/** `was` is the same worker's record of before. */
function beganIn(is: TaskWorker, was: TaskWorker | undefined, clamped: (at: Instant | undefined) => Instant): Change[] {
  const { index, startedAt, endedAt } = is;
  if (startedAt === undefined) return [];
  const isNew = was?.startedAt === undefined;
  if (isActive(is)) {
    const begins = isNew || !isActive(was);
    return begins ? [{ index, runs: true, at: clamped(isNew ? instant(startedAt) : undefined) }] : [];
  }
  // It came and went while nobody looked.
  if (!isNew || endedAt === undefined) return [];
  return [
    { index, runs: true, at: clamped(instant(startedAt)) },
    { index, runs: false, at: clamped(instant(endedAt)) },
  ];
}
