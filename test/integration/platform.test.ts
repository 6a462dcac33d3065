// A real API server accepts the output of `make gen`, and the operator's account can do no more than its roles say.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '@gantry/contract/kinds.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../support/account.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { kubectlWith } from '../support/kubectl.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer();
});

afterAll(() => server?.stop());

test('the API server serves every kind, and takes its files again under strict validation', async () => {
  const { kubectl } = server;
  const served = await kubectl.must(['api-resources', '--api-group=gantry.dev', '-o', 'name']);
  expect(served.trim().split('\n').sort()).toEqual(
    Object.values(KINDS)
      .map(({ plural }) => `${plural}.gantry.dev`)
      .sort(),
  );
  await kubectl.must(['apply', '--server-side', '--validate=strict', '-f', 'crds', '-f', 'crds/platform']);
});

test("the operator's account works, and is nobody's administrator", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-account-'));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, await kubeconfigOf({ namespace: 'gantry-system', name: 'gantry-operator' }, server));
    const operator = kubectlWith(kubeconfig);
    expect(await operator.must(['get', 'gpuinstances', '--all-namespaces', '-o', 'name'])).toBe('');
    expect((await operator.run(['auth', 'can-i', '*', '*', '--all-namespaces'])).stdout.trim()).toBe('no');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  ['impersonate', 'serviceaccounts/gantry-staff -n gantry-system', 'yes'],
  ['impersonate', 'serviceaccounts/gantry-operator -n gantry-system', 'no'],
  ['impersonate', 'serviceaccounts -n gantry-system', 'no'],
  ['impersonate', 'serviceaccounts/gantry-staff -n default', 'no'],
  ['impersonate', 'users', 'no'],
  ['create', 'serviceaccounts/gantry-staff --subresource=token -n gantry-system', 'yes'],
  ['create', 'serviceaccounts/gantry-operator --subresource=token -n gantry-system', 'no'],
])('the gateway acts as staff and as nobody else of the platform: %s %s: %s', async (verb, what, answer) => {
  const gateway = '--as=system:serviceaccount:gantry-system:gantry-gateway';
  const { stdout } = await server.kubectl.run(['auth', 'can-i', verb, ...what.split(' '), gateway]);
  expect(stdout.trim()).toBe(answer);
});
