// Puts the cluster's part of a backup back: what is missing is made, with what was known of it; what the platform had made for it
// and still runs goes on as its own. What is there stays as it is: the report says where that differs.
import { isDeepStrictEqual } from 'node:util';
import { API_VERSION, type Condition, type KubeObject, type OwnerReference } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { ANNOTATION, DOOR_HOST_KEYS, LABEL, OPERATOR_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { isAbsent, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource, type Resource, resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Child } from './archive.ts';
import { CHILDREN, FACTS, isInOrganization, listed, NAMESPACES, ours, ownerOf, QUOTAS, SECRETS } from './cluster.ts';
import type { Findings } from './report.ts';

export type Cluster = Pick<KubeClient, 'list' | 'get' | 'create' | 'mergePatch' | 'delete'>;

type Stated = KubeObject & { spec?: unknown; status?: { conditions?: Condition[]; observedGeneration?: number } };

/** As its Lease is called by default. */
const OPERATOR_LEASE = OPERATOR_ACCOUNT;
const OPERATOR_SILENT_MS = 20_000;
const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

/** A sentence that says why nothing may be restored now, or nothing: an operator would act on objects that are half there. */
export async function whyOperatorIsInTheWay(cluster: Cluster, now: number): Promise<string | undefined> {
  try {
    const lease = await cluster.get(LEASES, PLATFORM_NAMESPACE, OPERATOR_LEASE);
    const { holderIdentity, renewTime = '' } =
      (lease as { spec?: { holderIdentity?: string; renewTime?: string } }).spec ?? {};
    if (!holderIdentity || now - Date.parse(renewTime) > OPERATOR_SILENT_MS) return undefined;
    return `the operator ${holderIdentity} runs: stop it until the restore is over (kubectl --namespace ${PLATFORM_NAMESPACE} scale deployment gantry-operator --replicas=0), so that it does not act on what is half restored`;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const GATEWAY_PODS: Resource = { ...coreResource('pods', 'Pod'), namespace: PLATFORM_NAMESPACE };
/** As the chart labels them. */
const GATEWAY_LABEL = 'app.kubernetes.io/name=gantry-gateway';
/** One that was evicted stays as an object, also where no replica is wanted. */
const RUNS = 'status.phase!=Failed,status.phase!=Succeeded';

/** The same of gateways that are Pods, also while they end. */
export async function whyGatewayIsInTheWay(cluster: Pick<Cluster, 'list'>): Promise<string | undefined> {
  const [pod] = (await cluster.list(GATEWAY_PODS, { limit: 1, labelSelector: GATEWAY_LABEL, fieldSelector: RUNS }))
    .items;
  return pod && `the gateway ${pod.metadata.name} runs: it must be gone before anything is restored`;
}

/** The first few names of tenants' objects in this cluster. */
export async function tenantsObjects(cluster: Cluster, most: number): Promise<string[]> {
  const found: string[] = [];
  for await (const object of ours(cluster)) {
    if (object.kind !== 'Organization' && !isInOrganization(object)) continue;
    found.push(nameOf(object));
    if (found.length === most) break;
  }
  return found;
}

const nameOf = ({ kind, metadata: { namespace, name } }: KubeObject): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

export class ClusterRestore {
  readonly #cluster: Cluster;
  readonly #findings: Findings;
  /** By the uids of the backup. */
  readonly #now = new Map<string, OwnerReference>();
  readonly #made = new Set<string>();
  readonly #children = new Map<string, Child>();
  readonly #names = new Set<string>();

  constructor(cluster: Cluster, findings: Findings) {
    this.#cluster = cluster;
    this.#findings = findings;
  }

  /** First of all, and once per object. */
  async object(object: KubeObject): Promise<void> {
    this.#names.add(nameOf(object));
    const resource = resourceFor(object);
    const owner = ownerOf(object);
    // A save that was under way is skipped: the owner's controller makes it again at once if it is needed.
    if (object.kind === 'Snapshot' && !isOver(object as Stated)) return;
    const current = owner && this.#now.get(owner.uid);
    if (owner && !current) return;
    const wanted = withOwner(asWished(object), current);
    const found = await this.#madeOrFound(resource, wanted);
    if (!found) return;
    const { apiVersion, kind } = object;
    this.#now.set(object.metadata.uid ?? '', {
      ...{ apiVersion, kind, name: found.metadata.name, uid: found.metadata.uid ?? '' },
      ...{ controller: true, blockOwnerDeletion: true },
    });
    if (identityOf(found) !== identityOf(object)) return void this.#findings.different.push(nameOf(object));
    const isOurs = found.metadata.annotations?.[ANNOTATION.identity] !== undefined;
    if (isOurs && (found as Stated).status === undefined) await this.#state(resource, object as Stated, found);
    else if (!isDeepStrictEqual((found as Stated).spec, (object as Stated).spec))
      this.#findings.newer.push(nameOf(object));
  }

  /** A namespace, a Secret or a quota; those of organisations come after them, those of other objects after these. */
  async companion(companion: KubeObject): Promise<void> {
    const resource = { Namespace: NAMESPACES, Secret: SECRETS, ResourceQuota: QUOTAS }[companion.kind];
    if (!resource) throw new Error(`the backup holds a ${companion.kind} where it holds none`);
    const owner = ownersOf(companion).flatMap(({ uid }) => this.#now.get(uid) ?? [])[0];
    if (ownersOf(companion).length > 0 && !owner) return;
    const { apiVersion, kind, metadata, spec: _spec, status: _status, ...content } = companion as Stated;
    const wanted = withOwner(
      {
        ...{ apiVersion, kind, ...content },
        metadata: {
          ...named(companion),
          ...(metadata.annotations && { annotations: openForAll(metadata.annotations) }),
        },
        ...(kind === 'ResourceQuota' && { spec: (companion as Stated).spec }),
      } as KubeObject,
      owner,
      ownersOf(companion)[0],
    );
    const found = await this.#madeOrFound(resource, wanted);
    if (!found || this.#made.has(nameOf(companion))) return;
    if (kind === 'Namespace') await this.#open(found);
    await this.#adopt(resource, found, owner);
    if (kind === 'Secret' && !isDeepStrictEqual(dataOf(found), dataOf(companion))) await this.#secret(found, companion);
  }

  /** Notes a child of the backup: it is looked for in `adopt`. */
  child(child: Child): void {
    this.#children.set(placeOf(child), child);
  }

  /** Whatever was made for a restored object and is still there becomes its own; what is missing, or new, is told. */
  async adopt(): Promise<void> {
    const seen = new Set<string>();
    for (const resource of CHILDREN) {
      for await (const object of listed(this.#cluster, resource)) {
        const place = placeOf(keyOf(object));
        if (!isInOrganization(object) || object.metadata.deletionTimestamp !== undefined) continue;
        seen.add(place);
        await this.#take(resource, object, this.#children.get(place));
      }
    }
    for (const [place, { kind, namespace, name }] of this.#children) {
      if (seen.has(place)) continue;
      if (kind === 'PersistentVolumeClaim') this.#findings.lostVolumes.push(`${namespace}/${name}`);
      if (kind === 'Pod') this.#findings.lostPods.push(`${namespace}/${name}`);
    }
  }

  async #take(resource: Resource, object: KubeObject, known: Child | undefined): Promise<void> {
    const owner = known?.uid === object.metadata.uid && this.#now.get(known?.owner.uid ?? '');
    if (owner) return this.#adopt(resource, object, owner);
    const isOurs = object.metadata.labels?.[LABEL.kind] !== undefined;
    if (resource.kind === 'Pod' && isOurs && !object.metadata.ownerReferences)
      this.#findings.strange.push(nameOf(object));
  }

  /** Objects of organisations that the backup does not know. */
  async tellNewer(): Promise<void> {
    for await (const object of ours(this.#cluster)) {
      if (object.kind !== 'Snapshot' && !this.#names.has(nameOf(object))) this.#findings.unknown.push(nameOf(object));
    }
  }

  async #madeOrFound(resource: Resource, wanted: KubeObject): Promise<KubeObject | undefined> {
    try {
      const made = await this.#cluster.create(resource, wanted);
      this.#made.add(nameOf(wanted));
      if (wanted.apiVersion === API_VERSION) this.#findings.made++;
      return { ...made, apiVersion: wanted.apiVersion, kind: wanted.kind };
    } catch (error) {
      if (isTaken(error)) {
        if (wanted.apiVersion === API_VERSION) this.#findings.alreadyThere++;
        const { namespace, name } = wanted.metadata;
        const found = await this.#cluster.get(resource, namespace, name);
        return { ...found, apiVersion: wanted.apiVersion, kind: wanted.kind };
      }
      if (!isRefusal(error)) throw error;
      this.#findings.refused.push({ name: nameOf(wanted), why: (error as Error).message });
      return undefined;
    }
  }

  /** Restores the status for the new object: its generations begin anew. */
  async #state(resource: Resource, { metadata, status }: Stated, made: KubeObject): Promise<void> {
    if (status === undefined) return;
    const generation = (at: number | undefined) =>
      at === undefined ? undefined : at === metadata.generation ? (made.metadata.generation ?? 1) : 0;
    const conditions = status.conditions?.map((one) => ({
      ...one,
      ...(one.observedGeneration !== undefined && { observedGeneration: generation(one.observedGeneration) }),
    }));
    const body = {
      status: {
        ...status,
        ...(status.observedGeneration !== undefined && { observedGeneration: generation(status.observedGeneration) }),
        ...(conditions && { conditions }),
      },
    };
    await this.#cluster.mergePatch(resource, { ...targetOf(made), body }, 'status');
    if (metadata.deletionTimestamp === undefined) return;
    // It was on its way out: it goes on going, with its last use billed.
    const force = {
      metadata: { annotations: { [ANNOTATION.force]: metadata.name, [ANNOTATION.confirmDelete]: metadata.name } },
    };
    await this.#cluster.mergePatch(resource, { ...targetOf(made), body: force });
    await this.#cluster.delete(resource, targetOf(made));
  }

  async #adopt(resource: Resource, object: KubeObject, owner: OwnerReference | undefined): Promise<void> {
    const { ownerReferences = [] } = object.metadata;
    if (!owner || ownerReferences.some(({ uid }) => uid === owner.uid)) return;
    const others = ownerReferences.filter(({ controller }) => !controller);
    const isController = resource.kind !== 'Secret' || ownerReferences.some(({ controller }) => controller);
    const { controller: _, blockOwnerDeletion: __, ...plain } = owner;
    await this.#cluster.mergePatch(resource, {
      ...targetOf(object),
      body: { metadata: { ownerReferences: [...others, isController ? owner : plain] } },
    });
    if (resource.kind === 'Pod') this.#findings.adoptedPods++;
  }

  /** While it says that nothing may be begun, nothing can be put back either; the operator writes it again. */
  async #open(namespace: KubeObject): Promise<void> {
    if (namespace.metadata.annotations?.[ANNOTATION.outOfCredit] === undefined) return;
    const body = { metadata: { annotations: { [ANNOTATION.outOfCredit]: null } } };
    await this.#cluster.mergePatch(NAMESPACES, { ...targetOf(namespace), body });
  }

  async #secret(found: KubeObject, { metadata, ...wanted }: KubeObject): Promise<void> {
    const isEmpty = Object.keys(dataOf(found)).length === 0;
    // A door that knows nobody yet has made keys of its own: people's SSH would take it for somebody else.
    if (!isEmpty && metadata.name !== DOOR_HOST_KEYS) return void this.#findings.newer.push(nameOf(found));
    await this.#cluster.mergePatch(SECRETS, { ...targetOf(found), body: { data: dataOf(wanted as KubeObject) } });
  }
}

const isRefusal = (error: unknown): boolean => [400, 403, 422].includes((error as { code?: number }).code ?? 0);

const keyOf = ({ kind, metadata: { namespace = '', name } }: KubeObject) => ({ kind, namespace, name });
const placeOf = ({ kind, namespace, name }: { kind: string; namespace?: string; name: string }): string =>
  `${kind} ${namespace}/${name}`;

const isOver = ({ status }: Stated): boolean =>
  ['ready', 'success', 'failed'].includes((status as { phase?: string } | undefined)?.phase ?? '');

const ownersOf = ({ metadata }: KubeObject): readonly OwnerReference[] =>
  (metadata.ownerReferences ?? []).filter(({ apiVersion }) => apiVersion === API_VERSION);

const dataOf = (object: KubeObject): Record<string, string> =>
  (object as KubeObject & { data?: Record<string, string> }).data ?? {};

function resourceFor({ kind }: KubeObject): Resource {
  const facts = FACTS.find((one) => one.kind === kind);
  if (!facts) throw new Error(`the backup holds a ${kind}, a kind that this version of Gantry does not have`);
  return resourceOf(facts);
}

const named = ({ metadata: { name, namespace, labels } }: KubeObject) => ({
  name,
  ...(namespace !== undefined && { namespace }),
  ...(labels && { labels }),
});

/** The object as a person, or the platform for them, wrote it, with the identity that books and nodes know. */
function asWished(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const finalizers = metadata.finalizers?.filter((one) => one.startsWith('gantry.dev/'));
  return {
    apiVersion,
    kind,
    metadata: {
      ...named(object),
      annotations: { ...metadata.annotations, [ANNOTATION.identity]: identityOf(object) },
      ...(finalizers && finalizers.length > 0 && { finalizers }),
    },
    spec: (object as Stated).spec,
  } as KubeObject;
}

function withOwner(
  object: KubeObject,
  owner: OwnerReference | undefined,
  like: Partial<OwnerReference> = { controller: true },
): KubeObject {
  if (!owner) return object;
  const { controller: _, blockOwnerDeletion: __, ...plain } = owner;
  return { ...object, metadata: { ...object.metadata, ownerReferences: [like.controller ? owner : plain] } };
}

/** A namespace that is closed for lack of credit takes nothing back; the operator closes it again. */
function openForAll({ [ANNOTATION.outOfCredit]: _, ...annotations }: Record<string, string>): Record<string, string> {
  return annotations;
}
