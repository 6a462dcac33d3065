// Fault 12 on simulated nodes: a node falls silent and returns, is deleted, or is given up by its keepers. What is lost is
// not billed, nothing runs twice, and the instance returns with its home.
import { afterEach, expect, test } from '@jest/globals';
import { desiredNode, MANAGED } from '../../../hack/kwok/nodes.ts';
import { eventually } from '../../support/eventually.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import { turnTest } from '../../support/soak.ts';
import { ALONE, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import { type Instance, SMALL } from './instance.ts';
import { INVARIANTS } from './invariants.ts';

/** Kubernetes takes its time over the Pods of a node that is gone: it looks for them every 20 s, and after 40 s more. */
const GIVEN_UP_WITHIN_MS = 150_000;
const NODES = '/api/v1/nodes';

const arena = setArena(ALONE);
const made: string[] = [];
afterEach(async () => {
  await Promise.allSettled(made.splice(0).map((name) => arena().call({ method: 'DELETE', path: `${NODES}/${name}` })));
});

/** A node with a unique model, and an instance that fits nowhere else. */
async function inhabitedNode(name: string): Promise<{ node: SimulatedNode; instance: Instance }> {
  const node = new SimulatedNode(arena().freshName(name));
  await node.join();
  const instance = arena().instance(name);
  await instance.create({ gpu: { ...SMALL.gpu, model: node.name } });
  await instance.reaches('running');
  return { node, instance };
}

class SimulatedNode {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    made.push(name);
  }

  get #path(): string {
    return `${NODES}/${this.name}`;
  }

  async join(): Promise<void> {
    const { metadata, ...rest } = desiredNode('a100', 0, arena().cluster.bridge.ip);
    const labels = { ...metadata.labels, 'kubernetes.io/hostname': this.name, 'nvidia.com/gpu.product': this.name };
    await arena().call({
      method: 'POST',
      path: NODES,
      body: { ...rest, metadata: { ...metadata, name: this.name, labels } },
    });
  }

  /** Nobody plays its kubelet any more, and Kubernetes has noticed. */
  async fallSilent(): Promise<void> {
    await this.#isPlayed(null);
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const ready = {
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: '',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    };
    const contentType = 'application/strategic-merge-patch+json';
    await arena().call({
      method: 'PATCH',
      path: `${this.#path}/status`,
      contentType,
      body: { status: { conditions: [ready] } },
    });
  }

  async comeBack(): Promise<void> {
    await this.#isPlayed(MANAGED.value);
  }

  async isGivenUp(is: boolean): Promise<void> {
    const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
    const { spec } = desiredNode('a100', 0, '');
    await arena().patch(this.#path, { spec: { taints: is ? [...spec.taints, taint] : spec.taints } });
  }

  async leave(): Promise<void> {
    await arena().call({ method: 'DELETE', path: this.#path });
  }

  async #isPlayed(value: string | null): Promise<void> {
    await arena().patch(this.#path, { metadata: { annotations: { [MANAGED.key]: value } } });
  }
}

test('a node that falls silent and returns keeps what it runs; the time between is not billed', async () => {
  const { node, instance } = await inhabitedNode('flapping');
  const { uid } = instance.pod.metadata;
  await node.fallSilent();
  const lost = await instance.reaches('lost_contact');
  const [{ to = '' } = {}, ...more] = meteredRuns(lost);
  expect([Number.isNaN(Date.parse(to)), more]).toEqual([false, []]);
  // Its return is reported to the second: within the same second, nothing would have been lost.
  await eventually('a second has gone by', () => Date.now() >= Date.parse(to) + 1000);
  await node.comeBack();
  const back = await instance.reaches('running');
  expect(instance.pod.metadata.uid).toBe(uid);
  expect(meteredRuns(back).map(({ subjectUID }) => subjectUID)).toEqual([uid, uid]);
  await endsWell(instance, arena(), INVARIANTS);
});

turnTest(
  0,
  'a node that is deleted, and one that is given up, are waited for by what kept its home there',
  async () => {
    const [deleted, silent] = await Promise.all([inhabitedNode('deleted'), inhabitedNode('given-up')]);
    await Promise.all([deleted.node.leave(), silent.node.fallSilent()]);
    await Promise.all([deleted, silent].map(({ instance }) => instance.reaches('lost_contact')));
    await silent.node.isGivenUp(true);

    const moved = ({ instance }: { instance: Instance }) =>
      instance.becomes('in its second run', ({ status }) => status?.run?.seq === 2, GIVEN_UP_WITHIN_MS);
    await Promise.all([moved(deleted), moved(silent)]);
    await Promise.all([deleted.node.join(), silent.node.isGivenUp(false).then(() => silent.node.comeBack())]);
    await Promise.all([deleted, silent].map(({ instance }) => instance.reaches('running')));
    await Promise.all([deleted, silent].map(({ instance }) => endsWell(instance, arena(), INVARIANTS)));
  },
);
