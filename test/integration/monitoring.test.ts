// The alerts and the dashboard of the chart, as Prometheus itself reads them: every expression is PromQL, and alerts fire when they
// should and not before.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { runCommand } from '../support/command.ts';

const FILES = 'charts/gantry/files';
const ALERTS = resolve(FILES, 'alerts.yaml');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-rules-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Resolves with promtool's exit code and all that it says. */
async function promtool(...args: string[]): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await runCommand('promtool', args, { cwd: folder });
  return [code, `${stdout}${stderr}`];
}

async function written(name: string, content: object): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(content));
  return name;
}

test('the alerts are rules of Prometheus', async () => {
  expect(await promtool('check', 'rules', ALERTS)).toEqual([0, expect.stringContaining('SUCCESS')]);
});

/** Expressions as rules that record them, which is how promtool reads them. */
const recorded = (expressions: readonly string[]): object => ({
  groups: [{ name: 'dashboard', rules: expressions.map((expr, at) => ({ record: `panel:${at}`, expr })) }],
});

test('every panel of the dashboard asks in PromQL', async () => {
  const { panels } = JSON.parse(await readFile(join(FILES, 'dashboards/gantry.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(20);
  expect(await promtool('check', 'rules', await written('dashboard.json', recorded(expressions)))).toEqual([
    0,
    expect.stringContaining(`${expressions.length} rules found`),
  ]);
  const [code] = await promtool('check', 'rules', await written('broken.json', recorded(['sum(rate(x[5m])'])));
  expect(code).not.toBe(0);
});

interface Case {
  /** As promtool writes series: `0+1x10` grows by one a minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
  /** Labels besides the severity; undefined where it must not fire. */
  readonly fires: Readonly<Record<string, string>> | undefined;
}

const CALLS = 'http_request_duration_seconds_count{job="gantry-system/gantry-gateway",route="login",status=';
const OTHERS = 'http_request_duration_seconds_count{job="shop",status=';
const BUCKETS = 'gantry_queue_wait_seconds_bucket{kind="GpuInstance",le=';

/** A series that is over its limit for long enough, and the same when all is well. */
const overLimit = (series: string, over: string, well: string, at: string, fires = {}) => ({
  'it is over its limit': { series: { [series]: over }, at, fires },
  'it is not': { series: { [series]: well }, at, fires: undefined },
});

const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  GantryGatewayAbsent: {
    'no gateway is scraped': { series: { gantry_leading: '1x20' }, at: '10m', fires: {} },
    'one is': { series: { gantry_books_checked_timestamp_seconds: '0x20' }, at: '10m', fires: undefined },
  },
  GantryGatewayFails: {
    'a tenth of the calls fail': {
      series: { [`${CALLS}"2xx"}`]: '0+90x30', [`${CALLS}"5xx"}`]: '0+10x30' },
      at: '20m',
      fires: {},
    },
    'people are refused': {
      series: { [`${CALLS}"2xx"}`]: '0+50x30', [`${CALLS}"4xx"}`]: '0+50x30' },
      at: '20m',
      fires: undefined,
    },
    'another program fails': {
      series: { [`${CALLS}"2xx"}`]: '0+50x30', [`${OTHERS}"5xx"}`]: '0+50x30' },
      at: '20m',
      fires: undefined,
    },
    'nobody calls': { series: { [`${CALLS}"5xx"}`]: '7x30' }, at: '20m', fires: undefined },
  },
  GantryGatewayLags: overLimit(
    'nodejs_eventloop_lag_p99_seconds{job="gantry-system/gantry-gateway"}',
    '0.9x30',
    '0.1x30',
    '20m',
  ),
  GantryObjectsFail: overLimit('gantry_failing_objects{kind="Job"}', '2x30', '0x30', '20m', { kind: 'Job' }),
  GantryObjectsSlowed: overLimit('gantry_slowed_objects{kind="Job"}', '2x30', '0x30', '20m', { kind: 'Job' }),
  GantryLastResort: overLimit('gantry_last_resort_ends_total', '0x5 1x20', '1x30', '10m'),
  GantryBooksDoNotHold: overLimit('gantry_books_faults', '1x10', '0x10', '5m'),
  GantryUseUnbilled: overLimit('gantry_metering_unpriced_intervals', '3x90', '0x90', '80m'),
  GantryMeteringFails: overLimit('gantry_metering_failures_total', '0+1x60', '0+0.1x60', '50m'),
  GantryTokenCountsDisbelieved: overLimit('gantry_model_counts_disbelieved_total', '0x5 1x20', '1x30', '10m'),
  GantryDoorStale: overLimit('gantry_door_stale_seconds', '90x20', '3x20', '10m'),
  GantrySavesFail: overLimit('gantry_agent_retries_total', '0+1x90', '0+0.1x90', '80m'),
  GantryOperatorNotLeading: {
    'both wait': {
      series: { 'gantry_leading{pod="a"}': '0x20', 'gantry_leading{pod="b"}': '0x20' },
      at: '5m',
      fires: {},
    },
    'one leads': {
      series: { 'gantry_leading{pod="a"}': '0x20', 'gantry_leading{pod="b"}': '1x20' },
      at: '5m',
      fires: undefined,
    },
  },
  GantryOperatorBehind: {
    'changes wait a minute': {
      series: { [`${BUCKETS}"30"}`]: '0x40', [`${BUCKETS}"60"}`]: '0+10x40', [`${BUCKETS}"+Inf"}`]: '0+10x40' },
      at: '30m',
      fires: { kind: 'GpuInstance' },
    },
    'changes wait a second': {
      series: { [`${BUCKETS}"1"}`]: '0+10x40', [`${BUCKETS}"+Inf"}`]: '0+10x40' },
      at: '30m',
      fires: undefined,
    },
  },
  GantryBooksUnchecked: {
    'the last check was at midnight': {
      series: { gantry_books_checked_timestamp_seconds: '0x300' },
      at: '3h',
      fires: {},
    },
    'a gateway checks': { series: { gantry_books_checked_timestamp_seconds: '0+60x300' }, at: '3h', fires: undefined },
  },
  GantryCollectionFails: {
    'a collection failed': {
      series: { 'gantry_registry_collections_total{result="failed"}': '0x5 1x60' },
      at: '30m',
      fires: { result: 'failed' },
    },
    'they are done': {
      series: { 'gantry_registry_collections_total{result="done"}': '0+1x60' },
      at: '30m',
      fires: undefined,
    },
  },
};

interface Alerts {
  readonly groups: readonly {
    readonly name: string;
    readonly rules: readonly {
      readonly alert: string;
      readonly labels: Record<string, string>;
      readonly annotations: object;
    }[];
  }[];
}

test('every alert has cases', async () => {
  const { groups } = parse(await readFile(ALERTS, 'utf8')) as Alerts;
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(Object.keys(CASES).sort()).toEqual(alerts.sort());
});

/** promtool wants every word of an annotation, too: whether it fires does not depend on them. */
const withoutWords = ({ groups }: Alerts): object => ({
  groups: groups.map(({ name, rules }) => ({ name, rules: rules.map(({ annotations: _words, ...rule }) => rule) })),
});

test.each(
  Object.entries(CASES).flatMap(([alert, cases]) =>
    Object.entries(cases).map(([when, facts]) => [alert, when, facts] as const),
  ),
)('%s: %s', async (alert, _, { series, at, fires }) => {
  const alerts = parse(await readFile(ALERTS, 'utf8')) as Alerts;
  const { labels } = alerts.groups.flatMap(({ rules }) => rules).find((rule) => rule.alert === alert) ?? {};
  const tests = {
    rule_files: [await written('alerts.json', withoutWords(alerts))],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          { eval_time: at, alertname: alert, exp_alerts: fires ? [{ exp_labels: { ...labels, ...fires } }] : [] },
        ],
      },
    ],
  };
  expect(await promtool('test', 'rules', await written('tests.json', tests))).toEqual([0, expect.any(String)]);
});
