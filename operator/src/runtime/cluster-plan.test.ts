import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import type { ResourceNames } from '@gantry/kube/client.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { ClusterPlanKeeper } from './cluster-plan.ts';

const THING: Resource = { group: 'x', version: 'v1', plural: 'things', kind: 'Thing', namespaced: false };
const thing = (name: string): KubeObject => ({ apiVersion: 'x/v1', kind: 'Thing', metadata: { name } });

/** A plan that wants one thing, in a cluster that a test changes by hand. */
function stage(create: (object: KubeObject) => Promise<KubeObject>) {
  const seen = { version: 1, isThere: false, plans: 0, failures: 0, mayWrite: true };
  const clock = new SteppedClock();
  const keeper = new ClusterPlanKeeper({
    plan: {
      name: 'one thing',
      reads: [THING],
      plan() {
        seen.plans++;
        return seen.isThere ? {} : { create: [thing('one')] };
      },
    },
    caches: {
      version: () => seen.version,
      observe() {
        seen.isThere = true;
        seen.version++;
        return true;
      },
    } as unknown as Caches,
    client: { create: (_, object) => create(object), apply: async (_, object) => object },
    names: { of: async () => THING } as unknown as ResourceNames,
    clock,
    settings: {},
    mayWrite: () => seen.mayWrite,
    failed: () => {
      seen.failures++;
    },
  });
  return { seen, clock, keeper };
}

test('it makes what is wanted, once, and plans again only after a change', async () => {
  const made: string[] = [];
  const { seen, clock, keeper } = stage(async (object) => {
    made.push(object.metadata.name);
    return object;
  });
  keeper.start();
  for (let look = 0; look < 5; look++) await clock.step(2000);
  expect(made).toEqual(['one']);
  expect(seen.plans).toBe(2);
  seen.version++;
  await clock.step(2000);
  expect(seen.plans).toBe(3);
  await keeper.stop(5000);
  seen.version++;
  await clock.step(4000);
  expect(seen.plans).toBe(3);
});

test('a write that fails is reported and tried again', async () => {
  let tries = 0;
  const { seen, clock, keeper } = stage(async (object) => {
    if (++tries < 3) throw new ApiError(500, { reason: 'InternalError', message: 'failed calling webhook' });
    return object;
  });
  keeper.start();
  for (let look = 0; look < 5; look++) await clock.step(2000);
  expect([seen.failures, seen.isThere]).toEqual([2, true]);
  await keeper.stop(5000);
});

test('what is there already, as after an answer that never came, is no failure', async () => {
  const { seen, clock, keeper } = stage(async () => {
    throw new ApiError(409, { reason: 'AlreadyExists', message: 'things "one" already exists' });
  });
  keeper.start();
  await clock.step(4000);
  expect(seen.failures).toBe(0);
  // The watch says so, and nothing more is wanted.
  seen.isThere = true;
  seen.version++;
  await clock.step(4000);
  const { plans } = seen;
  await clock.step(10_000);
  expect([seen.plans, seen.failures]).toEqual([plans, 0]);
  await keeper.stop(5000);
});

test('a write under way excludes another look, and a stop waits for it so long and no longer', async () => {
  let writes = 0;
  const { promise, resolve } = Promise.withResolvers<KubeObject>();
  const { seen, clock, keeper } = stage(() => {
    writes++;
    return promise;
  });
  keeper.start();
  for (let look = 0; look < 5; look++) await clock.step(2000);
  expect([seen.plans, writes]).toEqual([1, 1]);

  let isStopped = false;
  const stopped = keeper.stop(5000).then(() => {
    isStopped = true;
  });
  await clock.step(4000);
  expect(isStopped).toBe(false);
  await clock.step(1000);
  await stopped;
  resolve(thing('one'));
  await clock.step(10_000);
  expect([seen.plans, writes]).toEqual([1, 1]);
});

test('who does not lead writes nothing', async () => {
  const { seen, clock, keeper } = stage(async () => {
    throw new Error('written');
  });
  seen.mayWrite = false;
  keeper.start();
  await clock.step(4000);
  expect([seen.failures, seen.isThere]).toEqual([0, false]);
  await keeper.stop(5000);
});
