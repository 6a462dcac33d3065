// charts/gantry on the test cluster, whose own platform makes room for it: it runs the README's first example from images, an upgrade
// restarts no Pod of tenants, a model is kept and served, and what a removal leaves is what its README says, from which a new install goes on.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connect } from 'node:tls';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { organizationNamespace, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { V1Pod } from '@kubernetes/client-node';
import { tinyLlama } from '../../api/src/areas/models/testing/model-files.ts';
import { binary } from '../../hack/binaries.ts';
import { startCardDoubleForPods } from '../../hack/gateway.ts';
import {
  addressOf,
  CHART,
  chartValues,
  fillRegistry,
  firstPassword,
  helm,
  installChart,
  platformDigests,
  pushPlatformImages,
} from '../../hack/helm/install-chart.ts';
import { paymentsOfPods } from '../../hack/helm/stand-ins.ts';
import type { Layout } from '../../hack/layout.ts';
import { targetsOf } from '../../hack/metrics/pod-targets.ts';
import { startObjectStoreForPods } from '../../hack/object-store.ts';
import { operatorFlags } from '../../hack/platform.ts';
import { stopProcess } from '../../hack/process.ts';
import { run } from '../../hack/run.ts';
import { topUp } from '../support/card-double.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { HttpClient } from '../support/http-client.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { startOperator } from '../support/operator.ts';
import { firstAdministrator } from '../support/sign-up.ts';
import { soakTest } from '../support/soak.ts';
import { testCluster, WITHOUT } from '../support/test-cluster.ts';
import { uploadModel } from '../support/upload-model.ts';
import { everything } from './everything.ts';
import { chartWithField, NEXT_FIELD } from './next-version.ts';
import { restoredInstall } from './restored-install.ts';
import { twoGateways } from './two-gateways.ts';
import { withoutAWayOut } from './without-a-way-out.ts';

const CONSOLE = 8080;
/** The port of the registry. */
const TOKENS = 5001;
const NAME_LABEL = 'app.kubernetes.io/name';
/** Images and, where nobody has built it yet, Helm. */
const PREPARED_WITHIN_MS = 1_200_000;
const PATIENCE_MS = 120_000;
const NAMESPACED = ['-n', PLATFORM_NAMESPACE] as const;
/** After `helm uninstall`, besides what tenants have: the list of the chart's README, and what Kubernetes puts beside it. */
const stays = () =>
  [
    ...Object.values(KINDS).map(({ plural }) => `CustomResourceDefinition ${plural}.gantry.dev`),
    'APIService v1alpha1.gantry.dev',
    'Namespace gantry-system',
    'ConfigMap gantry-system kube-root-ca.crt',
    'ServiceAccount gantry-system default',
    ...['gateway', 'registry'].map((part) => `PersistentVolumeClaim gantry-system gantry-${part}-data`),
    ...['administrator', 'door-host-keys', 'kubernetes-tls', 'platform-key', 'registry'].map(
      (name) => `Secret gantry-system gantry-${name}`,
    ),
    // Not the chart's: its values name them.
    ...['backup-key', 'card-double', 'object-store'].map((name) => `Secret gantry-system ${name}`),
    ...['gantry-operator', ...cluster.nodes.map(({ name }) => `${name}.agent`)].map(
      (name) => `Lease gantry-system ${name}`,
    ),
  ].toSorted();
/** The operator's objects in Kueue for all organisations together. */
const QUEUES = /^(Cohort|ResourceFlavor|WorkloadPriorityClass) gantry/;

let cluster: Layout;
let kubectl: Kubectl;
let digests: Readonly<Record<string, string>>;
/** Without anything of ours. */
let empty: ReadonlySet<string>;

beforeAll(async () => {
  const administrator = await testCluster();
  ({ layout: cluster, kubectl } = administrator);
  // Earlier files may have left organisations, which only an operator can let go.
  const operator = await startOperator(administrator, ...(await operatorFlags(cluster)), '--leader-elect=false');
  await removePlatform().finally(() => operator.close());
  await startObjectStoreForPods(cluster);
  await startCardDoubleForPods(cluster);
  empty = await everything(kubectl);
  await pushPlatformImages(cluster);
  digests = await platformDigests(cluster);
  await installChart(cluster);
  await fillRegistry(cluster);
}, PREPARED_WITHIN_MS);

/** Later files need the platform as processes again, whatever failed here. */
afterAll(async () => {
  for (const remove of [removePlatform, removeRelease]) await remove().catch(console.error);
  for (const standIn of ['object-store', 'card-double']) await stopProcess(cluster, standIn);
  const { name, nodes } = cluster;
  await run(process.execPath, ['hack/cluster.ts', 'up', `--name=${name}`, `--nodes=${nodes.length}`, ...WITHOUT]);
}, PREPARED_WITHIN_MS);

test('the first example runs, and its root file system is saved in the registry of the chart', async () => {
  await kubectl.must(['apply', '-f', 'crds/examples/organization.yaml']);
  await kubectl.must(['wait', '--for=jsonpath={.status.phase}=ready', 'organization/acme', '--timeout=120s']);
  await kubectl.must(['apply', '-f', 'crds/examples/gpu-instance.yaml']);
  await reaches('running');
  await power('Stopped');
  await reaches('stopped');
  expect(await saves()).toHaveLength(1);
  await power('Running');
  await reaches('running');
});

test('a Pod of a tenant that may go anywhere reaches the console, and nothing that measures', async () => {
  const anywhere = { podSelector: {}, policyTypes: ['Egress'], egress: [{}] };
  await kubectl.must(['apply', '-f', '-'], {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec: anywhere },
    metadata: { name: 'anywhere', namespace: 'org-acme' },
  });
  const platform = await kubectl.get<{ items: readonly V1Pod[] }>('pods', ...NAMESPACED);
  const [tenant] = await tenantsPods();
  const asked = async (host: string, port: string) => {
    const ask = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 ${host} ${port} | head -n 1`;
    const { stdout } = await kubectl.run([
      'exec',
      '-n',
      'org-acme',
      tenant?.split(' ')[0] ?? '',
      '--',
      'sh',
      '-c',
      ask,
    ]);
    return stdout.trim();
  };
  const gateway = platform?.items.find(({ metadata }) => metadata?.labels?.[NAME_LABEL] === 'gantry-gateway');
  const ofConsole = () => asked(gateway?.status?.podIP ?? '', `${CONSOLE}`);
  await eventually('the console answers', async () => /^HTTP\/1\.1 \d+ /.test(await ofConsole()));
  // The agents are on their nodes' own networks; where the registry gives tokens is for everybody.
  const measuring = targetsOf(platform?.items ?? [])
    .filter(({ labels }) => labels.job !== 'gantry-agent')
    .flatMap(({ targets }) => targets)
    .filter((target) => !target.endsWith(`:${TOKENS}`));
  expect(measuring.length).toBeGreaterThanOrEqual(4);
  const answers = measuring.map(async (target) => {
    const [host = '', port = ''] = target.split(':');
    // From a node there is somebody who listens.
    const { ok } = await fetch(`http://${target}/metrics`);
    return [target, ok, await asked(host, port)];
  });
  expect(await Promise.all(answers)).toEqual(measuring.map((target) => [target, true, '']));
  await kubectl.must(['delete', 'networkpolicy', 'anywhere', '-n', 'org-acme']);
});

test('the Pods measure what the dashboard and the alerts ask for, unless it has not happened yet', async () => {
  const pods = await kubectl.get<{ items: readonly V1Pod[] }>('pods', ...NAMESPACED);
  const groups = targetsOf(pods?.items ?? []);
  expect(new Set(groups.map(({ labels }) => labels.job)).size).toBe(5);
  const texts = groups
    .flatMap(({ targets }) => targets)
    .map(async (target) => (await fetch(`http://${target}/metrics`)).text());
  const measured = new Set((await Promise.all(texts)).join('\n').match(/(?<=^# TYPE )\S+/gm));
  const asked = await Promise.all(
    ['alerts.yaml', 'dashboards/gantry.json'].map((file) => readFile(`${CHART}/files/${file}`, 'utf8')),
  );
  const names = new Set(asked.join('\n').match(/\b(gantry|http|nodejs|process)_[a-z0-9_]+/g));
  const missing = [...names].filter(
    (name) => !measured.has(name) && !measured.has(name.replace(/_(bucket|count|sum)$/, '')),
  );
  expect(missing.toSorted()).toEqual([]);
});

test('a model is kept in the bucket of the values, and served by the engine of the registry of the chart', async () => {
  const host = await addressOf(cluster, 'gantry-gateway');
  const password = (await firstPassword(cluster)) ?? '';
  const staff = await firstAdministrator({
    client: new HttpClient(() => `http://${host}:${CONSOLE}`),
    administrator: async () => ({ name: 'admin', password }),
  });
  const { client } = staff;
  const { org_id: org } = await client.must(ACCOUNT_ROUTES.getMe);
  await staff.organizationReady();
  await topUp(client, paymentsOfPods(cluster), '20');
  const { id: model } = await client.must(MODEL_ROUTES.createModel, { body: { name: 'tiny' } });
  await uploadModel(client, model, '1', tinyLlama({ context: 2048 }));
  const { id } = await eventually('the deployment is made', () =>
    client.must(KIND_ROUTES.modelDeployment.create, {
      body: { displayName: 'tiny', model, version: '1', cores: 0.25, memoryGi: 0.5 },
    }),
  );
  await eventually(
    'the deployment to be active',
    async () => {
      const found = await kubectl.get<ModelDeployment>('modeldeployment', id, '-n', organizationNamespace(org));
      expect(found?.status?.phase).toBe('active');
      return true;
    },
    PATIENCE_MS,
  );
  const asked = { model: `${org}/${id}`, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 3 };
  const answer = await fetch(`http://${host}:${CONSOLE}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ usage: expect.objectContaining({ completion_tokens: 3 }) }),
  ]);
  await client.must(KIND_ROUTES.modelDeployment.remove, { params: { id } });
});

soakTest('a second build of the images has the same digests', async () => {
  await pushPlatformImages(cluster);
  expect(await platformDigests(cluster)).toEqual(digests);
});

test('gantry doctor finds no problem in the Pod of the gateway, whose rights are enough to tell', async () => {
  const { code, stdout, stderr } = await inGateway('gantry', 'doctor', '--json');
  if (code === null || stdout === '') throw new Error(stderr);
  const { checks } = JSON.parse(stdout) as { checks: { id: string; finding: string }[] };
  const found = Object.fromEntries(checks.map(({ id, finding }) => [id, finding]));
  expect(checks.length).toBeGreaterThan(10);
  // Nobody takes mail here.
  const { mail, ...others } = found;
  expect(mail).toBe('problem');
  expect(Object.entries(others).filter(([, finding]) => finding === 'problem' || finding === 'unknown')).toEqual([]);
});

test('an upgrade replaces what changed, brings a new field, keeps secrets, rotates two, and restarts no Pod of tenants', async () => {
  const before = { tenants: await tenantsPods(), secrets: await secrets() };
  const gateway = await uidOfPod('gantry-gateway-0');
  const values = (await chartValues(cluster)) as { gateway: { options: Record<string, string> } };
  values.gateway.options['mail-from'] = 'Story <story@example.org>';
  await kubectl.must(['delete', 'secret', 'gantry-kubernetes-tls', ...NAMESPACED]);
  await rotateSigningKey();
  await installChart(cluster, { values, chart: await chartWithField(cluster.dir) });
  expect(await uidOfPod('gantry-gateway-0')).not.toBe(gateway);
  expect(await tenantsPods()).toEqual(before.tenants);

  const { 'gantry-kubernetes-tls': tls, 'gantry-registry': registry, ...kept } = await secrets();
  const { 'gantry-kubernetes-tls': oldTls, 'gantry-registry': oldRegistry, ...keptBefore } = before.secrets;
  expect(Object.keys(kept).length).toBeGreaterThan(2);
  expect(kept).toEqual(keptBefore);
  expect(registry?.['platform.password']).toBe(oldRegistry?.['platform.password']);
  expect(registry?.['signing.key']).not.toBe(oldRegistry?.['signing.key']);
  expect(await trustsGateway(tls?.['ca.crt'])).toBe(true);
  expect(await trustsGateway(oldTls?.['ca.crt'])).toBe(false);

  const field = ['patch', 'organization', 'acme', '--type=merge', `-p={"spec":{"${NEXT_FIELD}":"new"}}`];
  await kubectl.must(field);
  const { spec } = (await kubectl.get<{ spec: Record<string, string> }>('organization', 'acme')) ?? {};
  expect(spec?.[NEXT_FIELD]).toBe('new');
});

test('a removal leaves what its README says, and the next install goes on from there', async () => {
  const tenants = await tenantsPods();
  const password = await firstPassword(cluster);
  const { uid } = await organization();
  const said = await helm(cluster, ['uninstall', 'gantry', '--wait']);
  expect(said).toContain('kept');
  await eventually('the Pods of the platform to go', platformIsGone, PATIENCE_MS);
  const now = await added();
  const organizations = now.flatMap((line) => /^Organization (.*)$/.exec(line)?.[1] ?? []);
  const isOfTenants = (line: string) =>
    line.startsWith('PersistentVolume ') ||
    organizations.some((name) => line.endsWith(name) || line.includes(`org-${name} `));
  expect(now.filter((line) => !isOfTenants(line) && !QUEUES.test(line))).toEqual(stays());
  expect(await tenantsPods()).toEqual(tenants);

  // The version before, which does not know the field.
  await installChart(cluster);
  expect(await firstPassword(cluster)).toBe(password);
  expect(await organization()).toMatchObject({ uid });
  // With tokens of another key than the first save.
  const saved = await saves();
  await power('Stopped');
  await reaches('stopped');
  expect((await saves()).filter((name) => !saved.includes(name))).toHaveLength(1);
  await power('ShutDown');
  await reaches('shutDown');
});

restoredInstall(() => ({ cluster, kubectl, removePlatform }));
twoGateways(() => ({ cluster, kubectl, removePlatform }));
withoutAWayOut(() => ({ cluster, kubectl, removePlatform }));

test(
  'crds/uninstall.sh --yes and a removal of the release leave nothing',
  async () => {
    await removePlatform();
    await removeRelease();
    await eventually('all of it to be gone', async () => expect(await added()).toEqual([]) === undefined, PATIENCE_MS);
  },
  PREPARED_WITHIN_MS,
);

const reaches = (phase: string) =>
  eventually(
    `the instance to be ${phase}`,
    async () => {
      const dev = await kubectl.get<GpuInstance>('gpuinstance', 'dev', '-n', 'org-acme');
      expect(dev?.status?.phase).toBe(phase);
      return true;
    },
    PATIENCE_MS,
  );

const power = (wanted: string) =>
  kubectl.must([
    ...['patch', 'gpuinstance', 'dev', '-n', 'org-acme', '--type=merge'],
    ...['-p', JSON.stringify({ spec: { power: wanted } })],
  ]);

async function tenantsPods(): Promise<string[]> {
  const pods = await kubectl.get<{ items: readonly Pod[] }>(
    'pods',
    '-n',
    'org-acme',
    '-l',
    'gantry.dev/kind=GpuInstance',
  );
  const found = (pods?.items ?? []).map(({ metadata }) => `${metadata?.name} ${metadata?.uid}`);
  expect(found).toHaveLength(1);
  return found;
}

const platformIsGone = async () => (await kubectl.must(['get', 'pods', ...NAMESPACED, '--output=name'])) === '';

const removeRelease = () => helm(cluster, ['uninstall', 'gantry', '--wait', '--ignore-not-found']);

/** Names of root file systems that lie in the registry. */
async function saves(): Promise<string[]> {
  const all = await kubectl.get<{ items: readonly Snapshot[] }>('gsnap', '-n', 'org-acme');
  return (all?.items ?? []).filter(({ status }) => status?.phase === 'ready').map(({ metadata }) => metadata.name);
}

async function organization() {
  const acme = await kubectl.get<Organization>('organization', 'acme');
  if (!acme) throw new Error('the organisation is lost');
  return acme.metadata;
}

/** Those that the chart makes once: content by key by name. */
async function secrets(): Promise<Record<string, Record<string, string>>> {
  const all = await kubectl.get<{
    items: { metadata: { name: string }; type: string; data: Record<string, string> }[];
  }>('secrets', ...NAMESPACED);
  const ours = (all?.items ?? []).filter(({ type }) => type !== 'helm.sh/release.v1');
  return Object.fromEntries(ours.map(({ metadata, data }) => [metadata.name, data]));
}

/** As the README says: a new key, and a restart. */
async function rotateSigningKey(): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stringData = { 'signing.key': privateKey.export({ type: 'sec1', format: 'pem' }) };
  const patch = `--patch=${JSON.stringify({ stringData })}`;
  await kubectl.must(['patch', 'secret', 'gantry-registry', ...NAMESPACED, '--type=merge', patch]);
  await kubectl.must(['rollout', 'restart', 'deployment/gantry-registry', ...NAMESPACED]);
}

/** Whether kubectl would, by the authority of a kubeconfig, in base64. */
async function trustsGateway(authority = ''): Promise<boolean> {
  const host = await addressOf(cluster, 'gantry-gateway');
  const socket = connect({ host, port: 8083, servername: 'localhost', ca: Buffer.from(authority, 'base64') });
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw error;
    return false;
  } finally {
    socket.destroy();
  }
}

const inGateway = (...words: string[]) =>
  kubectl.run(['exec', ...NAMESPACED, 'statefulset/gantry-gateway', '--', ...words]);

const uidOfPod = async (name: string) => (await kubectl.get<Pod>('pod', name, ...NAMESPACED))?.metadata?.uid;

/** The objects that are there now and were not before the install; sorted. */
const added = async () => [...(await everything(kubectl)).difference(empty)].toSorted();

async function removePlatform(): Promise<void> {
  const env = { KUBECONFIG: cluster.kubeconfig, PATH: `${dirname(await binary('kubectl'))}:${process.env.PATH}` };
  const { code, stderr } = await runCommand('crds/uninstall.sh', ['--yes'], { env });
  if (code !== 0) throw new Error(stderr);
}
