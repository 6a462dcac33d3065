// Reading any kind out of the cache, as the bytes of the answer: each object is made into a view once per language and role, and
// kept until it changes. Another organisation's object is not there: it is never looked for outside of the caller's namespace.
import { createHash, randomUUID } from 'node:crypto';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { type ListOrder, ListOrders, nameOf } from './list-order.ts';
import { NO_PRICING, type Pricing } from './pricing.ts';
import { cardsHeld, hostRoom } from './stock.ts';
import { type Beside, holderKey, type Region, toView, type Viewer } from './to-view.ts';
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

/** A whole answer, ready to be sent; its body is made when it is asked for, since a 304 has none. */
export interface Prepared {
  etag: string;
  body(): Buffer;
}

const COMMA = Buffer.from(',');

export class KindReads {
  readonly #cache: WatchCache;
  readonly #region: Region;
  readonly #orders: ListOrders;
  /** Generations count within one process, and another build may show the same object otherwise: no other process's tags match. */
  readonly #process = randomUUID().slice(0, 8);
  /** Caches never change an object: they replace it, and its bytes go with it. */
  #made = new WeakMap<KubeObject, Map<string, Buffer>>();
  #pricing: Pricing = NO_PRICING;
  /** What the bytes were made by. */
  #pricedAt = 0;
  readonly #whole = new WeakMap<Buffer, Buffer>();

  constructor(cache: WatchCache, region: Region) {
    this.#cache = cache;
    this.#region = region;
    this.#orders = new ListOrders(cache);
  }

  priceBy(pricing: Pricing): void {
    this.#pricing = pricing;
  }

  /** The object itself; of images also the platform's official ones. Throws not_found. */
  find<T extends KubeObject>(facts: KindFacts, namespace: string, id: string): T {
    const own = this.#cache.get<T>(facts, namespace, id);
    if (own) return own;
    const official = facts.kind === image.kind ? this.#cache.get<T>(facts, PLATFORM_NAMESPACE, id) : undefined;
    if (official && (official as unknown as Image).spec.official) return official;
    throw problem('not_found', { what: id });
  }

  view(facts: KindFacts, object: KubeObject, viewer: Viewer): Record<string, unknown> {
    const price = this.#pricing.of(facts, object);
    const priceAfter = (action: string) => {
      const does = facts.actions[action]?.does;
      if (typeof does !== 'function') return null;
      const { spec } = object as KubeObject & { spec?: object };
      return this.#pricing.of(facts, { ...object, spec: { ...spec, ...does(object).spec } } as KubeObject);
    };
    const beside = { region: this.#region, price, priceAfter, ...this.#others(facts, object) };
    return toView(facts, object, viewer, beside) as Record<string, unknown>;
  }

  /** Of a host also when an instance takes cards of it or gives them back, of a disk when who has it is called otherwise. */
  on(listener: (change: KindChange) => void): () => void {
    return this.#cache.on((change) => {
      listener(change);
      const { namespace } = change;
      const showAgain = (kind: KindFacts, object: KubeObject) =>
        listener({ kind, name: object.metadata.name, ...(namespace && { namespace }), before: object, after: object });
      for (const name of hostsTouched(change)) {
        const host = this.#cache.get<GpuHost>(gpuHost, namespace, name);
        if (host) showAgain(gpuHost, host);
      }
      if (namespace === undefined || !isRenamed(change)) return;
      for (const disk of this.#cache.list<DataDisk>(dataDisk, namespace))
        if (holdersOf(disk).some(({ kind, name }) => kind === change.kind.kind && name === change.name))
          showAgain(dataDisk, disk);
    });
  }

  one(facts: KindFacts, reader: Reader, id: string): Prepared {
    const object = this.find(facts, reader.namespace, id);
    const json = this.#bytes(facts, object, reader);
    const { uid, resourceVersion } = object.metadata;
    return {
      etag: `"${this.#process}-${uid}-${resourceVersion}-${this.#pricing.version()}-${viewKey(reader, this.#others(facts, object))}"`,
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

  page(facts: KindFacts, reader: Reader, asked: ListAsked): Prepared {
    const seen = this.#placesOf(facts, reader.namespace).map(([kind, place]) => this.#cache.generation(kind, place));
    const question = createHash('sha256')
      .update(JSON.stringify([facts.kind, reader.namespace, asked]))
      .digest('base64url');
    return {
      etag: `"${this.#process}-${seen.join('.')}-${this.#pricing.version()}-${viewKey(reader)}-${question.slice(0, 16)}"`,
      body: () => {
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
      },
    };
  }

  /** Everything that a list of this kind depends on. */
  #placesOf(facts: KindFacts, namespace: string): [KindFacts, string][] {
    const others: Record<string, [KindFacts, string][]> = {
      [image.kind]: [[image, PLATFORM_NAMESPACE]],
      [gpuHost.kind]: [[gpuInstance, namespace]],
      [dataDisk.kind]: HOLDERS.map((kind) => [kind, namespace]),
    };
    return [[facts, namespace], ...(others[facts.kind] ?? [])];
  }

  #select(facts: KindFacts, reader: Reader, asked: ListAsked): { page: readonly KubeObject[]; total: number } {
    const { page, size, order_by: by, order_type: type, search, status, filters } = asked;
    const from = (page - 1) * size;
    const wanted = Object.entries(filters).filter(([, value]) => value !== undefined);
    const isPlain = search === undefined && status === undefined && wanted.length === 0;
    const hasOfficial = facts.kind === image.kind;
    if (isPlain && !hasOfficial && by === 'create_time' && type === 'desc')
      return this.#orders.newest(facts, reader.namespace, from, size);
    const own = this.#orders.of(facts, reader.namespace, { by, type });
    const official = hasOfficial
      ? this.#orders.of(facts, PLATFORM_NAMESPACE, { by, type }).filter((object) => (object as Image).spec.official)
      : [];
    const all = official.length > 0 ? [...own, ...official] : own;
    const found = isPlain
      ? all
      : all.filter(
          (object) =>
            (search === undefined || contains(nameOf(object), search) || contains(object.metadata.name, search)) &&
            (status === undefined || this.#hasStatus(facts, object, reader, status)) &&
            (wanted.length === 0 || this.#hasAll(this.view(facts, object, reader), wanted)),
        );
    return { page: found.slice(from, from + size), total: found.length };
  }

  /** By its phase, or by the word that its view has for it. */
  #hasStatus(facts: KindFacts, object: KubeObject, reader: Reader, status: string): boolean {
    if (facts.phaseInView(object) === status) return true;
    if (facts.kind === gpuInstance.kind) return false;
    const view = this.view(facts, object, reader);
    return view.status === status || view.instance_status === status;
  }

  #hasAll(view: Record<string, unknown>, wanted: [field: string, value: unknown][]): boolean {
    return wanted.every(([field, value]) => matches(view[FILTERED[field] ?? field], value));
  }

  #bytes(facts: KindFacts, object: KubeObject, viewer: Viewer): Buffer {
    const key = viewKey(viewer, this.#others(facts, object));
    const priced = this.#pricing.version();
    if (priced !== this.#pricedAt) {
      this.#made = new WeakMap();
      this.#pricedAt = priced;
    }
    let made = this.#made.get(object);
    if (!made) {
      made = new Map();
      this.#made.set(object, made);
    }
    const known = made.get(key);
    if (known) return known;
    const bytes = Buffer.from(JSON.stringify(this.view(facts, object, viewer)));
    made.set(key, bytes);
    return bytes;
  }

  /** What its view shows of other objects, and changes with them: of a host its instances, of a disk who has it. */
  #others(facts: KindFacts, object: KubeObject): Others {
    const { namespace = '', name } = object.metadata;
    if (facts.kind === gpuHost.kind) {
      const instances = this.#cache.by<GpuInstance>(gpuInstance, 'host', `${namespace}/${name}`);
      return { freeGpus: hostRoom(object as Parameters<typeof hostRoom>[0], instances).free };
    }
    if (facts.kind !== dataDisk.kind) return {};
    const names = holdersOf(object as DataDisk).flatMap((holder): [string, string][] => {
      const kind = HOLDERS.find((one) => one.kind === holder.kind);
      const found = kind && this.#cache.get(kind, namespace, holder.name);
      return found ? [[holderKey(holder), nameOf(found)]] : [];
    });
    return { holderNames: new Map(names) };
  }
}

type Others = Pick<Beside, 'freeGpus' | 'holderNames'>;

/** What can have a disk. */
const HOLDERS: readonly KindFacts[] = [gpuInstance, gpuHost];
const holdersOf = ({ status }: DataDisk) => status?.mountedBy ?? [];

const isRenamed = ({ kind, before, after }: KindChange): boolean =>
  HOLDERS.includes(kind) && before !== undefined && after !== undefined && nameOf(before) !== nameOf(after);

/** Hosts of which an instance holds more or fewer cards than before. */
function hostsTouched({ kind, before, after }: KindChange): string[] {
  if (kind.kind !== gpuInstance.kind) return [];
  const [was, is] = [before, after].map((object) => {
    const instance = object as GpuInstance | undefined;
    return { host: instance?.spec.host, cards: instance ? cardsHeld(instance) : 0 };
  });
  if (was?.host === is?.host && was?.cards === is?.cards) return [];
  return [...new Set([was, is].flatMap((one) => (one?.host !== undefined && one.cards > 0 ? [one.host] : [])))];
}

const FILTERED: Readonly<Record<string, string>> = { tag: 'tags' };
const viewKey = ({ language, role }: Viewer, { freeGpus, holderNames }: Others = {}): string =>
  [
    language,
    role,
    ...(freeGpus === undefined ? [] : [freeGpus]),
    ...(holderNames?.size ? [shortOf(holderNames)] : []),
  ].join('.');
/** A header takes no names in other alphabets. */
const shortOf = (names: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([...names]))
    .digest('base64url')
    .slice(0, 16);
const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const matches = (has: unknown, wanted: unknown): boolean =>
  Array.isArray(has) ? has.includes(wanted) : has === wanted;
