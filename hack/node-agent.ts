// The node agent: a DaemonSet in the platform's namespace, like the chart's elsewhere. Here every node has its own folders for
// containerd and kubelet, which one template cannot name: so each real node has a DaemonSet, and simulated ones have none.

import { readFile } from 'node:fs/promises';
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import { AGENT_ACCOUNT, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { applyObject, callApi } from './api-call.ts';
import { buildAgent, officialName } from './images/build.ts';
import { pushImage } from './images/push-image.ts';
import type { Layout, NodeLayout } from './layout.ts';
import { waitFor } from './wait-for.ts';

const COLLECTION = `/apis/apps/v1/namespaces/${PLATFORM_NAMESPACE}/daemonsets`;
export const AGENT_PORT = 9901;
const TOKEN_DIR = '/var/run/gantry/registry';
const TOKEN_SECONDS = 3600;

const nameOn = (node: NodeLayout) => `gantry-agent-${node.name}`;

/** Step. By digest: unchanged code changes nothing, newer code replaces the running agent. */
export async function startNodeAgent(cluster: Layout): Promise<void> {
  if (cluster.nodes.length === 0) return;
  const image = await pushNodeAgent(cluster);
  await Promise.all(cluster.nodes.map((node) => applyObject(cluster, COLLECTION, daemonSet(cluster, node, image))));
}

export async function waitNodeAgent(cluster: Layout): Promise<void> {
  await Promise.all(
    cluster.nodes.map((node) => waitFor(`the agent of ${node.name} to be ready`, () => isReady(cluster, node))),
  );
}

async function isReady(cluster: Layout, node: NodeLayout): Promise<boolean> {
  const { status, body } = await callApi(cluster, { path: `${COLLECTION}/${nameOn(node)}` });
  if (status !== 200) return false;
  const agent: DaemonSet = JSON.parse(body);
  const { observedGeneration, updatedNumberScheduled = 0, numberReady = 0 } = agent.status ?? {};
  return observedGeneration === agent.metadata.generation && updatedNumberScheduled > 0 && numberReady > 0;
}

interface DaemonSet {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberReady?: number;
  };
}

/** Holds both binaries: the platform's own, and the one that instances get. */
async function pushNodeAgent(cluster: Layout): Promise<string> {
  const files = await Promise.all(
    (['node-agent', 'agent'] as const).map(async (path) => ({
      path,
      content: await readFile(await buildAgent(cluster, path)),
      mode: 0o755,
    })),
  );
  return pushImage(cluster, await officialName('node-agent'), { files, entrypoint: ['/node-agent'] });
}

function daemonSet(cluster: Layout, node: NodeLayout, image: string) {
  const labels = { 'app.kubernetes.io/name': 'gantry-agent', 'kubernetes.io/hostname': node.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: nameOn(node), namespace: PLATFORM_NAMESPACE, labels: { ...labels, [LABEL.managed]: 'true' } },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: AGENT_ACCOUNT,
          priorityClassName: 'system-node-critical',
          nodeSelector: { 'kubernetes.io/hostname': node.name },
          // Whatever keeps tenants off a node, its contents are saved.
          tolerations: [{ operator: 'Exists' }],
          // The next agent repeats an interrupted save.
          terminationGracePeriodSeconds: 5,
          enableServiceLinks: false,
          // Layers, volumes and containerd's socket are read through containerd's shim, homes through the one that holds
          // them: no volume shows mounts as they come and go.
          hostPID: true,
          hostNetwork: true,
          dnsPolicy: 'Default',
          containers: [
            {
              name: 'agent',
              image,
              args: [
                'run',
                '--host-root=parent',
                `--containerd=${node.containerdSocket}`,
                `--kubelet-dir=${node.kubeletDir}`,
                `--registry=${cluster.registry.address}`,
                `--registry-name=${cluster.registry.name}`,
                '--registry-plain-http',
                `--registry-token-file=${TOKEN_DIR}/token`,
                `--listen=$(NODE_IP):${AGENT_PORT}`,
              ],
              env: [
                NO_CARDS,
                fromField('NODE_NAME', 'spec.nodeName'),
                fromField('NODE_IP', 'status.hostIP'),
                fromField('POD_NAME', 'metadata.name'),
                // Below the limit, so that Go collects before the kernel kills.
                { name: 'GOMEMLIMIT', value: '384MiB' },
              ],
              ports: [{ name: 'health', containerPort: AGENT_PORT, hostPort: AGENT_PORT }],
              readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 1 },
              livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10 },
              resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '512Mi' } },
              securityContext: { privileged: true, readOnlyRootFilesystem: true },
              volumeMounts: [{ name: 'registry-token', mountPath: TOKEN_DIR, readOnly: true }],
            },
          ],
          volumes: [
            {
              name: 'registry-token',
              projected: {
                sources: [
                  {
                    serviceAccountToken: {
                      audience: 'gantry-registry',
                      expirationSeconds: TOKEN_SECONDS,
                      path: 'token',
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    },
  };
}

const fromField = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
