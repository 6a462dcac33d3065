// No other tenant can pull from the registry: neither with a Pod of the other organisation, nor with its own password at the
// wire, nor by looking for a difference. And its content goes when nobody needs it, and only then.
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { PULL_SECRET, REGISTRY } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crane as craneOf } from '../../hack/crane.ts';
import type { ImageSpec } from '../../hack/images/image-archive.ts';
import { busyboxImage } from '../../hack/images/official-images.ts';
import { pushImage } from '../../hack/images/push-image.ts';
import { stopProcess } from '../../hack/process.ts';
import { startRegistry, startTokens } from '../../hack/registry.ts';
import { run } from '../../hack/run.ts';
import { waitUntil } from '../faults/wait-until.ts';
import { eventually } from '../support/eventually.ts';
import { soakTest } from '../support/soak.ts';
import { setStage, type Tenant } from './stage.ts';
import { SWEPT_SOON } from './swept-soon.ts';

const stage = setStage('--probe-every=24h');
const MEGABYTE = 2 ** 20;
let acme: Tenant;
let other: Tenant;
/** The name of the image that only acme may see. */
let tool: string;

const crane = (args: string[], login?: string) => craneOf(stage().cluster, args, login);
const at = (image: string) => image.replace(REGISTRY, stage().cluster.registry.address);
const withFile = async (path: string, content: string | Buffer): Promise<ImageSpec> => {
  const busybox = await busyboxImage();
  return { ...busybox, files: [...busybox.files, { path, content }] };
};
const push = async (name: string, content: string | Buffer) =>
  pushImage(stage().cluster, name, await withFile('hello', content));
/** crane's complaint. */
const refusedTo = async (args: string[], login?: string): Promise<string> =>
  crane(args, login).then(
    (said) => Promise.reject(new Error(`not refused: ${said}`)),
    (error: Error) => error.message,
  );

/** The organisation's own Secret, as its Pods use it. */
async function passwordOf({ namespace }: Tenant): Promise<string> {
  const secret = await stage().kubectl.get<{ data: Record<string, string> }>('secret', PULL_SECRET, '-n', namespace);
  const config = JSON.parse(Buffer.from(secret?.data['.dockerconfigjson'] ?? '', 'base64').toString());
  return config.auths[REGISTRY].password;
}

/** A folder for DOCKER_CONFIG. */
async function loginOf(tenant: Tenant, password?: string): Promise<string> {
  const known = password ?? (await passwordOf(tenant));
  const folder = `${stage().folder}/${tenant.id}-${randomBytes(4).toString('hex')}`;
  const auth = Buffer.from(`${tenant.namespace}:${known}`).toString('base64');
  await mkdir(folder);
  await writeFile(
    `${folder}/config.json`,
    JSON.stringify({ auths: { [stage().cluster.registry.address]: { auth } } }),
    { mode: 0o600 },
  );
  return folder;
}

const podOf = (
  { namespace }: Tenant,
  name: string,
  image: string,
  more: object = {},
): KubeObject & { spec: object } => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    imagePullSecrets: [{ name: PULL_SECRET }],
    containers: [{ name: 'main', image, imagePullPolicy: 'Always', command: ['cat', '/hello'] }],
    ...more,
  },
});
const make = (object: KubeObject) => stage().kubectl.must(['create', '-f', '-'], object);
const ends = (what: string, tenant: Tenant, name: string, is: (pod: Pod) => boolean) =>
  stage().pods.until(
    () => `${what}; ${JSON.stringify(stage().pods.latest(tenant.namespace, name)?.status?.containerStatuses)}`,
    () => {
      const pod = stage().pods.latest(tenant.namespace, name);
      return (pod && is(pod)) || undefined;
    },
    60_000,
  );

beforeAll(async () => {
  [acme, other] = await Promise.all([
    stage().organization('story-reg-a', { members: [{ account: 'ann', role: 'member' }] }),
    stage().organization('story-reg-b'),
  ]);
  tool = await push(`${acme.namespace}/tool:1`, 'only for acme');
});
// Others expect the usual pace.
afterAll(() => startTokens(stage().cluster));

test("an organisation's own image runs, and another's is refused by policy and by the registry itself", async () => {
  const dev = await acme.instance('dev', { image: `${REGISTRY}/${acme.namespace}/tool:1` });
  await make(podOf(acme, 'own', tool));
  await ends('its own image runs', acme, 'own', ({ status }) => status?.phase === 'Succeeded');
  expect(await stage().kubectl.must(['logs', 'own', '-n', acme.namespace])).toBe('only for acme');
  await dev.reaches('running');

  await expect(other.instance('dev', { image: tool })).rejects.toThrow(
    `spec.image: from ${REGISTRY} you can use only ${other.namespace}/… and official/…`,
  );
  // An administrator goes around the policy.
  await make(podOf(other, 'theirs', tool));
  await make(podOf(other, 'bare', tool, { imagePullSecrets: [] }));
  for (const name of ['theirs', 'bare']) {
    await ends('the pull fails', other, name, ({ status }) => {
      const waiting = status?.containerStatuses?.[0]?.state?.waiting;
      return waiting?.reason === 'ErrImagePull' || waiting?.reason === 'ImagePullBackOff';
    });
  }
  const events = await stage().kubectl.must(['get', 'events', '-n', other.namespace, '-o', 'json']);
  expect(events).toMatch(/insufficient_scope|authorization failed|401 Unauthorized/);
});

test('at the wire the other sees what is theirs and what is official, and no difference between the rest', async () => {
  const [mine, theirs] = await Promise.all([loginOf(acme), loginOf(other)]);
  const { address } = stage().cluster.registry;
  expect((await crane(['digest', at(tool)], mine)).trim()).toBe(tool.split('@')[1]);
  expect(await crane(['ls', `${address}/official/busybox`], theirs)).toContain('1.36');

  // crane says when it was refused.
  const normal = (text: string) =>
    text
      .replaceAll(acme.namespace, 'org-x')
      .replaceAll('org-nobody', 'org-x')
      .replace(/\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/g, 'then');
  const there = await refusedTo(['digest', `${address}/${acme.namespace}/tool:1`], theirs);
  const absent = await refusedTo(['digest', `${address}/org-nobody/tool:1`], theirs);
  expect(there).toMatch(/UNAUTHORIZED|401/);
  expect(normal(there)).toBe(normal(absent));
  const listed = await refusedTo(['ls', `${address}/${acme.namespace}/tool`], theirs);
  expect(listed).toContain('UNAUTHORIZED');
  expect(await refusedTo(['catalog', address], theirs)).toContain('UNAUTHORIZED');

  // Not even one's own is a tenant's to push, or to take away.
  for (const login of [mine, theirs]) {
    // Told to log in, crane sometimes sends the manifest again without its body.
    const pushed = refusedTo(['copy', at(tool), `${address}/${acme.namespace}/tool:2`], login);
    expect(await pushed).toMatch(/UNAUTHORIZED|with Body length 0/);
  }
  expect(await crane(['ls', `${address}/${acme.namespace}/tool`])).not.toMatch(/^2$/m);
  expect(await refusedTo(['delete', at(tool)], mine)).toContain('UNAUTHORIZED');
});

test('a member reads the password in no answer', async () => {
  const ann = await acme.kubectlAs('ann');
  const name = ['secret', PULL_SECRET, '-n', acme.namespace];
  const password = await passwordOf(acme);
  const metadata = { name: PULL_SECRET, namespace: acme.namespace };
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': '{"auths":{}}' },
  };
  const tries = [
    await ann.run(['get', ...name, '-o', 'yaml']),
    await ann.run(['apply', '--server-side', '-o', 'yaml', '-f', '-'], body),
    await ann.run(['replace', '--raw', `/api/v1/namespaces/${acme.namespace}/secrets/${PULL_SECRET}`, '-f', '-'], body),
    await ann.run(['delete', '--raw', `/api/v1/namespaces/${acme.namespace}/secrets/${PULL_SECRET}`]),
  ];
  for (const { code, stdout, stderr } of tries) {
    expect(code).not.toBe(0);
    expect(stderr).toContain('orbidden');
    expect(stdout + stderr).not.toContain(password);
    expect(stdout).not.toContain('.dockerconfigjson');
  }
});

test('a password that was changed is the one that counts, and the old one is refused', async () => {
  const old = await loginOf(acme);
  const image = at(`${REGISTRY}/${acme.namespace}/tool:1`);
  await crane(['digest', image], old);
  const login = { username: acme.namespace, password: 'another' };
  const config = Buffer.from(JSON.stringify({ auths: { [REGISTRY]: login } })).toString('base64');
  const patch = JSON.stringify({ data: { '.dockerconfigjson': config } });
  await stage().kubectl.must(['patch', 'secret', PULL_SECRET, '-n', acme.namespace, '--type=merge', '-p', patch]);
  const young = await loginOf(acme, 'another');
  // Accepted within seconds; each earlier attempt is a failure, of which the registry tolerates a few.
  await waitUntil('the new one is taken', async () => (await crane(['digest', image], young)) !== '', {
    limitMs: 60_000,
    everyMs: 1_000,
  });
  expect(await refusedTo(['digest', image], old)).toContain('UNAUTHORIZED');
});

test('a saved image is copied within its organisation, layer for layer, and into no other', async () => {
  const snapshot = (name: string, from: string, target: string) => ({
    apiVersion: API_VERSION,
    kind: 'Snapshot',
    metadata: { name, namespace: acme.namespace },
    spec: { instance: 'dev', of: 'Copy', from, target },
  });
  const target = `${REGISTRY}/${acme.namespace}/exports/tool:1`;
  const bare = tool.replace(':1@', '@');
  await make(snapshot('copy', bare, target));
  await make(snapshot('absent', bare.replace(/.{8}$/, '00000000'), `${target}0`));
  const statusOf = async (name: string) =>
    (await stage().kubectl.get<{ status?: object }>('snapshot', name, '-n', acme.namespace))?.status;
  const digest = tool.split('@')[1];
  await eventually('the copy is ready', async () => {
    expect(await statusOf('copy')).toMatchObject({ phase: 'ready', digest, attempts: 1, reason: 'Saved' });
    return true;
  });
  expect(await crane(['manifest', at(target)])).toBe(await crane(['manifest', at(tool)]));
  await eventually('what is not there cannot be copied', async () => {
    expect(await statusOf('absent')).toMatchObject({ phase: 'failed', reason: 'SourceGone' });
    return true;
  });
  const into = `${REGISTRY}/${other.namespace}/stolen:1`;
  await expect(make(snapshot('stolen', bare, into))).rejects.toThrow('may be saved here');
});

test('the registry and whoever gives its tokens may be killed: until they are back nothing is given, afterwards all is', async () => {
  const { cluster } = stage();
  await stopProcess(cluster, 'registry-tokens', 0);
  await expect(crane(['digest', at(tool)])).rejects.toThrow('connection refused');
  await stopProcess(cluster, 'registry', 0);
  await startRegistry(cluster);
  await make(podOf(acme, 'again', tool));
  await ends('a Pod starts', acme, 'again', ({ status }) => status?.phase === 'Succeeded');
});

test('the token address has the very host and port that a client asks for images', async () => {
  const { address } = stage().cluster.registry;
  const port = address.split(':')[1];
  for (const asked of [address, `${REGISTRY}:${port}`]) {
    const answer = await run('curl', [
      '-si',
      '--resolve',
      `${REGISTRY}:${port}:${address.split(':')[0]}`,
      `http://${asked}/v2/`,
    ]);
    const realm = /^www-authenticate: bearer realm="([^"]+)"/im.exec(answer)?.[1] ?? '';
    // The rule of go-containerregistry since 0.22.
    expect(new URL(realm).host).toBe(asked);
    expect(await run('curl', ['-sf', `http://${address}${new URL(realm).pathname}`])).toContain('"token"');
  }
});

soakTest('what nobody needs goes, its room is given back, and meanwhile everybody pushes', async () => {
  const { cluster, kubectl } = stage();
  const { address, dir } = cluster.registry;
  await startTokens(cluster, SWEPT_SOON);
  // Each is needed by a waiting Pod, the first by its digest alone.
  const waits = async (name: string, image: string) =>
    make(podOf(acme, name, image, { nodeSelector: { 'kubernetes.io/hostname': 'nowhere' } }));
  const pinned = await push(`${acme.namespace}/pinned:1`, 'old');
  await waits('pinned', pinned);
  await push(`${acme.namespace}/pinned:1`, 'new');
  const waste = await push(`${acme.namespace}/waste:1`, randomBytes(8 * MEGABYTE));
  const { layers } = JSON.parse(await crane(['manifest', at(waste)]));
  const wasted = layers.at(-1).digest.replace('sha256:', '');

  const pushed: string[] = [];
  await eventually(
    'its tag goes, and its room is given back',
    async () => {
      const name = `late-${pushed.length}`;
      const image = `${acme.namespace}/${name}:1`;
      await waits(name, `${REGISTRY}/${image}`);
      pushed.push(await push(image, name));
      const said = await crane(['digest', `${address}/${acme.namespace}/waste:1`]).catch(({ message }) => message);
      const left = await run('find', [dir, '-type', 'f', '-path', `*/blobs/*${wasted}*`]);
      return `${said}`.includes('MANIFEST_UNKNOWN') && left === '';
    },
    120_000,
  );
  expect(pushed.length).toBeGreaterThan(2);
  // Needed by its instance, by the Snapshot of its copy, and by waiting Pods.
  for (const image of [tool, `${REGISTRY}/${acme.namespace}/exports/tool:1`, pinned, ...pushed]) {
    expect(await crane(['validate', '--remote', at(image)])).toContain('PASS');
  }
  await kubectl.must(['delete', 'pod', 'pinned', ...pushed.map((_, index) => `late-${index}`), '-n', acme.namespace]);
});
