// Published services: their requests, what is counted of them, and how many replicas follow.
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { ScalingWrites } from '../../core/kinds/scaling-writes.ts';
import type { OpenObjectUsage } from '../../core/kinds/usage/open.ts';
import { ReplicaHours } from '../../core/kinds/usage/replica-hours.ts';
import type { Core } from '../../core/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import { attemptsOf } from '../../platform/http/attempts-of.ts';
import { languageOf } from '../../platform/http/language-of.ts';
import type { Served } from '../../platform/http/serve.ts';
import { unlessChanged } from '../../platform/kube/unless-changed.ts';
import type { Platform } from '../../platform/open.ts';
import { wayToPods } from '../../platform/pods/way-to-pods.ts';
import { TrafficStore } from '../../platform/relay/traffic-store.ts';
import type { VisitsParts } from '../../platform/relay/visits.ts';
import { askOneNumber } from '../autoscaling/ask-one-number.ts';
import { Autoscaler } from '../autoscaling/autoscaler.ts';
import { ScalingRecords } from '../autoscaling/scaling-records.ts';
import { cpuPercentOf, gpuQueryOf } from '../autoscaling/use-of-replicas.ts';
import { wantedOf } from '../autoscaling/wanted-replicas.ts';
import { isAsleep, isPublished } from './activated-services.ts';
import { Activator } from './activator.ts';
import { postTraffic } from './post-traffic.ts';
import { scaledUid } from './scaled-uid.ts';
import { servicePlace } from './service-place.ts';
import { serviceRoutes } from './service-routes.ts';

export interface OpenContainerServices {
  routes: readonly Served[];
  /** Undefined without a domain. */
  web: Pick<Activator, 'answer' | 'answerPlain' | 'upgrade'> | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** Throws BadConfig. */
export function openContainerServices(
  platform: Platform,
  { cluster, authenticate }: Pick<Core, 'cluster' | 'authenticate'>,
  visits: Pick<VisitsParts, 'access' | 'logins'>,
  latest: OpenObjectUsage['latest'],
): OpenContainerServices {
  const { config, db, clock, log, limits, origins, addressOf, prometheus } = platform;
  const { client, cache } = cluster;
  const place = servicePlace(config, origins);
  const find = (namespace: string, id: string) => cache.get<ContainerService>(containerService, namespace, id);
  const writes = new ScalingWrites(containerService, { cluster, clock, log });
  const activator = new Activator({
    ...visits,
    origin: place?.origin,
    authenticate,
    attempts: attemptsOf(limits),
    find,
    wake: (object) => writes.wake(object, isAsleep),
    consolePage: (id) => new URL(`/deploy/service/${encodeURIComponent(id)}`, config.publicUrl).href,
    addressOf,
    languageOf,
    wayTo: wayToPods(config, client),
    clock,
    log,
  });
  const store = new TrafficStore({ db, clock });
  const models = new ScalingWrites(modelDeployment, { cluster, clock, log });
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
      ask: askOneNumber(prometheus, clock),
      isPublished,
      // Somebody woke or changed it: the next look sees that.
      write: (object, decision) => unlessChanged(write(object, decision)),
      clock,
      log,
    });
  const autoscalers = [
    scalerOf(containerService, { write: writes.write.bind(writes) }, isPublished),
    // Requests come by /v1, to every one of them.
    scalerOf(modelDeployment, { write: models.write.bind(models) }, () => true),
  ];
  const served = () => [containerService, modelDeployment].flatMap((facts) => cache.list(facts));
  const records = new ScalingRecords({
    ...{ db, clock, log },
    list: () => served().flatMap((object) => wantedOf(object) ?? []),
  });
  cluster.kinds.noteChangesBy({
    note: (change) => records.noteChange(change),
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
  let unfollow = () => {};
  let posted: Promise<void> = Promise.resolve();
  return {
    routes: serviceRoutes({
      links: { issue: (caller, id) => activator.issue(caller, id) },
      traffic: async (caller, id) => store.traffic(scaledUid(cache, caller, id)),
      requests: async (caller, id) => store.requests(scaledUid(cache, caller, id)),
      replicas: (caller, id) => replicaHours.read(scaledUid(cache, caller, id)),
      scaling: async (caller, kind, id) => records.of(scaledUid(cache, caller, id, kind)),
    }),
    web: place && activator,
    start() {
      unfollow = activator.services.follow(cache);
      replicaHours.start();
      posted = postTraffic(platform, activator.services, store, writes, ender.signal);
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
      activator.stop();
      await store.leave(activator.services.all).catch(() => {});
    },
  };
}
