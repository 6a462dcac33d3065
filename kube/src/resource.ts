// The resources to follow and the targets of writes: plain data that pure code may hold without knowing the cluster.
import { GROUP, type KindFacts, type KubeObject, VERSION } from '@gantry/contract/define-kind.ts';

/** A kind of the cluster that a cache follows. `plural` is the path segment; core kinds have the group ''. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
  /** Follow one namespace only. */
  namespace?: string;
  /** Only objects that carry these labels, as a selector of the API server. */
  labelSelector?: string;
  /** Thins an object before it is stored: caches of 10,000 objects live in one small process. Runs on every event. */
  keep?(object: KubeObject): KubeObject;
  /** Index name → the values under which an object is found by `CacheReader.by`. */
  indexes?: Record<string, (object: KubeObject) => readonly string[]>;
  /** Sum name → an object's share of `CacheReader.sum`. Whole bytes in any binary unit: such numbers add up without rounding. */
  sums?: Record<string, (object: KubeObject) => number>;
}

/** A kind of Kubernetes' core group as a resource. */
export const coreResource = (plural: string, kind: string, namespaced = true): Resource => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

/** A kind of ours as a resource. */
export const resourceOf = ({ plural, kind, scope }: Pick<KindFacts, 'kind' | 'plural' | 'scope'>): Resource => ({
  group: GROUP,
  version: VERSION,
  plural,
  kind,
  namespaced: scope === 'Namespaced',
});

/** The caches, read-only, as those see them who only look. All reads are from memory and return live objects: do not mutate. */
export interface CacheReader {
  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: Resource, namespace?: string): readonly KubeObject[];
  by(resource: Resource, index: string, value: string): readonly KubeObject[];
  /** Over the objects of a namespace, at the cost of one look-up however many there are. */
  sum(resource: Resource, name: string, namespace: string): number;
  /** Raised by every change of that resource: a key for memoising sums over a whole cache. */
  version(resource: Resource): number;
}

export interface Key {
  namespace?: string;
  name: string;
}

export interface Target {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  uid: string;
}

/** The target of a patch or a removal: exactly this object, not another with its name. */
export const targetOf = ({ apiVersion, kind, metadata }: KubeObject): Target => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

/** A JSON merge patch. `resourceVersion` makes it conditional; `uid` always does. */
export interface Patch extends Target {
  resourceVersion?: string;
  body: Record<string, unknown>;
}

/** One step of a JSON patch (RFC 6902), as far as we use it. A test for null also passes if the field is absent. */
export type PatchStep =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A delete, only of the object with this uid. Absent grace: the object's own. */
export interface Removal extends Target {
  gracePeriodSeconds?: number;
  /** Absent: the kind's own; a Job would leave its Pods behind. */
  propagation?: 'Background';
}

/** A delete that without a uid takes any object of the name. */
export type NamedRemoval = Omit<Removal, 'uid'> & { uid?: string };
