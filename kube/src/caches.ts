// All caches of a process: one informer per resource in use, and who is notified of changes.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { apiVersionOf, type KubeClient } from './client.ts';
import type { Clock } from './clock.ts';
import { Informer, type InformerLimits, type InformerReport } from './informer.ts';
import type { CacheReader, Resource } from './resource.ts';
import { type Change, Store } from './store.ts';

type Listener = (change: Change, source: unknown) => void;

export interface CachesParts {
  client: Pick<KubeClient, 'list' | 'watch'>;
  clock: Clock;
  report: InformerReport;
  limits?: InformerLimits;
  /** API groups that the cluster does not have: their resources are not followed, and always empty. */
  unserved?: readonly string[];
}

export class Caches implements CacheReader {
  readonly informers: readonly Informer[];
  readonly #byResource = new Map<Resource, Informer>();
  readonly #byKind = new Map<string, Informer[]>();
  readonly #listeners = new Map<Informer, Listener[]>();
  readonly #report: InformerReport;
  #synced = false;

  /** Resources that ask for the same objects and keep them alike share one informer, also where they are written down twice. */
  constructor(resources: Iterable<Resource>, { client, clock, report, limits, unserved = [] }: CachesParts) {
    this.#report = report;
    const alike: Resource[][] = [];
    for (const resource of new Set(resources)) {
      const group = alike.find(([first]) => first !== undefined && asksTheSame(first, resource));
      if (group) group.push(resource);
      else alike.push([resource]);
    }
    const informers = alike.map((group) => {
      const resource = {
        ...(group[0] as Resource),
        indexes: Object.assign({}, ...group.map(({ indexes }) => indexes)),
        sums: Object.assign({}, ...group.map(({ sums }) => sums)),
      };
      const tell = (change: Change, source: unknown) => this.#tell(informer, change, source);
      const store = new Store(resource, tell, (error) => report.stumbled(resource.kind, error));
      const informer: Informer = new Informer(store, resource, client, clock, report, limits);
      for (const member of group) this.#byResource.set(member, informer);
      const kind = `${apiVersionOf(resource)}/${resource.kind}`;
      this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), informer]);
      return informer;
    });
    this.informers = informers.filter(({ resource }) => !unserved.includes(resource.group));
  }

  get synced(): boolean {
    return this.#synced;
  }

  /** Resolves once every cache has been filled; they follow the cluster until the signal. */
  async start(signal: AbortSignal): Promise<void> {
    for (const informer of this.informers) void informer.run(signal);
    await Promise.all(this.informers.map(({ synced }) => synced));
    this.#synced = true;
  }

  /** Calls back on every change, once all caches have been filled: a listener may read any of them. */
  onChange(resource: Resource, listener: Listener): void {
    const informer = this.#informer(resource);
    this.#listeners.set(informer, [...(this.#listeners.get(informer) ?? []), listener]);
  }

  follows(resource: Resource): boolean {
    return this.#byResource.has(resource);
  }

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#informer(resource).store.get(namespace, name);
  }

  list(resource: Resource, namespace?: string): readonly KubeObject[] {
    return this.#informer(resource).store.list(namespace);
  }

  by(resource: Resource, index: string, value: string): readonly KubeObject[] {
    return this.#informer(resource).store.by(index, value);
  }

  sum(resource: Resource, name: string, namespace: string): number {
    return this.#informer(resource).store.sum(name, namespace);
  }

  version(resource: Resource): number {
    return this.#informer(resource).store.version;
  }

  /** Takes in what a write of ours was answered with: the next look sees it without waiting for the watch. Says whether it was news. */
  observe(object: KubeObject, source: unknown): boolean {
    if (isLastBreath(object)) return this.forget(object, source);
    const stores = this.#following(object).map(({ store }) => store);
    // Each store gets its own copy: it thins the object in place.
    return stores.map((store) => store.put({ ...object, metadata: { ...object.metadata } }, source)).includes(true);
  }

  /** Takes out an object whose deletion was confirmed. Says whether any cache still held it. */
  forget(object: KubeObject, source: unknown): boolean {
    const stores = this.#following(object).map(({ store }) => store);
    return stores.map((store) => store.bury(object, Number.MAX_SAFE_INTEGER, source)).includes(true);
  }

  /** Some cache would hold the wanted object but not the one found, which lacks the labels that the cache selects by. */
  overlooks(found: KubeObject, wanted: KubeObject): boolean {
    return this.#following(wanted).some(({ store }) => store.takes(wanted) && !store.takes(found));
  }

  #following({ apiVersion, kind }: KubeObject): readonly Informer[] {
    return this.#byKind.get(`${apiVersion}/${kind}`) ?? [];
  }

  #informer(resource: Resource): Informer {
    const informer = this.#byResource.get(resource);
    if (!informer)
      throw new Error(`${resource.plural} are read but not followed: name the resource where the caches are made`);
    return informer;
  }

  #tell(informer: Informer, change: Change, source: unknown): void {
    if (!this.#synced) return;
    for (const listener of this.#listeners.get(informer) ?? []) {
      try {
        listener(change, source);
      } catch (error) {
        this.#report.stumbled(informer.resource.kind, error);
      }
    }
  }
}

function asksTheSame(a: Resource, b: Resource): boolean {
  const same = (['group', 'version', 'plural', 'namespace', 'labelSelector', 'keep'] as const).every(
    (part) => a[part] === b[part],
  );
  if (!same) return false;
  return (['indexes', 'sums'] as const).every((part) =>
    Object.entries(a[part] ?? {}).every(([name, read]) => (b[part]?.[name] ?? read) === read),
  );
}

/** The last finalizer is gone and no grace is left: the API server deletes such an object with the write that made it so. */
function isLastBreath(object: KubeObject): boolean {
  const { metadata, spec } = object as KubeObject & {
    metadata: { deletionGracePeriodSeconds?: number };
    spec?: { finalizers?: string[] };
  };
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  // A namespace keeps its finalizers in its spec, and outlives the answer to its deletion by all that is in it.
  const isHeld = finalizers.length > 0 || (spec?.finalizers ?? []).length > 0;
  return deletionTimestamp !== undefined && !isHeld && deletionGracePeriodSeconds === 0;
}
