// What the README promises a newcomer: `make up`, two applies, a running instance.
import { afterAll, beforeAll, test } from '@jest/globals';
import { layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { eventually } from '../support/eventually.ts';
import { kubectlWith } from '../support/kubectl.ts';

const NAME = 'left';
const { kubeconfig } = layout(NAME);
const kubectl = kubectlWith(kubeconfig);
const cluster = (command: 'up' | 'down') => run(process.execPath, ['hack/cluster.ts', command, '--name', NAME]);

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
