// The cluster's part of a backup: our objects with what is known of them, and in the namespaces of organisations the Secrets and
// quotas beside them; of what the platform makes for its objects, Pods and claims above all, and of images, only which there are.
import { API_VERSION, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import {
  DOOR_HOST_KEYS,
  KUBECONFIG_SECRET,
  LABEL,
  organizationOf,
  PLATFORM_NAMESPACE,
  REGISTRY,
} from '@gantry/contract/names.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import { apiVersionOf, type KubeClient } from '@gantry/kube/client.ts';
import { coreResource, type Resource, resourceOf } from '@gantry/kube/resource.ts';
import type { Child, Line } from './archive.ts';

export type Reads = Pick<KubeClient, 'list' | 'get'>;

const AT_ONCE = 500;

/** Kinds that others name come first: an instance names its host, its disks and its image. */
const ORDER: readonly string[] = [organization.kind, image.kind, gpuHost.kind, dataDisk.kind];
const rank = ({ kind }: KindFacts): number => {
  const at = ORDER.indexOf(kind);
  return at === -1 ? ORDER.length : at;
};
export const FACTS: readonly KindFacts[] = Object.values<KindFacts>(KINDS).sort((a, b) => rank(a) - rank(b));

export const NAMESPACES = coreResource('namespaces', 'Namespace', false);
export const SECRETS = coreResource('secrets', 'Secret');
export const QUOTAS = coreResource('resourcequotas', 'ResourceQuota');

const grouped = (group: string, plural: string, kind: string): Resource => ({
  ...coreResource(plural, kind),
  group,
});

/** The resources that the operator makes for an object of ours. One that is still there goes on as that object's. */
export const CHILDREN: readonly Resource[] = [
  coreResource('pods', 'Pod'),
  coreResource('persistentvolumeclaims', 'PersistentVolumeClaim'),
  grouped('batch', 'jobs', 'Job'),
  grouped('apps', 'deployments', 'Deployment'),
  coreResource('services', 'Service'),
  coreResource('serviceaccounts', 'ServiceAccount'),
  coreResource('limitranges', 'LimitRange'),
  grouped('networking.k8s.io', 'networkpolicies', 'NetworkPolicy'),
  grouped('rbac.authorization.k8s.io', 'roles', 'Role'),
  grouped('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding'),
];

/** Every object of this resource, page by page. A list leaves out what each of its items is. */
export async function* listed(cluster: Reads, resource: Resource): AsyncGenerator<KubeObject> {
  let next: string | undefined;
  do {
    const { labelSelector } = resource;
    const page = await cluster.list(resource, { limit: AT_ONCE, labelSelector, continue: next });
    for (const item of page.items) yield { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind };
    next = page.metadata.continue || undefined;
  } while (next);
}

export async function* ours(cluster: Reads): AsyncGenerator<KubeObject> {
  for (const facts of FACTS) yield* listed(cluster, resourceOf(facts));
}

export const isInOrganization = ({ metadata }: KubeObject): boolean =>
  organizationOf(metadata.namespace ?? '') !== undefined;

export const ownerOf = ({ metadata }: KubeObject) =>
  metadata.ownerReferences?.find(({ apiVersion, controller }) => controller && apiVersion === API_VERSION);

/** Kubernetes makes them anew for whoever asks; and one to which a token is bound is worth nothing under another uid. */
const REMADE = new Set(['kubernetes.io/service-account-token', KUBECONFIG_SECRET]);

/** The lines of the cluster as it is now, but for `gone`. */
export async function* clusterLines(cluster: Reads): AsyncGenerator<Line> {
  const images = new Set<string>();
  for await (const object of ours(cluster)) {
    for (const image of imagesIn(object)) images.add(image);
    yield { object };
  }
  const namespaces: string[] = [];
  for await (const companion of listed(cluster, { ...NAMESPACES, labelSelector: LABEL.organization })) {
    namespaces.push(companion.metadata.name);
    yield { companion };
  }
  // One namespace at a time: the right to read Secrets is given there, and in no other.
  for (const namespace of namespaces) yield* companionsIn(cluster, namespace);
  const hostKeys = await cluster.get(SECRETS, PLATFORM_NAMESPACE, DOOR_HOST_KEYS).catch(unlessAbsent);
  if (hostKeys) yield { companion: hostKeys };
  for (const resource of CHILDREN) {
    for await (const object of listed(cluster, resource)) {
      const child = childOf(object);
      if (child) yield { child };
    }
  }
  for (const image of images) yield { image };
}

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

async function* companionsIn(cluster: Reads, namespace: string): AsyncGenerator<Line> {
  try {
    for await (const secret of listed(cluster, { ...SECRETS, namespace }))
      if (!REMADE.has((secret as KubeObject & { type?: string }).type ?? '')) yield { companion: secret };
    for await (const quota of listed(cluster, { ...QUOTAS, namespace })) yield { companion: quota };
  } catch (error) {
    // Deleted meanwhile.
    unlessAbsent(error);
  }
}

function childOf(object: KubeObject): Child | undefined {
  const owner = ownerOf(object);
  const { namespace = '', name, uid = '', deletionTimestamp } = object.metadata;
  if (!owner || !isInOrganization(object) || deletionTimestamp !== undefined) return undefined;
  const { apiVersion, kind } = object;
  return { apiVersion, kind, namespace, name, uid, owner: { kind: owner.kind, name: owner.name, uid: owner.uid } };
}

/** References to our registry by digest, wherever they stand: they are what saved files are found by. */
const SAVED = new RegExp(`^${REGISTRY.replaceAll('.', '\\.')}/[^@]+@sha256:[a-f0-9]{64}$`);

function imagesIn(value: unknown): string[] {
  if (typeof value === 'string') return SAVED.test(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(imagesIn);
}
