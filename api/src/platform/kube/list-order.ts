// The order of lists, kept between requests: sorting 20,000 objects for each page of 500 would cost more than everything else.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { WatchCache } from './watch-cache.ts';

export interface ListOrder {
  by: 'create_time' | 'name' | 'status';
  type: 'asc' | 'desc';
}

/** The name that people see. */
export const nameOf = (object: KubeObject): string =>
  (object as { spec?: { displayName?: string } }).spec?.displayName ?? object.metadata.name;

/** Names in a namespace, newest first. Rebuilt only when one is added or removed: no other change affects the order. */
export class ListOrders {
  readonly #cache: WatchCache;
  readonly #newestFirst = new Map<string, readonly string[]>();

  constructor(cache: WatchCache) {
    this.#cache = cache;
    cache.on(({ kind, namespace, before, after }) => {
      if (!before || !after || before.metadata.uid !== after.metadata.uid)
        this.#newestFirst.delete(`${kind.kind}/${namespace}`);
    });
  }

  /** Objects of a namespace in this order. Ties are broken by name, so that pages never overlap. */
  of(facts: KindFacts, namespace: string, { by, type }: ListOrder): readonly KubeObject[] {
    if (by === 'create_time') {
      const found = this.#names(facts, namespace).flatMap((name) => this.#cache.get(facts, namespace, name) ?? []);
      return type === 'desc' ? found : found.reverse();
    }
    return mergedInOrder(facts, { by, type }, [this.#cache.list(facts, namespace)]);
  }

  /** One page in the default order, without examining other objects. */
  newest(facts: KindFacts, namespace: string, from: number, count: number): { page: KubeObject[]; total: number } {
    const names = this.#names(facts, namespace);
    const page = names.slice(from, from + count).flatMap((name) => this.#cache.get(facts, namespace, name) ?? []);
    return { page, total: names.length };
  }

  #names(facts: KindFacts, namespace: string): readonly string[] {
    const place = `${facts.kind}/${namespace}`;
    const known = this.#newestFirst.get(place);
    if (known) return known;
    const names = this.#cache
      .list(facts, namespace)
      .map(({ metadata }) => ({ name: metadata.name, at: metadata.creationTimestamp ?? '' }))
      .sort((a, b) => compare(b.at, a.at) || compare(a.name, b.name))
      .map(({ name }) => name);
    this.#newestFirst.set(place, names);
    return names;
  }
}

/** Lists of several clusters as one, in this order. */
export function mergedInOrder(
  facts: KindFacts,
  { by, type }: ListOrder,
  lists: readonly (readonly KubeObject[])[],
): readonly KubeObject[] {
  const keyOf = { create_time: createdAt, name: nameOf, status: (object: KubeObject) => facts.phaseInView(object) }[by];
  const sign = type === 'asc' ? 1 : -1;
  // The newest come first, and among those the first by name; the oldest in the reverse order.
  const byName = by === 'create_time' ? -sign : sign;
  return lists
    .flat()
    .map((object) => ({ object, key: keyOf(object), name: object.metadata.name }))
    .sort((a, b) => sign * compare(a.key, b.key) || byName * compare(a.name, b.name))
    .map(({ object }) => object);
}

const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
