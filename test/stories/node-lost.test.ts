// A silent node: nothing is billed, nothing is replaced, and everything continues when the node is back. Only a deleted Node
// releases its instances. A restarted container runtime is no loss at all.

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import { soakTest } from '../support/soak.ts';
import type { Instance, Seen } from './instance.ts';
import { expectInOrder, intervalOf } from './metering.ts';
import { offerNetworkDisk, takeNetworkDisks } from './network-disk.ts';
import { RealNode } from './real-node.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** On the lost node, with a home that cannot leave it. */
let tied: Instance;
/** On the same node, with a home that can be mounted anywhere. */
let mover: Instance;
/** Fills the other node, so that those two are together. */
let filler: Instance;
let node: RealNode;

/** Kubernetes gives a node up after 25 s of silence, and looks every 2 s. */
const LOST_WITHIN_MS = 60_000;
/** It leaves the Pods of a deleted Node alone for 40 s, and looks every 20 s. */
const COLLECTED_WITHIN_MS = 90_000;

beforeAll(async () => {
  const acme = await stage().organization('far', { quota: { gpus: 64 } });
  const cards = (count: number) => ({ gpu: { model: 'Tesla-T4', count } });
  filler = await acme.instance('filler', cards(8));
  await filler.reaches('running');
  const homeDisk = await offerNetworkDisk(stage(), acme, 'mover');
  tied = await acme.instance('tied', cards(5));
  mover = await acme.instance('mover', { ...cards(3), homeDisk });
  await Promise.all([tied.reaches('running'), mover.reaches('running')]);
  node = RealNode.of(stage().cluster, tied.pod());
  expect(mover.pod().spec?.nodeName).toBe(node.name);
});

afterAll(() => takeNetworkDisks(stage()));

test('containerd killed and started again disturbs nobody', async () => {
  await node.restartsContainerd();
  await eventually('the kubelet has found it again', () => tied.sh('true').then(() => true));
  await tied.sh('echo kept > /root/notes');
  await mover.sh('echo kept > /root/notes');
  expect(tied.lastingPhases).toEqual(['preparing', 'creating', 'running']);
});

test('a silent node: billed to its last heartbeat, not replaced; once it is back, billed from then on', async () => {
  await node.fallsSilent();
  try {
    const lost = await tied.reaches('lost_contact', LOST_WITHIN_MS);
    expect(lost.status).toMatchObject({
      reason: 'NodeLost',
      message: `Node ${node.name} does not answer. Meanwhile, only the instance's storage is billed.`,
      health: 'notReady',
    });
    expect(meteredRuns(lost)).toHaveLength(1);
    // Or at once, if there was none since it opened.
    const opened = Date.parse(meteredRuns(lost)[0]?.from ?? '');
    expect(closing(lost)).toBe(Math.max(await node.heartbeat(), opened));
  } finally {
    await node.speaksAgain();
  }
  const back = await tied.becomes('billed again', (seen) => meteredRuns(seen).length === 2);
  expect(back.status).toMatchObject({ phase: 'running', run: { seq: 1 } });
  const goesOn = { subjectUID: tied.pod(1).metadata.uid, from: await node.readySince() };
  expect(meteredRuns(back).at(-1)).toMatchObject(goesOn);
  expectInOrder(back);
  expect(tied.phases.slice(-3)).toEqual(['running', 'lost_contact', 'running']);
  expect(filler.lastingPhases).toEqual(['preparing', 'creating', 'running']);
});

soakTest(
  'lost once more, and the Node is deleted: who can moves to another node, who cannot waits; a wish is carried out',
  async () => {
    await filler.wish({ power: 'ShutDown' });
    await filler.reaches('shutDown');
    mover.fromNow();
    await node.losesKubelet();
    try {
      const lastHeartbeat = await node.heartbeat();
      await node.isDeleted();
      const deletedAt = Date.now();
      for (const dev of [tied, mover]) {
        const lost = await dev.reaches('lost_contact');
        expect(lost.status.reason).toBe('NodeLost');
        // Its heartbeats go with the Node: whichever the operator hears of first.
        const closedAt = closing(lost);
        expect(closedAt).toBeGreaterThanOrEqual(lastHeartbeat);
        expect(closedAt).toBeLessThan(deletedAt + 1000);
      }

      await tied.wish({ rebootCount: 1 });
      expect((await tied.reaches('lost_contact')).status).toMatchObject({
        reason: 'WaitsForNode',
        message: `Node ${node.name} does not answer; the request is carried out once the node is back or removed.`,
      });

      const leaving = await mover.becomes('let go', ({ status }) => status.run?.seq === 2, COLLECTED_WITHIN_MS);
      expect(leaving.status).toMatchObject({
        reason: 'NodeGone',
        message: 'The node is gone; the instance is moving to another.',
        run: { cause: 'crash', exits: 0, lastExit: 'NodeGone' },
      });
      const moved = await mover.reaches('running');
      expect(moved.status.node).not.toBe(node.name);
      expect(meteredRuns(moved).at(-1)).toEqual(await intervalOf(mover, 2));
      expectInOrder(moved);
      expect(await mover.sh('cat /root/notes')).toBe('kept');

      const waiting = await tied.becomes('told why', ({ status }) => status.reason === 'HomeElsewhere');
      expect(waiting.status.run).toMatchObject({ seq: 2, cause: 'hardReboot' });
      expect(waiting.status.message).toBe(
        `The home disk is on node ${node.name} alone, where the instance cannot run now: the node is not in the cluster. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.`,
      );
    } finally {
      await node.startsKubelet();
    }
    const again = await tied.reaches('running');
    expect(meteredRuns(again).at(-1)).toEqual(await intervalOf(tied, 2));
    expectInOrder(again);
    expect(await tied.sh('cat /root/notes')).toBe('kept');
  },
);

const closing = (seen: Seen): number => Date.parse(meteredRuns(seen).at(-1)?.to ?? '');
