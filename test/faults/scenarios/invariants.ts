// Invariants of an instance, a job and a service at every moment of their lives, whatever broke: checked over everything that was
// seen of them.

import type { Interval } from '@gantry/contract/fields/metering.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { TASK_KINDS } from '@gantry/contract/kinds/tasks.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import type { LoggedWrite } from '../call-log.ts';
import type { Instance } from './instance.ts';
import type { Observed, Subjected } from './subject.ts';
import type { Sighting } from './witness.ts';

const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** The image that a test puts into a template by hand. A Pod of it lives until the operator sees it, and may be billed or not. */
export const FOREIGN_IMAGE = 'miner:1';

/** A replica may be Ready and gone between two looks of the operator, and its Pod no longer says since when it was Ready: it is free. */
const UNSEEN_S = 2;

interface Looks {
  readonly interval: Interval;
  /** The one in front of it. */
  readonly before: Interval | undefined;
  /** The same in an earlier state of the instance. */
  readonly known: Interval | undefined;
}

/** Faults of an interval. */
const WRONG: Readonly<Record<string, (looks: Looks) => boolean>> = {
  'begins anew': ({ interval, known }) => known !== undefined && known.from !== interval.from,
  'ends a second time': ({ interval, known }) => known?.to !== undefined && known.to !== interval.to,
  'ends before it begins': ({ interval: { from, to } }) => to !== undefined && to < from,
  'leaves out a number': ({ interval, before }) => before !== undefined && interval.seq !== before.seq + 1,
  'begins before the last has ended': ({ interval, before }) =>
    before !== undefined && (before.to === undefined || interval.from < before.to),
};

/** Keyed by the sentence that holds; each throws when it does not. */
export const INVARIANTS: Readonly<Record<string, (instance: Instance) => void>> = {
  'at most one Pod is alive at any time': ({ pods }) => {
    const alive = new Map<string, string>();
    for (const { object, isGone } of pods) {
      const { uid = '', name } = object.metadata;
      if (isGone || !isAlive(object)) alive.delete(uid);
      else alive.set(uid, name);
      if (alive.size > 1) throw new Error([...alive.values()].join(' and '));
    }
  },
  'runs count up, and no name of a Pod is used twice': ({ pods, history }) => {
    inOrder(history.map(({ object }) => object.status?.run?.seq ?? 0));
    const uids = Map.groupBy(pods, ({ object }) => object.metadata.name);
    for (const [name, sightings] of uids) {
      const different = new Set(sightings.map(({ object }) => object.metadata.uid)).size;
      if (different > 1) throw new Error(`${different} Pods were named ${name}`);
    }
  },
  'intervals follow each other, end once and never before they begin': ({ history }) => followEachOther(history),
};

function followEachOther(history: readonly Sighting<Observed>[]): void {
  const known = new Map<number, Interval>();
  for (const { object } of history) {
    const intervals = object.status?.intervals ?? [];
    intervals.forEach((interval, index) => {
      const looks = { interval, before: intervals[index - 1], known: known.get(interval.seq) };
      const wrong = Object.entries(WRONG).find(([, is]) => is(looks))?.[0];
      if (wrong) throw new Error(`interval ${said(interval)} ${wrong}; ${said(looks.before)}; ${said(looks.known)}`);
      known.set(interval.seq, interval);
    });
  }
}

/** Invariants of a task or a ContainerService, with any number of Pods, also when nodes are lost. */
export const INTERVALS: Readonly<Record<string, (subject: Subjected) => void>> = {
  'intervals follow each other, end once and never before they begin': ({ history }) => followEachOther(history),
};

/** Additionally if no node is lost: nobody knows what still runs on one. Use is compared in core-seconds. */
export const PAID: typeof INTERVALS = {
  ...INTERVALS,
  'no two runs of a task are alive at once': ({ kind, pods }) => {
    if (!TASK_KINDS.includes(kind.facts.kind)) return;
    const alive = new Map<string, string>();
    for (const { object, isGone } of pods) {
      const { uid = '', labels } = object.metadata;
      if (isGone || !isAlive(object)) alive.delete(uid);
      else alive.set(uid, labels?.[LABEL.run] ?? alive.get(uid) ?? '');
      const runs = new Set(alive.values());
      if (runs.size > 1) throw new Error(`runs ${[...runs].join(' and ')}`);
    }
  },
  'it is billed for what ran, from Ready to the end of each container, to the second': ({ kind, pods, history }) => {
    const last = history.at(-1)?.object;
    const counted = new Set(history.flatMap(({ object }) => countedIn(object)));
    const gangAt = kind.facts === job ? wholeAt(pods, last?.spec as { workers?: number } | undefined) : undefined;
    const billed = (last?.status?.intervals ?? []).map(({ from, to, uses, parts }) => {
      const cores = uses.find(({ resource }) => resource === 'cpu')?.quantity ?? 0;
      return { amount: cores * secondsIn(from, to), said: `${parts} from ${from} to ${to}` };
    });
    const ran = [...Map.groupBy(pods, ({ object }) => object.metadata.uid).values()].map((sightings) => {
      const states = sightings.map(({ object }) => object);
      const { metadata, spec } = states[0] ?? {};
      const ownAt = states.map(readySince).find((at) => at !== undefined);
      const whole = gangAt?.(metadata?.uid);
      const readyAt = gangAt && metadata?.labels?.[COMPLETION_INDEX] && ownAt ? whole : ownAt;
      // A simulated kubelet under load may end a Pod twice.
      const ends = [...new Set(states.flatMap((state) => finishedAt(state) ?? []))].sort();
      const cores = quantity(spec?.containers[0]?.resources?.requests?.cpu ?? '0');
      const until = (end: string | undefined) => (readyAt === undefined ? 0 : cores * secondsIn(readyAt, end));
      const told = `${metadata?.name} from ${readyAt} to ${ends.join(' or ')}`;
      const isForeign = spec?.containers[0]?.image === FOREIGN_IMAGE;
      const isUnseen = !gangAt && !counted.has(metadata?.uid) && until(ends.at(-1)) <= cores * UNSEEN_S;
      return { least: isForeign || isUnseen ? 0 : until(ends[0]), most: until(ends.at(-1)), said: told };
    });
    const paid = billed.reduce((sum, { amount }) => sum + amount, 0);
    const [least, most] = [ran.reduce((sum, one) => sum + one.least, 0), ran.reduce((sum, one) => sum + one.most, 0)];
    if (!(paid > least - 0.001 && paid < most + 0.001)) {
      const list = (all: readonly { said: string }[]) => all.map(({ said: one }) => one).join('; ');
      throw new Error(`${paid} core-seconds are billed (${list(billed)}), and ${least} ran (${list(ran)})`);
    }
  },
};

/** The UIDs of the Pods that a service's status bills. */
const countedIn = ({ status }: Observed): readonly (string | undefined)[] =>
  (status as ContainerService['status'])?.pods?.flatMap(({ uid, billedFrom }) => (billedFrom ? [uid] : [])) ?? [];

/**
 * Pod → when its gang was whole: nobody pays for a part of one. A run that the queue takes back and admits again begins anew with all of
 * its workers: the second Pods of all make the second gang.
 */
function wholeAt(pods: Subjected['pods'], { workers = 1 }: { workers?: number } = {}) {
  const ready = new Map<string, { key: string; index: string; since: string }>();
  for (const { object } of pods) {
    const { [LABEL.run]: run = '', [COMPLETION_INDEX]: index } = object.metadata.labels ?? {};
    const since = readySince(object);
    const { uid = '' } = object.metadata;
    if (index === undefined || since === undefined || ready.has(uid)) continue;
    const earlier = [...ready.values()].filter((one) => one.key.startsWith(`${run} `) && one.index === index).length;
    ready.set(uid, { key: `${run} ${earlier}`, index, since });
  }
  const gangs = Map.groupBy(ready.values(), ({ key }) => key);
  return (uid = ''): string | undefined => {
    const gang = gangs.get(ready.get(uid)?.key ?? '') ?? [];
    return gang.length === workers
      ? gang
          .map(({ since }) => since)
          .sort()
          .at(-1)
      : undefined;
  };
}

/** NaN, which equals nothing, while it has no end. */
const secondsIn = (from: string, to: string | undefined): number => (Date.parse(to ?? '') - Date.parse(from)) / 1000;

/** Additional invariants if no node is lost: Kubernetes then says when a container began and ended. */
export const EXACT: typeof INVARIANTS = {
  'an interval lasts as long as the container was Ready, to the second': ({ pods, history }) => {
    for (const { subjectUID, seq, from, to } of billedRuns(history)) {
      const states = pods.map(({ object }) => object).filter(({ metadata }) => metadata.uid === subjectUID);
      const readyAt = states.map(readySince).find((at) => at !== undefined);
      const endedAt = states.map(finishedAt).find((at) => at !== undefined);
      if (from !== readyAt || to !== endedAt)
        throw new Error(`interval ${seq} is ${from} to ${to}, its container's ${readyAt} to ${endedAt}`);
    }
  },
  'every run that was Ready has one interval': ({ pods, history }) => {
    const runs = pods.filter(({ object }) => object.metadata.labels?.[LABEL.kind] !== 'HomeKeeper');
    const used = new Set(runs.filter(({ object }) => readySince(object)).map(({ object }) => object.metadata.uid));
    const billed = billedRuns(history).map(({ subjectUID }) => subjectUID);
    if (used.size !== billed.length || billed.some((uid) => !used.has(uid)))
      throw new Error(`${used.size} Pods were Ready, ${billed.length} intervals tell of ${new Set(billed).size}`);
  },
};

const billedRuns = (history: Instance['history']): Interval[] => {
  const last = history.at(-1);
  return last ? meteredRuns(last.object) : [];
};

/** For an operator's writes: an object that was committed once is never created again under its name. */
export function noSecondCreate(writes: readonly LoggedWrite[]): void {
  const made = writes.filter(
    ({ call, status }) => call.verb === 'create' && call.resource !== 'events' && status === 201,
  );
  for (const [what, all] of Map.groupBy(made, ({ call }) => `${call.resource} ${call.namespace}/${call.name}`)) {
    if (all.length > 1) throw new Error(`${what} was made ${all.length} times`);
  }
}

/** Holds a container, or will: once deleted before it had a node, nothing of it ever runs. */
const isAlive = ({ metadata, spec, status }: Pod): boolean =>
  status?.phase !== 'Failed' && status?.phase !== 'Succeeded' && !(metadata.deletionTimestamp && !spec?.nodeName);

const readySince = ({ status }: Pod): string | undefined =>
  status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is === 'True')?.lastTransitionTime;

const finishedAt = ({ status }: Pod): string | undefined =>
  status?.containerStatuses?.[0]?.state?.terminated?.finishedAt;

function inOrder(numbers: readonly number[]): void {
  const fall = numbers.findIndex((number, index) => number < (numbers[index - 1] ?? 0));
  if (fall > 0) throw new Error(`run ${numbers[fall]} after run ${numbers[fall - 1]}`);
}

const said = (interval: Interval | undefined): string =>
  interval ? `${interval.seq} (${interval.from} to ${interval.to ?? '…'})` : 'none';

/** Throws with every invariant that did not hold of this instance so far. */
export function allHold(instance: Instance, invariants = { ...INVARIANTS, ...EXACT }): void {
  holdOf(instance, invariants);
}

export function holdOf<S extends { readonly name: string }>(
  one: S,
  invariants: Readonly<Record<string, (one: S) => void>>,
): void {
  const broken = Object.entries(invariants).flatMap(([sentence, check]) => {
    try {
      check(one);
      return [];
    } catch (error) {
      return [`"${sentence}" does not hold of ${one.name}: ${(error as Error).message}`];
    }
  });
  if (broken.length > 0) throw new Error(broken.join('\n'));
}
