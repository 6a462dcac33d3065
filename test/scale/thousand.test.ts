// A thousand instances on two hundred simulated nodes, through their whole life. What is asserted are counts: how often the
// operator writes, and that nothing is left. Seconds are only told.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Metrics } from '../bench/operator-metrics.ts';
import { isWrite, requestTable, writeBudget } from '../bench/write-budget.ts';
import { eventually } from '../support/eventually.ts';
import { testCluster } from '../support/test-cluster.ts';
import { Fleet } from './fleet.ts';
import { type MeasuredOperator, startMeasuredOperator } from './measured-operator.ts';
import { simulateNodes } from './simulated-nodes.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const MANY = 1000;
const MINUTE = 60_000;
const OPERATOR_FLAGS = ['--credit-gate=off', '--shared-pool=open', '--simulated-nodes=true', '--probe-every=24h'];
const SPEC = {
  image: 'library/busybox:1.36',
  gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 1 },
  cores: 1,
  memoryGi: 1,
  homeDisk: { sizeGi: 1 },
};

let operator: MeasuredOperator;
let tenant: Tenant;
let fleet: Fleet;
let before: Metrics;
let removeNodes: () => Promise<void>;

beforeAll(async () => {
  const cluster = await testCluster();
  removeNodes = await simulateNodes(cluster.kubeconfig, 'h100', 200);
  operator = await startMeasuredOperator(cluster, ...OPERATOR_FLAGS);
  tenant = await makeTenant(cluster, 'thousand', {
    gpus: MANY,
    cores: MANY,
    memoryGi: MANY,
    storageGi: MANY,
    instances: MANY,
  });
  fleet = await Fleet.follow(cluster.kubeconfig, tenant.namespace);
  before = await operator.metrics();
}, 5 * MINUTE);

afterAll(async () => {
  fleet?.close();
  await tenant?.remove();
  await operator?.close();
  await removeNodes?.();
}, 5 * MINUTE);

const timed = async (what: string, work: () => Promise<void>) => {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s, ${(MANY / seconds).toFixed(0)} instances/s\n`);
};

describe(`${MANY} instances`, () => {
  test('are created and run', async () => {
    await timed('create → running', async () => {
      await fleet.create(
        Array.from({ length: MANY }, (_, index) => `i-${index}`),
        SPEC,
      );
      await fleet.reached('running', MANY, 5 * MINUTE);
    });
  });

  test('are all looked at again by a forced resync, which writes nothing', async () => {
    const rested = await operator.metrics();
    operator.resync();
    await eventually(
      'every instance was looked at',
      async () => (await operator.metrics()).reconciles('GpuInstance') - rested.reconciles('GpuInstance') >= MANY,
    );
    expect((await operator.metrics()).requestsSince(rested).filter(isWrite)).toEqual([]);
  });

  test('are shut down', async () => {
    await timed('shut down', async () => {
      await fleet.wish('ShutDown');
      await fleet.reached('shutDown', MANY, 5 * MINUTE);
    });
  });

  test('are released, and nothing is left', async () => {
    await timed('release', async () => {
      await fleet.release();
      await fleet.gone(5 * MINUTE);
    });
    await eventually(
      'nothing is left',
      async () => {
        expect(await tenant.holds()).toEqual({});
        return true;
      },
      MINUTE,
    );
  });

  test('cost the operator at most 8 writes each, besides those that make and end their children', async () => {
    const requests = (await operator.metrics()).requestsSince(before);
    process.stdout.write(`${requestTable(requests, MANY)}\n`);
    const { own, children } = writeBudget(requests);
    process.stdout.write(`own writes per life: ${own / MANY}, on children: ${children / MANY}\n`);
    expect(own / MANY).toBeLessThanOrEqual(8);
  });
});
