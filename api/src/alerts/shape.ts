// How policies of equal shape become one query: the same metric over the same period, of every organisation at once. A query of
// one's own is confined to its organisation and shared by nobody. Pure.
import type { AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import { MODEL_SECONDS, MODEL_WAITING } from '@gantry/contract/alerts/model-series.ts';
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';

const OVER: Readonly<Record<AlertPolicySpec['aggregation'], string>> = {
  Average: 'avg_over_time',
  Maximum: 'max_over_time',
  Minimum: 'min_over_time',
  Sum: 'sum_over_time',
  Last: 'last_over_time',
};

/** A metric's expression. `over(selector)` aggregates one over the period; `at` is a range with its offset. */
type Expression = (over: (selector: string) => string, range: string, scope: string, offset: string) => string;

const gauge =
  (name: string): Expression =>
  (over, _range, scope) =>
    over(`${name}{${scope}}`);

const EXPRESSIONS: Readonly<Partial<Record<AlertMetricName, Expression>>> = {
  // DCGM has no utilisation of a MIG instance, but the share of the time that its engine was active, from 0 to 1.
  GpuUtilization: (over, _range, scope) =>
    `(${over(`DCGM_FI_DEV_GPU_UTIL{${scope}}`)} or 100 * ${over(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{${scope},GPU_I_ID!=""}`)})`,
  GpuMemory: (over, _range, scope) => {
    const used = over(`DCGM_FI_DEV_FB_USED{${scope}}`);
    return `100 * ${used} / (${used} + ${over(`DCGM_FI_DEV_FB_FREE{${scope}}`)})`;
  },
  GpuTemperature: gauge('DCGM_FI_DEV_GPU_TEMP'),
  GpuPower: gauge('DCGM_FI_DEV_POWER_USAGE'),
  GpuXid: gauge('DCGM_FI_DEV_XID_ERRORS'),
  CpuCores: (_over, range, scope, offset) =>
    `sum by (namespace, pod) (rate(container_cpu_usage_seconds_total{${scope},container!=""}[${range}]${offset}))`,
  MemoryBytes: (over, _range, scope) =>
    `sum by (namespace, pod) (${over(`container_memory_working_set_bytes{${scope},container!=""}`)})`,
  ModelQueue: (over, _range, scope) => `sum by (namespace, kind, object) (${over(`${MODEL_WAITING}{${scope}}`)})`,
  RequestSeconds: (_over, range, scope, offset) =>
    `histogram_quantile(0.95, sum by (namespace, kind, object, le) (rate(${MODEL_SECONDS}_bucket{${scope}}[${range}]${offset})))`,
};
/** A rate needs two scrapes within its range. */
const LEAST_RATE_SECONDS = 60;

/** Everything that decides what is asked. Those with one key are asked for at once. */
export interface Shape {
  key: string;
  periodSeconds: number;
  /** Absent: what the platform itself knows. */
  queryAt?(namespaces: readonly string[], ago: Ago): string;
  metric?: AlertMetricName;
  /** Of one organisation alone, written by it. */
  own?: { namespace: string; query: string };
}
export type Ago = 'now' | 'period' | 'week';

/** The first shape that a policy's value is found by. */
export function shapeOf({ spec, metadata: { namespace = '' } }: AlertPolicy): Shape {
  const { metric, query, aggregation, periodSeconds } = spec;
  if (query !== undefined || metric === undefined) {
    const own = { namespace, query: query ?? '' };
    return { key: JSON.stringify(['own', namespace, query, periodSeconds]), periodSeconds, own };
  }
  const key = JSON.stringify([metric, aggregation, periodSeconds]);
  const expression = EXPRESSIONS[metric];
  if (ALERT_METRICS[metric].source === 'platform' || !expression) return { key, periodSeconds, metric };
  return {
    key,
    periodSeconds,
    metric,
    queryAt(namespaces, ago) {
      const offset = offsetOf(ago, periodSeconds);
      const range = `${Math.max(periodSeconds, LEAST_RATE_SECONDS)}s`;
      const over = (selector: string) => `${OVER[aggregation]}(${selector}[${periodSeconds}s]${offset})`;
      return expression(over, range, scopeOf(namespaces), offset);
    },
  };
}

const offsetOf = (ago: Ago, periodSeconds: number): string =>
  ago === 'now' ? '' : ` offset ${ago === 'week' ? 7 * 86_400 : periodSeconds}s`;

/** Namespaces are DNS labels: nothing in them means anything in a pattern, or in a string. */
function scopeOf(namespaces: readonly string[]): string {
  const labels = namespaces.filter((one) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(one));
  return `namespace=~"${labels.join('|')}"`;
}
