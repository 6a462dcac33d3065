// Metrics: what tenants ask of Prometheus, over the gateway's caches; and whose Pods and nodes are, which Prometheus reads from us.
import type { Use } from '@gantry/contract/billing/resources.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { openIntervals } from '../../core/billing/gate/decide.ts';
import { ratePerHour, type Tariff } from '../../core/billing/prices/rate.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { MeasuredKind } from '../../core/kinds/usage/usage.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Metrics } from '../../platform/http/metrics.ts';
import type { Served } from '../../platform/http/serve.ts';
import { NODE } from '../../platform/kube/resources.ts';
import { NODE_OWNER, POD_OWNER } from '../../platform/prometheus/object-queries.ts';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import { TrafficStore } from '../../platform/relay/traffic-store.ts';
import { AliasRows } from '../inference/alias-rows.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { Dashboards } from './dashboards.ts';
import { Monitor } from './monitor.ts';
import { monitorRoutes } from './monitor-routes.ts';
import { calledIn, type Listed, type Row, topologyOf } from './topology-of.ts';

interface OpenMonitorParts {
  db: Database;
  billed: Pick<Cluster['billed'], 'get'>;
  kinds: Pick<Cluster['kinds'], 'findHere'>;
  tariffs: Pick<Tariffs, 'of'>;
  cache: Pick<Cluster['cache'], 'get' | 'list' | 'reader'>;
  prometheus: Prometheus | undefined;
  metrics: Pick<Metrics, 'labelled'>;
  clock: Clock;
}

const FACTS: Readonly<Record<MonitorType, KindFacts & MeasuredKind>> = {
  instance: gpuInstance,
  job,
  service: containerService,
  deployment: modelDeployment,
  host: gpuHost,
};
const TYPES = Object.keys(FACTS) as MonitorType[];

export function openMonitor({
  db,
  cache,
  billed,
  kinds,
  tariffs,
  prometheus,
  metrics,
  clock,
}: OpenMonitorParts): readonly Served[] {
  const measured = (): { type: MonitorType; object: KubeObject }[] =>
    TYPES.flatMap((type) => cache.list<KubeObject>(FACTS[type]).map((object) => ({ type, object })));
  const owner = (type: MonitorType, { metadata }: KubeObject) => ({
    namespace: metadata.namespace ?? '',
    kind: FACTS[type].kind,
    object: metadata.name,
  });
  metrics.labelled(POD_OWNER, 'Whose each Pod of a tenant is.', ['namespace', 'pod', 'kind', 'object'], () =>
    measured().flatMap(({ type, object }) =>
      FACTS[type].api.figures
        .partsOf(object)
        .flatMap(({ of }) => ('pod' in of ? [{ ...owner(type, object), pod: of.pod }] : [])),
    ),
  );
  metrics.labelled(NODE_OWNER, 'Which host has each leased node.', ['namespace', 'node', 'kind', 'object'], () =>
    cache.list<KubeObject>(gpuHost).flatMap((host) =>
      gpuHost.api.figures.partsOf(host).flatMap(({ of }) => {
        const node = 'node' in of ? of.node : '';
        const has = cache.reader.get(NODE, undefined, node)?.metadata.labels?.[LABEL.nodeHost];
        // A node that it had, or is about to have, may have somebody else's work on it.
        return has === identityOf(host) ? [{ ...owner('host', host), node }] : [];
      }),
    ),
  );
  const traffic = new TrafficStore({ db, clock });
  const aliases = new AliasRows({ db, clock });
  return [
    ...monitorRoutes({
      monitor: new Monitor({ prometheus, clock }),
      exists: (type, namespace, name) => kinds.findHere(FACTS[type], namespace, name) !== undefined,
      async topology({ organization: { id, namespace } }) {
        const rows = Object.entries({ ...FACTS, disk: dataDisk }).map(([type, facts]) => ({
          type: type as Row['type'],
          objects: cache.list<Listed>(facts).filter(({ metadata }) => metadata.namespace === namespace),
        }));
        // Without SQL the page has everything but requests and aliases.
        const [counted, named] = await Promise.all([
          traffic.flows(calledIn(rows)).catch(() => undefined),
          aliases.list(id).catch(() => []),
        ]);
        return topologyOf(rows, { counted, aliases: named });
      },
      costs({ organization: { id, namespace } }) {
        const tariff = tariffs.of(id);
        return {
          currency: tariff.currency,
          perHour(type, name) {
            const one = billed.get({ kind: FACTS[type].kind, namespace, name });
            return one && perHourOf(one, { ...tariff, region: one.region }, clock.now());
          },
        };
      },
    }),
    ...dashboardRoutes({ dashboards: new Dashboards({ db, clock }) }),
  ];
}

/** Undefined for what is not paid for by the hour, such as a rented host, and where something has no price. */
export function perHourOf(one: BilledObject, tariff: Tariff, now: number): Micros | undefined {
  const uses = openIntervals(one).flatMap((interval) => interval.uses) as Use[];
  const { net, unpriced } = ratePerHour(uses, one.facts.cost.source, tariff, now);
  return net > 0n && unpriced.length === 0 ? net : undefined;
}
