// What a new kind costs: a file of facts, a controller, and a line for each in the two lists. CRD, roles, policies and the
// runtime follow from these, proved with the operator's own account on a real API server. And, since that server begins without
// our kinds: an operator that brings them itself.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { API_VERSION, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { FINALIZER, LABEL, OPERATOR_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { generatedFiles } from '../../contract/gen/generated-files.ts';
import { readConfig } from '../../operator/src/config.ts';
import { CONTROLLERS } from '../../operator/src/controllers.ts';
import type { GantryOperator } from '../../operator/src/gantry-operator.ts';
import { createMetrics } from '../../operator/src/runtime/metrics.ts';
import type { OperatorParts } from '../../operator/src/runtime/operator.ts';
import { FIELD_MANAGER } from '../../operator/src/runtime/status-patch.ts';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';
import { startOperator } from '../support/operator.ts';
import { type Beacon, beacon } from './throw-away-kind/beacon.ts';
import { beaconController } from './throw-away-kind/beacon-controller.ts';

// The two lines.
const kinds: readonly KindFacts[] = Object.values<KindFacts>({ ...KINDS, beacon });
const controllers = Object.values({ ...CONTROLLERS, beacon: beaconController });

const NAMESPACE = 'org-acme';
const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as OperatorParts['log'];

let server: ApiServer;
let operator: GantryOperator;
let credentials: Credentials;

beforeAll(async () => {
  server = await startApiServer({ platform: false });
});

afterAll(async () => {
  await operator?.stop();
  credentials?.close();
  await server?.stop();
});

test('with --install-crds=true and the role for that, an operator brings its kinds and puts right what differs', async () => {
  const { kubectl } = server;
  const mayInstall = ['auth', 'can-i', 'patch', 'customresourcedefinitions/images.gantry.dev'];
  const account = `--as=system:serviceaccount:${PLATFORM_NAMESPACE}:${OPERATOR_ACCOUNT}`;
  const crds = async () => {
    const { items } = (await kubectl.get<{ items: (KubeObject & { spec: { names: object } })[] }>('crd')) ?? {};
    return Object.fromEntries((items ?? []).map((one) => [one.metadata.name, one]));
  };
  await kubectl.must(['apply', '--server-side', '-f', 'crds/platform']);
  await expect(startOperator(server)).rejects.toThrow('the cluster does not know Organization');
  await expect(startOperator(server, '--install-crds=true')).rejects.toThrow(/cannot patch .* at the cluster scope/);
  await kubectl.must(['apply', '--server-side', '-f', 'crds/install-crds']);
  await eventually('it may', async () => (await kubectl.run([...mayInstall, account])).stdout.trim() === 'yes');

  const installer = await startOperator(server, '--install-crds=true');
  try {
    const installed = await crds();
    expect(Object.keys(installed).sort()).toEqual(
      Object.values(KINDS)
        .map(({ plural }) => `${plural}.gantry.dev`)
        .sort(),
    );
    // Nothing to change for who applies the same files by hand.
    await kubectl.must(['apply', '--server-side', '-f', 'crds']);
    for (const [name, { metadata, spec }] of Object.entries(await crds())) {
      expect([name, metadata.generation, spec]).toEqual([name, 1, installed[name]?.spec]);
    }
    expect(await installer.terminate(60_000)).toBe(0);
    const older = JSON.stringify({ spec: { names: { categories: ['older'] } } });
    await kubectl.must(['patch', 'crd', 'images.gantry.dev', '--type=merge', '-p', older]);
    await installer.restart();
    expect((await crds())['images.gantry.dev']?.spec).toEqual(installed['images.gantry.dev']?.spec);
    const others = ['auth', 'can-i', 'create', 'customresourcedefinitions/widgets.example.org', account];
    expect((await kubectl.run(others)).stdout.trim()).toBe('no');
  } finally {
    await installer.close();
  }
});

async function startBeacons(): Promise<void> {
  await applyGenerated(server, generatedFiles(kinds));
  const labels = { [LABEL.organization]: 'acme' };
  await server.kubectl.must(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE, labels },
  });
  const account = await kubeconfigOf({ namespace: PLATFORM_NAMESPACE, name: OPERATOR_ACCOUNT }, server);
  credentials = new Credentials(() => {
    const config = new KubeConfig();
    config.loadFromString(account);
    return config;
  }, systemClock);
  // Any file is long enough for a key.
  const config = readConfig(['--platform-key-file=package.json'], {});
  if (config === 'help') throw new Error('nobody asked for help');
  const { GantryOperator } = await import('../../operator/src/gantry-operator.ts');
  operator = new GantryOperator({
    controllers,
    settings: config.settings,
    client: new KubeClient(credentials, { fieldManager: FIELD_MANAGER }),
    clock: systemClock,
    log: silent,
    metrics: createMetrics(),
    workers: config.workers,
    resyncMs: config.resyncMs,
  });
  await operator.start();
}

/** Ours first, established before roles and policies speak of them. */
async function applyGenerated({ kubectl }: ApiServer, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-throw-away-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.yaml')) continue;
      const file = join(folder, basename(path));
      await writeFile(file, text);
      await kubectl.must(['apply', '--server-side', '--validate=strict', '-f', file]);
    }
    await kubectl.must(['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const read = <T extends KubeObject>(plural: string) => server.kubectl.get<T>(plural, 'north', '--namespace', NAMESPACE);
const apply = (spec: object) =>
  server.kubectl.run(['apply', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: beacon.kind,
    metadata: { name: 'north', namespace: NAMESPACE },
    spec,
  });

const shines = (affinity: string) =>
  eventually(`it shines, ${affinity}`, async () => {
    const { metadata, status } = (await read<Beacon>('beacon')) ?? {};
    expect(status).toMatchObject({
      phase: 'lit',
      message: `It shines, ${affinity}.`,
      observedGeneration: metadata?.generation,
    });
    return true;
  });

describe('a throw-away kind', () => {
  beforeAll(startBeacons);

  test('a kind of two files and two lines is made, kept, changed and taken away', async () => {
    await apply({});
    await shines('None');
    expect((await read('beacon'))?.metadata.finalizers).toEqual([FINALIZER.operator]);
    const made = await read('service');
    expect(made?.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: beacon.kind, name: 'north' })]);

    await apply({ sticky: true });
    await shines('ClientIP');
    await server.kubectl.must(['delete', 'service', 'north', '--namespace', NAMESPACE]);
    await eventually(
      'another Service',
      async () => ((await read('service'))?.metadata.uid ?? made?.metadata.uid) !== made?.metadata.uid,
    );

    await server.kubectl.must(['delete', 'beacon', 'north', '--namespace', NAMESPACE]);
    expect(await read('beacon')).toBeUndefined();
    expect(await read('service')).toBeUndefined();
  });

  test('its rules and its columns came along', async () => {
    expect((await apply({ port: 22 })).stderr).toContain('port 22 is not for beacons');
    expect(await server.kubectl.must(['get', 'bcn', '--namespace', NAMESPACE, '--ignore-not-found'])).toBe('');
    const may = ['auth', 'can-i', 'create', 'beacons.gantry.dev', '--as=system:serviceaccount:org-acme:ann'];
    expect((await server.kubectl.run(may)).stdout.trim()).toBe('no');
    const roles = await server.kubectl.must([
      'get',
      'clusterrole',
      'gantry-tenant-member',
      '-o',
      'jsonpath={.rules[0].resources}',
    ]);
    expect(JSON.parse(roles)).toContain('beacons');
  });
});
