// Disks on a real node, with billing played by the test: data is there for the next one who mounts it, the size is enforced and
// grows, an exclusive disk is exclusive, and nothing disappears silently.
import { access } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mountPoint } from '../../hack/storage/disk-volume.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { Billing } from './billing.ts';
import { DISKS, Disk } from './disk.ts';
import { FileServer } from './file-server.ts';
import { Following } from './following.ts';
import { readingData } from './reading-data.ts';
import { setStage, type Tenant } from './stage.ts';

// Undone first: a disk waits for its holders.
afterAll(() => acme && stage().kubectl.run(['delete', 'pods', '--all', '--wait=false', '-n', acme.namespace]));
const stage = setStage('--credit-gate=required', '--probe-every=24h');
let disks: Following<DataDisk>;
let acme: Tenant;
let ann: Kubectl;
let billing: Billing;
beforeAll(async () => {
  disks = await Following.start<DataDisk>(stage().cluster, DISKS);
  acme = await stage().organization('disks', {
    members: [{ account: 'ann', role: 'member' }],
    quota: { storageGi: 20 },
  });
  ann = await acme.kubectlAs('ann');
  billing = new Billing(stage().cluster);
}, 120_000);
afterAll(() => disks?.stop());

const disk = (name: string, spec: Partial<DataDisk['spec']> = {}) => Disk.made(stage(), disks, acme, name, spec);
async function paid(name: string, spec: Partial<DataDisk['spec']> = {}): Promise<Disk> {
  const made = await disk(name, spec);
  await billing.reserves(made);
  await made.becomes('there to be mounted', ({ status }) => status.phase === 'active' && status.claimUID !== undefined);
  return made;
}
const soon = () => new Date(Date.now() + 600_000).toISOString();

const at = (mountPath: string) => ({ disks: [{ name: 'data', mountPath }] });

test('the next instance reads the files of the last; the size holds, and grows while the disk is mounted', async () => {
  const data = await disk('data');
  await data.becomes('waiting for credit', ({ status }) => status.reason === 'WaitingForCredit');
  expect(await data.inNamespace('get', 'pvc', '-o', 'name')).toBe('');
  await billing.reserves(data);
  const dev = await acme.instance('dev', at('/data'));
  await billing.reserves(dev);
  await dev.reaches('running', STARTS_WITHIN_MS);
  const { status } = await data.says('Ready', 'True', 'Mounted');
  expect(status).toMatchObject({ phase: 'mounted', node: dev.pod().spec?.nodeName });
  expect(status.mountedBy).toEqual([{ kind: 'GpuInstance', name: 'dev', mountPath: '/data' }]);
  await dev.sh('echo kept > /data/notes');
  await expect(dev.sh('fallocate -l 1200M /data/big')).rejects.toThrow('No space left on device');

  const next = await acme.instance('next', at('/elsewhere'));
  await billing.reserves(next);
  const waits = await next.becomes('waiting', (seen) => seen.status.reason === 'DiskInUse');
  expect(waits.status.message).toBe('spec.disks: the disk data allows only one writer, currently dev.');
  const { stderr } = await ann.run(['delete', 'datadisk', 'data', '--wait=false']);
  expect(stderr).toContain(
    'The disk is mounted by or reserved for dev. Unmount it first, or shut down the instance that uses it.',
  );

  await data.wish({ sizeGi: 2 });
  await data.says('Resized', 'False', 'WaitingForCredit');
  await billing.reserves(data);
  await data.says('Resized', 'True', 'Resized');
  await dev.sh('fallocate -l 1200M /data/big');
  await expect(dev.sh('fallocate -l 1000M /data/more')).rejects.toThrow('No space left on device');
  await isMeasured(data);

  await dev.wish({ power: 'ShutDown' });
  await next.reaches('running', STARTS_WITHIN_MS);
  expect(await next.sh('cat /elsewhere/notes')).toBe('kept');
  expect(data.now.status.mountedBy).toEqual([{ kind: 'GpuInstance', name: 'next', mountPath: '/elsewhere' }]);
  await next.wish({ power: 'ShutDown' });
  const { intervals = [] } = (await data.says('Ready', 'True', 'Available')).status;
  const [small, large] = intervals;
  expect(intervals).toHaveLength(2);
  expect(small).toMatchObject({ seq: 1, uses: [{ resource: 'disk', quantity: 1 }], to: large?.from });
  expect(large).toMatchObject({ seq: 2, uses: [{ resource: 'disk', quantity: 2 }] });
  expect(large).not.toHaveProperty('to');
});

/** With the save of a root file system in front of it. */
const STARTS_WITHIN_MS = 120_000;

/** Measured by the node's agent, every half minute: the usage, and that the file system is as large as the disk. */
async function isMeasured(data: Disk): Promise<void> {
  // It may have looked between the growth and the end of writing: then another look reports it.
  const seen = await data.becomes('measured with what was written', ({ status }) => {
    const size = status.conditions?.find(({ type }) => type === 'SizeEnforced');
    const isEnforced = size?.status === 'True' && size.reason === 'SizeEnforced';
    return isEnforced && (status.usage?.usedBytes ?? 0) > 1.2 * 10 ** 9;
  });
  const { totalBytes = 0, usedBytes = 0, availableBytes = 0, ownBytes = 0, node } = seen.status.usage ?? {};
  expect(totalBytes).toBeGreaterThan(1.8 * 2 ** 30);
  expect(totalBytes).toBeLessThanOrEqual(2 * 2 ** 30);
  // The file system's own bytes belong to no file.
  expect(ownBytes).toBeGreaterThan(0);
  expect(usedBytes + availableBytes + ownBytes).toBe(totalBytes);
  expect(node).toBe(seen.status.node);
}

test('a data server reads a table in a Pod of its own that calls nobody, and goes once nobody asks', async () => {
  const reading = await readingData(stage().cluster, stage().folder);
  try {
    const { servers, store } = reading;
    const { signal } = new AbortController();
    const input = { name: 'cities.csv', ...store.add(Buffer.from('city,people\nOslo,3\nBergen,2\n')) };
    const read = { out: 'out/v1', inputs: [input] };
    const facts = await servers.profile(acme.id, read, () => {}, signal);
    expect(facts).toMatchObject({ kind: 'csv', rows: 2, rejected: 0 });
    const [{ path = '', sha256 } = {}] = facts.parts;
    const part = store.add(await buffer(servers.part(acme.id, path, 0, signal)));
    expect(part.sha256).toBe(sha256);
    await servers.forget(acme.id, read);
    const answer = await servers.query(acme.id, { data: [part] }, 'SELECT sum(people) FROM data', signal);
    expect(JSON.parse(answer.rows)).toEqual([[5]]);
    await callsNobody();
    await acme.wish({ data: { until: new Date().toISOString() } });
    await acme.becomes('without a data server', ({ status }) => status?.data === undefined);
    await stage().kubectl.must(['wait', '--for=delete', 'pod/data-server', `--namespace=${acme.namespace}`]);
  } finally {
    await reading.close();
  }
});

/** Nor does anybody but the platform call it; that Pods of the organisation do reach each other shows that calls arrive at all. */
async function callsNobody(): Promise<void> {
  const { kubectl } = stage();
  const inside = `--namespace=${acme.namespace}`;
  const peer = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: acme.namespace },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        { name: 'main', image: 'registry.gantry.internal/official/busybox:1.36', command: ['httpd', '-f', '-p', '80'] },
      ],
    },
  });
  await kubectl.must(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items: [peer('a'), peer('b')] });
  await kubectl.must(['wait', '--for=condition=Ready', '--timeout=60s', inside, 'pod/a', 'pod/b']);
  const addressOf = (pod: string) => kubectl.must(['get', 'pod', pod, inside, '-o', 'jsonpath={.status.podIP}']);
  const [peers, server] = [await addressOf('b'), await addressOf('data-server')];
  const runs = async (pod: string, ...command: string[]) =>
    (await kubectl.run(['exec', inside, pod, '--', ...command])).code === 0;
  const dials = (host: string, port: number) => runs('a', 'sh', '-c', `nc -w 2 ${host} ${port} </dev/null`);
  await eventually('one Pod to reach another', () => dials(peers, 80));
  expect(await dials(server, 8092)).toBe(false);
  const connect = `import socket; socket.create_connection(('${peers}', 80), 2)`;
  expect(await runs('data-server', 'python3', '-c', 'import socket')).toBe(true);
  expect(await runs('data-server', 'python3', '-c', connect)).toBe(false);
}

test("another organisation's disk is not there", async () => {
  const other = await stage().organization('no-disks');
  await Disk.made(stage(), disks, other, 'theirs');
  const thief = await acme.instance('thief', { disks: [{ name: 'theirs', mountPath: '/data' }] });
  await billing.reserves(thief);
  const { status } = await thief.reaches('createFailed');
  expect(status).toMatchObject({
    reason: 'DiskNotFound',
    message: 'spec.disks: there is no disk theirs in this organisation.',
  });
});

test('two write to a disk of many writers at once', async () => {
  const shared = await paid('shared', { access: 'Many' });
  await Promise.all([shared.mountedIn('left'), shared.mountedIn('right')]);
  await shared.sh('left', 'echo left > /data/left');
  await shared.sh('right', 'echo right > /data/right');
  expect(await shared.sh('left', 'cat /data/right')).toBe('right');
  expect(await shared.sh('right', 'cat /data/left')).toBe('left');
  await shared.inNamespace('delete', 'pod', 'left', 'right');
});

test('files are fetched and brought without credit, in pieces and under the root alone; a Pod that needs the disk gets it', async () => {
  const data = await paid('files');
  await data.mountedIn('writer');
  await data.sh(
    'writer',
    'mkdir /data/folder && echo from inside > /data/folder/inside && ln -s /etc/passwd /data/out',
  );
  await data.sh('writer', MADE_CLOSED);
  await data.wish({ files: { until: soon() } });
  await data.says('FilesAvailable', 'False', 'FilesInUse');
  await data.inNamespace('delete', 'pod', 'writer');
  await billing.findsNoCredit(data);
  const { status } = await data.says('FilesAvailable', 'True', 'FilesReady');
  expect(status.files?.address).toMatch(/^[0-9.]+:8080$/);

  const files = await FileServer.of(data, stage().cluster.kubeconfig);
  try {
    const inside = await files.call('GET', '/file', { path: '/folder/inside' });
    expect(await inside.text()).toBe('from inside\n');
    expect((await files.call('GET', '/file', { path: '/../etc/passwd' })).status).toBe(400);
    expect((await files.call('GET', '/file', { path: '/out' })).status).toBe(403);
    const strange = { headers: { authorization: 'Bearer other' } };
    expect((await files.call('GET', '/dir', { path: '/' }, strange)).status).toBe(401);
    const usage = (await (await files.call('GET', '/usage')).json()) as Record<string, number>;
    expect(usage.totalBytes).toBeLessThanOrEqual(2 ** 30);
    expect((usage.usedBytes ?? 0) + (usage.availableBytes ?? 0)).toBe(usage.totalBytes);

    await bringsInPieces(files);
    await servesWhoeverOwnsThem(files);
  } finally {
    files.close();
  }

  await data.mountedIn('reader');
  expect(await data.sh('reader', 'md5sum < /data/brought')).toBe(await data.sh('reader', `${MADE} | md5sum`));
  expect(await data.sh('reader', 'stat -c %u:%g /data/closed/new')).toBe('1000:1000');
  await data.inNamespace('delete', 'pod', 'reader');
});

/** Files that only their owners, root and somebody else, may read or remove. */
const MADE_CLOSED = [
  'umask 077',
  'mkdir /data/roots /data/closed /data/sticky',
  'echo roots > /data/roots/mine',
  'echo theirs > /data/closed/theirs',
  'echo theirs > /data/sticky/theirs',
  'chmod 1700 /data/sticky',
  'chown -R 1000:1000 /data/closed /data/sticky',
].join(' && ');

/** With the few capabilities that the server has. */
async function servesWhoeverOwnsThem(files: FileServer): Promise<void> {
  for (const [path, text] of [
    ['/roots/mine', 'roots\n'],
    ['/closed/theirs', 'theirs\n'],
  ] as const)
    expect(await (await files.call('GET', '/file', { path })).text()).toBe(text);
  expect((await files.call('PUT', '/file', { path: '/closed/new' }, { body: 'new' })).status).toBe(201);
  expect((await files.call('POST', '/rename', { path: '/closed/theirs', to: '/roots/theirs' })).status).toBe(204);
  for (const path of ['/roots/mine', '/roots/theirs', '/sticky/theirs'])
    expect((await files.call('DELETE', '/file', { path })).status).toBe(204);
}

const PIECE = 1 << 20;
/** Two pieces of it, as the shell of a Pod can make them too. */
const MADE = `yes abcdefg | head -c ${2 * PIECE}`;

/** The caller is cut off after the first piece, asks for the offset, and continues. */
async function bringsInPieces(files: FileServer): Promise<void> {
  const whole = Buffer.from('abcdefg\n'.repeat((2 * PIECE) / 8));
  const upload = { path: '/brought', upload: 'abcdefgh' };
  const piece = (from: number) => ({
    headers: { 'content-range': `bytes ${from}-${from + PIECE - 1}/${whole.length}` },
    body: whole.subarray(from, from + PIECE),
  });
  expect((await files.call('PUT', '/file', upload, piece(0))).status).toBe(202);
  const stands = (await (await files.call('GET', '/upload', upload)).json()) as { offset: number };
  expect(stands).toEqual({ offset: PIECE });
  expect((await files.call('PUT', '/file', upload, piece(0))).status).toBe(409);
  expect((await files.call('PUT', '/file', upload, piece(stands.offset))).status).toBe(201);
}

test('a claim that is deleted by hand is never replaced by an empty one', async () => {
  const data = await paid('lost');
  await data.mountedIn('loser');
  await data.says('Ready', 'True', 'Available');
  await data.inNamespace('delete', 'pod', 'loser');
  await data.inNamespace('delete', 'pvc', data.claimName);
  const { status } = await data.becomes('lost', (seen) => seen.status.reason === 'DiskLost');
  expect(status).toMatchObject({ phase: 'inactive', sizeGi: 1 });
  expect(status.intervals).toEqual([expect.objectContaining({ to: expect.any(String) })]);
  expect(await data.inNamespace('get', 'pvc', '-o', 'name')).not.toContain(data.claimName);
});

test('over the quota, and what is missing of it is told in numbers', async () => {
  const big = await disk('big', { sizeGi: 50 });
  await billing.reserves(big);
  const { status } = await big.becomes('refused', (seen) => seen.status.reason === 'QuotaExceeded');
  expect(status.phase).toBe('inactive');
  expect(status.message).toMatch(
    /quota does not allow it: 50 GiB of storage are requested, and .* of the 20 GiB that it may use are in use\./,
  );
});

test('deleting one asks for a word, waits for whoever has it, and leaves nothing', async () => {
  const data = await paid('gone');
  await data.mountedIn('holder');
  const { volumeName = '', node } = (await data.says('Ready', 'True', 'Available')).status;
  const remove = () => ann.run(['delete', 'datadisk', data.name, '--wait=false']);
  expect((await remove()).stderr).toContain(
    'All data on the disk is lost. To delete it anyway, first add the annotation gantry.dev/confirm-delete=gone',
  );
  await ann.must(['annotate', 'datadisk', data.name, 'gantry.dev/confirm-delete=gone']);
  await ann.must(['delete', 'datadisk', data.name, '--wait=false']);
  await data.becomes('waiting for its holder', ({ status }) => status.reason === 'InUse');
  expect(await data.sh('holder', 'echo still mine > /data/mine && cat /data/mine')).toBe('still mine');

  await data.inNamespace('delete', 'pod', 'holder');
  await data.isGone();
  const real = stage().cluster.nodes.find(({ name }) => name === node);
  if (!real) throw new Error(`${node} is no real node`);
  await eventually('its volume and its room on the node are gone', async () => {
    expect(await stage().kubectl.must(['get', 'pv', '-o', 'name'])).not.toContain(volumeName);
    await expect(access(mountPoint(real, volumeName))).rejects.toThrow('ENOENT');
    return true;
  });
});
