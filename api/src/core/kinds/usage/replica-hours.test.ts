// The number of ready replicas over the last hour: what was seen, and gaps where nothing was.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { POINTS, STEP_MS } from './hour.ts';
import { ReplicaHours } from './replica-hours.ts';

const service = (uid: string, ready?: number) =>
  ({
    metadata: { name: uid, uid },
    ...(ready !== undefined && { status: { replicas: { ready } } }),
  }) as ContainerService;

let clock: SteppedClock;
let services: ContainerService[];
let isStale: boolean;
let hours: ReplicaHours;

beforeEach(async () => {
  clock = new SteppedClock();
  services = [service('a', 1)];
  isStale = false;
  hours = new ReplicaHours({ list: () => services, isStale: () => isStale, clock });
  await clock.step(STEP_MS);
  hours.start();
});
afterEach(() => hours.stop());

const later = (steps: number) => clock.step(steps * STEP_MS);
const newest = (count: number, uid = 'a') => hours.read(uid).ready.slice(-count);

test('each step has the number that was ready then, and a service without replicas has zeros', async () => {
  services = [service('a', 3)];
  await later(1);
  services = [service('a', 0)];
  await later(1);
  expect(newest(3)).toEqual([1, 3, 0]);
  expect(hours.read('a')).toMatchObject({ step_seconds: 15, end_time: '2026-01-01T00:00:45.000Z' });
  expect(hours.read('a').ready).toHaveLength(POINTS);
});

test('while the cluster is not heard there is a gap and no number', async () => {
  isStale = true;
  await later(2);
  isStale = false;
  await later(1);
  expect(newest(4)).toEqual([1, null, null, 1]);
});

test('a service that nobody has looked at yet, and one that is unknown, have no data', async () => {
  services = [service('new')];
  await later(1);
  expect([hours.read('new').ready, hours.read('other').ready]).toEqual([[], []]);
});

test('a service that is gone leaves nothing behind', async () => {
  services = [];
  await later(1);
  services = [service('a', 2)];
  await later(1);
  expect(newest(2)).toEqual([null, 2]);
});
