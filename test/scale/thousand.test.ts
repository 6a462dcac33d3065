// A thousand instances on two hundred simulated nodes in the long run, two hundred on forty otherwise, through their whole life.
// Only counts are asserted: how often the operator writes and lists, and that nothing is left. Times are only printed.
import { setTimeout as elapse } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Metrics, Requests } from '../bench/operator-metrics.ts';
import { isWrite, requestTable, writeBudget } from '../bench/write-budget.ts';
import { eventually } from '../support/eventually.ts';
import { isSoak } from '../support/soak.ts';
import { testCluster } from '../support/test-cluster.ts';
import { Fleet } from './fleet.ts';
import { type MeasuredOperator, startMeasuredOperator } from './measured-operator.ts';
import { simulateNodes } from './simulated-nodes.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const MANY = isSoak ? 1000 : 200;
const NODES = MANY / 5;
/** `hosts.test.ts` has just removed those with smaller numbers. */
const FIRST_NODE = 2_000;
const MINUTE = 60_000;
const OPERATOR_FLAGS = ['--credit-gate=off', '--shared-pool=open', '--simulated-nodes=true', '--probe-every=24h'];
const SPEC = {
  image: 'library/busybox:1.36',
  gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 1 },
  cores: 1,
  memoryGi: 1,
  homeDisk: { sizeGi: 1 },
};

interface Life {
  readonly requests: readonly Requests[];
  readonly resync: { readonly reconciles: number; readonly writes: readonly Requests[] };
  /** Kind → how many. */
  readonly left: Readonly<Record<string, number>>;
  readonly seconds: number;
}

let removeNodes: () => Promise<void>;
let operator: MeasuredOperator;
let tenant: Tenant;
let fleet: Fleet;
let life: Life;

// Runs once, and the tests examine the result: a failing step is reported once.
beforeAll(async () => {
  const cluster = await testCluster();
  removeNodes = await simulateNodes(cluster.kubeconfig, 'h100', NODES, { first: FIRST_NODE });
  operator = await startMeasuredOperator(cluster, ...OPERATOR_FLAGS);
  const quota = { gpus: MANY, cores: MANY, memoryGi: MANY, storageGi: MANY, instances: MANY, disks: 1000, hosts: 100 };
  tenant = await makeTenant(cluster, 'thousand', quota);
  fleet = await Fleet.follow(cluster.kubeconfig, tenant.namespace);
  life = await play();
}, 15 * MINUTE);

afterAll(async () => {
  fleet?.close();
  try {
    await tenant?.remove();
  } finally {
    await operator?.close();
    await removeNodes?.();
  }
}, 5 * MINUTE);

async function play(): Promise<Life> {
  const began = performance.now();
  const before = await operator.metrics();
  await timed('create → running', async () => {
    await fleet.create(
      Array.from({ length: MANY }, (_, index) => `i-${index}`),
      SPEC,
    );
    await fleet.reached('running', MANY, 10 * MINUTE);
  });
  const resync = await timed('forced resync', looksAtAll);
  await timed('shut down', async () => {
    await fleet.wish('ShutDown');
    await fleet.reached('shutDown', MANY, 10 * MINUTE);
  });
  await timed('release', async () => {
    await fleet.release();
    await fleet.gone(10 * MINUTE);
  });
  const requests = (await operator.metrics()).requestsSince(before);
  process.stdout.write(`${requestTable(requests, MANY)}\n`);
  return { requests, resync, left: await leftSoon(), seconds: (performance.now() - began) / 1000 };
}

async function looksAtAll(): Promise<Life['resync']> {
  // The last instance may have begun to run while others' news are still on their way.
  await eventually('the operator is at rest', async () => {
    const then = await operator.metrics();
    // Longer than between two looks at the job queue's capacity.
    await elapse(3000);
    return !(await operator.metrics()).requestsSince(then).some(isWrite);
  });
  const before = await operator.metrics();
  const since = (now: Metrics) => now.reconciles('GpuInstance') - before.reconciles('GpuInstance');
  operator.resync();
  await eventually('every instance was looked at', async () => since(await operator.metrics()) >= MANY);
  const after = await operator.metrics();
  return { reconciles: since(after), writes: after.requestsSince(before).filter(isWrite) };
}

/** Volumes go last, after their claims. */
async function leftSoon(): Promise<Life['left']> {
  const isEmpty = async () => Object.keys(await tenant.holds()).length === 0;
  await eventually('nothing is left', isEmpty, MINUTE).catch(() => undefined);
  return tenant.holds();
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s, ${(MANY / seconds).toFixed(0)} a second\n`);
  return result;
}

test('the operator writes at most 8 times in a life, besides making and ending the children', () => {
  expect(writeBudget(life.requests).own / MANY).toBeLessThanOrEqual(8);
});

test('what the job queue may hand out follows every two seconds, however many instances come and go', () => {
  const counted = (kind: string) =>
    life.requests.filter((one) => one.kind === kind && isWrite(one)).reduce((sum, { count }) => sum + count, 0);
  expect(counted('Cohort')).toBeLessThanOrEqual(2 + life.seconds / 2);
  // A queue without jobs needs no current limits.
  expect(counted('ClusterQueue')).toBe(0);
});

test('each child is made, ended and let go once', () => {
  // Two children: a Pod with a deadline and a finalizer to take off, and a claim. A hundredth of it may be tried twice.
  expect(writeBudget(life.requests).children / MANY).toBeLessThanOrEqual(6.06);
});

test('a forced resync looks at every instance and writes nothing', () => {
  expect(life.resync.reconciles).toBeGreaterThanOrEqual(MANY);
  expect(life.resync.writes).toEqual([]);
});

test('the operator looks at what it follows, and asks the API server for no single object', () => {
  expect(life.requests.filter(({ verb, kind }) => verb === 'get' && kind !== 'Lease')).toEqual([]);
});

test('lists only check the caches now and then', () => {
  // A thousand objects are five pages at most, every 40 s at most.
  const most = 5 * (1 + life.seconds / 40);
  expect(life.requests.filter(({ verb, count }) => verb === 'list' && count > most)).toEqual([]);
});

test('nothing is left', () => {
  expect(life.left).toEqual({});
});
