// Prometheus of this machine's Debian, over the real nodes' kubelets, the platform's own processes, node exporter, and the stand-in for
// NVIDIA's DCGM exporter.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { certificateFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { AGENT_PORT } from '../node-agent.ts';
import { findProcess, flags, startProcess, waitReady } from '../process.ts';
import { writeChanged } from '../write-changed.ts';
import { readerToken } from './reader-account.ts';
import { hasKubeStateMetrics } from './start-kube-state-metrics.ts';

const PROMETHEUS = '/usr/bin/prometheus';
const NODE_EXPORTER = '/usr/bin/prometheus-node-exporter';
const EVERY = '15s';
/** The families of a kubelet's cAdvisor that somebody looks at: the rest is most of its output. */
const CADVISOR_FAMILIES =
  'container_(cpu_usage_seconds_total|cpu_cfs_throttled_seconds_total|memory_working_set_bytes|memory_usage_bytes|spec_cpu_quota|spec_cpu_period|spec_memory_limit_bytes|fs_usage_bytes|fs_reads_bytes_total|fs_writes_bytes_total|network_receive_bytes_total|network_transmit_bytes_total|oom_events_total|start_time_seconds)|machine_(cpu_cores|memory_bytes)';
const KUBELET_FAMILIES = 'kubelet_volume_stats_.*|kubelet_running_(pods|containers)|kubelet_node_name';
/** On a virtual machine the others have nothing to say, or ask for rights. */
const NODE_COLLECTORS = ['cpu', 'meminfo', 'diskstats', 'filesystem', 'loadavg', 'netdev', 'uname'];

const folderOf = ({ dir }: Layout): string => `${dir}/metrics`;
const configFile = (cluster: Layout): string => `${folderOf(cluster)}/prometheus.yaml`;
const LOOPBACK = '127.0.0.1';
const prometheusUrl = ({ ports }: Layout, address = LOOPBACK): string => `http://${address}:${ports.prometheus}`;
export const gpuExporterUrl = ({ ports }: Layout): string => `http://127.0.0.1:${ports.gpuExporter}/metrics`;

/** Step. */
export async function startGpuExporter(cluster: Layout): Promise<void> {
  await startProcess(cluster, {
    name: 'gpu-exporter',
    command: [
      process.execPath,
      fileURLToPath(new URL('gpu-exporter-process.ts', import.meta.url)),
      cluster.name,
      `${cluster.nodes.length}`,
      `${cluster.ports.gpuExporter}`,
    ],
  });
  await waitReady(cluster, 'gpu-exporter', () => answersOk(gpuExporterUrl(cluster)));
}

/** Step. One for the machine, which all real nodes share. */
export async function startNodeExporter(cluster: Layout): Promise<void> {
  await startProcess(cluster, {
    name: 'node-exporter',
    command: [
      NODE_EXPORTER,
      `--web.listen-address=127.0.0.1:${cluster.ports.nodeExporter}`,
      '--collector.disable-defaults',
      ...NODE_COLLECTORS.map((name) => `--collector.${name}`),
    ],
  });
}

/** Step. */
export const startPrometheus = (cluster: Layout): Promise<void> =>
  start(cluster, { address: LOOPBACK, platform: processesOf(cluster) });

/** Step. The platform is Pods, and its gateway asks from one. */
export async function startPrometheusForPods(cluster: Layout): Promise<void> {
  await startProcess(cluster, {
    name: 'pod-targets',
    command: [
      process.execPath,
      fileURLToPath(new URL('pod-targets-process.ts', import.meta.url)),
      cluster.name,
      targetsFile(cluster),
    ],
  });
  await start(cluster, { address: cluster.bridge.ip, platform: [podsOf(cluster)] });
}

interface Scraping {
  /** Its listen address. */
  readonly address: string;
  /** Jobs for the platform's own parts. */
  readonly platform: readonly object[];
}

async function start(cluster: Layout, { address, platform }: Scraping): Promise<void> {
  const folder = folderOf(cluster);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const token = await readerToken(cluster, 'prometheus', [
    { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
  ]);
  await writeFile(`${folder}/token`, token, { mode: 0o600 });
  const config = scrapeConfig(cluster, await hasKubeStateMetrics(cluster), platform);
  await writeChanged(configFile(cluster), stringify(config));
  // One that runs already reads it again.
  const running = await findProcess(cluster, 'prometheus');
  if (running) process.kill(running.pid, 'SIGHUP');
  await startProcess(cluster, {
    name: 'prometheus',
    command: [
      PROMETHEUS,
      ...flags({
        'config.file': configFile(cluster),
        'storage.tsdb.path': `${folder}/data`,
        'storage.tsdb.retention.time': '15d',
        'storage.tsdb.retention.size': '1GB',
        'web.listen-address': new URL(prometheusUrl(cluster, address)).host,
        'log.level': 'warn',
      }),
    ],
  });
  await waitReady(cluster, 'prometheus', () => answersOk(`${prometheusUrl(cluster, address)}/-/ready`));
}

/** Flags of a gateway beside this cluster; none where it was started without Prometheus. */
export const prometheusFlags = (cluster: Layout): string[] =>
  existsSync(configFile(cluster)) ? [`--prometheus-url=${prometheusUrl(cluster)}`] : [];

/** Its address for a gateway in a Pod; undefined if none was started for Pods. */
export const prometheusOfPods = (cluster: Layout): string | undefined =>
  existsSync(configFile(cluster)) ? prometheusUrl(cluster, cluster.bridge.ip) : undefined;

const own = (name: string, port: number, ip = LOOPBACK) => ({
  job_name: name,
  // Pods of tenants are among its labels.
  honor_labels: true,
  static_configs: [{ targets: [`${ip}:${port}`] }],
});

const processesOf = ({ nodes, ports, bridge }: Layout): object[] => [
  own('gantry-gateway', ports.gatewayMetrics),
  own('gantry-operator', ports.operator),
  own('gantry-registry', 5001, bridge.ip),
  {
    job_name: 'gantry-agent',
    static_configs: nodes.map(({ name, ip }) => ({ targets: [`${ip}:${AGENT_PORT}`], labels: { node: name } })),
  },
];

const targetsFile = (cluster: Layout): string => `${folderOf(cluster)}/pod-targets.json`;

/** Each Pod brings the name of its job. */
const podsOf = (cluster: Layout) => ({
  job_name: 'gantry-pods',
  honor_labels: true,
  file_sd_configs: [{ files: [targetsFile(cluster)] }],
});

/** The names of the jobs are those of the Prometheus operator's stack. */
function scrapeConfig(cluster: Layout, hasKubeState: boolean, platform: readonly object[]) {
  const { nodes, ports } = cluster;
  const kubelet = (job: string, path: string, families: string) => ({
    job_name: job,
    scheme: 'https',
    metrics_path: path,
    // For a tenant's Pod the kubelet itself names the namespace.
    honor_labels: true,
    honor_timestamps: false,
    authorization: { credentials_file: `${folderOf(cluster)}/token` },
    tls_config: { ca_file: certificateFile(cluster, 'ca') },
    static_configs: nodes.map(({ name, ip }) => ({ targets: [`${ip}:10250`], labels: { node: name } })),
    metric_relabel_configs: [{ source_labels: ['__name__'], regex: families, action: 'keep' }],
  });
  return {
    global: { scrape_interval: EVERY, scrape_timeout: '10s' },
    scrape_configs: [
      kubelet('cadvisor', '/metrics/cadvisor', CADVISOR_FAMILIES),
      kubelet('kubelet', '/metrics', KUBELET_FAMILIES),
      own('dcgm-exporter', ports.gpuExporter),
      own('node-exporter', ports.nodeExporter),
      ...(hasKubeState ? [own('kube-state-metrics', ports.kubeStateMetrics)] : []),
      ...platform,
    ],
  };
}
