// versitygw, built from its module: a real S3 store over a folder, which goes with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary } from '../../hack/binaries.ts';
import { endingWithUs } from './ending-with-us.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

export interface TestStore {
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly folder: string;
  end(): Promise<void>;
}

export async function startObjectStore(): Promise<TestStore> {
  const path = await binary('versitygw');
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'gantry-store-'));
  const keys = { accessKey: 'test', secretKey: 'test-secret' };
  // Attributes beside the files: not every file system of a test machine has extended ones.
  const sidecar = await mkdtemp(join(tmpdir(), 'gantry-store-sidecar-'));
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecar, folder];
  const child: ChildProcess = spawn(...endingWithUs(path, args), {
    stdio: 'ignore',
    env: { ...process.env, ROOT_ACCESS_KEY: keys.accessKey, ROOT_SECRET_KEY: keys.secretKey },
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('versitygw', () => fetch(url).then(() => true));
  return {
    url,
    ...keys,
    folder,
    async end() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
      await rm(sidecar, { recursive: true, force: true });
    },
  };
}
