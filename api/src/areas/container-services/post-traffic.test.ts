// The rounds of posting traffic: when something is written, swept, and tried again.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { postTraffic } from './post-traffic.ts';

let clock: SteppedClock;
let done: string[];
let warnings: string[];
let isBroken: boolean;
let ender: AbortController;
let posting: Promise<void>;

const does = (what: string) => async () => {
  done.push(what);
  if (isBroken) throw new Error('the database is away');
};

beforeEach(() => {
  clock = new SteppedClock();
  done = [];
  warnings = [];
  isBroken = false;
  ender = new AbortController();
  posting = postTraffic(
    { clock, log: { warn: (_facts: object, message?: string) => void warnings.push(message ?? '') } },
    { all: [] },
    { post: does('posted'), sweep: does('swept') },
    { note: async () => void done.push('noted') },
    ender.signal,
  );
});
afterEach(async () => {
  ender.abort();
  await posting;
});

const times = (what: string) => done.filter((one) => one === what).length;

test('traffic is posted and noted every two seconds, and swept every five minutes', async () => {
  await clock.step(2_000);
  expect(done).toEqual(['posted', 'noted']);
  await clock.step(298_000);
  expect([times('posted'), times('noted'), times('swept')]).toEqual([150, 150, 1]);
});

test('a database that is away ends no round: the next one posts again', async () => {
  isBroken = true;
  await clock.step(2_000);
  isBroken = false;
  await clock.step(2_000);
  expect([done, warnings]).toEqual([['posted', 'noted', 'posted', 'noted'], ['traffic was not written']]);
});

test('nothing is begun after the end', async () => {
  ender.abort();
  await clock.step(1);
  const before = done.length;
  await clock.step(600_000);
  expect([done.length, clock.waitingMs]).toEqual([before, []]);
});
