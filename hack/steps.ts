// The steps of `up`, as a table: a step starts as soon as every step in its `after` is done, so independent ones run in parallel.
// A step checks what exists and does only what is missing. To add one, write a function of the layout and a row. Steps undo
// nothing: `teardown.ts` finds whatever they start or create by the cluster's folder, name or cgroup.
import { makeCertificates } from './certificates.ts';
import { nameRegistry, startContainerd } from './containerd.ts';
import { startApiServer, startControllerManager, startEtcd, startScheduler } from './control-plane.ts';
import { pushCorednsImage, startCoredns, waitCoredns } from './coredns.ts';
import { installPackages } from './debian-packages.ts';
import { writeExampleBase } from './example-base.ts';
import { writeExampleModel } from './example-model.ts';
import {
  startCardDouble,
  startCardDoubleForPods,
  startGateway,
  startMailSink,
  startMailSinkForPods,
} from './gateway.ts';
import { startLws } from './groups/start-lws.ts';
import { fillRegistry, installChart, openWaysIn, pushPlatformImages } from './helm/install-chart.ts';
import { changeHostSettings } from './host-settings.ts';
import { importPause, offerImages, pushOfficialImages } from './images/build.ts';
import { pushDataWorker } from './images/data-worker.ts';
import { pushEngineImages } from './images/engine-images.ts';
import { createKindCluster } from './kind-cluster.ts';
import { copyCurrentContext, requireImages } from './kubeconfig-cluster.ts';
import { startKubelet, startKubeProxy, waitNodeReady } from './kubelet.ts';
import { startKueue } from './kueue/start-kueue.ts';
import { startKwok } from './kwok/start-kwok.ts';
import type { Layout, NodeLayout } from './layout.ts';
import { startKubeStateMetrics } from './metrics/start-kube-state-metrics.ts';
import {
  startGpuExporter,
  startNodeExporter,
  startPrometheus,
  startPrometheusForPods,
} from './metrics/start-prometheus.ts';
import { makeNetwork } from './network.ts';
import { startNetworkPolicy } from './network-policy/start-network-policy.ts';
import { startNodeAgent, waitNodeAgent } from './node-agent.ts';
import { startObjectStore, startObjectStoreForPods } from './object-store.ts';
import { giveRegistryAccount, installPlatform, startOperator } from './platform.ts';
import { refuseTakenPorts } from './ports.ts';
import { startRegistry } from './registry.ts';
import { startSshDoor, waitSshDoor } from './ssh-door.ts';
import { startStorage } from './storage/start-storage.ts';
import { builtAdmin, builtConsole, builtPortal } from './web-apps.ts';

/** The source of the cluster: this machine, kind in Docker, or an existing cluster. */
export const ORIGINS = ['bare', 'kind', 'kubeconfig'] as const;
export type Origin = (typeof ORIGINS)[number];

/** How the platform comes onto it: its parts as processes of this machine, or its images by its chart. */
export const INSTALLS = ['processes', 'helm'] as const;
export type Install = (typeof INSTALLS)[number];

export interface Step {
  readonly name: string;
  /** Steps of another origin or install may be named, too; they count as done. */
  readonly after: readonly string[];
  readonly origins: readonly Origin[];
  /** Absent: either way. */
  readonly install?: Install;
  readonly up: (cluster: Layout) => Promise<unknown>;
}

const onEveryNode =
  (start: (cluster: Layout, node: NodeLayout) => Promise<unknown>): Step['up'] =>
  (cluster) =>
    Promise.all(cluster.nodes.map((node) => start(cluster, node)));

const bare: readonly Origin[] = ['bare'];
const processes = 'processes' as const;
const helm = 'helm' as const;

export const steps: readonly Step[] = [
  { name: 'Debian packages', after: [], origins: bare, up: installPackages },
  { name: 'ports', after: ['Debian packages'], origins: bare, up: refuseTakenPorts },
  { name: 'host settings', after: ['ports'], origins: bare, up: changeHostSettings },
  { name: 'certificates', after: ['ports'], origins: bare, up: makeCertificates },
  { name: 'network', after: ['host settings'], origins: bare, up: makeNetwork },
  { name: 'etcd', after: ['ports'], origins: bare, up: startEtcd },
  { name: 'API server', after: ['etcd', 'certificates', 'network'], origins: bare, up: startApiServer },
  { name: 'scheduler', after: ['API server'], origins: bare, up: startScheduler },
  { name: 'storage', after: ['API server'], origins: bare, up: startStorage },
  { name: 'network policy', after: ['API server'], origins: bare, up: startNetworkPolicy },
  { name: 'simulated nodes', after: ['API server'], origins: bare, up: startKwok },
  { name: 'job queue', after: ['API server'], origins: bare, up: startKueue },
  { name: 'groups over nodes', after: ['API server'], origins: bare, up: startLws },
  { name: 'registry', after: ['network'], origins: bare, up: startRegistry },
  { name: 'registry name', after: ['ports'], origins: bare, install: processes, up: onEveryNode(nameRegistry) },
  { name: 'containerd', after: ['network'], origins: bare, up: onEveryNode(startContainerd) },
  { name: 'pause image', after: ['containerd'], origins: bare, up: importPause },
  { name: 'official images', after: ['registry'], origins: bare, up: pushOfficialImages },
  { name: 'engine images', after: ['registry'], origins: bare, install: processes, up: pushEngineImages },
  { name: 'data worker image', after: ['registry'], origins: bare, install: processes, up: pushDataWorker },
  { name: 'CoreDNS image', after: ['registry'], origins: bare, up: pushCorednsImage },
  { name: 'kubelet', after: ['API server', 'pause image'], origins: bare, up: onEveryNode(startKubelet) },
  { name: 'kube-proxy', after: ['API server', 'network'], origins: bare, up: onEveryNode(startKubeProxy) },
  { name: 'CoreDNS', after: ['API server', 'CoreDNS image'], origins: bare, up: startCoredns },
  { name: 'images from elsewhere', after: [], origins: ['kind', 'kubeconfig'], up: requireImages },
  { name: 'kind cluster', after: ['images from elsewhere'], origins: ['kind'], up: createKindCluster },
  { name: 'current context', after: ['images from elsewhere'], origins: ['kubeconfig'], up: copyCurrentContext },
  {
    name: 'platform',
    after: ['API server', 'kind cluster', 'current context'],
    origins: ORIGINS,
    install: processes,
    up: installPlatform,
  },
  // It looks for kinds when it starts, and every 30 s from then on: until it knows ours, quotas refuse them.
  { name: 'controller manager', after: ['API server', 'platform'], origins: bare, up: startControllerManager },
  { name: 'nodes ready', after: ['kubelet', 'controller manager'], origins: bare, up: onEveryNode(waitNodeReady) },
  { name: 'CoreDNS ready', after: ['CoreDNS', 'nodes ready'], origins: bare, up: waitCoredns },
  {
    name: 'registry account',
    after: ['platform', 'official images', 'CoreDNS image'],
    origins: bare,
    install: processes,
    up: giveRegistryAccount,
  },
  { name: 'SSH door', after: ['registry account'], origins: bare, install: processes, up: startSshDoor },
  { name: 'SSH door ready', after: ['SSH door', 'CoreDNS ready'], origins: bare, install: processes, up: waitSshDoor },
  { name: 'node agent', after: ['registry account'], origins: bare, install: processes, up: startNodeAgent },
  {
    name: 'node agent ready',
    after: ['node agent', 'nodes ready'],
    origins: bare,
    install: processes,
    up: waitNodeAgent,
  },
  { name: 'mail sink', after: ['ports'], origins: ORIGINS, install: processes, up: startMailSink },
  { name: 'card double', after: ['ports'], origins: ORIGINS, install: processes, up: startCardDouble },
  { name: 'object store', after: ['ports'], origins: ORIGINS, install: processes, up: startObjectStore },
  { name: 'GPU exporter', after: ['API server'], origins: bare, up: startGpuExporter },
  { name: 'node exporter', after: ['ports'], origins: bare, up: startNodeExporter },
  {
    name: 'kube-state-metrics',
    after: ['API server'],
    origins: bare,
    up: startKubeStateMetrics,
  },
  {
    name: 'Prometheus',
    after: ['platform', 'GPU exporter', 'node exporter', 'kube-state-metrics'],
    origins: bare,
    install: processes,
    up: startPrometheus,
  },
  { name: 'example model', after: [], origins: ORIGINS, up: writeExampleModel },
  { name: 'example base', after: [], origins: ORIGINS, up: writeExampleBase },
  { name: 'console', after: [], origins: ORIGINS, up: builtConsole },
  { name: 'admin', after: [], origins: ORIGINS, up: builtAdmin },
  { name: 'portal', after: [], origins: ORIGINS, up: builtPortal },
  {
    name: 'gateway',
    after: ['platform', 'mail sink', 'card double', 'object store', 'Prometheus', 'console', 'admin', 'portal'],
    origins: ORIGINS,
    install: processes,
    up: startGateway,
  },
  {
    name: 'operator',
    after: ['platform', 'official images', 'data worker image', 'registry account', 'job queue', 'groups over nodes'],
    origins: ORIGINS,
    install: processes,
    up: startOperator,
  },
  { name: 'mail sink for Pods', after: ['network'], origins: bare, install: helm, up: startMailSinkForPods },
  { name: 'card double for Pods', after: ['network'], origins: bare, install: helm, up: startCardDoubleForPods },
  { name: 'object store for Pods', after: ['network'], origins: bare, install: helm, up: startObjectStoreForPods },
  {
    name: 'Prometheus for Pods',
    after: ['API server', 'GPU exporter', 'node exporter', 'kube-state-metrics'],
    origins: bare,
    install: helm,
    up: startPrometheusForPods,
  },
  {
    name: 'platform images',
    after: ['registry', 'console', 'admin', 'portal'],
    origins: bare,
    install: helm,
    up: pushPlatformImages,
  },
  {
    name: 'chart',
    after: [
      ...['platform images', 'storage', 'job queue', 'groups over nodes', 'CoreDNS ready'],
      ...['mail sink for Pods', 'card double for Pods', 'object store for Pods', 'Prometheus for Pods'],
    ],
    origins: bare,
    install: helm,
    up: (cluster) => installChart(cluster),
  },
  { name: 'ways in', after: ['chart'], origins: bare, install: helm, up: openWaysIn },
  { name: 'first images', after: ['chart'], origins: bare, install: helm, up: fillRegistry },
  {
    name: 'offered images',
    after: ['platform', 'official images', 'chart', 'first images'],
    origins: bare,
    up: offerImages,
  },
];
