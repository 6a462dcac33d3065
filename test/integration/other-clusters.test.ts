// A gateway with a second cluster, each with an API server of its own: people see both regions and what is free there; a region that is
// out of reach says so, and holds nothing else up.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOGUE_ROUTES } from '@gantry/contract/http/catalogue.ts';
import { GATEWAY_ACCOUNT, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { firstAdministrator } from '../support/sign-up.ts';

const START_LIMIT_MS = 300_000;
const PATIENCE_MS = 60_000;

let home: ApiServer;
let away: ApiServer;
let folder: string;
let gateway: GatewayProcess;

beforeAll(async () => {
  [home, away] = await Promise.all([startApiServer({ controllers: ['namespace'] }), startApiServer()]);
  folder = await mkdtemp(join(tmpdir(), 'gantry-clusters-'));
  await mkdir(join(folder, 'eu-west'));
  const account = { namespace: PLATFORM_NAMESPACE, name: GATEWAY_ACCOUNT };
  await writeFile(join(folder, 'eu-west/kubeconfig'), await kubeconfigOf(account, away), { mode: 0o600 });
  await writeFile(join(folder, 'eu-west/label'), 'EU West Paris\n');
  await Promise.all([addNode(home, 'here', 'NVIDIA-L40S', 4), addNode(away, 'there', 'NVIDIA-H100-80GB-HBM3', 8)]);
  gateway = await GatewayProcess.start(home, { flags: [`--other-clusters-dir=${folder}`] });
}, START_LIMIT_MS);
afterAll(async () => {
  await gateway?.close();
  await Promise.all([home?.stop(), away?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function addNode({ kubectl }: ApiServer, name: string, model: string, gpus: number): Promise<void> {
  const resources = { cpu: '64', memory: '512Gi', pods: '110', 'nvidia.com/gpu': `${gpus}` };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { [LABEL.gpuModel]: model } } };
  await kubectl.must(['create', '-f', '-'], node);
  // The API server taints a new node until somebody says that it is ready.
  await kubectl.run(['taint', 'node', name, 'node.kubernetes.io/not-ready-']);
  const status = {
    capacity: resources,
    allocatable: resources,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
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
  const { client } = await firstAdministrator(gateway);
  expect(await client.must(CATALOGUE_ROUTES.listRegions, {})).toEqual([
    { region: 'us-east', name: 'US East Washington' },
    { region: 'eu-west', name: 'EU West Paris' },
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
