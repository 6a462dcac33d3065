// Reads any kind from the cache, as the bytes of the answer: each object becomes a view once per language and role, which is kept
// until it changes. Another organisation's object does not exist: only the caller's namespace is searched.
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { CommonView, StateView } from '@gantry/contract/kind-api.ts';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { KeptBodies } from '../../platform/kube/kept-bodies.ts';
import { type ListOrder, ListOrders, mergedInOrder, nameOf } from '../../platform/kube/list-order.ts';
import type { KindChange, WatchCache } from '../../platform/kube/watch-cache.ts';
import { HOOKS, hooksOf } from './kinds/hooks.ts';
import { isPlaced } from './placed.ts';
import { NO_PRICING, type Pricing } from './pricing.ts';
import { historyOf, type Region, toView, type Viewer } from './to-view.ts';

/** The namespace whose objects are read, and the reader. */
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

/** Another cluster's, and whether the organisation of a namespace there is the one that has it here. */
interface OtherReads {
  reads: KindReads;
  isOurs(namespace: string): boolean;
}

/** A complete answer, ready to send; its body is made on demand, because a 304 has none. */
export interface Prepared {
  etag: string;
  body(): Buffer;
}

const COMMA = Buffer.from(',');
/** The bytes of a page made at once. */
const MOST_AT_ONCE = 256 * 1024;

export class KindReads {
  readonly #cache: WatchCache;
  readonly #region: Region;
  readonly #pool: PoolRules;
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
  #others: readonly OtherReads[] = [];
  /** Read by the store of another cluster. */
  #isPlace = false;

  constructor(cache: WatchCache, region: Region, pool: PoolRules) {
    this.#pool = pool;
    this.#cache = cache;
    this.#region = region;
    this.#orders = new ListOrders(cache);
  }

  priceBy(pricing: Pricing): void {
    this.#pricing = pricing;
  }

  /** From now on what other clusters hold is read with ours. Before anybody follows changes. */
  showAlso(others: readonly OtherReads[]): void {
    this.#others = others;
    for (const { reads } of others) reads.#isPlace = true;
  }

  /** The reads of the cluster that has it; these if none does. Throws unavailable while one that may have it was never seen. */
  holder(kind: { kind: string }, namespace: string, id: string): KindReads {
    if (this.#others.length === 0 || !isPlaced(kind) || this.#cache.get(kind, namespace, id)) return this;
    const found = this.#others.find(({ reads, isOurs }) => reads.#cache.get(kind, namespace, id) && isOurs(namespace));
    if (!found && this.#others.some(({ reads }) => !reads.#cache.synced))
      throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    return found?.reads ?? this;
  }

  /** Throws placed_elsewhere for an object of another cluster: what only its state is known of. */
  mustBeHere(kind: { kind: string }, namespace: string, id: string): void {
    const holder = this.holder(kind, namespace, id);
    if (holder !== this) throw problem('placed_elsewhere', { what: id, region: holder.#region.label });
  }

  /** The object itself, or one that the platform offers to everybody. Throws not_found, placed_elsewhere. */
  find<T extends KubeObject>(facts: KindFacts, namespace: string, id: string): T {
    const own = this.#cache.get<T>(facts, namespace, id);
    if (own) return own;
    this.mustBeHere(facts, namespace, id);
    const { isOffered } = hooksOf(facts);
    const offered = isOffered && this.#cache.get<T>(facts, PLATFORM_NAMESPACE, id);
    if (offered && isOffered(offered)) return offered;
    throw problem('not_found', { what: id });
  }

  view(facts: KindFacts, object: KubeObject, viewer: Viewer, beside?: BesideIt): Record<string, unknown> {
    const holder = this.#holderOf(facts, object);
    if (holder !== this) return holder.view(facts, object, viewer, beside);
    const { related } = beside ?? this.#beside(facts, object);
    const price = this.#pricing.shown(facts, object, this.#region.id);
    const priceAfter = (action: string) => {
      const does = facts.actions[action]?.does;
      if (typeof does !== 'function') return null;
      const { spec } = object as KubeObject & { spec?: object };
      const after = { ...object, spec: { ...spec, ...does(object).spec } } as KubeObject;
      return this.#pricing.of(facts, after, this.#region.id);
    };
    const view = toView(facts, object, viewer, { region: this.#region, price, priceAfter, related }) as View;
    return this.#isPlace ? withoutMaking(facts, view) : view;
  }

  /** Also reports objects whose views change with another object. */
  on(listener: (change: KindChange) => void): () => void {
    const elsewhere = this.#others.map(({ reads, isOurs }) =>
      reads.on((change) => {
        if (isPlaced(change.kind) && isOurs(change.namespace ?? '')) listener(change);
      }),
    );
    const off = [this.#onOwn(listener), ...elsewhere];
    return () => {
      for (const each of off) each();
    };
  }

  #onOwn(listener: (change: KindChange) => void): () => void {
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
    const holder = this.holder(facts, reader.namespace, id);
    return holder === this ? this.#one(facts, reader, id) : holder.one(facts, reader, id);
  }

  #one(facts: KindFacts, reader: Reader, id: string): Prepared {
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
    return historyOf(facts, this.holder(facts, namespace, id).find(facts, namespace, id), viewer);
  }

  /**
   * Makes the elements of a page that is not kept, and others have their turn in between: an object may have a megabyte. `known`: the
   * tag of what its reader has.
   */
  async prepare(facts: KindFacts, reader: Reader, asked: ListAsked, known?: string): Promise<void> {
    const { etag, key } = this.#tagOf(facts, reader, asked);
    if (etag === known || this.#pages.has(key)) return;
    let made = 0;
    for (const object of this.#select(facts, reader, asked).page) {
      made += this.#holderOf(facts, object).#bytes(facts, object, reader).length;
      if (made < MOST_AT_ONCE) continue;
      made = 0;
      await setImmediate();
    }
  }

  page(facts: KindFacts, reader: Reader, asked: ListAsked): Prepared {
    const { etag, key } = this.#tagOf(facts, reader, asked);
    return { etag, body: () => this.#pages.of(key, () => this.#pageBody(facts, reader, asked)) };
  }

  #tagOf(facts: KindFacts, reader: Reader, asked: ListAsked): { etag: string; key: string } {
    const also = this.#alsoIn(facts, reader.namespace);
    const seen = [this, ...also].flatMap((reads) => reads.#generations(facts, reader.namespace));
    const question = createHash('sha256')
      .update(JSON.stringify([facts.kind, reader.namespace, asked, ...also.map((reads) => reads.#region.id)]))
      .digest('base64url');
    const etag = `"${this.#process}-${seen.join('.')}-${this.#pricing.version()}-${viewKey(reader)}-${question.slice(0, 16)}"`;
    return { etag, key: `${etag} ${question}` };
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
      const bytes = this.#holderOf(facts, object).#bytes(facts, object, reader);
      return at === 0 ? bytes : [COMMA, bytes];
    });
    return Buffer.concat([
      Buffer.from('{"code":0,"message":"ok","data":['),
      ...items,
      Buffer.from(`],"paginated":${JSON.stringify(paginated)}}`),
    ]);
  }

  /** Other clusters that have some of this kind. */
  #alsoIn(facts: KindFacts, namespace: string): readonly KindReads[] {
    if (this.#others.length === 0 || !isPlaced(facts)) return NOWHERE;
    return this.#others
      .filter(({ reads, isOurs }) => reads.#cache.list(facts, namespace).length > 0 && isOurs(namespace))
      .map(({ reads }) => reads);
  }

  #holderOf(facts: KindFacts, { metadata: { namespace, name, uid } }: KubeObject): KindReads {
    if (this.#others.length === 0 || !isPlaced(facts)) return this;
    const found = this.#others.find(({ reads }) => reads.#cache.get(facts, namespace, name)?.metadata.uid === uid);
    return found?.reads ?? this;
  }

  #generations(facts: KindFacts, namespace: string): number[] {
    return this.#placesOf(facts, namespace).map(([kind, place]) => this.#cache.generation(kind, place));
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
    const also = this.#alsoIn(facts, reader.namespace);
    if (isPlain && !isOffered && by === 'create_time' && type === 'desc' && also.length === 0)
      return this.#orders.newest(facts, reader.namespace, from, size);
    const lists = [this, ...also].map((reads) => reads.#orders.of(facts, reader.namespace, { by, type }));
    const own = lists.length === 1 ? (lists[0] ?? []) : mergedInOrder(facts, { by, type }, lists);
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
    return hooksOf(facts).related?.(this.#cache, object, this.#pool) ?? ALONE;
  }
}

type View = Pick<CommonView, 'actions'> & Record<string, unknown>;

/** The object that a command makes would be there, too, and nothing shows it there. */
const withoutMaking = (facts: KindFacts, view: View): View => ({
  ...view,
  actions: view.actions.filter(({ action }) => facts.actions[action]?.does !== 'create'),
});

const NOWHERE: readonly KindReads[] = [];
/** When to ask again for a cluster that was never seen. */
const AGAIN_S = 30;

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
