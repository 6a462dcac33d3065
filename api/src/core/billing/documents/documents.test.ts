// Documents on both databases, over the real wallets and the real meter.
import { buffer } from 'node:stream/consumers';
import { sizeUse, type Use } from '@gantry/contract/billing/resources.ts';
import { dividedRounded, micros, moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { closedMonths, invoices } from '../../../platform/db/schema/invoices.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import { prices } from '../../../platform/db/schema/prices.ts';
import { Transfers } from '../giving/transfers.ts';
import { Ledger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify-books.ts';
import { Wallets } from '../ledger/wallets.ts';
import { Meter } from '../metering/meter.ts';
import type { Seen } from '../metering/seen.ts';
import { Discounts, type Price, PriceTable } from '../prices/price-table.ts';
import { isSettledIn } from './is-settled.ts';
import { type Documents, openDocuments } from './open-documents.ts';

const at = (time: string): number => Date.parse(time);
const DAY = 86_400_000;
const ISSUER = { legalName: 'Gantry Cloud Ltd', address: '1 Way', taxId: 'GB 42' };
const CREATED = at('2026-01-15T00:00:00Z');
const log = pino({ enabled: false });

forEachDatabase((database) => {
  let clock: SteppedClock;
  let wallets: Wallets;
  let meter: Meter;
  let documents: Documents;
  let notices: { key: string; args: Record<string, string>; organization: string; roles: readonly string[] }[];
  let table: Price[];

  const price = async (sku: string, amount: number, validFrom = CREATED): Promise<void> => {
    const [row] = await database()
      .sql.insert(prices)
      .values({
        sku,
        region: '*',
        currency: 'USD',
        amount: micros(amount),
        validFrom: new Date(validFrom),
        createdAt: new Date(CREATED),
        createdBy: 'test',
      })
      .returning();
    table.push({ id: row?.id ?? 0n, sku, region: '*', currency: 'USD', amount: micros(amount), validFrom });
  };

  beforeEach(async () => {
    clock = new SteppedClock();
    clock.set(CREATED);
    notices = [];
    table = [];
    const db = database();
    wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
    const tariffs = {
      of: (organizationId: string) => ({
        prices: new PriceTable(table),
        discounts: new Discounts([]),
        region: 'r1',
        currency: 'USD',
        organizationId,
      }),
    };
    meter = new Meter({ db, clock, log, wallets, tariffs });
    documents = openDocuments({
      db,
      clock,
      log,
      isSettled: isSettledIn(db),
      issuer: ISSUER,
      async tell({ key, args }, { organization, roles }) {
        notices.push({ key, args, organization, roles });
      },
    });
    await db.sql
      .insert(accounts)
      .values({ id: 'acc-ann', name: 'ann', email: 'ann@example.com', createdAt: new Date(CREATED) });
    for (const id of ['acme', 'other']) {
      await db.sql
        .insert(organizations)
        .values({ id, name: `${id} inc`, currency: 'USD', createdAt: new Date(CREATED) });
      await wallets.open(id, 'USD');
    }
    await price('gpu/any', 3_600_000);
    await price('disk', 730_000_000);
  });

  const use = (changes: Partial<Seen> & { from: number }): Seen => ({
    uid: 'u1',
    seq: 1,
    organizationId: 'acme',
    region: 'r1',
    kind: 'GpuInstance',
    name: 'ins-1',
    accountId: 'acc-ann',
    subjectUid: 'pod-1',
    uses: [{ resource: 'gpu', model: 'NVIDIA-H200', quantity: 2 }],
    ...changes,
  });
  const used = async (...reports: Seen[]): Promise<void> => {
    const last = Math.max(...reports.map(({ from, to }) => to ?? from));
    clock.set(Math.max(clock.now(), last));
    await meter.record(reports);
    await meter.settle(clock.now());
  };
  /** Faults of the books and of everything derived from them. */
  const faults = async () => (await verifyBooks(database(), new Date(clock.now()))).faults;
  const close = (time: string) => {
    clock.set(Math.max(clock.now(), at(time)));
    return documents.invoices.closeDue(clock.now());
  };
  const invoiceOf = async (month: string, organizationId = 'acme') => {
    const { items } = await documents.invoices.list(organizationId, { page: 1, size: 100 });
    const head = items.find((one) => one.month === month);
    return head && documents.invoices.get(organizationId, head.id);
  };

  describe('an invoice', () => {
    test('is a month whose lines add up, and is told once to those who may pay', async () => {
      await wallets.grant({ key: 'g', organizationId: 'acme', amount: micros(10_000_000), at: new Date(CREATED) });
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T12:00:00Z') }));
      const { issued } = await close('2026-02-01T02:00:00Z');
      expect(issued).toMatchObject([{ month: '2026-01', number: 1, total: 14_400_000n, zone: 'UTC' }]);
      const invoice = await invoiceOf('2026-01');
      expect(invoice?.lines).toMatchObject([
        {
          type: 'usage',
          sku: 'gpu/NVIDIA-H200',
          reference: 'GpuInstance/ins-1',
          account: 'ann',
          quantity: `${2_000 * 7_200}`,
          price: '3.60',
          net: '14.40',
          from: '2026-01-20T10:00:00.000Z',
          to: '2026-01-20T12:00:00.000Z',
        },
      ]);
      expect([invoice?.creditUsed, invoice?.paid]).toEqual([10_000_000n, 0n]);
      expect(invoice?.issuer).toEqual(ISSUER);
      expect(notices).toEqual([
        {
          key: `invoice/${invoice?.id}`,
          args: { number: '00000001', month: '2026-01', total: '$14.40' },
          organization: 'acme',
          roles: ['owner', 'admin', 'billing'],
        },
      ]);
      expect((await close('2026-02-02T00:00:00Z')).issued).toEqual([]);
      expect(await faults()).toEqual([]);
    });

    test('waits for the last slice, and for its time of grace', async () => {
      await used(use({ from: at('2026-01-31T20:00:00Z') }));
      expect(await close('2026-02-01T01:59:59Z')).toEqual({ issued: [], waiting: [], faulty: [] });
      expect(await close('2026-02-01T02:00:00Z')).toEqual({ issued: [], waiting: ['acme'], faulty: [] });
      await meter.settle(at('2026-02-01T00:00:00Z'));
      expect((await close('2026-02-01T02:00:00Z')).issued).toMatchObject([{ total: 28_800_000n }]);
    });

    test('ends where the month does in the organisation’s zone, to the second', async () => {
      await documents.profiles.set('acme', { zone: 'Asia/Kolkata', legalName: 'Acme Pvt' });
      await used(use({ from: at('2026-01-31T18:29:30Z'), to: at('2026-01-31T18:31:30Z') }));
      await close('2026-03-02T00:00:00Z');
      const [january, february] = [await invoiceOf('2026-01'), await invoiceOf('2026-02')];
      expect([january?.total, february?.total]).toEqual([60_000n, 180_000n]);
      expect(january?.to).toEqual(new Date('2026-01-31T18:30:00Z'));
      expect(january?.recipient).toMatchObject({ legalName: 'Acme Pvt', name: 'acme inc' });
    });

    test('goes on where the last month ended when the zone is another', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T10:01:00Z') }));
      await close('2026-02-01T03:00:00Z');
      await documents.profiles.set('acme', { zone: 'America/New_York' });
      await used(use({ seq: 2, from: at('2026-02-01T03:30:00Z'), to: at('2026-02-01T03:31:00Z') }));
      await close('2026-03-02T00:00:00Z');
      const february = await invoiceOf('2026-02');
      expect([february?.from, february?.to]).toEqual([
        new Date('2026-02-01T00:00:00Z'),
        new Date('2026-03-01T05:00:00Z'),
      ]);
      expect(february?.total).toBe(120_000n);
      expect(await faults()).toEqual([]);
    });

    test('names what came too late for an earlier one as a correction, also where money goes back', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') }));
      // A lost host: what is settled beyond its last sign of life is given back.
      await used(use({ uid: 'u2', name: 'ins-2', from: at('2026-01-25T00:00:00Z') }));
      await meter.settle(at('2026-02-01T00:00:00Z'));
      await close('2026-02-01T03:00:00Z');
      const january = await invoiceOf('2026-01');
      await used(use({ uid: 'u3', name: 'late', from: at('2026-01-30T00:00:00Z'), to: at('2026-01-30T01:00:00Z') }));
      await used(use({ uid: 'u2', name: 'ins-2', from: at('2026-01-25T00:00:00Z'), to: at('2026-01-25T12:00:00Z') }));
      await used(use({ seq: 2, from: at('2026-02-03T00:00:00Z'), to: at('2026-02-03T00:01:00Z') }));
      await close('2026-03-01T03:00:00Z');
      const february = await invoiceOf('2026-02');
      const lines = february?.lines.map(({ type, name, net, quantity }) => [type, name, net, quantity]);
      expect(lines).toEqual([
        ['usage', 'ins-1', '0.12', '120000'],
        ['correction', 'ins-2', `-${((6 * 24 + 12) * 7.2).toFixed(2)}`, ''],
        ['correction', 'late', '7.20', ''],
      ]);
      expect(await invoiceOf('2026-01')).toEqual(january);
      expect((january?.total ?? 0n) + (february?.total ?? 0n)).toBe((await wallets.balances('acme')).debt);
      expect(february?.creditUsed).toBe(0n);
      await close('2026-04-01T03:00:00Z');
      expect(await invoiceOf('2026-03')).toBeUndefined();
    });

    test('has the next number, whoever closes and however many at once', async () => {
      const times = { from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') };
      await used(use(times), use({ ...times, uid: 'u9', organizationId: 'other' }));
      clock.set(at('2026-02-02T00:00:00Z'));
      const closings = await Promise.all([1, 2, 3].map(() => documents.invoices.closeDue(clock.now())));
      const numbers = closings.flatMap(({ issued }) => issued.map(({ number }) => number));
      expect(numbers.sort()).toEqual([1, 2]);
      expect(closings.flatMap(({ faulty }) => faulty)).toEqual([]);
      expect(await faults()).toEqual([]);
    });

    test('is not written when its lines are not what the books say', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') }));
      await database().transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(sql`update slices set list = list + 1, net = net + 1`);
      });
      expect(await close('2026-02-02T00:00:00Z')).toEqual({ issued: [], waiting: [], faulty: ['acme'] });
      expect(await invoiceOf('2026-01')).toBeUndefined();
    });

    test('that was tampered with is named', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') }));
      await close('2026-02-02T00:00:00Z');
      const invoice = await invoiceOf('2026-01');
      if (!invoice) throw new Error('no invoice');
      const total = micros(invoice.total + 1n);
      await database()
        .sql.insert(invoices)
        .values({ ...invoice, id: 'inv-x', number: 3, month: '1999-01', list: total, total });
      expect(await faults()).toEqual([
        expect.stringContaining('invoice inv-x says 7200001 less 0'),
        'invoice number 2 is missing',
        'invoice inv-x is of no closed month',
      ]);
      await expect(database().sql.update(invoices).set({ total })).rejects.toThrow();
    });

    test('is no more written for an organisation that was deleted, once what came late for it is on one', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') }));
      await database()
        .sql.update(organizations)
        .set({ deletedAt: new Date('2026-01-21T00:00:00Z') })
        .where(eq(organizations.id, 'acme'));
      await close('2026-12-02T00:00:00Z');
      const closed = await database().sql.select().from(closedMonths).where(eq(closedMonths.organizationId, 'acme'));
      expect(closed.map(({ month }) => month).sort()).toEqual(['2026-01', '2026-02', '2026-03']);
      expect(await invoiceOf('2026-01')).toMatchObject({ total: 7_200_000n });
      expect(await faults()).toEqual([]);
    });

    test('does not exist for another organisation', async () => {
      await used(use({ from: at('2026-01-20T10:00:00Z'), to: at('2026-01-20T11:00:00Z') }));
      const { issued } = await close('2026-02-02T00:00:00Z');
      await expect(documents.invoices.get('other', issued[0]?.id ?? '')).rejects.toMatchObject({
        problem: 'not_found',
      });
    });
  });

  test('an order is a line of the month in which it was charged', async () => {
    const host = { type: 'order_consumption' as const, source: 'host_rent' as const, reference: 'GpuHost/hst-1' };
    await wallets.charge([
      {
        key: 'order/1',
        organizationId: 'acme',
        list: micros(500_000_000),
        net: micros(450_000_000),
        at: new Date('2026-01-20T00:00:00Z'),
        bill: { id: 'order/1', detail: '1 × host', ...host },
      },
    ]);
    await close('2026-02-02T00:00:00Z');
    expect((await invoiceOf('2026-01'))?.lines).toMatchObject([
      {
        type: 'order',
        reference: 'GpuHost/hst-1',
        list: '500.00',
        discount: '50.00',
        net: '450.00',
        discountBasisPoints: 1000,
      },
    ]);
  });

  test('sums are exact and the same by whatever they are made; hours are of cards', async () => {
    const day = at('2026-01-20T22:00:00Z');
    await used(
      use({ from: day, to: day + 4 * 3_600_000 + 1_000 }),
      use({
        uid: 'u2',
        kind: 'DataDisk',
        name: 'dsk-1',
        uses: [{ resource: 'disk', quantity: 10 }],
        from: day,
        to: day + DAY,
      }),
      use({ uid: 'u9', organizationId: 'other', from: day, to: day + DAY }),
    );
    const range = { from: CREATED, to: CREATED + 30 * DAY };
    const rowsBy = (by: 'resource' | 'object' | 'member' | 'day' | 'source') => documents.usage.rows('acme', by, range);
    const total = (await wallets.balances('acme')).debt;
    for (const by of ['resource', 'object', 'member', 'day', 'source'] as const)
      expect([by, sumOf((await rowsBy(by)).map(({ net }) => net))]).toEqual([by, total]);
    expect((await rowsBy('day')).map(({ key, gpu }) => [key, gpu])).toEqual([
      ['2026-01-20', 2_000n * 7_200_000n],
      ['2026-01-21', 2_000n * 7_201_000n],
    ]);
    expect((await rowsBy('resource')).map(({ key, storage }) => [key, storage])).toEqual([
      ['disk', 10_000n * BigInt(DAY)],
      ['gpu/NVIDIA-H200', 0n],
    ]);
    expect((await rowsBy('member')).map(({ name }) => name)).toEqual(['ann']);
    const none = await documents.usage.rows('acme', 'day', { from: CREATED, to: CREATED + 1 });
    expect(none).toEqual([]);
  });

  test('usage has the exact size of what was rounded, also of what is given back; a slice keeps it rounded', async () => {
    const day = at('2026-01-20T00:00:00Z');
    const rounded = { resource: 'snapshot', quantity: 0.063 };
    const report = (uid: string, one: Use) => use({ uid, kind: 'Image', name: uid, uses: [one], from: day });
    const uses = { mi: sizeUse('snapshot', 2 ** 26), bytes: sizeUse('snapshot', 100_000_000), old: rounded };
    const reports = Object.entries(uses).map(([uid, one]) => report(uid, one));
    const hour = 3_600_000;
    await price('snapshot', 730_000_000);
    await meter.record(reports);
    clock.set(day + 2 * hour);
    await meter.settle(clock.now());
    // It had ended an hour before: the part posted beyond that is given back.
    await used(...reports.map((one) => ({ ...one, to: day + hour })));
    const rows = await documents.usage.rows('acme', 'object', { from: CREATED, to: CREATED + 30 * DAY });
    expect(Object.fromEntries(rows.map(({ name, storage }) => [name, storage]))).toEqual({
      mi: (125n * BigInt(hour)) / 2n,
      bytes: dividedRounded(100_000_000_000n * BigInt(hour), 2n ** 30n),
      old: 63n * BigInt(hour),
    });
    const slices = await rowsOf(
      database().sql,
      sql`select distinct uid, abs(quantity_milli)::text as milli from slices order by uid`,
    );
    expect(slices).toEqual([
      { uid: 'bytes', milli: '93' },
      { uid: 'mi', milli: '63' },
      { uid: 'old', milli: '63' },
    ]);
  });

  test('an object goes by the name that it had last, a host by that of its rent, and one without a name by its id', async () => {
    const day = at('2026-01-20T22:00:00Z');
    await used(use({ from: day, to: day + 3_600_000, displayName: 'dev' }));
    await used(use({ seq: 2, from: day + 3_600_000, to: day + 7_200_000, displayName: 'dev_2' }));
    await used(use({ uid: 'u2', name: 'ins-2', from: day, to: day + 1_800_000 }));
    const free = { kind: 'GpuHost', uses: [{ resource: 'hosted-gpu', model: 'NVIDIA-H200', quantity: 1 }] } as const;
    await used(use({ uid: 'u3', name: 'hst-3', from: day, to: day + 1_000, ...free }));
    await wallets.charge([
      {
        key: 'order/u3/0/1',
        organizationId: 'acme',
        list: micros(5_000_000),
        net: micros(5_000_000),
        at: new Date(day),
        subject: 'u3',
        bill: {
          id: 'order/u3/0/1',
          type: 'order_consumption',
          source: 'host_rent',
          reference: 'GpuHost/hst-3',
          detail: 'training: 1 × host/NVIDIA-H200, 2026-01-20 – 2026-02-20',
        },
      },
    ]);
    const rows = await documents.usage.rows('acme', 'object', { from: CREATED, to: CREATED + 30 * DAY });
    expect(rows.map(({ key, name }) => [key, name])).toEqual([
      ['GpuInstance/ins-1', 'dev_2'],
      ['GpuHost/hst-3', 'training'],
      ['GpuInstance/ins-2', 'ins-2'],
    ]);
    const filter = { type: 'usage', search: 'dev_2' } as const;
    const found = await documents.transactions.page(
      'acme',
      filter,
      { by: 'date', descending: true },
      { page: 1, size: 10 },
    );
    expect(found.items.map(({ reference }) => reference)).toContain('GpuInstance/ins-1');
  });

  describe('two organisations whose objects have the same names', () => {
    const day = at('2026-01-20T10:00:00Z');
    const HOUR = 3_600_000;
    const IN_MONTH = { from: CREATED, to: CREATED + 30 * DAY };
    const rent = (organizationId: string, uid: string, name: string, whole: number) => ({
      key: `order/${uid}/0/1`,
      organizationId,
      list: micros(whole * 1_000_000),
      net: micros(whole * 1_000_000),
      at: new Date(day),
      subject: uid,
      bill: {
        id: `order/${uid}/0/1`,
        type: 'order_consumption' as const,
        source: 'host_rent' as const,
        reference: 'GpuHost/hst-1',
        detail: `${name}: 1 × host`,
        ...(organizationId === 'other' && { accountId: 'acc-bob' }),
      },
    });

    beforeEach(async () => {
      await database()
        .sql.insert(accounts)
        .values({ id: 'acc-bob', name: 'bob', email: 'bob@example.com', createdAt: new Date(CREATED) });
      const theirs = { organizationId: 'other', accountId: 'acc-bob', subjectUid: 'pod-2', displayName: 'secret' };
      const free = {
        kind: 'GpuHost',
        name: 'hst-1',
        uses: [{ resource: 'hosted-gpu', model: 'H', quantity: 1 }],
      } as const;
      await used(
        // Nobody chose a name for it: theirs must not take the place.
        use({ from: day, to: day + HOUR }),
        use({ ...theirs, uid: 'u10', from: day, to: day + 5 * HOUR }),
        use({ ...theirs, uid: 'u11', name: 'ins-10', from: day, to: day + 5 * HOUR }),
        use({ uid: 'u2', ...free, from: day, to: day + HOUR }),
        use({ ...theirs, uid: 'u20', ...free, from: day, to: day + 5 * HOUR }),
      );
      await wallets.charge([rent('acme', 'u2', 'farm', 3), rent('other', 'u20', 'secret_farm', 70)]);
    });

    test.each([
      [
        'object',
        [
          ['GpuHost/hst-1', 'farm', '3.00'],
          ['GpuInstance/ins-1', 'ins-1', '7.20'],
        ],
      ],
      [
        'member',
        [
          ['', '', '3.00'],
          ['acc-ann', 'ann', '7.20'],
        ],
      ],
      ['day', [['2026-01-20', '', '10.20']]],
      [
        'source',
        [
          ['container_rent', 'container_rent', '7.20'],
          ['host_rent', 'host_rent', '3.00'],
        ],
      ],
    ] as const)('are summed each for itself, by %s', async (by, wanted) => {
      const rows = await documents.usage.rows('acme', by, IN_MONTH);
      expect(rows.map(({ key, name, net }) => [key, name, moneyText(net)]).sort()).toEqual(wanted);
    });

    test('have invoices that name and count what is theirs alone', async () => {
      await close('2026-02-02T00:00:00Z');
      const mine = await invoiceOf('2026-01');
      const facts = mine?.lines.map(({ reference, name, account, net }) => [reference, name, account, net]);
      expect(facts?.filter(([, , , net]) => net !== '0.00').sort()).toEqual([
        ['GpuHost/hst-1', 'farm: 1 × host', '', '3.00'],
        ['GpuInstance/ins-1', 'ins-1', 'ann', '7.20'],
      ]);
      expect([mine?.total, (await invoiceOf('2026-01', 'other'))?.total]).toEqual([10_200_000n, 142_000_000n]);
      expect(JSON.stringify(mine?.lines)).not.toMatch(/secret|bob|ins-10|u10|u20/);
      await used(
        use({
          organizationId: 'other',
          uid: 'u10',
          seq: 2,
          accountId: 'acc-bob',
          from: day + 6 * HOUR,
          to: day + 7 * HOUR,
        }),
      );
      // Late charges for these months are not our corrections.
      await close('2026-03-02T00:00:00Z');
      expect(await invoiceOf('2026-02')).toBeUndefined();
      expect((await invoiceOf('2026-02', 'other'))?.lines).toMatchObject([{ type: 'correction', net: '7.20' }]);
      expect(await faults()).toEqual([]);
    });

    test.each(['secret', 'u10', 'u20', 'ins-10', 'bob', 'acc-bob'])(
      'find nothing of the other by "%s"',
      async (search) => {
        const order = { by: 'date', descending: true } as const;
        const found = await documents.transactions.page('acme', { search }, order, { page: 1, size: 100 });
        expect([found.items, found.total]).toEqual([[], 0]);
        const file = [];
        for await (const one of documents.transactions.all('acme', { search }, order)) file.push(one);
        expect(file).toEqual([]);
      },
    );
  });

  describe('transactions', () => {
    beforeEach(async () => {
      for (let day = 1; day <= 5; day++)
        await wallets.deposit({
          key: `pay-${day}`,
          organizationId: 'acme',
          amount: micros(day * 1_000_000),
          at: new Date(CREATED + day * DAY),
          channel: 'card',
          bill: {
            id: `pay-${day}`,
            accountId: 'acc-ann',
            reference: `pay-${day}`,
            detail: day === 3 ? '=HYPERLINK("http://x")' : '',
          },
        });
      await wallets.grant({ key: 'gift', organizationId: 'acme', amount: micros(1), at: new Date(CREATED) });
      await used(use({ from: CREATED + 6 * DAY, to: CREATED + 6 * DAY + 60_000 }));
    });
    const ids = async (filter: Parameters<Documents['transactions']['page']>[1], page = 1, size = 10) => {
      const order = { by: 'date' as const, descending: true };
      const found = await documents.transactions.page('acme', filter, order, { page, size });
      return [found.items.map(({ id }) => id), found.total];
    };

    test('are filtered and paged, newest first', async () => {
      const day = new Date(CREATED + 6 * DAY).toISOString().slice(0, 10);
      expect(await ids({}, 1, 2)).toEqual([[`use/u1/${day}/acc-ann`, 'pay-5'], 7]);
      expect(await ids({}, 4, 2)).toEqual([['gift'], 7]);
      expect(
        await ids({ type: 'recharge', from: new Date(CREATED + 2 * DAY), to: new Date(CREATED + 4 * DAY) }),
      ).toEqual([['pay-3', 'pay-2'], 2]);
      expect((await ids({ type: 'top-up' }))[1]).toBe(6);
      expect((await ids({ type: 'usage', source: 'container_rent', status: 'paid' }))[1]).toBe(1);
      expect(await ids({ channel: 'card' }, 1, 2)).toEqual([['pay-5', 'pay-4'], 5]);
      expect(await ids({ search: 'HYPERLINK' })).toEqual([['pay-3'], 1]);
      expect((await ids({ search: 'ANN' }))[1]).toBe(6);
      expect((await ids({ search: '%' }))[1]).toBe(0);
    });

    test('become a file, each once, in a language, that no spreadsheet runs', async () => {
      for (const by of ['date', 'total_amount', 'status'] as const) {
        const all = documents.transactions.all('acme', {}, { by, descending: by === 'date' }, 2);
        const file = `${await buffer(documents.papers.transactionsCsv(all, 'zh'))}`;
        expect(file.startsWith('\uFEFF交易编号,日期（UTC）,类型')).toBe(true);
        const rows = file.trimEnd().split('\r\n').slice(1);
        expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(7);
        expect(file).toContain(`,"'=HYPERLINK(""http://x"")"`);
      }
    });
  });

  test('staff’s lists, wallets and the balance sheet, whose currencies sum to zero', async () => {
    await new Transfers({ clock, wallets }).make({
      key: 'a',
      organizationId: 'acme',
      kind: 'grant',
      amount: '25',
      of: 'cash',
      by: 'acc-ann',
      reason: 'sorry',
    });
    await new Transfers({ clock, wallets }).make({
      key: 'a',
      organizationId: 'acme',
      kind: 'grant',
      amount: '25',
      of: 'cash',
      by: 'acc-ann',
      reason: 'sorry',
    });
    await new Transfers({ clock, wallets }).make({
      key: 'b',
      organizationId: 'acme',
      kind: 'adjust',
      amount: '-5',
      of: 'credits',
      by: 'acc-ann',
      reason: 'back',
    });
    await used(use({ from: CREATED, to: CREATED + 3_600_000 }));
    const asked = { sort: ['id', 'ASC'] as ['id', 'ASC'], range: [0, 9] as [number, number], filter: {} };
    expect((await documents.rows.wallets(asked)).items).toMatchObject([
      { id: 'acme', credits: '12.80', balance: '12.80', debt: '0.00' },
      { id: 'other', balance: '0.00' },
    ]);
    const { items, total } = await documents.rows.transactions({
      ...asked,
      filter: { organization_id: 'acme', q: 'sorry' },
    });
    expect([items[0], total]).toMatchObject([{ operator: 'ann', detail: 'sorry', total_amount: '25.00' }, 1]);
    // The organisation may not read which staff member did it, or why.
    const order = { by: 'date', descending: true } as const;
    const own = (search?: string) => documents.transactions.page('acme', { search }, order, { page: 1, size: 10 });
    expect((await own('sorry')).total).toBe(0);
    expect((await own('Staff')).items.map(({ operator, accountId }) => operator ?? accountId)).toEqual([null, null]);
    const books = (await documents.rows.books(asked)).items;
    expect(sumOf(books.map(({ balance }) => parseMoney(balance)))).toBe(0n);
    expect(books.find(({ id }) => id === 'platform.revenue.USD')).toMatchObject({ balance: '7.20' });
    await close('2026-02-02T00:00:00Z');
    expect((await documents.rows.invoices({ ...asked, filter: { month: '2026-01' } })).items).toMatchObject([
      { organization_name: 'acme inc', number: '00000001', total: '7.20' },
    ]);
  });

  test.each([
    ['a grant below zero', { kind: 'grant', amount: '-1', of: 'cash' }, 'transfer_rule'],
    ['credits by an adjustment', { kind: 'adjust', amount: '1', of: 'credits' }, 'transfer_rule'],
    ['more than is there', { kind: 'adjust', amount: '-1', of: 'cash' }, 'wallet_short'],
  ] as const)('%s is refused', async (_title, wish, code) => {
    const asked = { key: 'x', organizationId: 'acme', by: 'acc-ann', reason: 'because', ...wish };
    await expect(new Transfers({ clock, wallets }).make(asked)).rejects.toMatchObject({ problem: code });
    expect((await wallets.balances('acme')).balance).toBe(0n);
  });
});
