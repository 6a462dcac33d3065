// The meter and its controller on both databases, with the real wallets; the cluster is a list that tells of its changes.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { Registry } from 'prom-client';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { billingProfiles } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Wallets } from '../ledger/wallets.ts';
import { Discounts, type Price, PriceTable } from '../prices/price-table.ts';
import { Meter, type MeterParts } from './meter.ts';
import { MeterController, type MeteredObjects } from './meter-controller.ts';
import { MeteringMetrics } from './metering-metrics.ts';
import { releaseLeft } from './release.ts';
import type { MeteredObject, Seen } from './seen.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** In January 2026: `02T10:00:00`. */
const at = (text: string): number => Date.parse(`2026-01-${text}Z`);
const log = pino({ enabled: false });

/** A card costs a micro per millisecond, 3.60 an hour. */
const HOURLY = 3_600_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The cluster's port, with the actions of the operator and others. */
class Cluster implements MeteredObjects {
  regions = ['r1'];
  silentRegions: string[] = [];
  readonly objects = new Map<string, MeteredObject>();
  readonly posted: [string, number][] = [];
  readonly freed: string[] = [];
  /** The API server's answer to the next write. */
  refuses: Error | undefined;
  readonly #listeners = new Set<(change: { before?: MeteredObject; after?: MeteredObject }) => void>();

  list = () => [...this.objects.values()];

  on(listener: (change: { before?: MeteredObject; after?: MeteredObject }) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  put(uid: string, intervals: readonly Interval[], more: { isGoing?: boolean; finalizers?: string[] } = {}): void {
    const before = this.objects.get(uid);
    const { isGoing = false, finalizers = [FINALIZER.billing, ...(isGoing ? [] : [FINALIZER.operator])] } = more;
    const after: MeteredObject = {
      facts: { kind: 'GpuInstance', cost: { source: 'container_rent' } },
      object: {
        apiVersion: 'gantry.dev/v1alpha1',
        kind: 'GpuInstance',
        metadata: { name: uid, uid, finalizers, ...(isGoing && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
        spec: { creator: 'ann' },
        status: { intervals, ...(before?.object.status?.credit && { credit: before.object.status.credit }) },
      },
      uid,
      organizationId: 'acme',
      region: 'r1',
    };
    this.objects.set(uid, after);
    this.#tell({ ...(before && { before }), after });
  }

  vanish(uid: string): void {
    const before = this.objects.get(uid) as MeteredObject;
    this.objects.delete(uid);
    this.#tell({ before });
  }

  async writePosted({ uid, object }: MeteredObject, postedSeq: number): Promise<void> {
    this.#refuse();
    this.posted.push([uid, postedSeq]);
    (object.status as Mutable<NonNullable<MeteredObject['object']['status']>>).credit = { postedSeq };
  }

  async dropFinalizer({ uid }: MeteredObject): Promise<void> {
    this.#refuse();
    this.freed.push(uid);
    this.vanish(uid);
  }

  #refuse(): void {
    const error = this.refuses;
    this.refuses = undefined;
    if (error) throw error;
  }

  #tell(change: { before?: MeteredObject; after?: MeteredObject }): void {
    for (const listener of this.#listeners) listener(change);
  }
}

forEachDatabase((database) => {
  let clock: SteppedClock;
  let wallets: Wallets;
  let prices: Price[];
  let registry: Registry;
  let meter: Meter;
  /** The failure injected into the next posting: before or after its commit. */
  let dies: 'before' | 'after' | undefined;

  const price = (sku: string, amount: number, validFrom = 0): void => {
    prices.push({
      id: BigInt(prices.length + 1),
      sku,
      region: '*',
      currency: 'USD',
      amount: micros(amount),
      validFrom,
    });
  };
  const tariffs = {
    of: (organizationId: string) => ({
      prices: new PriceTable(prices),
      discounts: new Discounts([]),
      region: 'r1',
      currency: 'USD',
      organizationId,
    }),
  };
  const charge: MeterParts['wallets']['charge'] = async (...args) => {
    const dying = dies;
    dies = undefined;
    if (dying === 'before') throw new Error('killed before the commit');
    const posted = await wallets.charge(...args);
    if (dying === 'after') throw new Error('killed after the commit');
    return posted;
  };
  const newMeter = (more: Partial<MeterParts> = {}) =>
    new Meter({ db: database(), clock, log, wallets: { charge }, tariffs, ...more });

  beforeEach(async () => {
    clock = new SteppedClock();
    prices = [];
    dies = undefined;
    price('gpu/any', HOURLY);
    wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    for (const id of ['acme', 'other'])
      await database()
        .sql.insert(organizations)
        .values({ id, name: id, currency: 'USD', createdAt: new Date(0) });
    await wallets.open('acme', 'USD');
    registry = new Registry();
    meter = newMeter({ metrics: new MeteringMetrics(registry) });
  });

  const seen = (from: string, to?: string, changes: Partial<Seen> = {}): Seen => ({
    uid: 'u1',
    seq: 1,
    organizationId: 'acme',
    region: 'r1',
    kind: 'GpuInstance',
    name: 'ins-1',
    accountId: 'ann',
    subjectUid: 'pod-1',
    uses: [{ resource: 'gpu', model: 'H200', quantity: 1 }],
    from: at(from),
    ...(to !== undefined && { to: at(to) }),
    ...changes,
  });
  const now = (time: string) => clock.set(at(time));
  const owed = async (organization = 'acme') => Number((await wallets.balances(organization)).debt);
  const slices = async () => {
    const rows = await rowsOf<{ from: string; to: string; net: string; back: boolean }>(
      database().sql,
      sql`select to_char("from" at time zone 'UTC', 'DD"T"HH24:MI:SS') as from, to_char("to" at time zone 'UTC', 'DD"T"HH24:MI:SS') as to,
          net::text, is_correction as back from slices order by uid, seq, slices."from", is_correction`,
    );
    return rows.map(({ from, to, net, back }) => `${from} ${to} ${net}${back ? ' back' : ''}`);
  };
  const bills = () =>
    rowsOf<object>(database().sql, sql`select id, total::int, account_id as account, reference from bills order by id`);
  const anomalies = async () =>
    (await rowsOf<{ reason: string }>(database().sql, sql`select reason from meter_anomalies order by reason`)).map(
      ({ reason }) => reason,
    );

  describe('use under a hold that was cut is not free', () => {
    const hour = micros(HOURLY);
    const move = (key: string) => ({ key, organizationId: 'acme', at: new Date(clock.now()) });
    const buy = (key: string, net: number) => {
      const bill = { id: key, type: 'order_consumption', source: 'host_rent', reference: 'plan' } as const;
      return wallets.buy({ ...move(key), list: micros(net), net: micros(net), bill }, async () => undefined);
    };
    const topUp = (key: string, amount: bigint) =>
      wallets.deposit({ ...move(key), amount: micros(amount), channel: 'card', bill: { id: key, reference: key } });

    beforeEach(async () => {
      now('01T00:00:00');
      wallets.countUse(meter.readUse);
      await wallets.setOverdraft('acme', micros(0));
      await topUp('pay-1', 5n * hour);
      await wallets.spend('acme', ['u1'], (money) =>
        money.hold({ subject: 'u1', amount: hour, until: new Date(at('01T01:00:00')) }),
      );
      await meter.record([seen('01T00:00:00')]);
    });

    const cuts: Record<string, () => Promise<unknown>> = {
      'by a chargeback': () =>
        wallets.takeBack({
          ...move('d-1'),
          amount: micros(5n * hour),
          channel: 'card',
          billId: 'pay-1',
          why: 'chargeback',
        }),
      'by the use of others': () =>
        wallets.charge([
          {
            ...move('use-other'),
            list: micros(5n * hour),
            net: micros(5n * hour),
            bill: { id: 'use-other', type: 'consumption', source: 'container_rent', reference: 'x' },
          },
        ]),
      'by its own use beyond it': () =>
        wallets.charge([
          {
            ...move('use-own'),
            list: micros(5n * hour),
            net: micros(5n * hour),
            subject: 'u1',
            bill: { id: 'use-own', type: 'consumption', source: 'container_rent', reference: 'x' },
          },
        ]),
    };
    for (const [how, cut] of Object.entries(cuts))
      test(`cut ${how}`, async () => {
        await cut();
        await topUp('pay-2', hour);
        now('01T00:30:00');
        await expect(buy('plan', HOURLY / 2 + 1)).rejects.toMatchObject({ name: 'NotCovered' });
        await buy('plan', HOURLY / 2);
        await meter.record([seen('01T00:00:00', '01T00:30:00')]);
        await meter.settle(clock.now());
        expect(await owed()).toBe(0);
      });

    test('cut by an overdraft that is lowered', async () => {
      await wallets.setOverdraft('acme', hour);
      await buy('first', 5 * HOURLY);
      await wallets.setOverdraft('acme', micros(0));
      await topUp('pay-2', hour);
      now('01T00:30:00');
      await expect(buy('plan', HOURLY / 2 + 1)).rejects.toMatchObject({ name: 'NotCovered' });
    });
  });

  describe('an interval', () => {
    test('that lasts a minute costs a minute, on a bill that names object and member', async () => {
      now('01T00:02:00');
      await meter.record([seen('01T00:00:30', '01T00:01:30')]);
      expect(await meter.settle(clock.now())).toEqual({ slices: 1, waiting: 0, failed: 0 });
      expect(await owed()).toBe(MINUTE);
      expect(await bills()).toEqual([
        { id: 'use/u1/2026-01-01/ann', total: MINUTE, account: 'ann', reference: 'GpuInstance/ins-1' },
      ]);
    });

    test('told and settled again and again, in any order, is billed once', async () => {
      now('01T05:00:00');
      const all = [
        seen('01T00:00:00', '01T02:30:00'),
        seen('01T02:30:00', '01T03:00:00', { seq: 2 }),
        seen('01T03:00:00', undefined, { seq: 3 }),
      ];
      await meter.record([all[2] as Seen]);
      await meter.record([...all, ...all].reverse());
      for (let again = 0; again < 3; again++) {
        await meter.settle(at('01T03:30:00'));
        await meter.record(all);
      }
      await meter.record([seen('01T00:00:00')]);
      await meter.record([seen('01T03:00:00', '01T03:30:00', { seq: 3 })]);
      await newMeter().settle(clock.now());
      await meter.settle(clock.now());
      expect(await owed()).toBe(3.5 * HOUR);
      expect(await anomalies()).toEqual([]);
    });

    test('is taken in beside repeats, news of known objects and objects that nobody knew, also by another process', async () => {
      now('01T05:00:00');
      const known = ['u1', 'u2', 'u3'].map((uid) => seen('01T00:00:00', undefined, { uid, subjectUid: '' }));
      await meter.record(known);
      const reports = [
        known[0] as Seen,
        seen('01T00:00:00', '01T01:00:00', { uid: 'u2', subjectUid: '' }),
        seen('01T01:00:00', '01T02:00:00', { uid: 'u2', seq: 2 }),
        seen('01T00:10:00', undefined, { uid: 'u3', subjectUid: '' }),
        seen('01T03:00:00', '01T02:00:00', { uid: 'u4' }),
        seen('01T03:00:00', '01T04:00:00', { uid: 'u5', uses: [{ resource: 'cpu', quantity: 2 }] }),
      ];
      for (const one of [meter, meter, newMeter()]) await one.record(reports);
      expect(
        await rowsOf<object>(
          database().sql,
          sql`select uid, seq, subject_uid as subject, uses->0->>'resource' as uses, extract(hour from "to" at time zone 'UTC')::int as "to"
            from meters order by uid, seq`,
        ),
      ).toEqual([
        { uid: 'u1', seq: 1, subject: '', uses: 'gpu', to: null },
        { uid: 'u2', seq: 1, subject: '', uses: 'gpu', to: 1 },
        { uid: 'u2', seq: 2, subject: 'pod-1', uses: 'gpu', to: 2 },
        { uid: 'u3', seq: 1, subject: '', uses: 'gpu', to: null },
        { uid: 'u4', seq: 1, subject: 'pod-1', uses: 'gpu', to: 3 },
        { uid: 'u5', seq: 1, subject: 'pod-1', uses: 'cpu', to: 4 },
      ]);
      expect(await anomalies()).toEqual(['backwards', 'changed']);
    });

    test('two gateways settle it at once, and it is billed once', async () => {
      now('02T00:00:00');
      await meter.record([seen('01T00:00:00')]);
      const two = [meter, newMeter()];
      await Promise.all(two.map((one) => one.settle(clock.now())));
      await Promise.all(two.map((one) => one.settle(clock.now())));
      expect(await owed()).toBe(24 * HOUR);
    });

    test('three days of an outage are posted as the hours they were', async () => {
      now('04T00:10:00');
      await meter.record([seen('01T00:10:00')]);
      await meter.settle(clock.now());
      expect((await slices()).length).toBe(72);
      expect((await slices()).slice(0, 2)).toEqual([
        '01T00:10:00 01T01:00:00 3000000',
        '01T01:00:00 01T02:00:00 3600000',
      ]);
      expect(await owed()).toBe(72 * HOUR - 10 * MINUTE);
    });

    test('too large for one posting is split into several, and none of them fails', async () => {
      const days = 90;
      const to = at('01T00:00:00') + days * 24 * HOUR;
      clock.set(to + HOUR);
      // Slices for several postings more than there are tries.
      const uses = ['H200', 'H100', 'A100', 'L40S'].map((model) => ({ resource: 'gpu' as const, model, quantity: 1 }));
      await meter.record([{ ...seen('01T00:00:00'), to, uses }]);
      expect(await meter.settle(clock.now())).toEqual({ slices: 4 * days * 24, waiting: 0, failed: 0 });
      expect(await owed()).toBe(4 * days * 24 * HOUR);
    });

    test('over the edge of a month is billed in the month that its organisation counts it in', async () => {
      await database()
        .sql.update(billingProfiles)
        .set({ zone: 'Asia/Kolkata' })
        .where(eq(billingProfiles.organizationId, 'acme'));
      clock.set(at('31T20:00:00'));
      await meter.record([seen('31T18:15:00', '31T18:45:00')]);
      await meter.settle(clock.now());
      expect(await slices()).toEqual(['31T18:15:00 31T18:30:00 900000', '31T18:30:00 31T18:45:00 900000']);
      const [counted] = await rowsOf<object>(
        database().sql,
        sql`select count(*) filter (where at < '2026-01-31T18:30:00Z')::int as january, count(*)::int as both from transfers`,
      );
      expect(counted).toEqual({ january: 1, both: 2 });
    });

    test('with no length is acknowledged, and costs nothing', async () => {
      now('01T01:00:00');
      await meter.record([seen('01T00:30:00', '01T00:30:00')]);
      await meter.settle(clock.now());
      expect([await meter.postedSeqOf('u1'), await meter.isAllPosted('u1'), await slices(), await owed()]).toEqual([
        1,
        true,
        [],
        0,
      ]);
    });

    test('in the future is refused, shown once and counted, and billed when it has come', async () => {
      now('01T01:00:00');
      const early = seen('01T02:00:00', '01T03:00:00');
      for (let again = 0; again < 2; again++) expect(await meter.record([early])).toEqual([early]);
      await meter.settle(clock.now());
      expect([await anomalies(), await slices()]).toEqual([['future'], []]);
      expect(await registry.metrics()).toContain('gantry_metering_anomalies_total{reason="future"} 1\n');
      now('01T03:00:00');
      expect(await meter.record([early])).toEqual([]);
      await meter.settle(clock.now());
      expect(await owed()).toBe(HOUR);
    });

    test('that shrank, grew or overlaps is shown and never billed twice', async () => {
      now('01T06:00:00');
      await meter.record([seen('01T00:00:00', '01T02:00:00')]);
      await meter.settle(clock.now());
      await meter.record([seen('01T00:00:00', '01T01:00:00')]);
      await meter.record([seen('01T00:00:00', '01T04:00:00')]);
      await meter.record([seen('01T01:00:00', '01T03:00:00', { seq: 2 })]);
      await meter.settle(clock.now());
      expect(await anomalies()).toEqual(['grew', 'overlaps', 'shrank']);
      expect(await owed()).toBe(3 * HOUR);
    });

    test('that ended sooner than it was posted gives the rest back, on the bills of those days', async () => {
      now('02T02:00:00');
      await meter.record([seen('01T22:00:00')]);
      await meter.settle(clock.now());
      expect(await owed()).toBe(4 * HOUR);
      await meter.record([seen('01T22:00:00', '01T23:15:00')]);
      await meter.settle(clock.now());
      await meter.settle(clock.now());
      expect((await slices()).filter((one) => one.endsWith('back'))).toEqual([
        '01T23:15:00 02T00:00:00 -2700000 back',
        '02T00:00:00 02T01:00:00 -3600000 back',
        '02T01:00:00 02T02:00:00 -3600000 back',
      ]);
      expect(await owed()).toBe(1.25 * HOUR);
      expect(await bills()).toMatchObject([
        { id: 'use/u1/2026-01-01/ann', total: 1.25 * HOUR },
        { id: 'use/u1/2026-01-02/ann', total: 0 },
      ]);
    });

    test('is given back on the bill that it was posted on, also where bills are called otherwise by now', async () => {
      now('01T02:00:00');
      await meter.record([seen('01T00:00:00', undefined, { accountId: undefined })]);
      await meter.settle(clock.now());
      const posted = await bills();
      expect(posted).toMatchObject([{ total: 2 * HOUR }]);
      // Current code also names bills by their member.
      await database().sql.execute(sql`update meters set account_id = 'ann'`);
      await meter.record([seen('01T00:00:00', '01T01:00:00')]);
      await meter.settle(clock.now());
      expect(await bills()).toEqual([{ ...posted[0], total: HOUR }]);
    });

    test('under a new price costs that from then on, and what was posted stays', async () => {
      now('01T01:00:00');
      await meter.record([seen('01T00:00:00')]);
      await meter.settle(clock.now());
      price('gpu/any', 2 * HOURLY, at('01T01:20:00'));
      now('01T02:00:00');
      await meter.settle(clock.now());
      expect(await slices()).toEqual([
        '01T00:00:00 01T01:00:00 3600000',
        '01T01:00:00 01T01:20:00 1200000',
        '01T01:20:00 01T02:00:00 4800000',
      ]);
    });

    test('without a price waits, is seen to wait, and is posted by the first price there is', async () => {
      now('01T02:00:00');
      await meter.record([seen('01T00:00:00', '01T01:00:00', { uses: [{ resource: 'memory', quantity: 1 }] })]);
      expect(await meter.settle(clock.now())).toMatchObject({ slices: 0, waiting: 1 });
      expect(await registry.metrics()).toContain('gantry_metering_unpriced_intervals 1\n');
      expect((await meter.accrual({ uid: 'u1' }, clock.now())).lines).toMatchObject([
        { net: 0n, unpriced: ['memory'] },
      ]);
      expect([await meter.isAllPosted('u1'), await meter.postedSeqOf('u1')]).toEqual([false, 0]);
      price('memory', HOURLY, at('01T03:00:00'));
      now('01T03:00:01');
      expect(await meter.settle(clock.now())).toMatchObject({ slices: 1, waiting: 0 });
      expect([await owed(), await meter.isAllPosted('u1')]).toEqual([HOUR, true]);
    });

    test('that uses a quarter of a card costs a quarter', async () => {
      now('01T02:00:00');
      const uses = [
        { resource: 'gpu', model: 'H200', quantity: 0.25 },
        { resource: 'hosted-cpu', quantity: 4 },
      ];
      await meter.record([seen('01T00:00:00', '01T01:00:00', { uses })]);
      await meter.settle(clock.now());
      expect(await owed()).toBe(HOUR / 4);
    });
  });

  test('only what is closed and settled counts as posted', async () => {
    now('01T03:00:00');
    await meter.record([
      seen('01T00:00:00', '01T01:00:00'),
      seen('01T01:00:00', '01T02:30:00', { seq: 2 }),
      seen('01T02:30:00', undefined, { seq: 3 }),
    ]);
    expect(await meter.postedSeqOf('u1')).toBe(0);
    await meter.settle(at('01T02:00:00'));
    expect(await meter.postedSeqOf('u1')).toBe(1);
    await meter.settle(clock.now());
    expect([await meter.postedSeqOf('u1'), await meter.isAllPosted('u1')]).toEqual([2, false]);
  });

  test('the accrued amount equals the amount posted later, and is stored nowhere', async () => {
    now('01T01:30:00');
    await meter.record([seen('01T00:00:00'), seen('01T01:00:00', undefined, { uid: 'u2' })]);
    await meter.settle(clock.now());
    const accrued = await meter.accrual({ organizationId: 'acme' }, clock.now());
    expect(accrued).toMatchObject({ net: BigInt(HOUR), lines: [{ uid: 'u1' }, { uid: 'u2' }] });
    const before = await owed();
    await meter.record([seen('01T00:00:00', '01T01:30:00'), seen('01T01:00:00', '01T01:30:00', { uid: 'u2' })]);
    await meter.settle(clock.now());
    expect((await owed()) - before).toBe(HOUR);
  });

  test('an organisation that cannot be charged holds up no other', async () => {
    now('01T01:00:00');
    await meter.record([
      seen('01T00:00:00', '01T01:00:00', { organizationId: 'nobody', uid: 'u0' }),
      seen('01T00:00:00', '01T01:00:00', { organizationId: 'other' }),
    ]);
    expect(await meter.settle(clock.now())).toMatchObject({ slices: 1, failed: 1 });
    expect(await owed('other')).toBe(HOUR);
  });

  test.each(['before', 'after'] as const)('a posting that dies %s its commit is posted once', async (moment) => {
    now('01T01:00:00');
    await meter.record([seen('01T00:00:00', '01T01:00:00')]);
    dies = moment;
    await meter.settle(clock.now());
    await meter.settle(clock.now());
    expect([await owed(), await meter.isAllPosted('u1')]).toEqual([HOUR, true]);
  });

  describe('following the cluster', () => {
    let cluster: Cluster;
    const interval = (seq: number, from: string, to?: string): Interval => ({
      seq,
      subjectUID: `pod-${seq}`,
      from: new Date(at(from)).toISOString(),
      ...(to !== undefined && { to: new Date(at(to)).toISOString() }),
      uses: [{ resource: 'gpu', model: 'H200', quantity: 1 }],
    });
    /** A gateway that has just started, beside whatever is left of the one before. */
    const started = (more: Partial<ConstructorParameters<typeof MeterController>[0]> = {}) => {
      const controller = new MeterController({ objects: cluster, meter: newMeter(), clock, log, ...more });
      controller.follow();
      return controller;
    };
    beforeEach(() => {
      cluster = new Cluster();
    });

    test('ended intervals are posted and acknowledged to the operator; running ones are not', async () => {
      now('01T03:00:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:00:00', '01T01:30:00'), interval(2, '01T01:30:00')]);
      now('01T03:00:02');
      await gateway.step();
      expect([cluster.posted, await owed()]).toEqual([[['u1', 1]], 3 * HOUR]);
      now('01T03:30:00');
      await gateway.step();
      cluster.put('u1', [interval(1, '01T00:00:00', '01T01:30:00'), interval(2, '01T01:30:00', '01T03:30:00')]);
      for (const moment of ['01T03:30:01', '01T03:30:03', '01T03:30:06']) {
        now(moment);
        await gateway.step();
      }
      expect([cluster.posted, await owed()]).toEqual([
        [
          ['u1', 1],
          ['u1', 2],
        ],
        3.5 * HOUR,
      ]);
    });

    test('a gateway that was away for two days catches up with every run', async () => {
      const runs = [interval(1, '01T00:00:00', '01T12:00:00'), interval(2, '01T18:30:00', '02T06:00:15')];
      cluster.put('u1', [...runs, interval(3, '02T23:00:00')]);
      now('03T00:00:10');
      await started().step();
      expect(await owed()).toBe(12 * HOUR + 11.5 * HOUR + 15_000 + HOUR);
      expect(cluster.posted).toEqual([['u1', 2]]);
    });

    test('a price that is told while all is settled is settled under at once, not with the next hour', async () => {
      prices.length = 0;
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      now('01T02:00:10');
      const meter = newMeter();
      const settle = meter.settle.bind(meter);
      let tellOfPrices = () => {};
      meter.settle = async (until, which) => {
        const settled = await settle(until, which);
        if (which?.uids === undefined && prices.length === 0) {
          price('gpu/any', HOURLY);
          tellOfPrices();
        }
        return settled;
      };
      const onPrices = (listener: () => void) => {
        tellOfPrices = listener;
        return () => {};
      };
      const gateway = started({ meter, onPrices });
      await gateway.step();
      expect(await owed()).toBe(0);
      now('01T02:00:12');
      await gateway.step();
      expect(await owed()).toBe(2 * HOUR);
    });

    describe('on the way to deletion (fault 2)', () => {
      const runs = () => [interval(1, '01T00:00:00', '01T01:10:00')];
      test.each(['before the commit', 'after the commit', 'before it is let go', 'not at all'] as const)(
        'a gateway that is killed %s leaves the end as it was: freed once, billed to the true stop',
        async (moment) => {
          now('01T02:00:00');
          const gateway = started();
          cluster.put('u1', runs(), { isGoing: true });
          now('01T02:00:01');
          if (moment === 'before the commit') dies = 'before';
          if (moment === 'after the commit') dies = 'after';
          if (moment === 'before it is let go') cluster.refuses = new Error('killed');
          await gateway.step();
          now('01T04:00:00');
          await started().step();
          expect([cluster.freed, await owed()]).toEqual([['u1'], 70 * MINUTE]);
        },
      );

      test('one whose months are not charged yet waits for that as well', async () => {
        let isCharged = false;
        now('01T02:00:00');
        const gateway = started({ isCharged: async ({ uid }) => uid !== 'u1' || isCharged });
        for (const uid of ['u1', 'u2']) cluster.put(uid, runs(), { isGoing: true });
        now('01T02:00:01');
        await gateway.step();
        expect([cluster.freed, await meter.isAllPosted('u1')]).toEqual([['u2'], true]);
        isCharged = true;
        now('01T02:00:10');
        await gateway.step();
        expect(cluster.freed).toEqual(['u2', 'u1']);
      });

      test('with billing off it waits for the operator alone, and one that cannot be freed holds up no other', async () => {
        const warned: object[] = [];
        const { billing, operator } = FINALIZER;
        cluster.put('u1', [interval(1, '01T00:00:00')], { isGoing: true, finalizers: [billing, operator] });
        cluster.put('u2', runs(), { finalizers: [billing] });
        for (const uid of ['u3', 'u4']) cluster.put(uid, [interval(1, '01T00:00:00')], { isGoing: true });
        cluster.put('u5', runs(), { isGoing: true, finalizers: ['somebody/else'] });
        cluster.refuses = new Error('conflict');
        const release = () => releaseLeft(cluster, { warn: (facts: object) => void warned.push(facts) });
        await release();
        expect([cluster.freed, warned]).toEqual([['u4'], [expect.objectContaining({ name: 'u3' })]]);
        await release();
        expect([cluster.freed, warned.length, cluster.posted]).toEqual([['u4', 'u3'], 1, []]);
      });

      test('one whose end the operator tells a moment later is billed to that, and is nothing odd', async () => {
        now('01T02:00:00');
        const gateway = started();
        for (const uid of ['u1', 'u2']) cluster.put(uid, [interval(1, '01T01:00:00')], { isGoing: true });
        now('01T02:00:01');
        await gateway.step();
        cluster.put('u1', [interval(1, '01T01:00:00', '01T02:00:00')], { isGoing: true });
        now('01T02:00:05');
        await gateway.step();
        expect([cluster.freed, await anomalies(), await owed()]).toEqual([['u1'], [], 2 * HOUR]);
        // Nobody reports anything about the other one: it ended when it was first seen to be gone.
        for (const moment of ['01T02:00:40', '01T02:01:20', '01T02:02:00']) {
          now(moment);
          await gateway.step();
        }
        expect([cluster.freed, await anomalies(), await owed()]).toEqual([['u1', 'u2'], ['vanished'], 2 * HOUR + 1000]);
      });

      test('it waits for the operator, and for its last interval to be posted', async () => {
        now('01T02:00:00');
        const gateway = started();
        cluster.put('u1', [interval(1, '01T00:00:00')], {
          isGoing: true,
          finalizers: [FINALIZER.billing, FINALIZER.operator],
        });
        now('01T02:00:01');
        await gateway.step();
        expect(cluster.freed).toEqual([]);
        prices.length = 0;
        cluster.put('u1', runs(), { isGoing: true });
        now('01T02:00:02');
        await newMeter().record([]);
        cluster.put('u2', [interval(1, '01T00:00:00', '01T01:00:00')], { isGoing: true });
        now('01T02:00:05');
        await gateway.step();
        // The second waits without a price; the first was posted before, and is given back.
        expect(cluster.freed).not.toContain('u2');
        price('gpu/any', HOURLY, at('01T02:00:30'));
        now('01T02:02:00');
        await gateway.step();
        expect(cluster.freed.sort()).toEqual(['u1', 'u2']);
      });
    });

    describe('an object that went without us (fault 11)', () => {
      test('is billed to the moment it went, where somebody looked', async () => {
        now('01T01:00:00');
        const gateway = started();
        cluster.put('u1', [interval(1, '01T00:30:00')]);
        now('01T01:00:01');
        await gateway.step();
        now('01T01:45:00');
        cluster.vanish('u1');
        for (const moment of ['01T01:45:00', '01T01:45:05']) {
          now(moment);
          await gateway.step();
        }
        expect([await owed(), await anomalies(), await meter.isAllPosted('u1')]).toEqual([
          75 * MINUTE,
          ['vanished'],
          true,
        ]);
      });

      test('is billed to the moment it was last known, where nobody looked', async () => {
        now('01T01:00:00');
        const gateway = started();
        cluster.put('u1', [interval(1, '01T00:30:00')]);
        for (const moment of ['01T01:00:01', '01T01:20:00']) {
          now(moment);
          await gateway.step();
        }
        cluster.objects.clear();
        now('03T00:00:00');
        const next = started();
        for (const moment of ['03T00:00:01', '03T00:00:40', '03T00:01:20', '03T00:01:30']) {
          now(moment);
          await next.step();
        }
        expect([await owed(), await anomalies()]).toEqual([50 * MINUTE, ['vanished']]);
      });
    });

    test('an hour in which the cluster was not heard at its end is posted once it is, and not an hour later', async () => {
      let staleSince: number | undefined = at('01T00:30:00');
      now('01T00:30:00');
      const gateway = started({ staleSince: () => staleSince });
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      now('01T01:00:02');
      await gateway.step();
      expect(await owed()).toBe(0);
      staleSince = undefined;
      now('01T01:00:40');
      await gateway.step();
      expect(await owed()).toBe(HOUR);
    });

    test('what runs in a region out of reach is neither posted nor taken for gone; others are', async () => {
      now('01T00:30:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      now('01T00:30:01');
      await gateway.step();
      cluster.objects.clear();
      // A start that sees none of it.
      cluster.silentRegions = cluster.regions;
      cluster.regions = [];
      const next = started();
      for (const moment of ['01T02:00:02', '01T02:02:00', '01T02:04:00']) {
        now(moment);
        await next.step();
      }
      expect([await owed(), await anomalies()]).toEqual([0, []]);
    });

    test('what is in a data centre that is no longer configured is not posted, until it is again', async () => {
      now('01T00:30:00');
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      now('01T00:30:01');
      await started().step();
      const was = [...cluster.objects];
      cluster.objects.clear();
      cluster.regions = ['r2'];
      const without = started();
      now('01T02:00:02');
      await without.step();
      expect([await owed(), await anomalies()]).toEqual([0, []]);
      for (const [uid, one] of was) cluster.objects.set(uid, one);
      cluster.regions = ['r1', 'r2'];
      await started().step();
      expect([await owed(), await anomalies()]).toEqual([2 * HOUR, []]);
    });

    test('what is open in a data centre that is no longer configured counts up to when it was last seen there', async () => {
      const told: object[] = [];
      const warn = (facts: object) => void told.push(facts);
      const isAbandoned = ({ region }: { region: string }) => !cluster.regions.includes(region);
      const left = newMeter({ isAbandoned });
      now('01T00:30:00');
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      await started({ meter: left }).step();
      now('01T00:40:00');
      await started({ meter: left }).step();
      const accrual = async () => Number((await left.accrual({ organizationId: 'acme' }, clock.now())).net);
      expect(await accrual()).toBe(40 * MINUTE);
      cluster.objects.clear();
      cluster.regions = ['r2'];
      const without = started({ meter: left, log: { info: () => {}, warn: warn as never } });
      for (const moment of ['01T02:00:02', '01T03:00:02']) {
        now(moment);
        await without.step();
        expect(await accrual()).toBe(40 * MINUTE);
      }
      expect(told).toEqual([{ region: 'r1' }]);
      cluster.regions = ['r1', 'r2'];
      expect(await accrual()).toBe(3 * HOUR + 2_000);
    });

    test('what is in a data centre of another name by now is posted', async () => {
      now('01T00:30:00');
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      await started().step();
      cluster.regions = ['r2'];
      now('01T02:00:02');
      await started().step();
      expect(await owed()).toBe(2 * HOUR);
    });

    test('a failed write about one object holds up no other', async () => {
      now('01T02:00:00');
      const broken = newMeter();
      const record = broken.record.bind(broken);
      broken.record = async (reports) => {
        if (reports.some(({ uid }) => uid === 'u1')) throw new Error('the database refuses it');
        return record(reports);
      };
      const gateway = started({ meter: broken });
      for (const uid of ['u1', 'u2', 'u3'])
        cluster.put(uid, [interval(1, '01T00:00:00', '01T01:00:00')], { isGoing: true });
      now('01T02:00:01');
      await gateway.step();
      expect([cluster.freed, await owed()]).toEqual([['u2', 'u3'], 2 * HOUR]);
    });

    test.each([7, 'text', {}, [null], [7], [{ seq: 'one' }]])(
      'intervals that are %j hold up no other object',
      async (odd) => {
        now('01T02:00:00');
        const gateway = started();
        cluster.put('u1', odd as never, { isGoing: true });
        for (const uid of ['u2', 'u3'])
          cluster.put(uid, [interval(1, '01T00:00:00', '01T01:00:00')], { isGoing: true });
        now('01T02:00:01');
        await gateway.step();
        expect(cluster.freed).toEqual(expect.arrayContaining(['u2', 'u3']));
        expect(await owed()).toBe(2 * HOUR);
      },
    );

    test('a lost node is billed to its last heartbeat, however late that is told (fault 12)', async () => {
      now('01T03:00:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      for (const moment of ['01T03:00:01', '01T04:00:05']) {
        now(moment);
        await gateway.step();
      }
      expect(await owed()).toBe(4 * HOUR);
      cluster.put('u1', [interval(1, '01T00:00:00', '01T02:20:00'), interval(2, '01T04:00:00', '01T04:00:00')]);
      now('01T04:00:10');
      await gateway.step();
      expect([await owed(), cluster.posted]).toEqual([140 * MINUTE, [['u1', 2]]]);
    });

    test('clocks that step by an hour leave nothing negative, nothing twice (fault 4)', async () => {
      now('01T01:00:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      for (const moment of ['01T01:00:10', '01T02:00:10', '01T01:00:20', '01T00:00:20', '01T01:00:30']) {
        now(moment);
        await gateway.step();
      }
      // An operator whose clock is behind ends it before its beginning, and opens the next in the middle of it.
      cluster.put('u1', [interval(1, '01T00:00:00', '01T01:15:00'), interval(2, '01T00:40:00', '01T01:30:00')]);
      for (const moment of ['01T01:31:00', '01T01:32:00']) {
        now(moment);
        await gateway.step();
      }
      expect([await owed(), await anomalies(), cluster.posted.at(-1)]).toEqual([90 * MINUTE, ['overlaps'], ['u1', 2]]);
      const [negative] = await rowsOf<object>(
        database().sql,
        sql`select count(*) filter (where sum < 0)::int as count from (select sum(net) as sum from slices group by uid, seq) s`,
      );
      expect(negative).toEqual({ count: 0 });
    });

    test('an object that vanished under a clock an hour ahead is closed no later than it was missed', async () => {
      now('01T02:00:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:30:00')]);
      for (const moment of ['01T02:00:10', '01T01:00:10']) {
        now(moment);
        await gateway.step();
      }
      cluster.objects.clear();
      const next = started();
      for (const moment of ['01T01:00:20', '01T01:01:00', '01T01:01:40', '01T01:02:00']) {
        now(moment);
        await next.step();
      }
      const [{ to } = { to: '' }] = await rowsOf<{ to: string }>(
        database().sql,
        sql`select to_char("to" at time zone 'UTC', 'HH24:MI:SS') as to from meters`,
      );
      expect(to <= '01:01:40').toBe(true);
    });

    test('an interval that an object forgot without an end ends where the next began', async () => {
      now('01T01:00:00');
      const gateway = started();
      cluster.put('u1', [interval(1, '01T00:00:00')]);
      now('01T01:00:01');
      await gateway.step();
      cluster.put('u1', [interval(3, '01T02:00:00')]);
      now('01T05:00:00');
      await gateway.step();
      expect([await owed(), await anomalies(), cluster.posted]).toEqual([4 * HOUR, ['neverClosed'], [['u1', 2]]]);
    });
  });

  test('the database refuses to forget a slice', async () => {
    now('01T01:00:00');
    await meter.record([seen('01T00:00:00', '01T01:00:00')]);
    await meter.settle(clock.now());
    await expect(database().sql.execute(sql`delete from slices`)).rejects.toThrow();
  });
});
