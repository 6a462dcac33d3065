// Cluster DNS as in any cluster: CoreDNS in Pods behind the service `kube-dns`. It also knows the registry's name.

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import { applyObject, callApi } from './api-call.ts';
import { binary } from './binaries.ts';
import { crane } from './crane.ts';
import type { Layout } from './layout.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const image = ({ registry }: Layout) => `${registry.images}/gantry/coredns:1`;
const labels = { 'k8s-app': 'kube-dns' };
const name = 'coredns';
const namespace = 'kube-system';
const HOSTNAME = 'kubernetes.io/hostname';

/** An image of one static binary. */
export async function pushCorednsImage(cluster: Layout): Promise<void> {
  const coredns = await binary('coredns');
  const reference = image(cluster).replace(cluster.registry.images, cluster.registry.address);
  if (await crane(cluster, ['digest', reference]).catch(() => '')) return;
  // Kept beside the binary: packing 70 MB takes longer than all the rest of the step.
  const layer = `${coredns}.tar.gz`;
  if (!existsSync(layer)) {
    // Clusters that start at once each pack their own: the last one in place is as good as the first.
    const unfinished = `${layer}.${process.pid}`;
    const folder = coredns.slice(0, -'/coredns'.length);
    await run('sh', ['-c', `tar -C "$1" -c coredns | gzip -1 > "$2"`, 'sh', folder, unfinished]);
    await rename(unfinished, layer);
  }
  // The name that is looked for comes last: an image without its entrypoint would be taken for done.
  const half = `${reference}-layer`;
  await crane(cluster, ['append', '--oci-empty-base', '--new_layer', layer, '--new_tag', half]);
  const settings = ['--set-platform', 'linux/amd64', '--entrypoint', '/coredns'];
  await crane(cluster, ['mutate', ...settings, half, '-t', reference]);
}

/** Without real nodes there is nobody who could run it, or ask it. */
export async function startCoredns(cluster: Layout): Promise<void> {
  if (cluster.nodes.length === 0) return;
  const core = `/api/v1/namespaces/${namespace}`;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await applyObject(cluster, `${core}/serviceaccounts`, object('v1', 'ServiceAccount', {}));
  await applyObject(cluster, `${rbac}/clusterroles`, {
    ...object('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: RULES }),
    metadata: { name: 'system:coredns' },
  });
  await applyObject(cluster, `${rbac}/clusterrolebindings`, {
    ...object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    }),
    metadata: { name: 'system:coredns' },
  });
  await applyObject(
    cluster,
    `${core}/configmaps`,
    object('v1', 'ConfigMap', { data: { Corefile: corefile(cluster) } }),
  );
  await applyObject(cluster, `${core}/services`, {
    ...object('v1', 'Service', { spec: serviceSpec(cluster) }),
    metadata: { name: 'kube-dns', namespace, labels },
  });
  await applyObject(cluster, `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    ...object('apps/v1', 'Deployment', { spec: deploymentSpec(cluster) }),
  });
}

export async function waitCoredns(cluster: Layout): Promise<void> {
  if (cluster.nodes.length === 0) return;
  await waitFor('CoreDNS to be ready', async () => {
    const { status, body } = await callApi(cluster, {
      path: `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`,
    });
    return status === 200 && JSON.parse(body).status?.readyReplicas > 0;
  });
}

const object = (apiVersion: string, kind: string, rest: object) => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  ...rest,
});

const RULES = [
  { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
];

const corefile = ({ registry, bridge }: Layout) => `.:53 {
  errors
  health :8080
  ready :8181
  kubernetes cluster.local in-addr.arpa {
    pods insecure
    fallthrough in-addr.arpa
  }
  hosts {
    ${bridge.ip} ${registry.name}
    fallthrough
  }
  forward . /etc/resolv.conf
  cache 30
  loop
  reload
}
`;

const serviceSpec = ({ dnsIp }: Layout) => ({
  clusterIP: dnsIp,
  selector: labels,
  ports: [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ],
});

const deploymentSpec = (cluster: Layout, realNodes = cluster.nodes.map(({ name }) => name)) => ({
  // A lost node must not take every name along.
  replicas: Math.min(realNodes.length, 2),
  selector: { matchLabels: labels },
  template: {
    metadata: { labels },
    spec: {
      serviceAccountName: name,
      priorityClassName: 'system-cluster-critical',
      // Never on a simulated node, where nothing would answer.
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: realNodes }] }],
          },
        },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: HOSTNAME,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: labels },
        },
      ],
      tolerations: [{ operator: 'Exists' }],
      dnsPolicy: 'Default',
      containers: [
        {
          name,
          image: image(cluster),
          args: ['-conf', '/etc/coredns/Corefile'],
          env: [NO_CARDS],
          volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
          readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
          livenessProbe: { httpGet: { path: '/health', port: 8080 }, initialDelaySeconds: 30 },
          resources: { requests: { cpu: '50m', memory: '70Mi' }, limits: { memory: '170Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
            readOnlyRootFilesystem: true,
          },
        },
      ],
      volumes: [{ name: 'config', configMap: { name } }],
    },
  },
});
