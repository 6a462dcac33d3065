// The metrics of objects in charts, by their names on the wire. The gateway knows the query for each.

export type MetricUnit = 'cores' | 'bytes' | 'bytesPerSecond' | 'percent' | 'celsius' | 'watts' | 'count';

export const OBJECT_METRICS = {
  cpu: 'cores',
  memory: 'bytes',
  network_receive: 'bytesPerSecond',
  network_transmit: 'bytesPerSecond',
  disk_read: 'bytesPerSecond',
  disk_write: 'bytesPerSecond',
  gpu: 'percent',
  gpu_memory: 'bytes',
  gpu_temperature: 'celsius',
  gpu_power: 'watts',
  gpu_cards: 'count',
} as const satisfies Record<string, MetricUnit>;
export type ObjectMetric = keyof typeof OBJECT_METRICS;
export const OBJECT_METRIC_NAMES = Object.keys(OBJECT_METRICS) as ObjectMetric[];

/** Types of objects that have metrics: the kinds that run something, and rented nodes. */
export const MONITOR_TYPES = [
  'instance',
  'job',
  'service',
  'deployment',
  'processing',
  'finetune',
  'evaluation',
  'host',
] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];
/** The kind of the objects of a type; a host is nodes. */
export const MONITOR_KINDS = {
  instance: 'GpuInstance',
  job: 'Job',
  service: 'ContainerService',
  deployment: 'ModelDeployment',
  processing: 'DataProcess',
  finetune: 'FineTune',
  evaluation: 'Evaluation',
  host: 'GpuHost',
} as const satisfies Record<MonitorType, string>;
