// Published services: their requests, what is counted of them, and how many replicas follow.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { Turn } from '../db/turn.ts';
import type { MeasuredKind } from '../figures/figures.ts';
import { ReplicaHours } from '../figures/replica-hours.ts';
import { languageOf } from '../http/language-of.ts';
import { publishedRoutes } from '../http/published-routes.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Served } from '../http/serve.ts';
import type { Caller } from '../identity/caller.ts';
import type { Cluster } from '../kube/open-cluster.ts';
import { podAgent } from '../pods/pod-stream.ts';
import { Published, type PublishedParts } from '../published/published.ts';
import { isAsleep } from '../published/published-services.ts';
import { POST_MS, TrafficStore } from '../published/traffic-store.ts';
import { Autoscaler } from '../scaling/autoscaler.ts';
import { readNumber } from '../scaling/prometheus.ts';
import { attemptsOf } from './attempts-of.ts';
import { type InstanceAccess, tenantPlace } from './instance-access.ts';
import type { OpenFigures } from './open-figures.ts';

const SWEEP_MS = 300_000;
/** How often `status.traffic` follows. */
const NOTE_MS = 60_000;
const MOST_TRIES = 3;
const WHOLE = 100;

export interface OpenPublishedParts {
  db: Database;
  cluster: Pick<Cluster, 'client' | 'cache'>;
  visits: InstanceAccess['visits'];
  authenticate: (token: string) => Promise<Caller | undefined>;
  limits: Pick<RateLimits, 'mayTry' | 'known' | 'inVain'>;
  latest: OpenFigures['latest'];
  origins: readonly string[];
  addressOf: PublishedParts['addressOf'];
  clock: Clock;
  log: Logger;
  isAddress?: PublishedParts['isAddress'];
}

export interface OpenPublished {
  served: readonly Served[];
  /** Undefined without a domain. */
  web: Pick<Published, 'answer' | 'answerPlain' | 'upgrade'> | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** Throws BadConfig. */
export function openPublished(
  config: Pick<
    Config,
    'serviceDomain' | 'tenantDomain' | 'tenantHost' | 'tenantPort' | 'serviceNetwork' | 'prometheusUrl' | 'publicUrl'
  >,
  parts: OpenPublishedParts,
): OpenPublished {
  const { db, cluster, clock, log, limits, origins, latest } = parts;
  const { client, cache } = cluster;
  const domain = config.serviceDomain || config.tenantDomain;
  const place = domain
    ? tenantPlace({ origins, tenants: { domain, hasPaths: false, host: config.tenantHost, port: config.tenantPort } })
    : undefined;
  const find = (namespace: string, id: string) => cache.get<ContainerService>(containerService, namespace, id);
  const writeScaling = async (
    object: ContainerService,
    scaling: { replicas: number; because: string; value?: number },
  ) => {
    const { resourceVersion } = object.metadata;
    const body = { status: { scaling: { value: null, ...scaling, at: rfc3339(clock.now()) } } };
    const patch = { ...targetOf(object), ...(resourceVersion && { resourceVersion }), body };
    cache.observe(await client.mergePatch(resourceOf(containerService), patch, 'status'));
  };
  const published = new Published({
    ...parts.visits,
    origin: place?.origin,
    authenticate: parts.authenticate,
    attempts: attemptsOf(limits),
    find,
    async wake(object) {
      let live = object;
      for (let tries = 1; isAsleep(live); tries++) {
        try {
          return await writeScaling(live, { replicas: 1, because: 'Request' });
        } catch (error) {
          if (tries === MOST_TRIES || !isConflict(error)) throw error;
          const { namespace, name, uid } = targetOf(live);
          const found = await client.get(resourceOf(containerService), namespace, name);
          if (found.metadata.uid !== uid) return;
          live = found as ContainerService;
        }
      }
    },
    consolePage: (id) => new URL(`/deploy/service/${encodeURIComponent(id)}`, config.publicUrl).href,
    addressOf: parts.addressOf,
    languageOf,
    ...(config.serviceNetwork === 'proxy' && { wayTo: (at, port) => podAgent(client, at, port) }),
    ...(parts.isAddress && { isAddress: parts.isAddress }),
    clock,
    log,
  });
  const store = new TrafficStore({ db, clock });
  const { prometheusUrl } = config;
  const autoscaler = new Autoscaler({
    list: () => cache.list<ContainerService>(containerService),
    loads: () => store.loads(),
    percentOf: (object, series) => percentOf(object, series, latest),
    ask: prometheusUrl ? (query, signal) => readNumber({ url: prometheusUrl }, query, signal) : undefined,
    write: async (object, decision) => {
      try {
        await writeScaling(object, decision);
      } catch (error) {
        // Somebody woke or changed it: the next look sees that.
        if (!isConflict(error)) throw error;
      }
    },
    clock,
    log,
  });
  const turn = new Turn({ db, clock, log }, 'autoscaling');
  const replicaHours = new ReplicaHours({
    list: () => cache.list<ContainerService>(containerService),
    isStale: () => cache.staleSince(containerService) !== undefined,
    clock,
  });
  const ender = new AbortController();
  const uidOf = (id: string, { organization }: Caller): string => {
    const object = find(organization.namespace, id);
    if (!object) throw problem('not_found', { what: id });
    return object.metadata.uid ?? '';
  };
  const noted = new Map<string, number>();
  const note = async () => {
    for (const { uid, object, meter } of published.services.all) {
      const last = noted.get(uid) ?? Date.parse(object.status?.traffic?.lastRequestAt ?? '1970-01-01T00:00:00Z');
      if (meter.lastActiveAt - last < NOTE_MS) continue;
      noted.set(uid, meter.lastActiveAt);
      const body = { status: { traffic: { lastRequestAt: rfc3339(meter.lastActiveAt) } } };
      await client
        .mergePatch(resourceOf(containerService), { ...targetOf(object), body }, 'status')
        .catch((error: unknown) => log.warn({ err: error, uid }, 'the last request of a service was not noted'));
    }
    const present = new Set([...published.services.all].map(({ uid }) => uid));
    for (const uid of noted.keys()) if (!present.has(uid)) noted.delete(uid);
  };
  const posting = async () => {
    let sweptAt = clock.monotonic();
    while (!ender.signal.aborted) {
      await pause(clock, POST_MS, ender.signal);
      await store
        .post(published.services.all)
        .catch((error: unknown) => log.warn({ err: error }, 'traffic was not written'));
      await note();
      if (clock.monotonic() - sweptAt < SWEEP_MS) continue;
      sweptAt = clock.monotonic();
      await store.sweep().catch((error: unknown) => log.warn({ err: error }, 'old traffic was not swept'));
    }
  };
  let unfollow = () => {};
  let posted: Promise<void> = Promise.resolve();
  return {
    served: publishedRoutes({
      links: { issue: (caller, id) => published.issue(caller, id) },
      traffic: async (caller, id) => store.traffic(uidOf(id, caller)),
      requests: async (caller, id) => store.requests(uidOf(id, caller)),
      replicas: (caller, id) => replicaHours.read(uidOf(id, caller)),
    }),
    web: place && published,
    start() {
      const show = (object: ContainerService) =>
        published.services.update(object.metadata.namespace ?? '', object.metadata.name, object);
      unfollow = cache.on(({ kind, namespace = '', name, after }) => {
        if (kind.kind !== containerService.kind) return;
        published.services.update(namespace, name, after as ContainerService | undefined);
      });
      for (const object of cache.list<ContainerService>(containerService)) show(object);
      replicaHours.start();
      posted = posting();
      turn.start((signal) => autoscaler.run(signal));
    },
    async stop() {
      unfollow();
      replicaHours.stop();
      ender.abort();
      await posted;
      await turn.stop();
      published.stop();
      await store.leave(published.services.all).catch(() => {});
    },
  };
}

/** Of the replicas that are ready; undefined while one of them has not been measured. */
function percentOf(object: ContainerService, series: 'cpu' | 'gpu', latest: OpenFigures['latest']): number | undefined {
  const ready = (object.status?.pods ?? []).filter(({ phase }) => phase === 'ready');
  const used = ready.map(({ name }) =>
    latest(object as KubeObject, containerService as KindFacts as MeasuredKind, name, series),
  );
  if (used.length === 0 || used.includes(undefined)) return undefined;
  const sum = used.reduce<number>((all, one) => all + (one ?? 0), 0);
  return series === 'gpu' ? sum : (WHOLE * sum) / object.spec.cores;
}
