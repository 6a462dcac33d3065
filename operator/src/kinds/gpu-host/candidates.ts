// Which host each free node goes to. All hosts that wait for nodes of one model and size are in one queue, the oldest first; a large
// request does not block smaller ones that can be served. Leases decide in the end: this only keeps hosts from reaching for the
// same node.

import { quantity } from '@gantry/contract/fields/quantity.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { GPU_RESOURCE, LABEL, organizationOf, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { isReady, keptOffBy, SIMULATED_TAINT, toleratesCards } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { hostnameOf, isMetered, NODE, PLATFORM_LEASE, POD, VOLUME, type Volume } from '../../resources.ts';
import type { HostSettings } from './desired.ts';
import { excessOf, ORGANIZATION } from './quota.ts';
import { byAge, HOST, sizeOf } from './resource.ts';

/** `choices` are names of free nodes, best first: those that nobody ahead in the queue is about to take. */
export interface Room {
  choices: readonly string[];
  /** Nodes of this model and size that are meant for it, and those of them that are nobody's now. */
  all: readonly string[];
  free: readonly string[];
  /** Hosts that wait for such nodes, and came earlier. */
  ahead: number;
  /** The existing sizes instead, such as "8 × H100". */
  sizes: readonly string[];
}

/** More than it needs, in case one is taken meanwhile. */
const SPARE = 16;

interface Queue {
  at: string;
  nodes: readonly Node[];
  free: readonly Node[];
  waiting: readonly Waiting[];
}

interface Waiting {
  host: GpuHost;
  choices: readonly string[];
  /** Which of them it is taken to take. */
  takes: readonly string[];
}

type Taints = Pick<HostSettings, 'gpuTaints' | 'simulatedNodes'>;

const queues = new WeakMap<CacheReader, Map<string, Queue>>();

/** The nodes that a host could take now. */
export function roomFor(host: GpuHost, caches: CacheReader, settings: Taints): Room {
  const { nodes, free, waiting } = queueFor(sizeOf(host.spec.gpu), caches, settings);
  const place = waiting.findIndex((one) => one.host.metadata.uid === host.metadata.uid);
  const open = free.filter((node) => isOpenTo(host, node, caches, settings));
  const left = () =>
    openTo(host, free, new Set(waiting.flatMap(({ takes }) => takes)), host.spec.nodes + SPARE, caches, settings);
  const sizes =
    nodes.length > 0 ? [] : (caches.list(NODE) as readonly Node[]).flatMap((node) => sizeOfNode(node) ?? []);
  return {
    choices: waiting[place]?.choices ?? left(),
    all: names(nodes.filter((node) => isOfSource(host, node) && (settings.simulatedNodes || !isSimulated(node)))),
    free: names(open),
    ahead: place < 0 ? waiting.length : place,
    sizes: [...new Set(sizes)].sort(),
  };
}

const names = (nodes: readonly Node[]): string[] => nodes.map(({ metadata }) => metadata.name);

/** Hosts that wait for a node like this and can be served: those that a freed node concerns. */
export function servedBy(node: Node | undefined, caches: CacheReader, settings: Taints): readonly GpuHost[] {
  const size = node && sizeOfNode(node);
  if (size === undefined || caches.by(HOST, 'waiting', size).length === 0) return [];
  return queueFor(size, caches, settings)
    .waiting.filter(({ takes }) => takes.length > 0)
    .map(({ host }) => host);
}

function queueFor(size: string, caches: CacheReader, settings: Taints): Queue {
  const known = queues.get(caches) ?? new Map<string, Queue>();
  queues.set(caches, known);
  const versions = [NODE, POD, PLATFORM_LEASE, HOST, VOLUME, ORGANIZATION].map((resource) => caches.version(resource));
  const at = [...versions, settings.simulatedNodes, ...settings.gpuTaints].join(' ');
  const before = known.get(size);
  if (before?.at === at) return before;
  const nodes = (caches.list(NODE) as readonly Node[]).filter((node) => sizeOfNode(node) === size);
  const free = nodes
    .filter((node) => isFree(node, caches))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const waiting = (caches.by(HOST, 'waiting', size) as readonly GpuHost[])
    .filter((host) => missingOf(host, caches) > 0 && !excessOf(host, caches))
    .sort(byAge);
  const queue = { at, nodes, free, waiting: serve(waiting, free, caches, settings) };
  known.set(size, queue);
  return queue;
}

function serve(
  waiting: readonly GpuHost[],
  free: readonly Node[],
  caches: CacheReader,
  settings: Taints,
): readonly Waiting[] {
  const taken = new Set<string>();
  return waiting.map((host) => {
    const missing = missingOf(host, caches);
    const choices = taken.size === free.length ? [] : openTo(host, free, taken, missing + SPARE, caches, settings);
    // An active host takes whatever it can get; a new one takes all it needs or nothing.
    const takes = choices.length >= missing || host.status?.startedAt !== undefined ? choices.slice(0, missing) : [];
    for (const name of takes) taken.add(name);
    return { host, choices, takes };
  });
}

function openTo(
  host: GpuHost,
  free: readonly Node[],
  taken: ReadonlySet<string>,
  most: number,
  caches: CacheReader,
  settings: Taints,
): string[] {
  const own: string[] = [];
  const open: string[] = [];
  for (const node of free) {
    const { name, labels } = node.metadata;
    if (taken.has(name) || !isOpenTo(host, node, caches, settings)) continue;
    if (labels?.[LABEL.nodeHost] === identityOf(host)) own.push(name);
    else if (open.length < most) open.push(name);
  }
  return [...own, ...open].slice(0, most);
}

const missingOf = (host: GpuHost, caches: CacheReader): number =>
  host.spec.nodes - caches.by(PLATFORM_LEASE, 'host', identityOf(host)).length;

export const gpusOf = ({ status }: Node): number => quantity(status?.allocatable?.[GPU_RESOURCE]);
function sizeOfNode(node: Node): string | undefined {
  const model = node.metadata.labels?.[LABEL.gpuModel];
  const count = gpusOf(node);
  return model === undefined || count === 0 ? undefined : sizeOf({ model, count });
}

/** Ready, schedulable, held by nobody, and no tenant's Pod on it: a node is given out whole, so it is taken whole. */
function isFree(node: Node, caches: CacheReader): boolean {
  return (
    isUsable(node) && !caches.get(PLATFORM_LEASE, PLATFORM_NAMESPACE, node.metadata.name) && !tenantsOn(node, caches)
  );
}

export const isUsable = (node: Node): boolean => isReady(node) && !node.spec?.unschedulable;

const tenantsOn = ({ metadata }: Node, caches: CacheReader): boolean =>
  (caches.by(POD, 'node', metadata.name) as readonly Pod[]).some((pod) => isTenants(pod) && !isFill(pod));

/** Nothing depends on what takes in a model for replicas to come: once the node is claimed, it goes, and is waited for. */
export const isFill = ({ metadata }: Pod): boolean => metadata.labels?.[LABEL.fills] !== undefined;

/** An ended container's changes are still on its node: until they are saved, its Pod is kept, and counts. */
export const isTenants = (pod: Pod): boolean =>
  organizationOf(pod.metadata.namespace ?? '') !== undefined && (!isTerminal(pod) || isMetered(pod));

function isOfSource({ metadata, spec }: GpuHost, node: Node): boolean {
  const owner = node.metadata.labels?.[LABEL.nodeOwner];
  return spec.source === 'owned' ? owner === organizationOf(metadata.namespace ?? '') : owner === undefined;
}

/** Its label may be this host's own, where the Lease was lost. Strangers' taints would keep its instances off. */
function isOpenTo(host: GpuHost, node: Node, caches: CacheReader, settings: Taints): boolean {
  const uid = identityOf(host);
  const holder = node.metadata.labels?.[LABEL.nodeHost];
  const strangers = (node.spec?.taints ?? []).filter(({ value }) => value !== uid);
  return (
    isOfSource(host, node) &&
    (holder === undefined || holder === uid) &&
    keptOffBy(strangers, toleratesCards(settings)).length === 0 &&
    !hasOthersDisks(host, node, caches)
  );
}

/** Set aside, a node would keep others from what only it can reach. */
const hasOthersDisks = ({ metadata }: GpuHost, node: Node, caches: CacheReader): boolean =>
  (caches.by(VOLUME, 'hostname', hostnameOf(node)) as readonly Volume[]).some(({ spec, status }) => {
    const namespace = spec?.claimRef?.namespace ?? '';
    return status?.phase === 'Bound' && namespace !== metadata.namespace && organizationOf(namespace) !== undefined;
  });

/** Simulated nodes are marked by a taint; whether instances may run there is the installation's choice. */
const isSimulated = ({ spec }: Node): boolean => spec?.taints?.some(({ key }) => key === SIMULATED_TAINT) ?? false;
