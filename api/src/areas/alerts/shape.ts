// How policies of equal shape become one query: the same metric over the same period, of every organisation at once. A query of
// one's own is confined to its organisation and shared by nobody. Pure.
import type { AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import { MODEL_SECONDS, MODEL_WAITING } from '@gantry/contract/alerts/model-series.ts';
import { TUNE_LOSS, TUNE_STEP_AGE, TUNE_TOKENS } from '@gantry/contract/alerts/tune-series.ts';
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import {
  CARD_SERIES,
  cpuOfPods,
  memoryOfPods,
  memoryShareOfCards,
  type Over,
  ofCards,
  select,
} from '../../platform/prometheus/measures.ts';

const OVER: Readonly<Record<AlertPolicySpec['aggregation'], string>> = {
  Average: 'avg_over_time',
  Maximum: 'max_over_time',
  Minimum: 'min_over_time',
  Sum: 'sum_over_time',
  Last: 'last_over_time',
};

/** A metric's expression: `over` aggregates a selector over the period, `rate` makes a counter's rate of it. */
type Expression = (over: Over, rate: Over, scope: readonly string[]) => string;

const gauge =
  (name: string): Expression =>
  (over, _rate, scope) =>
    ofCards(name, over, scope);

/** Every gateway says the same of an object. */
const ofObjects =
  (name: string): Expression =>
  (over, _rate, scope) =>
    `max by (namespace, kind, object) (${over(select(name, scope))})`;

const EXPRESSIONS: Readonly<Partial<Record<AlertMetricName, Expression>>> = {
  GpuUtilization: gauge(CARD_SERIES.utilization),
  GpuMemory: (over, _rate, scope) => memoryShareOfCards(over, scope),
  GpuTemperature: gauge(CARD_SERIES.temperature),
  GpuPower: gauge(CARD_SERIES.power),
  GpuXid: gauge(CARD_SERIES.xid),
  CpuCores: (_over, rate, scope) => cpuOfPods(rate, scope),
  MemoryBytes: (over, _rate, scope) => memoryOfPods(over, scope),
  ModelQueue: (over, _rate, scope) => `sum by (namespace, kind, object) (${over(select(MODEL_WAITING, scope))})`,
  RequestSeconds: (_over, rate, scope) =>
    `histogram_quantile(0.95, sum by (namespace, kind, object, le) (${rate(select(`${MODEL_SECONDS}_bucket`, scope))}))`,
  TuneLoss: ofObjects(TUNE_LOSS),
  TuneTokens: ofObjects(TUNE_TOKENS),
  TuneStepAge: ofObjects(TUNE_STEP_AGE),
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
  /** A query of one organisation alone, written by it. */
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
      const over: Over = (selector) => `${OVER[aggregation]}(${selector}[${periodSeconds}s]${offset})`;
      const rate: Over = (selector) => `rate(${selector}[${range}]${offset})`;
      return expression(over, rate, [scopeOf(namespaces)]);
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
