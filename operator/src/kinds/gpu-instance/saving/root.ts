// A container's changes outlive it: an ended Pod is held until its changes are saved, or nobody can save them any more. Nothing
// is given up while it may still be saved; a deleted instance saves nothing.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { ANNOTATION, LABEL, REGISTRY } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { ownedBy } from '../../../resources.ts';
import { homeLabels } from '../desired.ts';
import type { Children, Facts } from '../facts.ts';
import { hasEnded, isUnsaved, runOf } from './ended-pods.ts';

/** The place of a root file system in the registry. */
export type SavedRoot = NonNullable<GpuInstanceStatus['root']>;

const isOfRoot = ({ spec }: Snapshot): boolean => spec.of === 'Root';

/** The newest root that is saved and read back: recorded before the Pod is let go. */
export function savedRoot({ status, seen, owner }: Facts): SavedRoot | undefined {
  const saved = seen.snapshots.filter((one) => isOfRoot(one) && one.status?.phase === 'ready' && one.status.digest);
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
export function saveRoots(f: Facts): Children {
  const { seen, status, pods } = f;
  const hasSave = ({ metadata: { name } }: Pod) => seen.snapshots.some(({ metadata }) => metadata.name === name);
  const wanted = pods.unsaved.filter((pod) => hasEnded(pod) && !hasSave(pod));
  const isUseless = (one: Snapshot): boolean => {
    if (one.metadata.deletionTimestamp || !isOfRoot(one)) return false;
    if (runOf(one) < (status.root?.seq ?? 0)) return true;
    const isFinal = one.status?.phase === 'ready' || one.status?.phase === 'failed';
    return !isFinal && !pods.spent.some((pod) => pod.metadata.uid === one.spec.podUID && isUnsaved(pod, f));
  };
  return {
    create: wanted.map((pod) => desiredRootSnapshot(f.owner, pod)),
    remove: f.deleting ? [] : seen.snapshots.filter(isUseless).map(targetOf),
  };
}

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
      log: `${REGISTRY}/${namespace}/${name}.log:${runOf(pod)}`,
    },
  };
}
