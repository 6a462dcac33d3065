// Metrics: what tenants ask of Prometheus, over the gateway's caches; and whose Pods and nodes are, which Prometheus reads from us.
import type { Core } from '../../core/open.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { TrafficStore } from '../../platform/relay/traffic-store.ts';
import { AliasRows } from '../inference/alias-rows.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { Dashboards } from './dashboards.ts';
import { hourlyPriceShown } from './hourly-price-shown.ts';
import { Monitor } from './monitor.ts';
import { monitorRoutes } from './monitor-routes.ts';
import { MONITORED, serveOwners } from './owner-metrics.ts';
import { readTopology } from './read-topology.ts';

export function openMonitor(
  platform: Pick<Platform, 'db' | 'clock' | 'metrics' | 'prometheus'>,
  { cluster, billing }: Pick<Core, 'cluster' | 'billing'>,
): readonly Served[] {
  const { db, clock, prometheus } = platform;
  const { cache, billed, kinds } = cluster;
  serveOwners(platform, cluster);
  const traffic = new TrafficStore({ db, clock });
  const aliases = new AliasRows({ db, clock });
  return [
    ...monitorRoutes({
      monitor: new Monitor({ prometheus, clock }),
      exists: (type, namespace, name) => kinds.findHere(MONITORED[type], namespace, name) !== undefined,
      topology: (caller) => readTopology(cache, traffic, aliases, caller),
      costs: ({ organization: { id, namespace } }) => ({
        currency: billing.tariffs.of(id).currency,
        perHour(type, name) {
          const one = billed.get({ kind: MONITORED[type].kind, namespace, name });
          return one && hourlyPriceShown(billing.priceOf(one));
        },
      }),
    }),
    ...dashboardRoutes(new Dashboards({ db, clock })),
  ];
}
