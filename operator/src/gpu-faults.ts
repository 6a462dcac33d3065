// A fatal XID, as those who watch a node's GPUs report it: a condition of the Node. Conditions say it of the node and not of
// one card; which instance has the card is for the exporter that comes with monitoring.
import type { Instant } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { instant } from './metering.ts';

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number];

/**
 * Condition types, and when each means a fatal XID.
 * - `SysLogsXIDError`: NVIDIA NVSentinel, which sets node conditions for fatal events alone.
 * - `AcceleratedHardwareReady`: the EKS node monitoring agent; fatal XIDs have the reason `NvidiaXID<code>Error`.
 * - `GpuFatalXid`: for a rule of one's own in node-problem-detector.
 */
const FATAL: Readonly<Record<string, (condition: NodeCondition) => boolean>> = {
  SysLogsXIDError: ({ status }) => status === 'True',
  AcceleratedHardwareReady: ({ status, reason = '' }) => status === 'False' && /^NvidiaXID\d+Error$/.test(reason),
  GpuFatalXid: ({ status }) => status === 'True',
};

export const isGpuCondition = ({ type }: NodeCondition): boolean => Object.hasOwn(FATAL, type);

export interface GpuFault {
  /** The condition's own time; a condition without one counts as older than any run. */
  since: Instant;
  detail: string;
}

/** The newest; undefined where nobody reports any. */
export function gpuFaultOf(node: Node | undefined): GpuFault | undefined {
  const faults = (node?.status?.conditions ?? [])
    .filter((condition) => FATAL[condition.type]?.(condition))
    .map(({ lastTransitionTime, reason, message, type }) => ({
      since: instant(lastTransitionTime) ?? Number.NEGATIVE_INFINITY,
      detail: (message || reason || type).slice(0, 200),
    }));
  return faults.sort((a, b) => b.since - a.since)[0];
}
