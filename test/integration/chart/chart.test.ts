// charts/gantry as Helm renders it, without a cluster: golden templates, what the chart refuses and in which words, and rules that
// every rendering keeps.
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../../api/src/platform/config.ts';
import { SAID_BY } from '../../../contract/gen/chart/program-options.ts';
import { BEYOND_KUBELETS, KUBELET_PORTS } from '../../../contract/src/kubelet-ports.ts';
import { binary } from '../../../hack/binaries.ts';
import { run } from '../../../hack/run.ts';
import { runCommand } from '../../support/command.ts';
import { expectGolden } from '../../support/golden.ts';
import { inTurn } from '../../support/soak.ts';
import { PROXY, SETS, STORES, YOURS } from './values.ts';

const CHART = 'charts/gantry';
/** The time for a build, if no other test has built it. */
const BUILD_MS = 1_200_000;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: Record<string, unknown>;
  readonly resources: { readonly requests?: object; readonly limits?: object };
}
interface Rendered {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  readonly spec?: {
    readonly egress?: readonly {
      readonly to?: readonly object[];
      readonly ports: readonly { readonly protocol: string; readonly port: number; readonly endPort?: number }[];
    }[];
    readonly template?: {
      readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
    };
  };
}

interface ValueSchema {
  readonly type?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly ValueSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

/** Paths of the values that `text` may be, but those in lists and records. */
function takers(
  text: string,
  { anyOf, properties = {}, ...leaf }: ValueSchema,
  path: readonly string[] = [],
): string[][] {
  const takes = (anyOf ?? [leaf]).some(
    ({ type, pattern }) => type === 'string' && pattern !== undefined && new RegExp(pattern, 'u').test(text),
  );
  return [
    ...(takes ? [[...path]] : []),
    ...Object.entries(properties).flatMap(([key, value]) => takers(text, value, [...path, key])),
  ];
}

function setAt(values: Record<string, unknown>, [key = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) values[key] = text;
  else {
    values[key] ??= {};
    setAt(values[key] as Record<string, unknown>, rest, text);
  }
}

let helm: string;
let folder: string;

beforeAll(async () => {
  helm = await binary('helm');
  folder = await mkdtemp(join(tmpdir(), 'gantry-chart-'));
}, BUILD_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function template(values: object, { namespace = 'gantry-system', chart = CHART } = {}) {
  const file = join(folder, `${Math.random()}.json`);
  await writeFile(file, JSON.stringify(values));
  const args = ['template', 'gantry', chart, '--namespace', namespace, '--values', file, '--kube-version', '1.34.0'];
  return runCommand(helm, args, { env: { HELM_CONFIG_HOME: folder, HELM_CACHE_HOME: folder } });
}

const objectsIn = (text: string): Rendered[] =>
  parseAllDocuments(text, { version: '1.1', merge: true })
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);

async function render(values: object, chart = CHART): Promise<Rendered[]> {
  const { code, stdout, stderr } = await template(values, { chart });
  if (code !== 0) throw new Error(stderr);
  return objectsIn(stdout);
}

/** By its own templates, not from crds/. */
const isOwn = ({ metadata }: Rendered): boolean => metadata.labels?.['app.kubernetes.io/part-of'] === 'gantry';

/** Leaves out generated data, of which `make gen` has the truth, and secrets, which differ at each rendering. */
const forReaders = (objects: readonly Rendered[]): Rendered[] =>
  objects.filter(isOwn).map((object) => {
    const said = object.kind === 'Secret' ? 'random' : object.metadata.name === 'gantry-dashboards' && 'generated';
    if (!said || !object.data) return object;
    return { ...object, data: Object.fromEntries(Object.keys(object.data).map((key) => [key, said])) };
  });

describe.each(SETS)('with the values of %s', (name, values) => {
  let objects: Rendered[];
  beforeAll(async () => {
    objects = await render(values);
  });

  test('it is rendered as the golden file has it', () => {
    expectGolden(new URL(`golden/${name}.yaml`, import.meta.url), forReaders(objects));
  });

  test('no object stands there twice', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`);
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
  });

  test('every container asks for what it needs, has a limit, and cannot write to its root', () => {
    for (const container of containersOf(objects)) {
      expect([container.name, container.resources]).toEqual([
        container.name,
        {
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      ]);
      expect([container.name, container.securityContext]).toEqual([
        container.name,
        expect.objectContaining({ readOnlyRootFilesystem: true }),
      ]);
    }
  });

  test('only the agents are privileged or run as root', () => {
    const special = containersOf(objects).filter(
      ({ securityContext: { privileged, capabilities } }) =>
        privileged === true || (capabilities as { add?: string[] } | undefined)?.add !== undefined,
    );
    expect(new Set(special.map(({ name }) => name))).toEqual(new Set(['registry-hosts', 'agent']));
  });

  test('the gateway understands what the chart says to it', () => {
    const said = environmentOf(objects, 'gateway');
    const { args = [] } = containersOf(objects).find(({ name: container }) => container === 'gateway') ?? {};
    const config = readConfig(args, said, { needsKey: false }) as Record<string, unknown>;
    const options = Object.keys(said).map((variable) => optionOf(variable));
    // The unit of durations is in the value.
    expect(options.filter((option) => !(option in config) && !(`${option}Ms` in config))).toEqual([]);
  });

  test.each(['gateway', 'operator'] as const)(
    'what the chart says to the %s nobody can say below its options',
    (program) => {
      const { args = [] } = containersOf(objects).find(({ name: container }) => container === program) ?? {};
      const said = [...Object.keys(environmentOf(objects, program)).map(flagOf), ...args.map(flagOf)];
      expect(said.length).toBeGreaterThan(5);
      expect(said.filter((flag) => !(flag in SAID_BY[program]))).toEqual([]);
    },
  );

  test('what must outlive the release is kept', () => {
    const kept = objects
      .filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep')
      .map(({ kind }) => kind);
    const must = objects.map(({ kind }) => kind).filter((kind) => MUST_STAY.includes(kind));
    expect(kept.toSorted()).toEqual(must.toSorted());
  });
});

const MUST_STAY = ['CustomResourceDefinition', 'Secret', 'PersistentVolumeClaim'];

const containersOf = (objects: readonly Rendered[]): Container[] =>
  objects.flatMap(({ spec }) => [
    ...(spec?.template?.spec.initContainers ?? []),
    ...(spec?.template?.spec.containers ?? []),
  ]);

/** Variables of the product that have their value in the template. */
function environmentOf(objects: readonly Rendered[], container: string): Record<string, string> {
  const { env = [] } = containersOf(objects).find(({ name }) => name === container) ?? {};
  return Object.fromEntries(
    env.filter(({ name }) => name.startsWith('GANTRY_')).map(({ name, value }) => [name, value ?? 'from a Secret']),
  );
}

/** GANTRY_DATA_DIR, --data-dir=/data → data-dir. */
const flagOf = (said: string): string =>
  said
    .replace(/^GANTRY_|^--/, '')
    .replace(/=.*/, '')
    .toLowerCase()
    .replaceAll('_', '-');
/** GANTRY_DATA_DIR → dataDir. */
const optionOf = (variable: string): string =>
  flagOf(variable).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

test('options reach their programs, whether they are written as texts, numbers or booleans', async () => {
  const objects = await render({
    gateway: { options: { 'requests-per-minute': 1_000_000, 'mail-from': 'Ops <ops@example.org>' } },
    operator: { options: { 'simulated-nodes': true, 'log-days': '30' } },
  });
  // The gateway's as environment: commands beside it have the same.
  expect(environmentOf(objects, 'gateway')).toMatchObject({
    GANTRY_MAIL_FROM: 'Ops <ops@example.org>',
    GANTRY_REQUESTS_PER_MINUTE: '1000000',
  });
  const { args: operator } = containersOf(objects).find(({ name }) => name === 'operator') ?? {};
  expect(operator).toEqual(expect.arrayContaining(['--simulated-nodes=true', '--log-days=30']));
});

const WITH_POLICIES = SETS.filter(([, values]) => values !== YOURS);
test.each(WITH_POLICIES)(
  'with the values of %s nothing that has a token of the platform can reach a kubelet',
  async (_, values) => {
    const policies = (await render(values)).filter(({ kind }) => kind === 'NetworkPolicy');
    const openOf = (name: string) => policies.find(({ metadata }) => metadata.name === name)?.spec?.egress;
    for (const name of ['gantry-gateway', 'gantry-operator', 'beyond-kubelets'])
      expect([name, openOf(name)]).toEqual([name, BEYOND_KUBELETS]);
    const opens = policies.flatMap(({ spec }) =>
      (spec?.egress ?? []).filter(({ to }) => !to).flatMap(({ ports }) => ports),
    );
    const reaches = (port: number) =>
      opens.some(({ protocol, port: from, endPort = from }) => protocol === 'TCP' && from <= port && port <= endPort);
    expect(KUBELET_PORTS.filter(reaches)).toEqual([]);
    expect([443, 6443, 8080, 10_256].filter(reaches)).toEqual([443, 6443, 8080, 10_256]);
  },
);

const KINDS = 'crds/*.yaml';
const PLATFORM = 'crds/platform/*.yaml';
const BACKUP = 'crds/backup/*.yaml';

/** But for the namespace of the release, which Helm makes. */
function inCrds(...globs: readonly string[]): Rendered[] {
  const all = globSync(globs).flatMap((file) => objectsIn(readFileSync(file, 'utf8')));
  return all.filter(({ kind, metadata }) => kind !== 'Namespace' || metadata.name !== 'gantry-system');
}

const sorted = (objects: readonly Rendered[]): Rendered[] =>
  objects.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

test.each<[string, object, string[]]>([
  ['all kinds, roles and policies', {}, [KINDS, PLATFORM]],
  ['roles and policies alone, if others install the kinds', { crds: { install: false } }, [PLATFORM]],
  ['what backups need too, if there is a bucket', STORES, [KINDS, PLATFORM, BACKUP]],
])('the chart takes from crds/ as they stand there, whatever braces they have: %s', async (_, values, globs) => {
  const taken = (await render(values)).filter((object) => !isOwn(object));
  const there = inCrds(...globs);
  expect(there.length).toBeGreaterThan(50);
  expect(sorted(taken)).toEqual(sorted(there));
});

test('a package has what the checkout has by a link, and nothing of crds/ that is not for Helm', async () => {
  await run(helm, ['package', CHART, '--destination', folder]);
  const [file = ''] = globSync(join(folder, 'gantry-*.tgz'));
  const foreign = (objects: readonly Rendered[]) => sorted(objects.filter((object) => !isOwn(object)));
  expect(foreign(await render(STORES, file))).toEqual(foreign(await render(STORES)));
  const packed = (await run('tar', ['--list', '--file', file])).split('\n');
  expect(
    packed
      .filter((path) => path.startsWith('gantry/files/crds/'))
      .map((path) => path.slice('gantry/files/'.length))
      .toSorted(),
  ).toEqual(
    globSync([KINDS, PLATFORM, BACKUP])
      .filter((path) => !path.endsWith('0-namespace.yaml'))
      .toSorted(),
  );
});

test('a copy of the chart that has lost the link is refused: it would be a platform without policies', async () => {
  const chart = join(folder, 'copy');
  await cp(CHART, chart, { recursive: true, filter: (path) => !path.endsWith('files/crds') });
  const { code, stderr } = await template({ crds: { install: false } }, { chart });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('files/crds is missing: in a checkout it is a link to crds/'),
  ]);
});

test('a bucket for backups brings the right to read what they hold, and no bucket brings none', async () => {
  const accounts = async (values: object) =>
    (await render(values)).filter(({ metadata }) => metadata.name === 'gantry-backup').map(({ kind }) => kind);
  expect(await accounts({})).toEqual([]);
  expect((await accounts(STORES)).toSorted()).toEqual([
    ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ServiceAccount'],
  ]);
});

test('while a backup is restored nothing else runs, and what the restore is told has an option', async () => {
  const objects = await render({ ...STORES, restore: { from: 'latest', intoExisting: true } });
  const installed = objects.filter(({ metadata }) => ['gantry-gateway', 'gantry-operator'].includes(metadata.name));
  const replicas = installed.flatMap(({ spec }) => (spec && 'replicas' in spec ? [spec.replicas] : []));
  expect(replicas).toEqual([0, 0]);
  const key = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === 'gantry-platform-key');
  // Not even an empty one: a rendering that is applied again would blank what the restore wrote.
  expect(key).not.toHaveProperty('data');
  const job = containersOf(objects).find(({ name }) => name === 'restore');
  const [word, ...flags] = job?.args ?? [];
  const config = readConfig(flags, environmentOf(objects, 'restore'), { needsKey: false });
  expect([word, config]).toEqual([
    'restore',
    expect.objectContaining({ from: 'latest', intoExisting: true, platformKeySecret: 'gantry-platform-key' }),
  ]);
  expect(job?.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const rights = (all: readonly Rendered[]) => all.filter(({ metadata }) => metadata.name === 'gantry-restore');
  expect(rights(objects).map(({ kind }) => kind)).toEqual(['ServiceAccount', 'ClusterRoleBinding', 'Job']);
  expect(rights(await render(STORES))).toEqual([]);
});

test('where all Secrets, volumes and certificates are the owner’s, all are used, and none is made but the one that the door fills', async () => {
  const objects = await render(YOURS);
  const made = objects.filter(({ kind }) => ['Secret', 'PersistentVolumeClaim', 'NetworkPolicy'].includes(kind));
  expect(made.map(({ metadata, data }) => [metadata.name, data])).toEqual([
    ['beyond-kubelets', undefined],
    ['gantry-door-host-keys', undefined],
  ]);
  const said = JSON.stringify(objects);
  const names = JSON.stringify(YOURS).match(/(?<=")(my|mirror)-[a-z-]+/g) ?? [];
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !said.includes(`"${name}"`))).toEqual([]);
});

test('the dashboard is in its ConfigMap as it was generated, templates of its own included', async () => {
  const objects = await render({ monitoring: { dashboards: true } });
  const { data } = objects.find(({ metadata }) => metadata.name === 'gantry-dashboards') ?? {};
  const generated = await readFile(join(CHART, 'files/dashboards/gantry.json'), 'utf8');
  expect(data?.['gantry.json']?.trimEnd()).toBe(generated.trimEnd());
  expect(generated).toContain('{{kind}}');
});

test('every alert links to its heading among the runbooks, wherever those are', async () => {
  const linksOf = async (monitoring: object) => {
    const objects = await render({ monitoring: { rules: true, ...monitoring } });
    const { spec } = objects.find(({ kind }) => kind === 'PrometheusRule') ?? {};
    const { groups } = spec as unknown as {
      groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[];
    };
    return groups.flatMap(({ rules }) =>
      rules.map(({ alert, annotations }) => [alert, annotations.runbook_url] as const),
    );
  };
  const headings = (await readFile(join(CHART, 'RUNBOOKS.md'), 'utf8')).match(/(?<=^## ).+$/gm) ?? [];
  const anchors = headings.map((heading) => heading.toLowerCase());
  const links = await linksOf({});
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(([, link]) => !anchors.includes(link.split('#')[1] ?? ''))).toEqual([]);
  expect(links[0]?.[1]).toMatch(/^https:\/\/github\.com\/gantry-dev\/gantry\/.*\/charts\/gantry\/RUNBOOKS\.md#gantry/);
  expect(await linksOf({ runbooks: 'https://wiki.example.org/gantry' })).toContainEqual([
    'GantryBooksDoNotHold',
    'https://wiki.example.org/gantry#gantrybooksdonothold',
  ]);
});

test('those who reach outside know the proxy, and what is reached without it', async () => {
  const objects = await render({ proxy: PROXY });
  const proxied = containersOf(objects).filter(({ env = [] }) => env.some(({ name }) => name === 'HTTPS_PROXY'));
  expect(proxied.map(({ name }) => name).toSorted()).toEqual(['agent', 'gateway', 'registry', 'tokens']);
  for (const { name, env = [] } of proxied) {
    const values = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
    expect([name, values]).toEqual([
      name,
      expect.objectContaining({ HTTP_PROXY: PROXY.http, NODE_USE_ENV_PROXY: '1' }),
    ]);
    const direct = ['.svc', '$(KUBERNETES_SERVICE_HOST)', '$(GANTRY_REGISTRY_SERVICE_HOST)', '.corp.example.org'];
    expect([name, values.NO_PROXY?.split(',')]).toEqual([name, expect.arrayContaining(direct)]);
  }
  const { args } = containersOf(objects).find(({ name }) => name === 'operator') ?? {};
  expect(args).toContain(`--image-proxy=${PROXY.https}`);
});

test('only what there is is asked for metrics', async () => {
  const monitored = async (values: object) =>
    (await render({ monitoring: { podMonitors: true }, ...values }))
      .filter(({ kind }) => kind === 'PodMonitor')
      .map(({ metadata }) => metadata.name)
      .toSorted();
  const always = ['gantry-agent', 'gantry-gateway', 'gantry-operator'];
  expect(await monitored({})).toEqual([...always, 'gantry-registry', 'gantry-ssh-door']);
  const outside = { enabled: false, external: { address: 'registry.example.org' } };
  expect(await monitored({ door: { enabled: false }, registry: outside })).toEqual(always);
});

test('images come by digest where there is one, else by tag, else by the version of the chart', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const objects = await render({ image: { registry: 'r.example.org/g', tag: 'edge', digests: { gateway: digest } } });
  const images = Object.fromEntries(containersOf(objects).map(({ name, image }) => [name, image]));
  expect(images.gateway).toBe(`r.example.org/g/gateway@${digest}`);
  expect(images.operator).toBe('r.example.org/g/operator:edge');
});

test.each<[string, object, RegExp]>([
  [
    'more gateways than an embedded database can have',
    { gateway: { replicas: 2 } },
    /gateway\.replicas: 2 gateways need PostgreSQL/,
  ],
  [
    'a number of gateways that is none',
    { gateway: { replicas: 'two' } },
    /\/gateway\/replicas'?: got string, want integer/,
  ],
  ['fewer gateways than none', { gateway: { replicas: -1 } }, /\/gateway\/replicas'?: minimum: got -1, want 0/],
  ['a name that there is not', { gatway: {} }, /additional properties 'gatway' not allowed/],
  [
    'a word that is no choice',
    { sharedPool: 'all' },
    /\/sharedPool'?: value must be one of 'exclusive', 'sandboxed', 'open'/,
  ],
  [
    'a domain with a scheme',
    { domain: 'https://x.org' },
    /domain: "https:\/\/x\.org" is no domain such as gantry\.example\.org/,
  ],
  [
    'an address without one',
    { urls: { console: 'x.org' } },
    /urls\.console: "x\.org" is no address such as https:\/\/gpu\.example\.org/,
  ],
  ['kubectl over plain HTTP', { urls: { kubernetes: 'http://x.org' } }, /urls\.kubernetes: must begin with https:\/\//],
  [
    "tenants' pages below the console",
    { domain: 'x.org', tenantDomain: 'apps.x.org' },
    /tenantDomain: apps\.x\.org is x\.org or below it; tenants' pages must be on a domain of their own/,
  ],
  [
    "an address of tenants' without their domain",
    { urls: { tenants: 'https://t.org' } },
    /urls\.tenants: needs tenantDomain/,
  ],
  ['an Ingress without a domain', { ingress: { enabled: true } }, /ingress\.enabled: needs domain/],
  [
    'an Ingress without certificates',
    { domain: 'x.org', ingress: { enabled: true } },
    /tls: an Ingress needs certificates/,
  ],
  [
    "an Ingress of tenants' without a certificate",
    { domain: 'x.org', tenantDomain: 't.org', ingress: { enabled: true }, tls: { existingSecret: 'a' } },
    /tls\.tenantsExistingSecret: name a Secret with a certificate for \*\.t\.org, or an issuer/,
  ],
  [
    'routes without a Gateway',
    { domain: 'x.org', gatewayApi: { enabled: true } },
    /gatewayApi\.parentRefs: name the Gateway/,
  ],
  [
    'both ways in',
    { domain: 'x.org', ingress: { enabled: true }, gatewayApi: { enabled: true, parentRefs: [{ name: 'a' }] } },
    /ingress\.enabled and gatewayApi\.enabled: choose one/,
  ],
  ['no registry at all', { registry: { enabled: false } }, /registry\.external\.address: say where the registry is/],
  [
    'a bucket of images without keys',
    { registry: { s3: { bucket: 'images' } } },
    /registry\.s3\.existingSecret: name a Secret with accessKey and secretKey/,
  ],
  [
    'a bucket of models without keys',
    { models: { s3: { bucket: 'models' } } },
    /models\.s3\.existingSecret: name a Secret with accessKey and secretKey/,
  ],
  [
    'a bucket that S3 could not have',
    { models: { s3: { bucket: 'Models', existingSecret: 'a' } } },
    /models\.s3\.bucket: "Models" is no bucket; S3 names them by 3 to 63 lower-case letters/,
  ],
  [
    'an address of a bucket that nobody named',
    { backup: { s3: { endpoint: 'https://s3.example.org' } } },
    /backup\.s3\.bucket: name the bucket, or leave out what else is said of it/,
  ],
  [
    'an S3 without a scheme',
    { backup: { s3: { bucket: 'backups', endpoint: 's3.example.org', existingSecret: 'a' } } },
    /backup\.s3\.endpoint: "s3\.example\.org" is no address such as https:\/\/s3\.example\.org/,
  ],
  ['a restore from nowhere', { restore: { from: 'latest' } }, /restore\.from: needs backup\.s3/],
  [
    'a restore of a file',
    { ...STORES, restore: { from: '../latest' } },
    /restore\.from: "\.\.\/latest" is neither latest nor the id of a backup/,
  ],
  [
    'backups that nothing seals',
    { backup: { s3: { bucket: 'backups', existingSecret: 'a' } } },
    /backup\.existingSecret: name a Secret whose key seals the backups: kubectl create secret/,
  ],
  [
    'a prefix that is half a name',
    { backup: { ...STORES.backup, prefix: 'gantry' } },
    /backup\.prefix: "gantry" does not end with a slash/,
  ],
  [
    'a time that is none of cron',
    { backup: { ...STORES.backup, schedule: 'daily' } },
    /backup\.schedule: "daily" has not the five fields of cron/,
  ],
  ['a hub that is no address', { models: { hub: 'huggingface' } }, /models\.hub: "huggingface" is no address/],
  [
    'an option that would bring a bucket without rights',
    { gateway: { options: { 'backup-bucket': 'backups' } } },
    /gateway\.options\.backup-bucket: cannot be set here; it comes from backup\.s3\.bucket/,
  ],
  [
    'an option that would cut the operator off',
    { operator: { options: { 'health-port': 1 } } },
    /operator\.options\.health-port: cannot be set here; it comes from the chart/,
  ],
  [
    'an option that there is not',
    { gateway: { options: { 'mail-form': 'a' } } },
    /additional properties 'mail-form' not allowed/,
  ],
  [
    'a word that an option cannot be',
    { gateway: { options: { 'log-level': 'loud' } } },
    /\/gateway\/options\/log-level'?: value must be one of 'trace', 'debug'/,
  ],
  [
    'a cluster of our own region',
    { clusters: [{ region: 'us-east', existingSecret: 'a' }] },
    /clusters: us-east is the region of this cluster/,
  ],
  ['a cluster without a kubeconfig', { clusters: [{ region: 'eu-west' }] }, /missing property 'existingSecret'/],
  [
    'a region that is no name',
    { clusters: [{ region: 'EU', existingSecret: 'a' }] },
    /clusters: the region "EU" must be lower-case letters/,
  ],
  [
    'a password of a proxy',
    { proxy: { https: 'http://me:secret@proxy:3128' } },
    /proxy\.https: .* is no address such as http:\/\/proxy\.example\.org:3128; a password would be read by tenants/,
  ],
  ['two hosts in one', { proxy: { noProxy: ['a,b'] } }, /proxy\.noProxy: "a,b" is no host/],
  [
    'a Prometheus without a scheme',
    { prometheus: { url: 'prometheus:9090' } },
    /prometheus\.url: "prometheus:9090" is no address/,
  ],
  [
    'a password among the values',
    { prometheus: { url: 'https://me:secret@prometheus' } },
    /prometheus\.url: .* is no address such as/,
  ],
  [
    'a Secret for no Prometheus',
    { prometheus: { existingSecret: 'a', secretKeys: ['token'] } },
    /prometheus\.url: say where Prometheus is/,
  ],
  [
    'a Secret with nothing in it',
    { prometheus: { url: 'http://prometheus:9090', existingSecret: 'a' } },
    /prometheus\.existingSecret and prometheus\.secretKeys: name a Secret and which keys it has/,
  ],
  [
    'a certificate without its key',
    { prometheus: { url: 'https://prometheus', existingSecret: 'a', secretKeys: ['tls.crt'] } },
    /prometheus\.secretKeys: tls\.crt and tls\.key go together/,
  ],
  [
    'a page of runbooks that is none',
    { monitoring: { runbooks: 'RUNBOOKS.md' } },
    /monitoring\.runbooks: "RUNBOOKS\.md" is no address of a page/,
  ],
  ['a size that is none', { database: { size: 'big' } }, /database\.size: "big" is no size such as 10Gi/],
  ['a door without a port', { door: { address: 'ssh.x.org' } }, /door\.address: "ssh\.x\.org" is no host and port/],
  [
    'a digest that is none',
    { image: { digests: { gateway: 'latest' } } },
    /image\.digests\.gateway: "latest" is no digest/,
  ],
  ['a region of two words', { region: 'us east' }, /\/region'?: 'us east' does not match pattern/],
  ['a tag that no image has', { image: { tag: 'bad tag' } }, /\/image\/tag'?: 'bad tag' does not match pattern/],
  ['two lines where there is one', { regionLabel: 'a\nb: c' }, /\/regionLabel'?: 'a\\nb: c' does not match pattern/],
  ['no agents', { agent: { pools: [] } }, /agent\.pools: needs at least one/],
])('%s is refused, with the value and the rule', async (_, values, sentence) => {
  const { code, stderr } = await template(values);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(sentence);
});

/** A text that YAML would read as more than a text. */
const HOSTILE = `a: b #c "d" 'e' {f} [g] &h *i !j |`;
/** Objects and arrays by their keys, texts and numbers left out. */
const skeleton = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? typeof value
    : Array.isArray(value)
      ? value.map(skeleton)
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, skeleton(each)]));

test('no text that the schema takes breaks a template, or adds to it', async () => {
  const [, base] = SETS.find(([name]) => name === 'everything') ?? [];
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as ValueSchema;
  const all = takers(HOSTILE, schema);
  expect(all.map((path) => path.join('.'))).toEqual(
    expect.arrayContaining(['regionLabel', 'backup.schedule', 'gateway.options.mail-from']),
  );
  for (const path of inTurn('texts of the chart', all, 8)) {
    const withText = (text: string) => {
      const values = structuredClone(base) as Record<string, unknown>;
      setAt(values, path, text);
      return values;
    };
    const { code, stderr } = await template(withText(HOSTILE));
    // A refusal names the value.
    if (code !== 0) expect([path, stderr]).toEqual([path, expect.stringContaining(`${path.join('.')}: "a: b`)]);
    else {
      const [hostile, plain] = await Promise.all([HOSTILE, 'plain'].map((text) => render(withText(text))));
      expect([path, skeleton(forReaders(hostile ?? []))]).toEqual([path, skeleton(forReaders(plain ?? []))]);
    }
  }
});

test('another namespace is refused: roles and policies name this one', async () => {
  const { code, stderr } = await template({}, { namespace: 'default' });
  expect(code).not.toBe(0);
  expect(stderr).toContain('the namespace must be gantry-system, which roles and policies name, not default');
});

test('lint has nothing to say', async () => {
  const { code, stdout } = await runCommand(helm, ['lint', '--strict', '--namespace', 'gantry-system', CHART], {
    env: { HELM_CONFIG_HOME: folder, HELM_CACHE_HOME: folder },
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 chart(s) linted, 0 chart(s) failed')]);
});
