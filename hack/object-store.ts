// The object store (versitygw) over a folder of the cluster, on loopback: the gateway keeps the files of models there.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { binary } from './binaries.ts';
import type { Layout } from './layout.ts';
import { startProcess, waitReady } from './process.ts';

const folderOf = ({ dir }: Layout): string => `${dir}/object-store`;
/** Two lines, the access key's id and the secret, as the gateway reads them. */
const keyFile = (cluster: Layout): string => `${folderOf(cluster)}/credentials`;
const urlOf = ({ ports }: Layout): string => `http://127.0.0.1:${ports.objectStore}`;

/** Step. */
export async function startObjectStore(cluster: Layout): Promise<void> {
  const folder = folderOf(cluster);
  // Attributes are kept beside the objects: not every file system has extended ones.
  for (const name of ['objects', 'attributes']) await mkdir(`${folder}/${name}`, { recursive: true, mode: 0o700 });
  if (!existsSync(keyFile(cluster)))
    await writeFile(keyFile(cluster), `gantry\n${randomBytes(32).toString('hex')}`, { mode: 0o600 });
  const [access = '', secret = ''] = (await readFile(keyFile(cluster), 'utf8')).split('\n');
  await startProcess(cluster, {
    name: 'object-store',
    command: [
      await binary('versitygw'),
      '--port',
      `127.0.0.1:${cluster.ports.objectStore}`,
      'posix',
      '--sidecar',
      `${folder}/attributes`,
      `${folder}/objects`,
    ],
    env: { ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret },
  });
  // Without a signature it refuses, and is there.
  await waitReady(cluster, 'object-store', async () => (await fetch(urlOf(cluster))).status === 403);
}

/** Flags of a gateway beside this cluster. */
export const objectStoreFlags = (cluster: Layout): string[] => [
  `--object-store-url=${urlOf(cluster)}`,
  `--object-store-credentials-file=${keyFile(cluster)}`,
];
