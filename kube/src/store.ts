// A cache's objects. It only moves forward: an older resourceVersion of an object never replaces a newer one, and a late event
// does not bring back a deleted object. So watches, lists and our own writes may arrive in any order.
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { selects } from './label-selector.ts';
import { keyText } from './object-key.ts';
import type { Resource } from './resource.ts';

/** `before` is absent for an added object, `after` for a removed one. */
export interface Change {
  before?: KubeObject;
  after?: KubeObject;
}

/** `source` is the writer, so that it is not woken by its own write; undefined for changes from the API server. */
export type Tell = (change: Change, source: unknown) => void;

/** Comparable within one resource (etcd's revision). */
export const versionOf = (object: KubeObject): number => Number(object.metadata.resourceVersion);
const keyOf = ({ metadata }: KubeObject): string => keyText(metadata.namespace, metadata.name);

const BY_NAMESPACE = ' namespace';
/** Deleted objects remembered against late events: far more than can be on their way at once. */
const MOST_GRAVES = 20_000;

type Index = Map<string, Map<string, KubeObject>>;

export class Store {
  readonly #resource: Resource;
  readonly #indexers: Record<string, (object: KubeObject) => readonly string[]>;
  readonly #selected: ReturnType<typeof selects>;
  readonly #tell: Tell;
  readonly #unreadable: (error: unknown) => void;
  readonly #objects = new Map<string, KubeObject>();
  readonly #indexes = new Map<string, Index>();
  /** By name, then by namespace. */
  readonly #sums = new Map<string, Map<string, number>>();
  /** uid → the resourceVersion up to which the object is known to be gone. */
  readonly #graves = new Map<string, number>();
  #version = 0;
  #listed: readonly KubeObject[] | undefined;

  /** `unreadable` is called with an object that the caller cannot read. */
  constructor(resource: Resource, tell: Tell, unreadable: (error: unknown) => void = () => {}) {
    this.#resource = resource;
    this.#tell = tell;
    this.#unreadable = unreadable;
    this.#selected = selects(resource.labelSelector);
    this.#indexers = {
      ...resource.indexes,
      [BY_NAMESPACE]: ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]),
    };
    for (const name of Object.keys(this.#indexers)) this.#indexes.set(name, new Map());
    for (const name of Object.keys(resource.sums ?? {})) this.#sums.set(name, new Map());
  }

  get size(): number {
    return this.#objects.size;
  }

  get version(): number {
    return this.#version;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(keyText(namespace, name));
  }

  list(namespace?: string): readonly KubeObject[] {
    if (namespace !== undefined) return this.by(BY_NAMESPACE, namespace);
    this.#listed ??= [...this.#objects.values()];
    return this.#listed;
  }

  by(index: string, value: string): readonly KubeObject[] {
    const found = this.#indexes.get(index);
    if (!found) throw new Error(`${this.#resource.plural} have no index "${index}"`);
    return [...(found.get(value)?.values() ?? [])];
  }

  sum(name: string, namespace: string): number {
    const found = this.#sums.get(name);
    if (!found) throw new Error(`${this.#resource.plural} have no sum "${name}"`);
    return found.get(namespace) ?? 0;
  }

  /** Whether the object has the namespace and the labels that are followed here. */
  takes({ metadata: { namespace, labels } }: KubeObject): boolean {
    const { namespace: only } = this.#resource;
    return (only === undefined || only === namespace) && this.#selected(labels);
  }

  /** Stores an object if it is newer than the stored one; returns whether it was. */
  put(whole: KubeObject, source?: unknown): boolean {
    const key = keyOf(whole);
    const held = this.#objects.get(key);
    const version = versionOf(whole);
    if (held && versionOf(held) >= version) return false;
    if (version <= (this.#graves.get(whole.metadata.uid ?? '') ?? 0)) return false;
    if (!this.takes(whole)) return held !== undefined && this.#take(key, held, source);
    const object = this.#thin(whole);
    if (held && held.metadata.uid !== object.metadata.uid) this.#take(key, held, source);
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    this.#reindex(key, before, object);
    this.#listed = undefined;
    // Heartbeats change no field that is stored: they wake nobody.
    if (before && this.#resource.keep && sameButVersion(before, object)) return true;
    this.#version++;
    this.#tell(before ? { before, after: object } : { after: object }, source);
    return true;
  }

  /** Takes out the object with this uid, and refuses it up to `version` from now on; says whether it was held. */
  bury({ metadata: { namespace, name, uid = '' } }: KubeObject, version: number, source?: unknown): boolean {
    this.#graves.delete(uid);
    this.#graves.set(uid, version);
    if (this.#graves.size > MOST_GRAVES)
      for (const oldest of this.#graves.keys()) if (this.#graves.delete(oldest)) break;
    const key = keyText(namespace, name);
    const held = this.#objects.get(key);
    return held?.metadata.uid === uid && versionOf(held) <= version && this.#take(key, held, source);
  }

  /** Removes what a complete list of this version does not contain; returns how many. Newer objects stay. */
  keepOnly(listed: ReadonlySet<string>, version: number): number {
    let taken = 0;
    for (const [key, held] of this.#objects) {
      if (listed.has(key) || versionOf(held) > version) continue;
      this.bury(held, version);
      taken++;
    }
    return taken;
  }

  #thin(whole: KubeObject): KubeObject {
    // A third of a Pod, and no plan reads it.
    delete (whole.metadata as { managedFields?: unknown }).managedFields;
    return this.#guarded(whole, whole, () => this.#resource.keep?.(whole) ?? whole);
  }

  /** One object that somebody cannot read must not end the list or the watch that brings all others. */
  #guarded<T>({ kind, metadata }: KubeObject, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (cause) {
      const name = [metadata.namespace ?? [], metadata.name].flat().join('/');
      this.#unreadable(new Error(`${kind} ${name} cannot be read: ${(cause as Error).message}`, { cause }));
      return otherwise;
    }
  }

  #take(key: string, held: KubeObject, source: unknown): true {
    this.#objects.delete(key);
    this.#reindex(key, held, undefined);
    this.#listed = undefined;
    this.#version++;
    this.#tell({ before: held }, source);
    return true;
  }

  #reindex(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    for (const [name, indexer] of Object.entries(this.#indexers)) {
      const index = this.#indexes.get(name) as Index;
      const valuesOf = (object: KubeObject | undefined) =>
        object ? this.#guarded<readonly string[]>(object, [], () => indexer(object)) : [];
      for (const value of valuesOf(before)) {
        const bucket = index.get(value);
        bucket?.delete(key);
        if (bucket?.size === 0) index.delete(value);
      }
      for (const value of valuesOf(after)) {
        const bucket = index.get(value);
        if (bucket) bucket.set(key, after as KubeObject);
        else index.set(value, new Map([[key, after as KubeObject]]));
      }
    }
    this.#resum(before, after);
  }

  #resum(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    for (const [name, amountOf] of Object.entries(this.#resource.sums ?? {})) {
      const shareOf = (object: KubeObject | undefined) => {
        const share = object ? this.#guarded(object, 0, () => amountOf(object)) : 0;
        // One that is no number would make the sum none for good.
        return Number.isFinite(share) ? share : 0;
      };
      const sums = this.#sums.get(name) as Map<string, number>;
      const sum = (sums.get(namespace) ?? 0) - shareOf(before) + shareOf(after);
      if (sum === 0) sums.delete(namespace);
      else sums.set(namespace, sum);
    }
  }
}

function sameButVersion(before: KubeObject, after: KubeObject): boolean {
  const versioned = { ...after, metadata: { ...after.metadata, resourceVersion: before.metadata.resourceVersion } };
  return isDeepStrictEqual(before, versioned);
}
