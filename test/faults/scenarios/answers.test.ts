// Fault 7: the API server says no, not now, or nothing at all, to half of the writes of a whole life. It converges, waits as
// long as it is asked to, and never makes anything a second time.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { soakTest } from '../../support/soak.ts';
import { type Action, cut, type Moment, refuse } from '../action.ts';
import type { Call } from '../call.ts';
import { seedOf } from '../crash-points.ts';
import { ALONE, setArena } from './arena.ts';
import { endsPaid, endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';
import { noSecondCreate } from './invariants.ts';
import { serves } from './service-scenarios.ts';
import type { Subject } from './subject.ts';

const arena = setArena(ALONE);
const seed = seedOf(process.env, new Date());

const isAbout = ({ name }: Instance, call: Call): boolean =>
  call.isWrite && call.resource !== 'events' && call.name.startsWith(name);

const MOMENTS: readonly Moment[] = ['before', 'after'];

const ANSWERS: Readonly<Record<string, Action>> = {
  '409 before': refuse('before', 409),
  '429 before': refuse('before', 429, { retryAfterSeconds: 1 }),
  ...Object.fromEntries(
    MOMENTS.flatMap((moment) => [
      ...([500, 503, 504] as const).map((code) => [`${code} ${moment}`, refuse(moment, code)]),
      [`connection cut ${moment}`, cut(moment)],
    ]),
  ),
};

/** Half of all numbers, without a rhythm that two writes of a turn could match. */
const isUnlucky = (n: number): boolean => Math.imul(n + seed, 0x9e3779b1) >>> 31 === 1;

test(`half of the writes of ${Object.keys(ANSWERS).length} lives go wrong, GANTRY_SEED=${seed}`, async () => {
  const { proxy } = arena();
  const lives = Object.entries(ANSWERS).map(async ([what, action]) => {
    const instance = arena().instance(`half-${what.replaceAll(' ', '-')}`);
    const rule = proxy.rules.add({ match: (call) => isAbout(instance, call), nth: isUnlucky, do: action });
    await instance.create();
    await instance.reaches('running');
    await instance.wish({ rebootCount: 1 });
    await instance.reaches('running');
    await endsWell(instance, arena());
    expect(rule.hits()).toBeGreaterThan(5);
  });
  const ends = await Promise.allSettled(lives);
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
  noSecondCreate(proxy.writes());
});

/** Lives of the other kinds, each with as many writes as an instance's. */
const LIVES: Readonly<Record<string, (name: string) => Promise<Subject<Job> | Subject<ContainerService>>>> = {
  job: async (name) => {
    const job = arena().job(name);
    await job.create({ workers: 2 }, [FINALIZER.billing]);
    await job.reaches('running');
    await job.wish({ power: 'Suspended' });
    await job.reaches('suspended');
    await job.wish({ power: 'Running' });
    await job.reaches('running');
    return job;
  },
  service: async (name) => {
    const service = arena().service(name);
    await service.create({}, [FINALIZER.billing]);
    await service.becomes('active', serves(1, 1));
    await service.wish({ replicas: 2 });
    await service.becomes('of two replicas', serves(2, 1));
    await service.wish({ restartCount: 1 });
    await service.becomes('restarted', serves(2, 2));
    return service;
  },
};

for (const [kind, live] of Object.entries(LIVES))
  soakTest(
    `half of the writes of ${Object.keys(ANSWERS).length} lives of a ${kind} go wrong, GANTRY_SEED=${seed}`,
    async () => {
      const { proxy } = arena();
      const failures: string[] = [];
      // One after the other: simulated nodes have cards for a few of them only.
      for (const [index, [what, action]] of Object.entries(ANSWERS).entries()) {
        const name = arena().freshName(`${kind}-${index}`);
        const isAboutIt = (call: Call) => call.isWrite && call.resource !== 'events' && call.name.startsWith(name);
        const rule = proxy.rules.add({ match: isAboutIt, nth: isUnlucky, do: action });
        try {
          await endsPaid((await live(name)) as Subject<Job>, arena());
          expect(rule.hits()).toBeGreaterThan(5);
        } catch (error) {
          failures.push(`${what}: ${(error as Error).message}`);
        }
      }
      expect(failures).toEqual([]);
      noSecondCreate(proxy.writes());
    },
    20 * 60_000,
  );

test('Retry-After is honoured, also by what changes meanwhile', async () => {
  const SECONDS = 3;
  const { proxy } = arena();
  const instance = arena().instance('later');
  const at: number[] = [];
  proxy.rules.add({
    match: (call) => isAbout(instance, call) && at.push(performance.now()) > 0,
    nth: 1,
    do: refuse('before', 429, { retryAfterSeconds: SECONDS }),
  });
  await instance.create();
  await proxy.waitFor(() => at.length === 1, 30_000);
  await instance.wish({ cores: 2 });
  await instance.reaches('running');
  const [first = 0, second = 0] = at;
  expect(second - first).toBeGreaterThanOrEqual(SECONDS * 1000);
  await endsWell(instance, arena());
});
