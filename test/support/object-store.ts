// An S3 server of a test's own, versitygw over a folder, with one bucket and a file of its credentials.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary } from '../../hack/binaries.ts';
import { endingWithUs } from './ending-with-us.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const ACCESS_KEY = { accessKeyId: 'GANTRYTEST', secretAccessKey: 'a-secret-of-this-test-alone' };

export interface ObjectStore {
  readonly endpoint: string;
  readonly bucket: string;
  readonly credentials: typeof ACCESS_KEY;
  readonly credentialsFile: string;
  /** The folder in which buckets lie as folders, and their objects as files. */
  readonly data: string;
  /** The bucket's. */
  readonly folder: string;
  /** Answers nobody until what it resolves with is called; then with all that was there. */
  goAway(): Promise<() => Promise<void>>;
  end(): Promise<void>;
}

/** `address`: where others than this machine's processes reach it. */
export async function startObjectStore({ address = '127.0.0.1' } = {}): Promise<ObjectStore> {
  const path = await binary('versitygw');
  const root = await mkdtemp(join(tmpdir(), 'gantry-objects-'));
  const bucket = 'backups';
  const [data, sidecar] = [join(root, 'data'), join(root, 'sidecar')];
  const folder = join(data, bucket);
  for (const made of [folder, sidecar]) await mkdir(made, { recursive: true });
  const credentialsFile = join(root, 'credentials');
  await writeFile(credentialsFile, `${ACCESS_KEY.accessKeyId}\n${ACCESS_KEY.secretAccessKey}\n`, { mode: 0o600 });
  const [port = 0] = await freePorts(1);
  // Attributes lie beside the files: not every file system of a test machine has extended ones.
  const server = ['--port', `${address}:${port}`, '--health', '/healthz', '--quiet'];
  const args = [...server, 'posix', '--sidecar', sidecar, data];
  const env = {
    ...process.env,
    ROOT_ACCESS_KEY_ID: ACCESS_KEY.accessKeyId,
    ROOT_SECRET_ACCESS_KEY: ACCESS_KEY.secretAccessKey,
  };
  const endpoint = `http://${address}:${port}`;
  const start = async () => {
    const child = spawn(...endingWithUs(path, args), { stdio: 'ignore', env });
    await eventually('the object store answers', async () => (await fetch(`${endpoint}/healthz`)).ok);
    return child;
  };
  let child = await start();
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return {
    ...{ endpoint, bucket, credentials: ACCESS_KEY, credentialsFile, data, folder },
    async goAway() {
      await stop();
      return async () => {
        child = await start();
      };
    },
    async end() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
