// A gateway with a second cluster, each with an API server of its own: people see both regions and what is free there, and an instance
// lives in the second from its creation to its release, billed from here; a region that is out of reach says so, and holds nothing else up.
// Of the second cluster the kubelet is played.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { CATALOGUE_ROUTES } from '@gantry/contract/areas/kinds/catalogue.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { GpuInstance, InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import {
  ANNOTATION,
  GATEWAY_ACCOUNT,
  instancePodName,
  LABEL,
  organizationNamespace,
  PLATFORM_NAMESPACE,
} from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OperatorProcess } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { type CardDouble, cardFlags, openCardDouble, topUp } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { startOperator } from '../support/operator.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';
import { firstAdministrator, type Person } from '../support/sign-up.ts';

const START_LIMIT_MS = 300_000;
const PATIENCE_MS = 60_000;

let home: ApiServer;
let away: ApiServer;
/** The second cluster's. */
let kubelet: Server;
let folder: string;
let keys: string;
let cards: CardDouble;
let gateway: GatewayProcess;
let operator: OperatorProcess;
let staff: Person;

beforeAll(async () => {
  [home, away] = await Promise.all([
    startApiServer({ controllers: ['namespace'] }),
    startApiServer({ controllers: ['namespace', 'serviceaccount', 'pvc-protection'] }),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'gantry-clusters-'));
  keys = await mkdtemp(join(tmpdir(), 'gantry-keys-'));
  cards = await openCardDouble(() => Date.now());
  await mkdir(join(folder, 'eu-west'));
  const account = { namespace: PLATFORM_NAMESPACE, name: GATEWAY_ACCOUNT };
  await writeFile(join(folder, 'eu-west/kubeconfig'), await kubeconfigOf(account, away), { mode: 0o600 });
  await writeFile(join(folder, 'eu-west/label'), 'EU West Paris\n');
  kubelet = createServer(selfSignedCertificate(), ({ url = '' }, res) =>
    res.end(`2026-11-27T10:00:00Z wrote ${url.split('?')[0]}\n`),
  ).listen(0, '127.0.0.1');
  await once(kubelet, 'listening');
  await Promise.all([
    addNode(home, 'here', 'NVIDIA-L40S', 4),
    addNode(away, 'there', 'NVIDIA-H100-80GB-HBM3', 8, kubelet),
  ]);
  await writeFile(join(folder, 'eu-west/places'), 'instances\n');
  [operator, gateway] = await Promise.all([
    startOperator(away, '--credit-gate=required', '--probe-every=24h'),
    GatewayProcess.start(home, {
      flags: [`--other-clusters-dir=${folder}`, '--billing=on', ...(await cardFlags(keys, cards.url))],
    }),
  ]);
}, START_LIMIT_MS);
afterAll(async () => {
  await Promise.all([gateway?.close(), operator?.close()]);
  await Promise.all([home?.stop(), away?.stop()]);
  kubelet?.close();
  kubelet?.closeAllConnections();
  await cards?.close();
  for (const each of [folder, keys]) if (each) await rm(each, { recursive: true, force: true });
});

/** The API server asks `kubelet` for logs. */
async function addNode(
  { kubectl }: ApiServer,
  name: string,
  model: string,
  gpus: number,
  kubelet?: Server,
): Promise<void> {
  const resources = {
    ...{ cpu: '64', memory: '512Gi', 'ephemeral-storage': '1Ti', pods: '110' },
    'nvidia.com/gpu': `${gpus}`,
  };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { [LABEL.gpuModel]: model } } };
  await kubectl.must(['create', '-f', '-'], node);
  // The API server taints a new node until somebody says that it is ready.
  await kubectl.run(['taint', 'node', name, 'node.kubernetes.io/not-ready-']);
  const status = {
    capacity: resources,
    allocatable: resources,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    ...(kubelet && {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: (kubelet.address() as AddressInfo).port } },
    }),
  };
  await kubectl.must([
    'patch',
    'node',
    name,
    '--subresource=status',
    '--type=merge',
    `--patch=${JSON.stringify({ status })}`,
  ]);
}

const stock = async (region?: string) =>
  (await gateway.client.must(CATALOGUE_ROUTES.listGpuSpecs, { query: region === undefined ? {} : { region } })).map(
    ({ gpu_type, region: where, total, free }) => ({ gpu_type, where, total, free }),
  );
const H100 = { gpu_type: 'NVIDIA-H100-80GB-HBM3', where: 'eu-west', total: 8 };

test('both regions are listed, our own first', async () => {
  staff = await firstAdministrator(gateway);
  expect(await staff.client.must(CATALOGUE_ROUTES.listRegions, {})).toEqual([
    { region: 'us-east', name: 'US East Washington', takes_instances: true, gpus: { free: 4, total: 4 } },
    { region: 'eu-west', name: 'EU West Paris', takes_instances: true, gpus: expect.anything() },
  ]);
});

test('each region has its own stock, and what is taken there is not free', async () => {
  expect(await stock()).toEqual([{ gpu_type: 'NVIDIA-L40S', where: 'us-east', total: 4, free: 4 }]);
  const seen = () => stock('eu-west').catch(() => []);
  await eventually(
    'the other cluster is followed',
    async () => (await seen())[0]?.free === 8 || undefined,
    PATIENCE_MS,
  );
  expect(await stock('eu-west')).toEqual([{ ...H100, free: 8 }]);
  await away.kubectl.must(['create', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'busy', namespace: 'default' },
    spec: {
      nodeName: 'there',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'a/b:1', resources: { limits: { 'nvidia.com/gpu': '3' } } }],
    },
  });
  await eventually(
    'three cards are taken',
    async () => (await stock('eu-west'))[0]?.free === 5 || undefined,
    PATIENCE_MS,
  );
  expect((await stock())[0]?.free).toBe(4);
  expect(await stock('moon')).toEqual([]);
});

describe('an instance in the other cluster', () => {
  const { create, read, list, act, remove, log } = KIND_ROUTES.gpuInstance;
  const body = { displayName: 'far', image: 'library/busybox:1.36', cores: 1, memoryGi: 1, region: 'eu-west' };
  let org: string;
  let id: string;
  const client = () => staff.client;
  const found = async () => (await client().must(read, { params: { id } })) as InstanceView;
  const reaches = (phase: string) =>
    eventually(`it is ${phase}`, async () => (await found()).phase === phase || undefined, PATIENCE_MS);
  const there = () => away.kubectl.get<GpuInstance>('gpuinstance', id, '-n', organizationNamespace(org));
  const command = (action: 'start' | 'shutdown') => client().must(act, { params: { id }, body: { action } });

  /** As its kubelet would: the Pod of this run is placed and ready. */
  async function starts(run: number): Promise<void> {
    const at = ['-n', organizationNamespace(org)];
    const name = instancePodName(id, run);
    const pod = () => away.kubectl.get<Pod>('pod', name, ...at);
    await eventually(`the Pod of run ${run}`, pod, PATIENCE_MS);
    const target = { apiVersion: 'v1', kind: 'Node', name: 'there' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    const path = `/api/v1/namespaces/${organizationNamespace(org)}/pods/${name}/binding`;
    await away.kubectl.must(['create', '--raw', path, '-f', '-'], binding);
    await patched(name, {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }],
      containerStatuses: [container({ running: { startedAt: now() } })],
    });
  }
  async function ends(run: number): Promise<void> {
    const name = instancePodName(id, run);
    const end = { exitCode: 0, startedAt: now(), finishedAt: now() };
    const at = ['-n', organizationNamespace(org)];
    await eventually(
      'it is being stopped',
      async () => (await away.kubectl.get<Pod>('pod', name, ...at))?.spec?.activeDeadlineSeconds === 1 || undefined,
      PATIENCE_MS,
    );
    await patched(name, { phase: 'Failed', containerStatuses: [container({ running: null, terminated: end })] });
    await eventually(
      'its Pod is deleted',
      async () => {
        const pod = await away.kubectl.get<Pod>('pod', name, ...at);
        return !pod || pod.metadata.deletionTimestamp !== undefined || undefined;
      },
      PATIENCE_MS,
    );
    // The kubelet would confirm it.
    await away.kubectl.run(['delete', 'pod', name, ...at, '--grace-period=0', '--force']);
  }
  const patched = (name: string, status: object) =>
    away.kubectl.must([
      ...['patch', 'pod', name, '-n', organizationNamespace(org), '--subresource=status', '--type=merge'],
      `--patch=${JSON.stringify({ status })}`,
    ]);
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
  const container = (state: object) => ({ name: 'main', image: '', imageID: '', ready: true, restartCount: 0, state });

  beforeAll(async () => {
    org = (await client().must(ACCOUNT_ROUTES.getMe)).org_id;
    await topUp(client(), cards.url, '20');
  });

  test('is refused in a region that is not there', async () => {
    const answer = await client().call(create, { body: { ...body, region: 'moon' } });
    expect(answer).toMatchObject({ status: 404, body: { error: 'region_closed' } });
  });

  test('is made there, with its organisation, and listed here with its region', async () => {
    const made = await eventually(
      'the organisation is shown here',
      async () => {
        const answer = await client().call(create, { body });
        return answer.status === 201 ? answer.body.result : undefined;
      },
      PATIENCE_MS,
    );
    id = made.id;
    expect(made).toMatchObject({ name: 'far', region: 'eu-west', data_center: 'EU West Paris' });
    expect(await home.kubectl.must(['get', 'gpuinstances', '-A', '-o', 'name'])).toBe('');
    expect(await there()).toMatchObject({ spec: { displayName: 'far' } });
    const organization = await away.kubectl.get<Organization>('organization', org);
    expect(organization?.metadata.annotations).toMatchObject({ [ANNOTATION.home]: 'us-east' });
    const listed = await client().call(list, { query: {} });
    expect(listed.body.data).toMatchObject([{ id, region: 'eu-west' }]);
  });

  test('runs once credit is held for it here, and costs what its region costs', async () => {
    await starts(1);
    await reaches('running');
    expect(await found()).toMatchObject({ region: 'eu-west', price: { per: 'hour' } });
    const wallet = () => client().must(WALLET_ROUTES.balances);
    expect(Number((await wallet()).held)).toBeGreaterThan(0);
    // Kubelets count in seconds: a run within one costs nothing.
    const ranFor = async () => Date.now() - Date.parse((await there())?.status?.run?.readyAt ?? '');
    await eventually('it has run for two seconds', async () => (await ranFor()) > 2_000 || undefined, PATIENCE_MS);
    expect(Number((await wallet()).accrued)).toBeGreaterThan(0);
  });

  test('has room there or not, with the cards of that region', async () => {
    const gpu = { model: H100.gpu_type, count: 1 };
    const fitsIn = (region: string) =>
      client().must(CATALOGUE_ROUTES.fitInstance, { body: { gpu, cores: 1, memoryGi: 1, region } });
    expect(await fitsIn('eu-west')).toMatchObject({ reason: null, fits: true });
    expect(await fitsIn('us-east')).toMatchObject({ reason: 'UnknownGpuModel', fits: false });
  });

  test('can be entered from here, and what it writes is read there', async () => {
    const terminal = { params: { id }, body: { session: 'new' } };
    expect(await client().call(TERMINAL_ROUTES.openTerminal, terminal)).toMatchObject({ status: 201 });
    const { status, body } = await client().call(log, { params: { id, number: 1 }, query: {} });
    const pod = `${organizationNamespace(org)}/${instancePodName(id, 1)}`;
    expect([status, body]).toEqual([200, `wrote /containerLogs/${pod}/main\n`]);
  });

  test('has no web pages and no templates from here, which names its region', async () => {
    const refused = {
      status: 422,
      body: { error: 'placed_elsewhere', message: expect.stringContaining('EU West Paris') },
    };
    const web = { params: { id }, body: { port: 'notebook' } } as const;
    expect(await client().call(TERMINAL_ROUTES.openInstanceWeb, web)).toMatchObject(refused);
    const template = { params: { id }, body: { action: 'exportTemplate', displayName: 'mine' } } as const;
    expect(await client().call(act, template)).toMatchObject(refused);
  });

  test('is shut down, started and shut down again by commands from here', async () => {
    await command('shutdown');
    await ends(1);
    await reaches('shutDown');
    await command('start');
    await starts(2);
    await reaches('running');
    await command('shutdown');
    await ends(2);
    await reaches('shutDown');
  });

  test('is billed from here', async () => {
    await eventually(
      'its use is posted',
      async () => ((await there())?.status?.credit?.postedSeq ?? 0) >= 2 || undefined,
      PATIENCE_MS,
    );
    const { body: answer } = await client().call(DOCUMENT_ROUTES.showUsage, { query: {} });
    expect(answer.data).toMatchObject([{ name: 'far' }]);
  });

  test('is gone from both clusters once it is released, and holds no credit', async () => {
    await client().must(remove, { params: { id }, query: {} });
    await eventually('it is gone there', async () => !(await there()) || undefined, PATIENCE_MS);
    expect((await client().call(read, { params: { id } })).status).toBe(404);
    await eventually(
      'nothing is held',
      async () => Number((await client().must(WALLET_ROUTES.balances)).held) === 0 || undefined,
      PATIENCE_MS,
    );
  });
});

test('a region out of reach says so, and nothing else is held up', async () => {
  await away.stop();
  const answer = () => gateway.client.call(CATALOGUE_ROUTES.listGpuSpecs, { query: { region: 'eu-west' } });
  await eventually('its stock is unknown', async () => (await answer()).status === 503 || undefined, PATIENCE_MS);
  expect((await stock())[0]?.total).toBe(4);
  await gateway.terminate();
  await gateway.restart();
  expect((await answer()).status).toBe(503);
  expect((await stock())[0]?.total).toBe(4);
});
