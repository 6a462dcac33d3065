// A fatal XID, as those who watch a node's GPUs report it: a condition of the Node. Conditions say it of the node and not of
// one card; which instance has the card is for the exporter that comes with monitoring.

interface NodeCondition {
  type: string;
  status: string;
  reason?: string | undefined;
}

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
