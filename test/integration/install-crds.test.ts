// An operator that installs its CRDs itself, with its own account on a real API server without them.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION, OPERATOR_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startOperator } from '../support/operator.ts';
import { turnTest } from '../support/soak.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ platform: false });
});
afterAll(async () => {
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
  await expect(startOperator(server, '--install-crds=true')).rejects.toThrow(/cannot get .* at the cluster scope/);
  await kubectl.must(['apply', '--server-side', '-f', 'crds/install-crds']);
  await eventually('it may', async () => (await kubectl.run([...mayInstall, account])).stdout.trim() === 'yes');

  const installer = await startOperator(server, '--install-crds=true');
  const startAgain = async () => {
    expect(await installer.terminate(60_000)).toBe(0);
    await installer.restart();
  };
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
    const patch = (body: object) =>
      kubectl.must(['patch', 'crd', 'images.gantry.dev', '--type=merge', '-p', JSON.stringify(body)]);
    await patch({ spec: { names: { categories: ['older'] } } });
    await startAgain();
    expect((await crds())['images.gantry.dev']?.spec).toEqual(installed['images.gantry.dev']?.spec);
    // One of a newer version stays; one of an older version, or of none, is brought up to date.
    const named = (version: string | null) => patch({ metadata: { annotations: { [ANNOTATION.version]: version } } });
    await patch({ spec: { names: { categories: ['newer'] } } });
    await named('1000.0.0');
    await startAgain();
    const kept = (await crds())['images.gantry.dev'];
    expect(kept).toMatchObject({
      metadata: { annotations: { [ANNOTATION.version]: '1000.0.0' } },
      spec: { names: { categories: ['newer'] } },
    });
    for (const version of ['0.0.9', null]) {
      await patch({ spec: { names: { categories: ['newer'] } } });
      await named(version);
      await startAgain();
      expect((await crds())['images.gantry.dev']?.spec).toEqual(installed['images.gantry.dev']?.spec);
    }
    const others = ['auth', 'can-i', 'create', 'customresourcedefinitions/widgets.example.org', account];
    expect((await kubectl.run(others)).stdout.trim()).toBe('no');
  } finally {
    await installer.close();
  }
});

/** Kubernetes looks for kinds every 30 s, and the operator makes it count every 20 s. By itself it would after five minutes. */
const COUNTED_WITHIN_MS = 90_000;

turnTest(
  1,
  'a kind that the quota controller learns of late is refused at first, and counted within a minute and a half',
  async () => {
    // The controllers start before our kinds are applied, as before an upgrade that brings one.
    const late = await startApiServer({ controllers: ['namespace', 'serviceaccount', 'resourcequota'] });
    const operator = await startOperator(late, '--credit-gate=off', '--probe-every=24h').catch(async (error) => {
      await late.stop();
      throw error;
    });
    try {
      const acme = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name: 'acme' }, spec: {} };
      await late.kubectl.must(['create', '-f', '-'], acme);
      const object = gpuInstance({ name: 'dev', namespace: 'org-acme' });
      const refusals = new Set<string | undefined>();
      const isMade = async () => {
        const { code, stderr } = await late.kubectl.run(['create', '-f', '-'], object);
        refusals.add(/status unknown for quota/.exec(stderr)?.[0]);
        return code === 0 || undefined;
      };
      await eventually('an instance is made', isMade, COUNTED_WITHIN_MS);
      expect(refusals).toContain('status unknown for quota');
    } finally {
      await operator.close();
      await late.stop();
    }
  },
);
