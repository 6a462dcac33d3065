// Fault 7: the API server says no, not now, or nothing at all, to half of the writes of a whole life. It converges, waits as
// long as it is asked to, and never makes anything a second time.
import { expect, test } from '@jest/globals';
import { type Action, cut, type Moment, refuse } from '../action.ts';
import type { Call } from '../call.ts';
import { seedOf } from '../crash-points.ts';
import { ALONE, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';
import { noSecondCreate } from './invariants.ts';

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
