// A replica over two nodes, kept by a real LeaderWorkerSet: leader and worker are Pods on real nodes, find each other by the names that it
// gives them, answer through the gateway, are billed together, and go together. Only the engine is another: a card is missing here.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { BILLING_COMMANDS } from '@gantry/contract/areas/billing/admin-billing.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { moneyText, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { ENGINE_FACTS } from '@gantry/contract/models/engines.ts';
import { GROUP_PART, GROUPS_GROUP, groupSetName, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { safetensorsFile, tinyLlama } from '../../api/src/areas/models/testing/model-files.ts';
import { crane } from '../../hack/crane.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { installLws, removeLws } from '../../hack/groups/start-lws.ts';
import { busyboxImage } from '../../hack/images/official-images.ts';
import { tar } from '../../hack/images/tar.ts';
import type { Layout } from '../../hack/layout.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Interval, listPricesOf, setPrice } from '../support/list-price.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { testCluster } from '../support/test-cluster.ts';
import { uploadModel } from '../support/upload-model.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

/** The time for preparations, if nobody has built LeaderWorkerSet yet. */
const PREPARED_WITHIN_MS = 1_200_000;
const PATIENCE_MS = 240_000;
const ENGINE = ENGINE_FACTS.sglang;
/** A thousandth for each second, so that every interval has a cost without a rest. */
const PRICE = '3.6';
/** More than half of a node's eight, so that no node has room for two parts. */
const GPUS = 5;
const SPREAD = {
  setup: 'Manual' as const,
  engine: 'sglang' as const,
  gpu: { model: 'Tesla-T4', count: GPUS },
  nodesPerReplica: 2,
  ...{ cores: 0.25, memoryGi: 0.5, contextLength: 512 },
};
/**
 * Takes what the engine is told: the first waits until the other has come, and serves a model of its own then; the other comes to the
 * address that it is told, and stays.
 */
const PROGRAM = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in --node-rank) rank=$2 ;; --dist-init-addr) leader=\${2%:*} ;; --served-model-name) name=$2 ;; esac
  shift
done
trap 'exit 0' TERM
if [ "$rank" = 0 ]; then
  busybox nc -l -p 20000 > /dev/null
  exec llama-server --model /tiny.gguf --alias "$name" --host 0.0.0.0 --port ${ENGINE.port} --ctx-size 512
fi
until echo "$rank" | busybox nc "$leader" 20000; do busybox sleep 1; done
busybox sleep 86400 & wait
`;

beforeAll(async () => {
  const { layout: cluster } = await testCluster();
  await installLws(cluster);
  await redirectEngine(cluster, await pushEngine(cluster));
}, PREPARED_WITHIN_MS);
const stage = setStage('--probe-every=24h', '--credit-gate=required');

let deployments: Tracker<ModelDeployment>;
let mailbox: Mailbox;
let store: ObjectStore;
let gateway: GatewayProcess;
let ann: Person;
let acme: Tenant;
let model: string;

beforeAll(async () => {
  const { cluster, admin } = stage();
  [mailbox, deployments] = await Promise.all([openMailbox(), Tracker.start<ModelDeployment>(stage(), modelDeployment)]);
  store = await startObjectStore();
  const flags = [
    ...(await gatewayFlags(cluster)),
    '--billing=on',
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    `--smtp-url=${mailbox.url}`,
  ];
  gateway = await GatewayProcess.start(admin, { flags });
  const staff = await firstAdministrator(gateway);
  for (const sku of [`gpu/${SPREAD.gpu.model}`, 'cpu', 'memory']) await setPrice(staff.client, sku, PRICE);
  ann = await signUp(gateway.client, mailbox, 'ann_groups');
  acme = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  const body = { kind: 'grant', amount: '5000', reason: 'to try groups out' } as const;
  await staff.client.must(BILLING_COMMANDS.adminTransfer, { params: { id: acme.id }, body });
  await ann.organizationReady();
  await acme.wish({ quota: { gpus: 64 } });
  model = (await ann.client.must(MODEL_ROUTES.createModel, { body: { name: 'wide' } })).id;
  const file = safetensorsFile({ 'model.embed_tokens.weight': ['BF16', [64, 64]] });
  await uploadModel(ann.client, model, '1', file, 'model.safetensors');
});
afterAll(async () => {
  deployments?.stop();
  await gateway?.close();
  await store?.end();
  await mailbox?.close();
  const { layout: cluster } = await testCluster();
  await removeLws(cluster);
  for (const { registriesDir } of cluster.nodes)
    await rm(`${registriesDir}/docker.io`, { recursive: true, force: true });
});

/** llama.cpp's image with a shell, a model and the program that is called as the engine is. */
async function pushEngine(cluster: Layout): Promise<string> {
  const folder = await mkdtemp(`${tmpdir()}/gantry-engine-`);
  try {
    const busybox = (await busyboxImage()).files.find(({ path }) => path === 'bin/busybox');
    const content = busybox && 'content' in busybox ? busybox.content : '';
    const files = [
      { path: 'usr/bin/busybox', content, mode: 0o755 },
      { path: 'usr/bin/sh', link: 'busybox' },
      { path: 'usr/bin/python3', content: PROGRAM, mode: 0o755 },
      { path: 'tiny.gguf', content: tinyLlama() },
    ];
    await writeFile(`${folder}/layer.tar`, tar(files));
    const { address } = cluster.registry;
    const base = `${address}/${ENGINE_FACTS['llama.cpp'].image.split('/').slice(1).join('/')}`;
    const made = `${address}/official/${ENGINE.image}`;
    await crane(cluster, ['append', '--base', base, '--new_layer', `${folder}/layer.tar`, '--new_tag', made]);
    return `http://${address}/v2/official`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Redirects the nodes' pulls from Docker's registry to this address. */
async function redirectEngine({ nodes }: Layout, url: string): Promise<void> {
  for (const { registriesDir } of nodes) {
    await mkdir(`${registriesDir}/docker.io`, { recursive: true });
    const host = `[host."${url}"]\n  capabilities = ["pull", "resolve"]\n  override_path = true\n`;
    await writeFile(`${registriesDir}/docker.io/hosts.toml`, `server = "${url}"\n${host}`);
  }
}

const podsOf = ({ namespace, name }: Tracked<ModelDeployment>): Pod[] =>
  stage()
    .pods.living()
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[LABEL.modelDeployment] === name);
const partOf = (pods: readonly Pod[], part: number) =>
  pods.find(({ metadata }) => metadata.labels?.[GROUP_PART] === `${part}`);
const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid ?? '').sort();

/** The remaining objects of it, by kind and name. */
async function leftOf({ namespace, name }: Tracked<ModelDeployment>): Promise<string[]> {
  const kinds = `leaderworkersets.${GROUPS_GROUP},statefulsets,controllerrevisions,services,pods`;
  const names = await stage().kubectl.must(['get', kinds, '--namespace', namespace, '-o', 'name']);
  return names.split('\n').filter((line) => line.includes(`/${name}-`));
}

test('a replica over two nodes answers, is billed on both, starts anew as one, and leaves nothing', async () => {
  const body = { displayName: 'wide', model, version: '1', replicas: 1, ...SPREAD };
  const { id } = await eventually('it is made', () => ann.client.must(KIND_ROUTES.modelDeployment.create, { body }));
  const wide = deployments.known(acme.namespace, id);
  await wide.reaches('active', PATIENCE_MS);
  const first = podsOf(wide);
  expect(first.map(({ metadata }) => metadata.name).sort()).toEqual([
    `${groupSetName(id)}-0`,
    `${groupSetName(id)}-0-1`,
  ]);
  expect(new Set(first.map(({ spec }) => spec?.nodeName)).size).toBe(2);
  await eventually('the gateway shows it', async () => {
    const shown = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params: { id } });
    const wanted = { phase: 'active', nodes_per_replica: 2, gpu_count: 2 * GPUS, replicas: { ready: 1 } };
    return expect(shown).toMatchObject(wanted) ?? true;
  });

  const key = { remark: 'program', scopes: ['view', 'use'] as ('view' | 'use')[], expiration_time: null, limits: null };
  const { token } = await ann.client.must(KEY_ROUTES.createApiToken, { body: key });
  const openai = new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const answers = async () => {
    const messages = [{ role: 'user' as const, content: 'Tell me about the sea.' }];
    const { usage } = await openai.chat.completions.create({ model: id, messages, max_tokens: 2 });
    return usage?.completion_tokens;
  };
  expect(await answers()).toBe(2);
  const billed = ({ status }: ModelDeployment) =>
    status?.intervals?.findLast(({ to }) => to === undefined)?.uses.find(({ resource }) => resource === 'gpu');
  const both = await wide.becomes('billed on both nodes', (seen) => billed(seen)?.quantity === 2 * GPUS);
  expect(both.status.pods?.map(({ part = 0, billedFrom }) => [part, billedFrom !== undefined])).toEqual([
    [0, true],
    [1, true],
  ]);
  // The other one is in use since the first has answered: it was never billed for one alone.
  expect(both.status.intervals).toHaveLength(1);

  const worker = partOf(first, 1)?.metadata.name ?? '';
  await stage().kubectl.must(['delete', 'pod', worker, '--namespace', acme.namespace, '--wait=false']);
  await eventually(
    'the whole group is another one',
    () => {
      const now = podsOf(wide);
      return now.length === 2 && uidsOf(now).every((uid) => !uidsOf(first).includes(uid));
    },
    PATIENCE_MS,
  );
  await wide.becomes(
    'active with the new group',
    ({ status }) => status.phase === 'active' && status.replicas?.ready === 1,
    PATIENCE_MS,
  );
  expect(await answers()).toBe(2);

  await wide.wish({ replicas: 2 });
  await eventually('the first of a second group waits for room', () =>
    podsOf(wide).some(
      ({ metadata, spec }) => metadata.name === `${groupSetName(id)}-1` && spec?.nodeName === undefined,
    ),
  );
  expect(await answers()).toBe(2);
  await wide.wish({ replicas: 1 });
  await eventually('the second group is gone', () => podsOf(wide).length === 2, PATIENCE_MS);

  const member = await acme.kubectlAs(ann.accountId);
  const set = ['leaderworkerset', groupSetName(id), '--namespace', acme.namespace];
  for (const command of [
    ['patch', ...set, '--type=merge', '-p', JSON.stringify({ spec: { replicas: 3 } })],
    ['delete', ...set],
    ['label', 'pod', `${groupSetName(id)}-0`, '--namespace', acme.namespace, `${GROUP_PART}=1`, '--overwrite'],
  ]) {
    const { code, stderr } = await member.run(command);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is forbidden')]);
  }

  await ann.client.must(KIND_ROUTES.modelDeployment.remove, { params: { id } });
  await wide.isGone(PATIENCE_MS);
  await eventually('nothing is left of it', async () => expect(await leftOf(wide)).toEqual([]) ?? true, PATIENCE_MS);
  expect(wide.last.status.intervals?.filter(({ to }) => to === undefined)).toEqual([]);
  const intervals = (wide.last.status.intervals ?? []) as Interval[];
  const costs = await Promise.all(intervals.map((one) => listPricesOf(ann.client, one)));
  const cost = sumOf(costs.flatMap((prices) => [...prices.values()]));
  expect(cost > ZERO).toBe(true);
  await eventually('all of it is posted, and no more', async () => {
    const posted = await ann.client.must(DOCUMENT_ROUTES.listTransactions, { query: { search: id } });
    return expect(posted.map(({ total_amount }) => total_amount)).toEqual([moneyText(cost)]) ?? true;
  });
});
