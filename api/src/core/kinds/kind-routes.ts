// The kinds over HTTP: what a request says in the store's words, and the store's answers onto the wire. Reads are bytes that the
// store keeps; writes answer with the object and with the version that a later read may ask for.

import { CATALOGUE_ROUTES, MOUNT_ROUTES } from '@gantry/contract/areas/kinds/catalogue.ts';
import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { mayCall } from '../../platform/http/run-route.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import { shownRole } from '../../platform/http/shown-role.ts';
import { Prepared } from '../../platform/http/write-answer.ts';
import type { Prepared as Answer } from './kind-reads.ts';
import type { Batch, CommandBody, KindStore } from './kind-store.ts';
import type { RequestKey, Writer } from './kind-writes.ts';

type AnyCall = Omit<Call, 'params' | 'query' | 'body' | 'caller'> & { caller: Caller };

/** The market's view of the stock, in its order. Nobody signed in may be told less exactly. */
type Market = (
  specs: GpuSpecView[],
  language: Language,
  isSignedIn: boolean,
) => (GpuSpecView & { note: string | null })[];

/** By kind: throws what stands against making one, beyond what the store knows. */
export type Demands = Readonly<Record<string, (call: NewCall) => Promise<void>>>;
type NewCall = Pick<AnyCall, 'caller' | 'language'> & { body: Record<string, unknown> };

const WHOLE_MARKET: Market = (specs) => specs.map((spec) => ({ ...spec, note: null }));

export function kindRoutes(
  store: KindStore,
  {
    clock = systemClock,
    market = WHOLE_MARKET,
    demands = {},
  }: { clock?: Clock; market?: Market; demands?: Demands } = {},
): Served[] {
  const on = new KindHandlers(store, demands);
  return [
    ...Object.entries<Routes>(KIND_ROUTES).flatMap(([key, routes]) =>
      on.all((KINDS as AnyKinds)[key] as KindFacts, routes),
    ),
    serve(CATALOGUE_ROUTES.fitInstance, async (call) => store.fit(writerOf(call), call.body)),
    serve(CATALOGUE_ROUTES.fitJob, async (call) => store.fitJob(writerOf(call), call.body)),
    serve(CATALOGUE_ROUTES.fitService, async (call) => store.fitService(writerOf(call), call.body)),
    serve(CATALOGUE_ROUTES.previewSchedule, async ({ body }) => ({ next: store.previewSchedule(body, clock.now()) })),
    serve(CATALOGUE_ROUTES.recommendJob, async (call) => store.recommend(writerOf(call), call.body.image)),
    serve(CATALOGUE_ROUTES.recommendService, async (call) => store.recommend(writerOf(call), call.body.image)),
    serve(MOUNT_ROUTES.listMounts, async (call) => {
      await on.fresh(call, gpuInstance, gpuHost, dataDisk);
      const { page, size, disk, resource } = call.query;
      const found = store
        .mounts(call.caller.organization.namespace)
        .filter((one) => (disk ?? one.disk) === one.disk && (resource ?? one.resource) === one.resource);
      return { items: found.slice((page - 1) * size, page * size), total: found.length };
    }),
    serve(MOUNT_ROUTES.mountDisk, async (call) => {
      call.audit.object = `DataDisk/${call.body.disk}`;
      const { facts, object, view } = await store.mount(writerOf(call), call.body);
      sayVersion(call, facts, object);
      return view;
    }),
    serve(MOUNT_ROUTES.unmountDisk, async (call) => {
      call.audit.object = `DataDisk/${call.params.id}`;
      const { facts, object } = await store.unmount(writerOf(call), call.params.id);
      sayVersion(call, facts, object);
    }),
    serve(CATALOGUE_ROUTES.listRegions, ({ caller, language }) =>
      store.regions().map(({ isReached, ...region }) => ({
        ...region,
        gpus: isReached
          ? cardsOf(market(store.stockIn(region.region, caller.organization.namespace), language, true))
          : null,
      })),
    ),
    serve(CATALOGUE_ROUTES.listGpuSpecs, ({ caller, query, language }) =>
      market(store.stockIn(query.region, caller?.organization.namespace), language, caller !== undefined).filter(
        ({ gpu_type }) => (query.gpu_type ?? gpu_type) === gpu_type,
      ),
    ),
    serve(CATALOGUE_ROUTES.listHostTags, async (call) => {
      await on.fresh(call, gpuHost);
      const { search = '' } = call.query;
      return store
        .tags(call.caller.organization.namespace)
        .filter((tag) => tag.toLowerCase().includes(search.toLowerCase()));
    }),
  ];
}

/** The routes that every kind has. Their facts differ by the kind's schemas alone, which the frame has applied already. */
interface Reading {
  list: RouteFacts;
  read: RouteFacts;
  history: RouteFacts;
}
interface Writing {
  create: RouteFacts;
  change: RouteFacts;
  remove: RouteFacts;
  act: RouteFacts;
  batch: RouteFacts;
}
type Routes = Reading & Partial<Writing>;
type AnyKinds = Readonly<Record<string, KindFacts>>;

interface ListQuery {
  page: number;
  size: number;
  order_by: 'create_time' | 'name' | 'status';
  order_type: 'asc' | 'desc';
  search?: string;
  status?: string;
  org_id?: string;
}

interface Change {
  params: { id: string };
  query: { generation?: number };
  body: Record<string, unknown>;
}

class KindHandlers {
  readonly #store: KindStore;
  readonly #demands: Demands;

  constructor(store: KindStore, demands: Demands) {
    this.#store = store;
    this.#demands = demands;
  }

  all(facts: KindFacts, routes: Routes): Served[] {
    const { create, change, remove, act, batch } = routes;
    const isWritten = create && change && remove && act && batch;
    return [
      ...this.#reading(facts, routes),
      ...(isWritten ? this.#writing(facts, { create, change, remove, act, batch }) : []),
    ];
  }

  #reading(facts: KindFacts, routes: Reading): Served[] {
    return [
      served(routes.list, async (call: AnyCall & { query: ListQuery & Record<string, string | boolean> }) => {
        await this.fresh(call, facts);
        const { page, size, order_by, order_type, search, status, org_id: _, ...filters } = call.query;
        const asked = { page, size, order_by, order_type, search, status, filters };
        const { reads } = this.#store;
        const reader = writerOf(call);
        await reads.prepare(facts, reader, asked, call.req.headers['if-none-match']);
        return send(call, reads.page(facts, reader, asked));
      }),
      served(routes.read, async (call: AnyCall & { params: { id: string } }) => {
        await this.fresh(call, facts);
        return send(call, this.#store.reads.one(facts, writerOf(call), call.params.id));
      }),
      served(routes.history, async (call: AnyCall & { params: { id: string } }) => {
        await this.fresh(call, facts);
        return this.#store.reads.history(facts, writerOf(call), call.params.id);
      }),
    ];
  }

  #writing(facts: KindFacts, routes: Writing): Served[] {
    const store = this.#store;
    const named = (call: AnyCall, id: string) => {
      call.audit.object = `${facts.kind}/${id}`;
      return id;
    };
    return [
      served(routes.create, async (call: AnyCall & { body: Record<string, unknown> }) => {
        await this.#demands[facts.kind]?.(call);
        const object = await store.create(facts, writerOf(call), call.body, keyOf(call, routes.create));
        named(call, object.metadata.name);
        return this.#written(call, facts, object);
      }),
      served(routes.change, async (call: AnyCall & Change) => {
        demandAction(facts, 'edit', call);
        const { params, query, body } = call;
        const object = await store.change(facts, writerOf(call), named(call, params.id), body, query.generation);
        return this.#written(call, facts, object);
      }),
      served(routes.remove, async (call: AnyCall & { params: { id: string }; query: Record<string, unknown> }) => {
        demandAction(facts, 'release', call);
        const object = await store.remove(facts, writerOf(call), named(call, call.params.id), call.query);
        if (object) this.#sayVersion(call, facts, object);
      }),
      served(routes.act, async (call: AnyCall & { params: { id: string }; body: CommandBody }) => {
        const id = named(call, call.params.id);
        call.audit.reason = call.body.action;
        demandAction(facts, call.body.action, call);
        const object = await store.act(facts, writerOf(call), id, call.body, keyOf(call, routes.act));
        return this.#written(call, facts, object);
      }),
      served(routes.batch, async (call: AnyCall & { body: Batch }) => {
        const { action, ids } = call.body;
        call.audit.object = ids.map((id) => `${facts.kind}/${id}`).join(' ');
        call.audit.reason = action;
        demandAction(facts, action, call);
        const { answers, objects } = await store.batch(facts, writerOf(call), call.body, keyOf(call, routes.batch));
        this.#sayVersion(call, facts, ...objects);
        return answers;
      }),
    ];
  }

  /** Waits for the version that the caller knows, and says since when the following data may be stale. */
  async fresh(call: AnyCall, ...kinds: KindFacts[]): Promise<void> {
    const { req, res } = call;
    const { cache } = this.#store;
    if (!cache.synced) throw problem('unavailable', { seconds: 1 }, { retryAfterSeconds: 1 });
    const wanted = versionsIn(req.headers['x-gantry-version']);
    for (const facts of kinds) {
      const version = wanted.get(facts.plural);
      // A signal is made where it is asked for, and most reads wait for nothing.
      if (version !== undefined && !(await cache.waitFor(facts, version, call.signal)))
        throw problem('unavailable', { seconds: 1 }, { retryAfterSeconds: 1 });
      const since = this.#store.staleSince(facts);
      if (since === undefined) continue;
      res.setHeader('x-gantry-stale-since', new Date(since).toISOString());
      res.setHeader('warning', '110 - "Response is Stale"');
    }
  }

  /** States the versions of objects in our own cluster: those of other clusters count separately. */
  #sayVersion(call: AnyCall, facts: KindFacts, ...objects: KubeObject[]): void {
    sayVersion(call, facts, ...objects.filter((object) => this.#store.isHere(object)));
  }

  #written(call: AnyCall, facts: KindFacts, object: KubeObject): unknown {
    this.#sayVersion(call, facts, object);
    return this.#store.reads.view(facts, object, writerOf(call));
  }
}

const served = <C>(route: RouteFacts, handler: (call: C) => Promise<unknown>): Served => ({
  route,
  handler: (call) => handler(call as C),
});

/** The newest version written, which a later read may ask for. */
function sayVersion({ res }: Pick<AnyCall, 'res'>, { plural }: KindFacts, ...objects: KubeObject[]): void {
  const newest = Math.max(0, ...objects.map(({ metadata }) => Number(metadata.resourceVersion)));
  if (newest > 0) res.setHeader('x-gantry-version', `${plural}=${newest}`);
}

/** A body that the client has already is not made again. */
function send({ req, res }: AnyCall, { etag, body }: Answer): Prepared {
  res.appendHeader('vary', 'X-Token, Authorization, Accept-Language');
  const isKnown = req.headers['if-none-match'] === etag;
  return new Prepared(etag, isKnown ? NOTHING : body());
}

const cardsOf = (specs: readonly GpuSpecView[]) => ({
  free: specs.reduce((sum, { free }) => sum + free, 0),
  total: specs.reduce((sum, { total }) => sum + total, 0),
});

const NOTHING = Buffer.alloc(0);

const writerOf = ({ caller, language }: Pick<AnyCall, 'caller' | 'language'>): Writer => ({
  namespace: caller.organization.namespace,
  role: shownRole(caller),
  language,
  account: caller.account.id,
});

/** Besides its route's right, a command has its own, which its button uses. Throws permission_missing. */
function demandAction({ actions }: KindFacts, action: string, { caller }: AnyCall): void {
  const right = actions[action]?.right;
  if (right && !mayCall({ right }, caller)) throw problem('permission_missing');
}

const keyOf = ({ idempotencyKey }: AnyCall, { id }: RouteFacts): RequestKey => ({ route: id, key: idempotencyKey });

/** `gpuinstances=4711, datadisks=4712`: at most one of each kind. */
function versionsIn(header: string | string[] | undefined): ReadonlyMap<string, number> {
  if (header === undefined) return NONE;
  const field = 'X-Gantry-Version';
  const found = new Map<string, number>();
  for (const part of `${header}`.split(',').filter((text) => text.trim() !== '')) {
    const [, plural = '', version = ''] = /^\s*([a-z]+)=(\d{1,19})\s*$/.exec(part) ?? [];
    if (plural === '') throw problem('invalid_field', { field, rule: '<kind>=<version>' }, { field });
    found.set(plural, Number(version));
  }
  return found;
}

const NONE: ReadonlyMap<string, number> = new Map();
