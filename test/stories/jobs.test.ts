// Jobs in real containers: workers that find each other, an order that holds, retries, and a node that dies.
import type { Job } from '@gantry/contract/kinds/job.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { REGISTRY } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { binary } from '../../hack/binaries.ts';
import { crane, platformLogin } from '../../hack/crane.ts';
import { run } from '../../hack/run.ts';
import { eventually } from '../support/eventually.ts';
import { soakTest } from '../support/soak.ts';
import { RealNode } from './real-node.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

const stage = setStage('--probe-every=24h');

/** Small, so that a dozen fit on two cores. */
const SMALL = { image: 'registry.gantry.internal/official/busybox:1.36', cores: 0.1, memoryGi: 0.0625 };
const sh = (...lines: string[]) => ['sh', '-c', lines.join('\n')];
const card = { model: 'Tesla-T4', count: 1 };

/** A shell that is PID 1 is deaf to SIGTERM unless it says what it does then, and is killed 30 s later. */
const UNTIL_TOLD = sh('trap "exit 143" TERM', 'sleep 600 & wait');

/** Rank 0 adds up what the others send over TCP, and everybody learns the sum from it. */
const REDUCE = sh(
  'set -e',
  'if [ "$RANK" = 0 ]; then',
  '  sum=7',
  // A worker that is out of time leaves an empty connection, and comes again.
  '  heard=1',
  '  while [ "$heard" -lt "$WORLD_SIZE" ]; do',
  '    value=$(nc -l -p "$MASTER_PORT")',
  '    [ -z "$value" ] || { sum=$((sum + value)); heard=$((heard + 1)); }',
  '  done',
  '  echo "the sum is $sum"',
  'else',
  '  until echo $((RANK * 35)) | nc -w 2 "$MASTER_ADDR" "$MASTER_PORT"; do sleep 0.5; done',
  '  echo "sent by $RANK of $WORLD_SIZE"',
  'fi',
);

let jobs: Tracker<Job>;
let acme: Tenant;

beforeAll(async () => {
  jobs = await Tracker.start<Job>(stage(), job);
  acme = await stage().organization('works', { quota: { gpus: 64 } });
});
afterAll(() => jobs?.stop());

const make = (name: string, spec: object): Promise<Tracked<Job>> =>
  jobs.make(acme.namespace, name, { ...SMALL, ...spec });

/** As the registry has it, without the moment before each line. */
async function keptLog(image: string): Promise<string> {
  const { cluster } = stage();
  const at = image.replace(REGISTRY, cluster.registry.address);
  const { layers } = JSON.parse(await crane(cluster, ['manifest', at]));
  const blob = `${at.slice(0, at.lastIndexOf(':'))}@${layers[0].digest}`;
  const env = { DOCKER_CONFIG: platformLogin(cluster) };
  const script = '"$0" blob --insecure "$1" | gzip -d';
  const written = await run('sh', ['-c', script, await binary('crane'), blob], { env });
  return written.replace(/^\S+ /gm, '');
}

test('two workers find each other by rank and reduce a number over TCP', async () => {
  const reduce = await make('reduce', { workers: 2, command: REDUCE });
  const done = await reduce.reaches('succeeded');
  expect(done.status).toMatchObject({ reason: 'Succeeded', run: { seq: 1, cause: 'first', exitCode: 0 } });
  expect(done.status.workers?.map(({ index, phase, exitCode }) => ({ index, phase, exitCode }))).toEqual([
    { index: 0, phase: 'succeeded', exitCode: 0 },
    { index: 1, phase: 'succeeded', exitCode: 0 },
  ]);
  // Both are billed from Ready to their ends, and nothing is open.
  expect(done.status.intervals?.every(({ to }) => to !== undefined)).toBe(true);
  expect(done.status.intervals?.every(({ run }) => run === 1)).toBe(true);
});

test('a failing program is tried again as often as wished, and its exit code and last lines are told', async () => {
  const broken = await make('broken', { retries: 1, command: sh('echo no such table', 'exit 3') });
  const failed = await broken.reaches('failed');
  expect(failed.status.run).toMatchObject({ seq: 2, cause: 'retry', exitCode: 3, failures: 1 });
  expect(failed.status.message).toContain('exit code 3');
  expect(failed.status.message).toContain('no such table');
  expect(failed.status.runs?.map(({ seq, exitCode }) => ({ seq, exitCode }))).toEqual([
    { seq: 2, exitCode: 3 },
    { seq: 1, exitCode: 3 },
  ]);
});

test('what is written reaches a program unchanged, and names a variable only where that is asked for', async () => {
  const written = await make('written', {
    env: [
      { name: 'PASSWORD', value: 'pa$$word$' },
      { name: 'NAMES', value: '$(PASSWORD)' },
      { name: 'READS', value: '<$(PASSWORD)>', expand: true },
    ],
    command: ['sh', '-c', 'echo "$PASSWORD $NAMES $READS $*"; exit 3', 'sh', '$(PASSWORD)', '$$', '$é'],
  });
  const failed = await written.reaches('failed');
  expect(failed.status.message).toContain('pa$$word$ $(PASSWORD) <pa$$word$> $(PASSWORD) $$ $é');
});

test('a program that the image does not have is told by its name', async () => {
  const absent = await make('absent', { command: ['nosuch', '--flag'] });
  const failed = await absent.reaches('failed');
  expect(failed.status.message).toContain('the program could not be started: exec: "nosuch"');
});

test('a job that can never start is in no queue, and one that waits for CPU is told so by the queue', async () => {
  const never = await make('never', { gpu: { model: 'No-Such-Card', count: 1 } });
  const told = await never.becomes('told', ({ status }) => status.reason === 'UnknownGpuModel');
  expect(told.status.conditions).toContainEqual(expect.objectContaining({ type: 'CanStart', status: 'False' }));
  expect(told.status.run).not.toHaveProperty('queuedAt');
  await never.release();

  const wide = await make('wide', { cores: 100 });
  const waits = await wide.becomes('waiting for CPU', ({ status }) => status.reason === 'InQueueBecause', 60_000);
  expect(waits.status.message).toContain('cpu');
  await wide.release();
});

test('a job that is suspended frees its workers, and begins again when it is resumed', async () => {
  const nap = await make('nap', { command: UNTIL_TOLD });
  await nap.reaches('running');
  await nap.wish({ power: 'Suspended' });
  const suspended = await nap.reaches('suspended');
  expect(suspended.status.intervals?.every(({ to }) => to !== undefined)).toBe(true);
  await nap.wish({ power: 'Running' });
  expect((await nap.reaches('running')).status.run).toMatchObject({ seq: 2, cause: 'resume' });
  await nap.wish({ power: 'Stopped' });
  await nap.reaches('stopped');
  await nap.release();
  await nap.isGone();
});

test('what a worker wrote is kept as soon as it ends, and can be read after the job and its Pods', async () => {
  const two = sh('echo "rank $RANK was here"', '[ "$RANK" = 0 ] && exit 0', 'trap "exit 143" TERM', 'sleep 600 & wait');
  const chatty = await make('chatty', { workers: 2, command: two });
  const underway = await chatty.becomes('kept in part', ({ status }) => status.workers?.[0]?.log !== undefined);
  expect(underway.status.workers?.[0]).toMatchObject({ phase: 'succeeded', log: { isCut: false } });
  expect(underway.status.workers?.[1]).not.toHaveProperty('endedAt');
  expect(underway.status.run).not.toHaveProperty('endedAt');

  await chatty.reaches('running');
  await chatty.wish({ power: 'Stopped' });
  await chatty.reaches('stopped');
  const kept = await chatty.becomes('kept', ({ status }) =>
    Boolean(status.runs?.[0]?.workers?.every(({ log }) => log !== undefined)),
  );
  await eventually('its Pods are gone', () => {
    const left = stage()
      .pods.living()
      .filter(({ metadata: { name } }) => name.startsWith('chatty-'));
    return left.length === 0 || undefined;
  });
  const logs = kept.status.runs?.[0]?.workers?.map(({ log }) => log?.image ?? '') ?? [];
  expect(await Promise.all(logs.map(keptLog))).toEqual(['rank 0 was here\n', 'rank 1 was here\n']);
});

test('a gang that the queue lets in and the nodes cannot take starts whole or not at all, and pays for nothing until then', async () => {
  // Two nodes of four cards, one with two left: enough for the gang in sum, and not for its second worker.
  const gpu = (count: number) => ({ model: 'NVIDIA-L40S', count });
  const filler = await make('filler', { gpu: gpu(2) });
  await filler.reaches('running');
  const gang = await make('apart', { workers: 2, gpu: gpu(3) });
  const refused = await gang.becomes('taken back', ({ status }) => (status.run?.unplaced ?? 0) > 0);
  expect(refused.status.runs?.[0]).toMatchObject({ exit: 'NotAllPlaced' });

  await filler.wish({ power: 'Stopped' });
  const { status } = await gang.reaches('running', 240_000);
  expect(status.intervals?.[0]).toMatchObject({ parts: '0-1', run: status.run?.seq });
  const billed = gang.states.flatMap((seen) => seen.status?.intervals?.map(({ parts }) => parts) ?? []);
  expect([...new Set(billed)]).toEqual(['0-1']);
  await gang.release();
}, 600_000);

test('ten jobs share two GPUs in order, at the announced positions', async () => {
  const two = await stage().organization('two', { quota: { gpus: 2 } });
  const turn = (number: number, command: string[]) =>
    jobs.make(two.namespace, `turn-${number}`, { ...SMALL, gpu: card, command });
  const holders = await Promise.all([0, 1].map((number) => turn(number, UNTIL_TOLD)));
  await Promise.all(holders.map((one) => one.reaches('running')));

  const line: Tracked<Job>[] = [];
  for (let place = 1; place <= 8; place++) {
    const one = await turn(place + 1, sh('sleep 3'));
    line.push(one);
    const announced = await one.becomes('announced', ({ status }) => status.queue !== undefined, 30_000);
    expect(announced.status).toMatchObject({ phase: 'queued', queue: { position: place, aheadGpus: place - 1 } });
    // Kueue orders by whole seconds.
    const second = Math.floor(Date.now() / 1000);
    await eventually('the next second', () => Math.floor(Date.now() / 1000) > second || undefined);
  }
  await Promise.all(holders.map((one) => one.wish({ power: 'Stopped' })));
  await Promise.all(line.map((one) => one.reaches('succeeded')));

  const starts = line.map(({ last }) => Date.parse(last.status.run?.admittedAt ?? ''));
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  // Never more than two at once.
  const spans = [...holders, ...line].map(({ last: { status } }) => ({
    from: Date.parse(status.run?.startedAt ?? ''),
    to: Date.parse(status.run?.endedAt ?? ''),
  }));
  for (const { from } of spans) {
    expect(spans.filter((other) => other.from <= from && from < other.to).length).toBeLessThanOrEqual(2);
  }
  // Each saw its place shrink, and nobody was told a place behind its real one.
  for (const one of line) {
    const places = one.states.flatMap(({ status }) => status?.queue?.position ?? []);
    expect(places).toEqual(places.toSorted((a, b) => b - a));
  }
});

soakTest(
  'a worker’s node dies, and the job finishes on another at no try',
  async () => {
    const travel = await make('travel', {
      retries: 0,
      gpu: { model: 'Tesla-T4', count: 5 },
      command: sh('sleep 20'),
    });
    const running = await travel.reaches('running');
    const pod = stage().pods.latest(acme.namespace, running.status.workers?.[0]?.pod ?? '');
    if (!pod) throw new Error('the worker has no Pod');
    const node = RealNode.of(stage().cluster, pod);
    await node.fallsSilent();
    try {
      // Forty seconds until Kubernetes calls it silent, and five minutes from then on: its program may still run.
      const again = await travel.becomes('on another node', ({ status }) => status.run?.seq === 2, 420_000);
      expect(again.status.run).toMatchObject({ cause: 'node' });
      expect(again.status.excludedNodes).toEqual([node.name]);
      const done = await travel.reaches('succeeded', 240_000);
      expect(done.status.run?.failures ?? 0).toBe(0);
      expect(done.status.workers?.[0]?.node).not.toBe(node.name);
    } finally {
      await node.speaksAgain();
    }
  },
  15 * 60_000,
);
