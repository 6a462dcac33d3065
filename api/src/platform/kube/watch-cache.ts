// The gateway's knowledge of the cluster: one informer per kind, who is notified of changes, how current it is and, while the API
// server does not answer, since when it is stale.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { Caches } from '@gantry/kube/caches.ts';
import type { KubeClient, WatchEvent } from '@gantry/kube/client.ts';
import { type Clock, type Instant, pause } from '@gantry/kube/clock.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { type Change, versionOf } from '@gantry/kube/store.ts';
import { FOLLOWED, followed } from './resources.ts';

export interface KindChange {
  kind: KindFacts;
  /** Absent for kinds of the whole cluster. */
  namespace?: string;
  name: string;
  /** Absent: it is new. */
  before?: KubeObject;
  /** Absent: it is gone. */
  after?: KubeObject;
}

export interface CacheLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

export interface WatchCacheParts {
  client: Pick<KubeClient, 'list' | 'watch'>;
  clock: Clock;
  log: CacheLog;
}

/** A connection that was cut and restored within this time is not reported. */
const TROUBLE_MS = 1_000;
/** A watch that has been open this long without an error counts as working, even if nothing happens. */
const OPEN_MS = 1_000;
const PROBE_MS = 5_000;
/** How long a read waits for a version that it was promised. */
const WAIT_MS = 5_000;
/** No cluster advances that far while a read waits: nobody can have been given a version beyond it. */
const FAR = 1_000_000;
const OWN_VERSIONS = 10_000;
/** The check that detects an API server which accepts connections and does not answer. */
const PROBE = ' probe';

export class WatchCache {
  readonly #client: Pick<KubeClient, 'list' | 'watch'>;
  readonly #clock: Clock;
  readonly #log: CacheLog;
  readonly #caches: Caches;
  readonly #listeners = new Set<(change: KindChange) => void>();
  /** Kind → since when following it fails. */
  readonly #trouble = new Map<string, { now: Instant; monotonic: number }>();
  /** Kind → the newest version that the API server itself has sent. */
  readonly #reportedVersions = new Map<string, number>();
  /** Versions of our own writes: they are in the cache, even if the watch has not reached them. */
  readonly #own = new Set<number>();
  /** The newest version of any kind heard of: the API server counts all in one order. */
  #newest = 0;
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Kind and namespace → how often something changed there. */
  readonly #generations = new Map<string, number>();
  #synced = false;

  constructor({ client, clock, log }: WatchCacheParts) {
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
    this.#caches = new Caches(FOLLOWED, {
      client: { list: (...args) => this.#list(...args), watch: (...args) => this.#watch(...args) },
      clock,
      report: {
        failed: (kind, error) => this.#failed(kind, error),
        stumbled: (kind, error) => this.#stumbled(kind, error),
        corrected: (kind, count) => log.warn({ kind, count }, 'a list found what the watch had left out'),
      },
    });
    for (const facts of Object.values<KindFacts>(KINDS))
      this.#caches.onChange(followed(facts), (change) => {
        // Until then whatever is there is told once all of it is.
        if (this.#synced) this.#changed(facts, change);
      });
  }

  /** Resolves once everything has been seen; follows the cluster until the signal. */
  async start(signal: AbortSignal): Promise<void> {
    void this.#probe(signal);
    await this.#caches.start(signal);
    this.#synced = true;
    // In one go: nobody finds this synced who has not heard of everything.
    for (const facts of Object.values<KindFacts>(KINDS))
      for (const after of this.list(facts)) this.#changed(facts, { after });
  }

  /** False until everything has been seen once: until then nothing is served. */
  get synced(): boolean {
    return this.#synced;
  }

  /** The caches themselves; their objects are live and must not be changed. */
  get reader(): CacheReader {
    return this.#caches;
  }

  get<T extends KubeObject>(
    facts: Pick<KindFacts, 'kind'>,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.#caches.get(followed(facts), namespace, name) as T | undefined;
  }

  list<T extends KubeObject>(facts: Pick<KindFacts, 'kind'>, namespace?: string): readonly T[] {
    return this.#caches.list(followed(facts), namespace) as readonly T[];
  }

  by<T extends KubeObject>(facts: Pick<KindFacts, 'kind'>, index: string, value: string): readonly T[] {
    return this.#caches.by(followed(facts), index, value) as readonly T[];
  }

  /**
   * Calls back with every object once all caches are filled, and on every change from then on; returns a function that stops it.
   * Who comes after that lists what is there.
   */
  on(listener: (change: KindChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Raised by every change of this kind in this namespace. Compares within one process only. */
  generation(facts: Pick<KindFacts, 'kind'>, namespace: string): number {
    return this.#generations.get(placeOf(facts, namespace)) ?? 0;
  }

  /** The newest resourceVersion that the API server has sent for this kind. Comparable within one kind only. */
  version({ kind }: Pick<KindFacts, 'kind'>): number {
    return this.#reportedVersions.get(kind) ?? 0;
  }

  /** The oldest trouble with following this kind (or any), if it has lasted: reads since then may be stale. */
  staleSince(facts?: Pick<KindFacts, 'kind'>): Instant | undefined {
    // Every read asks.
    if (this.#trouble.size === 0) return undefined;
    const kinds = facts ? [facts.kind, PROBE] : [...this.#trouble.keys()];
    const lasting = kinds.flatMap((kind) => this.#trouble.get(kind) ?? []);
    const longest = lasting.filter(({ monotonic }) => this.#clock.monotonic() - monotonic >= TROUBLE_MS);
    return longest.length > 0 ? Math.min(...longest.map(({ now }) => now)) : undefined;
  }

  /** Takes in the answer to a write of ours, so that the next read has it. */
  observe(object: KubeObject): void {
    this.#caches.observe(object, this);
    this.#own.add(versionOf(object));
    this.#newest = Math.max(this.#newest, versionOf(object));
    if (this.#own.size > OWN_VERSIONS) for (const oldest of this.#own) if (this.#own.delete(oldest)) break;
  }

  /** Takes out an object whose end was confirmed. */
  forget(object: KubeObject): void {
    this.#caches.forget(object, this);
  }

  /** Whether the cache holds everything up to this version, at once or within five seconds. */
  async waitFor(facts: Pick<KindFacts, 'kind'>, version: number, signal: AbortSignal): Promise<boolean> {
    const isThere = () => this.version(facts) >= version || this.#own.has(version);
    if (isThere() || signal.aborted || version > this.#newest + FAR) return isThere();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(facts.kind) ?? new Set();
      this.#waiting.set(facts.kind, waiting);
      const look = () => {
        if (isThere()) end();
      };
      const end = () => {
        cancel();
        waiting.delete(look);
        signal.removeEventListener('abort', end);
        resolve(isThere());
      };
      const cancel = this.#clock.after(WAIT_MS, end);
      waiting.add(look);
      signal.addEventListener('abort', end);
    });
  }

  #changed(facts: KindFacts, { before, after }: Change): void {
    const { namespace, name } = ((after ?? before) as KubeObject).metadata;
    const place = placeOf(facts, namespace);
    this.#generations.set(place, (this.#generations.get(place) ?? 0) + 1);
    const change = {
      kind: facts,
      name,
      ...(namespace && { namespace }),
      ...(before && { before }),
      ...(after && { after }),
    };
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#stumbled(facts.kind, error);
      }
    }
  }

  #stumbled(kind: string, error: unknown): void {
    this.#log.warn({ kind, err: error }, 'a change of an object was not understood');
  }

  async #list(...[resource, query]: Parameters<KubeClient['list']>): ReturnType<KubeClient['list']> {
    const page = await this.#client.list(resource, query);
    this.#heard(resource.kind);
    return page;
  }

  async #watch(...[resource, query, onEvent, limits]: Parameters<KubeClient['watch']>): Promise<void> {
    const cancel = this.#clock.after(OPEN_MS, () => this.#heard(resource.kind));
    // Whatever the list before it held is in the store by now.
    this.#tell(resource.kind, Number(query.resourceVersion));
    const take = (event: WatchEvent) => {
      onEvent(event);
      this.#heard(resource.kind);
      this.#tell(resource.kind, versionOf(event.object));
    };
    try {
      await this.#client.watch(resource, query, take, limits);
    } finally {
      cancel();
    }
  }

  /** A server that holds its connections and does not answer is found by asking it. */
  async #probe(signal: AbortSignal): Promise<void> {
    const resource: Resource = followed(organization);
    while (!signal.aborted) {
      await pause(this.#clock, PROBE_MS, signal);
      if (signal.aborted) return;
      await this.#client.list(resource, { limit: 1 }).then(
        () => this.#heard(PROBE),
        (error: unknown) => this.#failed(PROBE, error),
      );
    }
  }

  #failed(kind: string, error: unknown): void {
    if (this.#trouble.has(kind)) return;
    this.#trouble.set(kind, { now: this.#clock.now(), monotonic: this.#clock.monotonic() });
    this.#log.warn({ kind: kind.trim(), why: (error as Error).message }, 'the API server is not heard');
  }

  #heard(kind: string): void {
    if (this.#trouble.delete(kind)) this.#log.info({ kind: kind.trim() }, 'the API server is heard again');
  }

  #tell(kind: string, version: number): void {
    if (!(version > (this.#reportedVersions.get(kind) ?? 0))) return;
    this.#reportedVersions.set(kind, version);
    this.#newest = Math.max(this.#newest, version);
    for (const look of this.#waiting.get(kind) ?? []) look();
  }
}

const placeOf = ({ kind }: Pick<KindFacts, 'kind'>, namespace = ''): string => `${kind}/${namespace}`;
