// The newest fatal GPU error of a node.
import { isFatalGpuCondition } from '@gantry/contract/gpu-conditions.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { instant } from './metering.ts';

export interface GpuFault {
  /** The condition's own time; a condition without one counts as older than any run. */
  since: Instant;
  detail: string;
}

/** The newest; undefined where nobody reports any. */
export function gpuFaultOf(node: Node | undefined): GpuFault | undefined {
  const faults = (node?.status?.conditions ?? [])
    .filter(isFatalGpuCondition)
    .map(({ lastTransitionTime, reason, message, type }) => ({
      since: instant(lastTransitionTime) ?? Number.NEGATIVE_INFINITY,
      detail: (message || reason || type).slice(0, 200),
    }));
  return faults.sort((a, b) => b.since - a.since)[0];
}
