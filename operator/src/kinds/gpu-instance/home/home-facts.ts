// The home disk of an instance as it is now: its claim, the save of its files, and whether they are on their way there.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Claim } from '../../../resources.ts';
import { homeName } from '../desired.ts';
import type { InstanceSeen } from '../reads.ts';
import { runOf } from '../saving/ended-pods.ts';
import { MOST_DETAIL } from '../trouble.ts';

/** The home disk, on its volume or on its way into the registry. */
export interface HomeFacts {
  claim: Claim | undefined;
  /** The save of its files at the end of the last run, however far it is. */
  save: Snapshot | undefined;
  /** Hibernating, and its files go into the registry. */
  isBeingMoved: boolean;
  /** Why the claim could not grow; a running instance continues. */
  growthRefused: string | undefined;
}

interface Inputs {
  owner: GpuInstance;
  status: GpuInstanceStatus;
  seen: InstanceSeen;
  deleting: boolean;
  power: GpuInstance['spec']['power'];
  refusals: readonly Refusal[];
}

export function homeFactsOf({ owner, status, seen, deleting, power, refusals }: Inputs): HomeFacts {
  const claim = seen.claims.find(({ metadata }) => metadata.name === homeName(owner));
  const save = homeSnapshots(seen).find((one) => runOf(one) === (status.run?.seq ?? 0));
  const isSaved = status.home !== undefined;
  const canBeSaved = seen.tie?.hasAgent === true && save?.status?.phase !== 'failed';
  return {
    claim,
    save,
    isBeingMoved: power === 'Hibernated' && !deleting && claim !== undefined && (isSaved || canBeSaved),
    growthRefused: claim && refusals.find(({ kind }) => kind === claim.kind)?.message.slice(0, MOST_DETAIL),
  };
}

export const homeSnapshots = ({ snapshots }: Pick<InstanceSeen, 'snapshots'>): readonly Snapshot[] =>
  snapshots.filter(({ spec }) => spec.of === 'Home');
