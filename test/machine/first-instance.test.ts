// What the README promises a newcomer: `make up`, two applies, a running instance; and that all of it can be taken off again.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { binaryDirs } from '../../hack/binaries.ts';
import { layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { kubectlWith } from '../support/kubectl.ts';

const NAME = 'left';
const { kubeconfig } = layout(NAME);
const kubectl = kubectlWith(kubeconfig);
const cluster = (command: 'up' | 'down') => run(process.execPath, ['hack/cluster.ts', command, '--name', NAME]);
const uninstall = (...args: string[]) =>
  runCommand('sh', ['crds/uninstall.sh', ...args], {
    env: { KUBECONFIG: kubeconfig, PATH: `${binaryDirs().join(':')}:${process.env.PATH}` },
  });
const ours = async () =>
  (await kubectl.must(['get', 'crd', '-o', 'name'])).split('\n').filter((name) => name.endsWith('.gantry.dev'));

beforeAll(async () => {
  await cluster('down');
  await cluster('up');
});
afterAll(() => cluster('down'));

test("the README's two applies end with a running instance", async () => {
  for (const kind of ['organization', 'gpu-instance']) {
    // The organisation's namespace comes a moment after the organisation.
    await eventually(`${kind} applied`, () => kubectl.must(['apply', '-f', `crds/examples/${kind}.yaml`]));
  }
  await eventually('the instance runs', async () => {
    const instance = await kubectl.get<{ status?: { phase?: string } }>('gpuinstance', 'dev', '-n', 'org-acme');
    return instance?.status?.phase === 'running';
  });
});

test('uninstalling names whose data would go, and changes nothing unless told so', async () => {
  const { code, stdout } = await uninstall();
  expect(code).toBe(1);
  expect(stdout).toContain('These organisations and all their data would be deleted: acme');
  expect(await ours()).toHaveLength(3);
});

test('a kind is not deleted while nobody has said that it may be', async () => {
  const { stderr } = await kubectl.run(['delete', 'crd', 'gpuinstances.gantry.dev']);
  expect(stderr).toContain('first annotate it: gantry.dev/confirm-delete=gpuinstances.gantry.dev');
});

test('told so, it releases what runs and leaves no kind, namespace or volume', async () => {
  const { code, stdout, stderr } = await uninstall('--yes');
  expect(`${code} ${stderr}`).toBe('0 ');
  expect(stdout).toContain('organization.gantry.dev "acme" deleted');
  expect(await ours()).toEqual([]);
  const namespaces = await kubectl.must(['get', 'namespaces', '-o', 'name']);
  expect(namespaces).not.toMatch(/org-|gantry/);
  await eventually('its volumes are gone', async () => (await kubectl.must(['get', 'pv', '-o', 'name'])) === '');
});
