// The node agent's promises, with Pods and Snapshots made by hand: the files of a container outlive it, its Pod, and the agent
// itself; and nobody gets another's.
import type { Snapshot, SnapshotStatus } from '@gantry/contract/kinds/snapshot.ts';
import { agentLease, PLATFORM_NAMESPACE, REGISTRY } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NodeLayout } from '../../hack/layout.ts';
import { findProcess } from '../../hack/process.ts';
import { eventually } from '../support/eventually.ts';
import { killAgent } from './real-node.ts';
import { SMALL, setStage, type Tenant } from './stage.ts';

const stage = setStage();
const SAVED_WITHIN_MS = 90_000;
const BUSYBOX = SMALL.image ?? '';

let acme: Tenant;
let foe: Tenant;
beforeAll(async () => {
  [acme, foe] = await Promise.all([stage().organization('saved'), stage().organization('curious')]);
});
// Whatever a story left half done.
afterAll(() => signalRegistry('SIGCONT'));

const node = (): NodeLayout => {
  const [first] = stage().cluster.nodes;
  if (!first) throw new Error('the stage has no real node');
  return first;
};
const kubectl = (...args: string[]) => stage().kubectl.must(args);
const inContainer = (pod: string, script: string) =>
  kubectl('exec', '-n', acme.namespace, pod, '--', 'sh', '-c', script).then((said) => said.trim());

/** Runs as an instance's would; resolves with its UID. */
async function startPod(name: string, image: string): Promise<string> {
  await stage().kubectl.must(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: acme.namespace, labels: { 'gantry.dev/kind': 'GpuInstance' } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      nodeName: node().name,
      imagePullSecrets: [{ name: 'gantry-pull' }],
      containers: [{ name: 'main', image, imagePullPolicy: 'Always', command: ['sleep', '100000'] }],
    },
  });
  await kubectl('wait', '--for=condition=Ready', 'pod', name, '-n', acme.namespace, '--timeout=60s');
  return kubectl('get', 'pod', name, '-n', acme.namespace, '-o', 'jsonpath={.metadata.uid}');
}

/** Nothing of the Pod is left on the API server. */
const deletePod = (name: string) => kubectl('delete', 'pod', name, '-n', acme.namespace, '--grace-period=1');

async function ask(name: string, podUID: string, tenant = acme): Promise<void> {
  await stage().kubectl.must(['apply', '-f', '-'], {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Snapshot',
    metadata: { name, namespace: tenant.namespace },
    spec: {
      instance: 'dev',
      of: 'Root',
      node: node().name,
      podName: name,
      podUID,
      target: `${REGISTRY}/${tenant.namespace}/dev.root:${name}`,
    },
  });
}

const becomes = (name: string, phase: string, tenant = acme): Promise<SnapshotStatus> =>
  eventually(
    `Snapshot ${name} is ${phase}`,
    async () => {
      const text = await kubectl('get', 'snapshot', name, '-n', tenant.namespace, '-o', 'json');
      const { status }: Snapshot = JSON.parse(text);
      return status?.phase === phase ? status : undefined;
    },
    SAVED_WITHIN_MS,
  );

async function signalRegistry(signal: NodeJS.Signals): Promise<void> {
  const registry = await findProcess(stage().cluster, 'registry');
  if (registry) process.kill(registry.pid, signal);
}

let saved = '';

test('a Pod that is gone before anybody asks is saved all the same, and what was made of it boots', async () => {
  const uid = await startPod('one', BUSYBOX);
  await inContainer(
    'one',
    'echo kept > /srv-file && mkdir -p /opt/deep && ln -s /srv-file /opt/deep/link && rm /bin/vi',
  );
  await deletePod('one');
  await ask('one', uid);
  const status = await becomes('one', 'ready');
  expect(status).toMatchObject({ reason: 'Saved', attempts: 1, layers: 1, totalBytes: status.sizeBytes });
  saved = `${REGISTRY}/${acme.namespace}/dev.root@${status.digest}`;
});

test('the agent is killed while it pushes: the next one begins anew, from files that no Pod has any more', async () => {
  const uid = await startPod('two', saved);
  expect(await inContainer('two', 'cat /opt/deep/link; [ -e /bin/vi ] || echo gone')).toBe('kept\ngone');
  await inContainer('two', 'head -c 5000000 /dev/urandom > /large && md5sum < /large > /sum');
  await deletePod('two');
  await signalRegistry('SIGSTOP');
  await ask('two', uid);
  expect(await becomes('two', 'processing')).toMatchObject({ attempts: 1 });
  await killAgent(node());
  await signalRegistry('SIGCONT');
  const { attempts, digest, sizeBytes } = await becomes('two', 'ready');
  expect(attempts).toBeGreaterThan(1);
  expect(sizeBytes).toBeGreaterThan(5_000_000);
  await startPod('three', `${REGISTRY}/${acme.namespace}/dev.root@${digest}`);
  expect(await inContainer('three', 'cat /srv-file; md5sum < /large | cmp - /sum && echo same')).toBe('kept\nsame');
});

test('no organisation saves the container of another, and what is gone is said to be gone', async () => {
  const uid = await kubectl('get', 'pod', 'three', '-n', acme.namespace, '-o', 'jsonpath={.metadata.uid}');
  await deletePod('three');
  await ask('three', uid, foe);
  expect(await becomes('three', 'failed', foe)).toMatchObject({ reason: 'Refused' });
  await ask('three', uid);
  await becomes('three', 'ready');
  await ask('never', '00000000-0000-0000-0000-000000000000');
  expect(await becomes('never', 'failed')).toMatchObject({ reason: 'ContainerGone' });
});

test('the node says that it has an agent', async () => {
  const lease = await kubectl('get', 'lease', agentLease(node().name), '-n', PLATFORM_NAMESPACE, '-o', 'json');
  const { metadata, spec } = JSON.parse(lease);
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: node().name }]);
  expect(spec.holderIdentity).toMatch(`gantry-agent-${node().name}-`);
});
