// A volume's next step, from its claim and its PersistentVolume alone: pure, so that a provisioner killed at any point continues
// from the cluster's state.

import { quantity } from '@gantry/contract/fields/quantity.ts';
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';

export const PROVISIONER = 'disk.hack.gantry.dev';

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const HOSTNAME = 'kubernetes.io/hostname';

/** `size` is a quantity, as its claim wrote it. */
export type VolumePlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'refuse'; readonly why: string }
  | { readonly do: 'provision'; readonly node: string; readonly size: string }
  | { readonly do: 'grow'; readonly node: string; readonly size: string }
  /** The volume has the size; only its claim does not say so yet. */
  | { readonly do: 'report'; readonly size: string }
  | { readonly do: 'mount'; readonly node: string }
  /** Released, or nothing but a left-over on some node's disk. */
  | { readonly do: 'remove' };

/** A claim's volume has its name before it exists, so that provisioning twice makes one. */
export const volumeName = (claim: V1PersistentVolumeClaim) => `pvc-${claim.metadata?.uid}`;

export const isOurs = (volume: V1PersistentVolume) => volume.metadata?.annotations?.[PROVISIONED_BY] === PROVISIONER;

export function planVolume(
  claim: V1PersistentVolumeClaim | undefined,
  volume: V1PersistentVolume | undefined,
): VolumePlan {
  if (!volume) return claim ? planClaim(claim) : { do: 'remove' };
  if (isReleased(volume)) return { do: 'remove' };
  const node = nodeOf(volume);
  const wanted = claim?.spec?.resources?.requests?.storage ?? '0';
  const has = volume.spec?.capacity?.storage ?? '0';
  if (quantity(wanted) > quantity(has)) return { do: 'grow', node, size: wanted };
  const reported = claim?.status?.capacity?.storage;
  if (reported && quantity(reported) < quantity(has)) return { do: 'report', size: has };
  return { do: 'mount', node };
}

function planClaim({ metadata, spec }: V1PersistentVolumeClaim): VolumePlan {
  const { [SELECTED_NODE]: node, [STORAGE_PROVISIONER]: provisioner } = metadata?.annotations ?? {};
  const isWaiting = provisioner === PROVISIONER && !spec?.volumeName && !metadata?.deletionTimestamp;
  // The class waits for its first consumer: without a node, the scheduler has not chosen yet.
  if (!isWaiting || !node) return { do: 'nothing' };
  // Every access mode will do: a volume is tied to its node, and many writers are many Pods of that node.
  if (spec?.volumeMode === 'Block')
    return { do: 'refuse', why: 'a disk has a file system: ask for volumeMode Filesystem' };
  return { do: 'provision', node, size: spec?.resources?.requests?.storage ?? '0' };
}

/** The claim is gone; or somebody deleted a volume that no claim holds. */
const isReleased = ({ metadata, spec, status }: V1PersistentVolume) =>
  spec?.persistentVolumeReclaimPolicy === 'Delete' &&
  (status?.phase === 'Released' || (metadata?.deletionTimestamp !== undefined && status?.phase !== 'Bound'));

export const nodeOf = (volume: V1PersistentVolume): string =>
  volume.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values?.[0] ?? '';

/** `path` is where the node finds its contents. */
export function desiredVolume(
  claim: V1PersistentVolumeClaim,
  { node, size, path }: { readonly node: string; readonly size: string; readonly path: string },
) {
  const { name, namespace, uid } = claim.metadata ?? {};
  const onNode = { matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [node] }] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName(claim), annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      accessModes: claim.spec?.accessModes ?? [],
      capacity: { storage: size },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: claim.spec?.storageClassName,
      volumeMode: 'Filesystem',
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [onNode] } },
    },
  };
}
