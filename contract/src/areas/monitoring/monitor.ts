// The present and past usage of the organisation's objects, as Prometheus knows it. Missing data is null, never 0.
import * as z from 'zod';
import { money } from '../../fields/amounts.ts';
import { dateTime } from '../../fields/date-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { MONITOR_TYPES, OBJECT_METRIC_NAMES } from '../../monitor/metrics.ts';
import { LEAST_STEP } from '../../monitor/ranges.ts';

const tag = 'monitor';
const access = { right: 'view' } as const;
const MOST_OBJECTS = 50;
const MOST_SHIFT_SECONDS = 366 * 86_400;
const metricName = z.string().regex(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/);

const window = {
  start: dateTime.meta({ description: 'Rounded down to a whole step.' }),
  end: dateTime.meta({ description: 'Rounded down to a whole step.' }),
  step: z.int().min(LEAST_STEP).max(31_536_000).optional().meta({
    description:
      'Seconds. Where absent: one minute for up to a day, five for up to seven days, an hour for up to thirty, a day for up to a year, else a week.',
  }),
};
const metrics = z.array(z.enum(OBJECT_METRIC_NAMES)).min(1).max(OBJECT_METRIC_NAMES.length);
const timeShift = z.int().min(1).max(MOST_SHIFT_SECONDS).optional().meta({
  description: 'Seconds. Then `shifted` has the same series so much earlier, on the same axis of time.',
});
const objects = z.array(objectId).min(1).max(MOST_OBJECTS);

const points = z.array(z.number().nullable()).meta({ description: 'One for each step; null: no data.' });
const answered = {
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  step: z.int(),
  warnings: z.array(z.string()).meta({ description: 'Why the answer is not whole, in words of Prometheus.' }),
};
const series = z.array(
  z.object({
    object: z.string().meta({ description: 'The id of an object, or the name of a Pod or node.' }),
    points,
  }),
);
const metricsView = z.object({
  ...answered,
  metrics: z.array(
    z.object({
      metric: z.enum(OBJECT_METRIC_NAMES),
      unit: z.string(),
      series,
      shifted: series.nullable().meta({ description: 'Null without timeShift.' }),
    }),
  ),
});
export type MonitorMetricsView = z.input<typeof metricsView>;

const queryView = z.object({
  ...answered,
  series: z.array(z.object({ labels: z.record(z.string(), z.string()), points })),
});
export type MonitorQueryView = z.input<typeof queryView>;

const card = z.object({
  uuid: z.string(),
  gpu: z.string().meta({ description: 'Its number on its node.' }),
  node: z.string(),
  model: z.string(),
  mig: z.string().nullable().meta({ description: 'Which MIG instance of the GPU it is; null: all of it.' }),
  type: z.enum(MONITOR_TYPES),
  object: z.string(),
  pod: z.string(),
  container: z.string().meta({ description: "Of the Pod. NVIDIA's exporter tells no processes apart." }),
  utilization: z.number().nullable(),
  memory: z.number().nullable().meta({ description: 'Percent of its memory.' }),
  temperature: z.number().nullable(),
  power: z.number().nullable(),
  xid: z.int().nullable().meta({ description: 'The number of its last error; null: none is known.' }),
});
const homeView = z.object({
  time: z.iso.datetime(),
  cards: z
    .array(card)
    .meta({ description: 'Every GPU or MIG instance of one that an object of the organisation holds, as it is now.' }),
  objects: z.array(
    z.object({
      type: z.enum(MONITOR_TYPES),
      object: z.string(),
      cpu: z.number().nullable(),
      memory: z.number().nullable(),
      gpu: z.number().nullable().meta({ description: 'Percent, the mean of its cards.' }),
      cards: z.int(),
      per_hour: money.nullable().meta({ description: 'What it costs now; null: nothing, or not by the hour.' }),
    }),
  ),
  currency: z.string(),
});
export type MonitorHomeView = z.input<typeof homeView>;

const flow = z.object({
  seconds: z.int().meta({ description: 'Of how many seconds, up to now: between four and five minutes.' }),
  requests: z.int(),
  errors: z.int().meta({ description: 'Those of them that were answered with 5xx.' }),
});
export type FlowView = z.input<typeof flow>;
const topologyView = z.object({
  nodes: z.array(
    z.object({
      id: z.string().meta({
        description:
          '`<type>/<id>`; `clients` stands for whoever calls. `alias/<name>` is a name for several models, `replica/<type>/<id>/<Pod>` one of what is served.',
      }),
      type: z.string(),
      name: z.string(),
      phase: z.string().nullable(),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      relation: z.enum(['runsOn', 'mounts', 'calls']),
      requests_per_second: z.number().nullable().meta({
        description:
          'Of `calls` from `clients`: requests from outside to a published service or a model, by whichever name, over the last ten seconds; null: not known. Of other `calls` see `flow`. Other traffic is not measured: null.',
      }),
      flow: flow.nullish().meta({
        description:
          'Of `calls`: what the gateways have passed on, health checks apart; null: not known. Traffic between Pods is not measured.',
      }),
    }),
  ),
});
export type TopologyView = z.input<typeof topologyView>;
const topologyMeta = z.object({
  types: z.array(z.object({ type: z.string(), count: z.int() })),
  relations: z.array(z.string()),
});

const metricView = z.object({ name: z.string(), type: z.string().nullable(), help: z.string().nullable() });
const labelsView = z.object({
  labels: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  is_cut: z.boolean().meta({ description: 'There are more series than were looked at.' }),
});

/** Whatever asks Prometheus may be answered so. */
export const ASKING: readonly ProblemCode[] = ['monitor_off', 'monitor_away', 'monitor_too_much', 'monitor_window'];
/** Why a query is not asked at all. */
export const QUERY_REFUSALS: readonly ProblemCode[] = [
  'monitor_query_syntax',
  'monitor_query_letters',
  'monitor_query_length',
  'monitor_query_info',
  'monitor_query_comment',
  'monitor_query_hidden',
  'monitor_query_selectors',
  'monitor_query_duration',
  'monitor_query_steps',
  'monitor_query_labels',
];
const ask = { method: 'POST', tag, access, asks: true } as const;

export const MONITOR_ROUTES = {
  overallQuery: defineRoute({
    ...ask,
    id: 'monitorOverallQuery',
    path: '/monitor/v1/overall-query/',
    summary: 'What all objects of a type have used, a series for each of them, at most 50: those that used most.',
    body: z.strictObject({ metrics, type: z.enum(MONITOR_TYPES), ...window, timeShift }),
    answer: { result: metricsView },
    problems: ASKING,
  }),
  query: defineRoute({
    ...ask,
    id: 'monitorQuery',
    path: '/monitor/v1/query/',
    summary: "PromQL over the organisation's series: every selector is confined to its namespace.",
    body: z.strictObject({ query: z.string().min(1).max(4096), ...window }),
    answer: { result: queryView },
    problems: [...ASKING, 'monitor_refused', ...QUERY_REFUSALS],
  }),
  serviceQuery: defineRoute({
    ...ask,
    id: 'monitorServiceQuery',
    path: '/monitor/v1/service-query',
    summary: 'What objects have used, a series for each, side by side.',
    body: z.strictObject({ metrics, type: z.enum(MONITOR_TYPES), objects, ...window, timeShift }),
    answer: { result: metricsView },
    problems: [...ASKING, 'not_found'],
  }),
  podQuery: defineRoute({
    ...ask,
    id: 'monitorPodQuery',
    path: '/monitor/v1/pod-query',
    summary: 'What the Pods of one object have used, or the nodes of a host, a series for each.',
    body: z.strictObject({ metrics, type: z.enum(MONITOR_TYPES), object: objectId, ...window, timeShift }),
    answer: { result: metricsView },
    problems: [...ASKING, 'not_found'],
  }),
  homeQuery: defineRoute({
    ...ask,
    id: 'monitorHomeQuery',
    path: '/monitor/v1/home-query/',
    summary: 'What the organisation uses now: each of its GPUs, and each object.',
    body: z.strictObject({}),
    answer: { result: homeView },
    problems: ASKING,
  }),
  topology: defineRoute({
    id: 'getTopology',
    method: 'GET',
    path: '/monitor/v1/observe/topov2/',
    tag,
    access,
    summary: "The organisation's objects, how they hang together, and how many requests reach them.",
    answer: { result: topologyView },
    problems: [],
  }),
  topologyMeta: defineRoute({
    id: 'getTopologyMeta',
    method: 'GET',
    path: '/monitor/v1/observe/topo/meta/',
    tag,
    access,
    summary: 'What kinds of objects and relations the topology has, and how many.',
    answer: { result: topologyMeta },
    problems: [],
  }),
  metrics: defineRoute({
    id: 'listMonitorMetrics',
    method: 'GET',
    path: '/monitor/v1/metric',
    tag,
    access,
    summary: 'The names of all metrics of which the organisation has series, in the last day.',
    answer: { result: z.array(z.string()) },
    problems: ASKING,
  }),
  metric: defineRoute({
    id: 'getMonitorMetric',
    method: 'GET',
    path: '/monitor/v1/metric/detail',
    tag,
    access,
    summary: 'What a metric means, as its exporter says, and the labels of its series with their values.',
    query: z.strictObject({ name: metricName }),
    answer: { result: metricView.extend(labelsView.shape) },
    problems: [...ASKING, 'not_found'],
  }),
};
