// On how many nodes the files of a model are, by the labels that nodes' agents set. Pure over the caches.
import { identityOf } from '@gantry/contract/identity.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { hostWish } from '@gantry/contract/kinds/host-of.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import type { CachedOn } from '@gantry/contract/models/cached-on.ts';
import { LABEL, organizationNamespace, organizationOf, weightsLabel } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { isReady, keptOffBy, type PoolRules, toleratesCards, toleratesHost } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { followed, NODE } from '../../platform/kube/resources.ts';
import { hostIn } from './placed-host.ts';

const HOST = followed(gpuHost);
const DEPLOYMENT = followed(modelDeployment);

/** Which taints keep nobody off, as this installation has it. */
type Taints = Pick<PoolRules, 'gpuTaints' | 'hostTaintKey'>;

const known = new WeakMap<CacheReader, { at: number; pool: Taints; nodes: readonly Node[] }>();

/** A simulated node counts as others do, and a host's for itself. */
function takesModels(node: Node, { gpuTaints, hostTaintKey }: Taints): boolean {
  const cards = toleratesCards({ gpuTaints, simulatedNodes: true });
  const tolerations = [...cards, ...toleratesHost(node.metadata.labels?.[LABEL.nodeHost], hostTaintKey)];
  return isReady(node) && !node.spec?.unschedulable && keptOffBy(node.spec?.taints ?? [], tolerations).length === 0;
}

/** Counted once per state of the cache: lists of deployments ask for each of them. */
function openNodes(caches: CacheReader, pool: Taints): readonly Node[] {
  const at = caches.version(NODE);
  const before = known.get(caches);
  if (before?.at === at && before.pool === pool) return before.nodes;
  const nodes = (caches.list(NODE) as readonly Node[]).filter((node) => takesModels(node, pool));
  known.set(caches, { at, pool, nodes });
  return nodes;
}

const labelOf = (node: Node, label: string): string | undefined => node.metadata.labels?.[label];

export const hasFiles = (node: Node, organization: string, digest: string): boolean =>
  labelOf(node, weightsLabel(organization, digest)) !== undefined;

const counted = (
  nodes: readonly Node[],
  organization: string,
  digest: string,
  fills: readonly (string | undefined)[],
): CachedOn => ({
  nodes: nodes.filter((node) => hasFiles(node, organization, digest)).length,
  of: nodes.length,
  copying: nodes.filter((node) => fills.includes(node.metadata.name) && !hasFiles(node, organization, digest)).length,
});

/** The caches of the nodes that its replicas may go to. */
export function deploymentCachedOn(caches: CacheReader, object: ModelDeployment, pool: Taints): CachedOn {
  const { metadata, status } = object;
  const organization = organizationOf(metadata.namespace ?? '') ?? '';
  const { weights } = status ?? {};
  return weights === undefined
    ? null
    : counted(suitedNodes(caches, object, pool), organization, weights.digest, [weights.fills]);
}

/** The open nodes that its replicas may go to. */
export function suitedNodes(caches: CacheReader, object: ModelDeployment, pool: Taints): readonly Node[] {
  const { metadata, spec } = object;
  const { namespace = '' } = metadata;
  const wanted = Object.entries(spec.nodeLabels ?? {});
  const host = hostIn(caches, namespace, spec);
  const hostId = host && identityOf(host);
  const { gpu } = sizesOf(object);
  return openNodes(caches, pool).filter(
    (node) =>
      labelOf(node, LABEL.nodeHost) === hostId &&
      (hostWish(spec) === undefined || host !== undefined) &&
      (gpu === undefined || labelOf(node, LABEL.gpuModel) === gpu.model) &&
      wanted.every(([label, value]) => labelOf(node, label) === value),
  );
}

/** The caches of the nodes that the organisation may use: the pool's, and those of its hosts. */
export function versionCachedOn(caches: CacheReader, organization: string, digest: string, pool: Taints): CachedOn {
  const hosts = new Set((caches.list(HOST, organizationNamespace(organization)) as readonly GpuHost[]).map(identityOf));
  const usable = openNodes(caches, pool).filter((node) => {
    const host = labelOf(node, LABEL.nodeHost);
    return host === undefined || hosts.has(host);
  });
  const fills = (caches.list(DEPLOYMENT, organizationNamespace(organization)) as readonly ModelDeployment[]).flatMap(
    ({ status }) => (status?.weights?.digest === digest ? [status.weights.fills] : []),
  );
  return counted(usable, organization, digest, fills);
}
