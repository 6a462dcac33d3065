// An Organization's queue for jobs: a ClusterQueue in the pool's cohort, and the LocalQueue in its namespace that jobs name.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import { LABEL, LOCAL_QUEUE, organizationNamespace, QUEUE_COHORT } from '@gantry/contract/names.ts';
import type { CreditGate } from '../../credit.ts';
import { QUEUE_API } from '../../kueue.ts';
import { least, less, NO_ROOM, type QueueSettings, type Room, resourceGroups } from '../../queue-capacity.ts';
import { ownedBy } from '../../resources.ts';
import { closedFor } from './desired.ts';

/** The facts besides its own quota that its queue depends on. */
export interface QueueFacts {
  /** In the order in which Kueue tries them. */
  readonly flavors: readonly string[];
  /** The room that its Pods take past the queue. */
  readonly taken: Room;
  /** Flavour → what is free on nodes that serve it alone. */
  readonly own: ReadonlyMap<string, Room>;
}

/** Cores and memory are taken off in steps of a part of the quota: a thousand small starts are not a thousand writes. */
const STEPS = 64;
function inSteps(taken: Room, quota: Room): Room {
  const up = (part: 'milliCores' | 'mebibytes') => {
    const step = Math.max(1, Math.ceil(quota[part] / STEPS));
    return Math.ceil(taken[part] / step) * step;
  };
  return { gpus: taken.gpus, milliCores: up('milliCores'), mebibytes: up('mebibytes') };
}

export function desiredQueue(
  owner: Organization,
  { flavors, taken, own }: QueueFacts,
  settings: QueueSettings & { creditGate: CreditGate },
): KubeObject[] {
  if (settings.queue === 'none' || flavors.length === 0) return [];
  const name = organizationNamespace(owner.metadata.name);
  const { gpus, cores, memoryGi } = owner.spec.quota;
  const quota = { gpus, milliCores: cores * 1000, mebibytes: memoryGi * 1024 };
  // A run that its quota of Pods would refuse must not hold a place that others could use.
  const may = less(quota, inSteps(taken, quota));
  const limitsOf = (flavor: string) => {
    const nominalQuota = least(own.get(flavor) ?? NO_ROOM, may);
    return { nominalQuota, borrowingLimit: less(may, nominalQuota), lendingLimit: NO_ROOM };
  };
  const common = { labels: { [LABEL.organization]: owner.metadata.name }, ownerReferences: ownedBy(owner) };
  const clusterQueue: KubeObject & { spec: object } = {
    apiVersion: QUEUE_API,
    kind: 'ClusterQueue',
    metadata: { name, ...common },
    spec: {
      cohortName: QUEUE_COHORT,
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
      queueingStrategy: 'BestEffortFIFO',
      // An urgent job moves less urgent ones of its own organisation. Kueue lets a queue that borrows do so only if it may take
      // from others, too: the threshold, which is below every priority, leaves none of theirs.
      preemption: {
        withinClusterQueue: 'LowerPriority',
        reclaimWithinCohort: 'LowerPriority',
        borrowWithinCohort: { policy: 'LowerPriority', maxPriorityThreshold: 0 },
      },
      resourceGroups: resourceGroups(flavors, limitsOf),
      stopPolicy: closedFor(owner, settings) === undefined ? 'None' : 'Hold',
    },
  };
  const localQueue: KubeObject & { spec: object } = {
    apiVersion: QUEUE_API,
    kind: 'LocalQueue',
    metadata: { name: LOCAL_QUEUE, namespace: name, ...common },
    // Stated although it is the default: server-side apply restores only fields that it owns.
    spec: { clusterQueue: name, stopPolicy: 'None' },
  };
  return [clusterQueue, localQueue];
}
