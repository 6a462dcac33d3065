// Alerts and the dashboard ask for metrics that there are, with labels that they have.
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { filesOf, read } from './source-files.ts';

const sources = filesOf('{api,operator,kube}/src/**/*.ts', 'agent/**/*.go')
  .filter((file) => !/\.test\.|_test\.go$/.test(file))
  .map(read)
  .join('\n');
/** Two of prom-client's default metrics. */
const OF_NODE = ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'];

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
const dashboard: Dashboard = JSON.parse(read('charts/gantry/files/dashboards/gantry.json'));
const alerts: Alerts = parse(read('charts/gantry/files/alerts.yaml'));
const asked: [string, string][] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
];

const metricsIn = (expr: string): string[] => expr.match(/\b(gantry|http|nodejs|process)_[a-z0-9_]+/g) ?? [];
const isThere = (metric: string) =>
  OF_NODE.includes(metric) ||
  ['', '_bucket', '_count', '_sum'].some(
    (suffix) =>
      metric.endsWith(suffix) && new RegExp(`['"]${metric.slice(0, metric.length - suffix.length)}['"]`).test(sources),
  );

test.each(asked)('%s asks for what there is: %s', (_, expr) => {
  expect(metricsIn(expr).length).toBeGreaterThan(0);
  expect(metricsIn(expr).filter((metric) => !isThere(metric))).toEqual([]);
});

test('a metric that there is not is found out', () => {
  expect(metricsIn('sum(rate(gantry_no_such_total[5m]))').filter((metric) => !isThere(metric))).toEqual([
    'gantry_no_such_total',
  ]);
});

test('every alert has its heading among the runbooks, with words below it, and every heading its alert', () => {
  const [, ...sections] = read('charts/gantry/RUNBOOKS.md').split('\n## ');
  const headings = sections.map((section) => section.split('\n', 1)[0]);
  expect(headings.toSorted()).toEqual(alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted());
  expect(sections.filter((section) => section.trim().split('\n').length < 3)).toEqual([]);
});
