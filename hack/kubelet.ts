// A real node: its Node object, kubelet and kube-proxy, inside the node's network namespace.
import { mkdir } from 'node:fs/promises';
import { MOST_PROCESSES } from '@gantry/contract/kinds/instance-limits.ts';
import { applyObject, callApi, mustCallApi } from './api-call.ts';
import { binary } from './binaries.ts';
import { certificateFile, keyFile, kubeconfigFile } from './certificates.ts';
import { makeCgroup } from './cgroups.ts';
import type { Layout, NodeLayout } from './layout.ts';
import { flags, startProcess, waitReady } from './process.ts';
import { writeChanged } from './write-changed.ts';

/** The GPUs of a real node; no simulated node has this model, so a test can ask for a real container. */
const GPU = { product: 'Tesla-T4', count: 8, memoryMi: 15_360 };

const kubeletName = (node: NodeLayout) => `kubelet-${node.name}`;

export async function startKubelet(cluster: Layout, node: NodeLayout): Promise<void> {
  await makeCgroup(node.cgroupRoot);
  await mkdir(node.kubeletDir, { recursive: true });
  await mkdir(node.volumesDir, { recursive: true });
  await writeChanged(`${node.dir}/kubelet.json`, JSON.stringify(kubeletConfig(cluster, node)));
  await createNode(cluster, node);
  await startProcess(cluster, {
    name: kubeletName(node),
    command: [
      await binary('kubelet'),
      ...flags({
        config: `${node.dir}/kubelet.json`,
        kubeconfig: kubeconfigFile(cluster, node.name),
        'root-dir': node.kubeletDir,
        'hostname-override': node.name,
        'node-ip': node.ip,
      }),
    ],
    netnsPath: node.netnsPath,
  });
}

export async function startKubeProxy(cluster: Layout, node: NodeLayout): Promise<void> {
  await writeChanged(
    `${node.dir}/kube-proxy.json`,
    JSON.stringify({
      apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
      kind: 'KubeProxyConfiguration',
      mode: 'iptables',
      // A node's own identity may not list Services.
      clientConnection: { kubeconfig: kubeconfigFile(cluster, 'kube-proxy') },
      hostnameOverride: node.name,
      bindAddress: node.ip,
      clusterCIDR: cluster.podCidr,
      // Its limits belong to the host, whose other namespaces they would change.
      conntrack: { maxPerCore: 0, min: 0 },
      iptables: { minSyncPeriod: '200ms' },
      metricsBindAddress: '127.0.0.1:10249',
      healthzBindAddress: '127.0.0.1:10256',
    }),
  );
  await startProcess(cluster, {
    name: `kube-proxy-${node.name}`,
    command: [await binary('kube-proxy'), `--config=${node.dir}/kube-proxy.json`],
    netnsPath: node.netnsPath,
  });
}

export async function waitNodeReady(cluster: Layout, node: NodeLayout): Promise<void> {
  await waitReady(cluster, kubeletName(node), async () => {
    const { status, body } = await callApi(cluster, { path: `/api/v1/nodes/${node.name}` });
    if (status !== 200) return false;
    const conditions: { type: string; status: string }[] = JSON.parse(body).status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  });
  await offerGpus(cluster, node);
}

/** Made before its kubelet: the Pod range can be set only once, and not by the kubelet. */
async function createNode(cluster: Layout, node: NodeLayout): Promise<void> {
  await applyObject(cluster, '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      // GPU feature discovery's names.
      labels: {
        'nvidia.com/gpu.product': GPU.product,
        'nvidia.com/gpu.count': String(GPU.count),
        'nvidia.com/gpu.memory': String(GPU.memoryMi),
      },
    },
    spec: { podCIDR: node.podCidr, podCIDRs: [node.podCidr] },
  });
}

/** Kubernetes documents this way for extended resources; the kubelet preserves them. */
async function offerGpus(cluster: Layout, node: NodeLayout): Promise<void> {
  const gpus = { 'nvidia.com/gpu': String(GPU.count) };
  await mustCallApi(cluster, {
    method: 'PATCH',
    path: `/api/v1/nodes/${node.name}/status`,
    contentType: 'application/strategic-merge-patch+json',
    body: { status: { capacity: gpus, allocatable: gpus } },
  });
}

const kubeletConfig = (cluster: Layout, node: NodeLayout) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: node.ip,
  healthzBindAddress: '127.0.0.1',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: certificateFile(cluster, 'ca') },
  },
  authorization: { mode: 'Webhook' },
  tlsCertFile: certificateFile(cluster, `${node.name}-serving`),
  tlsPrivateKeyFile: keyFile(cluster, `${node.name}-serving`),
  clusterDomain: 'cluster.local',
  clusterDNS: [cluster.dnsIp],
  containerRuntimeEndpoint: `unix://${node.containerdSocket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: node.cgroupRoot,
  failSwapOn: false,
  // A Kubernetes after 1.34 refuses cgroup v1 unless told otherwise; this one warns.
  failCgroupV1: false,
  // On cgroup v2 one greedy program would otherwise take its whole container along, the tenant's shells too.
  singleProcessOOMKill: true,
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  oomScoreAdj: 0,
  maxPods: 110,
  // Without it one tenant can use up the processes of the whole node.
  podPidsLimit: MOST_PROCESSES,
  podLogsDir: node.podLogsDir,
  volumePluginDir: `${node.dir}/volume-plugins`,
  syncFrequency: '10s',
  nodeStatusUpdateFrequency: '10s',
  // A heartbeat every 2.5 s: one quarter.
  nodeLeaseDurationSeconds: 10,
  // The default of 5 a second would make a burst of Pods wait for their own images.
  registryPullQPS: 50,
  registryBurst: 100,
  serializeImagePulls: false,
  shutdownGracePeriod: '0s',
});
