// An organisation as it is on a real cluster: whole, apart from others, mended, and gone with everything in it.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, GATEWAY_ACCOUNT, organizationNamespace, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../support/account.ts';
import { eventually } from '../support/eventually.ts';
import { type Kubectl, kubectlWith } from '../support/kubectl.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import { type Stage, setStage } from './stage.ts';

const stage = setStage('--probe-every=24h');

const MEMBERS = [
  { account: 'ann', role: 'owner' },
  { account: 'vic', role: 'viewer' },
];

/** kubectl with the gateway's own rights. */
async function gatewayOf({ cluster, kubectl, folder }: Stage): Promise<Kubectl> {
  const account = { namespace: PLATFORM_NAMESPACE, name: GATEWAY_ACCOUNT };
  const file = join(folder, 'gateway', 'kubeconfig');
  await mkdir(dirname(file));
  await writeFile(file, await kubeconfigOf(account, { kubeconfig: cluster.kubeconfig, kubectl }), { mode: 0o600 });
  return kubectlWith(file);
}

test('it is made, tried out, repaired, changed and taken away', async () => {
  const { kubectl, organizations } = stage();
  const acme = await stage().organization('story-acme', { members: MEMBERS, quota: { gpus: 2, instances: 2 } });
  const namespaced = (what: string, name: string) =>
    kubectl.get<KubeObject & Record<string, unknown>>(what, name, '-n', acme.namespace);

  expect(acme.now?.status).toMatchObject({
    message: `Namespace ${acme.namespace} is ready.`,
    namespace: acme.namespace,
  });
  const isolated = () =>
    acme.now?.status?.conditions?.find(({ type, status }) => type === 'NetworkIsolated' && status !== 'Unknown');
  // The test cluster enforces policies, and the probe discovers that itself.
  expect(await organizations.until(() => 'its isolation is known', isolated, 60_000)).toMatchObject({
    status: 'True',
    reason: 'Isolated',
  });
  await eventually('the Pods of the probe are gone', async () => {
    const { items } = JSON.parse(
      await kubectl.must([
        'get',
        'pods',
        '-A',
        '-l',
        `gantry.dev/kind=Organization,gantry.dev/name=${acme.id}`,
        '-o',
        'json',
      ]),
    );
    return items.length === 0;
  });

  await kubectl.must([
    'patch',
    'networkpolicy',
    'tenant',
    '-n',
    acme.namespace,
    '--type=merge',
    '-p',
    '{"spec":{"ingress":[{}]}}',
  ]);
  await kubectl.must(['delete', 'limitrange', 'limits', '-n', acme.namespace]);
  await eventually('what was changed by hand is put back', async () => {
    const policy = await namespaced('networkpolicy', 'tenant');
    expect(JSON.stringify(policy)).toContain('gantry-system');
    expect(await namespaced('limitrange', 'limits')).toBeDefined();
    return true;
  });

  await acme.wish({ members: [{ account: 'ann', role: 'viewer' }] });
  await eventually('a removed member is gone, and a changed one has the new role', async () => {
    expect(await namespaced('serviceaccount', 'vic')).toBeUndefined();
    expect(await namespaced('rolebinding', 'gantry-tenant-owner')).not.toHaveProperty('subjects');
    expect(await namespaced('rolebinding', 'gantry-tenant-viewer')).toMatchObject({ subjects: [{ name: 'ann' }] });
    expect(await namespaced('role', 'gantry-gateway')).toMatchObject({
      rules: [
        { verbs: ['impersonate'], resourceNames: ['ann'] },
        { resources: ['serviceaccounts/token'], resourceNames: ['ann'] },
        { resources: ['secrets'], verbs: ['create', 'delete'] },
      ],
    });
    return true;
  });

  const gateway = await gatewayOf(stage());
  const mayAs = async (user: string) =>
    (await gateway.run(['get', 'gpuinstances', '-n', acme.namespace, `--as=system:serviceaccount:${user}`])).code === 0;
  expect(await mayAs(`${acme.namespace}:ann`)).toBe(true);
  // Neither a member who left, nor the operator, nor an account that only Kubernetes made.
  for (const other of [`${acme.namespace}:vic`, 'gantry-system:gantry-operator', `${acme.namespace}:default`]) {
    expect({ other, may: await mayAs(other) }).toEqual({ other, may: false });
  }

  const dev = await acme.instance('dev');
  await dev.reaches('running');
  await kubectl.must(['delete', 'organization', acme.id, '--wait=false']).then(
    () => expect('refused').toBe('deleted'),
    (error: Error) => expect(error.message).toContain('This deletes what tenants keep.'),
  );
  await acme.delete();
  await acme.isGone();
  expect(await kubectl.get('namespace', acme.namespace)).toBeUndefined();
  // In order: the run was stopped and stamped before the namespace went.
  const last = stage().instances.states(acme.namespace, 'dev').at(-1)?.object;
  expect(last && meteredRuns(last)[0]).toHaveProperty('to');
});

describe('within its quota', () => {
  test('parallel creates cannot exceed it, and the platform’s own Pods do not use it', async () => {
    const { kubectl } = stage();
    const small = await stage().organization('story-small', {
      quota: { instances: 2, cores: 1, memoryGi: 1, gpus: 0 },
    });
    const made = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => small.instance(name)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refusal = made.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(String(refusal.reason)).toContain('exceeded quota: kinds');

    const used = async () =>
      (await kubectl.get<{ status: { used: Record<string, string> } }>('quota', 'compute', '-n', small.namespace))
        ?.status.used;
    await eventually('two Pods are counted', async () => (await used())?.pods === '2');
  });
});

test('the namespace of a stranger is not taken over', async () => {
  const { kubectl, organizations } = stage();
  const name = `story-taken-${Date.now().toString(36)}`;
  const namespace = organizationNamespace(name);
  const patch = (body: object) =>
    kubectl.must(['patch', 'organization', name, '--type=merge', '--patch', JSON.stringify(body)]);
  const becomes = (phase: string) =>
    organizations.until(
      () => `it is ${phase}`,
      () => organizations.states('', name).find(({ object }) => object.status?.phase === phase)?.object.status,
      30_000,
    );
  await kubectl.must(['create', 'namespace', namespace]);
  await kubectl.must(['create', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: 'Organization',
    metadata: { name },
    spec: {},
  });
  expect(await becomes('failed')).toMatchObject({
    reason: 'NameTaken',
    message: `Namespace ${namespace} already belongs to something else.`,
  });
  await kubectl.must(['delete', 'namespace', namespace]);
  // A wish is news; without one it is tried again within a minute.
  await patch({ spec: { description: 'again' } });
  await becomes('ready');
  await patch({ metadata: { annotations: { [ANNOTATION.confirmDelete]: name } } });
  await kubectl.must(['delete', 'organization', name]);
  expect(await kubectl.get('namespace', namespace)).toBeUndefined();
});
