// What a volume needs next, from its claim and its PersistentVolume alone: pure, so that a provisioner killed at any
// point goes on where the cluster says it was.
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { parseQuantity } from './quantity.ts';

export const PROVISIONER = 'disk.hack.gantry.dev';
export const STORAGE_CLASS = 'gantry-disk';

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

export type VolumePlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'provision'; readonly node: string; readonly sizeBytes: number }
  | { readonly do: 'mount'; readonly node: string }
  | { readonly do: 'grow'; readonly node: string; readonly sizeBytes: number }
  /** The volume grew; only the claim does not say so yet. */
  | { readonly do: 'report size' }
  /** `node` is absent when the volume is only a left-over on disk. */
  | { readonly do: 'remove'; readonly node?: string };

/** The claim's volume: known before it exists, so that provisioning twice makes one. */
export const volumeName = (claimUid: string) => `pvc-${claimUid}`;

export const isOurs = (volume: V1PersistentVolume) =>
  volume.metadata?.annotations?.[PROVISIONED_BY] === PROVISIONER;

export function planVolume(
  claim: V1PersistentVolumeClaim | undefined,
  volume: V1PersistentVolume | undefined,
): VolumePlan {
  if (!volume) return claim ? planClaim(claim) : { do: 'remove' };
  const node = nodeOf(volume);
  if (isReleased(volume)) return { do: 'remove', node };
  const wanted = sizeOf(claim?.spec?.resources?.requests);
  const has = sizeOf(volume.spec?.capacity);
  if (wanted > has) return { do: 'grow', node, sizeBytes: wanted };
  if (claim?.status?.phase === 'Bound' && sizeOf(claim.status.capacity) < has) return { do: 'report size' };
  return { do: 'mount', node };
}

function planClaim({ metadata, spec }: V1PersistentVolumeClaim): VolumePlan {
  const { [SELECTED_NODE]: node, [STORAGE_PROVISIONER]: provisioner } = metadata?.annotations ?? {};
  const isWaiting = provisioner === PROVISIONER && !spec?.volumeName && !metadata?.deletionTimestamp;
  // The class waits for the first consumer: without a node the scheduler has not chosen yet.
  if (!isWaiting || !node) return { do: 'nothing' };
  return { do: 'provision', node, sizeBytes: sizeOf(spec?.resources?.requests) };
}

const isReleased = ({ spec, status, metadata }: V1PersistentVolume) =>
  (status?.phase === 'Released' || (metadata?.deletionTimestamp !== undefined && status?.phase !== 'Bound')) &&
  spec?.persistentVolumeReclaimPolicy === 'Delete';

const sizeOf = (resources: Record<string, string> | undefined) => parseQuantity(resources?.storage ?? '0');

const nodeOf = (volume: V1PersistentVolume): string =>
  volume.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values?.[0] ?? '';

/** `path` is where the node finds its contents. */
export function desiredVolume(
  claim: V1PersistentVolumeClaim,
  at: { readonly node: string; readonly sizeBytes: number; readonly path: string },
): V1PersistentVolume & { metadata: { name: string } } {
  const { name = '', namespace = '', uid = '' } = claim.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName(uid), annotations: { [PROVISIONED_BY]: PROVISIONER } },
    spec: {
      accessModes: claim.spec?.accessModes ?? [],
      capacity: { storage: String(at.sizeBytes) },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: claim.spec?.storageClassName ?? STORAGE_CLASS,
      volumeMode: 'Filesystem',
      local: { path: at.path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [at.node] }] },
          ],
        },
      },
    },
  };
}
