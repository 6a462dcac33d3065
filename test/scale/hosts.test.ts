// Two hundred hosts for a hundred nodes: a hundred get one each, the others wait with numbers, and are served as nodes return.
// Every claim, every mark and every status on the way is watched: no node is ever in two hosts.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Change } from '@gantry/kube/store.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NODE } from '../../operator/src/resources.ts';
import type { Requests } from '../bench/operator-metrics.ts';
import { requestTable } from '../bench/write-budget.ts';
import { eventually } from '../support/eventually.ts';
import { testCluster } from '../support/test-cluster.ts';
import { clientOf } from './fleet.ts';
import { type MeasuredOperator, startMeasuredOperator } from './measured-operator.ts';
import { simulateNodes } from './simulated-nodes.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const MINUTE = 60_000;
const HOSTS = 200;
const NODES = 100;
const RETURNED = 50;
const WIDTH = 32;
const MODEL = 'NVIDIA-H100-80GB-HBM3';
const CARDS = 8;
const OPERATOR_FLAGS = ['--credit-gate=off', '--shared-pool=open', '--simulated-nodes=true', '--probe-every=24h'];

const HOST = resourceOf(gpuHost);
const stop = new AbortController();
let removeNodes: () => Promise<void>;
let operator: MeasuredOperator;
let tenant: Tenant;
let caches: Caches;
let client: ReturnType<typeof clientOf>;
let life: Life;

interface Life {
  readonly first: State;
  /** Nodes of those that stayed, before and after. */
  readonly kept: readonly [before: readonly string[], after: readonly string[]];
  readonly second: State;
  readonly requests: readonly Requests[];
}

interface State {
  readonly active: number;
  readonly pending: number;
  readonly nodes: number;
  readonly messages: readonly string[];
}

beforeAll(async () => {
  const cluster = await testCluster();
  removeNodes = await simulateNodes(cluster.kubeconfig, 'h100', NODES);
  operator = await startMeasuredOperator(cluster, ...OPERATOR_FLAGS);
  const quota = { gpus: HOSTS * CARDS, cores: 8, memoryGi: 8, storageGi: 8, instances: 8, disks: 8, hosts: HOSTS };
  tenant = await makeTenant(cluster, 'landlord', quota);
  client = clientOf(cluster.kubeconfig);
  const report = { failed: () => {}, stumbled: () => {}, corrected: () => {} };
  caches = new Caches([HOST, NODE], { client, clock: systemClock, report });
  await caches.start(stop.signal);
  caches.onChange(HOST, watchOver);
  life = await play();
}, 15 * MINUTE);

afterAll(async () => {
  stop.abort();
  try {
    await tenant?.remove();
  } finally {
    await operator?.close();
    await removeNodes?.();
  }
}, 5 * MINUTE);

/** Node → host, over all hosts: one watch tells of them in the order in which it was written. */
const holders = new Map<string, string>();
const shared: string[] = [];
function watchOver({ before, after }: Change): void {
  for (const name of nodesOf(before)) if (holders.get(name) === before?.metadata.name) holders.delete(name);
  for (const name of nodesOf(after)) {
    const holder = holders.get(name);
    if (holder !== undefined) shared.push(`${name} is in ${holder} and in ${after?.metadata.name}`);
    holders.set(name, after?.metadata.name ?? '');
  }
}
const nodesOf = (host: KubeObject | undefined): string[] =>
  ((host as GpuHost | undefined)?.status?.nodes ?? []).map(({ name }) => name);

const hosts = (phase?: string): readonly GpuHost[] =>
  (caches.list(HOST, tenant.namespace) as readonly GpuHost[]).filter(
    ({ status }) => phase === undefined || status?.phase === phase,
  );

function stateNow(): State {
  const [active, pending] = [hosts('active'), hosts('pending')];
  return {
    active: active.length,
    pending: pending.length,
    nodes: new Set(active.flatMap(nodesOf)).size,
    messages: [
      ...new Set(
        pending.map(({ status }) => `${status?.message}`.replace(/ahead of you: [0-9]+/, 'ahead of you: some')),
      ),
    ],
  };
}

async function play(): Promise<Life> {
  const before = await operator.metrics();
  const names = Array.from({ length: HOSTS }, (_, index) => `h-${index}`);
  await timed('claim', NODES, async () => {
    await inParallel(names, WIDTH, async (name) => {
      const metadata = { name, namespace: tenant.namespace };
      const spec = { gpu: { model: MODEL, count: CARDS } };
      await client.create(HOST, { apiVersion: API_VERSION, kind: gpuHost.kind, metadata, spec } as KubeObject);
    });
    await settled(NODES, HOSTS - NODES);
  });
  const first = stateNow();
  const [leaving, staying] = [hosts('active').slice(0, RETURNED), hosts('active').slice(RETURNED)];
  const kept = staying.flatMap(nodesOf);
  await timed('give back and claim', RETURNED, async () => {
    await inParallel(leaving, WIDTH, async (host) => {
      await client.delete(HOST, targetOf(host));
    });
    await eventually('they are gone', async () => hosts().length === HOSTS - RETURNED, 5 * MINUTE);
    await settled(NODES, HOSTS - NODES - RETURNED);
  });
  const requests = (await operator.metrics()).requestsSince(before);
  process.stdout.write(`${requestTable(requests, HOSTS)}\n`);
  const stayed = new Set(staying.map(({ metadata }) => metadata.name));
  const after = hosts('active').filter(({ metadata }) => stayed.has(metadata.name));
  return { first, kept: [kept.sort(), after.flatMap(nodesOf).sort()], second: stateNow(), requests };
}

/** This many hosts have their nodes, and this many were told that there are none left. */
async function settled(active: number, waiting: number): Promise<void> {
  const isReported = ({ status }: GpuHost) => status?.reasonArgs?.free === '0';
  await eventually(
    `${active} hosts are active and ${waiting} wait`,
    async () => hosts('active').length === active && hosts('pending').filter(isReported).length === waiting,
    5 * MINUTE,
  );
}

async function timed(what: string, many: number, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${what}: ${many} in ${seconds.toFixed(1)} s\n`);
}

test('as many hosts as there are nodes have one each, and the others wait with numbers', () => {
  const messages = [`Needs 1 node with 8 × ${MODEL}; 0 of 100 free; ahead of you: some.`];
  expect(life.first).toEqual({ active: NODES, pending: HOSTS - NODES, nodes: NODES, messages });
});

test('returned nodes are given to those who wait, and nobody else is touched', () => {
  expect(life.second).toMatchObject({ active: NODES, pending: HOSTS - NODES - RETURNED, nodes: NODES });
  expect(life.kept[1]).toEqual(life.kept[0]);
});

test('at no moment was a node in two hosts', () => {
  expect(shared).toEqual([]);
});

test('nodes are asked for, marked and cleared about once each', () => {
  const count = (verb: string, kind: string) =>
    life.requests.find((one) => one.verb === verb && one.kind === kind)?.count;
  const [claims, returns] = [NODES + RETURNED, RETURNED];
  // The order is known only once all have arrived: until then two hosts may reach for the same node, and one of them for another.
  expect(count('create', 'Lease')).toBeLessThanOrEqual(claims * 1.5);
  // A tenth may be tried twice: the node changed in between.
  expect(count('patch', 'Node')).toBeLessThanOrEqual((claims + returns) * 1.1);
  expect(count('delete', 'Lease')).toBeLessThanOrEqual(returns * 1.1);
});
