// Services on a real API server, with the controllers of Deployments and ReplicaSets and the operator as a process with its own
// rights: what the simulated cluster of the laws cannot know. Without nodes that run anything, the test says what kubelets would.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchOperator, type OperatorProcess, startOperator } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';

const SPACE = 'org-acme';
const NODE = 'node-a';
const PODS = 'gantry.dev/kind=ContainerService';

let server: ApiServer;
let operator: OperatorProcess;

beforeAll(async () => {
  server = await startApiServer({
    controllers: ['namespace', 'garbagecollector', 'deployment', 'replicaset', 'serviceaccount'],
  });
  operator = await startOperator({
    kubeconfig: await kubeconfigOf({ namespace: 'gantry-system', name: 'gantry-operator' }, server),
    launch: launchOperator('--credit-gate=off', '--probe-every=24h', '--service-url=https://tenants.example'),
  });
  await server.kubectl.must(['apply', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: 'Organization',
    metadata: { name: 'acme' },
    spec: { displayName: 'Acme', members: [], quota: { cores: 64, memoryGi: 64 } },
  });
  await server.kubectl.must(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: NODE, labels: { [LABEL.gpuModel]: 'H100' } },
  });
  await patchStatus('node', NODE, {
    capacity: { [GPU_RESOURCE]: '8' },
    allocatable: { [GPU_RESOURCE]: '8' },
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  await eventually('the organisation is ready', async () => {
    const found = await server.kubectl.get<{ status?: { phase?: string } }>('organization', 'acme');
    expect(found?.status?.phase).toBe('ready');
    return true;
  });
}, 300_000);

afterAll(async () => {
  await operator?.close();
  await server?.stop();
});

const within = (args: string[]) => [...args, '--namespace', SPACE];
const patchStatus = (kind: string, name: string, status: object, ...args: string[]) =>
  server.kubectl.must([
    'patch',
    kind,
    name,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
    ...args,
  ]);
const service = () => server.kubectl.get<ContainerService>(...within(['containerservice', 'chat']));
const podsThere = async () =>
  (await server.kubectl.get<{ items: Pod[] }>(...within(['pods', '-l', PODS])))?.items ?? [];
const change = (spec: object) =>
  server.kubectl.must(within(['patch', 'containerservice', 'chat', '--type=merge', '-p', JSON.stringify({ spec })]));
const deployed = () =>
  server.kubectl.get<{ spec: { template: { spec: object } } }>(...within(['deployment', 'chat-service']));

/** Pods that start now were given their GPUs then. */
let admittedAt = '2026-01-01T00:00:00Z';

/** No registry has it. */
const MISSING = 'library/busybox:no-such';

/** As a scheduler and a kubelet would: all that are there run, or have ended, but for those whose image is missing. */
async function kubelet(): Promise<void> {
  for (const { metadata, spec, status } of await podsThere()) {
    const { name, deletionTimestamp } = metadata;
    const at = new Date(Date.now() - 5000).toISOString().replace(/\.\d+Z/, 'Z');
    const main = { name: 'main', image: 'a', imageID: 'a', restartCount: 0 };
    if (!spec?.nodeName) {
      const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
      await server.kubectl.run(
        ['create', '--raw', `/api/v1/namespaces/${SPACE}/pods/${name}/binding`, '-f', '-'],
        binding,
      );
    } else if (deletionTimestamp !== undefined && status?.phase !== 'Succeeded') {
      const state = { terminated: { exitCode: 0, startedAt: at, finishedAt: at } };
      await patchStatus(
        'pod',
        name,
        { phase: 'Succeeded', containerStatuses: [{ ...main, ready: false, state }] },
        `--namespace=${SPACE}`,
      );
    } else if (deletionTimestamp !== undefined) {
      await server.kubectl.run(within(['delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']));
    } else if (spec.containers[0]?.image === MISSING) {
      const state = { waiting: { reason: 'ImagePullBackOff', message: 'not found' } };
      const containerStatuses = [{ ...main, ready: false, state }];
      await patchStatus('pod', name, { phase: 'Pending', containerStatuses }, `--namespace=${SPACE}`);
    } else if (status?.phase !== 'Running') {
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: at }];
      const ran = { ...main, ready: true, started: true, state: { running: { startedAt: at } } };
      await patchStatus(
        'pod',
        name,
        {
          ...{
            phase: 'Running',
            podIP: '10.0.0.9',
            podIPs: [{ ip: '10.0.0.9' }],
            conditions,
            containerStatuses: [ran],
          },
          startTime: admittedAt,
        },
        `--namespace=${SPACE}`,
      );
    }
  }
}

const becomes = (status: object) =>
  eventually(
    JSON.stringify(status),
    async () => {
      await kubelet();
      expect((await service())?.status).toMatchObject(status);
      return true;
    },
    90_000,
  );

test('a service gets its replicas, follows its spec, and leaves nothing behind', async () => {
  const variables = [
    { name: 'MODEL', value: 'small' },
    { name: 'GONE', value: 'soon' },
  ];
  await server.kubectl.must(within(['apply', '-f', '-']), {
    apiVersion: API_VERSION,
    kind: 'ContainerService',
    metadata: { name: 'chat' },
    spec: {
      image: 'library/busybox:1.36',
      cores: 0.5,
      memoryGi: 0.25,
      replicas: 2,
      env: variables,
      ports: [{ port: 8000 }],
      publish: { port: 8000 },
    },
  });
  await becomes({
    phase: 'active',
    revision: 1,
    url: 'https://chat.acme.tenants.example',
    replicas: { wanted: 2, ready: 2, updated: 2, total: 2 },
  });
  // Both came within a second or two: the newest interval has them together.
  expect((await service())?.status?.intervals?.at(-1)).toMatchObject({
    run: 1,
    uses: [
      { resource: 'cpu', quantity: 1 },
      { resource: 'memory', quantity: 0.5 },
    ],
  });
  const [one] = await podsThere();
  expect(one?.metadata.finalizers).toEqual(['gantry.dev/metered']);
  expect(one?.metadata.name).toMatch(/^chat-service-[a-z0-9]+-[a-z0-9]{5}$/);

  // A variable that is taken out of the spec goes, too.
  await change({ env: [{ name: 'MODEL', value: 'large' }] });
  await becomes({
    phase: 'active',
    revision: 2,
    replicas: { wanted: 2, ready: 2, updated: 2, total: 2 },
    revisions: [{ outcome: 'good' }, { outcome: 'good' }],
  });
  expect((await deployed())?.spec.template.spec).toMatchObject({
    containers: [{ env: [{ name: 'MODEL', value: 'large' }, NO_CARDS] }],
  });

  // The card of the only GPU fails: another replica takes its place, by one that prefers other nodes, and no revision is made of it.
  await change({ gpu: { model: 'H100', count: 1 }, replicas: 1 });
  await becomes({ phase: 'active', revision: 3, replicas: { wanted: 1, ready: 1, updated: 1, total: 1 } });
  const [former] = await podsThere();
  const generations = async () => ((await deployed()) as unknown as { metadata: { generation: number } }).metadata;
  const { generation: before } = await generations();
  await patchStatus('node', NODE, {
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
      { type: 'GpuFatalXid', status: 'True', lastTransitionTime: new Date().toISOString() },
    ],
  });
  // Kubernetes has whole seconds.
  admittedAt = new Date(Date.now() + 1000).toISOString();
  await eventually('another replica', async () => {
    await kubelet();
    const [next, ...others] = await podsThere();
    expect([others, next?.metadata.uid === former?.metadata.uid]).toEqual([[], false]);
    expect(next?.status?.phase).toBe('Running');
    return true;
  });
  await becomes({ phase: 'active', revision: 3, replicas: { wanted: 1, ready: 1, updated: 1, total: 1 } });
  const field = { key: 'metadata.name', operator: 'NotIn', values: [NODE] };
  expect((await podsThere())[0]?.spec?.affinity?.nodeAffinity).toMatchObject({
    preferredDuringSchedulingIgnoredDuringExecution: [{ preference: { matchFields: [field] } }, { weight: 100 }],
  });
  // To none, and back.
  expect((await generations()).generation).toBe(before + 2);
  await change({ gpu: null, replicas: 2 });
  await becomes({ phase: 'active', revision: 4, replicas: { wanted: 2, ready: 2, updated: 2, total: 2 } });
  expect((await deployed())?.spec.template.spec).not.toHaveProperty(
    'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution',
  );

  // Changes by others are put back, and settle.
  await server.kubectl.must(within(['scale', 'deployment', 'chat-service', '--replicas=5']));
  await becomes({ phase: 'active', replicas: { wanted: 2, ready: 2, total: 2 } });

  // An update whose replica never starts gives back what that holds once its time is over; those before it are the same ones throughout.
  const names = async () =>
    (await podsThere()).flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : [metadata.name])).toSorted();
  const serving = await names();
  await change({ image: MISSING });
  await becomes({ phase: 'deploying', revision: 5, replicas: { ready: 2, updated: 1, total: 3 } });
  await eventually('its replica has a node, and no image', async () => {
    await kubelet();
    const { pods = [] } = (await service())?.status ?? {};
    return pods.some(({ revision, node }) => revision === 5 && node !== undefined);
  });
  const long = '2026-01-01T00:00:00Z';
  const { conditions = [], revisions = [], pods = [] } = (await service())?.status ?? {};
  const earlier = {
    conditions: conditions.map((one) => ({ ...one, lastTransitionTime: long })),
    revisions: revisions.map((one) => ({ ...one, at: long })),
    pods: pods.map((one) => ({ ...one, ...(one.readyAt && { readyAt: long }) })),
  };
  await patchStatus('containerservice', 'chat', earlier, `--namespace=${SPACE}`);
  const back = { phase: 'partialSuccess', reason: 'UpdateGivenBack', revision: 5 };
  await becomes({ ...back, replicas: { wanted: 2, ready: 2, updated: 0, total: 2 } });
  await eventually('nothing is left of it', async () => {
    await kubelet();
    expect(await names()).toEqual(serving);
    return true;
  });
  await change({ image: 'library/busybox:1.36' });
  await becomes({ phase: 'active', revision: 6, replicas: { wanted: 2, ready: 2, updated: 2, total: 2 } });

  const settled = (await deployed()) as unknown as { metadata: { generation: number } };
  await change({ power: 'Stopped' });
  await becomes({ phase: 'stopped', replicas: { wanted: 0, ready: 0, total: 0 } });
  await eventually('no Pod is left', async () => {
    await kubelet();
    return (await podsThere()).length === 0;
  });
  const { intervals = [] } = (await service())?.status ?? {};
  expect(intervals.every(({ to }) => to !== undefined)).toBe(true);
  const ended = (await deployed()) as unknown as { metadata: { generation: number } };
  // One write for the end: nothing was written again and again meanwhile.
  expect(ended.metadata.generation).toBe(settled.metadata.generation + 1);

  await server.kubectl.must(within(['delete', 'containerservice', 'chat', '--wait=false']));
  await eventually('nothing is left', async () => {
    const left = [await service(), await deployed(), await server.kubectl.get(...within(['service', 'chat-service']))];
    return left.every((one) => one === undefined);
  });
}, 300_000);
