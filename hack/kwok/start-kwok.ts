// Simulation: KWOK plays the kubelet of the simulated nodes, by our own stages.
import { fileURLToPath } from 'node:url';
import { binary } from '../binaries.ts';
import { kubeconfigFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { flags, startProcess, waitReady } from '../process.ts';
import { MANAGED, makeNodes } from './nodes.ts';

/** Step. */
export async function startKwok(cluster: Layout): Promise<void> {
  const server = `127.0.0.1:${cluster.ports.kwok}`;
  await startProcess(cluster, {
    name: 'kwok',
    command: [
      await binary('kwok'),
      ...flags({
        kubeconfig: kubeconfigFile(cluster, 'admin'),
        config: fileURLToPath(new URL('stages.yaml', import.meta.url)),
        'manage-nodes-with-annotation-selector': `${MANAGED.key}=${MANAGED.value}`,
        // A heartbeat every quarter of it.
        'node-lease-duration-seconds': 20,
        'node-ip': cluster.bridge.ip,
        cidr: cluster.simulatedPodCidr,
        'server-address': server,
        v: 'WARN',
      }),
    ],
  });
  await waitReady(cluster, 'kwok', () => answersOk(`http://${server}/healthz`));
  await makeNodes(cluster);
}
