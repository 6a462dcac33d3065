// `make down` leaves the machine as `make up` found it, wherever `up` was killed. On a small cluster of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { waitFor } from '../../hack/wait-for.ts';
import { listTraces } from '../support/traces.ts';

const NAME = 'left';
const cluster = (...args: string[]): [string, string[]] => [
  process.execPath,
  ['hack/cluster.ts', ...args, '--name', NAME],
];

let before: string[];

beforeEach(async () => {
  await run(...cluster('down'));
  before = await listTraces(NAME);
});

afterEach(async () => {
  await run(...cluster('down'));
});

test('after down nothing is left of a cluster whose Pods ran', async () => {
  await run(...cluster('up', '--nodes', '2'));
  // The list would be equal if it saw nothing at all.
  expect((await listTraces(NAME)).length).toBeGreaterThan(before.length + 20);
  await run(...cluster('down'));
  expect(await listTraces(NAME)).toEqual(before);
});

test.each(['network', 'containerd', 'API server', 'nodes ready'])(
  'after down nothing is left of an up that was killed once "%s" was done',
  async (step) => {
    await killUpAfter(step);
    await run(...cluster('down'));
    expect(await listTraces(NAME)).toEqual(before);
  },
);

test('an up that was killed half-way is completed by the next', async () => {
  await killUpAfter('API server');
  await run(...cluster('up'));
  await run(...cluster('status'));
});

test('up refuses a port that is taken, naming port and holder', async () => {
  const { etcd } = layout(NAME).ports;
  const program = `require('node:net').createServer().listen(${etcd}, '127.0.0.1')`;
  const stranger = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  try {
    await waitFor('the stranger to listen', async () => (await run('ss', ['-Hltn', `sport = :${etcd}`])) !== '', {
      limitMs: 10_000,
    });
    await expect(run(...cluster('up'))).rejects.toThrow(`127.0.0.1:${etcd} (for etcd) by`);
    await expect(run(...cluster('up'))).rejects.toThrow(`pid ${stranger.pid}`);
  } finally {
    stranger.kill();
  }
});

/** Kills `up`, and only it, the moment it says that a step is done; by then others are half done. */
async function killUpAfter(step: string): Promise<void> {
  const [file, args] = cluster('up');
  const up = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(up, 'exit');
  let seen = false;
  createInterface({ input: up.stderr }).on('line', (line) => {
    if (line.includes(`  ${step}  `)) {
      seen = true;
      up.kill('SIGKILL');
    }
  });
  await ended;
  expect(seen).toBe(true);
}
