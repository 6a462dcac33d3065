// Fault 12 on simulated nodes: a node falls silent and returns, is deleted, or is given up by its keepers. What is lost is
// not billed, nothing runs twice, and the instance returns with its home. Jobs, fine-tuning and services go on elsewhere.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { afterEach, expect, test } from '@jest/globals';
import { desiredNode, MANAGED } from '../../../hack/kwok/nodes.ts';
import { eventually } from '../../support/eventually.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import { turnTest } from '../../support/soak.ts';
import { A_TRAINER, ALONE, setArena } from './arena.ts';
import { endsPaid, endsWell } from './end-of-life.ts';
import { type Instance, SMALL } from './instance.ts';
import { INTERVALS, INVARIANTS } from './invariants.ts';
import { listInputs, TRAINED } from './process-scenarios.ts';
import { serves } from './service-scenarios.ts';
import type { Subject } from './subject.ts';

/** Kubernetes takes its time over the Pods of a node that is gone: it looks for them every 20 s, and after 40 s more. */
const GIVEN_UP_WITHIN_MS = 150_000;
const NODES = '/api/v1/nodes';

const arena = setArena(ALONE, A_TRAINER);
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
  /** Its own, unless another has the same. */
  readonly model: string;

  constructor(name: string, model = name) {
    this.name = name;
    this.model = model;
    made.push(name);
  }

  get #path(): string {
    return `${NODES}/${this.name}`;
  }

  async join(): Promise<void> {
    const { metadata, ...rest } = desiredNode('a100', 0, arena().cluster.bridge.ip);
    const labels = { ...metadata.labels, 'kubernetes.io/hostname': this.name, 'nvidia.com/gpu.product': this.model };
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

/** As many nodes of a model that only they have. */
async function nodesOf(name: string, many: number): Promise<readonly SimulatedNode[]> {
  const model = arena().freshName(name);
  const nodes = Array.from({ length: many }, (_, index) => new SimulatedNode(`${model}-${index}`, model));
  await Promise.all(nodes.map((node) => node.join()));
  return nodes;
}

const listFiles = (tune: Subject<FineTune>, run: number) =>
  listInputs(tune, { arena: arena(), inputs: TRAINED, run, limitMs: GIVEN_UP_WITHIN_MS });

/** A job, fine-tuning and a service that fit nowhere else. */
async function workOn(model: string, name: string) {
  const job: Subject<Job> = arena().job(arena().freshName(`job-${name}`));
  const tune: Subject<FineTune> = arena().tuning(arena().freshName(`ftn-${name}`));
  const service: Subject<ContainerService> = arena().service(arena().freshName(`svc-${name}`));
  const gpu = { model, count: 1 };
  await Promise.all([job, tune, service].map((one) => one.create({ gpu }, [FINALIZER.billing])));
  await Promise.all([
    job.reaches('running'),
    listFiles(tune, 1).then(() => tune.reaches('training')),
    service.becomes('active', serves(1, 1)),
  ]);
  return { job, tune, service };
}

const isInRun =
  (seq: number, phase: string) =>
  ({ status }: Job | FineTune): boolean =>
    status?.phase === phase && status.run?.seq === seq;

const billedTo = ({ now }: Subject<Job> | Subject<FineTune> | Subject<ContainerService>) =>
  now?.status?.intervals?.map(({ to }) => to) ?? [];

test('a job, fine-tuning and a service whose node falls silent and returns go on with what they have, and do not pay for the time between', async () => {
  const nodes = await nodesOf('quiet', 1);
  const { job, tune, service } = await workOn(nodes[0]?.model ?? '', 'quiet');
  const all = [job, tune, service];
  const uids = all.map(({ living }) => living.map(({ metadata }) => metadata.uid));
  await nodes[0]?.fallSilent();
  await Promise.all([job, tune].map((one) => one.reaches('lost_contact')));
  await service.becomes('out of sight', ({ status }) => status?.replicas?.ready === 0 && status.reason === 'NodeLost');
  const silentAt = all.map((one) => billedTo(one).at(-1) ?? '');
  expect(silentAt.map((at) => Number.isNaN(Date.parse(at)))).toEqual([false, false, false]);
  await eventually('a second has gone by', () => silentAt.every((at) => Date.now() >= Date.parse(at) + 1000));
  await nodes[0]?.comeBack();
  await Promise.all([job.reaches('running'), tune.reaches('training'), service.becomes('active', serves(1, 1))]);
  expect(all.map(({ living }) => living.map(({ metadata }) => metadata.uid))).toEqual(uids);
  expect(all.map((one) => billedTo(one).length)).toEqual([2, 2, 2]);
  expect(all.map((one) => billedTo(one).at(-1))).toEqual([undefined, undefined, undefined]);
  expect([job, tune].map(({ now }) => now?.status?.run?.seq)).toEqual([1, 1]);
  await Promise.all([
    ...[endsPaid(job, arena(), INTERVALS), endsPaid(tune, arena(), INTERVALS)],
    endsPaid(service, arena(), INTERVALS),
  ]);
});

turnTest(
  1,
  'a job, fine-tuning and a service whose node is deleted, or given up, go on on another at no try',
  async () => {
    const losses: readonly ((node: SimulatedNode) => Promise<void>)[] = [
      (node) => node.leave(),
      async (node) => {
        await node.fallSilent();
        await node.isGivenUp(true);
      },
    ];
    await Promise.all(
      losses.map(async (lose, index) => {
        // Each on a node of its own: the spare one joins when they are lost.
        const [lost] = await nodesOf(`lost-${index}`, 1);
        if (!lost) throw new Error('no node');
        const { job, tune, service } = await workOn(lost.model, `lost-${index}`);
        const spare = new SimulatedNode(`${lost.name}-spare`, lost.model);
        await spare.join();
        await lose(lost);
        const inSecondRun = (phase: string) => ['in its second run', isInRun(2, phase), GIVEN_UP_WITHIN_MS] as const;
        const again = await Promise.all([
          job.becomes(...inSecondRun('running')),
          listFiles(tune, 2).then(() => tune.becomes(...inSecondRun('training'))),
        ]);
        for (const { status } of again) {
          expect(status).toMatchObject({
            run: { cause: 'node' },
            excludedNodes: [lost.name],
            workers: [{ node: spare.name }],
          });
          expect(status?.run?.failures ?? 0).toBe(0);
        }
        const moved = await service.becomes(
          'moved',
          (seen) => serves(1, 1)(seen) && seen.status?.pods?.[0]?.node === spare.name,
          GIVEN_UP_WITHIN_MS,
        );
        for (const { status } of [...again, moved]) {
          const intervals: readonly { to?: string | undefined }[] = status?.intervals ?? [];
          expect(intervals.map(({ to }) => to !== undefined)).toEqual([true, false]);
        }
        await Promise.all([
          ...[endsPaid(job, arena(), INTERVALS), endsPaid(tune, arena(), INTERVALS)],
          endsPaid(service, arena(), INTERVALS),
        ]);
      }),
    );
  },
);
