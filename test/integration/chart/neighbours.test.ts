// The chart's objects as a real API server reads them, beside the kinds of the Gateway API and of the Prometheus operator; and the part
// that cert-manager reads.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { binary } from '../../../hack/binaries.ts';
import { run } from '../../../hack/run.ts';
import { type ApiServer, startApiServer } from '../../support/api-server.ts';
import { eventually } from '../../support/eventually.ts';
import { type Neighbour, sourcesOf } from '../../support/neighbours.ts';
import { SETS, STORES } from './values.ts';

/** The time for a build, if no other test has built it. */
const BUILD_MS = 1_200_000;
/** Those that the chart makes objects of. */
const KINDS: readonly (readonly [Neighbour, readonly string[]])[] = [
  ['gatewayApi', ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml']],
  [
    'prometheusOperator',
    ['podmonitors', 'prometheusrules'].map(
      (plural) => `example/prometheus-operator-crd/monitoring.coreos.com_${plural}.yaml`,
    ),
  ],
];

interface Rendered {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: Record<string, unknown> } };
}

let folder: string;
let server: ApiServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-neighbours-'));
  server = await startApiServer();
  for (const [neighbour, files] of KINDS) {
    const sources = await sourcesOf(neighbour);
    const args = files.flatMap((file) => ['-f', join(sources, file)]);
    await server.kubectl.must(['apply', '--server-side', ...args]);
    // Some come with `conditions: null`, on which `kubectl wait` fails until the API server has written its own.
    await eventually('they are served', () =>
      server.kubectl.must(['wait', '--for=condition=Established', '--timeout=30s', ...args]),
    );
  }
}, BUILD_MS);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Without the roles and policies, unless it is whole: those are the same whatever the values. */
async function rendered(name: string, values: object, { isWhole = false } = {}): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(values));
  const manifests = await run(
    await binary('helm'),
    [
      ...['template', 'gantry', 'charts/gantry', '--namespace', PLATFORM_NAMESPACE, '--kube-version', '1.34.0'],
      ...['--values', file, '--set', 'crds.install=false'],
    ],
    { env: { HELM_CONFIG_HOME: folder, HELM_CACHE_HOME: folder } },
  );
  return manifests
    .split(/^---$/m)
    .filter((object) => isWhole || !object.includes('# Source: gantry/templates/platform.yaml'))
    .join('---');
}

const dryRun = (manifests: string) =>
  server.kubectl.run(['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', '-'], manifests);

test.each(SETS)('an API server accepts every object of the values of %s', async (name, values) => {
  const manifests = await rendered(name, values, { isWhole: name === 'default' });
  const { code, stdout, stderr } = await dryRun(manifests);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength((manifests.match(/^kind: /gm) ?? []).length);
});

test.each([
  ['gateway-api', 'parentRefs'],
  ['everything', 'podMetricsEndpoints'],
])('a field beside those of a neighbour of %s is refused', async (name, field) => {
  const [, values = {}] = SETS.find(([set]) => set === name) ?? [];
  const manifests = (await rendered(name, values)).replace(new RegExp(`^( +)(?=${field}:)`, 'm'), '$1surplus: []\n$1');
  const { code, stderr } = await dryRun(manifests);
  expect([code, stderr]).toEqual([1, expect.stringContaining('surplus: field not declared')]);
});

test('Pod Security takes every Pod for a restricted one but the agents', async () => {
  const namespace = 'restricted';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } };
  for (const object of [home, account])
    await server.kubectl.must(['apply', '--server-side', '-f', '-'], JSON.stringify(object));
  const values = { ...STORES, restore: { from: 'latest' } };
  const pods = parseAllDocuments(await rendered('restricted', values))
    .map((document) => document.toJS({ maxAliasCount: -1 }) as Rendered | null)
    .flatMap((object) => (object?.spec?.template ? [{ name: object.metadata.name, ...object.spec.template }] : []))
    .map(({ name, spec }) => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } },
      spec: { ...spec, serviceAccountName: 'default' },
    }));
  expect(pods.map(({ metadata }) => metadata.name).toSorted()).toEqual([
    ...['agent', 'gateway', 'operator', 'registry', 'restore', 'ssh-door'].map((part) => `gantry-${part}`),
  ]);
  const { stdout, stderr } = await dryRun(pods.map((pod) => JSON.stringify(pod)).join('\n---\n'));
  expect(stdout.match(/(?<=^pod\/)\S+/gm)?.toSorted()).toEqual([
    ...['gateway', 'operator', 'registry', 'restore', 'ssh-door'].map((part) => `gantry-${part}`),
  ]);
  const refused = stderr.match(/(?<=pods ").*?(?=" is forbidden: violates PodSecurity "restricted:latest")/g);
  expect(refused?.toSorted()).toEqual(['gantry-agent']);
});

/** The notes at the end of an install with these values. */
const notes = async (values: object) => {
  const file = join(folder, 'notes.json');
  await writeFile(file, JSON.stringify({ ...values, crds: { install: false } }));
  const said = await run(
    await binary('helm'),
    [
      'install',
      'gantry',
      'charts/gantry',
      '--namespace',
      PLATFORM_NAMESPACE,
      '--dry-run=server',
      '--take-ownership',
      '--values',
      file,
    ],
    { env: { KUBECONFIG: server.kubeconfig, HELM_CONFIG_HOME: folder, HELM_CACHE_HOME: folder } },
  );
  return said.slice(said.indexOf('\nNOTES:'));
};

test('an issuer of cert-manager that nobody reads is said after the install', async () => {
  const [, ingress = {}] = SETS.find(([name]) => name === 'ingress') ?? [];
  const sentence = 'cert-manager is not in this cluster';
  expect(await notes(ingress)).toContain(sentence);
  const given = { tls: { existingSecret: 'ours', tenantsExistingSecret: 'tenants' } };
  expect(await notes({ ...ingress, ...given })).not.toContain(sentence);
});

test('which taints of GPU nodes are tolerated is said after the install', async () => {
  const options = { operator: { options: { 'gpu-taints': 'amd.com/gpu,example.com/gpu' } } };
  const said = [await notes({ domain: 'gantry.example' }), await notes({ domain: 'gantry.example', ...options })];
  expect(said.map((text) => /these taints of nodes: (.*?)\. A /.exec(text)?.[1])).toEqual([
    'nvidia.com/gpu',
    'amd.com/gpu,example.com/gpu',
  ]);
});

test('cert-manager looks for its issuers where the Ingress names them', async () => {
  const source = await readFile(join(await sourcesOf('certManager'), 'pkg/apis/certmanager/v1/types.go'), 'utf8');
  const keys = ['IngressIssuerNameAnnotationKey', 'IngressClusterIssuerNameAnnotationKey'].map(
    (constant) => new RegExp(`\\b${constant} += "(.*)"`).exec(source)?.[1],
  );
  const [, values = {}] = SETS.find(([name]) => name === 'ingress') ?? [];
  for (const [at, kind] of ['Issuer', 'ClusterIssuer'].entries()) {
    const manifests = await rendered(kind, { ...values, tls: { certManagerIssuer: { name: 'ours', kind } } });
    const written = parseAllDocuments(manifests).map((document) => document.toJS()?.metadata?.annotations ?? {});
    expect(written).toContainEqual(expect.objectContaining({ [keys[at] ?? '']: 'ours' }));
  }
});
