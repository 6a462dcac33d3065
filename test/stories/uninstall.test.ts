// The documented way to remove Gantry from a cluster: it asks before it deletes tenants' data, lets the operator finish what it
// holds, and leaves nothing of ours behind.
import { dirname } from 'node:path';
import { DOCTOR_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, expect, test } from '@jest/globals';
import { binary } from '../../hack/binaries.ts';
import { run } from '../../hack/run.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import { WITHOUT } from '../support/test-cluster.ts';
import { setStage } from './stage.ts';

const stage = setStage();

// Later tests need the platform, its accounts and its Pods again. Each wait of `up` has its own limit.
afterAll(async () => {
  const { name, nodes } = stage().cluster;
  await run(process.execPath, ['hack/cluster.ts', 'up', `--name=${name}`, `--nodes=${nodes.length}`, ...WITHOUT]);
});

test('uninstall names what would be lost, then takes everything away in order', async () => {
  const acme = await stage().organization('uninstalled');
  const dev = await acme.instance('dev');
  await dev.reaches('running');

  const asked = await uninstall();
  expect(asked.code).toBe(1);
  expect(asked.stdout).toMatch(/all their data would be deleted: .*\n/);
  expect(asked.stdout).toContain(acme.id);
  expect(dev.now.status?.phase).toBe('running');

  const done = await uninstall('--yes');
  expect(done.stderr).toBe('');
  expect(done.code).toBe(0);
  expect(meteredRuns(dev.last)).toMatchObject([{ to: dev.times(1).finishedAt }]);
  for (const kind of ['customresourcedefinitions', 'validatingadmissionpolicies', 'clusterroles', 'namespaces']) {
    expect((await stage().kubectl.must(['get', kind, '--output', 'name'])).split('\n').filter(isOurs)).toEqual([]);
  }

  // As before an install: the doctor brings a namespace of its own, and takes it away.
  const flags = ['--before-install', '--json', `--kubeconfig=${stage().cluster.kubeconfig}`];
  const { stdout } = await runCommand(process.execPath, ['api/src/main.ts', 'doctor', ...flags]);
  const checks: { id: string; finding: string }[] = JSON.parse(stdout).checks;
  expect(Object.fromEntries(checks.map(({ id, finding }) => [id, finding]))).toMatchObject({
    ...{ kubernetesVersion: 'ok', kinds: 'notApplicable', admissionPolicies: 'ok', networkPolicies: 'ok' },
    ...{ storageSizes: 'ok', registry: 'ok', pidsLimit: 'ok', databaseDurable: 'notApplicable', tidiness: 'ok' },
  });
  await eventually(
    'the namespace of the doctor is gone',
    async () => (await stage().kubectl.get('namespace', DOCTOR_NAMESPACE)) === undefined,
  );
});

const isOurs = (name: string): boolean => name.includes('gantry') || name.includes('/org-');

async function uninstall(...args: string[]) {
  const env = {
    KUBECONFIG: stage().cluster.kubeconfig,
    PATH: `${dirname(await binary('kubectl'))}:${process.env.PATH}`,
  };
  return runCommand('crds/uninstall.sh', args, { env });
}
