// What a container changed outlives it: an ended Pod is held until its changes are saved, or nobody can save them any more.
// Nothing is given up while it may still be saved; a deleted instance saves nothing.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { AGENT_AWAY_MS, ANNOTATION, LABEL, REGISTRY } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { instant } from '../../metering.ts';
import { ownedBy } from '../../resources.ts';
import { homeLabels } from './desired.ts';
import type { Children, Facts, Trouble } from './facts.ts';

export type Root = NonNullable<GpuInstanceStatus['root']>;
type Seen = Pick<Facts, 'deleting' | 'seen' | 'status'>;

export const runOf = ({ metadata }: Pod | Snapshot): number => Number(metadata.labels?.[LABEL.run] ?? 0);
const rootOf = ({ spec }: Snapshot): boolean => spec.of === 'Root';

/** What Kubernetes says of a Pod whose node was declared gone. */
export const wentWithNode = ({ status }: Pod): boolean =>
  status?.conditions?.some(
    ({ type, status: is, reason }) => type === 'DisruptionTarget' && is === 'True' && reason === 'DeletionByPodGC',
  ) ?? false;

/** A container that never ran changed nothing. A start that failed has the year 1970, one that was lost sight of no time. */
export function everStarted(pod: Pod): boolean {
  const main = pod.status?.containerStatuses?.[0]?.state;
  if (main?.running) return true;
  const ended = main?.terminated;
  return ended?.reason === 'ContainerStatusUnknown' || (instant(ended?.startedAt) ?? 0) > 0;
}

const isOver = (pod: Pod): boolean =>
  isTerminal(pod) || pod.status?.containerStatuses?.[0]?.state?.terminated !== undefined;

export const snapshotOf = (pod: Pod, snapshots: readonly Snapshot[]): Snapshot | undefined =>
  snapshots.find(({ metadata, spec }) => metadata.name === pod.metadata.name && spec.podUID === pod.metadata.uid);

/** Ended, and worth saving, and somebody still can: it is held. */
export function isUnsaved(pod: Pod, { deleting, seen, status }: Seen): boolean {
  if (deleting || !everStarted(pod) || runOf(pod) <= (status.root?.seq ?? 0)) return false;
  const phase = snapshotOf(pod, seen.snapshots)?.status?.phase;
  if (phase === 'failed') return false;
  return phase === 'ready' || (seen.agents.includes(pod.spec?.nodeName ?? '') && !wentWithNode(pod));
}

/** The newest root that is saved and read back: recorded before the Pod is let go. */
export function savedRoot({ status, seen, owner }: Facts): Root | undefined {
  const saved = seen.snapshots.filter((one) => rootOf(one) && one.status?.phase === 'ready' && one.status.digest);
  const newest = saved.reduce<Snapshot | undefined>(
    (best, one) => (runOf(one) > (best ? runOf(best) : (status.root?.seq ?? 0)) ? one : best),
    undefined,
  );
  if (!newest) return status.root;
  const { digest = '', sizeBytes, totalBytes, layers } = newest.status ?? {};
  return {
    image: `${newest.spec.target}@${digest}`,
    of: newest.metadata.annotations?.[ANNOTATION.source] ?? owner.spec.image,
    seq: runOf(newest),
    // When it was asked for, the container having ended. By the API server's clock, as the Images that wait for it have it: by
    // the node's, one that is behind would have it saved again and again.
    savedAt: newest.metadata.creationTimestamp ?? '',
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(totalBytes !== undefined && { totalBytes }),
    ...(layers !== undefined && { layers }),
  };
}

/** Asks for the saves of what ended, and clears away those that a newer root has made useless. */
export function saving(f: Facts): Children {
  const { unsaved, seen, status, spent } = f;
  const asked = unsaved.filter(isOver).filter((pod) => !seen.snapshots.some(hasItsName(pod)));
  const isUseless = (one: Snapshot): boolean => {
    if (one.metadata.deletionTimestamp || !rootOf(one)) return false;
    if (runOf(one) !== (status.root?.seq ?? 0) && runOf(one) < (status.root?.seq ?? 0)) return true;
    const isFinal = one.status?.phase === 'ready' || one.status?.phase === 'failed';
    return !isFinal && !spent.some((pod) => pod.metadata.uid === one.spec.podUID && isUnsaved(pod, f));
  };
  return {
    create: asked.map((pod) => desiredRootSnapshot(f.owner, pod)),
    remove: f.deleting ? [] : seen.snapshots.filter(isUseless).map(targetOf),
  };
}

const hasItsName =
  (pod: Pod) =>
  ({ metadata }: Snapshot): boolean =>
    metadata.name === pod.metadata.name;

function desiredRootSnapshot(owner: GpuInstance, pod: Pod): Snapshot {
  const { name, namespace = '' } = owner.metadata;
  const source = pod.metadata.annotations?.[ANNOTATION.source] ?? owner.spec.image;
  return {
    apiVersion: owner.apiVersion,
    kind: 'Snapshot',
    metadata: {
      name: pod.metadata.name,
      namespace,
      labels: { ...homeLabels(owner), [LABEL.run]: String(runOf(pod)) },
      annotations: { [ANNOTATION.source]: source },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      instance: name,
      of: 'Root',
      node: pod.spec?.nodeName ?? '',
      podName: pod.metadata.name,
      podUID: pod.metadata.uid ?? '',
      target: `${REGISTRY}/${namespace}/${name}.root:${runOf(pod)}`,
    },
  };
}

/** Since when an agent counts as away: it gives a sign every twenty seconds. Undefined where there is none to wait for. */
export function awaySince(node: string, { seen }: Pick<Facts, 'seen'>): Instant | undefined {
  const sign = instant(seen.signsOfLife[node]);
  return sign === undefined ? undefined : sign + AGENT_AWAY_MS;
}

export const isAway = (node: string, f: Pick<Facts, 'seen' | 'now'>): boolean =>
  (awaySince(node, f) ?? Number.POSITIVE_INFINITY) <= f.now;

/** How far a save is, where it does not get through. */
export function saveTrouble(node: string, save: Snapshot | undefined, f: Facts): Trouble | undefined {
  const { phase, reason, reasonArgs, message = '' } = save?.status ?? {};
  const waits = phase !== 'ready' && phase !== 'failed';
  if (waits && isAway(node, f)) return { reason: 'AgentAway', args: { node } };
  // Between two tries it is at it again, and what kept it from getting through still is the last thing known.
  const triesAgain = phase === 'processing' && reason !== 'Retrying' && (save?.status?.attempts ?? 0) > 0;
  if (triesAgain && f.status.reason === 'SaveRetrying')
    return { reason: 'SaveRetrying', args: f.status.reasonArgs ?? {} };
  if (waits && reason === 'Retrying')
    return { reason: 'SaveRetrying', args: { detail: reasonArgs?.detail ?? message } };
  return undefined;
}

/** What went wrong, without the sentence around it, which is in one language. */
export const causeOf = ({ status }: Snapshot): string => status?.reasonArgs?.detail ?? status?.message ?? '';

/** Of an ended container that is not saved yet. */
export function whileSaving(f: Facts): Trouble | undefined {
  const [pod] = f.unsaved;
  if (!pod) return undefined;
  const save = snapshotOf(pod, f.seen.snapshots);
  return saveTrouble(pod.spec?.nodeName ?? '', save, f) ?? f.saveRefused ?? { reason: 'SavingRoot', args: {} };
}

/** The save under way or the last one, as views show it. */
export function shownSnapshot({ seen, status }: Facts): GpuInstanceStatus['snapshot'] {
  const latest = seen.snapshots.reduce<Snapshot | undefined>(
    (best, one) => (best && (runOf(best) > runOf(one) || (runOf(best) === runOf(one) && !rootOf(best))) ? best : one),
    undefined,
  );
  if (!latest) return undefined;
  const { phase = 'processing', reason, message } = latest.status ?? {};
  const isNews = reason === 'Retrying' || phase === 'failed';
  const known = status.snapshot;
  if (!isNews && phase === 'processing' && known?.phase === phase && known.name === latest.metadata.name) return known;
  return { name: latest.metadata.name, phase, ...(isNews && message !== undefined && { message }) };
}
