// The queries that a tenant may send to Prometheus, with their limits; and the pages' metrics of the organisation's objects.

import { CLUSTER_PANELS, type ClusterMetricsView } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import type {
  MonitorHomeView,
  MonitorMetricsView,
  MonitorQueryView,
} from '@gantry/contract/areas/monitoring/monitor.ts';
import { type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import {
  MONITOR_KINDS,
  MONITOR_TYPES,
  type MonitorType,
  OBJECT_METRICS,
  type ObjectMetric,
} from '@gantry/contract/monitor/metrics.ts';
import { MOST_POINTS, MOST_RANGE, stepOf } from '@gantry/contract/monitor/ranges.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Answers } from '../../platform/prometheus/answers.ts';
import { CLUSTER_QUERIES } from '../../platform/prometheus/cluster-queries.ts';
import type { Answer, Labels, Range, Sample, Series, SeriesText } from '../../platform/prometheus/decode-answer.ts';
import { HIDDEN_LABELS, visible } from '../../platform/prometheus/hidden-labels.ts';
import { cardsQuery, objectQuery, partLabel, partQuery } from '../../platform/prometheus/object-queries.ts';
import { problemOf } from '../../platform/prometheus/problem-of.ts';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import { scopeQuery } from '../../platform/prometheus/scope-query.ts';

export interface MonitorParts {
  /** Absent: there are no metrics. */
  prometheus?: Prometheus | undefined;
  clock: Clock;
}

type HomeObject = MonitorHomeView['objects'][number];
/** Without what it costs, which Prometheus does not know. */
export type MeasuredHome = Pick<MonitorHomeView, 'time' | 'cards'> & { objects: Omit<HomeObject, 'per_hour'>[] };

/** Its series are the text of their JSON. */
export type QueryAnswer = Omit<MonitorQueryView, 'series'> & { series: string };

/** Likewise its metrics. */
export type MetricsAnswer = Omit<MonitorMetricsView, 'metrics'> & { metrics: string };

export interface Window {
  start: string;
  end: string;
  step?: number | undefined;
}
export interface AskedMetrics extends Window {
  metrics: readonly ObjectMetric[];
  type: MonitorType;
  timeShift?: number | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The budget that the operators' dashboards spend; no organisation's namespace. */
const PLATFORM = 'platform';
/** The limits of a tenant's query. */
const LIMITS = { mostSeries: 200, mostBytes: 8 * 1024 * 1024, deadlineMs: 10_000 };
/** The limits of queries for one moment, and for names: these are read on the loop that serves everybody. */
const SMALL_LIMITS = { ...LIMITS, mostBytes: 1024 * 1024 };
const MOST_OBJECTS = 50;
/** The most points of all metrics of one answer. */
const MOST_ANSWER_POINTS = 1_000_000;
const MOST_SERIES_LOOKED_AT = 2_000;
const MOST_VALUES = 100;
const HOME_MS = 15_000;
const NAMES_MS = 60_000;
/** An answer whose end has passed changes no more, but for samples that are late. */
const KEEP_MS = 300_000;

export class Monitor {
  readonly #parts: MonitorParts;
  readonly #answers: Answers;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    this.#answers = new Answers(parts.clock);
  }

  /** PromQL of a tenant. The same object as long as the answer is kept. */
  async query(namespace: string, query: string, asked: Window): Promise<QueryAnswer> {
    const scoped = scopeQuery(query, namespace);
    if ('refused' in scoped)
      throw problem(`monitor_query_${scoped.refused}` satisfies ProblemCode, { at: scoped.at + 1 });
    const range = rangeOf(asked);
    return this.#ask(namespace, `text ${keyOf(range, scoped.query)}`, KEEP_MS, async (prometheus) => {
      const { series, warnings } = await prometheus.rangeText(scoped.query, range, { ...LIMITS, lane: namespace });
      const texts = series.map(
        ({ labels, points }) => `{"labels":${JSON.stringify(visible(labels))},"points":${points}}`,
      );
      return { ...said(range), warnings, series: `[${texts.join(',')}]` };
    });
  }

  /** A series for each object of a type; of the 50 that used most where none is named. */
  metrics(namespace: string, asked: AskedMetrics, objects?: readonly string[]): Promise<MetricsAnswer> {
    return this.#metrics(asked, namespace, 'object', (metric, stepMs) => {
      const all = objectQuery(metric, { namespace, type: asked.type, ...(objects && { objects }), stepMs });
      return objects ? all : `topk(${MOST_OBJECTS}, ${all})`;
    });
  }

  /** A series for each Pod or node of one object. */
  partMetrics(namespace: string, asked: AskedMetrics, object: string): Promise<MetricsAnswer> {
    return this.#metrics(asked, namespace, partLabel(asked.type), (metric, stepMs) =>
      partQuery(metric, { namespace, type: asked.type, objects: [object], stepMs }),
    );
  }

  /** Each card and each object, as they are now. */
  async home(namespace: string): Promise<MeasuredHome> {
    const time = Math.floor(this.#parts.clock.now() / HOME_MS) * HOME_MS;
    const now = (query: string) => this.#instant(namespace, query, time);
    const asked = { namespace, stepMs: 0 };
    const of = async (metric: ObjectMetric) =>
      (
        await Promise.all(
          MONITOR_TYPES.map(async (type) =>
            (await now(objectQuery(metric, { ...asked, type }))).series.map(typed(type)),
          ),
        )
      ).flat();
    const [temperature, ...measured] = await Promise.all(
      ['DCGM_FI_DEV_GPU_TEMP', ...CARD_METRICS].map((metric) => now(cardsQuery(metric, namespace))),
    );
    const [util, used, free, power, xid] = measured.map((answer) => byCard(answer));
    const [cpu, memory, gpu, cards] = await Promise.all(OBJECT_NOW.map(of));
    const valueIn = (rows: ReturnType<ReturnType<typeof typed>>[] | undefined, type: string, object: string) =>
      finite(rows?.find((row) => row.type === type && row.object === object)?.value);
    const objects = new Map(
      [cpu, memory, gpu, cards].flatMap((rows) => (rows ?? []).map((row) => [`${row.type}/${row.object}`, row])),
    );
    return {
      time: rfc3339(time),
      cards: (temperature?.series ?? []).flatMap(({ labels, value }) => {
        const { UUID: uuid = '', gpu = '', Hostname: node = '', modelName = '', GPU_I_PROFILE: profile } = labels;
        const { GPU_I_ID: mig = null, pod = '', container = '', object = '' } = labels;
        const type = MONITOR_TYPES.find((one) => MONITOR_KINDS[one] === labels.kind);
        if (!type) return [];
        const key = cardOf(labels);
        // As nodes with MIG instances alone call theirs.
        const model = profile ? `${modelName} MIG ${profile}` : modelName;
        const [usedMi, freeMi] = [used?.get(key), free?.get(key)];
        const memory = usedMi === undefined || freeMi === undefined ? undefined : (100 * usedMi) / (usedMi + freeMi);
        return [
          {
            ...{ uuid, gpu, node, model, mig, type, object, pod, container },
            utilization: finite(util?.get(key)),
            memory: finite(memory),
            temperature: finite(value),
            power: finite(power?.get(key)),
            xid: finite(xid?.get(key)) || null,
          },
        ];
      }),
      objects: [...objects.values()].map(({ type, object }) => ({
        type,
        object,
        cpu: valueIn(cpu, type, object),
        memory: valueIn(memory, type, object),
        gpu: valueIn(gpu, type, object),
        cards: valueIn(cards, type, object) ?? 0,
      })),
    };
  }

  /** The names of the organisation's metrics, in order. */
  names(namespace: string): Promise<string[]> {
    const { end, start } = this.#day();
    return this.#ask(namespace, `names ${end}`, NAMES_MS, async (prometheus) => {
      const names = await prometheus.labelValues('__name__', everythingOf(namespace), start, end, SMALL_LIMITS);
      return names.sort();
    });
  }

  /** Throws not_found for a metric of which the organisation has no series. */
  metric(namespace: string, metric: string) {
    const { end, start } = this.#day();
    return this.#ask(namespace, `metric ${metric} ${end}`, NAMES_MS, async (prometheus) => {
      const selector = everythingOf(namespace, metric);
      const limits = { ...SMALL_LIMITS, mostSeries: MOST_SERIES_LOOKED_AT };
      const series = await prometheus.series([selector], start, end, limits);
      // A metric of which an organisation has no series does not exist for it: other metrics would tell what others run.
      if (series.length === 0) throw problem('not_found', { what: metric });
      const said = await prometheus.metadata(metric, SMALL_LIMITS);
      const values = new Map<string, Set<string>>();
      for (const labels of series)
        for (const [label, value] of Object.entries(labels))
          if (label !== '__name__' && !HIDDEN_LABELS.has(label))
            values.set(label, (values.get(label) ?? new Set()).add(value));
      return {
        name: metric,
        type: said?.type ?? null,
        help: said?.help ?? null,
        labels: [...values].sort().map(([name, all]) => ({ name, values: [...all].sort().slice(0, MOST_VALUES) })),
        is_cut: [...values.values()].some((all) => all.size > MOST_VALUES),
      };
    });
  }

  /** The cluster's own dashboards, for the platform's staff. */
  async cluster(hours: number): Promise<ClusterMetricsView> {
    const end = this.#parts.clock.now();
    const range = rangeOf({ start: rfc3339(end - hours * HOUR_MS), end: rfc3339(end) });
    const window = `${Math.max(2 * HOME_MS, range.stepMs) / 1_000}s`;
    const panels = await Promise.all(
      CLUSTER_PANELS.map(async (panel) => {
        const { unit, by, query } = CLUSTER_QUERIES[panel];
        const { series } = await this.#range(PLATFORM, query(window), range);
        return { panel, unit, series: series.map(({ labels, points }) => ({ name: labels[by] ?? '', points })) };
      }),
    );
    return { start: rfc3339(range.start), step: range.stepMs / 1_000, panels };
  }

  async #metrics(
    asked: AskedMetrics,
    namespace: string,
    label: string,
    queryOf: (metric: ObjectMetric, stepMs: number) => string,
  ): Promise<MetricsAnswer> {
    const range = rangeOf(asked);
    const warnings = new Set<string>();
    const steps = Math.floor((range.end - range.start) / range.stepMs) + 1;
    let points = 0;
    const read = async (metric: ObjectMetric, shiftMs: number) => {
      const { start, end, stepMs } = range;
      const earlier = { start: start - shiftMs, end: end - shiftMs, stepMs };
      const { series, warnings: said } = await this.#rangeText(namespace, queryOf(metric, stepMs), earlier);
      for (const one of said) warnings.add(one);
      points += series.length * steps;
      if (points > MOST_ANSWER_POINTS) throw problem('monitor_too_much');
      const texts = series.map(
        ({ labels, points: text }) => `{"object":${JSON.stringify(labels[label] ?? '')},"points":${text}}`,
      );
      return `[${texts.join(',')}]`;
    };
    const shiftMs = (asked.timeShift ?? 0) * 1_000;
    const metrics = await Promise.all(
      asked.metrics.map(async (metric) => {
        const series = await read(metric, 0);
        const shifted = shiftMs === 0 ? 'null' : await read(metric, shiftMs);
        const unit = JSON.stringify(OBJECT_METRICS[metric]);
        return `{"metric":"${metric}","unit":${unit},"series":${series},"shifted":${shifted}}`;
      }),
    );
    return { ...said(range), warnings: [...warnings], metrics: `[${metrics.join(',')}]` };
  }

  #range(namespace: string, query: string, range: Range): Promise<Answer<Series>> {
    return this.#ask(namespace, keyOf(range, query), KEEP_MS, (prometheus) =>
      prometheus.range(query, range, { ...LIMITS, lane: namespace }),
    );
  }

  #rangeText(namespace: string, query: string, range: Range): Promise<Answer<SeriesText>> {
    return this.#ask(namespace, `text of ${keyOf(range, query)}`, KEEP_MS, (prometheus) =>
      prometheus.rangeText(query, range, { ...LIMITS, lane: namespace }),
    );
  }

  #instant(namespace: string, query: string, time: number): Promise<Answer<Sample>> {
    return this.#ask(namespace, `${time} ${query}`, HOME_MS, (prometheus) =>
      prometheus.instant(query, time, SMALL_LIMITS),
    );
  }

  async #ask<T>(
    namespace: string,
    key: string,
    keepMs: number,
    ask: (prometheus: Prometheus) => Promise<T>,
  ): Promise<T> {
    const { prometheus } = this.#parts;
    if (!prometheus) throw problem('monitor_off');
    try {
      return await this.#answers.of(namespace, key, keepMs, () => ask(prometheus));
    } catch (error) {
      throw problemOf(error);
    }
  }

  #day(): { start: number; end: number } {
    const end = Math.floor(this.#parts.clock.now() / NAMES_MS) * NAMES_MS;
    return { start: end - DAY_MS, end };
  }
}

const CARD_METRICS = [
  'DCGM_FI_DEV_GPU_UTIL',
  'DCGM_FI_DEV_FB_USED',
  'DCGM_FI_DEV_FB_FREE',
  'DCGM_FI_DEV_POWER_USAGE',
  'DCGM_FI_DEV_XID_ERRORS',
] as const;
const OBJECT_NOW = ['cpu', 'memory', 'gpu', 'gpu_cards'] as const satisfies readonly ObjectMetric[];

/** Instances of one GPU have its UUID, and containers may share one. */
const cardOf = ({ UUID, GPU_I_ID, pod, container }: Labels): string => [UUID, GPU_I_ID, pod, container].join(' ');
const byCard = ({ series }: Answer<Sample>): Map<string, number> =>
  new Map(series.map(({ labels, value }) => [cardOf(labels), value]));
const typed =
  (type: MonitorType) =>
  ({ labels, value }: Sample) => ({ type, object: labels.object ?? '', value });
const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Aligned to the step, so that all who look within one step ask the same. Throws monitor_window. */
export function rangeOf({ start, end, step }: Window): Range {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const seconds = (to - from) / 1_000;
  const stepMs = (step ?? stepOf(seconds)) * 1_000;
  const aligned = (at: number) => Math.floor(at / stepMs) * stepMs;
  const range = { start: aligned(from), end: aligned(to), stepMs };
  const isTooLong = seconds > MOST_RANGE || (range.end - range.start) / stepMs + 1 > MOST_POINTS;
  if (from >= to || isTooLong)
    throw problem('monitor_window', { points: MOST_POINTS, days: MOST_RANGE / (DAY_MS / 1_000) });
  return range;
}

const keyOf = ({ start, end, stepMs }: Range, query: string): string => `${start} ${end} ${stepMs} ${query}`;

const said = ({ start, end, stepMs }: Range) => ({ start: rfc3339(start), end: rfc3339(end), step: stepMs / 1_000 });

const everythingOf = (namespace: string, metric?: string): string => {
  const scoped = scopeQuery(metric ?? '{__name__!=""}', namespace);
  if ('refused' in scoped) throw problem('not_found', { what: metric ?? '' });
  return scoped.query;
};
