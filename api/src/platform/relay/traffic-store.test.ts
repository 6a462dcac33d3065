// Counters of two gateways on a real database.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../db/open.ts';
import { Meter, percentileOf } from './meter.ts';
import { TrafficStore } from './traffic-store.ts';

let db: Database;
let clock: SteppedClock;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
});

const serve = (
  meter: Meter,
  count: number,
  over: { status?: number; ms?: number; isCheck?: boolean; replica?: string | null; via?: string } = {},
) => {
  for (let more = 0; more < count; more++) {
    meter.begin(clock.now());
    meter.end(clock.now());
    meter.record({
      at: clock.now(),
      method: 'GET',
      url: '/a?secret=1',
      status: 200,
      ms: 10,
      bytes: 100,
      bytesIn: 1,
      replica: 'p',
      isCheck: false,
      ...over,
    });
  }
};
const age = (seconds: number) =>
  db.sql.execute(sql`update service_traffic set seen_at = now() - make_interval(secs => ${seconds})`);

test('what two gateways count is added up', async () => {
  const gateways = [new TrafficStore({ db, clock }), new TrafficStore({ db, clock })];
  const meters = [new Meter(), new Meter()];
  for (let second = 0; second < 12; second++) {
    for (const meter of meters) serve(meter, 5);
    await clock.step(1_000);
  }
  meters[0]?.begin(clock.now());
  serve(meters[1] as Meter, 1, { status: 503, ms: 900 });
  for (const [at, store] of gateways.entries()) await store.post([{ uid: 'u', meter: meters[at] as Meter }]);
  const store = gateways[0] as TrafficStore;
  expect((await store.loads()).get('u')).toEqual({ inFlight: 1, perSecond: 10, lastActiveAt: clock.now() });
  expect([...(await store.loads(['u'])).keys()]).toEqual(['u']);
  expect([...(await store.loads(['another'])).keys(), ...(await store.loads([])).keys()]).toEqual([]);
  const { now, hour, steps } = await store.traffic('u');
  expect(now).toMatchObject({ in_flight: 1, requests_per_second: 10 });
  expect(hour).toMatchObject({ requests: 121, ok: 120, server_errors: 1, bytes_out: 12_100 });
  expect(steps.reduce((sum, { requests }) => sum + requests, 0)).toBe(121);
  const requests = await store.requests('u');
  expect(requests.length).toBe(50);
  expect(requests[0]).toMatchObject({ path: '/a', status: 503 });
  expect(await store.traffic('other')).toMatchObject({ hour: { requests: 0, p50_ms: null }, steps: [] });
});

test('the ways of the last minutes’ requests are added up over gateways, and older ones are forgotten', async () => {
  await clock.step(60_000 - (clock.now() % 60_000));
  const gateways = [new TrafficStore({ db, clock }), new TrafficStore({ db, clock })];
  const meters = [new Meter(), new Meter()] as const;
  const post = async () => {
    for (const [at, store] of gateways.entries()) await store.post([{ uid: 'u', meter: meters[at] as Meter }]);
  };
  const flows = async () => {
    const { seconds, of } = await (gateways[0] as TrafficStore).flows(['u', 'v']);
    const lines = of
      .get('u')
      ?.flows.map(({ replica, via, requests, errors }) => `${replica} ${via} ${requests} ${errors}`);
    return { seconds, lines: lines?.sort() };
  };
  serve(meters[0], 3);
  serve(meters[1], 2, { status: 503 });
  serve(meters[1], 1, { status: 404, via: 'chat' });
  serve(meters[1], 1, { status: 402, replica: null });
  serve(meters[1], 4, { isCheck: true });
  await post();
  await post();
  await clock.step(30_000);
  expect(await flows()).toEqual({ seconds: 270, lines: ['  1 0', 'p  5 2', 'p chat 1 0'] });
  await clock.step(225_000);
  serve(meters[0], 1, { replica: 'q' });
  await post();
  // The first minute is over the edge once the sixth begins.
  expect(await flows()).toMatchObject({ seconds: 255, lines: expect.arrayContaining(['p  5 2', 'q  1 0']) });
  await clock.step(50_000);
  expect(await flows()).toEqual({ seconds: 245, lines: ['q  1 0'] });
  expect(await (gateways[0] as TrafficStore).flows([])).toEqual({ seconds: 245, of: new Map() });
});

test('of more ways than are told apart, all requests are counted', () => {
  const meter = new Meter();
  for (let at = 0; at < 300; at++) serve(meter, 1, { replica: `p-${at}` });
  const flows = meter.flows(clock.now());
  expect(flows.length).toBeLessThanOrEqual(201);
  expect(flows.reduce((sum, [, , , requests]) => sum + requests, 0)).toBe(300);
});

test('of more ways than are told apart, the aliases are kept, as far as there is room for them', () => {
  const meter = new Meter();
  for (let at = 0; at < 300; at++) serve(meter, 1, { replica: `p-${at}`, via: at % 3 ? 'chat' : 'code' });
  const by = (via: string) => meter.flows(clock.now()).filter((flow) => flow[2] === via);
  const requests = (via: string) => by(via).reduce((sum, [, , , count]) => sum + count, 0);
  expect([requests('chat'), requests('code'), requests('')]).toEqual([200, 100, 0]);
  for (let at = 0; at < 1000; at++) serve(meter, 1, { replica: `p-${at}`, via: `alias-${at}` });
  expect([requests('chat'), requests('code'), requests('')]).toEqual([200, 100, 952]);
  expect(meter.flows(clock.now()).length).toBe(251);
});

test('of requests in one millisecond, too, the last one is the first', () => {
  const meter = new Meter();
  const statuses = () => meter.recent().map(({ status }) => status);
  expect(statuses()).toEqual([]);
  for (let at = 0; at < 3; at++) serve(meter, 1, { status: 200 + at });
  expect(statuses()).toEqual([202, 201, 200]);
  for (let at = 3; at < 60; at++) serve(meter, 1, { status: 200 + at });
  expect(statuses()).toEqual(Array.from({ length: 50 }, (_, at) => 259 - at));
});

test('posting again adds nothing twice', async () => {
  const store = new TrafficStore({ db, clock });
  const meter = new Meter();
  serve(meter, 3);
  for (let more = 0; more < 3; more++) {
    meter.isChanged = true;
    await store.post([{ uid: 'u', meter }]);
  }
  expect((await store.traffic('u')).hour.requests).toBe(3);
});

test('a gateway that is not heard leaves what is in flight unknown, until it is dead', async () => {
  const store = new TrafficStore({ db, clock });
  const meter = new Meter();
  meter.begin(clock.now());
  await store.post([{ uid: 'u', meter }]);
  await age(30);
  expect((await store.loads()).get('u')?.inFlight).toBeUndefined();
  await age(300);
  expect((await store.loads()).get('u')?.inFlight).toBe(0);
});

test('a gateway that leaves has nothing in flight', async () => {
  const store = new TrafficStore({ db, clock });
  const meter = new Meter();
  meter.begin(clock.now());
  await store.post([{ uid: 'u', meter }]);
  await store.leave([{ uid: 'u' }]);
  await age(30);
  expect((await store.loads()).get('u')?.inFlight).toBe(0);
});

test('what is older than an hour is gone', async () => {
  const store = new TrafficStore({ db, clock });
  const meter = new Meter();
  serve(meter, 1);
  await store.post([{ uid: 'u', meter }]);
  await clock.step(3_700_000);
  expect((await store.traffic('u')).hour.requests).toBe(0);
  await age(3_700);
  await store.sweep();
  expect(await store.requests('u')).toEqual([]);
});

test('while the database is down counts are kept', async () => {
  const meter = new Meter();
  serve(meter, 2);
  const insert = () => {
    throw new Error('down');
  };
  const down = new TrafficStore({ db: { sql: { insert } } as never, clock });
  await expect(down.post([{ uid: 'u', meter }])).rejects.toThrow('down');
  await clock.step(20_000);
  const store = new TrafficStore({ db, clock });
  await store.post([{ uid: 'u', meter }]);
  expect((await store.traffic('u')).hour.requests).toBe(2);
});

test.each([0, 0.4, 1, 10, 999, 1e9])('the percentile of %d ms is it, or at most √2 times more', (ms) => {
  const meter = new Meter();
  serve(meter, 1, { ms });
  const [[, counts] = [0, []]] = meter.take(clock.now());
  const shown = percentileOf(counts, 0.99) ?? 0;
  if (ms < 1e7) expect(shown).toBeGreaterThanOrEqual(ms);
  expect(shown).toBeLessThanOrEqual(Math.max(0.5, ms * 1.5));
});
