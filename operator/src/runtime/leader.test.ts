import type { Resource } from '@gantry/kube/resource.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { Leader } from './leader.ts';

const LEASE: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

function setUp() {
  const cluster = new MemoryCluster([LEASE], { fieldManager: 'gantry-operator' });
  const contender = (identity: string) => {
    const clock = new SteppedClock();
    const stop = new AbortController();
    let leads = false;
    let end: string | undefined;
    const leader = new Leader({ client: cluster, clock, namespace: 'x', name: 'lead', identity, onFault: () => {} });
    const run = async () => {
      await leader.acquire(stop.signal);
      leads = true;
      end = await leader.hold(stop.signal);
    };
    return { clock, leader, start: () => void run(), stop, leads: () => leads, end: () => end };
  };
  const holder = () =>
    (cluster.find('Lease', 'lead') as { spec?: { holderIdentity: string } } | undefined)?.spec?.holderIdentity;
  return { cluster, holder, a: contender('a'), b: contender('b') };
}

test('the first leads, the second waits for as long as the first renews', async () => {
  const { a, b, holder } = setUp();
  a.start();
  await a.clock.step(0);
  b.start();
  for (let at = 0; at < 60; at++) {
    await a.clock.step(500);
    await b.clock.step(500);
  }
  expect([a.leads(), a.leader.surelyHeld(), b.leads(), b.leader.surelyHeld()]).toEqual([true, true, false, false]);
  expect(holder()).toBe('a');
});

test('a leader that dies is followed within 8 s', async () => {
  const { a, b, holder } = setUp();
  a.start();
  await a.clock.step(0);
  b.start();
  await b.clock.step(500);
  await b.clock.step(5000);
  expect(b.leads()).toBe(false);
  await b.clock.step(2500);
  expect([b.leads(), holder()]).toEqual([true, 'b']);
});

test('a released Lease is taken within 1 s', async () => {
  const { a, b, holder } = setUp();
  a.start();
  await a.clock.step(0);
  b.start();
  await b.clock.step(500);
  a.stop.abort();
  await a.leader.release();
  expect([holder(), a.leader.surelyHeld()]).toEqual(['', false]);
  await b.clock.step(1000);
  expect(holder()).toBe('b');
});

test('a Lease that is still being claimed is given up, too', async () => {
  const { a, holder } = setUp();
  a.start();
  a.stop.abort();
  await a.leader.release();
  expect([holder(), a.leader.surelyHeld()]).toEqual(['', false]);
});

test('one that cannot renew is sure of nothing after 4 s, before anybody may take over, and of itself again afterwards', async () => {
  const { a, cluster } = setUp();
  a.start();
  await a.clock.step(0);
  cluster.refuse = () => ({ error: new Error('no answer') });
  await a.clock.step(3900);
  expect(a.leader.surelyHeld()).toBe(true);
  await a.clock.step(200);
  expect(a.leader.surelyHeld()).toBe(false);
  cluster.refuse = () => undefined;
  await a.clock.step(1000);
  expect([a.leader.surelyHeld(), a.end()]).toEqual([true, undefined]);
});

test('one that slept through its time finds another leading, and has lost', async () => {
  const { a, b } = setUp();
  a.start();
  await a.clock.step(0);
  b.start();
  await b.clock.step(8000);
  expect(b.leads()).toBe(true);
  // Nothing of a has run for 8 s: its timers come late, its clock does not.
  await a.clock.step(12_000);
  expect([a.end(), a.leader.surelyHeld()]).toEqual(['lost', false]);
});

test('wall clocks that step or differ decide nothing', async () => {
  const { a, b } = setUp();
  a.clock.set(Date.parse('2020-01-01T00:00:00Z'));
  a.start();
  await a.clock.step(0);
  b.clock.set(Date.parse('2030-01-01T00:00:00Z'));
  b.start();
  await b.clock.step(3000);
  expect(b.leads()).toBe(false);
  a.clock.set(Date.parse('2040-01-01T00:00:00Z'));
  await a.clock.step(3000);
  expect(a.leader.surelyHeld()).toBe(true);
});
