import { RESOURCES, type Resource, sizeUse, type Use } from '@gantry/contract/billing/resources.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { type Cumulative, ratePerHour, ratePerMonth, rateUse, rentalPrice } from './rate.ts';
import { type DiscountFixture, HOUR, type PriceFixture, START, tariff } from './testing/fixtures.ts';

const MONTH = 730;
const h100 = (quantity: number): Use => ({ resource: 'gpu', model: 'H100', quantity });
const stretch = (hours: number, fromHours = 0) => ({ from: START + fromHours * HOUR, to: START + hours * HOUR });

interface Case {
  use: Use;
  hours: number;
  prices: readonly PriceFixture[];
  discounts?: readonly DiscountFixture[];
  list: string;
  /** As `list` where absent. */
  net?: string;
}

const CASES: Record<string, Case> = {
  'a card for an hour costs its price': { use: h100(1), hours: 1, prices: [['gpu/H100', '2.69']], list: '2.69' },
  'a quarter of a GPU costs a quarter': { use: h100(0.25), hours: 1, prices: [['gpu/H100', '2.00']], list: '0.50' },
  'eight cards cost eight times as much': { use: h100(8), hours: 1, prices: [['gpu/H100', '2.69']], list: '21.52' },
  'a minute costs a sixtieth': { use: h100(1), hours: 1 / 60, prices: [['gpu/H100', '3.00']], list: '0.05' },
  'a second costs a 3600th, to the micro': {
    use: h100(1),
    hours: 1 / 3600,
    prices: [['gpu/H100', '2.69']],
    list: '0.000747',
  },
  'a sixteenth of a GiB costs a sixteenth': {
    use: sizeUse('memory', 2 ** 26),
    hours: 1_000,
    prices: [['memory', '0.01']],
    list: '0.625',
  },
  'what was reported as 0.063 GiB before stays 0.063': {
    use: { resource: 'memory', quantity: 0.063 },
    hours: 1_000,
    prices: [['memory', '0.01']],
    list: '0.63',
  },
  'three bytes kept for a month cost three bytes, rounded once': {
    use: sizeUse('snapshot', 3),
    hours: MONTH,
    prices: [['snapshot', '1000']],
    list: '0.000003',
  },
  'nothing is used in no time': { use: h100(1), hours: 0, prices: [['gpu/H100', '2.69']], list: '0.00' },
  'a model without a price has that of any model': {
    use: h100(1),
    hours: 1,
    prices: [['gpu/any', '1.50']],
    list: '1.50',
  },
  'the own price of a model goes before that of any': {
    use: h100(1),
    hours: 1,
    prices: [
      ['gpu/any', '1.50'],
      ['gpu/H100', '2.69'],
    ],
    list: '2.69',
  },
  "the region's price goes before everywhere's": {
    use: h100(1),
    hours: 1,
    prices: [
      ['gpu/H100', '3.00', undefined, 'washington'],
      ['gpu/H100', '2.69'],
      ['gpu/H100', '9.00', undefined, 'elsewhere'],
    ],
    list: '3.00',
  },
  "everywhere's price of a model goes before the region's of any": {
    use: h100(1),
    hours: 1,
    prices: [
      ['gpu/any', '1.50', undefined, 'washington'],
      ['gpu/H100', '2.69'],
    ],
    list: '2.69',
  },
  'a disk is priced by the month of 730 hours': {
    use: { resource: 'disk', quantity: 100 },
    hours: MONTH,
    prices: [['disk', '0.10']],
    list: '10.00',
  },
  'an hour of a disk is a 730th of its month': {
    use: { resource: 'disk', quantity: 73 },
    hours: 1,
    prices: [['disk', '0.10']],
    list: '0.01',
  },
  'a change of price never alters the past': {
    use: h100(1),
    hours: 2,
    prices: [
      ['gpu/H100', '2.00'],
      ['gpu/H100', '5.00', 2],
    ],
    list: '4.00',
  },
  'a change of price counts from its moment on': {
    use: h100(1),
    hours: 3,
    prices: [
      ['gpu/H100', '2.00'],
      ['gpu/H100', '5.00', 2],
    ],
    list: '9.00',
  },
  'of two prices from one moment on the later row holds': {
    use: h100(1),
    hours: 1,
    prices: [
      ['gpu/H100', '2.00', 0],
      ['gpu/H100', '1.00', 0],
    ],
    list: '1.00',
  },
  'a model that gets a price of its own leaves that of any': {
    use: h100(1),
    hours: 2,
    prices: [
      ['gpu/any', '2.00'],
      ['gpu/H100', '3.00', 1],
    ],
    list: '5.00',
  },
  'a discount is taken off the list price': {
    use: h100(1),
    hours: 1,
    prices: [['gpu/H100', '2.00']],
    discounts: [['container_rent', 2500]],
    list: '2.00',
    net: '1.50',
  },
  'a discount counts from its moment on': {
    use: h100(1),
    hours: 2,
    prices: [['gpu/H100', '2.00']],
    discounts: [['container_rent', 5000, 1]],
    list: '4.00',
    net: '3.00',
  },
  'a discount of zero ends one': {
    use: h100(1),
    hours: 2,
    prices: [['gpu/H100', '2.00']],
    discounts: [
      ['container_rent', 5000],
      ['container_rent', 0, 1],
    ],
    list: '4.00',
    net: '3.00',
  },
  'a whole discount leaves nothing to pay': {
    use: h100(1),
    hours: 1,
    prices: [['gpu/H100', '2.00']],
    discounts: [['container_rent', 10_000]],
    list: '2.00',
    net: '0.00',
  },
  'a discount on hosts is none on instances': {
    use: h100(1),
    hours: 1,
    prices: [['gpu/H100', '2.00']],
    discounts: [['host_rent', 5000]],
    list: '2.00',
  },
  'cards of a rented host are metered and cost nothing': {
    use: { resource: 'hosted-gpu', model: 'H100', quantity: 8 },
    hours: 10,
    prices: [['gpu/H100', '2.00']],
    list: '0.00',
  },
  'a rented host is paid ahead, and not by the second': {
    use: { resource: 'host', model: 'H100', quantity: 1 },
    hours: 10,
    prices: [['host/H100', '12500.00']],
    list: '0.00',
  },
};

describe('the cost of usage', () => {
  test.each(Object.entries(CASES))('%s', (_, { use, hours, prices, discounts, list, net = list }) => {
    const rated = rateUse(use, 'container_rent', stretch(hours), tariff(prices, discounts));
    expect([moneyText(rated.list), moneyText(rated.net)]).toEqual([list, net]);
    expect(rated).toMatchObject({ to: START + hours * HOUR });
    expect(rated.unpriced).toBeUndefined();
  });
});

test('the sum is rounded once, and not its pieces', () => {
  const prices = tariff([['gpu/H100', '2.69']]);
  const piece = rateUse(h100(1), 'container_rent', { from: START, to: START + 1000 }, prices);
  const whole = rateUse(h100(1), 'container_rent', stretch(1), prices);
  // 747.2 micros a second: three thousand six hundred rounded pieces would lose 800.
  expect([piece.list, piece.list * 3600n, whole.list]).toEqual([747n, 2_689_200n, 2_690_000n]);
});

test('unpriced usage is not free: it is rated up to where its price ends, and the missing SKU is named', () => {
  const later = tariff([['gpu/H100', '2.00', 1]]);
  expect(rateUse(h100(1), 'container_rent', stretch(2), later)).toMatchObject({
    to: START,
    list: 0n,
    unpriced: 'gpu/H100',
  });
  expect(rateUse(h100(1), 'container_rent', stretch(2, 1), later)).toMatchObject({ to: START + 2 * HOUR });
  const nothing = { resource: 'quantum', quantity: 1 };
  expect(rateUse(nothing, 'container_rent', stretch(2), later)).toMatchObject({ to: START, unpriced: 'quantum' });
});

test('the parts of a stretch are those under one price and one discount', () => {
  const prices = tariff(
    [
      ['gpu/H100', '2.00'],
      ['gpu/H100', '3.00', 1],
    ],
    [['container_rent', 1000, 2]],
  );
  const { parts } = rateUse(h100(1), 'container_rent', stretch(3), prices);
  expect(parts.map(({ from, to, price, basisPoints }) => [from - START, to - START, price?.id, basisPoints])).toEqual([
    [0, HOUR, 1n, 0],
    [HOUR, 2 * HOUR, 2n, 0],
    [2 * HOUR, 3 * HOUR, 2n, 1000],
  ]);
});

const LIST: PriceFixture[] = [
  ['gpu/H100', '2.69'],
  ['gpu/any', '1.00'],
  ['cpu', '0.012'],
  ['memory', '0.002'],
  ['disk', '0.10'],
  ['snapshot', '0.05'],
  ['host/H100', '12500.00'],
];

const anyUse = fc
  .record({
    resource: fc.constantFrom(...(Object.keys(RESOURCES) as Resource[])),
    model: fc.constantFrom('H100', 'L4'),
    milli: fc.integer({ min: 0, max: 100_000 }),
  })
  .map(({ resource, model, milli }): Use => ({ resource, model, quantity: milli / 1000 }));
const moments = (most: number) => fc.array(fc.integer({ min: 0, max: 900 * HOUR }), { maxLength: most });
const anyTariff = fc
  .record({
    prices: fc.array(
      fc.tuple(
        fc.constantFrom('gpu/H100', 'gpu/any', 'cpu', 'disk', 'snapshot'),
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 0, max: 900 * HOUR }),
      ),
      { maxLength: 6 },
    ),
    discounts: fc.array(fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 900 * HOUR })), {
      maxLength: 3,
    }),
  })
  .map(({ prices, discounts }) => ({
    prices: [...LIST, ...prices.map(([sku, size, ms]): PriceFixture => [sku, (size / 1e6).toFixed(6), ms / HOUR])],
    discounts: discounts.map(([basisPoints, ms]): DiscountFixture => ['container_rent', basisPoints, ms / HOUR]),
  }));
type TariffFixture = { prices: readonly PriceFixture[]; discounts: readonly DiscountFixture[] };
const tariffOf = ({ prices, discounts }: TariffFixture, ...more: DiscountFixture[]) =>
  tariff(prices, [...discounts, ...more]);

test('cutting an interval anywhere, any number of times, gives the same sum', () => {
  fc.assert(
    fc.property(anyUse, anyTariff, moments(8), moments(2), (use, rows, cuts, ends) => {
      const prices = tariffOf(rows);
      const from = START + Math.min(0, ...ends);
      const to = START + Math.max(0, ...ends);
      const inside = [...new Set(cuts.map((cut) => START + cut))]
        .sort((a, b) => a - b)
        .filter((t) => t > from && t < to);
      let before: Cumulative | undefined;
      let posted = { list: 0n, net: 0n };
      let start = from;
      for (const end of [...inside, to]) {
        const rated = rateUse(use, 'container_rent', { from: start, to: end }, prices, before);
        expect(rated.net <= rated.list).toBe(true);
        // The posting of a slice: the rounded sum so far, less the amount already posted.
        const slice = { list: rated.list - posted.list, net: rated.net - posted.net };
        expect(slice.list >= 0n && slice.net >= 0n).toBe(true);
        posted = { list: posted.list + slice.list, net: posted.net + slice.net };
        before = rated.cumulative;
        start = end;
      }
      const whole = rateUse(use, 'container_rent', { from, to }, prices);
      expect([posted.list, posted.net]).toEqual([whole.list, whole.net]);
    }),
    { numRuns: 1000 },
  );
});

test('a price or discount that is added for later changes nothing before it', () => {
  fc.assert(
    fc.property(anyUse, anyTariff, fc.integer({ min: 1, max: 900 }), (use, prices, hours) => {
      const before = rateUse(use, 'container_rent', stretch(hours), tariffOf(prices));
      const later = tariffOf(
        { ...prices, prices: [...prices.prices, ['gpu/H100', '99.00', hours], ['disk', '99.00', hours]] },
        ['container_rent', 9999, hours],
      );
      const after = rateUse(use, 'container_rent', stretch(hours), later);
      expect([after.list, after.net, after.parts.length]).toEqual([before.list, before.net, before.parts.length]);
    }),
    { numRuns: 300 },
  );
});

test('by the hour an instance is all that it uses, months divided, with what has no price named', () => {
  const uses: Use[] = [
    h100(2),
    { resource: 'cpu', quantity: 16 },
    { resource: 'disk', quantity: 730 },
    { resource: 'hosted-cpu', quantity: 4 },
    { resource: 'host', model: 'H100', quantity: 1 },
  ];
  const prices = tariff(LIST, [['container_rent', 1000]]);
  const { list, net, unpriced } = ratePerHour(uses, 'container_rent', prices, START);
  expect([moneyText(list), moneyText(net), unpriced]).toEqual(['5.672', '5.1048', []]);
  expect(moneyText(ratePerMonth([{ resource: 'disk', quantity: 50 }], 'container_rent', prices, START).list)).toBe(
    '5.00',
  );
  expect(ratePerHour(uses, 'container_rent', tariff([['gpu/any', '1.00']]), START)).toMatchObject({
    unpriced: ['cpu', 'disk'],
  });
});

test('a rental is whole months of each node, less the discount on hosts', () => {
  const host = { resource: 'host', model: 'H100', quantity: 2 };
  const prices = tariff(LIST, [['host_rent', 500]]);
  expect(rentalPrice(host, 3, prices, START)).toEqual({
    priceId: 7n,
    discountId: 1n,
    list: 75_000_000_000n,
    net: 71_250_000_000n,
  });
  expect(rentalPrice({ ...host, model: 'L4' }, 3, prices, START)).toBeUndefined();
  expect(rentalPrice(h100(1), 3, prices, START)).toBeUndefined();
});
