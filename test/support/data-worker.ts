// The real data server, as a process of this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { endingWithUs } from './ending-with-us.ts';
import { pythonWith } from './python-with.ts';

/** Python with the packages of its lockfile. */
export async function dataWorkerPython(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(DATA_WORKER_LOCK))
    .digest('hex')
    .slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  return pythonWith(`data-worker-${digest}`, options);
}

/** On the data below a folder, which has its `token`. Resolves once it listens on loopback. */
export async function serveData(python: string, folder: string): Promise<{ server: ChildProcess; port: number }> {
  const args = ['-m', 'gantry_worker', 'serve', `--root=${folder}/data`, `--token-file=${folder}/token`];
  const [program, words] = endingWithUs(python, [...args, '--listen=127.0.0.1:0']);
  const server = spawn(program, words, { cwd: 'data-worker', stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(server.stdout)) {
    const port = /^listens on .*:(\d+)$/.exec(line)?.[1];
    if (port) return { server, port: Number(port) };
  }
  throw new Error('the data server ended');
}
