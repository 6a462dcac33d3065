// Metrics of the organisation of the token, and the cluster's own for the platform's staff.
import { CLUSTER_METRICS_ROUTES } from '@gantry/contract/http/admin-monitor.ts';
import { MONITOR_ROUTES as R, type TopologyView } from '@gantry/contract/http/monitor.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import type { Caller } from '../identity/caller.ts';
import type { Monitor } from '../monitor/monitor.ts';
import { type Served, serve } from './serve.ts';

export interface MonitorRouteParts {
  monitor: Pick<Monitor, 'query' | 'metrics' | 'partMetrics' | 'home' | 'names' | 'metric' | 'cluster'>;
  exists(type: MonitorType, namespace: string, name: string): boolean;
  topology(caller: Caller): TopologyView;
}

export function monitorRoutes({ monitor, exists, topology }: MonitorRouteParts): Served[] {
  const known = ({ organization: { namespace } }: Caller, type: MonitorType, names: readonly string[]) => {
    const missing = names.find((name) => !exists(type, namespace, name));
    if (missing !== undefined) throw problem('not_found', { what: missing });
    return namespace;
  };
  return [
    serve(R.overallQuery, ({ caller, body }) => monitor.metrics(caller.organization.namespace, body)),
    serve(R.query, ({ caller, body: { query, ...window } }) =>
      monitor.query(caller.organization.namespace, query, window),
    ),
    serve(R.serviceQuery, ({ caller, body: { objects, ...asked } }) =>
      monitor.metrics(known(caller, asked.type, objects), asked, objects),
    ),
    serve(R.podQuery, ({ caller, body: { object, ...asked } }) =>
      monitor.partMetrics(known(caller, asked.type, [object]), asked, object),
    ),
    serve(R.homeQuery, ({ caller }) => monitor.home(caller.organization.namespace)),
    serve(R.topology, ({ caller }) => topology(caller)),
    serve(R.topologyMeta, ({ caller }) => {
      const { nodes, edges } = topology(caller);
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
