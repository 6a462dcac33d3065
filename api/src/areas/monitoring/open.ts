// Metrics: what tenants ask of Prometheus, over the gateway's caches; and whose Pods and nodes are, which Prometheus reads from us.
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
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
import { calledIn, type Listed, type Row, topologyOf } from './topology-of.ts';

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
      async topology({ organization: { id, namespace } }) {
        const rows = Object.entries({ ...MONITORED, disk: dataDisk }).map(([type, facts]) => ({
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
