// Stop after stop of one instance: its saves stay small, on the node and in the registry, and nothing is lost. Then stops that
// something on its node does not survive.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crane } from '../../hack/crane.ts';
import { findProcess } from '../../hack/process.ts';
import { startTokens } from '../../hack/registry.ts';
import { run } from '../../hack/run.ts';
import { eventually } from '../support/eventually.ts';
import { isSoak, turnTest } from '../support/soak.ts';
import type { Instance, Seen } from './instance.ts';
import { RealNode } from './real-node.ts';
import { setStage, type Tenant } from './stage.ts';
import { SWEPT_SOON } from './swept-soon.ts';

const stage = setStage('--probe-every=24h');
const STOPS = isSoak ? 100 : 3;
const MOST_LAYERS = 16;
/** The layers of one save hold at most this many times the visible data. */
const MOST_TIMES = 4;
/** Manifests, configurations and links. */
const SLACK_BYTES = 2 ** 20;
const WITHIN_MS = 90_000;
const HOUR_MS = 3_600_000;

/** Each run writes its own file, and rewrites a shared one. */
const OWN_BYTES = 100_000;
const ANEW_BYTES = 1_000_000;

let acme: Tenant;
/** Its home, and so the instance, stays on one node. */
let dev: Instance;
let bytesBefore = 0;
beforeAll(async () => {
  acme = await stage().organization('stops');
  dev = await acme.instance('dev');
  await dev.reaches('running', WITHIN_MS);
  bytesBefore = await registryBytes();
});
// Others expect the usual pace of sweeping, and a registry that answers.
afterAll(async () => {
  await signalRegistry('SIGCONT');
  await startTokens(stage().cluster);
});

const nodeOf = () => RealNode.of(stage().cluster, dev.pod());

/** A file of this run is written, and its sum noted at home. */
const work = (name: string) =>
  dev.sh(
    `mkdir -p /opt && head -c ${ANEW_BYTES} /dev/urandom > /opt/anew && head -c ${OWN_BYTES} /dev/urandom > /opt/${name} && cd /opt && md5sum ${name} >> /root/sums && md5sum anew > /root/anew`,
  );
/** Each file that was ever written is there, and as it was. */
const isAllThere = async (files: number) => {
  expect(await dev.sh('cd /opt && md5sum -c /root/anew && md5sum -c /root/sums | grep -c OK')).toBe(
    `anew: OK\n${files}`,
  );
};

async function stop(): Promise<Seen> {
  await dev.wish({ power: 'Stopped' });
  return dev.reaches('stopped', WITHIN_MS);
}

async function resume(): Promise<void> {
  await dev.wish({ power: 'Running' });
  await dev.reaches('running', WITHIN_MS);
}

async function signalRegistry(signal: NodeJS.Signals): Promise<void> {
  const registry = await findProcess(stage().cluster, 'registry');
  if (registry) process.kill(registry.pid, signal);
}

const registryBytes = async () => Number((await run('du', ['-sb', stage().cluster.registry.dir])).split('\t')[0]);
const tags = async () => {
  const { address } = stage().cluster.registry;
  return (await crane(stage().cluster, ['ls', `${address}/${acme.namespace}/dev.root`])).trim().split('\n');
};

/** Old saves leave the registry, and the newest stays. */
async function isSwept(): Promise<void> {
  const { cluster } = stage();
  await startTokens(cluster, SWEPT_SOON);
  const newest = `${dev.now.status?.root?.seq}`;
  await eventually('only the newest save has a tag', async () => (await tags()).join() === newest, 2 * WITHIN_MS);
}

test(
  `${STOPS} stops in a row: few layers, little room, and every file is there`,
  async () => {
    const node = nodeOf();
    for (let count = 1; count <= STOPS; count++) {
      await work(`run-${count}`);
      const since = performance.now();
      const { status } = await stop();
      const { seq, layers = 0, totalBytes = 0 } = status.root ?? {};
      expect(seq).toBe(count);
      expect(layers).toBeLessThanOrEqual(MOST_LAYERS);
      expect(totalBytes).toBeLessThan(MOST_TIMES * (count * OWN_BYTES + ANEW_BYTES));
      await resume();
      const seconds = Math.round(performance.now() - since) / 1000;
      if (isSoak)
        console.log(
          JSON.stringify({
            count,
            seconds,
            layers,
            totalBytes,
            registry: await registryBytes(),
            ...(await node.room()),
          }),
        );
    }
    await isAllThere(STOPS);
    await eventually('the node holds on to no ended container', async () => (await node.savesKept()) === 0, WITHIN_MS);
  },
  isSoak ? HOUR_MS : undefined,
);

turnTest(1, 'once swept, the registry holds the newest save and no other', async () => {
  await isSwept();
  const { totalBytes = 0 } = dev.now.status?.root ?? {};
  const grown = async () => (await registryBytes()) - bytesBefore;
  await eventually('its room is given back', async () => (await grown()) < totalBytes + SLACK_BYTES, WITHIN_MS);
});

interface Blow {
  readonly what: string;
  readonly fall: (node: RealNode) => Promise<void>;
  readonly rise: (node: RealNode) => Promise<void>;
}

const CONTAINERD: Blow = {
  what: 'containerd is killed',
  fall: (node) => node.restartsContainerd(),
  rise: async () => {},
};
const KUBELET: Blow = {
  what: 'the kubelet is killed',
  fall: (node) => node.losesKubelet(),
  rise: (node) => node.startsKubelet(),
};
const NODE: Blow = {
  what: 'the node is lost, its agent too',
  fall: async (node) => {
    await node.losesKubelet();
    await node.losesAgent();
    await node.losesContainerd();
    await eventually('its silence is noticed', () => node.isReady().then((is) => !is), WITHIN_MS);
  },
  rise: async (node) => {
    await node.restartsContainerd();
    await node.startsKubelet();
  },
};

test.each([CONTAINERD, KUBELET, ...(isSoak ? [NODE] : [])])(
  '$what while a stop is saved: it is saved in the end, and nothing is left behind',
  async ({ fall, rise }) => {
    const { kubectl } = stage();
    const node = nodeOf();
    const seq = dev.now.status?.run?.seq ?? 0;
    await work(`blow-${seq}`);
    const files = Number(await dev.sh('wc -l < /root/sums'));
    // So that the save stays in progress until it is released.
    await signalRegistry('SIGSTOP');
    try {
      const from = dev.phases.length;
      await dev.wish({ power: 'Stopped' });
      await dev.becomes('saving', ({ status }) => status.snapshot?.name === `dev-${seq}`, WITHIN_MS);
      await eventually('the agent is at it', async () => {
        const phase = ['get', 'snapshot', `dev-${seq}`, '-n', dev.namespace, '-o', 'jsonpath={.status.attempts}'];
        return Number(await kubectl.must(phase)) > 0;
      });
      await fall(node);
      expect(dev.phases.slice(from)).toEqual(['stopping']);
      await signalRegistry('SIGCONT');
      await rise(node);
      const { status } = await dev.reaches('stopped', WITHIN_MS);
      expect(status.root?.seq).toBe(seq);
      expect(dev.phases.slice(from)).toEqual(['stopping', 'stopped']);
    } finally {
      await signalRegistry('SIGCONT');
    }
    await resume();
    await isAllThere(files);
    const pods = ['get', 'pods,snapshots', '-n', dev.namespace, '-o', 'name'];
    expect((await kubectl.must(pods)).trim().split('\n').sort()).toEqual([
      `pod/dev-${seq + 1}`,
      `snapshot.gantry.dev/dev-${seq}`,
    ]);
    await eventually('the node holds on to no ended container', async () => (await node.savesKept()) === 0, WITHIN_MS);
  },
  isSoak ? HOUR_MS : undefined,
);
