// Tenants' PromQL on a real Prometheus that holds everybody's series: each answer is the one of a server that holds the tenant's alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Answer, type Labels, QueryRefused } from '../../api/src/platform/prometheus/decode-answer.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { scopeQuery } from '../../api/src/platform/prometheus/scope-query.ts';
import { type PrometheusServer, startPrometheusServer } from '../support/prometheus-server.ts';

const OURS = 'org-a';
const THEIRS = ['org-b', 'org-a-b', 'xorg-a', 'gantry-system', ''];
const START = Date.parse('2026-01-01T00:00:00Z') / 1_000;
const MINUTES = 60;
const END = (START + MINUTES * 60) * 1_000;
const RANGE = { start: END - 20 * 60_000, end: END, stepMs: 60_000 };
const SECRET = 'very-secret';

/**
 * The samples of one Pod at one minute: a counter that is reset, gauges with gaps and NaN, a histogram and an info series; by their
 * families.
 */
function samplesAt(namespace: string, number: number, pod: number, minute: number): [family: string, sample: string][] {
  const own = `namespace="${namespace}",pod="p-${pod}",secret="${namespace === OURS ? 'ours' : SECRET}"`;
  const version = namespace === OURS ? '1' : SECRET;
  const value = (minute % 25) * (pod + 1) + number * 1_000;
  const isMeasured = pod !== 2 || minute % 10 < 5;
  return [
    ['requests', `requests_total{${own},code="200"} ${value}`],
    ['requests', `requests_total{${own},code="500"} ${Math.floor(value / 7)}`],
    ['temperature', isMeasured ? `temperature{${own}} ${40 + Math.sin(minute + pod) * 20 - number}` : ''],
    ['limit', `limit{${own}} ${pod === 1 ? 'NaN' : 100 + number}`],
    ...['0.1', '1', '+Inf'].map((le, bucket): [string, string] => [
      'latency',
      `latency_bucket{${own},le="${le}"} ${minute * (bucket + 1) * (pod + 1)}`,
    ]),
    ['latency', `latency_count{${own}} ${minute * 3 * (pod + 1)}`],
    ['latency', `latency_sum{${own}} ${minute * 0.7 * (pod + 1)}`],
    ['target', `target_info{${own},version="${version}"} 1`],
  ];
}

const TYPES: Readonly<Record<string, string>> = { requests: 'counter', latency: 'histogram', target: 'info' };
const PODS = [0, 1, 2];

/** OpenMetrics, an hour of three Pods in each namespace. */
function samplesOf(namespaces: readonly string[]): string {
  const minutes = Array.from({ length: MINUTES + 1 }, (_, minute) => minute);
  const all = namespaces.flatMap((namespace, number) =>
    PODS.flatMap((pod) =>
      minutes.flatMap((minute) =>
        samplesAt(namespace, number, pod, minute).flatMap(([family, sample]) =>
          sample === '' ? [] : [{ family, line: `${sample} ${START + minute * 60}` }],
        ),
      ),
    ),
  );
  const families = Map.groupBy(all, ({ family }) => family);
  const text = [...families].flatMap(([family, samples]) => [
    `# TYPE ${family} ${TYPES[family] ?? 'gauge'}`,
    ...samples.map(({ line }) => line),
  ]);
  return [...text, '# EOF', ''].join('\n');
}

let servers: PrometheusServer[] = [];
let everybody: Prometheus;
let alone: Prometheus;
beforeAll(async () => {
  servers = await Promise.all(
    [[OURS, ...THEIRS], [OURS]].map((namespaces) => startPrometheusServer({ samples: samplesOf(namespaces) })),
  );
  [everybody, alone] = servers.map(({ url }) => new Prometheus({ url })) as [Prometheus, Prometheus];
}, 120_000);
afterAll(() => Promise.all(servers.map((server) => server.end())));

/** A sum's last digits follow the order of its parts, which is nobody's. */
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(12)));
const sorted = <T extends { labels: Labels; value?: number; points?: (number | null)[] }>({
  series,
  warnings,
}: Answer<T>) => ({
  series: series
    .map(({ labels, value, points }) => ({
      labels: Object.entries(labels).sort(),
      numbers: (points ?? [value ?? null]).map(rounded),
    }))
    .sort((a, b) => (`${a.labels}` < `${b.labels}` ? -1 : 1)),
  warnings,
});
const orRefusal = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => {
    if (error instanceof QueryRefused) return 'refused';
    throw error;
  });
const both = async (prometheus: Prometheus, query: string) => [
  await orRefusal(prometheus.instant(query, END).then(sorted)),
  await orRefusal(prometheus.range(query, RANGE).then(sorted)),
];

/** Throws where the answers differ. Undefined: the scoper refuses the query. */
async function compare(query: string): Promise<unknown[] | undefined> {
  const scoped = scopeQuery(query, OURS);
  if ('refused' in scoped) return undefined;
  const ours = await both(everybody, scoped.query);
  expect(ours).toEqual(await both(alone, query));
  expect(JSON.stringify(ours)).not.toContain(SECRET);
  return ours;
}

const OF_VECTOR =
  'abs ceil exp floor ln log10 log2 round sgn sort sort_desc sqrt timestamp acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh deg rad day_of_month day_of_week day_of_year days_in_month hour minute month year scalar vector(scalar';
const OVER_TIME = 'avg min max sum count stddev stdvar last present';
const OF_RANGE = 'changes delta deriv idelta increase irate rate resets';
const AGGREGATIONS = 'sum min max avg group stddev stdvar count';

const CORPUS: readonly string[] = [
  ...OF_VECTOR.split(' ').map((name) =>
    name.includes('(') ? `${name}(temperature{pod="p-0"}))` : `${name}(temperature)`,
  ),
  ...OVER_TIME.split(' ').map((name) => `${name}_over_time(temperature[10m])`),
  ...OF_RANGE.split(' ').map((name) => `${name}(requests_total[5m])`),
  ...AGGREGATIONS.split(' ').flatMap((name) => [
    `${name}(temperature)`,
    `${name} by (pod) (requests_total)`,
    `${name} without (code, pod) (requests_total)`,
  ]),
  'clamp(temperature, 30, 45)',
  'clamp_max(temperature, 40)',
  'clamp_min(temperature, 40)',
  'histogram_quantile(0.9, sum by (le) (rate(latency_bucket[5m])))',
  'histogram_quantile(0.5, latency_bucket)',
  'histogram_count(latency_bucket)',
  'histogram_sum(latency_bucket)',
  'histogram_fraction(0, 1, latency_bucket)',
  'holt_winters(temperature[10m], 0.5, 0.5)',
  'predict_linear(temperature[10m], 3600)',
  'quantile_over_time(0.9, temperature[10m])',
  'label_replace(temperature, "namespace", "org-b", "", "")',
  'label_replace(temperature, "secret", "$1", "pod", "(.*)")',
  'label_join(temperature, "namespace", "-", "pod", "secret")',
  'time()',
  'pi()',
  'vector(1)',
  'time() - timestamp(temperature)',
  'topk(2, temperature)',
  'bottomk(2, temperature)',
  'topk by (pod) (1, requests_total)',
  'quantile(0.5, temperature)',
  'count_values("value", limit)',
  'temperature + limit',
  'temperature - 1',
  'temperature * 2',
  'temperature / limit',
  'requests_total % 7',
  'temperature ^ 2',
  'temperature atan2 limit',
  '-temperature',
  'temperature > 40',
  'temperature >= bool 40',
  'temperature < limit',
  'temperature <= 40',
  'temperature == temperature',
  'temperature != bool limit',
  'temperature and limit',
  'temperature or requests_total',
  'temperature unless limit',
  'requests_total and on (pod) temperature',
  'limit unless ignoring (secret) temperature',
  'requests_total * on (namespace, pod) group_left () temperature',
  'requests_total / ignoring (code) group_left temperature',
  'temperature * on (pod) group_right (secret) requests_total',
  'sum(requests_total) / on () sum(temperature)',
  'temperature offset 5m',
  'temperature offset -5m',
  `temperature @ ${START + 600}`,
  'temperature @ start()',
  'rate(requests_total[5m] @ end())',
  'rate(requests_total[5m] offset 10m)',
  'max_over_time(rate(requests_total[2m])[10m:1m])',
  'max_over_time(temperature[10m:])',
  'avg_over_time(sum by (pod) (temperature)[5m:30s] offset 1m)',
  'sum_over_time(max_over_time(temperature[2m])[10m:2m] @ end())',
  'deriv(rate(requests_total[2m])[10m:1m])',
  'sum(sum by (pod) (sum by (pod, code) (rate(requests_total[5m]))))',
  '1 + 2 * 3',
  '"a text"',
  'temperature',
  'nothing_of_that_name',
  'latency_bucket{le="+Inf"}',
  'requests_total{code!="200"}',
  'requests_total{code=~"2..|5.."}',
  'requests_total{code!~"2.."}',
  '{__name__="temperature"}',
  '{__name__=~"temp.*|limit"}',
];

const HOSTILE: readonly string[] = [
  'temperature{namespace="org-b"}',
  'temperature{namespace=~".*"}',
  'temperature{namespace=~".+"}',
  'temperature{namespace!="org-a"}',
  'temperature{namespace!~"org-a"}',
  'temperature{namespace=""}',
  '{namespace=~"org-.*"}',
  '{__name__=~".+"}',
  '{__name__!=""}',
  'count({__name__=~".+"})',
  'group by (namespace) ({__name__=~".+"})',
  'count by (__name__, secret) ({__name__=~".+"})',
  'count_values("secret", {__name__=~".+"})',
  'topk(100, {__name__=~".+"})',
  'temperature or temperature{namespace="org-b"}',
  'temperature or on () limit{namespace="org-b"}',
  'temperature * on (pod) group_left (secret) target_info',
  'label_replace(vector(1), "secret", "x", "", "") or {secret!=""}',
  'label_replace(temperature{namespace="org-b"}, "namespace", "org-a", "", "")',
  'sum without (namespace) ({__name__=~"temp.*"})',
  'max_over_time({__name__=~"temp.*"}[30m:1m])',
  'temperature{pod="}",pod!="x"}',
  'temperature{pod=~"p-0\\"}|.*"}',
  'scalar({namespace="org-b",pod="p-0",__name__="temperature"})',
  'timestamp({namespace="gantry-system"})',
  'temperature{namespace=`org-b`}',
  "temperature{namespace='org-b'}",
  'temperature{namespace="org\\u002db"}',
];

describe('each answers as on a server of the tenant alone', () => {
  test.each(CORPUS)('%s', async (query) => {
    await compare(query);
  });
  test.each(HOSTILE)('hostile: %s', async (query) => {
    await compare(query);
  });
});

test('of the corpus only what the server here is too old for is refused before it is asked', () => {
  expect(CORPUS.filter((query) => 'refused' in scopeQuery(query, OURS))).toEqual([
    'holt_winters(temperature[10m], 0.5, 0.5)',
  ]);
});

test('most of the corpus has an answer with series in it', async () => {
  const answers = await Promise.all(CORPUS.map((query) => compare(query)));
  const filled = answers.filter((answer) => answer && JSON.stringify(answer).includes('"labels"'));
  expect(filled.length).toBeGreaterThan(CORPUS.length * 0.85);
});

test('what is absent is so for the tenant alone; its labels may name the matcher that was added', async () => {
  for (const query of [
    'absent(nothing)',
    'absent(temperature)',
    'absent(temperature{namespace="org-b"})',
    'absent_over_time(temperature{secret="very-secret"}[5m])',
  ]) {
    const scoped = scopeQuery(query, OURS);
    const values = async (prometheus: Prometheus, asked: string) =>
      (await prometheus.instant(asked, END)).series.map(({ value }) => value);
    expect(await values(everybody, 'query' in scoped ? scoped.query : '')).toEqual(await values(alone, query));
  }
});

test('info(), which reads series that nobody selected, is refused', () => {
  expect(scopeQuery('info(temperature)', OURS)).toEqual({ refused: 'info', at: 0 });
});

test('whatever is nested of these, answers as on a server of the tenant alone', async () => {
  const selectors = fc.constantFrom(
    'temperature',
    'limit',
    'requests_total{code="200"}',
    '{__name__=~"temp.*"}',
    'temperature{namespace=~".*"}',
    'limit{namespace="org-b"}',
  );
  const { vector } = fc.letrec<{ vector: string }>((tie) => ({
    vector: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      selectors,
      fc
        .tuple(
          fc.constantFrom(
            'abs',
            'ceil',
            'sort',
            'timestamp',
            '-',
            'sum',
            'max by (pod)',
            'avg without (pod)',
            'count by (secret)',
          ),
          tie('vector'),
        )
        .map(([name, of]) => `${name} (${of})`),
      fc
        .tuple(fc.constantFrom('max', 'avg', 'count', 'last'), tie('vector'))
        .map(([name, of]) => `${name}_over_time((${of})[4m:1m])`),
      fc
        .tuple(tie('vector'), fc.constantFrom('+', '/', 'and', 'or', 'unless', '> bool', '* on (pod)'), tie('vector'))
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      tie('vector').map((of) => `label_replace(${of}, "namespace", "org-b", "pod", "(.*)")`),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(vector, async (query) => {
      expect(await compare(query)).toBeDefined();
    }),
    { numRuns: 150 },
  );
}, 120_000);
