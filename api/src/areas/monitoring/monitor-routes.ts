// Metrics of the organisation of the token, and the cluster's own for the platform's staff.

import { CLUSTER_METRICS_ROUTES } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import { MONITOR_ROUTES as R, type TopologyView } from '@gantry/contract/areas/monitoring/monitor.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { type Prepared, preparedWith } from '../../platform/http/write-answer.ts';
import type { Monitor } from './monitor.ts';

export interface MonitorRouteParts {
  monitor: Pick<Monitor, 'query' | 'metrics' | 'partMetrics' | 'home' | 'names' | 'metric' | 'cluster'>;
  exists(type: MonitorType, namespace: string, name: string): boolean;
  topology(caller: Caller): Promise<TopologyView>;
  /** The prices of objects by the hour, as they run now. */
  costs(caller: Caller): { currency: string; perHour(type: MonitorType, object: string): Micros | undefined };
}

export function monitorRoutes({ monitor, exists, topology, costs }: MonitorRouteParts): Served[] {
  const known = ({ organization: { namespace } }: Caller, type: MonitorType, names: readonly string[]) => {
    const missing = names.find((name) => !exists(type, namespace, name));
    if (missing !== undefined) throw problem('not_found', { what: missing });
    return namespace;
  };
  // A second viewer of an answer costs no text of it either.
  const bodies = new WeakMap<object, Prepared>();
  return [
    serve(R.overallQuery, async ({ caller, body }) =>
      preparedWith(R.overallQuery, await monitor.metrics(caller.organization.namespace, body), 'metrics'),
    ),
    serve(R.query, async ({ caller, body: { query, ...window }, res }) => {
      const view = await monitor.query(caller.organization.namespace, query, window);
      const made = bodies.get(view) ?? preparedWith(R.query, view, 'series');
      bodies.set(view, made);
      res.setHeader('cache-control', 'no-store');
      return made;
    }),
    serve(R.serviceQuery, async ({ caller, body: { objects, ...asked } }) =>
      preparedWith(
        R.serviceQuery,
        await monitor.metrics(known(caller, asked.type, objects), asked, objects),
        'metrics',
      ),
    ),
    serve(R.podQuery, async ({ caller, body: { object, ...asked } }) =>
      preparedWith(
        R.podQuery,
        await monitor.partMetrics(known(caller, asked.type, [object]), asked, object),
        'metrics',
      ),
    ),
    serve(R.homeQuery, async ({ caller }) => {
      const { objects, ...home } = await monitor.home(caller.organization.namespace);
      const { currency, perHour } = costs(caller);
      const costOf = ({ type, object }: { type: MonitorType; object: string }) => {
        const amount = perHour(type, object);
        return amount === undefined ? null : moneyText(amount);
      };
      return { ...home, currency, objects: objects.map((one) => ({ ...one, per_hour: costOf(one) })) };
    }),
    serve(R.topology, ({ caller }) => topology(caller)),
    serve(R.topologyMeta, async ({ caller }) => {
      const { nodes, edges } = await topology(caller);
      const counts = new Map<string, number>();
      for (const { type } of nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
      return {
        types: [...counts].map(([type, count]) => ({ type, count })),
        relations: [...new Set(edges.map(({ relation }) => relation))],
      };
    }),
    serve(R.metrics, ({ caller }) => monitor.names(caller.organization.namespace)),
    serve(CLUSTER_METRICS_ROUTES.clusterMetrics, ({ query }) => monitor.cluster(query.hours)),
    serve(R.metric, ({ caller, query }) => monitor.metric(caller.organization.namespace, query.name)),
  ];
}
