// Every metric that policies offer fires once on a real Prometheus, whose series are those of the product's own cluster: cAdvisor
// tells a Pod's containers apart on some nodes, and on others has the Pod's own group alone. Pages read the same values.
import { ALERT_METRIC_NAMES, ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { MODEL_SECONDS, MODEL_WAITING } from '@gantry/contract/alerts/model-series.ts';
import { TUNE_LOSS, TUNE_STEP_AGE, TUNE_TOKENS } from '@gantry/contract/alerts/tune-series.ts';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AlarmStore } from '../../api/src/areas/alerts/alarm-store.ts';
import { Evaluator } from '../../api/src/areas/alerts/evaluator.ts';
import { objectSamples } from '../../api/src/areas/alerts/platform-samples.ts';
import { kindObject } from '../../api/src/core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../api/src/platform/db/open.ts';
import { alarms } from '../../api/src/platform/db/schema/alerts.ts';
import { objectQuery, POD_OWNER } from '../../api/src/platform/prometheus/object-queries.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { migratedDatabase } from '../support/database.ts';
import { type PrometheusServer, startPrometheusServer } from '../support/prometheus-server.ts';

const START_S = Date.UTC(2026, 10, 10) / 1000;
const MINUTES = 10;
const NOW = (START_S + MINUTES * 60) * 1000;
const NAMESPACE = 'org-acme';
const signal = new AbortController().signal;

const cpu = (own: string, cores: number) => (minute: number) => [
  `container_cpu_usage_seconds_total{${own}} ${minute * 60 * cores}`,
];
/** At so many minutes. In cAdvisor the Pod `dev-1` has no containers of its own, and `two-1` has two. */
const SERIES: Readonly<Record<string, (minute: number) => readonly string[]>> = {
  container_cpu_usage_seconds: (minute) => [
    ...cpu('namespace="org-acme",pod="dev-1",container="",id="/kubepods/dev"', 3)(minute),
    ...cpu('namespace="org-acme",pod="two-1",container="main",id="/kubepods/two/main"', 2)(minute),
    ...cpu('namespace="org-acme",pod="two-1",container="side",id="/kubepods/two/side"', 2)(minute),
    ...cpu('namespace="org-acme",pod="two-1",container="",id="/kubepods/two"', 9)(minute),
  ],
  container_memory_working_set_bytes: () => [
    'container_memory_working_set_bytes{namespace="org-acme",pod="dev-1",container="",id="/kubepods/dev"} 3e9',
    'container_memory_working_set_bytes{namespace="org-acme",pod="two-1",container="main",id="/kubepods/two/main"} 4e9',
    'container_memory_working_set_bytes{namespace="org-acme",pod="two-1",container="",id="/kubepods/two"} 9e9',
  ],
  ...Object.fromEntries(
    [
      ['DCGM_FI_DEV_GPU_UTIL', 98],
      ['DCGM_FI_DEV_FB_USED', 15_000],
      ['DCGM_FI_DEV_FB_FREE', 1_000],
      ['DCGM_FI_DEV_GPU_TEMP', 91],
      ['DCGM_FI_DEV_POWER_USAGE', 70],
      ['DCGM_FI_DEV_XID_ERRORS', 79],
    ].map(([name, value]) => [
      `${name}`,
      () => [`${name}{namespace="org-acme",pod="dev-1",container="main",gpu="0",UUID="GPU-1"} ${value}`],
    ]),
  ),
  [MODEL_WAITING]: () => [`${MODEL_WAITING}{namespace="org-acme",kind="ModelDeployment",object="chat"} 12`],
  [MODEL_SECONDS]: (minute) =>
    ['1', '10', '+Inf'].map(
      (le) =>
        `${MODEL_SECONDS}_bucket{namespace="org-acme",kind="ModelDeployment",object="chat",le="${le}"} ${le === '1' ? 0 : minute * 60}`,
    ),
  // Two gateways say the same of a run. Another organisation's run of the same name is worse off.
  ...Object.fromEntries(
    [
      [TUNE_LOSS, 4.5, 90],
      [TUNE_TOKENS, 120, 9_000],
      [TUNE_STEP_AGE, 1_200, 90_000],
    ].map(([name, ours, theirs]) => [
      `${name}`,
      () => [
        ...['gateway-0', 'gateway-1'].map(
          (pod) => `${name}{namespace="org-acme",kind="FineTune",object="tune",instance="${pod}"} ${ours}`,
        ),
        `${name}{namespace="org-other",kind="FineTune",object="tune",instance="gateway-0"} ${theirs}`,
        `${name}{namespace="org-other",kind="FineTune",object="theirs",instance="gateway-0"} ${theirs}`,
      ],
    ]),
  ),
  [POD_OWNER]: () =>
    ['dev', 'two'].map(
      (name) => `${POD_OWNER}{namespace="org-acme",pod="${name}-1",kind="GpuInstance",object="${name}"} 1`,
    ),
};
const TYPES: Readonly<Record<string, string>> = {
  container_cpu_usage_seconds: 'counter',
  [MODEL_SECONDS]: 'histogram',
};
const samples = () =>
  [
    ...Object.entries(SERIES).flatMap(([family, at]) => [
      `# TYPE ${family} ${TYPES[family] ?? 'gauge'}`,
      ...Array.from({ length: MINUTES * 4 + 1 }, (_, quarter) =>
        at(quarter / 4).map((line) => `${line} ${START_S + quarter * 15}`),
      ).flat(),
    ]),
    '# EOF',
    '',
  ].join('\n');

/** A limit that is met, and which objects fire with which value. */
const ROWS: Readonly<Record<AlertMetricName, { above: number; fires: Readonly<Record<string, number>> }>> = {
  GpuUtilization: { above: 95, fires: { dev: 98 } },
  GpuMemory: { above: 90, fires: { dev: 93.75 } },
  GpuTemperature: { above: 85, fires: { dev: 91 } },
  GpuPower: { above: 60, fires: { dev: 70 } },
  GpuXid: { above: 0, fires: { dev: 79 } },
  CpuCores: { above: 1, fires: { dev: 3, two: 4 } },
  MemoryBytes: { above: 1e9, fires: { dev: 3e9, two: 4e9 } },
  ModelQueue: { above: 10, fires: { chat: 12 } },
  RequestSeconds: { above: 5, fires: { chat: 9.55 } },
  TuneLoss: { above: 4, fires: { tune: 4.5 } },
  TuneTokens: { above: 100, fires: { tune: 120 } },
  TuneStepAge: { above: 900, fires: { tune: 1_200 } },
  DiskUsed: { above: 90, fires: { data: 95 } },
  Failed: { above: 0, fires: { broken: 1 } },
  CreditHours: { above: 0, fires: { acme: 2 } },
};

const policyOf = (metric: AlertMetricName): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name: metric.toLowerCase(), namespace: NAMESPACE, uid: `uid-${metric}` },
  spec: {
    state: 'Enabled',
    objects: { kind: ALERT_METRICS[metric].kinds[0] as never },
    metric,
    aggregation: 'Average',
    periodSeconds: 60,
    rules: [{ type: 'Threshold', compare: 'Above', value: ROWS[metric].above, level: 'Critical' }],
    begins: { met: 1, of: 1 },
    endsAfter: 1,
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
  },
});

let server: PrometheusServer;
let prometheus: Prometheus;
let db: Database;
beforeAll(async () => {
  server = await startPrometheusServer({ samples: samples() });
  prometheus = new Prometheus({ url: server.url });
  db = await migratedDatabase();
}, 120_000);
afterAll(async () => {
  await server.end();
  await db.close();
});

test('every offered metric fires once, with the value that was measured', async () => {
  const clock = new SteppedClock();
  clock.set(NOW - 60_000);
  const policies = ALERT_METRIC_NAMES.map((metric) => ({ organizationId: 'acme', policy: policyOf(metric) }));
  const disk = kindObject(dataDisk, 'data', { status: { usage: { usedBytes: 95, totalBytes: 100 } } });
  const cache = {
    list: (facts: object) =>
      facts === dataDisk
        ? [disk]
        : facts === gpuInstance
          ? [kindObject(gpuInstance, 'broken', { status: { phase: 'failed' } })]
          : [],
  };
  const evaluator = new Evaluator({
    store: new AlarmStore(db),
    clock,
    log: { warn: () => undefined },
    policies: () => policies,
    exists: () => true,
    ask: (query, at, until) => prometheus.instant(query, at, { deadlineMs: 10_000, signal: until }),
    scope: (query) => ({ query }),
    objectOf: ({ pod, kind = 'GpuInstance', object = '' }) => ({ kind, name: pod?.replace(/-\d+$/, '') ?? object }),
    platform: async (metric) =>
      metric === 'CreditHours'
        ? [{ labels: { namespace: NAMESPACE }, object: { kind: 'Organization', name: 'acme' }, value: 2 }]
        : objectSamples(cache as never, metric, NAMESPACE),
    lifeOf: () => 'running',
    due: () => [],
    evaluated: () => undefined,
  });
  await evaluator.open();
  for (const at of [NOW - 60_000, NOW]) {
    clock.set(at);
    await evaluator.look(signal);
    await evaluator.settle();
  }
  const fired = Object.fromEntries(ALERT_METRIC_NAMES.map((metric) => [metric, {} as Record<string, number>]));
  for (const { metric, object, value, status } of await db.sql.select().from(alarms)) {
    expect([metric, status]).toEqual([metric, 'firing']);
    Object.assign(fired[metric] ?? {}, { [object ?? '']: Math.round((value ?? 0) * 1e6) / 1e6 });
  }
  expect(fired).toEqual(Object.fromEntries(ALERT_METRIC_NAMES.map((metric) => [metric, ROWS[metric].fires])));
}, 60_000);

test.each([
  ['cpu', ROWS.CpuCores.fires],
  ['memory', ROWS.MemoryBytes.fires],
] as const)('pages show of %s what alarms measure', async (metric, wanted) => {
  const query = objectQuery(metric, { namespace: NAMESPACE, type: 'instance', stepMs: 60_000 });
  const { series } = await prometheus.instant(query, NOW, { deadlineMs: 10_000, signal });
  expect(Object.fromEntries(series.map(({ labels, value }) => [labels.object, value]))).toEqual(wanted);
});
