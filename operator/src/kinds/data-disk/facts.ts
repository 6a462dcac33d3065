// The facts about a disk at one moment: who has it, what its claim and volume say, what stands in the way.

import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { DataDisk, DataDiskReason, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { quotaSaid } from '@gantry/contract/kinds/quota-said.ts';
import { quoted } from '@gantry/contract/said.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { creditOf } from '../../credit.ts';
import type { Context } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { type Claim, isOwnedBy } from '../../resources.ts';
import { claimName, type DiskSettings, filesName } from './desired.ts';
import { holdersOf, type Mount } from './holders.ts';
import type { DiskSeen } from './reads.ts';

export interface Explanation {
  reason: DataDiskReason;
  args: Record<string, string>;
}

export interface Facts {
  owner: DataDisk;
  status: DataDiskStatus;
  seen: DiskSeen;
  now: Instant;
  settings: DiskSettings;
  refusals: readonly Refusal[];
  deleting: boolean;
  /** Ours: made by us, or one that has given the disk its own volume back. */
  claim: Claim | undefined;
  /** It has a volume. */
  bound: boolean;
  /** The volume's size, once it is bound. */
  capacityGi: number | undefined;
  /** Pods that use the claim, except the file server. */
  users: readonly Pod[];
  fileServer: Pod | undefined;
  mountedBy: readonly Mount[];
  /** Why nothing new may be made that costs. */
  unpaid: Explanation | undefined;
  /** The reason why the disk cannot be used. */
  trouble: Explanation | undefined;
  /** Since when the storage has been failing to create the volume. */
  provisioningSince: Instant | undefined;
}

const NOBODY = { instances: [], hosts: [], jobs: [] };

/** A volume that is missing after this long is reported; a driver of network storage may take a minute. */
export const PROVISION_PATIENCE_MS = 2 * 60_000;

export function factsOf(owner: DataDisk, seen: DiskSeen, { now, settings, refusals }: Context<DiskSettings>): Facts {
  const status = owner.status ?? {};
  const claim = seen.claim && isOurs(seen.claim, owner) ? seen.claim : undefined;
  const bound = claim?.status?.phase === 'Bound';
  const fileServer = seen.pods.find((pod) => pod.metadata.name === filesName(owner) && isOwnedBy(pod, owner));
  const users = seen.pods.filter(
    (pod) =>
      pod !== fileServer &&
      pod.spec?.volumes?.some(({ persistentVolumeClaim: of }) => of?.claimName === claimName(owner)),
  );
  const provisioningSince = provisioning(claim, status, seen.storageClass, now);
  const facts = {
    owner,
    status,
    seen,
    now,
    settings,
    refusals,
    deleting: owner.metadata.deletionTimestamp !== undefined,
    claim,
    bound,
    capacityGi: bound ? quantity(claim?.status?.capacity?.storage) / GI : undefined,
    users,
    fileServer,
    // Naming a missing disk does not mean having it.
    mountedBy: holdersOf(owner, claim ? seen : NOBODY, users),
    unpaid: creditOf(owner, settings.creditGate, now).trouble,
    provisioningSince,
  };
  return { ...facts, trouble: troubleIn(facts) };
}

/** A person who restores a lost disk's volume creates a claim for exactly that volume. */
const isOurs = (claim: Claim, owner: DataDisk): boolean =>
  isOwnedBy(claim, owner) ||
  (owner.status?.volumeName !== undefined && claim.spec?.volumeName === owner.status.volumeName);

/** The driver was asked for a volume and has not given one. A class that waits for the first mount asks only then. */
function provisioning(
  claim: Claim | undefined,
  status: DataDiskStatus,
  storageClass: DiskSeen['storageClass'],
  now: Instant,
): Instant | undefined {
  if (claim?.status?.phase !== 'Pending' || claim.metadata.deletionTimestamp) return undefined;
  const { annotations = {} } = claim.metadata;
  const isAsked = annotations['volume.kubernetes.io/storage-provisioner'] !== undefined;
  const hasNode = annotations['volume.kubernetes.io/selected-node'] !== undefined;
  if (!isAsked || (storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !hasNode)) return undefined;
  if (status.reason === 'NotProvisioned') return Number.NEGATIVE_INFINITY;
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'Unknown' ? (instant(ready.lastTransitionTime) ?? now) : now;
}

/** The rest of a longer text says no more, and a status has its limits. */
const MOST_DETAIL = 1000;

export function refusedFor({ message, reason, name }: Refusal): Explanation {
  if (reason === 'AlreadyExists') return { reason: 'NameTaken', args: { name } };
  const quota = quotaSaid(message);
  return quota
    ? { reason: 'QuotaExceeded', args: quoted('detail', quota) }
    : { reason: 'Refused', args: { detail: message.slice(0, MOST_DETAIL) } };
}

export const refusalOf = (f: Pick<Facts, 'refusals'>, kind: string): Refusal | undefined =>
  f.refusals.find((refusal) => refusal.kind === kind);

/** First match wins. */
function troubleIn(f: Omit<Facts, 'trouble'>): Explanation | undefined {
  const { owner, status, seen, claim } = f;
  if (!claim) {
    // Data may have been written: an empty disk in its place would be a lie.
    if (wasUsed(status)) return { reason: 'DiskLost', args: {} };
    const refusal = refusalOf(f, 'PersistentVolumeClaim');
    if (refusal) return refusedFor(refusal);
    const { storageClassName } = owner.spec;
    if (storageClassName !== undefined && !seen.storageClass)
      return { reason: 'StorageClassNotFound', args: { name: storageClassName } };
    return f.unpaid;
  }
  if (claim.metadata.deletionTimestamp) return { reason: 'ClaimGoing', args: {} };
  if (claim.status?.phase === 'Lost') return { reason: 'VolumeLost', args: { volume: claim.spec?.volumeName ?? '' } };
  const stuck = infeasible(claim);
  if (stuck !== undefined) return { reason: 'ResizeFailed', args: { detail: stuck } };
  if (f.provisioningSince !== undefined && f.now - f.provisioningSince >= PROVISION_PATIENCE_MS)
    return { reason: 'NotProvisioned', args: {} };
  return undefined;
}

/** It had a volume, or somebody may have given it one between two looks. */
const wasUsed = ({ volumeName, claimUID, mountedBy = [] }: DataDiskStatus): boolean =>
  volumeName !== undefined || (claimUID !== undefined && mountedBy.length > 0);

const INFEASIBLE: readonly string[] = ['ControllerResizeInfeasible', 'NodeResizeInfeasible'];

/** The storage's reason for a growth that it will not retry. */
function infeasible({ status }: Claim): string | undefined {
  const resize = status?.allocatedResourceStatuses?.storage;
  return resize && INFEASIBLE.includes(resize) ? (resizeError({ status }) ?? resize) : undefined;
}

export const resizeError = ({ status }: Pick<Claim, 'status'>): string | undefined =>
  status?.conditions
    ?.find(({ type, status: is }) => /ResizeError$/.test(type) && is === 'True')
    ?.message?.slice(0, MOST_DETAIL);

export const isRunning = ({ spec, metadata }: GpuInstance): boolean =>
  spec.power === 'Running' && metadata.deletionTimestamp === undefined;
