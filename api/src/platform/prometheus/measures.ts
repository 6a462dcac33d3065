// The measures of Pods and their cards, in PromQL: one definition of each, for pages, alarms and scaling alike. Pure.

/** A selector's values over a window become one: `avg_over_time(…[60s])`, `rate(…[60s] offset 7d)`. */
export type Over = (selector: string) => string;

export const select = (metric: string, matchers: readonly string[]): string => `${metric}{${matchers.join(',')}}`;

/** NVIDIA's exporter's names. */
export const CARD_SERIES = {
  utilization: 'DCGM_FI_DEV_GPU_UTIL',
  /** In MiB. */
  used: 'DCGM_FI_DEV_FB_USED',
  free: 'DCGM_FI_DEV_FB_FREE',
  temperature: 'DCGM_FI_DEV_GPU_TEMP',
  power: 'DCGM_FI_DEV_POWER_USAGE',
  xid: 'DCGM_FI_DEV_XID_ERRORS',
} as const;

/** The sum of a Pod's containers, or, where the kubelet does not tell them apart, what its own group has. */
export function ofPods(metric: string, over: Over, matchers: readonly string[]): string {
  const sum = (...more: string[]) => `sum by (namespace, pod) (${over(select(metric, [...matchers, ...more]))})`;
  return `(${sum('container!=""', 'container!="POD"')} or ${sum('container=""', 'pod!=""')})`;
}

/** Cores, where `rate` makes a counter's rate. */
export const cpuOfPods = (rate: Over, matchers: readonly string[]): string =>
  ofPods('container_cpu_usage_seconds_total', rate, matchers);

export const MEMORY = 'container_memory_working_set_bytes';
export const memoryOfPods = (over: Over, matchers: readonly string[]): string => ofPods(MEMORY, over, matchers);

/** NVIDIA's exporter has no utilisation of a MIG instance, but the share of the time that its engine was active, from 0 to 1. */
export const ofCards = (metric: string, over: Over, matchers: readonly string[]): string => {
  const own = over(select(metric, matchers));
  const engine = () => over(select('DCGM_FI_PROF_GR_ENGINE_ACTIVE', [...matchers, 'GPU_I_ID!=""']));
  return metric === CARD_SERIES.utilization ? `(${own} or 100 * ${engine()})` : own;
};

/** In percent. */
export function memoryShareOfCards(over: Over, matchers: readonly string[]): string {
  const used = over(select(CARD_SERIES.used, matchers));
  return `100 * ${used} / (${used} + ${over(select(CARD_SERIES.free, matchers))})`;
}
