// The marks of a policy's rules in a chart of its values.
import { ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import type { PolicyView } from '@gantry/contract/kinds/alert-policy.ts';

type Rules = readonly Pick<PolicyView['spec']['rules'][number], 'type' | 'value'>[];

/** The limits of rules that look at the value itself; the others compare its change with theirs. */
export const limitsOf = (rules: Rules): number[] =>
  rules.flatMap(({ type = 'Threshold', value }) => (type === 'Threshold' && value !== undefined ? [value] : []));

/** None of a query, nor where charts have no such unit. */
export const unitOf = (metric: string): string =>
  Object.hasOwn(ALERT_METRICS, metric) ? ALERT_METRICS[metric as AlertMetricName].unit : 'none';

const LEAST_STEP = 15;
const MOST_POINTS = 300;
const AROUND_S = 1_800;

/**
 * The time window around an alarm: half an hour before and after it, in seconds since 1970. `now` in milliseconds; the same within one
 * step, so that a page that polls asks seldom.
 */
export function windowAround(fromMs: number, toMs: number | undefined, nowMs: number) {
  const [from, to] = [fromMs / 1_000 - AROUND_S, Math.min((toMs ?? nowMs) / 1_000 + AROUND_S, nowMs / 1_000)];
  const step = LEAST_STEP * Math.max(1, Math.ceil((to - from) / MOST_POINTS / LEAST_STEP));
  return {
    start: Math.floor(from / step) * step,
    end: Math.max(Math.floor(to / step), Math.floor(from / step) + 1) * step,
    step,
  };
}
