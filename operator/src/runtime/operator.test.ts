import { GROUP, type KindFacts, VERSION } from '@gantry/contract/define-kind.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { defineController } from '../define-controller.ts';
import { createMetrics } from './metrics.ts';
import { Operator } from './operator.ts';
import { FIELD_MANAGER } from './status-patch.ts';

const WIDGET: Resource = { group: GROUP, version: VERSION, plural: 'widgets', kind: 'Widget', namespaced: true };
const controller = defineController({
  facts: { kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as KindFacts,
  reads: {},
  plan: () => ({}),
});

/** `listed`: when the API server answers its lists. */
function contender(cluster: MemoryCluster, listed: Promise<void>) {
  const clock = new SteppedClock();
  const client = {
    get: cluster.get.bind(cluster),
    create: cluster.create.bind(cluster),
    mergePatch: cluster.mergePatch.bind(cluster),
    watch: cluster.watch.bind(cluster),
    list: (...asked: Parameters<MemoryCluster['list']>) => listed.then(() => cluster.list(...asked)),
  };
  const operator = new Operator({
    controllers: [controller],
    settings: {},
    client: client as unknown as KubeClient,
    clock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    workers: 1,
    lease: { namespace: 'x', name: 'lead' },
    resyncMs: 60_000,
  });
  let hasLost = false;
  void operator.lost.then(() => {
    hasLost = true;
  });
  return { clock, operator, hasLost: () => hasLost };
}

test('who does not see the whole cluster yet leaves the lead to one who does, and then stands by', async () => {
  const cluster = new MemoryCluster([WIDGET], { fieldManager: FIELD_MANAGER });
  const listed = Promise.withResolvers<void>();
  const slow = contender(cluster, listed.promise);
  const other = contender(cluster, Promise.resolve());
  void slow.operator.start();
  await slow.clock.step(0);
  void other.operator.start();
  for (let at = 0; at < 20; at++) {
    await slow.clock.step(500);
    await other.clock.step(500);
  }
  listed.resolve();
  await slow.clock.step(3_000);
  expect([slow.operator.missing(), slow.operator.leads(), slow.hasLost()]).toEqual([[], false, false]);
  expect(other.operator.leads()).toBe(true);
  await other.operator.stop();
  await slow.clock.step(1_000);
  expect(slow.operator.leads()).toBe(true);
  await slow.operator.stop();
});
