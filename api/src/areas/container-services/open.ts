// Published services: their requests, what is counted of them, and how many replicas follow.
import { problem } from '@gantry/contract/http/problem.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import { pause } from '@gantry/kube/clock.ts';
import { ScalingWrites } from '../../core/kinds/scaling-writes.ts';
import type { OpenFigures } from '../../core/kinds/usage/open.ts';
import { ReplicaHours } from '../../core/kinds/usage/replica-hours.ts';
import type { Core } from '../../core/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import { attemptsOf } from '../../platform/http/attempts-of.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { languageOf } from '../../platform/http/language-of.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { onlyNumber } from '../../platform/prometheus/prometheus.ts';
import { tenantPlace } from '../../platform/relay/tenant-place.ts';
import { POST_MS, TrafficStore } from '../../platform/relay/traffic-store.ts';
import type { VisitsParts } from '../../platform/relay/visits.ts';
import { Autoscaler } from '../autoscaling/autoscaler.ts';
import { ScalingRecords } from '../autoscaling/scaling-records.ts';
import { cpuPercentOf, gpuQueryOf } from '../autoscaling/use-of-replicas.ts';
import { wantedOf } from '../autoscaling/wanted-replicas.ts';
import { Published } from './published.ts';
import { isAsleep } from './published-services.ts';
import { publishedRoutes } from './service-routes.ts';

const SWEEP_MS = 300_000;
const ONE_NUMBER = { deadlineMs: 3_000, mostBytes: 64 * 1024, mostSeries: 1 };

export interface OpenPublished {
  routes: readonly Served[];
  /** Undefined without a domain. */
  web: Pick<Published, 'answer' | 'answerPlain' | 'upgrade'> | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** Throws BadConfig. */
export function openPublished(
  platform: Platform,
  { cluster, authenticate }: Pick<Core, 'cluster' | 'authenticate'>,
  visits: Pick<VisitsParts, 'access' | 'logins'>,
  latest: OpenFigures['latest'],
): OpenPublished {
  const { config, db, clock, log, limits, origins, addressOf, prometheus } = platform;
  const { client, cache } = cluster;
  const domain = config.serviceDomain || config.tenantDomain;
  const place = domain
    ? tenantPlace({ origins, tenants: { domain, hasPaths: false, host: config.tenantHost, port: config.tenantPort } })
    : undefined;
  const find = (namespace: string, id: string) => cache.get<ContainerService>(containerService, namespace, id);
  const writes = new ScalingWrites(containerService, { cluster, clock, log });
  const published = new Published({
    ...visits,
    origin: place?.origin,
    authenticate,
    attempts: attemptsOf(limits),
    find,
    wake: (object) => writes.wake(object, isAsleep),
    consolePage: (id) => new URL(`/deploy/service/${encodeURIComponent(id)}`, config.publicUrl).href,
    addressOf,
    languageOf,
    ...(config.serviceNetwork === 'proxy' && { wayTo: (at, port) => podAgent(client, at, port) }),
    clock,
    log,
  });
  const store = new TrafficStore({ db, clock });
  const models = new ScalingWrites(modelDeployment, { cluster, clock, log });
  const ask =
    prometheus &&
    (async (query: string, signal: AbortSignal) =>
      onlyNumber(await prometheus.instant(query, clock.now(), { signal, ...ONE_NUMBER })));
  const scalerOf = (
    facts: typeof containerService | typeof modelDeployment,
    { write }: Pick<ScalingWrites, 'write'>,
    isPublished: (object: ContainerService) => boolean,
  ) =>
    new Autoscaler({
      list: () => cache.list<ContainerService>(facts),
      loads: () => store.loads(),
      cpuPercentOf: (object) => cpuPercentOf(facts, object, latest),
      gpuQueryOf: (object) => gpuQueryOf(facts, object),
      ask,
      isPublished,
      write: async (object, decision) => {
        try {
          await write(object, decision);
        } catch (error) {
          // Somebody woke or changed it: the next look sees that.
          if (!isConflict(error)) throw error;
        }
      },
      clock,
      log,
    });
  const autoscalers = [
    scalerOf(containerService, { write: writes.write.bind(writes) }, ({ spec }) => spec.publish !== undefined),
    // Requests come by /v1, to every one of them.
    scalerOf(modelDeployment, { write: models.write.bind(models) }, () => true),
  ];
  const served = () => [containerService, modelDeployment].flatMap((facts) => cache.list(facts));
  const records = new ScalingRecords({
    ...{ db, clock, log },
    list: () => served().flatMap((object) => wantedOf(object) ?? []),
  });
  cluster.kinds.noteChangesBy({
    async note({ before, after, account }) {
      const [was, is] = [wantedOf(before), wantedOf(after)];
      if (was && is) await records.note(is, was, account);
    },
    failed: (error, { after: { metadata } }) =>
      log.warn({ err: error, objectUid: metadata.uid }, 'who changed the replicas was not recorded'),
  });
  const turn = new Turn({ db, clock, log }, 'autoscaling');
  const replicaHours = new ReplicaHours({
    list: () => cache.list<ContainerService>(containerService),
    isStale: () => cache.staleSince(containerService) !== undefined,
    clock,
  });
  const ender = new AbortController();
  const uidOf = (id: string, { organization }: Caller, kind: 'service' | 'deployment' = 'service'): string => {
    const facts = kind === 'service' ? containerService : modelDeployment;
    const object = cache.get(facts, organization.namespace, id);
    if (!object) throw problem('not_found', { what: id });
    return object.metadata.uid ?? '';
  };
  const posting = async () => {
    let sweptAt = clock.monotonic();
    while (!ender.signal.aborted) {
      await pause(clock, POST_MS, ender.signal);
      await store
        .post(published.services.all)
        .catch((error: unknown) => log.warn({ err: error }, 'traffic was not written'));
      await writes.note(published.services.all);
      if (clock.monotonic() - sweptAt < SWEEP_MS) continue;
      sweptAt = clock.monotonic();
      await store.sweep().catch((error: unknown) => log.warn({ err: error }, 'old traffic was not swept'));
    }
  };
  let unfollow = () => {};
  let posted: Promise<void> = Promise.resolve();
  return {
    routes: publishedRoutes({
      links: { issue: (caller, id) => published.issue(caller, id) },
      traffic: async (caller, id) => store.traffic(uidOf(id, caller)),
      requests: async (caller, id) => store.requests(uidOf(id, caller)),
      replicas: (caller, id) => replicaHours.read(uidOf(id, caller)),
      scaling: async (caller, kind, id) => records.of(uidOf(id, caller, kind)),
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
      turn.start((signal) =>
        together(
          signal,
          [...autoscalers, records].map((one) => (until) => one.run(until)),
        ),
      );
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
