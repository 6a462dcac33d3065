// A month of a tenant's life, from the credits of the first day to the invoice: the real wallets, meter, price list, orders of
// hosts, payments and documents over one database. The expected result is then computed twice by SQL that knows none of them:
// from slices and orders, and from the raw intervals, prices and discounts. Months begin and end according to PostgreSQL's own
// time zones: New York's March, which loses an hour, and Kolkata's, half an hour off.
import { buffer } from 'node:stream/consumers';
import type { Use } from '@gantry/contract/billing/resources.ts';
import { type Micros, micros, moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { events } from '../../platform/db/schema/events.ts';
import { billingProfiles } from '../../platform/db/schema/payments.ts';
import { accounts, organizations } from '../../platform/db/schema/people.ts';
import { isSettledIn } from './documents/is-settled.ts';
import { type Documents, openDocuments } from './documents/open-documents.ts';
import { chargeOrders } from './gate/orders.ts';
import type { Billed } from './gate/parts.ts';
import { planRental } from './gate/rental.ts';
import { Ledger } from './ledger/ledger.ts';
import { verifyBooks } from './ledger/verify-books.ts';
import { Wallets } from './ledger/wallets.ts';
import { Meter } from './metering/meter.ts';
import type { Seen } from './metering/seen.ts';
import { limitsOf } from './payments/limits.ts';
import { Payments } from './payments/payments.ts';
import { STAFF_SAYS } from './payments/testing/staff-says.ts';
import { TransferChannel } from './payments/transfer-channel.ts';
import { rentalPrice } from './prices/rate.ts';
import { Tariffs } from './prices/tariffs.ts';
import { grantWelcome } from './welcome.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const log = pino({ enabled: false });
const H200 = 'NVIDIA-H200';

forEachDatabase((database) => {
  test.each(['America/New_York', 'Asia/Kolkata'])(
    'a month in %s',
    async (zone) => {
      const db = database();
      const [begins, ends] = [await startOf(db, '2026-03-01', zone), await startOf(db, '2026-04-01', zone)];
      const clock = new SteppedClock();
      const world = await tenant(db, clock, zone, begins - 3 * DAY);
      const { wallets, tariffs, payments, documents, invoicedMonths } = world;

      // A newcomer has a hundred dollars; the first instance starts five minutes before the month does.
      expect(await world.welcome()).toBe(1);
      await world.until(begins - 5 * MINUTE);
      world.report('dev', 1, { from: begins - 5 * MINUTE, uses: running(1) });
      await world.until(begins + 90 * MINUTE + 7_000);
      world.report('dev', 1, { from: begins - 5 * MINUTE, to: clock.now(), uses: running(1) });
      world.report('dev', 2, { from: clock.now(), uses: resting });

      // On the fourth day it starts again; a price changes in the middle of its run, at a moment that is no hour's end.
      const again = begins + 3 * DAY + 8 * HOUR;
      await world.until(again);
      world.report('dev', 2, { from: begins + 90 * MINUTE + 7_000, to: again, uses: resting });
      world.report('dev', 3, { from: again, uses: running(2) });
      const change = begins + 3 * DAY + 10 * HOUR + 20 * MINUTE + 13_457;
      await tariffs.setPrice({ sku: `gpu/${H200}`, amount: micros(4_123_457), validFrom: change }, 'acc-staff');
      await world.until(again + 5 * HOUR + 3_000);
      world.report('dev', 3, { from: again, to: clock.now(), uses: running(2) });
      world.report('dev', 4, { from: again + 5 * HOUR + 3_000, uses: resting });

      // A discount for rent by the second, and another for hosts; then a host for a month, with instances on it.
      const discounted = begins + 5 * DAY + 7 * HOUR + 15 * MINUTE;
      await world.until(discounted - HOUR);
      await tariffs.setDiscount(
        {
          type: 'organization',
          target: 'acme',
          source: 'container_rent',
          basisPoints: 1_250,
          validFrom: discounted,
          reason: 'loyal',
        },
        'acc-staff',
      );
      await tariffs.setDiscount(
        {
          type: 'organization',
          target: 'acme',
          source: 'host_rent',
          basisPoints: 500,
          validFrom: discounted,
          reason: 'loyal',
        },
        'acc-staff',
      );
      await world.until(begins + 6 * DAY);
      await world.rent(begins + 6 * DAY);
      world.report('on-host', 1, { from: begins + 6 * DAY, to: begins + 9 * DAY, uses: hosted });
      expect((await wallets.balances('acme')).debt).toBeGreaterThan(0n);

      // In debt: usage continues, and is paid first when money comes.
      world.report('big', 1, { from: begins + 9 * DAY + 1_000, uses: running(8) });
      await world.until(begins + 10 * DAY + 1_000);
      world.report('big', 1, { from: begins + 9 * DAY + 1_000, to: clock.now(), uses: running(8) });
      const { debt } = await wallets.balances('acme');
      const wish = {
        organizationId: 'acme',
        accountId: 'acc-ann',
        channel: 'bank_transfer',
        amount: parseMoney('5000'),
      } as const;
      const { payment } = await payments.recharge({ ...wish, key: 'a-recharge' });
      await payments.confirmTransfer(payment.id, payment.amount, STAFF_SAYS);
      expect(await wallets.balances('acme')).toMatchObject({ debt: 0n, credits: 0n, cash: payment.amount - debt });

      // The first is released for good; another runs over the end of the month, by two minutes.
      await world.until(begins + 12 * DAY + 1_500);
      world.report('dev', 4, { from: again + 5 * HOUR + 3_000, to: clock.now(), uses: resting });
      await world.until(ends - 20 * MINUTE);
      world.report('last', 1, { from: ends - 20 * MINUTE, uses: running(1) });
      await world.until(ends + 2 * MINUTE);
      world.report('last', 1, { from: ends - 20 * MINUTE, to: clock.now(), uses: running(1) });
      await world.until(ends + 3 * HOUR);
      const { issued, faulty, waiting } = await documents.invoices.closeDue(clock.now());
      expect({ faulty, waiting }).toEqual({ faulty: [], waiting: [] });
      expect(issued.map(({ month, number }) => [month, number])).toEqual([
        ['2026-02', 1],
        ['2026-03', 2],
      ]);
      expect(invoicedMonths).toEqual(['2026-02', '2026-03']);

      const invoice = await documents.invoices.get('acme', issued[1]?.id ?? '');
      expect([invoice.from.getTime(), invoice.to.getTime()]).toEqual([begins, ends]);
      const month = { list: invoice.list, net: invoice.total };
      expect(await bySlices(db, begins, ends)).toEqual(month);
      expect(await byIntervals(db, begins, ends)).toEqual(month);
      expect(sumOf(invoice.lines.map(({ net }) => parseMoney(net)))).toBe(invoice.total);
      // Two prices and two discounts of one GPU are separate lines.
      const gpuLines = invoice.lines.filter(({ sku, name: object }) => sku === `gpu/${H200}` && object === 'dev');
      expect(gpuLines.map(({ price, discountBasisPoints }) => [price, discountBasisPoints])).toEqual([
        ['3.50', 0],
        ['4.123457', 0],
      ]);
      const rental = invoice.lines.find(({ type }) => type === 'order');
      expect(rental).toMatchObject({ sku: `host/${H200}`, list: '4000.00', discount: '200.00', net: '3800.00' });

      // A late charge is a line of the next invoice, and the old invoice stays as it was.
      world.report('late', 1, { from: begins + 2 * DAY, to: begins + 2 * DAY + 61_000, uses: running(4) });
      await world.until(ends + 35 * DAY);
      const [april] = (await documents.invoices.closeDue(clock.now())).issued;
      const next = await documents.invoices.get('acme', april?.id ?? '');
      const late = next.lines.filter(({ type }) => type === 'correction');
      expect(new Set(late.map(({ name: object }) => object))).toEqual(new Set(['late']));
      const corrected = await byIntervals(db, begins, ends);
      const lateNet = sumOf(late.map(({ net }) => parseMoney(net)));
      expect(corrected.net).toBe(invoice.total + lateNet);
      expect(await documents.invoices.get('acme', invoice.id)).toEqual(invoice);
      expect((await verifyBooks(db, new Date(clock.now()))).faults).toEqual([]);

      // Whatever was given or paid is there, or on one of the invoices.
      const paidIn = parseMoney('100') + payment.amount;
      const { balance } = await wallets.balances('acme');
      const { items } = await documents.invoices.list('acme', { page: 1, size: 10 });
      expect(balance).toBe(paidIn - sumOf(items.map(({ total }) => total)));
      const books = (await documents.rows.books({ sort: ['id', 'ASC'], range: [0, 99], filter: {} })).items;
      expect(sumOf(books.map((row) => parseMoney(row.balance)))).toBe(0n);

      const pdf = await buffer(documents.papers.invoicePdf(invoice, 'ja'));
      expect(`${pdf.subarray(0, 5)}`).toBe('%PDF-');
      const csv = `${await buffer(documents.papers.invoiceCsv(invoice, 'en'))}`;
      expect(csv.trimEnd().split('\r\n')).toHaveLength(invoice.lines.length + 1);
    },
    120_000,
  );
});

const running = (cards: number): Use[] => [
  { resource: 'gpu', model: H200, quantity: cards },
  { resource: 'cpu', quantity: 7.5 * cards },
  { resource: 'memory', quantity: 32.25 * cards },
  { resource: 'disk', quantity: 50 },
];
const resting: Use[] = [
  { resource: 'disk', quantity: 50 },
  { resource: 'snapshot', quantity: 3.217 },
];
const hosted: Use[] = [
  { resource: 'hosted-gpu', model: H200, quantity: 4 },
  { resource: 'hosted-cpu', quantity: 16 },
];

const HOST: GpuHost = {
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'GpuHost',
  metadata: { name: 'hst-1', namespace: 'org-acme', uid: 'uid-of-host' },
  spec: { creator: 'acc-ann', nodes: 2, months: 1, autoRenew: false, gpu: { model: H200, count: 8 } },
  status: {},
} as unknown as GpuHost;

/** A tenant in that time zone, as the gateway serves one, without a cluster: the test writes the instances' reports. */
async function tenant(db: Database, clock: SteppedClock, zone: string, createdAt: number) {
  clock.set(createdAt);
  const created = new Date(createdAt);
  const wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
  const tariffs = new Tariffs({ db, clock, region: 'r1', currency: 'USD' });
  for (const [sku, amount] of PRICES) await tariffs.setPrice({ sku, amount: micros(amount) }, 'acc-staff');
  await db.sql.insert(accounts).values({ id: 'acc-ann', name: 'ann', email: 'ann@example.com', createdAt: created });
  await db.sql.insert(organizations).values({ id: 'acme', name: 'Acme', currency: 'USD', createdAt: created });
  await wallets.open('acme', 'USD');
  await db.sql.update(billingProfiles).set({ zone, legalName: 'Acme Pvt Ltd' });
  // The first grant fails because its key is taken: the others still get theirs.
  await db.sql.insert(organizations).values({ id: 'broken', name: 'Broken', currency: 'USD', createdAt: created });
  await wallets.grant({ key: 'welcome/evt-0', organizationId: 'broken', amount: micros(1), at: created });
  await db.sql
    .insert(events)
    .values({ id: 'evt-0', type: 'welcome_credit', organizationId: 'broken', at: created, payload: {} });
  await db.sql.insert(events).values({
    id: 'evt-1',
    type: 'welcome_credit',
    accountId: 'acc-ann',
    organizationId: 'acme',
    at: created,
    payload: {},
  });
  const invoicedMonths: string[] = [];
  const documents: Documents = openDocuments({
    db,
    clock,
    log,
    isSettled: isSettledIn(db),
    issuer: { legalName: 'Gantry Cloud Ltd', address: '1 Way', taxId: 'GB 42' },
    async tell({ args }) {
      invoicedMonths.push(args.month ?? '');
    },
  });
  const payments = new Payments({
    db,
    clock,
    log,
    wallets,
    channels: [new TransferChannel('DE00 1234')],
    limits: limitsOf(['USD:1-10000']),
    tell: () => undefined,
  });
  let waiting: Seen[] = [];
  let rounds = 0;
  const newMeter = () => new Meter({ db, clock, log, wallets, tariffs });
  let meter = newMeter();
  /** Reports come twice; now and then the gateway is another. */
  const settle = async () => {
    await tariffs.refresh();
    await meter.record([...waiting, ...waiting]);
    waiting = [];
    await meter.settle(clock.now());
    if (++rounds % 7 === 0) meter = newMeter();
  };
  return {
    wallets,
    tariffs,
    payments,
    documents,
    invoicedMonths,
    welcome: () => grantWelcome({ db, clock, wallets, amounts: WELCOME, log }),
    report(object: string, seq: number, { from, to, uses }: { from: number; to?: number; uses: Use[] }): void {
      waiting.push({
        uid: `uid-of-${object}`,
        seq,
        organizationId: 'acme',
        region: 'r1',
        kind: 'GpuInstance',
        name: object,
        accountId: 'acc-ann',
        subjectUid: `pod-of-${object}-${seq}`,
        uses,
        from,
        ...(to !== undefined && { to }),
      });
    },
    /** The time goes on; usage is settled whenever a gateway gets to it. */
    async until(moment: number): Promise<void> {
      while (clock.now() < moment) {
        await settle();
        clock.set(Math.min(moment, clock.now() + 29 * HOUR + 17 * MINUTE));
      }
      await settle();
    },
    /** As the gate does: two nodes for a month, paid ahead. */
    async rent(startedAt: number): Promise<void> {
      const host = { ...HOST, status: { startedAt: new Date(startedAt).toISOString(), countedMonths: 1 } } as GpuHost;
      const price = rentalPrice({ resource: 'host', model: H200, quantity: 1 }, 1, tariffs.of('acme'), clock.now());
      if (!price) throw new Error('a host has no price');
      const { orders } = planRental(host, [], price, clock.now());
      const billed = { facts: gpuHost, object: host, uid: 'uid-of-host', organizationId: 'acme', region: 'r1' };
      await chargeOrders({ wallets, clock }, billed as unknown as Billed, orders, price);
      await chargeOrders({ wallets, clock }, billed as unknown as Billed, orders, price);
    },
  };
}

const WELCOME = { welcome_credit: parseMoney('100') } as Parameters<typeof grantWelcome>[0]['amounts'];

const PRICES = [
  [`gpu/${H200}`, 3_500_000],
  ['cpu', 21_111],
  ['memory', 3_333],
  ['disk', 150_001],
  ['snapshot', 70_007],
  [`host/${H200}`, 2_000_000_000],
] as const;

/** The first moment of a day there, as the database sees it. */
async function startOf(db: Database, day: string, zone: string): Promise<number> {
  const [row] = await rowsOf<{ at: string }>(
    db.sql,
    sql`select (extract(epoch from ${day}::timestamp at time zone ${zone}) * 1000)::bigint::text as at`,
  );
  return Number(row?.at);
}

interface Sums {
  list: Micros;
  net: Micros;
}

const sumsOf = ([row]: { list: string; net: string }[]): Sums => ({
  list: parseMoney(moneyText(micros(BigInt(row?.list ?? 0)))),
  net: micros(BigInt(row?.net ?? 0)),
});

const moment = (ms: number) => sql`to_timestamp(${ms}::numeric / 1000)`;

/** The recorded amounts: slices and orders that begin in the month. */
const bySlices = async (db: Database, from: number, to: number): Promise<Sums> =>
  sumsOf(
    await rowsOf(
      db.sql,
      sql`select sum(list)::text as list, sum(net)::text as net from (
        select list, net from slices where "from" >= ${moment(from)} and "from" < ${moment(to)}
        union all
        select list, net from orders where created_at >= ${moment(from)} and created_at < ${moment(to)}
      ) everything`,
    ),
  );

/**
 * The expected amounts: every use of every interval, cut only at price and discount changes, as an exact fraction from its start
 * to both edges of the month; each rounded, then subtracted.
 */
const byIntervals = async (db: Database, from: number, to: number): Promise<Sums> =>
  sumsOf(
    await rowsOf(
      db.sql,
      sql`with uses as (
        select m.uid, m.seq, u.place, m."from" as begins, coalesce(m."to", 'infinity') as ends,
          (u.use ->> 'quantity')::numeric as quantity, u.use ->> 'resource' as resource,
          case when u.use ->> 'resource' = 'gpu' then 'gpu/' || (u.use ->> 'model') else u.use ->> 'resource' end as sku
        from meters m, jsonb_array_elements(m.uses) with ordinality as u(use, place)
      ), priced as (
        select sku, amount, valid_from as begins,
          coalesce(lead(valid_from) over (partition by sku order by valid_from, id), 'infinity') as ends
        from prices
      ), reduced as (
        select 0 as basis_points, '-infinity'::timestamptz as begins,
          coalesce((select min(valid_from) from discounts where source = 'container_rent'), 'infinity') as ends
        union all
        select basis_points, valid_from, coalesce(lead(valid_from) over (order by valid_from, id), 'infinity')
        from discounts where source = 'container_rent'
      ), edges(edge, sign) as (values (${moment(from)}, -1), (${moment(to)}, 1)),
      costs as (
        select e.sign, u.uid, u.seq, u.place,
          sum(extract(epoch from least(u.ends, p.ends, d.ends, e.edge) - greatest(u.begins, p.begins, d.begins))
            * u.quantity * p.amount) as list,
          sum(extract(epoch from least(u.ends, p.ends, d.ends, e.edge) - greatest(u.begins, p.begins, d.begins))
            * u.quantity * p.amount * (10000 - d.basis_points)) as net,
          max(case when u.resource in ('disk', 'snapshot') then 730 * 3600 else 3600 end)::numeric as seconds
        from edges e, uses u
        join priced p on p.sku = u.sku
        join reduced d on true
        where least(u.ends, p.ends, d.ends, e.edge) > greatest(u.begins, p.begins, d.begins)
        group by e.sign, u.uid, u.seq, u.place
      )
      select (sum(list))::text as list, (sum(net))::text as net from (
        -- The list price is what is paid and what is let off, of which a half is rounded down.
        select sign * (round(net / (seconds * 10000)) + ceil((list * 10000 - net) / (seconds * 10000) - 0.5)) as list,
          sign * round(net / (seconds * 10000)) as net from costs
        union all
        select list, net from orders where created_at >= ${moment(from)} and created_at < ${moment(to)}
      ) everything`,
    ),
  );
