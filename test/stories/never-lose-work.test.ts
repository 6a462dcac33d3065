// Work is never lost: what a tenant installed, changed and deleted anywhere in the container is there again after every kind of
// end, and on another node if necessary. One instance lives through everything that preserves it; others through the special
// cases.
import { MOST_PROCESSES } from '@gantry/contract/kinds/instance-limits.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startNodeAgent, waitNodeAgent } from '../../hack/node-agent.ts';
import { stopProcess } from '../../hack/process.ts';
import { startRegistry } from '../../hack/registry.ts';
import { eventually } from '../support/eventually.ts';
import type { Instance, Seen } from './instance.ts';
import { offerNetworkDisk, takeNetworkDisks } from './network-disk.ts';
import { RealNode } from './real-node.ts';
import { setStage, type Tenant } from './stage.ts';

const stage = setStage();
/** A save and a start on a busy machine. */
const SAVED_WITHIN_MS = 120_000;

let acme: Tenant;
/** Its home can be mounted on either node. */
let dev: Instance;

beforeAll(async () => {
  acme = await stage().organization('keep', { members: [{ account: 'ada', role: 'member' }], quota: { gpus: 64 } });
  const homeDisk = await offerNetworkDisk(stage(), acme, 'dev');
  const command = ['sh', '-c', 'until [ -e /root/eat ]; do sleep 0.2; done; rm /root/eat; tail /dev/zero'];
  dev = await acme.instance('dev', { homeDisk, command });
  await dev.reaches('running');
  await dev.sh(INSTALL);
});
afterAll(() => takeNetworkDisks(stage()));

/** A program, a file beside the system's, one at home, and one of the image that is gone from then on. */
const INSTALL = [
  'mkdir -p /usr/local/bin /opt/empty',
  'printf "#!/bin/sh\\necho it works\\n" > /usr/local/bin/tool && chmod 750 /usr/local/bin/tool',
  'echo mine > /etc/mine && ln -s /etc/mine /etc/also',
  'head -c 3000000 /dev/urandom > /opt/large && md5sum < /opt/large > /root/sum',
  'echo kept > /root/notes',
  'rm /bin/nc',
].join(' && ');
const LOOK =
  'tool; cat /etc/also /root/notes; stat -c %a /usr/local/bin/tool; md5sum < /opt/large | cmp - /root/sum && echo same; [ -d /opt/empty ] && echo empty; [ -e /bin/nc ] || echo gone';
const ALL = ['it works', 'mine', 'kept', '750', 'same', 'empty', 'gone'].join('\n');

const isThere = async (instance = dev) => expect(await instance.sh(`PATH=$PATH:/usr/local/bin; ${LOOK}`)).toBe(ALL);
const nodeOf = (instance: Instance) => RealNode.of(stage().cluster, instance.pod());
const rootKept = ({ status }: Seen) => status.conditions?.find(({ type }) => type === 'RootKept');
/** Until a later run is there and runs. */
const runsAgain = (instance: Instance, seq = (instance.now.status?.run?.seq ?? 0) + 1) =>
  instance.becomes(
    `running in run ${seq}`,
    ({ status }) => status.phase === 'running' && (status.run?.seq ?? 0) >= seq && status.health !== 'notReady',
    SAVED_WITHIN_MS,
  );
async function after(what: () => Promise<unknown>, instance = dev): Promise<Seen> {
  const seq = (instance.now.status?.run?.seq ?? 0) + 1;
  await what();
  const seen = await runsAgain(instance, seq);
  await isThere(instance);
  return seen;
}

test('stopped and resumed', async () => {
  await dev.wish({ power: 'Stopped' });
  const saving = await dev.becomes('saving', ({ status }) => status.reason === 'SavingRoot');
  expect(saving.status.phase).toBe('stopping');
  const { status } = await dev.reaches('stopped', SAVED_WITHIN_MS);
  expect(status.snapshot).toEqual({ name: 'dev-1', phase: 'ready' });
  expect(status.root).toMatchObject({ of: dev.now.spec.image, seq: 1, layers: 1 });
  expect(status.root?.image).toMatch(
    new RegExp(`^registry.gantry.internal/${acme.namespace}/dev.root:1@sha256:[0-9a-f]{64}$`),
  );
  expect(rootKept({ status } as Seen)).toMatchObject({ status: 'True' });
  await after(() => dev.wish({ power: 'Running' }));
  expect(dev.pod().spec?.containers[0]).toMatchObject({ image: status.root?.image });
});

test('process 1 killed from the node', async () => {
  const { status } = await after(() => nodeOf(dev).killsProcessOne(dev.pod()));
  expect(status.run).toMatchObject({ cause: 'crash', lastExit: 'exit code 137' });
});

test('edited to more memory', async () => {
  await after(() => dev.wish({ memoryGi: 0.1875 }));
});

test('out of memory', async () => {
  const { status } = await after(() => dev.sh('touch /root/eat'));
  expect(status.run).toMatchObject({ cause: 'crash', lastExit: 'OOMKilled' });
});

test('a hard reboot', async () => {
  const { status } = await after(() => dev.wish({ rebootCount: 1 }));
  // The kubelet removes the files of a deleted Pod at once; the agent has taken its log before.
  expect(status.runs?.[0]).toMatchObject({ cause: 'crash', exit: 'Stopped', log: { isCut: false } });
});

test('its node drained: it goes on on the other', async () => {
  const before = nodeOf(dev).name;
  const { kubectl } = stage();
  try {
    await after(() =>
      kubectl.must([
        'drain',
        before,
        '--ignore-daemonsets',
        '--delete-emptydir-data',
        '--force',
        `--pod-selector=gantry.dev/name=${dev.name}`,
      ]),
    );
    expect(nodeOf(dev).name).not.toBe(before);
  } finally {
    await kubectl.must(['uncordon', before]);
  }
});

test('its Pod deleted by hand', async () => {
  await after(() => stage().kubectl.must(['delete', 'pod', dev.podName(), '-n', dev.namespace, '--wait=false']));
});

test('only the newest save is kept, and a few layers', async () => {
  const { items } = JSON.parse(await stage().kubectl.must(['get', 'snapshots', '-n', dev.namespace, '-o', 'json']));
  const saves = (items as Snapshot[]).filter(({ spec }) => spec.instance === 'dev');
  expect(saves.map(({ spec, status }) => [spec.of, status?.phase])).toEqual([['Root', 'ready']]);
  expect(dev.now.status?.root?.layers).toBeLessThanOrEqual(16);
});

test('exported, it is an image of the organisation, from which a second instance has the program', async () => {
  const { kubectl } = stage();
  const source = `registry.gantry.internal/${acme.namespace}/tools:1`;
  await after(() =>
    kubectl.must(['apply', '-f', '-'], {
      apiVersion: 'gantry.dev/v1alpha1',
      kind: 'Image',
      metadata: { name: 'tools', namespace: acme.namespace },
      spec: { source, fromInstance: 'dev' },
    }),
  );
  await eventually(
    'the image is ready',
    async () =>
      (await kubectl.must(['get', 'image', 'tools', '-n', acme.namespace, '-o', 'jsonpath={.status.phase}'])) ===
      'ready',
    SAVED_WITHIN_MS,
  );
  const second = await acme.instance('second', { image: source });
  await second.reaches('running', SAVED_WITHIN_MS);
  expect(await second.sh('/usr/local/bin/tool; cat /etc/mine; [ -e /bin/nc ] || echo gone')).toBe(
    'it works\nmine\ngone',
  );
  await second.wish({ power: 'ShutDown' });
});

test('and another organisation cannot pull it', async () => {
  const { kubectl } = stage();
  const image = `registry.gantry.internal/${acme.namespace}/tools:1`;
  const foe = await stage().organization('foe');
  const refused = await kubectl.run(['apply', '-f', '-'], {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Image',
    metadata: { name: 'loot', namespace: foe.namespace },
    spec: { source: image },
  });
  expect(refused.stderr).toContain(`you can use only ${foe.namespace}/… and official/…`);
});

test('hibernated, its home leaves the node it was tied to, and comes back on the other', async () => {
  const { kubectl } = stage();
  const sleepy = await acme.instance('sleepy');
  await sleepy.reaches('running');
  await sleepy.sh(INSTALL);
  const before = nodeOf(sleepy).name;
  await sleepy.wish({ power: 'Hibernated' });
  await sleepy.becomes('saving its home', ({ status }) => status.reason === 'SavingHome', SAVED_WITHIN_MS);
  const { status } = await sleepy.reaches('shutDown', SAVED_WITHIN_MS);
  expect(status).toMatchObject({ reason: 'Hibernated', home: { seq: 1 }, root: { seq: 1 } });
  const claims = await kubectl.must([
    'get',
    'pvc,pod',
    '-n',
    acme.namespace,
    '-l',
    'gantry.dev/name=sleepy',
    '-o',
    'name',
  ]);
  expect(claims.trim()).toBe('');
  try {
    await kubectl.must(['cordon', before]);
    const seen = await after(() => sleepy.wish({ power: 'Running' }), sleepy);
    expect(seen.status.run).toMatchObject({ seq: 2, cause: 'restore' });
    expect(seen.status.node).not.toBe(before);
    expect(seen.status).not.toHaveProperty('home');
  } finally {
    await kubectl.must(['uncordon', before]);
  }
  await sleepy.wish({ power: 'ShutDown' });
});

test('an instance with a full home is abnormal; one that fills its root file system is ended, says so, and goes on with what it wrote', async () => {
  const full = await acme.instance('full');
  await full.reaches('running');
  expect(await nodeOf(full).processLimit(full.pod())).toBe(String(MOST_PROCESSES));
  await full.sh(INSTALL);
  await full.sh('dd if=/dev/zero of=/root/rest bs=1M || true');
  const measured = await full.becomes('measured', ({ status }) => status.health === 'abnormal', SAVED_WITHIN_MS);
  expect(measured.status.conditions).toContainEqual(
    expect.objectContaining({ type: 'DisksHaveRoom', status: 'False', reason: 'HomeFull' }),
  );
  // Reported in steps of 16 MiB: where it was measured before the installation, not again after it.
  expect(measured.status.usage?.rootBytes).toBeGreaterThan(0);
  await full.sh('rm /root/rest');
  const seq = (full.now.status?.run?.seq ?? 0) + 1;
  // One GiB is the limit of an instance of this size.
  await full.sh('dd if=/dev/zero of=/opt/rest bs=1M count=1100');
  const { status } = await full.becomes('failed for it', ({ status }) => status.reason === 'RootFull', SAVED_WITHIN_MS);
  expect(status.phase).toBe('failed');
  expect(status.run).toMatchObject({ cause: 'crash', lastExit: 'RootFull', exits: 1 });
  expect(status.message).toContain('more than 1 GiB');
  expect(rootKept(await runsAgain(full, seq))).toMatchObject({ status: 'True' });
  expect(await full.sh('stat -c %s /opt/rest')).toBe(String(1100 * 1024 ** 2));
  await isThere(full);
  await full.wish({ power: 'ShutDown' });
});

test('the registry is down while it stops: said, tried again, and saved when it is back; so is a shutdown', async () => {
  const { cluster } = stage();
  await stopProcess(cluster, 'registry');
  try {
    await dev.wish({ power: 'Stopped' });
    const waiting = await dev.becomes('told', ({ status }) => status.reason === 'SaveRetrying', SAVED_WITHIN_MS);
    expect(waiting.status.phase).toBe('stopping');
    expect(rootKept(waiting)).toMatchObject({ status: 'Unknown', reason: 'SaveRetrying' });
    await dev.wish({ power: 'ShutDown' });
    expect((await dev.reaches('shuttingDown')).status.reason).toBe('SaveRetrying');
  } finally {
    await startRegistry(cluster);
  }
  await dev.reaches('shutDown', SAVED_WITHIN_MS);
  await after(() => dev.wish({ power: 'Running' }));
});

test('no agent on its node: the condition says that only the home is kept', async () => {
  const { cluster, kubectl } = stage();
  const { name } = nodeOf(dev);
  const lease = ['lease', `${name}.agent`, '-n', 'gantry-system'];
  try {
    await kubectl.must(['delete', 'daemonset', `gantry-agent-${name}`, '-n', 'gantry-system']);
    await kubectl.must([
      'wait',
      '--for=delete',
      'pod',
      '-l',
      `kubernetes.io/hostname=${name}`,
      '-n',
      'gantry-system',
      '--timeout=60s',
    ]);
    await kubectl.must(['delete', ...lease]);
    const warned = await dev.becomes('told', (seen) => rootKept(seen)?.reason === 'NoAgentOnNode');
    expect(rootKept(warned)?.message).toBe(
      `Node ${name} has no agent: only the home disk at /root is kept, and other files are lost when the container ends.`,
    );
    await dev.sh('echo later > /etc/mine');
    await dev.wish({ power: 'Stopped' });
    const { status } = await dev.reaches('stopped');
    expect(rootKept({ status } as Seen)).toMatchObject({ status: 'False', reason: 'NoAgentOnNode' });
  } finally {
    await startNodeAgent(cluster);
    await waitNodeAgent(cluster);
  }
  // The last good save, and the home.
  await after(() => dev.wish({ power: 'Running' }));
});
