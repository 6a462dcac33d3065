// A fatal XID, as those who watch a node's GPUs report it: a condition of the Node. Conditions say it of the node and not of
// one card; which instance has the card is for the exporter that comes with monitoring.
import { instantOf } from './fields/date-time.ts';

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: unknown;
}

export interface GpuFault {
  /** The condition's own time in ms; one without counts as older than any run. */
  readonly since: number;
  readonly detail: string;
}

const MOST_DETAIL = 200;

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

export const isGpuCondition = ({ type }: Pick<NodeCondition, 'type'>): boolean => Object.hasOwn(FATAL, type);

export const isFatalGpuCondition = (condition: NodeCondition): boolean => FATAL[condition.type]?.(condition) ?? false;

/** The newest fatal error of a node; undefined where nobody reports any. */
export function gpuFaultOf(
  node: { readonly status?: { readonly conditions?: readonly NodeCondition[] | undefined } | undefined } | undefined,
): GpuFault | undefined {
  const faults = (node?.status?.conditions ?? [])
    .filter(isFatalGpuCondition)
    .map(({ lastTransitionTime, reason, message, type }) => ({
      since: instantOf(lastTransitionTime) ?? Number.NEGATIVE_INFINITY,
      detail: (message || reason || type).slice(0, MOST_DETAIL),
    }));
  return faults.sort((a, b) => b.since - a.since)[0];
}
