// An independent observer: everything that happened to the objects of one collection, in order, from a watch. So an operator's
// actions between two looks, and deleted objects, can be judged afterwards.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { KubeConfig, type KubernetesObject, ListWatch, Watch } from '@kubernetes/client-node';
import { mustCallApi } from '../../../hack/api-call.ts';
import type { Layout } from '../../../hack/layout.ts';

export interface Sighting<T> {
  readonly object: T;
  /** It is not there any more; `object` is its last state. */
  readonly isGone: boolean;
  /** When it arrived, by performance.now(). */
  readonly at: number;
}

/** The API server is away: some scenarios see to that. */
const RETRY_MS = 200;

export class Witness<T extends KubeObject> {
  readonly #source: ListWatch<KubernetesObject>;
  readonly #sightings: Sighting<T>[] = [];
  readonly #latest = new Map<string, T>();
  readonly #waiting = new Set<() => void>();
  readonly #listeners: ((object: T) => void)[] = [];
  #isDone = false;

  private constructor(source: ListWatch<KubernetesObject>) {
    this.#source = source;
    // The client's types have dates where JSON has strings; ours describe the wire.
    const see = (isGone: boolean) => (object: KubernetesObject) =>
      this.#see({ object: object as unknown as T, isGone, at: performance.now() });
    source.on('add', see(false));
    source.on('update', see(false));
    source.on('delete', see(true));
    source.on('error', () => {
      setTimeout(() => {
        if (!this.#isDone) void source.start();
      }, RETRY_MS);
    });
  }

  /** `path` is a collection's, over all namespaces. What is there already counts as seen. */
  static async of<T extends KubeObject>(cluster: Layout, path: string): Promise<Witness<T>> {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const list = async () => JSON.parse((await mustCallApi(cluster, { path })).body);
    const witness = new Witness<T>(new ListWatch<KubernetesObject>(path, new Watch(config), list, false));
    await witness.#source.start();
    return witness;
  }

  /** As it is now. */
  now(namespace: string | undefined, name: string): T | undefined {
    return this.#latest.get(keyOf({ namespace, name }));
  }

  /** In order, for all objects with `isMeant`. */
  sightings(isMeant: (object: T) => boolean): readonly Sighting<T>[] {
    return this.#sightings.filter(({ object }) => isMeant(object));
  }

  /** `hear` is called with each later state of an object. */
  listen(hear: (object: T) => void): void {
    this.#listeners.push(hear);
  }

  /** Objects that are there now. */
  present(isMeant: (object: T) => boolean): readonly T[] {
    return [...this.#latest.values()].filter(isMeant);
  }

  /** The first answer of `look`, which is asked now and after every change. At the limit the error says `what` was waited for. */
  until<R>(what: () => string, look: () => R | undefined | false, limitMs: number): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const ask = () => {
      try {
        const seen = look();
        if (seen !== undefined && seen !== false) resolve(seen);
      } catch (error) {
        reject(error);
      }
    };
    const timer = setTimeout(() => reject(new Error(`not within ${limitMs / 1000} s: ${what()}`)), limitMs);
    this.#waiting.add(ask);
    ask();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(ask);
    });
  }

  async stop(): Promise<void> {
    this.#isDone = true;
    await this.#source.stop();
  }

  #see(sighting: Sighting<T>): void {
    const { object, isGone } = sighting;
    this.#sightings.push(sighting);
    if (isGone) this.#latest.delete(keyOf(object.metadata));
    else this.#latest.set(keyOf(object.metadata), object);
    for (const hear of isGone ? [] : this.#listeners) hear(object);
    for (const ask of this.#waiting) ask();
  }
}

const keyOf = ({ namespace = '', name }: { namespace?: string | undefined; name: string }): string =>
  `${namespace}/${name}`;
