// `make down` leaves the machine as `make up` found it, wherever `up` was killed: each run kills it at one place, and all places
// take four times as many seeds in a row as this folder has tests. On its own small cluster.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { binary } from '../../hack/binaries.ts';
import { type Layout, layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { waitFor } from '../../hack/wait-for.ts';
import { eventually } from '../support/eventually.ts';
import { isSoak, isTurn, SEEDS_OF_MACHINE } from '../support/soak.ts';
import { listTraces } from '../support/traces.ts';

const NAME = 'left';
const cluster = (...args: string[]): [string, string[]] => [
  process.execPath,
  ['hack/cluster.ts', ...args, '--name', NAME],
];

const SIZE_MI = 64;
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'disk' },
  spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: `${SIZE_MI}Mi` } } },
};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'writer' },
  spec: {
    nodeSelector: { 'kubernetes.io/hostname': layout(NAME).nodes[0]?.name },
    containers: [
      {
        name: 'writer',
        image: 'registry.gantry.internal/official/busybox:1.36',
        command: ['sleep', '1000'],
        volumeMounts: [{ name: 'disk', mountPath: '/disk' }],
      },
    ],
    volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
  },
};

let before: string[];

beforeEach(async () => {
  await run(...cluster('down'));
  before = await listTraces(NAME);
});

afterEach(async () => {
  await run(...cluster('down'));
});

test('after down nothing is left of a cluster whose Pods wrote to disks, and no disk held more than its size', async () => {
  await run(...cluster('up', '--nodes', '2'));
  const kubectl = await kubectlOf(layout(NAME, 2));
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [claim, pod] }));
  await kubectl(['wait', '--for=condition=Ready', '--timeout=60s', 'pod/writer']);
  const write = (mebibytes: number) =>
    kubectl(['exec', 'writer', '--', 'dd', 'if=/dev/zero', 'of=/disk/file', 'bs=1M', `count=${mebibytes}`]);
  await write(SIZE_MI / 2);
  await expect(write(SIZE_MI)).rejects.toThrow('No space left on device');
  // The list would be equal if it saw nothing at all.
  expect((await listTraces(NAME)).length).toBeGreaterThan(before.length + 20);
  await run(...cluster('down'));
  await isAsBefore();
});

/** A lazy umount and the loop device below it end once the kernel is through with them. */
const isAsBefore = () =>
  eventually('the machine is as it was', async () => expect(await listTraces(NAME)).toEqual(before) ?? true);

const PLACES = ['network', 'containerd', 'API server', 'nodes ready'];

test.each(PLACES.filter((_, index) => isSoak || isTurn(index, PLACES.length, SEEDS_OF_MACHINE)))(
  'after down nothing is left of an up that was killed once "%s" was done',
  async (step) => {
    await killUpAfter(step);
    await run(...cluster('down'));
    await isAsBefore();
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
    expect(await run(...cluster('status'))).toContain('nothing runs');
  } finally {
    stranger.kill();
  }
});

async function kubectlOf({ kubeconfig }: Layout): Promise<(args: string[], input?: string) => Promise<string>> {
  const kubectl = await binary('kubectl');
  return (args, input = '') => run(kubectl, args, { input, env: { KUBECONFIG: kubeconfig } });
}

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
