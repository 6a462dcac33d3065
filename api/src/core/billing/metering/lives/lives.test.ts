// Row F4 of the targets: thousands of lives with operators and gateways that are away, repeat themselves and come late are billed
// to the second, and to the millionth. `make soak` plays 10,000.
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { migratedDatabase } from '../../../../../../test/support/database.ts';
import { isSoak } from '../../../../../../test/support/soak.ts';
import type { Database } from '../../../../platform/db/open.ts';
import { rowsOf } from '../../../../platform/db/rows-of.ts';
import { billingProfiles } from '../../../../platform/db/schema/payments.ts';
import { organizations } from '../../../../platform/db/schema/people.ts';
import { Ledger } from '../../ledger/ledger.ts';
import { Wallets } from '../../ledger/wallets.ts';
import { Discounts, PriceTable } from '../../prices/price-table.ts';
import { Meter, type MeterParts } from '../meter.ts';
import type { Seen } from '../seen.ts';
import {
  type Expected,
  expectedOf,
  type Life,
  momentsOf,
  randomOf,
  statusAt,
  type Timeline,
  timelineOf,
} from './testing/script.ts';

const LIVES = isSoak ? 10_000 : 200;
const SEED = Number(process.env.GANTRY_SEED ?? 20_260_122);
/** A month begins within the two days, in every time zone. */
const START = Date.parse('2026-01-31T00:00:00Z');
const DAYS = isSoak ? 4 : 2;
const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe'];
const STEP = 1_800;
const HOUR = 3600;
const LAG_MS = 2_000;

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

const name = (organization: number): string => `org${organization}`;
const at = (second: number): number => START + second * 1000;

/** Plays a gateway from the beginning to the end: its input and its actions. */
class Play {
  readonly clock = new SteppedClock();
  readonly timeline: Timeline;
  readonly wallets: Wallets;
  readonly #random = randomOf(SEED + 1);
  readonly #tariffs: MeterParts['tariffs'];
  #meter: Meter;

  constructor(timeline: Timeline) {
    this.timeline = timeline;
    this.clock.set(START);
    this.wallets = new Wallets({ db, clock: this.clock, ledger: new Ledger({ db, clock: this.clock }) });
    const prices = new PriceTable(
      timeline.prices.map(({ sku, second, amount }, index) => ({
        id: BigInt(index + 1),
        sku,
        region: '*',
        currency: 'USD',
        amount: micros(amount),
        validFrom: at(second),
      })),
    );
    const discounts = new Discounts(
      timeline.discounts.map(({ organization, second, basisPoints }, index) => ({
        id: BigInt(index + 1),
        type: 'organization',
        target: name(organization),
        source: 'container_rent',
        basisPoints,
        validFrom: at(second),
      })),
    );
    this.#tariffs = {
      of: (organizationId) => ({ prices, discounts, region: 'r1', currency: 'USD', organizationId }),
    };
    this.#meter = this.#opened();
  }

  async open(): Promise<void> {
    for (let one = 0; one < this.timeline.organizations; one++) {
      const row = { id: name(one), name: name(one), currency: 'USD', createdAt: new Date(START) };
      await db.sql.insert(organizations).values(row);
      await this.wallets.open(name(one), 'USD');
      const zone = ZONES[one % ZONES.length] ?? 'UTC';
      await db.sql
        .update(billingProfiles)
        .set({ zone })
        .where(eq(billingProfiles.organizationId, name(one)));
    }
  }

  async run(): Promise<void> {
    const { lives, gatewayAway } = this.timeline;
    const changes = new Map<number, Life[]>();
    for (const life of lives)
      for (const step of new Set(momentsOf(life).map((moment) => Math.ceil(moment / STEP))))
        changes.set(step, [...(changes.get(step) ?? []), life]);
    const last = Math.max(...changes.keys()) + 1;
    let wasAway = false;
    for (let step = 1; step <= last; step++) {
      const second = step * STEP;
      this.clock.set(at(second) + 500);
      const isAway = step < last && gatewayAway.some(({ from, to }) => from <= second && second < to);
      // Another process, which knows nothing yet, reads everything.
      const isNew = !isAway && (wasAway || step === last);
      wasAway = isAway;
      if (isNew) this.#meter = this.#opened();
      if (!isAway) await this.#step(second, isNew ? lives : (changes.get(step) ?? []));
    }
    this.clock.set(this.clock.now() + LAG_MS);
    for (let failed = 1; failed > 0; ) ({ failed } = await this.#meter.settle(this.clock.now() - LAG_MS));
  }

  async #step(second: number, changed: readonly Life[]): Promise<void> {
    const now = changed.map((life) => this.#seen(life, second));
    const late = changed
      .filter(() => this.#random() < 0.2)
      .map((life) => this.#seen(life, second - this.#random() * 4 * HOUR));
    const reports = [...late, ...now, ...now.filter(() => this.#random() < 0.1)];
    for (let from = 0; from < reports.length; from += 500) {
      const batch = reports.slice(from, from + 500).flat();
      // Whatever order they come in.
      batch.sort(() => this.#random() - 0.5);
      await this.#meter.record(batch);
    }
    const uids = changed.map(({ uid }) => uid);
    if (uids.length > 0) await this.#meter.settle(this.clock.now() - LAG_MS, { uids });
    if (second % HOUR === 0) await this.#meter.settle(this.clock.now() - LAG_MS);
  }

  #opened(): Meter {
    const { clock, wallets } = this;
    /** One in so many postings dies before, or after, it was committed. */
    const charge: MeterParts['wallets']['charge'] = async (charges, also) => {
      if (this.#random() < 0.01) throw new Error('killed before the commit');
      const posted = await wallets.charge(charges, also);
      if (this.#random() < 0.01) throw new Error('killed after the commit');
      return posted;
    };
    return new Meter({ db, clock, log: pino({ enabled: false }), wallets: { charge }, tariffs: this.#tariffs });
  }

  #seen(life: Life, second: number): Seen[] {
    return statusAt(life, second).map(({ seq, from, to, uses }) => ({
      uid: life.uid,
      seq,
      organizationId: name(life.organization),
      region: 'r1',
      kind: 'GpuInstance',
      name: life.uid,
      accountId: 'ann',
      subjectUid: `${life.uid}-${seq}`,
      uses,
      from: at(from),
      ...(to !== undefined && { to: at(to) }),
    }));
  }
}

test(
  `${LIVES} lives out of seed ${SEED} cost what the script says`,
  async () => {
    const timeline = timelineOf(SEED, LIVES, DAYS);
    const play = new Play(timeline);
    await play.open();
    await play.run();

    const expected = expectedOf(timeline);
    const rows = await rowsOf<{ uid: string; list: string; net: string; gpu: string }>(
      db.sql,
      sql`select uid, sum(list)::text as list, sum(net)::text as net,
          coalesce(sum(quantity_milli * extract(epoch from "to" - "from")) filter (where sku like 'gpu/%'), 0)::bigint::text as gpu
        from slices group by uid`,
    );
    const billed = new Map(rows.map(({ uid, list, net, gpu }) => [uid, [list, net, gpu].join()]));
    const wrong = timeline.lives.flatMap(({ uid }, index) => {
      const { list, net, gpuMilliSeconds } = expected[index] as Expected;
      const [got = '0,0,0', wanted] = [billed.get(uid), [list, net, gpuMilliSeconds].join()];
      return got === wanted ? [] : [{ uid, got, wanted }];
    });
    expect(wrong).toEqual([]);
    // The intervals of overlapping workers state what each of them used.
    const ofIntervals = ({ stretches }: Life): bigint =>
      stretches
        .filter(({ ofWorkers }) => ofWorkers)
        .flatMap(({ from, to, uses }) =>
          uses
            .filter(({ resource }) => resource === 'gpu')
            .map(({ quantity }) => BigInt(Math.round(quantity * 1000)) * BigInt(to - from)),
        )
        .reduce((sum, one) => sum + one, 0n);
    const jobs = timeline.lives.filter(({ workerGpuMilliSeconds }) => workerGpuMilliSeconds > 0n);
    expect(jobs.length).toBeGreaterThan(LIVES / 10);
    expect(jobs.filter((life) => ofIntervals(life) !== life.workerGpuMilliSeconds)).toEqual([]);

    // The wallets and the bills owe what the script says; no report was an anomaly.
    const owed = Array.from({ length: timeline.organizations }, () => 0n);
    for (const [index, { organization }] of timeline.lives.entries())
      owed[organization] = (owed[organization] ?? 0n) + (expected[index] as Expected).net;
    for (const [one, net] of owed.entries())
      expect([one, (await play.wallets.balances(name(one))).debt]).toEqual([one, net]);
    const [sums] = await rowsOf<Record<string, string>>(
      db.sql,
      sql`select (select sum(total)::text from bills) as bills, (select count(*)::int from meter_anomalies) as anomalies,
          (select count(*)::int from slices where is_correction) as corrections, (select count(*)::int from transfers) as transfers,
          (select count(*)::int from meters where "to" is null or settled_to <> "to") as unsettled,
          (select count(*)::int from (select "from", lag("to") over (partition by uid, seq, use order by "from") as before
            from slices where not is_correction) s where before > "from") as overlaps`,
    );
    const total = owed.reduce((sum, net) => sum + net, 0n);
    expect(sums).toMatchObject({ bills: `${total}`, anomalies: 0, unsettled: 0, overlaps: 0 });
    // Or it would have proved less than it says.
    expect(sums?.corrections).toBeGreaterThan(0);
    console.log(`${LIVES} lives: ${sums?.transfers} transfers, ${sums?.corrections} corrections, no second wrong`);
  },
  isSoak ? 3_600_000 : 180_000,
);
