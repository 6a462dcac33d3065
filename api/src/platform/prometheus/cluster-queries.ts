// PromQL for the operators' dashboards, over everybody's series. Nothing in it comes from outside, so no tenant's text gets here.
import type { ClusterPanel } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import type { MetricUnit } from '@gantry/contract/monitor/metrics.ts';

interface PanelQuery {
  readonly unit: MetricUnit;
  /** By the length of a step, such as `60s`. */
  query(window: string): string;
  /** The label that names a series. */
  readonly by: string;
}

const model = 'modelName';
/** Other programs count their calls under the same name. */
const CALLS = 'http_request_duration_seconds_count{job=~"(.*/)?gantry-gateway"';
const TENANTS = 'namespace=~"org-.+"';
const REAL_FILES = 'fstype!~"tmpfs|overlay|squashfs",mountpoint="/"';

/** How busy all of the cluster is now, in percent: idle cards count. */
export const MEASURED_QUERIES = {
  gpu: 'avg(DCGM_FI_DEV_GPU_UTIL)',
  cpu: '100 * (1 - avg(rate(node_cpu_seconds_total{mode="idle"}[2m])))',
  memory: '100 * (1 - sum(node_memory_MemAvailable_bytes) / sum(node_memory_MemTotal_bytes))',
} as const;

export const CLUSTER_QUERIES: Readonly<Record<ClusterPanel, PanelQuery>> = {
  gpusBusy: { unit: 'count', by: model, query: () => `count by (${model}) (DCGM_FI_DEV_GPU_UTIL{pod!=""})` },
  gpuUtilization: {
    unit: 'percent',
    by: model,
    query: (window) => `avg by (${model}) (avg_over_time(DCGM_FI_DEV_GPU_UTIL{pod!=""}[${window}]))`,
  },
  gpuHottest: {
    unit: 'celsius',
    by: model,
    query: (window) => `max by (${model}) (max_over_time(DCGM_FI_DEV_GPU_TEMP[${window}]))`,
  },
  gpuFaulty: { unit: 'count', by: model, query: () => `count by (${model}) (DCGM_FI_DEV_XID_ERRORS > 0)` },
  nodeCpu: {
    unit: 'percent',
    by: 'instance',
    query: (window) => `100 * (1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[${window}])))`,
  },
  nodeMemory: {
    unit: 'percent',
    by: 'instance',
    query: () => '100 * (1 - max by (instance) (node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes))',
  },
  nodeDisk: {
    unit: 'percent',
    by: 'instance',
    query: () =>
      `100 * (1 - max by (instance) (node_filesystem_avail_bytes{${REAL_FILES}} / node_filesystem_size_bytes{${REAL_FILES}}))`,
  },
  // Series of tenants' Pods, by kube-state-metrics.
  containersWaiting: {
    unit: 'count',
    by: 'reason',
    query: () => `sum by (reason) (kube_pod_container_status_waiting_reason{${TENANTS}})`,
  },
  containersRestarted: {
    unit: 'count',
    by: '',
    query: (window) => `sum(increase(kube_pod_container_status_restarts_total{${TENANTS}}[${window}]))`,
  },
  calls: {
    unit: 'count',
    by: 'status',
    query: (window) => `sum by (status) (rate(${CALLS}}[${window}]))`,
  },
  callsFailed: {
    unit: 'percent',
    by: '',
    query: (window) => `100 * sum(rate(${CALLS},status="5xx"}[${window}])) / sum(rate(${CALLS}}[${window}]))`,
  },
  targetsDown: { unit: 'count', by: 'job', query: () => 'count by (job) (up == 0)' },
};
