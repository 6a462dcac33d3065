// Reads any kind from the cache, as the bytes of the answer: each object becomes a view once per language and role, which is kept
// until it changes. Another organisation's object does not exist: only the caller's namespace is searched.
import { createHash, randomUUID } from 'node:crypto';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { StateView } from '@gantry/contract/kind-api.ts';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { KeptBodies } from './kept-bodies.ts';
import { HOOKS, hooksOf } from './kinds/hooks.ts';
import { type ListOrder, ListOrders, nameOf } from './list-order.ts';
import { NO_PRICING, type Pricing } from './pricing.ts';
import { historyOf, type Region, toView, type Viewer } from './to-view.ts';
import type { KindChange, WatchCache } from './watch-cache.ts';

/** Whose objects are read, and for whom. */
export interface Reader extends Viewer {
  namespace: string;
}

export interface ListAsked {
  page: number;
  size: number;
  order_by: ListOrder['by'];
  order_type: ListOrder['type'];
  search?: string | undefined;
  status?: string | undefined;
  /** Fields of the view that must be equal, or for lists hold the value. */
  filters: Readonly<Record<string, string | boolean | undefined>>;
}

/** A complete answer, ready to send; its body is made on demand, because a 304 has none. */
export interface Prepared {
  etag: string;
  body(): Buffer;
}

const COMMA = Buffer.from(',');

export class KindReads {
  readonly #cache: WatchCache;
  readonly #region: Region;
  readonly #orders: ListOrders;
  /**
   * Generations count within one process, and another build may render the same object differently: tags of other processes never
   * match.
   */
  readonly #process = randomUUID().slice(0, 8);
  /** Caches never change an object: they replace it, and its bytes go with it. */
  #made = new WeakMap<KubeObject, Map<string, { readonly beside: string; readonly bytes: Buffer }>>();
  #pricing: Pricing = NO_PRICING;
  /** The inputs that the bytes were made from. */
  #pricedAt = 0;
  readonly #whole = new WeakMap<Buffer, Buffer>();
  readonly #pages = new KeptBodies();

  constructor(cache: WatchCache, region: Region) {
    this.#cache = cache;
    this.#region = region;
    this.#orders = new ListOrders(cache);
  }

  priceBy(pricing: Pricing): void {
    this.#pricing = pricing;
  }

  /** The object itself, or one that the platform offers to everybody. Throws not_found. */
  find<T extends KubeObject>(facts: KindFacts, namespace: string, id: string): T {
    const own = this.#cache.get<T>(facts, namespace, id);
    if (own) return own;
    const { isOffered } = hooksOf(facts);
    const offered = isOffered && this.#cache.get<T>(facts, PLATFORM_NAMESPACE, id);
    if (offered && isOffered(offered)) return offered;
    throw problem('not_found', { what: id });
  }

  view(
    facts: KindFacts,
    object: KubeObject,
    viewer: Viewer,
    { related }: BesideIt = this.#beside(facts, object),
  ): Record<string, unknown> {
    const price = this.#pricing.shown(facts, object);
    const priceAfter = (action: string) => {
      const does = facts.actions[action]?.does;
      if (typeof does !== 'function') return null;
      const { spec } = object as KubeObject & { spec?: object };
      return this.#pricing.of(facts, { ...object, spec: { ...spec, ...does(object).spec } } as KubeObject);
    };
    const beside = { region: this.#region, price, priceAfter, related };
    return toView(facts, object, viewer, beside) as Record<string, unknown>;
  }

  /** Also reports objects whose views change with another object. */
  on(listener: (change: KindChange) => void): () => void {
    return this.#cache.on((change) => {
      listener(change);
      for (const [kind, { touchedBy }] of HOOKS) {
        for (const object of touchedBy?.(this.#cache, change) ?? []) {
          const { name, namespace } = object.metadata;
          listener({ kind, name, ...(namespace && { namespace }), before: object, after: object });
        }
      }
    });
  }

  one(facts: KindFacts, reader: Reader, id: string): Prepared {
    const object = this.find(facts, reader.namespace, id);
    const beside = this.#beside(facts, object);
    const json = this.#bytes(facts, object, reader, beside);
    const { uid, resourceVersion } = object.metadata;
    return {
      etag: `"${this.#process}-${uid}-${resourceVersion}-${this.#pricing.version()}-${viewKey(reader, beside.key)}"`,
      body: () => {
        let whole = this.#whole.get(json);
        if (!whole) {
          whole = Buffer.concat([Buffer.from('{"code":0,"message":"ok","result":'), json, Buffer.from('}')]);
          this.#whole.set(json, whole);
        }
        return whole;
      },
    };
  }

  history(facts: KindFacts, { namespace, ...viewer }: Reader, id: string): StateView[] {
    return historyOf(facts, this.find(facts, namespace, id), viewer);
  }

  page(facts: KindFacts, reader: Reader, asked: ListAsked): Prepared {
    const seen = this.#placesOf(facts, reader.namespace).map(([kind, place]) => this.#cache.generation(kind, place));
    const question = createHash('sha256')
      .update(JSON.stringify([facts.kind, reader.namespace, asked]))
      .digest('base64url');
    const etag = `"${this.#process}-${seen.join('.')}-${this.#pricing.version()}-${viewKey(reader)}-${question.slice(0, 16)}"`;
    return { etag, body: () => this.#pages.of(`${etag} ${question}`, () => this.#pageBody(facts, reader, asked)) };
  }

  #pageBody(facts: KindFacts, reader: Reader, asked: ListAsked): Buffer {
    const { page, total } = this.#select(facts, reader, asked);
    const paginated = {
      page: asked.page,
      size: asked.size,
      total_num: total,
      total_page: Math.ceil(total / asked.size),
      num: page.length,
      extra: {},
    };
    const items = page.flatMap((object, at) => {
      const bytes = this.#bytes(facts, object, reader);
      return at === 0 ? bytes : [COMMA, bytes];
    });
    return Buffer.concat([
      Buffer.from('{"code":0,"message":"ok","data":['),
      ...items,
      Buffer.from(`],"paginated":${JSON.stringify(paginated)}}`),
    ]);
  }

  /** Everything that a list of this kind depends on. */
  #placesOf(facts: KindFacts, namespace: string): [KindFacts, string][] {
    const { isOffered, shows = [] } = hooksOf(facts);
    return [
      [facts, namespace],
      ...(isOffered ? [[facts, PLATFORM_NAMESPACE] satisfies [KindFacts, string]] : []),
      ...shows.map((kind): [KindFacts, string] => [kind, namespace]),
    ];
  }

  #select(facts: KindFacts, reader: Reader, asked: ListAsked): { page: readonly KubeObject[]; total: number } {
    const { page, size, order_by: by, order_type: type, search, status, filters } = asked;
    const from = (page - 1) * size;
    const wanted = Object.entries(filters).filter(([, value]) => value !== undefined);
    const isPlain = search === undefined && status === undefined && wanted.length === 0;
    const { isOffered } = hooksOf(facts);
    if (isPlain && !isOffered && by === 'create_time' && type === 'desc')
      return this.#orders.newest(facts, reader.namespace, from, size);
    const own = this.#orders.of(facts, reader.namespace, { by, type });
    const offered = isOffered ? this.#orders.of(facts, PLATFORM_NAMESPACE, { by, type }).filter(isOffered) : [];
    const all = offered.length > 0 ? [...own, ...offered] : own;
    const found = isPlain
      ? all
      : all.filter(
          (object) =>
            (search === undefined || contains(nameOf(object), search) || contains(object.metadata.name, search)) &&
            (status === undefined || hasStatus(facts, object, status)) &&
            (wanted.length === 0 || this.#hasAll(this.view(facts, object, reader), wanted)),
        );
    return { page: found.slice(from, from + size), total: found.length };
  }

  #hasAll(view: Record<string, unknown>, wanted: [field: string, value: unknown][]): boolean {
    return wanted.every(([field, value]) => matches(view[field] ?? view[`${field}s`], value));
  }

  #bytes(facts: KindFacts, object: KubeObject, viewer: Viewer, beside = this.#beside(facts, object)): Buffer {
    const priced = this.#pricing.version();
    if (priced !== this.#pricedAt) {
      this.#made = new WeakMap();
      this.#pricedAt = priced;
    }
    const made = this.#made.get(object) ?? new Map();
    this.#made.set(object, made);
    // One for each viewer, not for each state of other objects: a tenant can go through any number of those.
    const key = viewKey(viewer);
    const known = made.get(key);
    if (known?.beside === beside.key) return known.bytes;
    const bytes = Buffer.from(JSON.stringify(this.view(facts, object, viewer, beside)));
    made.set(key, { beside: beside.key, bytes });
    return bytes;
  }

  /** The parts of its view that depend on other objects, and change with them. */
  #beside(facts: KindFacts, object: KubeObject): BesideIt {
    return hooksOf(facts).related?.(this.#cache, object) ?? ALONE;
  }
}

interface BesideIt {
  readonly related: object;
  readonly key: string;
}

const ALONE: BesideIt = { related: {}, key: '' };

/** By its phase, or by a word that its view has for it. */
const hasStatus = (facts: KindFacts, object: KubeObject, status: string): boolean => {
  const phase = facts.phaseInView(object);
  return phase === status || (facts.api?.statusesOf?.(phase, object).includes(status) ?? false);
};
const viewKey = ({ language, role }: Viewer, beside = ''): string =>
  beside === '' ? `${language}.${role}` : `${language}.${role}.${beside}`;
const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const matches = (has: unknown, wanted: unknown): boolean =>
  Array.isArray(has) ? has.includes(wanted) : has === wanted;
