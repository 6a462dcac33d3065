// How the cluster itself is, in the operators' menu "operation": its nodes, its GPUs, and the platform's own processes, over time.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';

export const CLUSTER_PANELS = [
  'gpusBusy',
  'gpuUtilization',
  'gpuHottest',
  'gpuFaulty',
  'nodeCpu',
  'nodeMemory',
  'nodeDisk',
  'containersWaiting',
  'containersRestarted',
  'calls',
  'callsFailed',
  'targetsDown',
] as const;
export type ClusterPanel = (typeof CLUSTER_PANELS)[number];

const clusterMetrics = z.object({
  start: z.iso.datetime(),
  step: z.int(),
  panels: z.array(
    z.object({
      panel: z.enum(CLUSTER_PANELS),
      unit: z.string(),
      series: z.array(z.object({ name: z.string(), points: z.array(z.number().nullable()) })),
    }),
  ),
});
export type ClusterMetricsView = z.input<typeof clusterMetrics>;

export const CLUSTER_METRICS_ROUTES = {
  clusterMetrics: defineRoute({
    id: 'adminClusterMetrics',
    method: 'GET',
    path: '/admin/cluster-metrics',
    tag: 'admin',
    summary: 'The cluster over the last hours: GPUs, nodes, and the platform itself. Missing data is null.',
    access: { platform: 'operation' },
    query: z.strictObject({ hours: z.coerce.number().int().min(1).max(720).default(1) }),
    answer: { raw: clusterMetrics },
    problems: ['monitor_off', 'monitor_away', 'monitor_too_much'],
  }),
};
