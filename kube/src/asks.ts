// Requests of a Pod and capacity of a node, as the scheduler sums them up: operator, gateway and job queue count by it.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { GPU_RESOURCE } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from './core-objects.ts';

/** Cards, cores, bytes of memory and of the node's own disk, and places among the node's Pods. */
export interface Amounts {
  gpus: number;
  cores: number;
  bytes: number;
  rootBytes: number;
  pods: number;
}

type Spec = NonNullable<Pod['spec']>;
/** The counted part of a Pod's specification. */
export type Asking = Partial<Pick<Spec, 'containers' | 'initContainers' | 'overhead' | 'resources'>>;

const RESOURCES: Readonly<Record<Exclude<keyof Amounts, 'pods'>, string>> = {
  gpus: GPU_RESOURCE,
  cores: 'cpu',
  bytes: 'memory',
  rootBytes: 'ephemeral-storage',
};

/** Templates of others hold what they like: an amount is a number that is not negative. */
const amount = (value: unknown): number => {
  const read = typeof value === 'string' || typeof value === 'number' ? quantity(value) : 0;
  return Number.isFinite(read) && read > 0 ? read : 0;
};
const all = <T>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

type Wanting = Pick<Spec['containers'][number], 'resources'>;
const wanted = ({ resources }: Wanting, resource: string): number =>
  amount(resources?.requests?.[resource] ?? resources?.limits?.[resource]);

/** As "Resource sharing within containers" of Kubernetes' page about sidecar containers has it. */
function sum(spec: Asking, resource: string): number {
  let beside = 0;
  let before = 0;
  for (const one of all(spec.initContainers)) {
    // A sidecar stays; any other runs alone, beside the sidecars that came before it.
    if (one.restartPolicy === 'Always') beside += wanted(one, resource);
    else before = Math.max(before, beside + wanted(one, resource));
  }
  const containers = all(spec.containers).reduce((total, one) => total + wanted(one, resource), beside);
  const ofPod = spec.resources?.requests?.[resource] ?? spec.resources?.limits?.[resource];
  return (ofPod === undefined ? Math.max(containers, before) : amount(ofPod)) + amount(spec.overhead?.[resource]);
}

// Ten thousand Pods are summed up again whenever one of them changes, and parsing quantities is expensive. Caches never change an
// object: they replace it.
const known = new WeakMap<object, Amounts>();
function remembered(of: object, read: (resource: string) => number, pods: number): Amounts {
  const found = known.get(of) ?? {
    gpus: read(RESOURCES.gpus),
    cores: read(RESOURCES.cores),
    bytes: read(RESOURCES.bytes),
    rootBytes: read(RESOURCES.rootBytes),
    pods,
  };
  known.set(of, found);
  return found;
}

/** Requests of a Pod with this specification. */
export const asks = (spec: Asking | undefined): Amounts =>
  spec ? remembered(spec, (resource) => sum(spec, resource), 1) : NOTHING;
const NOTHING: Amounts = { gpus: 0, cores: 0, bytes: 0, rootBytes: 0, pods: 1 };

/** Capacity of a node for Pods. */
export const offered = (node: Node): Amounts => {
  const has = (resource: string) => amount(node.status?.allocatable?.[resource]);
  return remembered(node, has, has('pods'));
};

/** The part of a specification that `asks` reads, for caches. */
export const askingOf = ({ initContainers = [], overhead, resources }: Spec): Omit<Asking, 'containers'> => {
  const wanting = initContainers.filter((one) => one.resources?.requests ?? one.resources?.limits);
  const kept = wanting.map(({ name, restartPolicy, resources: its }) => ({
    name,
    ...(restartPolicy && { restartPolicy }),
    resources: its,
  }));
  return {
    ...(kept.length > 0 && { initContainers: kept as Spec['initContainers'] & object }),
    ...(overhead && { overhead }),
    ...(resources && { resources }),
  };
};

/** Free capacity of a node. */
export interface FreeRoom {
  freeGpus: number;
  freeCores: number;
  freeMemoryGi: number;
  freeRootGi: number;
  freePods: number;
}

export function freeRoom(node: Node, pods: readonly Pod[]): FreeRoom {
  const left = { ...offered(node) };
  for (const pod of pods) {
    if (isTerminal(pod)) continue;
    const asked = asks(pod.spec);
    for (const part of PARTS) left[part] -= asked[part];
  }
  return {
    freeGpus: left.gpus,
    freeCores: left.cores,
    freeMemoryGi: left.bytes / GI,
    freeRootGi: left.rootBytes / GI,
    freePods: left.pods,
  };
}
const PARTS = ['gpus', 'cores', 'bytes', 'rootBytes', 'pods'] as const;

/** One Pod's size. */
export interface Size {
  gpus: number;
  cores: number;
  memoryGi: number;
  rootGi: number;
}

/** Sums of tenths are not exact in binary. */
const ROUNDING = 1e-9;

/** How many Pods of a size find room there. */
export function copiesIn({ freeGpus, freeCores, freeMemoryGi, freeRootGi, freePods }: FreeRoom, size: Size): number {
  const rows = [
    [freeGpus, size.gpus],
    [freeCores, size.cores],
    [freeMemoryGi, size.memoryGi],
    [freeRootGi, size.rootGi],
    [freePods, 1],
  ] as const;
  const copies = rows.map(([free, each]) => (each > 0 ? free / each : Number.POSITIVE_INFINITY));
  return Math.max(0, Math.floor(Math.min(...copies) + ROUNDING));
}
