// A container that does not start holds its cards, and nobody pays for them: each such hold has an end, and the next try comes later.
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant, iso, wholeSeconds } from '../../metering.ts';
import { conditionSince } from '../../pod-progress.ts';
import type { Books } from './bookkeeping.ts';
import { runHash } from './desired.ts';
import type { Facts } from './facts.ts';
import { type Run, restoreIn } from './pod-facts.ts';
import { stuckIn, type Trouble } from './trouble.ts';

/** The kubelet tries again meanwhile. */
const STUCK_MS = 5 * 60_000;
/** A large image may take longer than a start may: so many times as long. */
const PATIENCE = 2;
/** A restore may take so much more for each GiB of its home: a slow disk of 18 MB a second. */
const RESTORE_MS_PER_GI = 60_000;
const WAIT_MS = { first: 5 * 60_000, most: 60 * 60_000 };

/** As the run after it remembers the end. */
export const NOT_STARTED = 'NotStarted';
const NOT_RESTORED = 'NotRestored';

type Asked = Pick<Facts, 'owner' | 'settings'>;
const startMs = ({ settings }: Pick<Asked, 'settings'>): number => PATIENCE * settings.createTimeoutMs;
/** A home comes back: its files are all there is of them on the node. */
const restoreMs = ({ owner, settings }: Asked): number =>
  startMs({ settings }) + owner.spec.homeDisk.sizeGi * RESTORE_MS_PER_GI;

/** When the run's Pod is let go if its container has not started by then. */
export function holdDeadline({ pods, run, ...asked }: Asked & Pick<Facts, 'pods' | 'run'>): Instant | undefined {
  if (pods.progress !== 'placed' || pods.isLost || run?.freedAt !== undefined) return undefined;
  const placed = conditionSince(pods.current, 'PodScheduled', 'True');
  const { running, terminated } = restoreIn(pods.current) ?? {};
  if (running) {
    const since = instant(running.startedAt) ?? placed;
    return since === undefined ? undefined : since + restoreMs(asked);
  }
  // The time of a restore is none of the image's.
  const [stuck, late] = [instant(run?.stuckSince), instant(terminated?.finishedAt) || placed];
  const ends = [
    ...(stuck === undefined ? [] : [stuck + STUCK_MS]),
    ...(late === undefined ? [] : [late + startMs(asked)]),
  ];
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** Notes since when it is stuck, and that its time is over. */
export function withHold(f: Facts, books: Books): Books {
  const { pods, now, owner, settings } = f;
  if (!books.run || !f.run || pods.progress !== 'placed' || books.run.freedAt !== undefined) return books;
  const { stuckSince, ...rest } = books.run;
  const stuck = stuckIn(pods.current, owner, settings);
  const run: Run = { ...rest, ...(stuck && { stuckSince: stuckSince ?? iso(wholeSeconds(now)) }) };
  const isOver = (holdDeadline({ pods, run, owner, settings }) ?? Number.POSITIVE_INFINITY) <= now;
  if (!isOver) return { ...books, run };
  // Once the Pod ends, it says nothing of that any more.
  const { lastLines: _, ...freed } = run;
  const lines = stuck && (stuck.args.detail ?? '–');
  return { ...books, run: { ...freed, ...(lines && { lastLines: lines }), freedAt: iso(wholeSeconds(now)) } };
}

/** The run after one that was let go: later each time. */
export function afterHold({ owner, now, pods }: Pick<Facts, 'owner' | 'now' | 'pods'>, ended: Run): Omit<Run, 'seq'> {
  const exits = (ended.exits ?? 0) + 1;
  const waitMs = Math.min(WAIT_MS.first * 2 ** Math.min(exits - 1, 10), WAIT_MS.most);
  return {
    cause: ended.cause,
    exits,
    lastExit: ended.lastLines === undefined && wasRestoring(pods) ? NOT_RESTORED : NOT_STARTED,
    ...(ended.lastLines && { lastLines: ended.lastLines }),
    of: runHash(owner.spec),
    notBefore: iso(wholeSeconds(now) + waitMs),
  };
}

/** Its restore had begun, and was cut off. */
function wasRestoring({ current }: Facts['pods']): boolean {
  const { running, terminated } = restoreIn(current) ?? {};
  return running !== undefined || (terminated?.exitCode !== 0 && (instant(terminated?.startedAt) ?? 0) > 0);
}

/** Its next try is not due, and what it would be tried with is what failed. */
export const isEarly = ({ run, owner, now }: Pick<Facts, 'run' | 'owner' | 'now'>): boolean =>
  (instant(run?.notBefore) ?? 0) > now && (run?.of === undefined || run.of === runHash(owner.spec));

/** Why it waits. */
export function givenBack({
  run,
  settings,
  ...f
}: Pick<Facts, 'run' | 'settings' | 'owner' | 'now'>): Trouble | undefined {
  if (run === undefined || !GIVEN_BACK.includes(run.lastExit ?? '') || !isEarly({ run, ...f })) return undefined;
  const { notBefore: at = '', lastLines: detail } = run;
  if (run.lastExit === NOT_RESTORED) {
    const minutes = minutesOf(restoreMs({ owner: f.owner, settings }));
    return { reason: 'HomeNotRestored', args: quoted('detail', said(DETAILS.restoreLate, { minutes, at })) };
  }
  const minutes = minutesOf(startMs({ settings }));
  return detail === undefined
    ? { reason: 'GivenBackLate', args: { minutes, at } }
    : { reason: 'GivenBack', args: { detail: detail.replace(/\.$/, ''), at } };
}

const GIVEN_BACK: readonly string[] = [NOT_STARTED, NOT_RESTORED];
const minutesOf = (ms: number): string => String(Math.round(ms / 60_000));
