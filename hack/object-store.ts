// The object store (versitygw) over a folder of the cluster: the gateway keeps the files of models there, and backups.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { binary } from './binaries.ts';
import type { Layout } from './layout.ts';
import { startProcess, waitReady } from './process.ts';

const LOOPBACK = '127.0.0.1';
const folderOf = ({ dir }: Layout): string => `${dir}/object-store`;
/** Two lines, the access key's id and the secret, as the gateway reads them. */
const keyFile = (cluster: Layout): string => `${folderOf(cluster)}/credentials`;
const urlOf = ({ ports }: Layout, address = LOOPBACK): string => `http://${address}:${ports.objectStore}`;

/** Step. */
export const startObjectStore = (cluster: Layout): Promise<void> => listen(cluster, LOOPBACK);
/** Step. Where a gateway in a Pod finds it; other machines do not. */
export const startObjectStoreForPods = (cluster: Layout): Promise<void> => listen(cluster, cluster.bridge.ip);

async function listen(cluster: Layout, address: string): Promise<void> {
  const folder = folderOf(cluster);
  // Attributes are kept beside the objects: not every file system has extended ones.
  for (const name of ['objects', 'attributes']) await mkdir(`${folder}/${name}`, { recursive: true, mode: 0o700 });
  if (!existsSync(keyFile(cluster)))
    await writeFile(keyFile(cluster), `gantry\n${randomBytes(32).toString('hex')}`, { mode: 0o600 });
  const { accessKey, secretKey } = await objectStoreKey(cluster);
  await startProcess(cluster, {
    name: 'object-store',
    command: [
      await binary('versitygw'),
      '--port',
      `${address}:${cluster.ports.objectStore}`,
      'posix',
      '--sidecar',
      `${folder}/attributes`,
      `${folder}/objects`,
    ],
    env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
  });
  // Without a signature it refuses, and is there.
  await waitReady(cluster, 'object-store', async () => (await fetch(urlOf(cluster, address))).status === 403);
}

/** Flags of a gateway beside this cluster. */
export const objectStoreFlags = (cluster: Layout): string[] => [
  `--object-store-url=${urlOf(cluster)}`,
  `--object-store-credentials-file=${keyFile(cluster)}`,
];

/** The folder in which versitygw stores the objects of a bucket. */
export const bucketFolder = (cluster: Layout, bucket: string): string => `${folderOf(cluster)}/objects/${bucket}`;

/** Its address for Pods; undefined if it was not started for them. */
export const objectStoreOfPods = (cluster: Layout): string | undefined =>
  existsSync(keyFile(cluster)) ? urlOf(cluster, cluster.bridge.ip) : undefined;

export async function objectStoreKey(cluster: Layout): Promise<{ accessKey: string; secretKey: string }> {
  const [accessKey = '', secretKey = ''] = (await readFile(keyFile(cluster), 'utf8')).split('\n');
  return { accessKey, secretKey };
}
