// A week of alarms in stepped time, over real SQL: objects and Pods come, run hot, fall silent, rest, come back and go, Prometheus is
// away or answers in part, evaluators change, and a policy is edited. After each cycle the alarms that stand are those that should.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { isNull } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { alarmFlow, alarms, alertSeries } from '../../platform/db/schema/alerts.ts';
import { AlarmStore } from './alarm-store.ts';
import { type Answered, Evaluator } from './evaluator.ts';
import type { Life } from './outcome.ts';

const PERIOD_MS = 15 * 60_000;
const CYCLES = (7 * 86_400_000) / PERIOD_MS;
const START = Date.UTC(2026, 10, 9);
/** From here on everything is deleted, and no more comes. */
const LAST_DAY = CYCLES - 96;
const signal = new AbortController().signal;

function* noise(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

const HOT = { type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' } as const;
const policy = (name: string, over: Partial<AlertPolicySpec>): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name, namespace: 'org-acme', uid: name },
  spec: {
    state: 'Enabled',
    objects: { kind: 'GpuInstance' },
    metric: 'GpuTemperature',
    aggregation: 'Maximum',
    periodSeconds: PERIOD_MS / 1000,
    rules: [HOT],
    begins: { met: 1, of: 1 },
    endsAfter: 1,
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 1000 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
    ...over,
  },
});
const NO_DATA = { type: 'NoData', level: 'Warning' } as const;
const QUERY = { metric: undefined, query: 'temperature' };
const POLICIES = [
  policy('objects', {}),
  policy('objects-no-data', { rules: [NO_DATA] }),
  policy('query', QUERY),
  policy('query-no-data', { ...QUERY, rules: [NO_DATA] }),
  policy('never', { ...QUERY, query: 'nothing', rules: [NO_DATA] }),
];
/** A policy whose query is another with the same answer. */
const edited = (one: AlertPolicy): AlertPolicy =>
  one.spec.query === 'temperature' ? { ...one, spec: { ...one.spec, query: 'temperature + 0' } } : one;

/** An object that a tenant runs. A Pod has another name in each run. */
interface Thing {
  name: string;
  run: number;
  life: Life;
  isHot: boolean;
  isSilent: boolean;
}
const podOf = ({ name, run }: Thing) => `${name}-${run}`;
const isMeasured = ({ life, isSilent }: Thing) => life === 'running' && !isSilent;

/** The world that the evaluator sees, moved on by chance. */
class World {
  things: Thing[] = [];
  isAway = false;
  isPartial = false;
  readonly #random = noise(34);
  #made = 0;

  chance(one: number): boolean {
    return (this.#random.next().value as number) < 1 / one;
  }

  move(): void {
    if (this.things.length < 12 && this.chance(4))
      this.things.push({ name: `t${this.#made++}`, run: 1, life: 'starting', isHot: false, isSilent: false });
    for (const one of this.things) this.#live(one);
    this.things = this.things.filter(() => !this.chance(120));
    this.isAway = this.isAway ? !this.chance(4) : this.chance(60);
    this.isPartial = !this.isAway && this.chance(40);
  }

  end(): void {
    this.things = [];
    [this.isAway, this.isPartial] = [false, false];
  }

  #live(one: Thing): void {
    if (one.life === 'starting') one.life = 'running';
    else if (this.chance(30)) [one.life, one.run] = [one.life === 'gone' ? 'starting' : 'gone', one.run + 1];
    if (this.chance(8)) one.isHot = !one.isHot;
    if (this.chance(one.isSilent ? 6 : 40)) one.isSilent = !one.isSilent;
  }

  find(name: string | undefined): Thing | undefined {
    return this.things.find((one) => one.name === name);
  }

  hasPod(pod: string): boolean {
    return this.things.some((one) => podOf(one) === pod && one.life !== 'gone');
  }

  async answer(query: string): Promise<Answered> {
    if (this.isAway) throw new Error('away');
    if (this.isPartial) return { series: [], warnings: ['a store is away'] };
    const all = query.includes('nothing') ? [] : this.things.filter(isMeasured);
    const labels = (one: Thing) => ({ namespace: 'org-acme', pod: podOf(one), gpu: '0' });
    return { series: all.map((one) => ({ labels: labels(one), value: one.isHot ? 93 : 50 })), warnings: [] };
  }
}

type Alarm = typeof alarms.$inferSelect;

/** The open alarms are those that the table gives for the measurements of this cycle. */
class Checks {
  firing = 0;
  noData = 0;
  /** By run: the first cycle without a value. */
  readonly #silentSince = new Map<string, number>();

  look(world: World, cycle: number, openAlarms: readonly Alarm[]): void {
    const of = (uid: string) => openAlarms.filter(({ policyUid }) => policyUid === uid);
    for (const one of world.things) {
      const alarmsOf = (uid: string) =>
        of(uid).filter(({ object, labels }) => object === one.name || labels.pod === podOf(one));
      this.#lookAt(one, cycle, {
        isFiring: alarmsOf('objects').length > 0,
        isMissed: alarmsOf('objects-no-data').length > 0,
        queries: alarmsOf('query').length,
      });
    }
    const names = new Set(world.things.map(({ name }) => name));
    const orphans = [...of('objects'), ...of('objects-no-data')].filter(({ object }) => !names.has(object ?? ''));
    // Until the first one has run, the query itself has no data.
    const ofPods = [...of('query'), ...of('query-no-data')].filter(({ labels }) => labels.pod !== undefined);
    const lost = ofPods.filter(({ labels }) => !world.hasPod(labels.pod ?? ''));
    expect([orphans, lost]).toEqual([[], []]);
    expect(of('never').map(({ labels }) => labels)).toEqual([{}]);
  }

  #lookAt(one: Thing, cycle: number, seen: { isFiring: boolean; isMissed: boolean; queries: number }): void {
    const silent = this.#silentFor(one, cycle);
    if (one.life === 'gone') expect({ cycle, one, ...seen }).toMatchObject({ isFiring: false, isMissed: false });
    if (isMeasured(one)) {
      const { isHot } = one;
      const wanted = { isFiring: isHot, isMissed: false, queries: isHot ? 1 : 0 };
      expect({ cycle, one, ...seen }).toEqual({ cycle, one, ...wanted });
      if (isHot) this.firing++;
    } else if (one.life === 'running') {
      expect({ cycle, one, ...seen }).toMatchObject({ isMissed: true });
      this.noData++;
      // An hour, and what Prometheus did not answer of it.
      if (silent > 14) expect({ cycle, one, ...seen }).toMatchObject({ isFiring: false, queries: 0 });
    }
  }

  #silentFor(one: Thing, cycle: number): number {
    if (isMeasured(one) || one.life !== 'running') this.#silentSince.delete(podOf(one));
    else if (!this.#silentSince.has(podOf(one))) this.#silentSince.set(podOf(one), cycle);
    return cycle - (this.#silentSince.get(podOf(one)) ?? cycle);
  }
}

const openEvaluator = async (db: Database, clock: SteppedClock, world: World, policies: () => AlertPolicy[]) => {
  const one = new Evaluator({
    store: new AlarmStore(db),
    clock,
    log: { warn: () => undefined },
    policies: () => policies().map((of) => ({ organizationId: 'acme', policy: of })),
    exists: () => true,
    ask: (query) => world.answer(query),
    scope: (query) => ({ query }),
    objectOf: ({ pod = '' }) => ({ kind: 'GpuInstance', name: pod.replace(/-\d+$/, '') }),
    platform: async () => [],
    lifeOf({ spec }, { object, labels: { pod } }) {
      if (spec.query === undefined) return world.find(object)?.life ?? 'gone';
      return pod === undefined ? undefined : world.hasPod(pod) ? 'running' : 'gone';
    },
    due: () => world.things.filter(({ life }) => life === 'running').map(({ name }) => name),
    evaluated: () => undefined,
  });
  await one.open();
  return one;
};

/** No series has two alarms that stand. */
function expectEachOnce(openAlarms: readonly Alarm[]): void {
  const keys = openAlarms.map(({ policyUid, object, labels }) => JSON.stringify([policyUid, object, labels]));
  expect(new Set(keys).size).toBe(keys.length);
}

test('a week of series that come and go: no alarm outlives what it is about, none is missing, and nothing is left', async () => {
  const db = await migratedDatabase();
  const [clock, world, checks] = [new SteppedClock(), new World(), new Checks()];
  clock.set(START);
  let policies = POLICIES;
  const open = () => openEvaluator(db, clock, world, () => policies);
  let evaluator = await open();
  for (let cycle = 1; cycle <= CYCLES; cycle++) {
    clock.set(START + cycle * PERIOD_MS);
    if (cycle < LAST_DAY) world.move();
    else world.end();
    if (world.chance(100)) evaluator = await open();
    if (cycle === CYCLES / 2) policies = policies.map(edited);
    await evaluator.look(signal);
    await evaluator.settle();
    const openAlarms = await db.sql.select().from(alarms).where(isNull(alarms.endedAt));
    expectEachOnce(openAlarms);
    if (!world.isAway && !world.isPartial) checks.look(world, cycle, openAlarms);
  }
  expect(checks.firing).toBeGreaterThan(1_000);
  expect(checks.noData).toBeGreaterThan(200);

  // Everything was deleted a day ago: what stands is the query that never had data, and one that had some is remembered.
  const all = await db.sql.select().from(alarms);
  expect(all.filter(({ endedAt }) => !endedAt).map(({ policyUid }) => policyUid)).toEqual(['never']);
  const known = await db.sql.select().from(alertSeries);
  expect(known.map(({ policyUid }) => policyUid).sort()).toEqual(['never', 'query-no-data']);
  const flow = Map.groupBy(await db.sql.select().from(alarmFlow).orderBy(alarmFlow.seq), ({ alarmId }) => alarmId);
  for (const { id, endedAt, ended } of all)
    expect(flow.get(id)?.map(({ what }) => what)).toEqual(endedAt ? ['fired', ended] : ['fired']);
  expect(new Set(all.flatMap(({ ended }) => ended ?? []))).toEqual(new Set(['gone', 'resolved', 'vanished']));
  expect(all.length).toBeGreaterThan(200);
  await db.close();
}, 180_000);
