// The Pod of a run, one step at a time: made for a recorded run, mended while it runs, ended when it is not wanted as it is, and
// let go once its end is in the books.

import { FINALIZER } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { progressOf } from '../../pod-progress.ts';
import { type Claim, isMetered } from '../../resources.ts';
import { desiredPod, homeLabels, podLabels } from './desired.ts';
import type { Children, Facts } from './facts.ts';
import { isEarly } from './hold.ts';
import { desiredHome } from './home/claim.ts';
import { rekeyed } from './login.ts';
import { isAway } from './saving/progress.ts';

/** Pods of runs that are over: their end is in the books and their work saved, so the finalizer has done its work. */
export function letGo({ pods: { spent, unsaved } }: Facts): Children {
  const done = spent.filter((pod) => !unsaved.includes(pod));
  // One of an older run that still runs has no business to; it is held all the same.
  const strays = unsaved.filter((pod) => progressOf(pod) !== 'finished');
  return {
    patch: done.filter(isMetered).map((pod) => ({ ...targetOf(pod), ...withoutMetered(pod) })),
    remove: [...done, ...strays].filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf),
  };
}

/** Ends the current run's Pod if it is no longer desired as it is. A lost node is left alone. */
export function endRun(f: Facts): Children {
  const { power, rebootWanted, exportWanted, credit } = f;
  const { current: pod, progress, isLost, isEdited } = f.pods;
  if (!pod || isLost || progress === 'finished') return {};
  const isHeldInVain = f.run?.freedAt !== undefined || (f.hopeless !== undefined && progress === 'unplaced');
  if (power === 'Running' && isHeldInVain)
    return pod.metadata.deletionTimestamp === undefined ? { remove: [targetOf(pod)] } : {};
  if (power === 'Running' && !rebootWanted && !isEdited && !exportWanted) return {};
  if (pod.metadata.deletionTimestamp !== undefined) return {};
  // A running Pod continues until its successor may be created.
  if (power === 'Running' && credit.isUnpaid) return {};
  // Grace 1 and never 0: the kubelet must confirm, or two containers could write to one disk. An agent keeps the changes at the
  // very end of a deleted container; if it is away, the container has to stay in place.
  const isKept = !isAway(pod.spec?.nodeName ?? '', f);
  if (power === 'Running' && rebootWanted && isKept) return { remove: [{ ...targetOf(pod), gracePeriodSeconds: 1 }] };
  if (progress !== 'started' && progress !== 'ready') return { remove: [targetOf(pod)] };
  // The deadline stops the container in place, with an exact finishedAt, and leaves its root file system to be saved.
  return pod.spec?.activeDeadlineSeconds === undefined
    ? { patch: [{ ...targetOf(pod), body: { spec: { activeDeadlineSeconds: 1 } } }] }
    : {};
}

/** The home disk, then the Pod of a recorded run once nothing of an older one is left. A refused home makes no Pod that waits for it. */
export function startRun(f: Facts): Children {
  const { owner, run, pods, settings, seen } = f;
  const { claim } = f.home;
  if (!run || f.power !== 'Running' || isHeld(f)) return {};
  if (!claim) return { create: [desiredHome(owner, f.status.home)] };
  const isTaken = pods.current || pods.keeper || pods.spent.length > 0;
  if (isTaken || claim.metadata.deletionTimestamp !== undefined) return {};
  return { create: [desiredPod(owner, run.seq, { verified: seen.images.ready, host: seen.host }, settings)] };
}

/** Reasons that name something missing in the cluster, without which nothing may be created. After a refusal, creation is retried. */
const HOLDING: readonly string[] = [
  'HostNotFound',
  'HostExpired',
  'DiskNotFound',
  'HomeLost',
  'DiskFailed',
  'StorageClassNotFound',
  'ImageBeingVerified',
];

/** Whether nothing may be made now, though it is wanted. */
const isHeld = (f: Facts): boolean =>
  f.credit.isUnpaid ||
  f.waitsFor !== undefined ||
  f.hopeless !== undefined ||
  isEarly(f) ||
  (f.trouble !== undefined && HOLDING.includes(f.trouble.reason));

/**
 * Manual changes, and edits while it runs: labels, by which others find it, keys, and the finalizer that holds a Pod until its
 * end is recorded.
 */
export function mend({ owner, run, pods: { current: pod }, home: { claim } }: Facts): Children {
  const patch: Patch[] = [];
  if (pod && run && pod.metadata.deletionTimestamp === undefined) {
    const labels = podLabels(owner, run.seq);
    if (!bears(pod, labels)) patch.push({ ...targetOf(pod), body: { metadata: { labels } } });
    if (!isMetered(pod)) patch.push({ ...targetOf(pod), ...withMetered(pod) });
    patch.push(...rekeyed(pod, owner));
  }
  if (claim && claim.metadata.deletionTimestamp === undefined) {
    const labels = homeLabels(owner);
    if (!bears(claim, labels)) patch.push({ ...targetOf(claim), body: { metadata: { labels } } });
  }
  return { patch };
}

const bears = ({ metadata }: Pod | Claim, labels: Record<string, string>): boolean =>
  Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);

/** A merge patch replaces the whole list, so it counts only for the list that was seen. */
const withFinalizers = ({ metadata }: Pod, finalizers: string[]): Pick<Patch, 'body' | 'resourceVersion'> => ({
  body: { metadata: { finalizers } },
  ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
});
const finalizersOf = ({ metadata }: Pod): string[] =>
  (metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER.metered);
const withoutMetered = (pod: Pod) => withFinalizers(pod, finalizersOf(pod));
const withMetered = (pod: Pod) => withFinalizers(pod, [...finalizersOf(pod), FINALIZER.metered]);
