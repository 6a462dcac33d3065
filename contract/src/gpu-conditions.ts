// Fatal GPU errors of a node: conditions, by which other tools report them of the node as a whole, and the platform's own annotation,
// which names the card and, where the exporter does, who has it.
import * as z from 'zod';
import { instantOf } from './fields/date-time.ts';
import { FATAL_XIDS } from './gpu-xids.ts';
import { ANNOTATION } from './names.ts';

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: unknown;
}
interface NodeSeen {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined } | undefined;
  readonly status?: { readonly conditions?: readonly NodeCondition[] | undefined } | undefined;
}
interface PodSeen {
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

export interface GpuFault {
  /** When it was first reported, in ms; a condition without a time counts as older than any run. */
  readonly since: number;
  readonly detail: string;
  /** The Pods that it affects, as `podKey` writes them. Absent: nobody says, so whatever has a GPU there. */
  readonly holders?: readonly string[];
}

const MOST_DETAIL = 200;
/** The most XIDs of one card: each fatal code once. */
export const MOST_XIDS = Object.keys(FATAL_XIDS).length;
/** The most faults of one node, cleared ones included. */
export const MOST_CARD_FAULTS = 64;

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

const CardFault = z.object({
  uuid: z.string().max(64),
  /** As the exporter numbers it on its node. */
  gpu: z.string().max(16),
  /** Fatal codes since it failed, oldest first. */
  xids: z.array(z.int()).min(1).max(MOST_XIDS),
  since: z.string().max(35),
  /** The node's boot in which it failed. */
  boot: z.string().max(64),
  holders: z.array(z.string().max(320)).max(64).optional(),
  /** Staff have put the node back into service: no fault any more, and none again for the same codes. */
  isCleared: z.boolean().optional(),
});
/** A card of a node whose last XID is, or was, fatal. */
export type CardFault = z.infer<typeof CardFault>;
const CardFaults = z.array(CardFault).max(MOST_CARD_FAULTS);

/** Those that the node's annotation names, cleared ones too. None where it is not one of ours. */
export function cardFaultsOf(node: NodeSeen | undefined): readonly CardFault[] {
  const text = node?.metadata?.annotations?.[ANNOTATION.gpuFaults];
  if (text === undefined) return [];
  try {
    return CardFaults.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}

/** Null: nothing to say, and no annotation. */
export const cardFaultsText = (faults: readonly CardFault[]): string | null =>
  faults.length === 0 ? null : JSON.stringify(faults);

export const podKey = ({ metadata: { namespace = '', name } }: PodSeen): string => `${namespace}/${name}`;

/** All that hold now, the newest first. */
export function gpuFaultsOf(node: NodeSeen | undefined): GpuFault[] {
  const reported = (node?.status?.conditions ?? [])
    .filter(isFatalGpuCondition)
    .map(({ lastTransitionTime, reason, message, type }) => ({
      since: instantOf(lastTransitionTime) ?? Number.NEGATIVE_INFINITY,
      detail: (message || reason || type).slice(0, MOST_DETAIL),
    }));
  const measured = cardFaultsOf(node)
    .filter(({ isCleared }) => !isCleared)
    .map(({ since, holders, ...card }) => ({
      since: instantOf(since) ?? Number.NEGATIVE_INFINITY,
      detail: detailOf(card),
      ...(holders && { holders }),
    }));
  return [...reported, ...measured].sort((a, b) => b.since - a.since);
}

const detailOf = ({ xids: [xid = 0], gpu, uuid }: Pick<CardFault, 'xids' | 'gpu' | 'uuid'>): string =>
  `XID ${xid}${FATAL_XIDS[xid] ? ` (${FATAL_XIDS[xid]})` : ''} on GPU ${gpu}, ${uuid}`;

export const affects = ({ holders }: GpuFault, pod: PodSeen): boolean => holders?.includes(podKey(pod)) ?? true;

/** The newest fatal error of a node, or of those that affect a Pod on it; undefined where nobody reports any. */
export const gpuFaultOf = (node: NodeSeen | undefined, pod?: PodSeen | undefined): GpuFault | undefined =>
  gpuFaultsOf(node).find((fault) => pod === undefined || affects(fault, pod));
