// One step towards what is wanted: write down what happened, then make, end or let go of one run's Pod.
import { sentence } from '@gantry/contract/define-kind.ts';
import {
  type GpuInstance,
  type GpuInstancePhase,
  type GpuInstanceStatus,
  gpuInstance,
} from '@gantry/contract/kinds/gpu-instance.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { defineController, type Plan } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { type Claim, isMetered } from '../../resources.ts';
import { type Books, booksOf } from './bookkeeping.ts';
import { conditionsOf } from './conditions.ts';
import { addressOf, desiredPod, homeLabels, type InstanceSettings, podLabels } from './desired.ts';
import { explain } from './explain.ts';
import { type Children, conditionSince, type Facts, factsOf, isUnpaid, progressOf } from './facts.ts';
import { healthOf, quietFrom } from './health.ts';
import { desiredHome, grown, hibernated } from './home.ts';
import { keepingWaitsUntil } from './intervals.ts';
import { rekeyed, sshCommand } from './login.ts';
import { overdue } from './overdue.ts';
import { createDeadline, networkDeadline, phaseOf } from './phase.ts';
import { reads } from './reads.ts';
import { awaySince, isAway, saving, shownSnapshot } from './saving.ts';

export const gpuInstanceController = defineController<GpuInstance, typeof reads, InstanceSettings>({
  facts: gpuInstance,
  reads,
  writes: {
    fields: [
      ...([
        'node',
        'address',
        'podIP',
        'health',
        'settledPower',
        'rebootCount',
        'everReady',
        'run',
        'intervals',
      ] as const),
      ...(['root', 'home', 'snapshot', 'ssh'] as const),
    ],
    conditions: ['Ready', 'RootKept', 'HomeGrown', 'HomeTied', 'DisksHaveRoom', 'KeysAccepted', 'RestartNeeded'],
  },
  overdue,
  stale: ({ status }, pods) => (pods.some((pod) => addressIn(pod) === status?.podIP) ? [] : ['podIP']),
  plan(owner, seen, context) {
    const before = factsOf(owner, seen, context);
    const books = booksOf(before);
    // Phase and children follow from what will have been written: the runtime writes status first and stops if it can not.
    const f = factsOf(recorded(owner, books), seen, context);
    if (f.deleting) return release(owner, f, books);
    const phase = phaseOf(f);
    return {
      finalizer: 'keep',
      status: statusOf(f, books, phase),
      ...children(f),
      ...again(f),
    };
  },
});

function recorded(owner: GpuInstance, { run, settledPower, intervals, root, home, ...rest }: Books): GpuInstance {
  const { run: _run, settledPower: _settled, root: _root, home: _home, ...status } = owner.status ?? {};
  return {
    ...owner,
    status: {
      ...status,
      ...rest,
      intervals: [...intervals],
      ...(run && { run }),
      ...(settledPower !== undefined && { settledPower }),
      ...(root && { root }),
      ...(home && { home }),
    },
  };
}

function children(f: Facts): Children {
  const steps = [saving(f), letGo(f), ending(f), hibernated(f), made(f), grown(f), mended(f)];
  return {
    create: steps.flatMap((step) => step.create ?? []),
    patch: steps.flatMap((step) => step.patch ?? []),
    remove: steps.flatMap((step) => step.remove ?? []),
  };
}

/** Pods of runs that are over: their end is in the books and their work saved, so the finalizer has done its work. */
function letGo({ spent, unsaved }: Facts): Children {
  const done = spent.filter((pod) => !unsaved.includes(pod));
  // One of an older run that still runs has no business to; it is held all the same.
  const strays = unsaved.filter((pod) => progressOf(pod) !== 'finished');
  return {
    patch: done.filter(isMetered).map((pod) => ({ ...targetOf(pod), ...withoutMetered(pod) })),
    remove: [...done, ...strays].filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf),
  };
}

/** Ends the current run's Pod where it is no longer wanted as it is. A lost node is not argued with. */
function ending(f: Facts): Children {
  const { pod, progress, power, lost, rebootWanted, edited, exportWanted } = f;
  if (!pod || lost || progress === 'finished') return {};
  if (power === 'Running' && !rebootWanted && !edited && !exportWanted) return {};
  if (pod.metadata.deletionTimestamp !== undefined) return {};
  // What runs goes on until its successor may be made.
  if (power === 'Running' && isUnpaid(f)) return {};
  // Grace 1 and never 0: the kubelet must confirm, or two containers could write to one disk. An agent keeps the changes at
  // the very end of a deleted container; one that is away does not, and then the container has to stay in place.
  const isKept = !isAway(pod.spec?.nodeName ?? '', f);
  if (power === 'Running' && rebootWanted && isKept) return { remove: [{ ...targetOf(pod), gracePeriodSeconds: 1 }] };
  if (progress !== 'started' && progress !== 'ready') return { remove: [targetOf(pod)] };
  // The deadline stops the container in place, with an exact finishedAt, and leaves its root file system to be saved.
  return pod.spec?.activeDeadlineSeconds === undefined
    ? { patch: [{ ...targetOf(pod), body: { spec: { activeDeadlineSeconds: 1 } } }] }
    : {};
}

/** The home disk, then the Pod of a recorded run once nothing of an older one is left. A refused home makes no Pod that waits for it. */
function made(f: Facts): Children {
  const { owner, run, pod, spent, keeper, home, settings, seen } = f;
  if (!run || f.power !== 'Running' || isHeld(f)) return {};
  if (!home) return { create: [desiredHome(owner, f.status.home)] };
  if (pod || keeper || spent.length > 0 || home.metadata.deletionTimestamp !== undefined) return {};
  return { create: [desiredPod(owner, run.seq, { verified: seen.images.ready, host: seen.host }, settings)] };
}

/** Why nothing may be made now, though it is wanted. */
function isHeld(f: Facts): boolean {
  const missing = f.trouble?.reason;
  return (
    isUnpaid(f) ||
    f.waitsFor !== undefined ||
    (instant(f.run?.notBefore) ?? 0) > f.now ||
    missing === 'HostNotFound' ||
    missing === 'HostExpired' ||
    missing === 'DiskNotFound' ||
    missing === 'HomeLost' ||
    missing === 'DiskFailed' ||
    missing === 'StorageClassNotFound' ||
    missing === 'ImageBeingVerified'
  );
}

/** What somebody changed by hand or wishes otherwise while it runs: labels, by which others find it, and the finalizer that holds a Pod until its end is written down. */
function mended({ owner, run, pod, home }: Facts): Children {
  const patch: Patch[] = [];
  if (pod && run && pod.metadata.deletionTimestamp === undefined) {
    const labels = podLabels(owner, run.seq);
    if (!bears(pod, labels)) patch.push({ ...targetOf(pod), body: { metadata: { labels } } });
    if (!isMetered(pod)) patch.push({ ...targetOf(pod), ...withMetered(pod) });
    patch.push(...rekeyed(pod, owner));
  }
  if (home && home.metadata.deletionTimestamp === undefined) {
    const labels = homeLabels(owner);
    if (!bears(home, labels)) patch.push({ ...targetOf(home), body: { metadata: { labels } } });
  }
  return { patch };
}

const bears = ({ metadata }: Pod | Claim, labels: Record<string, string>): boolean =>
  Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);

/** A deleted instance: its Pods end and are stamped, its home goes, then it may go itself. */
function release(owner: GpuInstance, f: Facts, books: Books): Plan<GpuInstanceStatus> {
  const homes: readonly Claim[] = f.seen.claims;
  const gone = f.seen.pods.length === 0 && homes.length === 0;
  const others = owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
  const { create: _none, ...steps } = children(f);
  return {
    ...steps,
    remove: [
      ...(steps.remove ?? []),
      ...(f.pod ? [] : homes.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf)),
    ],
    // A home alone is gone within moments: not worth a write. Pods, or billing that still has to post, are.
    ...((f.seen.pods.length > 0 || others) && { status: statusOf(f, books, phaseOf(f)) }),
    finalizer: gone ? 'drop' : 'keep',
    ...again(f),
  };
}

/** What waits long is counted anew less often: a thousand that wait must not keep everybody busy. */
const RECOUNT_MS = { first: 15_000, most: 120_000 };

function recountAt({ seen, pod, now }: Facts): Instant | undefined {
  if (!seen.stock) return undefined;
  const waitedMs = now - (conditionSince(pod, 'PodScheduled', 'False') ?? now);
  return now + Math.min(Math.max(RECOUNT_MS.first, waitedMs / 4), RECOUNT_MS.most);
}

/** The next moment at which time alone changes the plan. */
function again(f: Facts): Pick<Plan, 'againInMs'> {
  const moments = [
    instant(f.run?.notBefore),
    f.run?.readyAt === undefined ? createDeadline(f) : undefined,
    f.run?.readyAt === undefined ? networkDeadline(f) : undefined,
    recountAt(f),
    keepingWaitsUntil(f),
    f.endDueBy,
    ...f.unsaved.map((pod) => awaySince(pod.spec?.nodeName ?? '', f)),
    ...quietFrom(f),
  ].filter((at): at is number => at !== undefined && at > f.now);
  return moments.length > 0 ? { againInMs: Math.min(...moments) - f.now } : {};
}

/** The Pod's own, while its container runs; one that failed has given it back, whatever its node says of the container. */
const addressIn = (pod: Pod): string | undefined =>
  ['started', 'ready'].includes(progressOf(pod)) && !isTerminal(pod) ? pod.status?.podIP : undefined;

function statusOf(f: Facts, books: Books, phase: GpuInstancePhase): GpuInstanceStatus {
  const { reason, args } = explain(f, phase);
  const message = sentence(gpuInstance.reasons[reason], 'en', args);
  const node = f.pod?.spec?.nodeName;
  const snapshot = shownSnapshot(f);
  const address = addressOf(f.owner);
  const podIP = f.pod && addressIn(f.pod);
  const ssh = sshCommand(f, address);
  return {
    phase,
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message,
    ...(f.owner.metadata.generation !== undefined && { observedGeneration: f.owner.metadata.generation }),
    conditions: conditionsOf(f, phase, reason, message),
    ...(node && { node }),
    address,
    ...(podIP && { podIP }),
    health: healthOf(f),
    ...(books.settledPower !== undefined && { settledPower: books.settledPower }),
    rebootCount: books.rebootCount,
    ...(books.everReady && { everReady: true }),
    ...(books.run && { run: books.run }),
    ...(books.intervals.length > 0 && { intervals: [...books.intervals] }),
    ...(books.root && { root: books.root }),
    ...(books.home && { home: books.home }),
    ...(snapshot && { snapshot }),
    ...(ssh && { ssh }),
  };
}

/** A merge patch replaces the whole list, so it counts only for the list that was seen. */
const withFinalizers = ({ metadata }: Pod, finalizers: string[]): Pick<Patch, 'body' | 'resourceVersion'> => ({
  body: { metadata: { finalizers } },
  ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
});
const finalizersOf = ({ metadata }: Pod): string[] =>
  (metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER.metered);
const withoutMetered = (pod: Pod) => withFinalizers(pod, finalizersOf(pod));
const withMetered = (pod: Pod) => withFinalizers(pod, [...finalizersOf(pod), FINALIZER.metered]);
