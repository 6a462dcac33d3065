// Pods whose container ended, and whether their changes are worth saving and still can be.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { everStarted, wentWithNode } from '../../../pod-progress.ts';
import type { InstanceSeen } from '../reads.ts';

/** The run that a Pod or a save belongs to. */
export const runOf = ({ metadata }: Pod | Snapshot): number => Number(metadata.labels?.[LABEL.run] ?? 0);

export const hasEnded = (pod: Pod): boolean =>
  isTerminal(pod) || pod.status?.containerStatuses?.[0]?.state?.terminated !== undefined;

export const snapshotOf = (pod: Pod, snapshots: readonly Snapshot[]): Snapshot | undefined =>
  snapshots.find(({ metadata, spec }) => metadata.name === pod.metadata.name && spec.podUID === pod.metadata.uid);

interface Inputs {
  deleting: boolean;
  seen: InstanceSeen;
  status: GpuInstanceStatus;
}

/** Ended, and worth saving, and somebody still can: it is held. */
export function isUnsaved(pod: Pod, { deleting, seen, status }: Inputs): boolean {
  if (deleting || !everStarted(pod) || runOf(pod) <= (status.root?.seq ?? 0)) return false;
  const phase = snapshotOf(pod, seen.snapshots)?.status?.phase;
  if (phase === 'failed') return false;
  return phase === 'ready' || (seen.agents.includes(pod.spec?.nodeName ?? '') && !wentWithNode(pod));
}
