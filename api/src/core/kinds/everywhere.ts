// Objects of all organisations, wherever they are: what staff list and command. In another cluster only what is ours exists.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { isPlaced } from './placed.ts';
import type { Region } from './to-view.ts';

interface Seen {
  cache: Pick<WatchCache, 'get' | 'list'>;
  region: Region;
}

export class Everywhere {
  readonly #own: Seen;
  readonly #places: readonly (Seen & { isOurs(namespace: string): boolean })[];

  constructor(own: Seen, places: readonly (Seen & { isOurs(namespace: string): boolean })[] = []) {
    this.#own = own;
    this.#places = places;
  }

  get<T extends KubeObject>(
    facts: Pick<KindFacts, 'kind'>,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.#own.cache.get<T>(facts, namespace, name) ?? this.#away<T>(facts, namespace, name)?.object;
  }

  list<T extends KubeObject>(facts: Pick<KindFacts, 'kind'>): readonly T[] {
    const own = this.#own.cache.list<T>(facts);
    if (this.#places.length === 0 || !isPlaced(facts)) return own;
    const away = this.#places.flatMap(({ cache, isOurs }) =>
      cache.list<T>(facts).filter(({ metadata }) => isOurs(metadata.namespace ?? '')),
    );
    return [...own, ...away];
  }

  /** The name and the id of the data centre that has it, and whether that is ours. */
  placeOf({ kind, metadata: { namespace, name, uid } }: KubeObject): { region: string; id: string; isHere: boolean } {
    const away = this.#away({ kind }, namespace, name);
    const isHere = !away || away.object.metadata.uid !== uid;
    const { id, label } = (isHere ? this.#own : away).region;
    return { region: label, id, isHere };
  }

  #away<T extends KubeObject>(facts: Pick<KindFacts, 'kind'>, namespace: string | undefined, name: string) {
    if (!isPlaced(facts)) return undefined;
    for (const { cache, region, isOurs } of this.#places) {
      const object = cache.get<T>(facts, namespace, name);
      if (object && isOurs(namespace ?? '')) return { object, region };
    }
    return undefined;
  }
}
