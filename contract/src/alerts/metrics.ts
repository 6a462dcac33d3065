// The metrics that an alert policy can name. `prometheus`: its history can be queried; the others are what the platform knows now.
import type { Words } from '../define-kind.ts';
import { worded } from '../words/join.ts';
import { alertWords } from './words.ts';

/** Kinds whose objects policies watch. */
export const WATCHED_KINDS = [
  'GpuInstance',
  'Job',
  'ContainerService',
  'ModelDeployment',
  'DataProcess',
  'FineTune',
  'Evaluation',
  'GpuHost',
  'DataDisk',
  'Organization',
] as const;
export type WatchedKind = (typeof WATCHED_KINDS)[number];

export interface AlertMetric extends Words {
  unit: 'percent' | 'celsius' | 'watts' | 'cores' | 'bytes' | 'seconds' | 'hours' | 'count';
  source: 'prometheus' | 'platform';
  /** The kinds whose objects have it. */
  kinds: readonly WatchedKind[];
}

const ON_GPUS = ['GpuInstance', 'Job', 'ContainerService', 'ModelDeployment', 'FineTune'] as const;
const IN_PODS = [...ON_GPUS, 'DataProcess', 'Evaluation'] as const;
const ROWS = {
  GpuUtilization: { unit: 'percent', source: 'prometheus', kinds: ON_GPUS },
  GpuMemory: { unit: 'percent', source: 'prometheus', kinds: ON_GPUS },
  GpuTemperature: { unit: 'celsius', source: 'prometheus', kinds: ON_GPUS },
  GpuPower: { unit: 'watts', source: 'prometheus', kinds: ON_GPUS },
  GpuXid: { unit: 'count', source: 'prometheus', kinds: ON_GPUS },
  CpuCores: { unit: 'cores', source: 'prometheus', kinds: IN_PODS },
  MemoryBytes: { unit: 'bytes', source: 'prometheus', kinds: IN_PODS },
  ModelQueue: { unit: 'count', source: 'prometheus', kinds: ['ModelDeployment'] },
  RequestSeconds: { unit: 'seconds', source: 'prometheus', kinds: ['ModelDeployment'] },
  TuneLoss: { unit: 'count', source: 'prometheus', kinds: ['FineTune'] },
  TuneTokens: { unit: 'count', source: 'prometheus', kinds: ['FineTune'] },
  TuneStepAge: { unit: 'seconds', source: 'prometheus', kinds: ['FineTune'] },
  DiskUsed: { unit: 'percent', source: 'platform', kinds: ['DataDisk'] },
  Failed: { unit: 'count', source: 'platform', kinds: [...IN_PODS, 'GpuHost', 'DataDisk'] },
  CreditHours: { unit: 'hours', source: 'platform', kinds: ['Organization'] },
} as const satisfies Record<string, Omit<AlertMetric, keyof Words>>;

export type AlertMetricName = keyof typeof ROWS;
export const ALERT_METRICS: Readonly<Record<AlertMetricName, AlertMetric>> = worded(alertWords.metrics, ROWS);
export const ALERT_METRIC_NAMES = Object.keys(ROWS) as [AlertMetricName, ...AlertMetricName[]];
