// Images on a real node: pulled from a real registry, started once, and reported if that fails.
import { createServer } from 'node:http';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { turnTest } from '../support/soak.ts';
import { Following } from './following.ts';
import { setStage, type Tenant } from './stage.ts';

type Job = KubeObject & { status?: { conditions?: { type: string }[] } };

/** The port of an internal registry that the story plays. */
const PORT = 5099;
const stage = setStage(
  '--probe-every=24h',
  ({ bridge }) => `--allowed-registries=${bridge.ip}:${PORT}`,
  ({ bridge }) => `--allowed-cidrs=${bridge.ip}/32`,
);
const BUSYBOX = 'registry.gantry.internal/official/busybox:1.36';
let tenant: Tenant;
let ann: Kubectl;

beforeAll(async () => {
  tenant = await stage().organization('story-images', { members: [{ account: 'ann', role: 'member' }] });
  ann = await tenant.kubectlAs('ann');
});

const image = (name: string, spec: object, namespace = tenant.namespace): KubeObject & { spec: object } => ({
  apiVersion: API_VERSION,
  kind: 'Image',
  metadata: { name, namespace },
  spec,
});
const create = (object: KubeObject) => stage().kubectl.must(['create', '-f', '-'], object);
const statusOf = async (name: string, namespace = tenant.namespace) =>
  (await stage().kubectl.get<Image>('image', name, '-n', namespace))?.status;
const becomes = (name: string, phase: string, namespace?: string) =>
  eventually(
    `${name} is ${phase}`,
    async () => {
      const status = await statusOf(name, namespace);
      expect(status).toMatchObject({ phase });
      return status;
    },
    60_000,
  );

test("a member's image is ready once a container was started from it, and pins what its tag meant", async () => {
  await ann.must(['apply', '-f', '-'], image('mine', { source: BUSYBOX, creator: 'ann' }));
  const status = await becomes('mine', 'ready');
  expect(status.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(status.message).toBe(`A container started from ${status.digest}.`);
  await eventually('its Job is gone', async () => {
    const left = await stage().kubectl.must(['get', 'jobs,pods', '-n', tenant.namespace, '-o', 'name']);
    return !left.includes('mine.verify');
  });
  await eventually('its size is known', async () => ((await statusOf('mine'))?.sizeBytes ?? 0) > 0, 90_000);

  const dev = await tenant.instance('dev', { image: BUSYBOX });
  await dev.reaches('running');
  expect(dev.pod().status?.containerStatuses?.[0]?.imageID).toContain(status.digest);
});

test('an official image is checked in the platform’s namespace', async () => {
  await create(image('story-official', { source: BUSYBOX, official: true }, 'gantry-system'));
  try {
    await becomes('story-official', 'ready', 'gantry-system');
  } finally {
    await stage().kubectl.must(['delete', 'image', 'story-official', '-n', 'gantry-system']);
  }
});

test('two of many new images are checked at a time, and all of them in the end', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `many-${letter}`);
  const { cluster } = stage();
  const jobs = await Following.start<Job>(cluster, '/apis/batch/v1/jobs');
  const images = await Following.start<Image>(cluster, `/apis/${API_VERSION}/images`);
  const make = (some: readonly string[]) =>
    stage().kubectl.must(['create', '-f', '-'], {
      apiVersion: 'v1',
      kind: 'List',
      items: some.map((name) => image(name, { source: BUSYBOX })),
    });
  const isFinished = ({ status }: Job) =>
    status?.conditions?.some(({ type }) => type === 'Complete' || type === 'Failed');
  const checks = () =>
    jobs.living().filter((job) => {
      const { namespace, deletionTimestamp } = job.metadata;
      return namespace === tenant.namespace && !deletionTimestamp && !isFinished(job);
    });
  try {
    // If images arrive at the same moment, a third check may begin before the first two are noticed; the quota is 4.
    await make(names.slice(0, 2));
    await jobs.until(
      () => 'the first two are checked',
      () => names.slice(0, 2).every((name) => jobs.states(tenant.namespace, `${name}.verify`).length > 0) || undefined,
      60_000,
    );
    await make(names.slice(2));
    const states = () => names.map((name) => images.states(tenant.namespace, name).map(({ object }) => object.status));
    await images.until(
      () => 'all are ready',
      () => {
        expect(checks().length).toBeLessThan(3);
        return states().every((all) => all.at(-1)?.phase === 'ready') || undefined;
      },
      120_000,
    );
    expect(states().flatMap((all) => all.map((status) => status?.reason))).toContain('WaitsForTurn');
  } finally {
    images.stop();
    jobs.stop();
  }
});

test('an image that is not there is named', async () => {
  await create(image('absent', { source: 'registry.gantry.internal/official/absent:1' }));
  const status = await becomes('absent', 'failed');
  expect(status).toMatchObject({ reason: 'ImageNotFound', failures: 1 });
  expect(status.message).toContain('spec.source: registry.gantry.internal/official/absent:1 cannot be pulled: ');
});

test('an image that its registry says is too large is not pulled', async () => {
  const { bridge } = stage().cluster;
  const asked: string[] = [];
  const registry = createServer(({ url = '' }, answer) => {
    asked.push(url);
    answer.end(url.includes('/manifests/') ? JSON.stringify({ layers: [{ size: 200 * 2 ** 30 }] }) : '');
  });
  await new Promise<void>((resolve) => registry.listen(PORT, bridge.ip, resolve));
  try {
    await create(image('huge', { source: `${bridge.ip}:${PORT}/models/huge:1` }));
    expect(await becomes('huge', 'failed')).toMatchObject({
      message:
        'spec.source: the image is 200 GiB, and the limit is 100 GiB. Use a smaller one, and create another image for it.',
    });
    expect(asked).toEqual(['/v2/', '/v2/models/huge/manifests/1']);
  } finally {
    registry.close();
  }
});

test('a pull secret that is not there is named', async () => {
  await create(image('private', { source: BUSYBOX, pullSecret: 'mine' }));
  expect(await becomes('private', 'failed')).toMatchObject({
    message: 'spec.pullSecret: there is no Secret mine here.',
  });
});

turnTest(0, 'it is missed no longer once it is there', async () => {
  const secret = [
    'create',
    'secret',
    'docker-registry',
    'mine',
    '--docker-server=x',
    '--docker-username=a',
    '--docker-password=b',
  ];
  await ann.must(secret);
  await eventually(
    'it is tried again within a minute',
    async () => (await statusOf('private'))?.phase === 'ready',
    120_000,
  );
});
