// etcd, API server, controller manager and scheduler as processes of the host.
import { get } from 'node:http';
import { callApi } from './api-call.ts';
import { binary } from './binaries.ts';
import { certificateFile, keyFile, kubeconfigFile } from './certificates.ts';
import type { Layout } from './layout.ts';
import { flags, startProcess, waitReady } from './process.ts';
import { writeChanged } from './write-changed.ts';

// The defaults, 20 and 50 requests a second, would cap a simulation long before the API server does.
const CLIENT = { qps: 500, burst: 1000 };

export async function startEtcd(cluster: Layout): Promise<void> {
  const { etcd, etcdPeer } = cluster.ports;
  const clientUrl = `http://127.0.0.1:${etcd}`;
  const peerUrl = `http://127.0.0.1:${etcdPeer}`;
  await startProcess(cluster, {
    name: 'etcd',
    command: [
      await binary('etcd'),
      ...flags({
        name: cluster.name,
        'data-dir': `${cluster.dir}/etcd`,
        'listen-client-urls': clientUrl,
        'advertise-client-urls': clientUrl,
        'listen-peer-urls': peerUrl,
        'initial-advertise-peer-urls': peerUrl,
        'initial-cluster': `${cluster.name}=${peerUrl}`,
        'quota-backend-bytes': 4 * 2 ** 30,
        // Nothing here outlives the machine: a sync per write would only wait for the disk.
        'unsafe-no-fsync': true,
        'log-level': 'warn',
      }),
    ],
  });
  await waitReady(cluster, 'etcd', () => answersOk(`${clientUrl}/readyz`));
}

export async function startApiServer(cluster: Layout): Promise<void> {
  const client = 'api-server-to-kubelet';
  await startProcess(cluster, {
    name: 'kube-apiserver',
    command: [
      await binary('kube-apiserver'),
      ...flags({
        'etcd-servers': `http://127.0.0.1:${cluster.ports.etcd}`,
        // Only the bridge's address: Pods cannot reach a loopback address, and nobody else should reach this.
        'bind-address': cluster.bridge.ip,
        'advertise-address': cluster.bridge.ip,
        'secure-port': 6443,
        'tls-cert-file': certificateFile(cluster, 'api-server'),
        'tls-private-key-file': keyFile(cluster, 'api-server'),
        'client-ca-file': certificateFile(cluster, 'ca'),
        'authorization-mode': 'Node,RBAC',
        'enable-admission-plugins': 'NodeRestriction',
        'allow-privileged': true,
        'service-cluster-ip-range': cluster.serviceCidr,
        'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
        'service-account-key-file': `${cluster.pkiDir}/service-account.pub`,
        'service-account-signing-key-file': keyFile(cluster, 'service-account'),
        'kubelet-certificate-authority': certificateFile(cluster, 'ca'),
        'kubelet-client-certificate': certificateFile(cluster, client),
        'kubelet-client-key': keyFile(cluster, client),
        'kubelet-preferred-address-types': 'InternalIP',
        'requestheader-client-ca-file': certificateFile(cluster, 'ca'),
        'requestheader-allowed-names': 'front-proxy-client',
        'requestheader-username-headers': 'X-Remote-User',
        'requestheader-group-headers': 'X-Remote-Group',
        'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
        'proxy-client-cert-file': certificateFile(cluster, 'front-proxy'),
        'proxy-client-key-file': keyFile(cluster, 'front-proxy'),
      }),
    ],
  });
  // The server reports ready before the standard namespaces exist.
  const questions = ['/readyz', '/api/v1/namespaces/kube-system', '/api/v1/namespaces/default'];
  await waitReady(cluster, 'kube-apiserver', async () => {
    const answers = await Promise.all(questions.map((path) => callApi(cluster, { path })));
    return answers.every(({ status }) => status === 200);
  });
}

export async function startControllerManager(cluster: Layout): Promise<void> {
  const kubeconfig = kubeconfigFile(cluster, 'controller-manager');
  await startProcess(cluster, {
    name: 'kube-controller-manager',
    command: [
      await binary('kube-controller-manager'),
      ...flags({
        kubeconfig,
        'authentication-kubeconfig': kubeconfig,
        'authorization-kubeconfig': kubeconfig,
        'bind-address': '127.0.0.1',
        'secure-port': cluster.ports.controllerManager,
        'leader-elect': false,
        'use-service-account-credentials': true,
        'service-account-private-key-file': keyFile(cluster, 'service-account'),
        'root-ca-file': certificateFile(cluster, 'ca'),
        'cluster-signing-cert-file': certificateFile(cluster, 'ca'),
        'cluster-signing-key-file': keyFile(cluster, 'ca'),
        // A real node's Pod range is fixed by its layout, and a /16 has no room for one per simulated node.
        'allocate-node-cidrs': false,
        // Half the usual: ten heartbeats of a real node (kubelet.ts), five of a simulated one (start-kwok.ts).
        'node-monitor-grace-period': '25s',
        'node-monitor-period': '2s',
        // A quota that came before its kinds were known is counted again at the next of these; every 5 minutes by default.
        'resource-quota-sync-period': '30s',
        'kube-api-qps': CLIENT.qps,
        'kube-api-burst': CLIENT.burst,
      }),
    ],
  });
}

export async function startScheduler(cluster: Layout): Promise<void> {
  const kubeconfig = kubeconfigFile(cluster, 'scheduler');
  const config = `${cluster.dir}/scheduler.json`;
  await writeChanged(
    config,
    JSON.stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig, ...CLIENT },
      leaderElection: { leaderElect: false },
    }),
  );
  await startProcess(cluster, {
    name: 'kube-scheduler',
    command: [
      await binary('kube-scheduler'),
      ...flags({
        config,
        'authentication-kubeconfig': kubeconfig,
        'authorization-kubeconfig': kubeconfig,
        'bind-address': '127.0.0.1',
        'secure-port': cluster.ports.scheduler,
      }),
    ],
  });
}

export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get(url, { timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).once('error', reject);
  });
}
