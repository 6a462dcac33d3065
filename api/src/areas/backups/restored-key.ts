// The platform's key in a restore: where there is one it must be the backup's, where there is none the backup's is written, into the
// file or into the Secret that is mounted there.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { SECRETS } from './cluster.ts';

export interface KeyPlace {
  /** Empty: there is no place for a key. */
  readonly platformKeyFile: string;
  /** Empty: the file is written. */
  readonly platformKeySecret: string;
}

/** Another key would open nothing of what the tables hold encrypted. Throws BadConfig. */
export async function mustBeKeyOf({ platformKeyFile: file }: KeyPlace, key: Buffer): Promise<void> {
  const there = await keyIn(file);
  if (key.length === 0 || there === undefined || there.equals(key)) return;
  throw new BadConfig(
    `--platform-key-file: "${file}" holds another key than the platform had that was backed up, so that second factors and real names could not be read again: name a file that does not exist, or is empty, into which that key is written`,
  );
}

/** Resolves with the place that was written, if any. */
export async function writeKey(
  { platformKeyFile: file, platformKeySecret: name }: KeyPlace,
  key: Buffer,
  cluster: () => Pick<KubeClient, 'get' | 'mergePatch'>,
): Promise<string | undefined> {
  if (key.length === 0 || (await keyIn(file))) return undefined;
  if (name !== '') {
    const client = cluster();
    const target = targetOf(await client.get(SECRETS, PLATFORM_NAMESPACE, name));
    await client.mergePatch(SECRETS, { ...target, body: { data: { key: key.toString('base64') } } });
    return `the Secret ${name}`;
  }
  if (file === '') return undefined;
  await writeFile(file, key, { mode: 0o600 });
  // An empty file that was there keeps its mode.
  await chmod(file, 0o600);
  return file;
}

async function keyIn(file: string): Promise<Buffer | undefined> {
  if (file === '') return undefined;
  try {
    const key = await readFile(file);
    return key.length === 0 ? undefined : key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
