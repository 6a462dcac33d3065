// Which nodes a tenant's Pod may go to: what it says to the scheduler, and what the scheduler makes of it. The operator places by this
// rule; the market, fit and every sentence about room count by it.
import { LABEL } from '@gantry/contract/names.ts';
import type { Node, Pod } from './core-objects.ts';

/** The installation's settings about nodes. */
export interface PoolRules {
  sharedPool: 'exclusive' | 'sandboxed' | 'open';
  /** Key of the taint that keeps strangers off the nodes of a host. */
  hostTaintKey: string;
  /** Simulated nodes carry a taint that keeps strangers off; where they stand in for a pool, GPU Pods tolerate it. */
  simulatedNodes: boolean;
  /** Keys of taints that keep work without a GPU off GPU nodes: whatever asks for a GPU tolerates them. */
  gpuTaints: readonly string[];
}

export const SHARED_POOLS = ['exclusive', 'sandboxed', 'open'] as const;
/** As long as nobody says otherwise. */
export const POOL_RULES: PoolRules = {
  sharedPool: 'exclusive',
  hostTaintKey: 'gantry.dev/host',
  simulatedNodes: false,
  // Clouds set it on their GPU nodes, as `nvidia.com/gpu=present:NoSchedule`.
  gpuTaints: ['nvidia.com/gpu'],
};

export const SIMULATED_TAINT = 'kwok.x-k8s.io/node';

export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
export type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];

/** Tolerations of Pods that request a GPU, on nodes of the pool and of hosts. */
export const toleratesCards = ({ gpuTaints, simulatedNodes }: Pick<PoolRules, 'gpuTaints' | 'simulatedNodes'>) => [
  ...gpuTaints.map((key) => ({ key, operator: 'Exists' })),
  ...(simulatedNodes ? [{ key: SIMULATED_TAINT, operator: 'Exists', effect: 'NoSchedule' }] : []),
];

/** `host` is the uid of the host whose nodes it runs on. */
export const toleratesHost = (host: string | undefined, key: string) =>
  host === undefined ? [] : [{ key, operator: 'Equal', value: host, effect: 'NoSchedule' }];

/** Kubernetes' own rule: without a key all taints, without an effect all effects, and without an operator the value counts. */
export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (!key) return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? '')));
}

/** The taints that keep off what has these tolerations. */
export const keptOffBy = (taints: readonly Taint[], tolerations: readonly Toleration[]): Taint[] =>
  taints.filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

/** The parts of a node that decide which Pods it accepts. */
export interface NodeStand {
  isReady: boolean;
  isCordoned: boolean;
  taints: readonly Taint[];
  /** The uid of the host that has the node. */
  host: string | undefined;
  /** The organisations with Pods on the node. */
  organizations: ReadonlySet<string>;
}

export const isReady = ({ status }: Node): boolean =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

export const standOf = (node: Node, organizations: ReadonlySet<string>): NodeStand => ({
  isReady: isReady(node),
  isCordoned: node.spec?.unschedulable === true,
  taints: node.spec?.taints ?? [],
  host: node.metadata.labels?.[LABEL.nodeHost],
  organizations,
});

/** The parts of a Pod that decide where it may run. */
export interface Placing {
  tolerations: readonly Toleration[];
  /** The uid of the host that it runs on; null: any node, whoever has it. */
  host: string | undefined | null;
  /** It shares a node with no other organisation than this. */
  apart: string | undefined;
}

/** Requests of a Pod of this size. */
export const placingOf = (
  { gpu }: { gpu?: unknown },
  host: string | undefined,
  organization: string | undefined,
  rules: PoolRules,
): Placing => ({
  tolerations: [...(gpu ? toleratesCards(rules) : []), ...toleratesHost(host, rules.hostTaintKey)],
  host,
  apart: rules.sharedPool === 'exclusive' ? (organization ?? '') : undefined,
});

/** Requests of a Pod. */
export function placingIn({ metadata, spec }: Pod): Placing {
  const [term] = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = term?.matchExpressions?.find(({ key }) => key === LABEL.nodeHost);
  return {
    tolerations: spec?.tolerations ?? [],
    host: wanted ? wanted.values?.[0] : null,
    apart: spec?.affinity?.podAntiAffinity ? (metadata.labels?.[LABEL.organization] ?? '') : undefined,
  };
}

export type Closed = 'host' | 'unready' | 'cordoned' | 'tainted' | 'taken';

/** Why the node is closed to it; undefined where it may go there, if there is room. */
export function closedTo(node: NodeStand, { tolerations, host, apart }: Placing): Closed | undefined {
  if (host !== null && node.host !== host) return 'host';
  if (!node.isReady) return 'unready';
  if (node.isCordoned) return 'cordoned';
  if (keptOffBy(node.taints, tolerations).length > 0) return 'tainted';
  return apart === undefined || [...node.organizations].every((one) => one === apart) ? undefined : 'taken';
}

/** The pool's rules out of a configuration. */
export const poolOf = ({ sharedPool, hostTaintKey, simulatedNodes, gpuTaints }: PoolRules): PoolRules => ({
  sharedPool,
  hostTaintKey,
  simulatedNodes,
  gpuTaints,
});
