// The operator's writes, and the ends of runs, while tenants do whatever they may with their objects, and when its own plan
// fails. The kubelet is played here.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance as facts, type GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import pino from 'pino';
import { readConfig } from '../../operator/src/config.ts';
import { CONTROLLERS } from '../../operator/src/controllers.ts';
import type { AnyController } from '../../operator/src/define-controller.ts';
import type { GantryOperator } from '../../operator/src/gantry-operator.ts';
import { NODE, POD } from '../../operator/src/resources.ts';
import { createMetrics } from '../../operator/src/runtime/metrics.ts';
import { FIELD_MANAGER } from '../../operator/src/runtime/status-patch.ts';
import type { OperatorProcess } from '../faults/operator-process.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startOperator } from '../support/operator.ts';

const NAMESPACE = 'org-acme';
const NODE_NAME = 'node-a';
const INSTANCE = resourceOf(facts);

let server: ApiServer;
let operator: OperatorProcess;
let credentials: Credentials;
let client: KubeClient;
beforeAll(async () => {
  server = await startApiServer({ controllers: ['namespace', 'serviceaccount'] });
  credentials = new Credentials(() => {
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    return config;
  }, systemClock);
  client = new KubeClient(credentials, { fieldManager: 'test' });
  operator = await startOperator(server, '--credit-gate=off', '--probe-every=24h');
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE_NAME } };
  await client.create(NODE, node);
  await patchStatus(node, { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }] });
  const organization = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name: 'acme' }, spec: {} };
  await server.kubectl.must(['create', '-f', '-'], organization);
  await eventually('the organisation is ready', async () => {
    const found = await server.kubectl.get<{ status?: { phase?: string } }>('organization', 'acme');
    return found?.status?.phase === 'ready';
  });
});
afterAll(async () => {
  await operator?.close();
  credentials?.close();
  await server?.stop();
});

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

const resourceFor = ({ kind }: KubeObject) => (kind === 'Node' ? NODE : POD);
const patchStatus = ({ apiVersion, kind, metadata }: KubeObject, status: object) => {
  const { name, namespace } = metadata;
  const target = { apiVersion, kind, name, uid: '', ...(namespace && { namespace }) };
  return client.mergePatch(resourceFor({ apiVersion, kind, metadata }), { ...target, body: { status } }, 'status');
};

const look = async (name: string) => (await client.get(INSTANCE, NAMESPACE, name)) as GpuInstance;
const reaches = (name: string, what: string, is: (instance: GpuInstance) => boolean) =>
  eventually(`${name} ${what}`, async () => {
    const found = await look(name);
    if (!is(found)) throw new Error(JSON.stringify(found.status));
    return found;
  });
const edit = (name: string, patch: object) =>
  server.kubectl.must(['patch', 'gpuinstance', name, '-n', NAMESPACE, '--type=merge', '-p', JSON.stringify(patch)]);

async function podOf(name: string, seq: number): Promise<Pod> {
  return (await eventually(`a Pod of run ${seq}`, () => client.get(POD, NAMESPACE, `${name}-${seq}`))) as Pod;
}
async function starts(name: string, seq: number): Promise<Pod> {
  const pod = await podOf(name, seq);
  const target = { apiVersion: 'v1', kind: 'Node', name: NODE_NAME };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod.metadata.name }, target };
  await client.createUnder(POD, { namespace: NAMESPACE, name: pod.metadata.name }, 'binding', binding);
  await patchStatus(pod, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }],
    containerStatuses: [container({ running: { startedAt: now() } })],
  });
  return pod;
}
const container = (state: object) => ({ name: 'main', image: '', imageID: '', ready: true, restartCount: 0, state });
const ends = (pod: KubeObject) =>
  patchStatus(pod, {
    phase: 'Failed',
    containerStatuses: [container({ running: null, terminated: { exitCode: 0, startedAt: now(), finishedAt: now() } })],
  });

/** Every version of an instance that the API server ever had, from now on. */
async function versionsOf(name: string): Promise<{ seen: GpuInstance[]; stop(): void }> {
  const { metadata } = await client.list(INSTANCE, {});
  const seen: GpuInstance[] = [];
  const end = new AbortController();
  client
    .watch(
      INSTANCE,
      { resourceVersion: metadata.resourceVersion },
      ({ object }) => {
        if (object.metadata.name === name) seen.push(object as GpuInstance);
      },
      { signal: end.signal, limitMs: 600_000 },
    )
    .catch(() => {});
  return { seen, stop: () => end.abort() };
}

test('who owns which field decides nothing: with managedFields cleared a run follows the other as always', async () => {
  await client.create(INSTANCE, gpuInstance({ name: 'bare', namespace: NAMESPACE }));
  const first = await starts('bare', 1);
  await reaches('bare', 'runs', ({ status }) => status?.run?.readyAt !== undefined);
  await edit('bare', { metadata: { managedFields: [{}] }, spec: { power: 'Stopped' } });
  await eventually('it is being stopped', async () => (await podOf('bare', 1)).spec?.activeDeadlineSeconds === 1);
  await ends(first);
  await reaches('bare', 'is at rest', ({ status }) => status?.phase === 'stopped');
  const versions = await versionsOf('bare');
  await edit('bare', { metadata: { managedFields: [{}] }, spec: { power: 'Running' } });
  await podOf('bare', 2);
  // Whatever the operator had still to write is written before it answers to this.
  await edit('bare', { spec: { displayName: 'marked' } });
  const { generation } = (await look('bare')).metadata;
  const { status } = await reaches('bare', 'is answered to', ({ status }) => status?.observedGeneration === generation);
  versions.stop();
  expect(status?.run).toEqual({ seq: 2, cause: 'resume' });
  expect(status).not.toHaveProperty('node');
  expect(versions.seen.length).toBeLessThan(10);
});

test('clearing managedFields again and again makes the operator write nothing', async () => {
  await client.create(INSTANCE, gpuInstance({ name: 'calm', namespace: NAMESPACE }));
  await starts('calm', 1);
  await reaches('calm', 'runs', ({ status }) => status?.phase === 'running');
  const versions = await versionsOf('calm');
  const clears = 20;
  for (let time = 0; time < clears; time++)
    await edit('calm', { metadata: { managedFields: [{}], labels: { time: String(time) } } });
  await edit('calm', { spec: { displayName: 'marked' } });
  const { generation } = (await look('calm')).metadata;
  await reaches('calm', 'is answered to', ({ status }) => status?.observedGeneration === generation);
  versions.stop();
  // Each clearing, the mark, and the answer to it.
  expect(versions.seen).toHaveLength(clears + 2);
});

test('a tenant cannot take the entries of the platform out of managedFields', async () => {
  const ann = ['--as', `system:serviceaccount:${NAMESPACE}:ann`, '--as-group', 'system:masters'];
  const patched = (patch: object) =>
    server.kubectl.run([
      ...['patch', 'gpuinstance', 'mine', '-n', NAMESPACE, '--type=merge', ...ann],
      ...['-p', JSON.stringify(patch)],
    ]);
  await client.create(INSTANCE, gpuInstance({ name: 'mine', namespace: NAMESPACE }));
  await podOf('mine', 1);
  const refused = await patched({ metadata: { managedFields: [{}] } });
  expect(refused.stderr).toContain('metadata.managedFields: only the platform changes who owns what in a status');
  const { metadata } = await look('mine');
  const { managedFields = [] } = metadata as { managedFields?: { subresource?: string; fieldsV1?: object }[] };
  const emptied = managedFields.map((one) => (one.subresource === 'status' ? { ...one, fieldsV1: {} } : one));
  expect((await patched({ metadata: { managedFields: emptied } })).stderr).toContain('metadata.managedFields:');
  expect(await patched({ metadata: { labels: { a: 'b' } }, spec: { displayName: 'renamed' } })).toMatchObject({
    code: 0,
  });
});

test('a member who writes under many names keeps no colleague from writing', async () => {
  await client.create(INSTANCE, gpuInstance({ name: 'crowded', namespace: NAMESPACE }));
  await podOf('crowded', 1);
  const ann = ['--as', `system:serviceaccount:${NAMESPACE}:ann`, '--as-group', 'system:masters'];
  // Beyond ten names the API server joins the oldest, the platform's among them, as "ancient-changes".
  for (let name = 0; name < 15; name++) {
    const patch = JSON.stringify({ metadata: { labels: { [`by-${name}`]: '' } } });
    const asked = ['patch', 'gpuinstance', 'crowded', '-n', NAMESPACE, '--type=merge', '-p', patch];
    expect(await server.kubectl.run([...asked, ...ann, `--field-manager=name-${name}`])).toMatchObject({ code: 0 });
  }
  const { metadata } = await look('crowded');
  const { managedFields = [] } = metadata as { managedFields?: { manager?: string }[] };
  expect(managedFields.map(({ manager }) => manager)).toContain('ancient-changes');
});

test('where every plan fails, what was shut down is ended, and what runs goes on', async () => {
  for (const name of ['doomed', 'healthy']) {
    await client.create(INSTANCE, gpuInstance({ name, namespace: NAMESPACE }));
    await starts(name, 1);
    await reaches(name, 'runs', ({ status }) => status?.phase === 'running');
  }
  await operator.terminate(30_000);
  const plan = () => {
    throw new RangeError('Invalid time value');
  };
  const broken = await inProcess([{ ...CONTROLLERS.gpuInstance, plan }]);
  try {
    await broken.start();
    await edit('doomed', { spec: { power: 'ShutDown' } });
    await eventually('it is ended', async () => (await podOf('doomed', 1)).spec?.activeDeadlineSeconds === 1);
    const says = (name: string, reason: string) =>
      reaches(
        name,
        `says ${reason}`,
        ({ status }) => status?.conditions?.some((one) => one.reason === reason) ?? false,
      );
    await says('doomed', 'PlanFailedEnded');
    await says('healthy', 'PlanFailed');
    // Its plan failed just as often.
    expect((await podOf('healthy', 1)).spec).not.toHaveProperty('activeDeadlineSeconds');
  } finally {
    await broken.stop();
    await operator.restart();
  }
  const { status } = await reaches('healthy', 'is well again', ({ status }) =>
    Boolean(status?.conditions?.every(({ type }) => type !== 'Reconciled')),
  );
  expect(status?.phase).toBe('running');
});

async function inProcess(controllers: readonly AnyController[]): Promise<GantryOperator> {
  // Jest takes the kit and the client for a cycle where both are imported.
  const { GantryOperator } = await import('../../operator/src/gantry-operator.ts');
  // Any file is long enough for a key.
  const config = readConfig(['--platform-key-file=package.json', '--credit-gate=off'], {});
  if (config === 'help') throw new Error('nobody asked for help');
  return new GantryOperator({
    controllers,
    settings: config.settings,
    client: new KubeClient(credentials, { fieldManager: FIELD_MANAGER }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    workers: 4,
    resyncMs: config.resyncMs,
  });
}
