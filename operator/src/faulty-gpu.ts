// Whether a GPU of a Pod's own has failed, or its node's where nobody says which card: what runs there goes on elsewhere.
import { quantity } from '@gantry/contract/fields/quantity.ts';
import { affects, type GpuFault } from '@gantry/contract/gpu-conditions.ts';
import { GPU_RESOURCE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant } from './metering.ts';

/**
 * Counted from when the kubelet admitted the Pod and gave it its cards: the device plugin gives none that has failed before. Not from the
 * start of its container, which keeps its cards when the error has ended it and it starts again.
 */
export function hasFaultyGpu(pod: Pod, faults: readonly GpuFault[]): boolean {
  if (faults.length === 0 || quantity(pod.spec?.containers[0]?.resources?.requests?.[GPU_RESOURCE]) === 0) return false;
  const admitted = instant(pod.status?.startTime) ?? Number.POSITIVE_INFINITY;
  return faults.some((fault) => fault.since >= admitted && affects(fault, pod));
}
