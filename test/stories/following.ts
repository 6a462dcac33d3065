// Every state that objects of one kind went through, from a watch: a state shorter than two looks is not missed, and deleted
// objects can still be read.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Layout } from '../../hack/layout.ts';

export interface State<T> {
  readonly object: T;
  /** The object's last state: it is not there any more. */
  readonly isLast: boolean;
}

interface WatchEvent<T> {
  readonly type: string;
  readonly object: T;
}

export class Following<T extends KubeObject> {
  readonly #path: string;
  readonly #watch: Watch;
  readonly #states = new Map<string, State<T>[]>();
  readonly #listeners = new Set<() => void>();
  #resourceVersion: string;
  #current: AbortController | undefined;
  #isStopped = false;
  /** Something was missed, so nothing can be relied on any more. */
  #fault: Error | undefined;

  private constructor(path: string, watch: Watch, resourceVersion: string) {
    this.#path = path;
    this.#watch = watch;
    this.#resourceVersion = resourceVersion;
  }

  /** From now on; `path` is a collection's, over all namespaces. */
  static async start<T extends KubeObject>(cluster: Layout, path: string): Promise<Following<T>> {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const { body } = await mustCallApi(cluster, { path: `${path}?limit=1` });
    const following = new Following<T>(path, new Watch(config), JSON.parse(body).metadata.resourceVersion);
    await following.#open();
    return following;
  }

  /** In the order in which they were; all objects that ever had the name. */
  states(namespace: string, name: string): readonly State<T>[] {
    return this.#states.get(`${namespace}/${name}`) ?? [];
  }

  /** Every state of every object. */
  everything(): readonly T[] {
    return [...this.#states.values()].flatMap((states) => states.map(({ object }) => object));
  }

  /** The living ones of all that was seen. */
  living(): readonly T[] {
    return [...this.#states.values()]
      .flatMap((states) => states.at(-1) ?? [])
      .flatMap(({ object, isLast }) => (isLast ? [] : [object]));
  }

  /** As it is now; undefined when it is gone. */
  latest(namespace: string, name: string): T | undefined {
    const state = this.states(namespace, name).at(-1);
    return state?.isLast ? undefined : state?.object;
  }

  /** Resolves with the first answer of `look`, which is asked now and after every change. */
  until<R>(what: () => string, look: () => R | undefined, limitMs: number): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const ask = () => {
      try {
        if (this.#fault) throw this.#fault;
        const seen = look();
        if (seen !== undefined) resolve(seen);
      } catch (error) {
        reject(error);
      }
    };
    const timer = setTimeout(() => reject(new Error(`not within ${limitMs / 1000} s: ${what()}`)), limitMs);
    this.#listeners.add(ask);
    ask();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#listeners.delete(ask);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#current?.abort();
  }

  /** A watch that ends, as a silent one does after a while, continues where it was. */
  async #open(): Promise<void> {
    const from = { resourceVersion: this.#resourceVersion, allowWatchBookmarks: true };
    const onEvent = (type: string, object: T) => this.#see({ type, object });
    this.#current = await this.#watch.watch(this.#path, from, onEvent, () => {
      if (!this.#isStopped) void this.#open();
    });
  }

  #see({ type, object }: WatchEvent<T>): void {
    if (type === 'ERROR') {
      this.#fault = new Error(`watch ${this.#path}: ${JSON.stringify(object)}`);
      this.#tell();
      return;
    }
    const { namespace = '', name, resourceVersion } = object.metadata;
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
    if (type === 'BOOKMARK') return;
    const key = `${namespace}/${name}`;
    const states = this.#states.get(key) ?? [];
    states.push({ object, isLast: type === 'DELETED' });
    this.#states.set(key, states);
    this.#tell();
  }

  #tell(): void {
    for (const tell of this.#listeners) tell();
  }
}
