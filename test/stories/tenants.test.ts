// Two organisations on the same nodes: neither sees, enters, boots or reaches anything of the other.
import { beforeAll, expect, test } from '@jest/globals';
import { gpuInstance } from '../support/builders.ts';
import type { Kubectl } from '../support/kubectl.ts';
import type { Instance } from './instance.ts';
import { SMALL, setStage, type Tenant } from './stage.ts';

const stage = setStage();

const PORT = 8080;
const serving = (words: string) => ({
  command: ['nc', '-ll', '-p', `${PORT}`, '-e', 'echo', words],
  ports: [{ port: PORT }],
});

let red: Tenant;
let blue: Tenant;
/** In the red organisation; `bob` is in the blue one. */
let secret: Instance;
let colleague: Instance;
let stranger: Instance;
let bob: Kubectl;

beforeAll(async () => {
  const member = (account: string) => ({ members: [{ account, role: 'owner' }] });
  [red, blue] = await Promise.all([
    stage().organization('red', member('ada')),
    stage().organization('blue', member('bob')),
  ]);
  bob = await blue.kubectlAs('bob');
  [secret, colleague, stranger] = await Promise.all([
    red.instance('secret', serving('secret')),
    red.instance('colleague'),
    blue.instance('stranger'),
  ]);
  for (const dev of [secret, colleague, stranger]) await dev.reaches('running');
});

test.each([
  ['read', () => ['get', 'gpuinstance', 'secret', '--namespace', red.namespace]],
  ['list', () => ['get', 'gpuinstances', '--all-namespaces']],
  ['enter', () => ['exec', '--namespace', red.namespace, 'secret-1', '--', 'id']],
  ['read the log of', () => ['logs', '--namespace', red.namespace, 'secret-1']],
  ['stop', () => ['patch', 'gpuinstance', 'secret', '--namespace', red.namespace, '--type=merge', '--patch', '{}']],
  ['release', () => ['delete', 'gpuinstance', 'secret', '--namespace', red.namespace]],
])("a stranger cannot %s another organisation's instance", async (_, args) => {
  const { code, stdout, stderr } = await bob.run(args());
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('Forbidden');
});

test('a member enters an instance, and nothing that the platform runs beside it', async () => {
  const ada = await red.kubectlAs('ada');
  expect(await ada.run(['exec', '--namespace', red.namespace, 'secret-1', '--', 'id', '-u'])).toMatchObject({
    code: 0,
    stdout: '0\n',
  });
  // The API server asks nobody whether there is such a Pod; kubectl exec would, and the probe comes and goes.
  const probe = `/api/v1/namespaces/${red.namespace}/pods/gantry-probe/exec?command=id&stdout=true`;
  expect((await ada.run(['create', '--raw', probe, '-f', '-'], '{}')).stderr).toContain(
    'Members connect to Pods of instances, jobs and services alone: gantry-probe is a Pod of the platform',
  );
});

test("a stranger can neither put an instance there nor boot another organisation's image in its own", async () => {
  const there = gpuInstance({ name: 'planted', namespace: red.namespace, spec: { ...SMALL, creator: 'bob' } });
  expect((await bob.run(['create', '-f', '-'], there)).stderr).toContain('Forbidden');

  const image = `registry.gantry.internal/${red.namespace}/model:1`;
  const borrowed = gpuInstance({ name: 'borrowed', spec: { ...SMALL, creator: 'bob', image } });
  expect((await bob.run(['create', '-f', '-'], borrowed)).stderr).toContain(
    `spec.image: from registry.gantry.internal you can use only ${blue.namespace}/… and official/…`,
  );
});

test('within an organisation an instance answers at its address; from another it does not, nor do node and API server', async () => {
  const { cluster } = stage();
  const podIp = `${secret.pod().status?.podIP}`;
  const node = `${cluster.nodes.find(({ name }) => name === secret.pod().spec?.nodeName)?.ip}`;
  expect(await colleague.sh(`nslookup ${secret.now.status?.address}.cluster.local`)).toContain(`Address: ${podIp}`);
  expect(await colleague.sh(`nc -w 2 ${podIp} ${PORT} </dev/null`)).toBe('secret');

  const closed = [
    [podIp, PORT],
    [node, 10250],
    [new URL(cluster.apiServer).hostname, 6443],
    [cluster.apiServiceIp, 443],
  ].map(([host, port]) => `${host} ${port}`);
  const dial = async (target: string) =>
    `${target} ${await stranger.sh(`nc -w 2 ${target} </dev/null && echo open || echo closed`)}`;
  expect(await Promise.all(closed.map(dial))).toEqual(closed.map((target) => `${target} closed`));
});

test('names of the cluster resolve for everybody', async () => {
  const { apiServiceIp } = stage().cluster;
  expect(await stranger.sh('nslookup kubernetes.default.svc.cluster.local')).toContain(`Address: ${apiServiceIp}`);
});

test('each organisation says that it was tried out', async () => {
  for (const tenant of [red, blue]) {
    await tenant.becomes('isolated', ({ status }) =>
      Boolean(status?.conditions?.some(({ type, status: is }) => type === 'NetworkIsolated' && is === 'True')),
    );
  }
});
