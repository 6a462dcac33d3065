// The bare-machine cluster's disks, under a real Pod: a size that holds, growth while in use, and a provisioner that is
// killed in the middle of its work.
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Layout } from '../../hack/layout.ts';
import { findProcess } from '../../hack/process.ts';
import { startStorage } from '../../hack/storage/start-storage.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { testCluster } from '../support/test-cluster.ts';

const NAMESPACE = 'story-disks';
const SIZE_MI = 64;
const DISKS = 8;

let cluster: Layout;
let kubectl: Kubectl;

beforeAll(async () => {
  ({ kubectl, layout: cluster } = await testCluster());
  await kubectl.must(['create', 'namespace', NAMESPACE]);
}, 120_000);

afterAll(async () => {
  await kubectl.must(['delete', 'namespace', NAMESPACE, '--wait']);
  await startStorage(cluster);
}, 120_000);

const claim = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: NAMESPACE },
  spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: `${SIZE_MI}Mi` } } },
});

const writer = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'writer',
        image: 'registry.gantry.internal/official/busybox:1.36',
        command: ['sleep', '1000'],
        volumeMounts: [{ name: 'disk', mountPath: '/disk' }],
      },
    ],
    volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: name } }],
  },
});

const apply = (items: object[]) => kubectl.must(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
const inNamespace = (...args: string[]) => kubectl.must(['--namespace', NAMESPACE, ...args]);
const write = (pod: string, mebibytes: number) =>
  inNamespace('exec', pod, '--', 'dd', 'if=/dev/zero', 'of=/disk/file', 'bs=1M', `count=${mebibytes}`);

test('a disk refuses what is over its size, and takes it once it has grown under the running Pod', async () => {
  await apply([claim('grows'), writer('grows')]);
  await inNamespace('wait', '--for=condition=Ready', '--timeout=60s', 'pod/grows');
  await expect(write('grows', SIZE_MI)).rejects.toThrow('No space left on device');

  const size = { spec: { resources: { requests: { storage: `${2 * SIZE_MI}Mi` } } } };
  await inNamespace('patch', 'pvc', 'grows', '--patch', JSON.stringify(size));
  const grown = `jsonpath={.status.capacity.storage}=${2 * SIZE_MI}Mi`;
  await inNamespace('wait', `--for=${grown}`, '--timeout=30s', 'pvc/grows');
  await write('grows', SIZE_MI);
}, 120_000);

test('a disk that cannot be is said on its claim', async () => {
  const raw = claim('raw');
  await apply([{ ...raw, spec: { ...raw.spec, volumeMode: 'Block' } }, writer('raw')]);
  await eventually('the event', async () => {
    const events = await inNamespace('events', '--for=pvc/raw');
    return events.includes('ask for volumeMode Filesystem');
  });
}, 60_000);

test('a provisioner killed again and again makes every disk once, and leaves none behind', async () => {
  // Older folders belong to others and may still go meanwhile. Every new one counts.
  const before = new Set(await foldersOnDisk());
  const made = async () => (await foldersOnDisk()).filter((name) => !before.has(name)).length;
  const names = Array.from({ length: DISKS }, (_, index) => `killed-${index}`);
  await apply(names.flatMap((name) => [claim(name), writer(name)]));
  await killWhileItWorks(made, DISKS);
  await inNamespace('wait', '--for=condition=Ready', '--timeout=120s', ...names.map((name) => `pod/${name}`));
  expect(await made()).toBe(DISKS);

  await inNamespace('delete', '--wait=false', ...names.flatMap((name) => [`pod/${name}`, `pvc/${name}`]));
  await killWhileItWorks(made, 0);
  await eventually('disks and volumes to be gone', async () => {
    expect(await made()).toBe(0);
    expect(await kubectl.must(['get', 'pv'])).not.toContain(`${NAMESPACE}/killed-`);
    return true;
  });
}, 300_000);

/** SIGKILL at every further step, until it reaches its goal. */
async function killWhileItWorks(count: () => Promise<number>, end: number): Promise<void> {
  for (let last = await count(); last !== end; ) {
    const provisioner = await findProcess(cluster, 'provisioner');
    if (!provisioner) throw new Error('the provisioner does not run');
    ({ now: last } = await eventually('another step', async () => {
      const now = await count();
      // 0 is a valid number of folders.
      return now === last ? undefined : { now };
    }));
    process.kill(provisioner.pid, 'SIGKILL');
    await eventually('the provisioner to be gone', async () => !(await findProcess(cluster, 'provisioner')));
    await startStorage(cluster);
  }
}

async function foldersOnDisk(): Promise<string[]> {
  const folders = await Promise.all(cluster.nodes.map(({ volumesDir }) => readdir(volumesDir).catch(() => [])));
  return folders.flat();
}
