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
