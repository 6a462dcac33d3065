// The billed use of an instance over time: its run while it is used, and always its home disk and its saves. One sequence without gaps;
// every change of use begins the next interval.

import { LEAST_SAVED_BYTES, sizeUse } from '@gantry/contract/billing/resources.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { milli, quantity } from '@gantry/contract/fields/quantity.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { savedBytes } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant, kept, openIn, stretched, type Use, wholeSeconds, withoutEmpty } from '../../metering.ts';
import { conditionSince } from '../../pod-progress.ts';
import type { Books } from './bookkeeping.ts';
import { isOfRun } from './credit-facts.ts';
import type { Facts } from './facts.ts';
import { NETWORK_TIMEOUT_MS } from './phase.ts';
import { type Run, startOf } from './pod-facts.ts';

const KEPT: readonly string[] = ['disk', 'snapshot'];
const keptOf = (uses: readonly Use[]): Use[] => uses.filter(({ resource }) => KEPT.includes(resource));
const heldOf = (uses: readonly Use[]): Use[] => uses.filter(({ resource }) => !KEPT.includes(resource));

/** `books` are those of this very plan, except the intervals, which are the recorded ones. */
export function intervalsOf(f: Facts, books: Books): readonly Interval[] {
  const known = books.intervals;
  const steps = [runEnded, runUsed, keeping];
  const next = steps.reduce((line, step) => step(f, books, line), known);
  return kept(withoutEmpty(known, next), f.owner, f.settings.creditGate);
}

type Step = (f: Facts, books: Books, line: readonly Interval[]) => readonly Interval[];

/** A run's interval ends with its container, or at a lost node's last heartbeat; the instance's storage continues. */
const runEnded: Step = (f, _books, line) => {
  const open = openIn(line);
  const end = open && isOfRun(f.owner, open) ? endOf(f, open) : undefined;
  return open && end !== undefined ? atRestFrom(f, line, keptOf(open.uses), end) : line;
};

/** Opens one when the run is first used, or is known again after its node was lost. */
const runUsed: Step = (f, books, line) => {
  const { current: pod, progress, isLost, finishedAt } = f.pods;
  const open = openIn(line);
  const since = pod && books.run && usedSince(f, books.run);
  if (!pod || since === undefined || isLost || (open && isOfRun(f.owner, open))) return line;
  const before = line.findLast((one) => isOfRun(f.owner, one));
  const isUnseen = progress === 'finished' && before?.subjectUID !== pod.metadata.uid;
  if (progress !== 'ready' && progress !== 'started' && !isUnseen) return line;
  const at = Math.max(since, backAt(f, before, since === instant(books.run?.readyAt)));
  const used = stretched(withDisk(f, books, line), {
    subjectUID: pod.metadata.uid ?? '',
    uses: [...usesHeld(pod), ...usesKept(f, books)],
    at,
  });
  return isUnseen ? atRestFrom(f, used, usesKept(f, books), finishedAt ?? at) : used;
};

/** A new disk was there before anybody could use it. */
const withDisk: Step = (f, books, line) => {
  const open = openIn(line);
  const boundAt = homeBoundAt(f);
  if (boundAt === undefined || hasDisk(open)) return line;
  const [disk, saved] = [usesKept(f, books), open?.uses ?? []].map((uses, index) =>
    uses.filter(({ resource }) => resource === KEPT[index]),
  );
  return atRestFrom(f, line, [...(disk ?? []), ...(saved ?? [])], boundAt);
};
const hasDisk = (interval: Interval | undefined): boolean =>
  interval?.uses.some(({ resource }) => resource === 'disk') ?? false;

/** The current home disk and saves. */
const keeping: Step = (f, books, line) => {
  const open = openIn(line);
  const uses = usesKept(f, books);
  if (open && isOfRun(f.owner, open))
    return stretched(line, {
      subjectUID: open.subjectUID,
      uses: [...heldOf(open.uses), ...uses],
      at: wholeSeconds(f.now),
    });
  if ((keepingWaitsUntil(f) ?? f.now) > f.now) return line;
  return atRestFrom(f, line, uses, (hasDisk(open) ? undefined : homeBoundAt(f)) ?? wholeSeconds(f.now));
};

const atRestFrom = (f: Facts, line: readonly Interval[], uses: readonly Use[], at: Instant): readonly Interval[] =>
  stretched(line, { subjectUID: identityOf(f.owner), uses, at });

/** Changes during a start are recorded with its first Ready, which comes soon: that saves a write in every life. */
const PATIENCE_MS = 60_000;

/** Until when it waits for that; undefined where no run is on its way. */
export function keepingWaitsUntil(f: Facts): Instant | undefined {
  const { progress, isLost } = f.pods;
  if (!f.run || f.power !== 'Running' || progress === 'finished' || isLost || f.run.readyAt !== undefined)
    return undefined;
  const moments = [homeBoundAt(f), startOf(f.pods)].filter((at) => at !== undefined);
  return moments.length > 0 ? Math.max(...moments) + PATIENCE_MS : undefined;
}

/** As the volume says. */
function homeBoundAt({ seen: { volume }, now }: Facts): Instant | undefined {
  const since = volume?.status?.phase === 'Bound' ? instant(volume.status.lastPhaseTransitionTime) : undefined;
  return since === undefined ? undefined : Math.min(since, now);
}

/**
 * Since when a run is used: first Ready, or the end of the minute that the network has, whichever is earlier; or since logins
 * worked, if that was within the minute and Ready was not. The tenant's own program can keep SSH and the notebook silent, so a
 * running container is compute whatever they say.
 */
function usedSince(f: Facts, { readyAt, answeredAt, givenUpAt }: Run): Instant | undefined {
  const ready = instant(readyAt);
  const began = startOf(f.pods);
  if (began === undefined || began <= 0) return ready;
  const deadline = began + NETWORK_TIMEOUT_MS;
  if ((ready ?? f.pods.finishedAt ?? instant(givenUpAt) ?? f.now) < deadline) return ready;
  return Math.min(instant(answeredAt) ?? deadline, deadline);
}

/** A second interval of the same Pod waits for its node to be known again, and so does one that opens without Ready. */
function backAt({ seen, pods }: Facts, last: Interval | undefined, isReady: boolean): Instant {
  if (last?.subjectUID !== pods.current?.metadata.uid && isReady) return Number.NEGATIVE_INFINITY;
  const ready = seen.node?.status?.conditions?.find(({ type }) => type === 'Ready');
  return instant(ready?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
}

function endOf(f: Facts, open: Interval): Instant | undefined {
  const { current, progress, finishedAt, isLost } = f.pods;
  if (finishedAt !== undefined && current?.metadata.uid === open.subjectUID) return finishedAt;
  if (isLost) return Math.min(instant(f.seen.lease?.spec?.renewTime) ?? lastSign(f, open), f.now);
  const gone = progress === 'finished' || current?.metadata.uid !== open.subjectUID;
  // A node that had died before its Pod was collected ran nothing after its last heartbeat.
  return gone ? Math.min(instant(f.seen.lease?.spec?.renewTime) ?? f.now, lastSign(f, open)) : undefined;
}

/**
 * For a container whose end nobody saw. A Node's heartbeats go with the Node, and an operator may have been down for hours: then
 * the Pod still says when it was given up, or collected.
 */
function lastSign({ pods: { current }, run, now }: Facts, open: Interval): Instant {
  const givenUp = instant(run?.givenUpAt) ?? conditionSince(current, 'Ready', 'False') ?? now;
  const collected = instant(current?.metadata.deletionTimestamp) ?? now;
  return Math.min(givenUp > (instant(open.from) ?? 0) ? givenUp : now, collected, now);
}

/** The resources that the Pod holds; an edit may have changed the spec since. */
function usesHeld({ spec, metadata }: Pod): Use[] {
  const asked = spec?.containers[0]?.resources?.requests ?? {};
  const gpus = quantity(asked[GPU_RESOURCE]);
  const model = spec?.nodeSelector?.[LABEL.gpuModel];
  // On a host of the organisation's it is paid for with the host.
  const of = (resource: string) => (metadata.annotations?.[ANNOTATION.host] ? `hosted-${resource}` : resource);
  return [
    ...(gpus > 0 ? [{ resource: of('gpu'), ...(model !== undefined && { model }), quantity: gpus }] : []),
    { resource: of('cpu'), quantity: milli(quantity(asked.cpu)) },
    sizeUse(of('memory'), quantity(asked.memory)),
  ];
}

/** At rest as well as in runs. A released instance keeps nothing. */
function usesKept({ home: { claim }, deleting, seen }: Facts, books: Books): Use[] {
  if (deleting && seen.pods.length === 0 && seen.claims.length === 0) return [];
  const { capacity } = claim?.status ?? {};
  const isBound = claim?.status?.phase === 'Bound';
  const disk = isBound ? quantity(capacity?.storage ?? claim.spec?.resources?.requests?.storage) : 0;
  const saved = savedBytes({ root: books.root, home: books.home });
  return [
    ...(disk > 0 ? [sizeUse('disk', disk)] : []),
    ...(saved >= LEAST_SAVED_BYTES ? [sizeUse('snapshot', saved)] : []),
  ];
}
