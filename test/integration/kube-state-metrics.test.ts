// kube-state-metrics tells of everybody's Pods in one text: a tenant's query sees those of its own namespace. Its text is written by
// hand; Prometheus is real and scrapes it with honor_labels, as hack/metrics/start-prometheus.ts does.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Monitor } from '../../api/src/areas/monitoring/monitor.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { scopeQuery } from '../../api/src/platform/prometheus/scope-query.ts';
import { eventually } from '../support/eventually.ts';
import { type PrometheusServer, startPrometheusServer } from '../support/prometheus-server.ts';

/** In the form of version 2. */
const TEXT = `# HELP kube_pod_container_status_restarts_total [STABLE] The number of container restarts per container.
# TYPE kube_pod_container_status_restarts_total counter
kube_pod_container_status_restarts_total{namespace="org-a",pod="dev-1",uid="5e0b",container="main"} 3
kube_pod_container_status_restarts_total{namespace="org-b",pod="secret-1",uid="77aa",container="main"} 9
kube_pod_container_status_restarts_total{namespace="gantry-system",pod="gateway-0",uid="01cd",container="gateway"} 1
# HELP kube_pod_container_status_waiting_reason [STABLE] Describes the reason the container is currently in waiting state.
# TYPE kube_pod_container_status_waiting_reason gauge
kube_pod_container_status_waiting_reason{namespace="org-b",pod="secret-2",uid="9f10",container="main",reason="ImagePullBackOff"} 1
`;

let exporter: Server;
let server: PrometheusServer;
let prometheus: Prometheus;
beforeAll(async () => {
  exporter = createServer((_req, res) => {
    res.setHeader('content-type', 'text/plain; version=0.0.4');
    res.end(TEXT);
  }).listen(0, '127.0.0.1');
  await once(exporter, 'listening');
  const target = `127.0.0.1:${(exporter.address() as AddressInfo).port}`;
  const job = { job_name: 'kube-state-metrics', honor_labels: true, static_configs: [{ targets: [target] }] };
  server = await startPrometheusServer({ config: { global: { scrape_interval: '1s' }, scrape_configs: [job] } });
  prometheus = new Prometheus({ url: server.url });
  await eventually(
    'the first scrape',
    async () => (await prometheus.instant('kube_pod_container_status_waiting_reason', Date.now())).series.length > 0,
    30_000,
  );
}, 120_000);
afterAll(async () => {
  await server.end();
  exporter.closeAllConnections();
  exporter.close();
});

const seen = async (query: string, namespace: string) => {
  const scoped = scopeQuery(query, namespace);
  if ('refused' in scoped) throw new Error(scoped.refused);
  const { series } = await prometheus.instant(scoped.query, Date.now());
  return series.map(({ labels, value }) => `${labels.namespace} ${labels.pod} ${value}`).sort();
};

test.each([
  'kube_pod_container_status_restarts_total',
  '{__name__=~"kube_pod_.*"}',
  'kube_pod_container_status_restarts_total or kube_pod_container_status_waiting_reason',
])('%s is what the tenant’s own Pods have', async (query) => {
  expect(await seen(query, 'org-a')).toEqual(['org-a dev-1 3']);
});

test('another tenant has its own, and one without Pods has none', async () => {
  expect(await seen('{__name__=~"kube_pod_.*"}', 'org-b')).toEqual(['org-b secret-1 9', 'org-b secret-2 1']);
  expect(await seen('{__name__=~"kube_pod_.*"}', 'org-c')).toEqual([]);
  expect(await seen('kube_pod_container_status_restarts_total{namespace="org-b"}', 'org-a')).toEqual([]);
});

test('the metric centre names what the tenant has series of', async () => {
  // The queried range ends at a whole step: on a server that has just started, that is before its first scrape.
  const clock = new SteppedClock();
  clock.set(Date.now() + 10 * 60_000);
  const monitor = new Monitor({ clock, prometheus });
  const kube = async (namespace: string) => (await monitor.names(namespace)).filter((name) => name.startsWith('kube_'));
  expect(await kube('org-a')).toEqual(['kube_pod_container_status_restarts_total']);
  expect(await kube('org-b')).toHaveLength(2);
});
