// Every row of the phase table (decisions section 2), each reached by its real cause and observed by a watch: short states are
// recorded too. Saving, logins and GPU faults have their own stories.
import { type GpuInstanceSpec, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import type { Instance } from './instance.ts';
import { setStage, type Tenant } from './stage.ts';

const MISSING = 'registry.gantry.internal/official/none:1';
const BUSYBOX = 'registry.gantry.internal/official/busybox:1.36';
const MODEL = 'Tesla-T4';
const NOTEBOOK = 8888;

/** Longer than the network's minute and a slow start, so that one silent instance shows both. */
const stage = setStage('--create-timeout=100s');
let acme: Tenant;
/** Its minute begins with the container, the time for its creation with its node: it starts before the crowd does. */
let silent: Instance;
beforeAll(async () => {
  acme = await stage().organization('phases', { quota: { gpus: 64, cores: 10_000 } });
  silent = await acme.instance('silent', { notebookPort: NOTEBOOK });
  await silent.reaches('createSuccess');
});

const sh = (...lines: string[]) => ({ command: ['sh', '-c', lines.join('\n')] });
const once = (file: string) => `until [ -e ${file} ]; do sleep 0.2; done; rm ${file}`;

test.concurrent('creating, stopping, resuming, rebooting, editing, shutting down, starting', async () => {
  const dev = await acme.instance('obedient');
  const created = await dev.reaches('creating');
  expect(created.status).toMatchObject({ reason: 'PullingImage', health: 'notReady' });
  expect(created.status.message).toBe(`Node ${created.status.node} is pulling the image and preparing the container.`);
  expect((await dev.reaches('running')).status).toMatchObject({ reason: 'Running', health: 'normal' });

  await dev.wish({ power: 'Stopped' });
  expect((await dev.reaches('stopping')).status.message).toBe('The container is being stopped.');
  expect((await dev.reaches('stopped')).status).toMatchObject({
    reason: 'AtRest',
    message: 'The instance is not running; its home disk is kept.',
    health: 'notReady',
  });
  await dev.wish({ power: 'Running' });
  await dev.reaches('resuming');
  await dev.reaches('running');
  await dev.wish({ rebootCount: 1 });
  await dev.reaches('hard_rebooting');
  await dev.reaches('running');
  await dev.wish({ cores: 0.2 });
  await dev.reaches('update');
  await dev.reaches('running');
  await dev.wish({ power: 'ShutDown' });
  await dev.reaches('shuttingDown');
  expect((await dev.reaches('shutDown')).status).toMatchObject({ reason: 'AtRest', settledPower: 'ShutDown' });
  await dev.wish({ power: 'Running' });
  await dev.reaches('starting');
  await dev.reaches('running');
});

test.concurrent('hibernating and restoring', async () => {
  const dev = await acme.instance('sleepy');
  await dev.reaches('running');
  await dev.wish({ power: 'Hibernated' });
  expect((await dev.reaches('hibernating')).status.reason).toBe('Ending');
  expect((await dev.reaches('shutDown')).status).toMatchObject({
    reason: 'Hibernated',
    message: 'The instance is hibernated; its home is kept.',
    settledPower: 'Hibernated',
  });
  await dev.wish({ power: 'Running' });
  await dev.reaches('restoring');
  expect((await dev.reaches('running')).status.run).toMatchObject({ seq: 2, cause: 'restore' });
});

test.concurrent('releasing while a part is left, released while only billing holds it', async () => {
  const dev = await acme.instance('leaving');
  await dev.reaches('running');
  await dev.wish({ power: 'ShutDown' });
  await dev.reaches('shutDown');
  await dev.setFinalizers([FINALIZER.operator, FINALIZER.billing]);
  await dev.release();
  expect((await dev.reaches('releasing')).status.message).toBe(
    'The instance and everything that belongs to it are being deleted.',
  );
  await dev.reaches('released');
  await dev.becomes("billing's alone", ({ metadata }) => `${metadata.finalizers}` === FINALIZER.billing);
  await dev.setFinalizers([]);
  await dev.isGone();
});

test.concurrent('createFailed: an image that is not there; update: the edit that mends it; failed: the same in a later run', async () => {
  const dev = await acme.instance('mistaken', { image: MISSING });
  const failed = await dev.reaches('createFailed');
  expect(failed.status.reason).toBe('ImageNotFound');
  expect(failed.status.message).toMatch(`The image ${MISSING} cannot be pulled: `);
  await dev.wish({ image: BUSYBOX });
  await dev.reaches('update');
  await dev.reaches('running');
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped');
  await dev.wish({ power: 'Running', image: MISSING });
  await dev.reaches('resuming');
  expect((await dev.reaches('failed')).status.reason).toBe('ImageNotFound');
  await dev.wish({ power: 'ShutDown' });
  await dev.reaches('shutDown');
});

test.concurrent('createFailed: a quota that is used up, until there is more', async () => {
  const poor = await stage().organization('thrifty', { quota: { cores: 0 } });
  const dev = await poor.instance('dev');
  expect((await dev.reaches('createFailed')).status).toMatchObject({
    reason: 'QuotaExceeded',
    message:
      "The organisation's quota does not allow it: 0.1 CPU cores are requested, and 0 of the 0 that it may use are in use. Request less, release what is not needed, or ask the provider for a larger quota.",
  });
  await poor.wish({ quota: { cores: 4 } });
  await dev.reaches('running');
});

test.concurrent('createFailed: three exits before it was ever ready', async () => {
  const dev = await acme.instance('hasty', { notebookPort: NOTEBOOK, ...sh('sleep 1; exit 3') });
  const waiting = await dev.becomes('waiting after its exit', ({ status }) => status.reason === 'WaitingAfterExit');
  expect(waiting.status).toMatchObject({ phase: 'starting', run: { seq: 2, cause: 'crash', exits: 1 } });
  expect(waiting.status.message).toBe(
    `The program ended: exit code 3. The next start is at ${waiting.status.run?.notBefore}.`,
  );
  expect((await dev.reaches('createFailed')).status).toMatchObject({
    reason: 'ExitedOften',
    message: expect.stringMatching(
      /^The program ended [3-9] times in a row, last with exit code 3\. The next start is at 20.*Z\.$/,
    ),
    run: { seq: 4, exits: 3 },
  });
});

test.concurrent('failed: three exits after it was ready; starting again makes it abnormal', async () => {
  const dev = await acme.instance('unsteady', sh('sleep 3; echo no such table; exit 4'));
  await dev.reaches('running');
  // A busy operator hears of several exits at once: which starts between them are seen is not certain.
  expect((await dev.reaches('failed')).status).toMatchObject({
    reason: 'ExitedOften',
    message: expect.stringMatching(
      /^The program ended [3-9] times in a row, last with exit code 4, after it wrote “no such table”\. The next start is at 20.*Z\.$/,
    ),
  });
  expect((await dev.reaches('running')).status).toMatchObject({ health: 'abnormal', run: { cause: 'crash' } });
});

test.concurrent('failed: out of memory', async () => {
  const dev = await acme.instance('greedy', sh(once('/root/eat'), 'tail /dev/zero'));
  await dev.reaches('running');
  await dev.sh('touch /root/eat');
  expect((await dev.reaches('failed')).status).toMatchObject({
    reason: 'OutOfMemory',
    message: expect.stringMatching(
      /^The program used more than its 0\.125 GiB of memory and was killed \(exit code 137\); the next start is at 20/,
    ),
    run: { seq: 2, cause: 'crash', lastExit: 'OOMKilled' },
  });
  expect((await dev.reaches('running')).status.health).toBe('abnormal');
});

test.concurrent('failed: evicted', async () => {
  const dev = await acme.instance('evicted');
  await dev.reaches('running');
  const metadata = { name: dev.podName(), namespace: dev.namespace };
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/eviction`;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
  await mustCallApi(stage().cluster, { method: 'POST', path, body });
  expect((await dev.reaches('failed')).status).toMatchObject({
    reason: 'Evicted',
    message: 'The node evicted the instance; it starts again, on another node if necessary.',
  });
  await dev.reaches('running');
});

test.concurrent('createSuccess until the notebook answers; running, but notReady, when it falls silent later', async () => {
  const dev = await acme.instance('notebook', {
    notebookPort: NOTEBOOK,
    ...sh(
      once('/root/open'),
      `httpd -p ${NOTEBOOK}`,
      once('/root/close'),
      'killall httpd',
      once('/root/open'),
      `httpd -f -p ${NOTEBOOK}`,
    ),
  });
  expect((await dev.reaches('createSuccess')).status).toMatchObject({
    reason: 'WaitingForReady',
    message: 'The container is running but not ready yet.',
    health: 'notReady',
  });
  await dev.sh('touch /root/open');
  expect((await dev.reaches('running')).status.health).toBe('normal');
  await dev.sh('touch /root/close');
  expect((await dev.becomes('notReady', ({ status }) => status.health === 'notReady')).status.phase).toBe('running');
  await dev.sh('touch /root/open');
  expect((await dev.becomes('normal again', ({ status }) => status.health === 'normal')).status.phase).toBe('running');
});

test.concurrent('networkTimeout: the notebook is silent for a minute; createTimeout: for longer than a creation may take', async () => {
  expect((await silent.reaches('networkTimeout')).status).toMatchObject({
    reason: 'NotebookSilent',
    message: `Port ${NOTEBOOK} did not answer for 60 seconds. The container can be used, and has been billed since login became possible.`,
  });
  const late = await silent.reaches('createTimeout');
  expect(late.status.reason).toBe('NotebookSilent');
  expect(meteredRuns(late)).toMatchObject([{ from: late.status.run?.answeredAt }]);
  await silent.wish({ power: 'Stopped' });
  await silent.reaches('stopped');
});

test.concurrent('preparing: why there is no place, in numbers', async () => {
  const whyNot = async (name: string, spec: Partial<GpuInstanceSpec>) => {
    const dev = await acme.instance(name, spec);
    const { status } = await dev.becomes(
      'told why',
      ({ status }) => !['Scheduling', undefined].includes(status.reason),
    );
    expect(status.phase).toBe('preparing');
    return { dev, message: status.message };
  };
  const cards = (count: number) => ({ gpu: { model: MODEL, count } });
  // More than half a node each, so that no node has room for both.
  const holders = [await acme.instance('holder-a', cards(5)), await acme.instance('holder-b', cards(5))];
  for (const holder of holders) await holder.reaches('running');

  const first = await whyNot('wants-eight', cards(8));
  expect(first.message).toBe(`Needs 8 × ${MODEL}; 6 free on 2 nodes; ahead of you: 0.`);
  const second = await whyNot('wants-four', cards(4));
  expect(second.message).toBe(`Needs 4 × ${MODEL}; 6 free on 2 nodes; ahead of you: 1.`);
  const { message: tooMany } = await whyNot('wants-nine', cards(9));
  expect(tooMany).toBe(`Needs 9 × ${MODEL} on one node; the largest node has 8. Choose at most 8.`);
  const { message: unknown } = await whyNot('wants-abacus', { gpu: { model: 'Abacus', count: 1 } });
  expect(unknown).toBe(`No node has the GPU model Abacus. The cluster has: ${(await models()).join(', ')}.`);
  const { message: noRoom } = await whyNot('wants-cores', { cores: 500 });
  expect(noRoom).toMatch(
    /^Needs 500 cores and 0\.125 GiB on one node; the node with the most room has [\d.]+ CPU and [\d.]+ GiB free; ahead of you: \d+\.$/,
  );

  for (const holder of holders) await holder.wish({ power: 'ShutDown' });
  await Promise.all([first.dev.reaches('running'), second.dev.reaches('running')]);
});

test('nothing of the table was left out; lost_contact has stories of its own', () => {
  const reached = stage()
    .instances.everything()
    .map(({ status }) => status?.phase);
  const phases = Object.keys(gpuInstance.phases).filter((phase) => phase !== 'lost_contact');
  expect(phases.filter((phase) => !reached.includes(phase))).toEqual([]);
});

/** As the nodes carry them. */
async function models(): Promise<string[]> {
  const { body } = await mustCallApi(stage().cluster, { path: '/api/v1/nodes' });
  const { items }: { items: Node[] } = JSON.parse(body);
  return [...new Set(items.flatMap(({ metadata }) => metadata.labels?.[LABEL.gpuModel] ?? []))].sort();
}
