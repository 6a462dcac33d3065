// The SSH door: a Deployment and a Service of the platform's namespace, as the chart makes them elsewhere. There a load
// balancer has the address; here it is the first node's, at a fixed port.
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import { DOOR_ACCOUNT, DOOR_HOST_KEYS, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { applyObject, callApi } from './api-call.ts';
import { buildAgent, officialName } from './images/build.ts';
import { sshDoorImage } from './images/official-images.ts';
import { pushImage } from './images/push-image.ts';
import type { Layout } from './layout.ts';
import { waitFor } from './wait-for.ts';

const name = 'gantry-ssh-door';
const labels = { 'app.kubernetes.io/name': name };
export const DOOR_PORT = 30_022;
const SSH_PORT = 2222;
const HEALTH_PORT = 8080;
/** How long connections have to end when the Pod goes, and how long the agent needs after that. */
const GRACE_SECONDS = { connections: 60, pod: 75 };

/** host:port as this machine reaches it; none without a real node to run it. */
export function sshDoor({ nodes }: Layout): string | undefined {
  return nodes[0] && `${nodes[0].ip}:${DOOR_PORT}`;
}

/** Step. By digest: the same code changes nothing, newer code comes beside the old, which then has its grace to end. */
export async function startSshDoor(cluster: Layout): Promise<void> {
  const node = cluster.nodes[0];
  if (!node) return;
  const spec = await sshDoorImage(await buildAgent(cluster, 'node-agent'));
  const image = await pushImage(cluster, await officialName('ssh-door'), spec);
  const core = `/api/v1/namespaces/${PLATFORM_NAMESPACE}`;
  await applyObject(cluster, `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata, spec: serviceSpec });
  await applyObject(cluster, `/apis/networking.k8s.io/v1/namespaces/${PLATFORM_NAMESPACE}/networkpolicies`, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: networkPolicySpec(cluster),
  });
  await applyObject(cluster, `/apis/apps/v1/namespaces/${PLATFORM_NAMESPACE}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: deploymentSpec(image, node.name),
  });
}

export async function waitSshDoor(cluster: Layout): Promise<void> {
  if (cluster.nodes.length === 0) return;
  const path = `/apis/apps/v1/namespaces/${PLATFORM_NAMESPACE}/deployments/${name}`;
  await waitFor('the SSH door to be ready', async () => {
    const { status, body } = await callApi(cluster, { path });
    if (status !== 200) return false;
    const door: Deployment = JSON.parse(body);
    const isSeen = door.status?.observedGeneration === door.metadata.generation;
    return isSeen && (door.status?.updatedReplicas ?? 0) > 0 && door.status?.unavailableReplicas === undefined;
  });
}

interface Deployment {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly unavailableReplicas?: number;
  };
}

const metadata = { name, namespace: PLATFORM_NAMESPACE, labels: { ...labels, [LABEL.managed]: 'true' } };

const serviceSpec = {
  type: 'NodePort',
  // Else every client had the node's address, and a crowd from one place would shut out all others.
  externalTrafficPolicy: 'Local',
  selector: labels,
  ports: [{ name: 'ssh', port: 22, targetPort: SSH_PORT, nodePort: DOOR_PORT }],
};

/** A second barrier: the network also enforces what the door permits. Clients may come from anywhere. */
const networkPolicySpec = ({ bridge }: Layout) => ({
  podSelector: { matchLabels: labels },
  policyTypes: ['Egress'],
  egress: [
    {
      to: [
        {
          namespaceSelector: { matchExpressions: [{ key: LABEL.organization, operator: 'Exists' }] },
          podSelector: { matchLabels: { [LABEL.kind]: 'GpuInstance' } },
        },
      ],
      ports: [{ protocol: 'TCP', port: 22 }],
    },
    { to: [{ ipBlock: { cidr: `${bridge.ip}/32` } }], ports: [{ protocol: 'TCP', port: 6443 }] },
  ],
});

const deploymentSpec = (image: string, node: string) => ({
  replicas: 1,
  selector: { matchLabels: labels },
  // The new one takes over before the old one closes.
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  template: {
    metadata: { labels },
    spec: {
      serviceAccountName: DOOR_ACCOUNT,
      priorityClassName: 'system-cluster-critical',
      // The node whose address the door has.
      nodeSelector: { 'kubernetes.io/hostname': node },
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: GRACE_SECONDS.pod,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'door',
          image,
          args: [
            `--namespace=${PLATFORM_NAMESPACE}`,
            `--host-keys=${DOOR_HOST_KEYS}`,
            `--port=${SSH_PORT}`,
            `--health=:${HEALTH_PORT}`,
            `--grace=${GRACE_SECONDS.connections}s`,
          ],
          env: [NO_CARDS],
          ports: [
            { name: 'ssh', containerPort: SSH_PORT },
            { name: 'health', containerPort: HEALTH_PORT },
          ],
          readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 1 },
          livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10 },
          resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '1Gi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  },
});
