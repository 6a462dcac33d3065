// The gateway's operations on kinds: reads, writes and related questions, each for a member of one organisation.

import type {
  FitView,
  GpuSpecView,
  MountView,
  RecommendationView,
  WorkloadFitView,
} from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { API_VERSION, type CostFacts, canDo, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { type Micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { nextTimes, type Recurrence } from '@gantry/contract/fields/schedule.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { Problem, type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { WITHOUT_GPU } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { TASKS } from '@gantry/contract/kinds/tasks.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { localized } from '@gantry/contract/localized.ts';
import { isVariablesOf, LABEL, organizationNamespace, organizationOf } from '@gantry/contract/names.ts';
import { FIT_WORDS } from '@gantry/contract/size-words.ts';
import { isAmbiguous } from '@gantry/kube/api-error.ts';
import { type Placing, POOL_RULES, type PoolRules, placingOf } from '@gantry/kube/placement.ts';
import { problemOf } from '../../platform/kube/refusals.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { checkFree, hostNamed } from './checks.ts';
import { Everywhere } from './everywhere.ts';
import { type CardKeeping, type HeldCards, withoutHeld } from './held-rooms.ts';
import { KindReads } from './kind-reads.ts';
import { type ChangeNotes, KindWrites, type KindWritesParts, type RequestKey, type Writer } from './kind-writes.ts';
import { hooksOf, type Options, type Spec, type Write } from './kinds/hooks.ts';
import { checkRecurrence } from './kinds/workload-checks.ts';
import { isPlaced } from './placed.ts';
import { NO_PRICING, type PricedKind, type Pricing } from './pricing.ts';
import { recommend } from './recommendation.ts';
import {
  checkVariables,
  firstSecret,
  nextSecret,
  type Reference,
  type SecretVariables,
  type Variable,
  withVariables,
} from './secret-variables.ts';
import { gpuQuota, gpuSpecs, offerTo, type Room, roomFor, roomsOf, type Wish } from './stock.ts';
import type { Region } from './to-view.ts';
import { type ManyWish, placeAmong, roomForMany } from './workload-fit.ts';

export interface KindStoreParts {
  cache: WatchCache;
  client: KindWritesParts['client'];
  region: Region;
  pool?: PoolRules;
  /** Absent: bodies have no secret variables. */
  variables?: SecretVariables;
}

/** A command with its options. */
export type CommandBody = Options & { action: string };

/** One command for many. `confirm`: those that the person said once more. */
export interface Batch {
  action: string;
  ids: readonly string[];
  confirm?: readonly string[] | undefined;
}

export interface BatchAnswer {
  id: string;
  code: number;
  error: ProblemCode | null;
  message: string;
}

/** The host or the instance that a mount changed. */
export interface Mounted {
  facts: KindFacts;
  object: KubeObject;
  view: MountView;
}

/** Another cluster in which objects of ours may be made. */
export interface Place {
  store: KindStore;
  /** Resolves once the organisation of this namespace is there. Throws region_name_taken, organization_not_ready, unavailable. */
  admit(namespace: string): Promise<void>;
  /** Whether the organisation of a namespace there is ours. */
  isOurs(namespace: string): boolean;
  /** Since when it is followed. */
  since: number;
}

/** Throws the problem with its numbers if it costs more than may be spent. `before`: its current state. */
export type AskMoney = (
  writer: { namespace: string; account: string },
  wished: { facts: KindFacts & { cost: CostFacts }; object: KubeObject; before?: KubeObject; region: string },
) => Promise<void>;

interface JobWish {
  host?: string | undefined;
  workers: number;
  priority: Task['spec']['priority'];
}
interface ServiceWish {
  host?: string | undefined;
  replicas: number;
}

type InstanceSpec = GpuInstance['spec'];

const isCurrent = ({ cache }: KindStore): boolean => cache.synced && cache.staleSince() === undefined;

/** When to ask again for a cluster that is out of reach. */
const AGAIN_S = 30;
/** No organisation's: Kubernetes refuses a name that ends so. */
const NOBODYS = 'org-';

function mustBeReached(store: KindStore): void {
  if (!isCurrent(store)) throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
}

/** Times of a schedule. */
const PREVIEWED = 5;

export class KindStore {
  readonly cache: WatchCache;
  readonly region: Region;
  /** How the operator of the cluster places Pods. */
  readonly pool: PoolRules;
  readonly reads: KindReads;
  /** For staff. */
  everywhere: Everywhere;
  readonly #writes: KindWrites;
  #pricing: Pricing = NO_PRICING;
  #askMoney: AskMoney | undefined;
  #holds: CardKeeping | undefined;
  readonly #variables: SecretVariables | undefined;
  #others: readonly KindStore[] = [];
  #places: readonly Place[] = [];

  constructor({ cache, client, region, pool = POOL_RULES, variables }: KindStoreParts) {
    this.#variables = variables;
    this.pool = pool;
    this.cache = cache;
    this.region = region;
    this.reads = new KindReads(cache, region, pool);
    this.everywhere = new Everywhere(this);
    this.#writes = new KindWrites({ cache, reads: this.reads, client });
  }

  /** From now on views have prices. */
  priceBy(pricing: Pricing): void {
    this.#pricing = pricing;
    this.reads.priceBy(pricing);
    for (const { store } of this.#places) store.priceBy(pricing);
  }

  /** For staff, wherever the object is; null if it costs nothing. */
  priceOf(facts: PricedKind, object: KubeObject): PriceView | null {
    return this.#pricing.shown(facts, object, this.everywhere.placeOf(object).id);
  }

  /** From now on every change that costs money is checked before it is written. */
  payBy(ask: AskMoney): void {
    this.#askMoney = ask;
    this.#writes.bill();
    for (const { store } of this.#places) store.payBy(ask);
  }

  /** From now on cards may be kept for somebody: they are free to nobody else, and each new instance takes its own. */
  holdBy(holds: CardKeeping): void {
    this.#holds = holds;
    for (const store of new Set([...this.#others, ...this.#places.map((place) => place.store)])) store.holdBy(holds);
  }

  /** From now on every patch of an object of this cluster is noted before it is answered. */
  noteChangesBy(notes: ChangeNotes): void {
    this.#writes.noteChangesBy(notes);
  }

  /** From now on the regions and the stock of other clusters are shown, too. */
  showAlso(others: readonly KindStore[]): void {
    this.#others = others;
  }

  /** From now on objects may be made in these clusters, are read there with ours, and commanded there. */
  placeIn(places: readonly Place[]): void {
    this.#places = places;
    this.everywhere = new Everywhere(
      this,
      places.map(({ store: { cache, region }, isOurs }) => ({ cache, region, isOurs })),
    );
    this.reads.showAlso(places.map(({ store, isOurs }) => ({ reads: store.reads, isOurs })));
  }

  /** One of our own cluster. Throws placed_elsewhere for one of another: nothing but its state is known here. */
  findHere(kind: { kind: string }, namespace: string, id: string): KubeObject | undefined {
    const own = this.cache.get(kind, namespace, id);
    if (!own) this.reads.mustBeHere(kind, namespace, id);
    return own;
  }

  /** By the label that each cluster's client gives to what it makes: it may be gone by now. */
  isHere({ metadata: { labels } }: KubeObject): boolean {
    return !this.#places.some(({ store }) => store.region.id === labels?.[LABEL.region]);
  }

  /** Since when what is read of this kind may be stale, anywhere. */
  staleSince(facts: KindFacts): number | undefined {
    const own = this.cache.staleSince(facts);
    if (this.#places.length === 0 || !isPlaced(facts)) return own;
    const away = this.#places.map(({ store: { cache }, since }) => (cache.synced ? cache.staleSince(facts) : since));
    const all = [own, ...away].filter((since) => since !== undefined);
    return all.length > 0 ? Math.min(...all) : undefined;
  }

  /** The store of the cluster that has it; this one if none does. Throws unavailable while one that may have it was never seen. */
  holder(kind: { kind: string }, namespace: string, id: string): KindStore {
    const reads = this.reads.holder(kind, namespace, id);
    return this.#places.find(({ store }) => store.reads === reads)?.store ?? this;
  }

  async create(facts: KindFacts, writer: Writer, wished: Spec, request: RequestKey): Promise<KubeObject> {
    const { region = this.region.id, ...body } = isPlaced(facts) ? wished : { ...wished, region: undefined };
    const place = this.#placeAt(`${region}`);
    if (isPlaced(facts)) this.#mustBeFirstIn(place, facts, writer, request);
    if (place) {
      await place.admit(writer.namespace);
      return place.store.create(facts, writer, body, keyThere(place, request));
    }
    const { spec, variables, hold } = parted(body);
    this.#check(facts, writer, 'create', spec);
    // A repetition under its key finds the object, its reservation and its cards too.
    if (this.#writes.isMade(facts, writer, request)) return this.#create(facts, writer, spec, variables, request);
    await this.#mustBeAffordable(facts, writer, spec);
    const cards = this.#cardsOf(facts, this.#wished(facts, writer, spec));
    return this.#withCards(writer, cards, { hold, request }, () =>
      this.#create(facts, writer, spec, variables, request),
    );
  }

  async #create(
    facts: KindFacts,
    writer: Writer,
    spec: Spec,
    variables: readonly Variable[],
    request: RequestKey,
  ): Promise<KubeObject> {
    if (variables.length === 0) return this.#writes.create(facts, writer, spec, request);
    const secretEnv = (id: string) => withVariables(referencesIn(spec), variables, firstSecret(facts.kind, id));
    const object = await this.#writes.create(facts, writer, (id) => ({ ...spec, secretEnv: secretEnv(id) }), request);
    // After the object, which owns it: what is left by a crash between the two waits for its Secret, and says so.
    try {
      await this.#secrets().create(object, firstSecret(facts.kind, object.metadata.name), variables);
    } catch (error) {
      // Refused for good, such as by the quota: without its values it would never run.
      if (!isAmbiguous(error)) await this.#writes.remove(facts, writer, object.metadata.name, {});
      throw problemOf(error, { id: object.metadata.name, language: writer.language });
    }
    return object;
  }

  /** Throws region_closed for a region in which nothing can be made. */
  mustBeRegion(region: string): void {
    this.#placeAt(region);
  }

  /** Undefined: here. Throws region_closed. */
  #placeAt(region = this.region.id): Place | undefined {
    const place = this.#places.find(({ store }) => store.region.id === region);
    if (!place && region !== this.region.id) throw problem('region_closed', { region }, { field: 'region' });
    return place;
  }

  /** Throws idempotency_mismatch if the same key has made one in another region than this place, or than here. */
  #mustBeFirstIn(place: Place | undefined, facts: KindFacts, writer: Writer, request: RequestKey): void {
    const isMadeHere = place !== undefined && this.#writes.isMade(facts, writer, request);
    const isMadeElsewhere = this.#places.some(
      (other) => other !== place && other.store.#writes.isMade(facts, writer, keyThere(other, request)),
    );
    if (isMadeHere || isMadeElsewhere) throw problem('idempotency_mismatch', {}, { field: 'Idempotency-Key' });
  }

  /** `seen` is the generation that the change was based on; undefined: change the current one, whichever it is. */
  async change(facts: KindFacts, writer: Writer, id: string, body: Spec, seen?: number): Promise<KubeObject> {
    const holder = this.holder(facts, writer.namespace, id);
    if (holder !== this) return holder.change(facts, writer, id, body, seen);
    const { spec, variables } = parted(body);
    const before = this.cache.get(facts, writer.namespace, id);
    await this.#mustBeAffordable(facts, writer, spec, before);
    const check = (object: KubeObject) => {
      // A cache that is behind has an older one: that write is refused, and this is decided again on the current object.
      if (seen !== undefined && (object.metadata.generation ?? 0) > seen) throw problem('conflict');
      this.#check(facts, writer, 'change', spec, object);
    };
    if (variables.length === 0) return this.#writes.change(facts, writer, id, spec, check);
    const owner = this.reads.find(facts, writer.namespace, id);
    this.#writes.mustBePossible(facts, owner, 'edit', writer);
    check(owner);
    // Before the object, which is to find it: what is left by a crash between the two goes with its owner.
    const secret = nextSecret(facts.kind, id);
    await this.#secrets()
      .create(owner, secret, variables)
      .catch((error: unknown) => {
        throw problemOf(error, { id, language: writer.language });
      });
    try {
      const wish = (object: KubeObject) => ({
        ...spec,
        secretEnv: withVariables(
          'secretEnv' in spec ? referencesIn(spec) : referencesIn((object as { spec?: Spec }).spec),
          variables,
          secret,
        ),
      });
      const object = await this.#writes.change(facts, writer, id, wish, check);
      await this.#removeUnused(facts, owner);
      return object;
    } catch (error) {
      // Without an answer the object may name it.
      if (error instanceof Problem && error.problem !== 'unavailable')
        await this.#secrets().remove(writer.namespace, secret);
      throw error;
    }
  }

  /** Values that an object had before a change, and that nothing names any longer: neither a run of its schedule nor a revision. */
  async #removeUnused({ kind }: KindFacts, before: KubeObject): Promise<void> {
    const { name, namespace = '' } = before.metadata;
    const own = new Set(referencesIn((before as { spec?: Spec }).spec).map(({ secret }) => secret));
    const named = WITH_VARIABLES.flatMap((facts) => this.cache.list(facts, namespace)).map((one) => {
      const { spec, status } = one as { spec?: Spec; status?: { revisions?: readonly object[] } };
      return JSON.stringify([spec?.secretEnv, status?.revisions]);
    });
    for (const secret of own)
      if (isVariablesOf(kind, name, secret) && !named.some((text) => text.includes(secret)))
        await this.#secrets().remove(namespace, secret);
  }

  #secrets(): SecretVariables {
    if (!this.#variables) throw new Error('nothing keeps secret variables');
    return this.#variables;
  }

  /** Returns the object afterwards: the source of a command that creates another object, or the object that `release` deletes. */
  async act(
    facts: KindFacts,
    writer: Writer,
    id: string,
    { action, ...options }: CommandBody,
    request: RequestKey,
  ): Promise<KubeObject> {
    const does = facts.actions[action]?.does;
    const holder = this.holder(facts, writer.namespace, id);
    // The object that a command makes would be there, too, and nothing shows it there.
    if (holder !== this && does !== 'create') return holder.act(facts, writer, id, { action, ...options }, request);
    if (does === 'delete') return this.#release(facts, writer, id, options);
    if (does === 'create') return this.#make(facts, writer, id, { action, ...options }, request);
    const { commandPatch } = hooksOf(facts);
    const added = (object: KubeObject): Spec => commandPatch?.(action, object, options) ?? {};
    const spends = facts.actions[action]?.spends && typeof does === 'function';
    const wish = (object: KubeObject): Spec => ({ ...(spends && does(object).spec), ...added(object) });
    const check = (object: KubeObject) => {
      // An instance that returns to a host needs its GPUs again.
      if (spends) this.#check(facts, writer, 'command', wish(object), object);
    };
    const before = this.cache.get(facts, writer.namespace, id);
    const give = () => this.#writes.act(facts, writer, id, action, request, added, check);
    if (!(spends && before && canDo(facts, action, before))) return give();
    await this.#mustBeAffordable(facts, writer, wish(before), before);
    // What runs has its cards.
    const isAtRest = WITHOUT_GPU.has(facts.phaseInView(before));
    const cards = isAtRest ? this.#cardsOf(facts, this.#wished(facts, writer, wish(before), before)) : undefined;
    return this.#withCards(writer, cards, { request }, give);
  }

  /** Staff's alone: a policy refuses the platform's annotations to members. Null takes one away. */
  annotate(
    facts: KindFacts,
    writer: Writer,
    id: string,
    annotations: Readonly<Record<string, string | null>>,
  ): Promise<KubeObject> {
    return this.holder(facts, writer.namespace, id).#writes.annotate(facts, writer, id, annotations);
  }

  /** Returns the object while something still holds it. */
  async remove(facts: KindFacts, writer: Writer, id: string, options: Options): Promise<KubeObject | undefined> {
    const holder = this.holder(facts, writer.namespace, id);
    if (holder !== this) return holder.remove(facts, writer, id, options);
    return this.#writes.remove(facts, writer, id, options);
  }

  /** One answer each, in the order that was asked in; what one is refused for does not hold up the others. */
  async batch(
    facts: KindFacts,
    writer: Writer,
    { action, ids, confirm = [] }: Batch,
    request: RequestKey,
  ): Promise<{ answers: BatchAnswer[]; objects: KubeObject[] }> {
    const answers: BatchAnswer[] = [];
    const objects: KubeObject[] = [];
    for (const id of new Set(ids)) {
      const key = request.key === undefined ? undefined : `${request.key}/${id}`;
      try {
        const confirmed = confirm.includes(id) ? { confirm: id } : {};
        objects.push(await this.act(facts, writer, id, { action, ...confirmed }, { ...request, key }));
        answers.push({ id, code: 0, error: null, message: 'ok' });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const message = problemIn(writer.language, error.problem, error.args);
        answers.push({ id, code: error.code, error: error.problem, message });
      }
    }
    return { answers, objects };
  }

  /** Our own is the first. */
  regions(): { region: string; name: string; takes_instances: boolean; isReached: boolean }[] {
    return [this, ...this.#others].map((store) => ({
      region: store.region.id,
      name: store.region.label,
      takes_instances: store === this || this.#places.some((place) => place.store === store),
      isReached: store === this || isCurrent(store),
    }));
  }

  /**
   * The stock of a region, by default ours, as it is to the organisation of this namespace; none of one that there is not. Throws
   * unavailable for one out of reach.
   */
  stockIn(region = this.region.id, namespace?: string): GpuSpecView[] {
    const store = [this, ...this.#others].find((one) => one.region.id === region);
    if (!store) return [];
    if (store === this) return this.gpuSpecs(this.#pricing, namespace);
    mustBeReached(store);
    const isOurs = (there: string) => this.#places.find((place) => place.store === store)?.isOurs(there) ?? false;
    const there = namespace === undefined || isOurs(namespace) ? namespace : NOBODYS;
    return store.gpuSpecs(this.#pricing, there, namespace);
  }

  /** Other clusters, and since when one is out of reach that was followed before. */
  elsewhere(): { region: Region; isCurrent: boolean; staleSince: number | undefined }[] {
    return this.#others.map((store) => ({
      region: store.region,
      isCurrent: isCurrent(store),
      staleSince: store.cache.staleSince(),
    }));
  }

  /** The store of a region in which instances can be made now. */
  at(region: string): KindStore | undefined {
    const store = [this, ...this.#places.map((place) => place.store)].find((one) => one.region.id === region);
    return store === this || (store && isCurrent(store)) ? store : undefined;
  }

  /** Of one card by the hour, as the market shows it. */
  cardPrice(model: string): Micros | null {
    const { card } = this.#pricing.gpu(model, this.region.id);
    return card && parseMoney(card.amount);
  }

  /** The nodes of this cluster without these cards, save those whose instance a node has by now: they are counted there. */
  roomsWithout(held: readonly HeldCards[]): readonly Room[] {
    const isOnItsWay = ({ organization, instance }: HeldCards) => {
      if (organization === undefined || instance === undefined) return true;
      const found = this.cache.get<GpuInstance>(gpuInstance, organizationNamespace(organization), instance);
      return !found || (found.status?.node === undefined && !WITHOUT_GPU.has(gpuInstance.phaseInView(found)));
    };
    return withoutHeld(roomsOf(this.cache.reader), held.filter(isOnItsWay), this.pool);
  }

  /** As they are to this organisation; without one, to anybody. */
  #rooms(namespace?: string): readonly Room[] {
    const organization = namespace === undefined ? undefined : organizationOf(namespace);
    return this.roomsWithout(this.#holds?.heldIn(this.region.id, organization) ?? []);
  }

  /** A store of another region is given our prices, which has those of that region. `holder`: whose holds are no others'. */
  gpuSpecs(pricing = this.#pricing, namespace?: string, holder = namespace): GpuSpecView[] {
    const offer = offerTo(this.pool, namespace === undefined ? undefined : organizationOf(namespace));
    return gpuSpecs(this.#rooms(holder), offer, this.region.id, (model) => {
      const { card, host } = pricing.gpu(model, this.region.id);
      return { price: card, host_price: host };
    });
  }

  tags(namespace: string): string[] {
    return [...new Set(this.cache.list<GpuHost>(gpuHost, namespace).flatMap(({ spec }) => spec.tags ?? []))].sort();
  }

  /** Whether an instance like this would find room now, with the sentence it would show while it waits. */
  fit(writer: Writer, { region, ...wish }: Wish & { host?: string | undefined; region?: string | undefined }): FitView {
    const place = this.#placeAt(region);
    if (!place) return this.#fit(writer, wish);
    mustBeReached(place.store);
    // Nothing is told of a namesake of the organisation, and one that was never there has neither quota nor hosts.
    const there = place.isOurs(writer.namespace) ? writer : { ...writer, namespace: NOBODYS };
    return place.store.#fit(there, wish, writer.namespace);
  }

  #fit(
    { namespace, language }: Pick<Writer, 'namespace' | 'language'>,
    { host: name, ...wish }: Wish & { host?: string | undefined },
    holder = namespace,
  ): FitView {
    const host = name === undefined ? undefined : hostNamed(this.cache, name, { namespace, language });
    const quota = gpuQuota(this.cache.reader, namespace);
    const { args, reason, ...found } = roomFor(wish, this.#rooms(holder), quota, this.#placing(wish, namespace, host));
    const message = found.fits ? FIT_WORDS.fits[language] : localized(gpuInstance, { reason, args }, language);
    return { ...found, reason: found.fits ? null : reason, message };
  }

  /** The same of all workers of a job at once, and where it would stand among those that wait. */
  fitJob(writer: Writer, { host, workers, priority, ...size }: Wish & JobWish): WorkloadFitView {
    const { namespace, language } = writer;
    const found = this.#fitMany(writer, { ...size, copies: workers, together: true }, host);
    const tasks = TASKS.flatMap((kind) => this.cache.list<Task>(kind, namespace));
    const waiting = tasks.filter(({ status }) => status?.queue !== undefined);
    return { ...found, position: found.fits ? null : placeAmong(waiting, priority), message: found.message[language] };
  }

  fitService(writer: Writer, { host, replicas, ...size }: Wish & ServiceWish): WorkloadFitView {
    const found = this.#fitMany(writer, { ...size, copies: Math.max(1, replicas), together: false }, host);
    return { ...found, position: null, message: found.message[writer.language] };
  }

  #fitMany({ namespace, language }: Writer, wish: ManyWish, name: string | undefined) {
    const host = name === undefined ? undefined : hostNamed(this.cache, name, { namespace, language });
    return roomForMany(
      wish,
      this.#rooms(namespace),
      gpuQuota(this.cache.reader, namespace),
      this.#placing(wish, namespace, host),
    );
  }

  /** As the operator would place it. */
  #placing(wish: Wish, namespace: string, host: GpuHost | undefined): Placing {
    return placingOf(wish, host && identityOf(host), organizationOf(namespace), this.pool);
  }

  /** A size for an image. Nothing applies it by itself. */
  recommend({ namespace, language }: Writer, image: string): RecommendationView {
    const rooms = this.#rooms(namespace);
    return recommend(this.cache, { namespace, language, region: this.region.id, pool: this.pool, rooms }, image);
  }

  /** The next times, as RFC 3339. Throws schedule_unreadable. */
  previewSchedule(recurrence: Recurrence, now: number): string[] {
    checkRecurrence(recurrence);
    return (nextTimes(recurrence, now, PREVIEWED) ?? []).map((at) => new Date(at).toISOString());
  }

  /** Which disks hosts and instances name, whether they have them yet or not. */
  mounts(namespace: string): MountView[] {
    const holders = [
      ...this.cache.list<GpuInstance>(gpuInstance, namespace),
      ...this.cache.list<GpuHost>(gpuHost, namespace),
    ];
    return holders.flatMap((holder) =>
      (holder.spec.disks ?? []).map((mount) => this.#mountView(namespace, holder, mount)),
    );
  }

  /** Adds a disk to a host or an instance; if it is there already, at that path, nothing changes. */
  async mount(writer: Writer, wish: { disk: string; resource: string; mountPath: string }): Promise<Mounted> {
    const { namespace, language } = writer;
    const disk = this.cache.get<DataDisk>(dataDisk, namespace, wish.disk);
    if (!disk)
      throw problem('no_such_reference', { what: dataDisk.words[language], name: wish.disk }, { field: 'disk' });
    const facts = this.#holderOf(namespace, wish.resource);
    if (!facts) {
      this.reads.mustBeHere(gpuInstance, namespace, wish.resource);
      const what = `${gpuHost.words[language]} / ${gpuInstance.words[language]}`;
      throw problem('no_such_reference', { what, name: wish.resource }, { field: 'resource' });
    }
    const mount = { name: wish.disk, mountPath: wish.mountPath };
    const object = await this.#writes.change<GpuInstance | GpuHost>(
      facts,
      writer,
      wish.resource,
      ({ spec }) => ({ disks: [...(spec.disks ?? []).filter(({ name }) => name !== wish.disk), mount] }),
      ({ metadata, spec }) => {
        if (facts.kind !== gpuInstance.kind) return;
        const { host } = spec as Partial<InstanceSpec>;
        checkFree(this.cache, disk, { namespace, language, id: metadata.name, host }, 'disk');
      },
    );
    return { facts, object, view: this.#mountView(namespace, object as GpuInstance | GpuHost, mount) };
  }

  async unmount(writer: Writer, id: string): Promise<Omit<Mounted, 'view'>> {
    const [disk = '', resource = ''] = id.split('.');
    const facts = this.#holderOf(writer.namespace, resource);
    if (!facts || !this.mounts(writer.namespace).some((mount) => mount.id === id))
      throw problem('not_found', { what: id });
    const object = await this.#writes.change<GpuInstance | GpuHost>(facts, writer, resource, ({ spec }) => ({
      disks: (spec.disks ?? []).filter(({ name }) => name !== disk),
    }));
    return { facts, object };
  }

  #holderOf(namespace: string, id: string): KindFacts | undefined {
    return [gpuInstance, gpuHost].find((facts) => this.cache.get(facts, namespace, id));
  }

  #mountView(
    namespace: string,
    { kind, metadata, spec }: GpuInstance | GpuHost,
    { name, mountPath }: { name: string; mountPath: string },
  ): MountView {
    const disk = this.cache.get<DataDisk>(dataDisk, namespace, name);
    const by = disk?.status?.mountedBy ?? [];
    return {
      id: `${name}.${metadata.name}`,
      disk: name,
      disk_name: disk?.spec.displayName ?? name,
      kind: kind as MountView['kind'],
      resource: metadata.name,
      resource_name: spec.displayName ?? metadata.name,
      mount_path: mountPath,
      mounted: by.some((one) => one.kind === kind && one.name === metadata.name && !one.atNextStart),
    };
  }

  async #release(facts: KindFacts, writer: Writer, id: string, options: Options): Promise<KubeObject> {
    const before = this.reads.find(facts, writer.namespace, id);
    await this.remove(facts, writer, id, options);
    return this.cache.get(facts, writer.namespace, id) ?? before;
  }

  async #make(
    facts: KindFacts,
    writer: Writer,
    id: string,
    { action, ...options }: CommandBody,
    request: RequestKey,
  ): Promise<KubeObject> {
    const object = this.reads.find(facts, writer.namespace, id);
    this.#writes.mustBePossible(facts, object, action, writer);
    const made = hooksOf(facts).makes?.(object, options);
    if (!made) throw new Error(`no hook of ${facts.kind} says what ${action} makes`);
    await this.#writes.create(made.facts, writer, made.specOf, { ...request, route: `${request.route}/${id}` });
    return object;
  }

  /** The object as it would be; undefined if the API server would refuse it. */
  #wished(facts: KindFacts, writer: Writer, change: Spec, before?: KubeObject): KubeObject | undefined {
    const old = (before as { spec?: Spec } | undefined)?.spec ?? {};
    const { success, data: spec } = facts.spec.safeParse({ ...merged(old, change), creator: writer.account });
    if (!success) return undefined;
    const metadata = before?.metadata ?? { name: '', namespace: writer.namespace };
    return { ...before, apiVersion: API_VERSION, kind: facts.kind, metadata, spec } as KubeObject;
  }

  /** Not asked if the API server would refuse anyway, or the object is gone. */
  async #mustBeAffordable(facts: KindFacts, writer: Writer, change: Spec, before?: KubeObject): Promise<void> {
    const { cost } = facts;
    if (!cost || !this.#askMoney) return;
    const object = this.#wished(facts, writer, change, before);
    if (!object) return;
    const region = this.region.id;
    await this.#askMoney(writer, { facts: { ...facts, cost }, object, region, ...(before && { before }) });
  }

  /** What an instance takes of the pool; undefined for whatever takes nothing of it. */
  #cardsOf({ kind }: KindFacts, object: KubeObject | undefined): Wish | undefined {
    if (kind !== gpuInstance.kind || !object) return undefined;
    const { gpu, cores, memoryGi, host } = (object as GpuInstance).spec;
    return gpu && host === undefined ? { gpu, cores, memoryGi } : undefined;
  }

  /** Throws what stands against the cards. They are kept until a node has the instance. */
  async #withCards(
    { namespace }: Writer,
    cards: Wish | undefined,
    { hold, request: { route, key } }: { hold?: string | undefined; request: RequestKey },
    make: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const organization = organizationOf(namespace);
    if (!this.#holds || organization === undefined) return make();
    if (!cards?.gpu) {
      if (hold !== undefined)
        throw problem('invalid_field', { field: 'hold', rule: 'gpu, no host' }, { field: 'hold' });
      return make();
    }
    const { model, count } = cards.gpu;
    const placing = this.#placing(cards, namespace, undefined);
    const taken = await this.#holds.take({
      ...{ region: this.region.id, organization, model, gpus: count, hold },
      by: key && `${route}/${key}`,
      fits: (held) => roomFor(cards, this.roomsWithout(held), undefined, placing).fits,
    });
    let object: KubeObject;
    try {
      object = await make();
    } catch (error) {
      // Without an answer it may be there.
      if (error instanceof Problem && error.problem !== 'unavailable') await taken?.giveBack();
      throw error;
    }
    await taken?.made(object.metadata.name);
    return object;
  }

  /** For a change only the affected fields are checked; `before` is the object it applies to. */
  #check(facts: KindFacts, { namespace, language }: Writer, write: Write, spec: Spec, before?: KubeObject): void {
    const id = before?.metadata.name;
    const asked = { namespace, language, ...(id !== undefined && { id }) };
    hooksOf(facts).checkWrite?.(this.cache, asked, spec, before, write);
  }
}

const WITH_VARIABLES = Object.values<KindFacts>(KINDS).filter(({ spec }) => 'secretEnv' in spec.shape);

/** In another cluster the same key makes another id: an id stands for one object, even if one key is used in two regions at once. */
const keyThere = ({ store }: Place, { route, key }: RequestKey): RequestKey => ({
  route: `${route} in ${store.region.id}`,
  key,
});

/** A body's values of secret variables never come near an object, and a hold is no part of one. */
function parted(body: Spec): { spec: Spec; variables: readonly Variable[]; hold: string | undefined } {
  const { secrets, hold, ...spec } = body;
  const variables = (secrets ?? []) as Variable[];
  checkVariables(variables);
  return { spec, variables, hold: hold as string | undefined };
}

const referencesIn = (spec: Spec | undefined): readonly Reference[] => (spec?.secretEnv ?? []) as Reference[];

/** As a merge patch changes it: null takes a field away. */
function merged(old: Spec, change: Spec): Spec {
  const isSpec = (value: unknown): value is Spec =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const both = Object.entries({ ...old, ...change }).map(([field, value]): [string, unknown] => {
    const was = old[field];
    return [field, field in change && isSpec(value) && isSpec(was) ? merged(was, value) : value];
  });
  return Object.fromEntries(both.filter(([, value]) => value !== null));
}
