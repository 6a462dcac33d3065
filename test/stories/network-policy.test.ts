// The connections that are possible on the bare-machine cluster, with Pods of two tenants, the platform and a stranger on two real nodes.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BEYOND_KUBELETS, KUBELET_PORTS } from '@gantry/contract/kubelet-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Layout } from '../../hack/layout.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { testCluster } from '../support/test-cluster.ts';

const TENANTS = ['story-net-a', 'story-net-b'];
const PLATFORM = 'story-net-platform';
const STRANGER = 'story-net-stranger';
const [KUBELET] = KUBELET_PORTS;
const NAMESPACES = [...TENANTS, PLATFORM, STRANGER];
const named = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });

/** The shape of what the product writes for an organisation. */
const policy = (namespace: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'isolated', namespace },
  spec: {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ podSelector: {} }, { namespaceSelector: named(PLATFORM) }] }],
    egress: [
      {
        to: [{ namespaceSelector: named('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      { to: [{ podSelector: {} }] },
      { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] } }] },
    ],
  },
});

/** `server-0` and `server-1`, each on the real node of that number. */
const server = (namespace: string, node: string, index: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `server-${index}`, namespace, labels: { app: 'server' } },
  spec: {
    terminationGracePeriodSeconds: 0,
    nodeName: node,
    containers: [
      {
        name: 'server',
        image: 'registry.gantry.internal/official/busybox:1.36',
        command: ['httpd', '-f', '-p', '80'],
      },
    ],
  },
});

const service = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'server', namespace },
  spec: { selector: { app: 'server' }, ports: [{ port: 80 }] },
});

let cluster: Layout;
let kubectl: Kubectl;
const addresses = new Map<string, string>();

const apply = (items: object[]) => kubectl.must(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });

beforeAll(async () => {
  ({ kubectl, layout: cluster } = await testCluster());
  await apply(NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
  await apply(TENANTS.flatMap((namespace) => [policy(namespace), service(namespace)]));
  await apply(
    NAMESPACES.flatMap((namespace) => cluster.nodes.map(({ name }, index) => server(namespace, name, index))),
  );
  for (const namespace of NAMESPACES) {
    await kubectl.must(['wait', '--for=condition=Ready', '--timeout=60s', `--namespace=${namespace}`, 'pod', '--all']);
    for (const index of cluster.nodes.keys()) {
      const path = ['--namespace', namespace, 'get', 'pod', `server-${index}`, '--output=jsonpath={.status.podIP}'];
      addresses.set(`${namespace}/server-${index}`, await kubectl.must(path));
    }
  }
}, 180_000);

afterAll(async () => {
  await kubectl.must(['delete', 'namespace', ...NAMESPACES, '--wait']);
}, 120_000);

async function reaches(from: string, host: string, port: number): Promise<boolean> {
  const [namespace = '', pod = ''] = from.split('/');
  const connect = ['sh', '-c', `nc -w 1 ${host} ${port} </dev/null`];
  return (await kubectl.run(['exec', '--namespace', namespace, pod, '--', ...connect])).code === 0;
}

/** An allowed connection may open a moment after the address exists, and answer late; a forbidden one is closed by then. */
async function isAnswered(from: string, host: string, port: number, open: boolean): Promise<void> {
  if (open) await eventually(`${host}:${port} to answer ${from}`, () => reaches(from, host, port));
  else expect([host, port, await reaches(from, host, port)]).toEqual([host, port, false]);
}

const A0 = 'story-net-a/server-0';
const A1 = 'story-net-a/server-1';
const B0 = 'story-net-b/server-0';
const B1 = 'story-net-b/server-1';
const PLATFORM_0 = `${PLATFORM}/server-0`;
const STRANGER_1 = `${STRANGER}/server-1`;

describe.each([
  ['its own, on another node', A0, A1, true],
  ['another tenant on its node', A0, B0, false],
  ['another tenant on another node', A0, B1, false],
  ['the platform', A0, PLATFORM_0, false],
  ['a stranger', A0, STRANGER_1, false],
])("a tenant's Pod and %s", (_, from, to, open) => {
  test(open ? 'reach each other' : 'do not reach each other', async () => {
    await isAnswered(from, addresses.get(to) ?? '', 80, open);
  });
});

test.each([
  ['the platform reaches a tenant, on its node', PLATFORM_0, A0, true],
  ['the platform reaches a tenant, on another node', PLATFORM_0, A1, true],
  ['a stranger does not reach a tenant', STRANGER_1, A0, false],
  ['strangers and platform reach each other: no policy, no rule', STRANGER_1, PLATFORM_0, true],
])('%s', async (_, from, to, open) => {
  await isAnswered(from, addresses.get(to) ?? '', 80, open);
});

test('Services are judged by the Pod behind them, and names resolve', async () => {
  await isAnswered(A1, 'server.story-net-a.svc.cluster.local', 80, true);
  await isAnswered(A1, 'server.story-net-b.svc.cluster.local', 80, false);
});

test("neither the API server, the registry nor a kubelet answers a tenant's Pod, and all answer a stranger's", async () => {
  const doors: [string, number][] = [
    [cluster.apiServiceIp, 443],
    [cluster.bridge.ip, 6443],
    [cluster.bridge.ip, 5000],
    ...cluster.nodes.map(({ ip }): [string, number] => [ip, 10_250]),
  ];
  for (const [host, port] of doors) {
    await isAnswered(A0, host, port, false);
    await isAnswered(STRANGER_1, host, port, true);
  }
});

/** As the chart writes it for the gateway. */
const beyondKubelets = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'beyond-kubelets', namespace: PLATFORM },
  spec: { podSelector: {}, policyTypes: ['Egress'], egress: BEYOND_KUBELETS },
};

test('a Pod of the platform reaches whatever it needs, and no kubelet', async () => {
  await apply([beyondKubelets]);
  for (const { ip } of cluster.nodes) {
    await eventually('the way to the kubelet to be closed', async () => !(await reaches(PLATFORM_0, ip, KUBELET)));
    await isAnswered(STRANGER_1, ip, KUBELET, true);
  }
  await isAnswered(PLATFORM_0, cluster.bridge.ip, 6443, true);
  await isAnswered(PLATFORM_0, cluster.apiServiceIp, 443, true);
  await isAnswered(PLATFORM_0, 'server.story-net-a.svc.cluster.local', 80, true);
});

test('a kubelet opens no container to a token of the gateway, of the operator or of a tenant', async () => {
  const [{ ip } = { ip: '' }] = cluster.nodes;
  const accounts = [
    ['gantry-system', 'gantry-gateway'],
    ['gantry-system', 'gantry-operator'],
    ['story-net-a', 'default'],
  ];
  for (const [namespace = '', account = ''] of accounts) {
    const token = await kubectl.must(['create', 'token', account, '--namespace', namespace]);
    for (const door of ['exec', 'run', 'attach']) {
      const url = `https://${ip}:${KUBELET}/${door}/story-net-b/server-0/server?command=id&output=1`;
      const headers = { authorization: `Bearer ${token}`, connection: 'Upgrade', upgrade: 'SPDY/3.1' };
      const asked = request(url, { method: 'POST', rejectUnauthorized: false, headers }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      asked.destroy();
      expect([account, door, answer.statusCode]).toEqual([account, door, 403]);
    }
  }
});

test('a policy holds once it is written, and no longer than it is there', async () => {
  const from = STRANGER_1;
  const to = addresses.get(B1) ?? '';
  const isOpen = () => reaches(from, to, 80);
  await kubectl.must(['delete', 'networkpolicy', 'isolated', '--namespace=story-net-b']);
  await eventually('the way to be open', isOpen);
  await apply([policy('story-net-b')]);
  // Once alone could be a look that was late.
  await eventually('the way to be closed', async () => !(await isOpen()) && !(await isOpen()));
});
