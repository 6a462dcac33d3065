// Simulated Pods end as a kubelet's do: with the time at which they ended, and only once nobody holds them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { testCluster } from '../support/test-cluster.ts';

const NAMESPACE = 'story-simulated';
const FINALIZER = 'gantry.dev/metered';
const DEADLINE_SECONDS = 2;

interface SeenPod {
  readonly metadata: { readonly finalizers?: string[] };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly reason?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly containerStatuses?: { readonly state: { readonly terminated?: { readonly finishedAt: string } } }[];
  };
}

let kubectl: Kubectl;

beforeAll(async () => {
  ({ kubectl } = await testCluster());
  await kubectl.must(['create', 'namespace', NAMESPACE]);
}, 120_000);

afterAll(async () => {
  // Also of Pods that a failed test still held.
  for (const name of ['deleted', 'deadline', 'stranger', 'with-disk']) if (await seen(name)) await letGo(name);
  await kubectl.must(['delete', 'namespace', NAMESPACE, '--wait']);
}, 120_000);

const pod = (name: string, { tolerates = true, claim }: { tolerates?: boolean; claim?: string } = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE, finalizers: [FINALIZER] },
  spec: {
    restartPolicy: 'Never',
    nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-L40S' },
    ...(tolerates ? { tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }] } : {}),
    initContainers: [{ name: 'first', image: 'none/none:1' }],
    containers: [{ name: 'main', image: 'none/none:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    ...(claim === undefined ? {} : { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: claim } }] }),
  },
});

const seen = (name: string) => kubectl.get<SeenPod>('pod', name, '--namespace', NAMESPACE);
const inPhase = (name: string, phase: string) =>
  eventually(`${name} to be ${phase}`, async () => {
    const found = await seen(name);
    return found?.status.phase === phase ? found : undefined;
  });
const finishedAt = ({ status }: SeenPod) =>
  Date.parse(status.containerStatuses?.[0]?.state.terminated?.finishedAt ?? '');
const letGo = (name: string) =>
  kubectl.must([
    'patch',
    'pod',
    name,
    '--namespace',
    NAMESPACE,
    '--type=merge',
    '--patch={"metadata":{"finalizers":null}}',
  ]);
const isGone = (name: string) => eventually(`${name} to be gone`, async () => (await seen(name)) === undefined);

test('a deleted Pod says when it ended and waits for its finalizer', async () => {
  await kubectl.must(['apply', '-f', '-'], pod('deleted'));
  const running = await inPhase('deleted', 'Running');
  expect(running.spec.nodeName).toMatch(/^sim-l40s-/);
  expect(running.status.podIP).toBeDefined();

  await kubectl.must(['delete', 'pod', 'deleted', '--namespace', NAMESPACE, '--wait=false']);
  const ended = await inPhase('deleted', 'Failed');
  expect(ended.metadata.finalizers).toEqual([FINALIZER]);
  expect(finishedAt(ended)).toBeGreaterThanOrEqual(Date.parse(running.status.startTime ?? ''));
  await letGo('deleted');
  await isGone('deleted');
});

test('a deadline set on a running Pod counts from its start, and the Pod stays', async () => {
  await kubectl.must(['apply', '-f', '-'], pod('deadline'));
  const { status } = await inPhase('deadline', 'Running');
  const deadline = { spec: { activeDeadlineSeconds: DEADLINE_SECONDS } };
  await kubectl.must(['patch', 'pod', 'deadline', '--namespace', NAMESPACE, '--patch', JSON.stringify(deadline)]);
  const ended = await inPhase('deadline', 'Failed');
  expect(ended.status.reason).toBe('DeadlineExceeded');
  // Times are in whole seconds.
  const ran = (finishedAt(ended) - Date.parse(status.startTime ?? '')) / 1000;
  expect(ran).toBeGreaterThanOrEqual(DEADLINE_SECONDS);
  await letGo('deadline');
  await kubectl.must(['delete', 'pod', 'deadline', '--namespace', NAMESPACE, '--wait=false']);
  await isGone('deadline');
});

test('a Pod that does not name the taint does not land there', async () => {
  await kubectl.must(['apply', '-f', '-'], pod('stranger', { tolerates: false }));
  await eventually('the scheduler to have tried', async () => {
    const events = await kubectl.must(['events', '--namespace', NAMESPACE, '--for=pod/stranger']);
    return events.includes('untolerated taint');
  });
});

test('a claim on a simulated node is bound without a disk', async () => {
  await kubectl.must(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'disk', namespace: NAMESPACE },
    spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '5Ti' } } },
  });
  await kubectl.must(['apply', '-f', '-'], pod('with-disk', { claim: 'disk' }));
  await inPhase('with-disk', 'Running');
});
