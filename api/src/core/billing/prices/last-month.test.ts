// Questions about everybody's last month, on PostgreSQL: prices that are proposed, and discounts by their type.
import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import type { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { meters, slices } from '../../../platform/db/schema/usage.ts';
import { entryRows } from '../documents/entry-rows.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Wallets } from '../ledger/wallets.ts';
import { DiscountRows } from './discount-rows.ts';
import { discountUse } from './discount-use.ts';
import { askedInTime, lastMonth } from './last-month.ts';
import { simulatePrices } from './simulate-prices.ts';
import { Tariffs } from './tariffs.ts';

const HOUR = 3_600_000;

test('last month is the calendar month of UTC before this one', () => {
  expect(lastMonth(Date.parse('2026-01-31T23:59:59Z'))).toEqual({
    month: '2025-12',
    from: Date.parse('2025-12-01T00:00:00Z'),
    to: Date.parse('2026-01-01T00:00:00Z'),
  });
});

forEachDatabase((database) => {
  let clock: SteppedClock;
  let tariffs: Tariffs;
  let discounts: DiscountRows;
  beforeEach(async () => {
    clock = new SteppedClock();
    clock.set(Date.parse('2026-03-15T10:00:00Z'));
    const createdAt = new Date('2026-01-01T00:00:00Z');
    await database()
      .sql.insert(organizations)
      .values(['acme', 'other'].map((id) => ({ id, name: id, currency: 'USD', createdAt })));
    tariffs = new Tariffs({ db: database(), clock, region: 'r1', currency: 'USD' });
    await tariffs.seed();
    await tariffs.refresh();
    discounts = new DiscountRows({ db: database(), clock, tariffs });
  });

  /** An hour of one use, in February unless another day is named. */
  async function used(
    organizationId: string,
    sku: string,
    more: {
      day?: string;
      list?: string;
      basisPoints?: number;
      discountId?: bigint;
      exactMi?: number;
      kind?: string;
    } = {},
  ) {
    const { day = '2026-02-10', list = '1', basisPoints = 0, discountId, exactMi, kind = 'GpuInstance' } = more;
    const uid = crypto.randomUUID();
    const from = new Date(`${day}T05:00:00Z`);
    const to = new Date(from.getTime() + HOUR);
    const [resource = '', model] = sku.split('/');
    const use = {
      resource,
      ...(model && { model }),
      quantity: 2,
      ...(exactMi !== undefined && { exact: { count: exactMi, unit: 'Mi' as const } }),
    };
    await database()
      .sql.insert(meters)
      .values({
        uid,
        seq: 1,
        organizationId,
        region: 'r1',
        kind,
        name: 'x',
        subjectUid: uid,
        uses: [use],
        from,
        to,
        settledTo: to,
        cost: [],
      });
    await database()
      .sql.insert(slices)
      .values({
        ...{ uid, seq: 1, use: 0, from, to, isCorrection: false, organizationId, sku, quantityMilli: 2_000n },
        ...{ discountBasisPoints: basisPoints, discountId: discountId ?? null, list: parseMoney(list) },
        net: micros((parseMoney(list) * BigInt(10_000 - basisPoints)) / 10_000n),
      });
  }
  const simulate = (...prices: { sku: string; amount: string; region?: string }[]) =>
    simulatePrices({ db: database(), clock, tariffs, items: { require: () => undefined }, currency: 'USD' }, prices);

  test('a price for any model is simulated for the models without their own, and only last month counts', async () => {
    await used('acme', 'gpu/Unheard-of');
    await used('acme', 'gpu/NVIDIA-L4');
    await used('acme', 'gpu/Unheard-of', { day: '2026-03-01' });
    await used('acme', 'gpu/Unheard-of', { day: '2026-01-31' });
    await tariffs.setPrice({ sku: 'gpu/NVIDIA-L4', amount: parseMoney('9') }, 'acc-1');
    await clock.step(5_000);
    await tariffs.refresh();
    const before = tariffs.prices.at('gpu/any', { region: 'r1', currency: 'USD' }, clock.now())?.amount as bigint;
    const { skus, totals } = await simulate({ sku: 'gpu/any', amount: '7' });
    expect(skus).toMatchObject([{ sku: 'gpu/Unheard-of', quantity: '2', price_proposed: '7.00', proposed: '14.00' }]);
    expect(totals).toMatchObject([{ proposed: '14.00', billed: '1.00' }]);
    expect(parseMoney(totals[0]?.now ?? '')).toBe(2n * before);
  });

  test('sizes count exactly, months by their 730 hours, and a region has its own price', async () => {
    await used('acme', 'disk', { exactMi: 512 });
    const { skus } = await simulate({ sku: 'disk', amount: '730', region: 'r1' });
    // Half a GiB for an hour.
    expect(skus).toMatchObject([{ sku: 'disk', region: 'r1', proposed: '0.50', per: 'month', unit: 'GiB' }]);
    expect((await simulate({ sku: 'disk', amount: '730', region: 'elsewhere' })).skus[0]?.difference).toBe('0.00');
  });

  test('a question that takes too long is given up with a sentence, and the next one is answered', async () => {
    const slow = askedInTime(database(), 1, (tx) => tx.execute(sql`select pg_sleep(5)`));
    const outcome = await slow.then(
      () => 'answered',
      ({ problem, args }: Problem) => ({ problem, args }),
    );
    expect(outcome).toEqual({ problem: 'simulation_too_long', args: { seconds: 1 } });
    expect(await askedInTime(database(), 1, async () => 'next')).toBe('next');
  });

  test('each type of discount has its effect on last month, and what it saved so far', async () => {
    const since = { valid_from: undefined, reason: 'x' };
    const own = await discounts.set(
      { ...since, type: 'organization', organization_id: 'acme', source: 'container_rent', percent: 50 },
      'a',
    );
    const plan = await discounts.set({ ...since, type: 'plan', plan: 'free', percent: 10 }, 'a');
    const sku = await discounts.set({ ...since, type: 'sku', sku: 'gpu/any', percent: 20 }, 'a');
    const code = await discounts.set({ ...since, type: 'code', code: 'SUMMER', percent: 25 }, 'a');
    await clock.step(5_000);
    await discounts.redeem('SUMMER', 'other', 'acc-2');
    await used('acme', 'gpu/L4', { list: '8' });
    await used('other', 'cpu', { list: '4' });
    // By this discount, this month.
    await used('acme', 'cpu', { day: '2026-03-15', list: '2', basisPoints: 5_000, discountId: BigInt(own.id) });
    const useOf = async (row: typeof own) => {
      const { totals, last_month, redemptions } = await discountUse({ db: database(), clock }, row);
      return [totals.map(({ saved }) => saved), last_month.alone.map(({ saved }) => saved), redemptions.length];
    };
    expect(await useOf(own)).toEqual([['1.00'], ['4.00'], 0]);
    expect(await useOf(plan)).toEqual([[], ['1.20'], 0]);
    expect(await useOf(sku)).toEqual([[], ['1.60'], 0]);
    expect(await useOf(code)).toEqual([[], ['1.00'], 1]);
  });

  test('slices from before discounts had types are the organisation’s own discount’s', async () => {
    const own = await discounts.set(
      { type: 'organization', organization_id: 'acme', source: 'container_rent', percent: 50, reason: 'x' },
      'a',
    );
    const later = await discounts.set(
      {
        type: 'organization',
        organization_id: 'acme',
        source: 'container_rent',
        percent: 40,
        valid_from: '2026-04-01T00:00:00Z',
        reason: 'x',
      },
      'a',
    );
    await used('acme', 'cpu', { day: '2026-03-20', list: '2', basisPoints: 5_000 });
    await used('acme', 'cpu', { day: '2026-03-20', list: '2', basisPoints: 5_000, kind: 'GpuHost' });
    await used('acme', 'cpu', { day: '2026-04-02', list: '3', basisPoints: 4_000 });
    const saved = async (row: typeof own) =>
      (await discountUse({ db: database(), clock }, row)).totals.map((one) => one.saved);
    expect([await saved(own), await saved(later)]).toEqual([['1.00'], ['1.20']]);
  });

  test('pages of entries that go on after each other have every leg once', async () => {
    const wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    for (const at of [1, 2, 3])
      await wallets.grant({
        key: `gift/${at}`,
        organizationId: 'acme',
        amount: parseMoney(`${at}`),
        at: new Date(clock.now()),
      });
    const ids: string[] = [];
    let after: { value: string | null; id: string } | undefined;
    for (;;) {
      const page = await entryRows(database(), {
        sort: ['id', 'DESC'],
        range: [0, 1],
        filter: {},
        ...(after && { after }),
      });
      ids.push(...page.items.map(({ id }) => id));
      if (page.items.length < 2) break;
      after = page.last;
    }
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });
});
