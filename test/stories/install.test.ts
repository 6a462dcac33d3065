// charts/gantry on the test cluster, whose own platform makes room for it: it runs the README's first example from images, an upgrade
// restarts no Pod of tenants, and what a removal leaves is what its README says, from which a new install goes on.
import { dirname } from 'node:path';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { binary } from '../../hack/binaries.ts';
import {
  chartValues,
  fillRegistry,
  firstPassword,
  helm,
  installChart,
  platformDigests,
  pushPlatformImages,
} from '../../hack/helm/install-chart.ts';
import type { Layout } from '../../hack/layout.ts';
import { operatorFlags } from '../../hack/platform.ts';
import { run } from '../../hack/run.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { startOperator } from '../support/operator.ts';
import { soakTest } from '../support/soak.ts';
import { testCluster, WITHOUT } from '../support/test-cluster.ts';
import { restoredInstall } from './restored-install.ts';
import { twoGateways } from './two-gateways.ts';

/** Images and, where nobody has built it yet, Helm. */
const PREPARED_WITHIN_MS = 1_200_000;
const PATIENCE_MS = 120_000;
const NAMESPACED = ['-n', PLATFORM_NAMESPACE] as const;

let cluster: Layout;
let kubectl: Kubectl;
let digests: Readonly<Record<string, string>>;

beforeAll(async () => {
  const administrator = await testCluster();
  ({ layout: cluster, kubectl } = administrator);
  // Earlier files may have left organisations, which only an operator can let go.
  const operator = await startOperator(administrator, ...(await operatorFlags(cluster)), '--leader-elect=false');
  await removePlatform().finally(() => operator.close());
  await pushPlatformImages(cluster);
  digests = await platformDigests(cluster);
  await installChart(cluster);
  await fillRegistry(cluster);
}, PREPARED_WITHIN_MS);

/** Later files need the platform as processes again, whatever failed here. */
afterAll(async () => {
  const removeRelease = () => helm(cluster, ['uninstall', 'gantry', '--wait', '--ignore-not-found']);
  for (const remove of [removePlatform, removeRelease]) await remove().catch(console.error);
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
  const snapshots = await kubectl.must(['get', 'gsnap', '-n', 'org-acme', '-o', 'jsonpath={.items[*].status.phase}']);
  expect(snapshots.split(' ')).toContain('ready');
  await power('Running');
  await reaches('running');
});

soakTest('a second build of the images has the same digests', async () => {
  await pushPlatformImages(cluster);
  expect(await platformDigests(cluster)).toEqual(digests);
});

test('an upgrade replaces what changed, keeps secrets, and restarts no Pod of tenants', async () => {
  const before = { tenants: await tenantsPods(), password: await firstPassword(cluster) };
  const gateway = await uidOfPod('gantry-gateway-0');
  const values = (await chartValues(cluster)) as { gateway: { options: Record<string, string> } };
  values.gateway.options['mail-from'] = 'Story <story@example.org>';
  await installChart(cluster, { values });
  expect(await uidOfPod('gantry-gateway-0')).not.toBe(gateway);
  expect(await tenantsPods()).toEqual(before.tenants);
  expect(await firstPassword(cluster)).toBe(before.password);
});

test('a removal leaves what its README says, and the next install goes on from there', async () => {
  const tenants = await tenantsPods();
  const password = await firstPassword(cluster);
  const said = await helm(cluster, ['uninstall', 'gantry', '--wait']);
  expect(said).toContain('kept');
  await eventually('the Pods of the platform to go', async () => (await left('pods')).length === 0, PATIENCE_MS);
  expect(await left('secrets')).toEqual([
    'gantry-administrator',
    'gantry-door-host-keys',
    'gantry-kubernetes-tls',
    'gantry-platform-key',
    'gantry-registry',
  ]);
  expect(await left('persistentvolumeclaims')).toEqual(['gantry-gateway-data', 'gantry-registry-data']);
  for (const kind of ['services', 'deployments', 'statefulsets', 'daemonsets', 'networkpolicies', 'roles'])
    expect([kind, await left(kind)]).toEqual([kind, []]);
  for (const kind of ['clusterroles', 'validatingadmissionpolicies', 'priorityclasses'])
    expect([kind, await left(kind)]).toEqual([kind, []]);
  expect(await left('customresourcedefinitions', 'gantry.dev')).toContain('gpuinstances.gantry.dev');
  expect(await tenantsPods()).toEqual(tenants);

  await installChart(cluster);
  expect(await firstPassword(cluster)).toBe(password);
  await power('ShutDown');
  await reaches('shutDown');
});

restoredInstall(() => ({ cluster, kubectl, removePlatform }));
twoGateways(() => ({ cluster, kubectl, removePlatform }));

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

interface Names {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
}

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

const uidOfPod = async (name: string) => (await kubectl.get<Pod>('pod', name, ...NAMESPACED))?.metadata?.uid;

/** Names of ours among all objects of the kind, those of the namespace or of the cluster; sorted. */
async function left(kind: string, word = 'gantry'): Promise<string[]> {
  const { items = [] } = (await kubectl.get<Names>(kind, ...NAMESPACED)) ?? {};
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.includes(word))
    .toSorted();
}

async function removePlatform(): Promise<void> {
  const env = { KUBECONFIG: cluster.kubeconfig, PATH: `${dirname(await binary('kubectl'))}:${process.env.PATH}` };
  const { code, stderr } = await runCommand('crds/uninstall.sh', ['--yes'], { env });
  if (code !== 0) throw new Error(stderr);
}
