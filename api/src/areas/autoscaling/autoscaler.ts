// Follows load with the number of replicas, in one gateway at a time: measures, decides, and writes what has changed. A number that
// is not known changes nothing, and never lets a service sleep.
import { type ContainerService, wantedReplicas } from '@gantry/contract/kinds/container-service.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { pause } from '@gantry/kube/clock.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import { scopeQuery } from '../../platform/prometheus/scope-query.ts';
import { type Asked, type Decision, decideReplicas, type Metric } from './decide-replicas.ts';

const EVERY_MS = 2_000;
/** The interval of a tenant's query. */
const QUERY_EVERY_MS = 15_000;
const QUERIES_AT_ONCE = 8;
/** One organisation's slow queries leave places to the others. */
const QUERIES_OF_ONE = 2;
/** As long as the longest window of stabilisation. */
const MOST_ASKED_MS = 3_600_000;
/** Over an hour of looks every two seconds: of a window only its greatest numbers matter. */
const MOST_ASKED = 256;

export interface ServiceLoad {
  /** Undefined: a gateway that had some is not heard. */
  inFlight: number | undefined;
  perSecond: number;
  lastActiveAt: number;
}

export interface AutoscalerParts {
  list: () => readonly ContainerService[];
  /** By uid. Rejects where that is not known. */
  loads: () => Promise<ReadonlyMap<string, ServiceLoad>>;
  /** The use of all its replicas together, in percent of one; undefined if it is unknown. */
  cpuPercentOf: (object: ContainerService) => number | undefined;
  /** PromQL for what their cards do together, likewise; undefined while no replica is ready. */
  gpuQueryOf: (object: ContainerService) => string | undefined;
  /** Undefined: no value. Absent: there is no Prometheus. */
  ask?: ((query: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /** Its requests come by us. */
  isPublished: (object: ContainerService) => boolean;
  /** Refuses where somebody has changed the object meanwhile. */
  write: (object: ContainerService, decision: Decision) => Promise<void>;
  clock: Clock;
  log: { warn(facts: object, message: string): void };
}

interface Known {
  asked: Asked[];
  /** By the query's text: its last value, since when, and when it was asked last. */
  queried: Map<string, { value: number | undefined; at: number; askedAt: number }>;
}

export class Autoscaler {
  readonly #parts: AutoscalerParts;
  readonly #known = new Map<string, Known>();
  readonly #queries = new FairQueue({ atOnce: QUERIES_AT_ONCE, ofOneLane: QUERIES_OF_ONE });

  constructor(parts: AutoscalerParts) {
    this.#parts = parts;
  }

  /** Until the signal. What it learned in an earlier turn is stale. */
  async run(signal: AbortSignal): Promise<void> {
    this.#known.clear();
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      await this.look(signal).catch((error: unknown) => log.warn({ err: error }, 'services were not scaled'));
      await pause(clock, EVERY_MS, signal);
    }
  }

  async look(signal: AbortSignal): Promise<void> {
    const { list, loads, log } = this.#parts;
    const services = list().filter(
      ({ metadata, spec }) => spec.autoscaling && spec.power === 'Running' && metadata.deletionTimestamp === undefined,
    );
    const uids = new Set(services.map(({ metadata }) => metadata.uid ?? ''));
    for (const uid of this.#known.keys()) if (!uids.has(uid)) this.#known.delete(uid);
    if (services.length === 0) return;
    // Without it everything but sleep and the metrics of requests goes on.
    const known = await loads().catch((error: unknown) => {
      log.warn({ err: error }, 'it is not known what requests services have');
      return undefined;
    });
    for (const object of services) {
      if (signal.aborted) return;
      await this.#scale(object, known, signal).catch((error: unknown) =>
        log.warn(
          { err: error, service: `${object.metadata.namespace}/${object.metadata.name}` },
          'a service was not scaled',
        ),
      );
    }
  }

  async #scale(
    object: ContainerService,
    loads: ReadonlyMap<string, ServiceLoad> | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, write, isPublished } = this.#parts;
    const { metadata, spec, status } = object;
    const { autoscaling } = spec;
    if (!autoscaling) return;
    const now = clock.now();
    const current = wantedReplicas(object);
    const uid = metadata.uid ?? '';
    let known = this.#known.get(uid);
    if (!known) {
      // Earlier wishes are unknown: nothing ends before the window has passed.
      known = { asked: [{ at: now, replicas: current }], queried: new Map() };
      this.#known.set(uid, known);
    }
    const load = loads && (loads.get(uid) ?? NONE);
    const measured = (autoscaling.metrics ?? []).map(({ type, query }) =>
      this.#measure(object, type, query, load, known, signal),
    );
    const { decision, asked } = decideReplicas(autoscaling, {
      now,
      current,
      measured,
      inFlight: load?.inFlight,
      isStarting: STARTING.includes(status?.phase ?? ''),
      lastActiveAt: lastActiveAt(object, load),
      isPublished: isPublished(object),
      asked: known.asked,
    });
    known.asked = remembered(known.asked, asked, now);
    const { scaling } = status ?? {};
    if (decision.replicas === current && (scaling ? scaling.replicas === current : true)) return;
    await write(object, decision);
  }

  #measure(
    object: ContainerService,
    type: Metric,
    query: string | undefined,
    load: ServiceLoad | undefined,
    known: Known,
    signal: AbortSignal,
  ): number | undefined {
    const { cpuPercentOf, gpuQueryOf } = this.#parts;
    if (type === 'InFlight') return load?.inFlight;
    if (type === 'RequestsPerSecond') return load?.perSecond;
    if (type === 'CPU') return cpuPercentOf(object);
    const asked = type === 'GPU' ? gpuQueryOf(object) : query;
    return asked === undefined ? undefined : this.#queried(object, asked, known, signal);
  }

  /** The last value, while it is fresh; a new one is asked for on the side, so that a slow query holds back nobody else. */
  #queried(
    { metadata: { namespace = '', uid = '' } }: ContainerService,
    query: string,
    { queried }: Known,
    signal: AbortSignal,
  ): number | undefined {
    const { ask, clock } = this.#parts;
    const now = clock.monotonic();
    const last = queried.get(query);
    if (ask && (!last || now - last.askedAt >= QUERY_EVERY_MS)) {
      // A value that is not answered anew grows old meanwhile.
      queried.set(query, { value: last?.value, at: last?.at ?? Number.NEGATIVE_INFINITY, askedAt: now });
      const scoped = scopeQuery(query, namespace);
      if ('query' in scoped) {
        const run = async () => {
          const value = signal.aborted ? undefined : await ask(scoped.query, signal).catch(() => undefined);
          const at = clock.monotonic();
          queried.set(query, { value, at, askedAt: at });
        };
        void this.#queries.put({ key: `${uid} ${query}`, lane: namespace, run });
      }
    }
    if (queried.size > MOST_QUERIES) for (const text of queried.keys()) if (text !== query) queried.delete(text);
    return last && now - last.at < 3 * QUERY_EVERY_MS ? last.value : undefined;
  }
}

const NONE: ServiceLoad = { inFlight: 0, perSecond: 0, lastActiveAt: 0 };
/** The most queries of one service; a spec has at most so many. */
const MOST_QUERIES = 5;

/** A service that cannot start is in another phase. */
const STARTING: readonly string[] = ['preparing', 'deploying', 'waking'];

/** The last use, or what began it: one that has just been woken, changed or finished starting gets its whole idle time. */
function lastActiveAt({ metadata, status }: ContainerService, load: ServiceLoad | undefined): number {
  const times = [metadata.creationTimestamp, status?.scaling?.at, status?.readyAt, status?.traffic?.lastRequestAt];
  const known = times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  return Math.max(load?.lastActiveAt ?? 0, ...known);
}

/** Numbers that a later and greater one outweighs are dropped: no window has the one without the other. */
function remembered(before: readonly Asked[], asked: Asked, now: number): Asked[] {
  const kept = before.filter(({ at, replicas }) => at > now - MOST_ASKED_MS && replicas > asked.replicas);
  return [...kept, asked].slice(-MOST_ASKED);
}
