// How an ended run is judged, and what follows: another try that counts, another that costs none, or the end of it.
import { MOST_EXCLUDED } from '@gantry/contract/fields/task.ts';
import { TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { START_ERROR } from '@gantry/contract/kinds/exits.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant, iso } from '../metering.ts';
import type { Run } from './facts.ts';
import type { Exit, Ran } from './ran.ts';
import type { Worker } from './workers.ts';

/** Why a run ended. */
export type Verdict = 'succeeded' | 'stopped' | 'tooLong' | 'program' | 'notStarted' | 'unplaced' | 'node' | 'platform';

const BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 5 * 60_000;
/** So many nodes in a row are no accident any more. */
const MOST_NODE_FAILURES = 5;

export const SUCCEEDED = 'exit code 0';
export const TOO_LONG = 'TookTooLong';
export const NOT_ALL_STARTED = 'NotAllStarted';
export const NOT_ALL_PLACED = 'NotAllPlaced';
/** What takes the input in, before the program, failed. Of kinds that have that. */
export const INPUTS_NOT_FETCHED = 'InputsNotFetched';
/** The program on trial, before it is billed, was killed for its memory. Of kinds that rehearse. */
export const DOES_NOT_FIT = 'DoesNotFit';
/** A container that cannot be made: its image, or what it is told. */
const STUCK: readonly string[] = ['ImageNotFound', 'BadConfig', 'SecretMissing'];
export const isStuck = (exit = ''): boolean => STUCK.includes(exit);

/** A run that never starts holds cards, and nobody pays for them: it costs a try, as a program that fails does. */
const COSTLY: readonly Verdict[] = ['program', 'notStarted'];

/** When it ended; of one on a silent node, when that was last heard of. */
const since = ({ endedAt, signedAt, silentSince }: Worker): Instant =>
  instant(endedAt) ?? (silentSince === undefined ? undefined : (signedAt ?? silentSince)) ?? Number.POSITIVE_INFINITY;
const firstOf = (workers: readonly Worker[], blames: Worker['blames']): Worker | undefined =>
  workers.filter((one) => one.blames === blames && one.exit !== 'Stopped').sort((a, b) => since(a) - since(b))[0];

/** The worker that ended the run: the first program that failed, otherwise the first node. */
export function culpritOf(workers: readonly Worker[]): Worker | undefined {
  const program = firstOf(workers, 'program');
  const node = firstOf(workers, 'node');
  // When a node fails, the programs on other nodes lose their peers and fail as well.
  return node && (!program || since(node) <= since(program)) ? node : (program ?? firstOf(workers, 'platform'));
}

/** Kubernetes calls a node silent after 45 s, and after another minute it has failed. */
const CLEAR_WITHIN_MS = 150_000;

/** A program failed, and nobody has heard of a peer's node since: it may have lost that peer, which costs no try. */
export function isUnclear(workers: readonly Worker[], now: Instant): boolean {
  const program = firstOf(workers, 'program');
  if (!program || now - since(program) >= CLEAR_WITHIN_MS) return false;
  return workers.some(
    ({ isOver, blames, signedAt }) =>
      !isOver && blames === undefined && signedAt !== undefined && signedAt < since(program),
  );
}

/** Its own end, which is nobody else's fault. */
export const isOfProgram = (exit: string): boolean =>
  ['OOMKilled', DOES_NOT_FIT, 'RootFull', START_ERROR].includes(exit) || exit.startsWith('exit code');

const PLATFORM: readonly string[] = ['Deleted', 'Displaced'];

export function verdictOf({ exit = '' }: Pick<Run, 'exit'>): Verdict {
  if (exit === SUCCEEDED) return 'succeeded';
  if (exit === 'Stopped') return 'stopped';
  if (exit === TOO_LONG) return 'tooLong';
  if ([NOT_ALL_STARTED, INPUTS_NOT_FETCHED].includes(exit) || isStuck(exit)) return 'notStarted';
  if (exit === NOT_ALL_PLACED) return 'unplaced';
  if (PLATFORM.includes(exit)) return 'platform';
  if (isOfProgram(exit)) return 'program';
  // That it is gone, evicted or broken, and whatever it says when it refuses a Pod.
  return exit === '' ? 'platform' : 'node';
}

/** What the kind's own program says by its exit code. */
export function meaningOf({ exits }: Ran, { exit, exitCode }: Pick<Run, 'exit' | 'exitCode'>): Exit | undefined {
  if (exit === DOES_NOT_FIT) return exits?.[TASK_EXITS.doesNotFit];
  return exitCode !== undefined && exit === `exit code ${exitCode}` ? exits?.[exitCode] : undefined;
}

/** 10 s, doubled up to 5 min. */
export const backOffMs = (times: number): number =>
  Math.min(BACK_OFF_MS * 2 ** Math.max(0, Math.min(times, 20) - 1), MAX_BACK_OFF_MS);

/** The run that makes up for the ended one; undefined if none does. */
export function nextAfter(ended: Run, { retries, now }: { retries: number; now: Instant }): Run | undefined {
  const verdict = verdictOf(ended);
  if (verdict === 'succeeded' || verdict === 'stopped' || verdict === 'tooLong') return undefined;
  const counts = countsAfter(ended, verdict);
  const { failures = 0, nodeFailures = 0 } = counts;
  if ((COSTLY.includes(verdict) && failures > retries) || nodeFailures >= MOST_NODE_FAILURES) return undefined;
  const at = instant(ended.endedAt) ?? now;
  // A run that was on its way when its node failed starts again at once.
  const waitMs = nodeFailures > 0 && ended.startedAt !== undefined ? 0 : backOffMs(timesOf(counts));
  return {
    seq: ended.seq + 1,
    cause: verdict === 'node' ? 'node' : 'retry',
    ...(ended.runCount !== undefined && { runCount: ended.runCount }),
    ...(waitMs > 0 && { notBefore: iso(at + waitMs) }),
    ...counts,
    before: endIn(ended),
  };
}

type Counts = Pick<Run, 'failures' | 'nodeFailures' | 'unplaced'>;

/** Those of faults and of places are in a row. */
function countsAfter(ended: Run, verdict: Verdict): Counts {
  const failures = (ended.failures ?? 0) + (COSTLY.includes(verdict) ? 1 : 0);
  const isFault = verdict === 'node' || verdict === 'platform';
  return {
    ...(failures > 0 && { failures }),
    ...(isFault && { nodeFailures: (ended.nodeFailures ?? 0) + 1 }),
    ...(verdict === 'unplaced' && { unplaced: (ended.unplaced ?? 0) + 1 }),
  };
}

const timesOf = ({ nodeFailures, unplaced, failures = 0 }: Counts): number =>
  nodeFailures ?? unplaced ?? Math.max(failures, 1);

const END_FIELDS = ['worker', 'node', 'exit', 'exitCode', 'lastLines'] as const;
const endIn = (ended: Run): NonNullable<Run['before']> =>
  Object.fromEntries(END_FIELDS.flatMap((field) => (ended[field] === undefined ? [] : [[field, ended[field]]])));

/** Newest first. */
export const withExcluded = (known: readonly string[], node: string | undefined): readonly string[] =>
  node === undefined ? known : [node, ...known.filter((one) => one !== node)].slice(0, MOST_EXCLUDED);
