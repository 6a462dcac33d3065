// The ends of slices and their cost: tables, and properties of every way to cut.
import type { Use } from '@gantry/contract/billing/resources.ts';
import { micros, sumOf } from '@gantry/contract/fields/money.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { Discounts, type Price, PriceTable } from '../prices/price-table.ts';
import type { Tariff } from '../prices/rate.ts';
import { FirstPrices } from './first-prices.ts';
import { givenBack, type Piece, piecesOf, type Slice } from './settlement.ts';

const at = (text: string): number => Date.parse(`2026-01-${text}Z`);
const GPU: Use[] = [{ resource: 'gpu', model: 'H200', quantity: 1 }];
const price = (amount: number, validFrom = 0, id = 1): Price => ({
  id: BigInt(id),
  sku: 'gpu/any',
  region: '*',
  currency: 'USD',
  amount: micros(amount),
  validFrom,
});
const tariff = (prices: Price[] = [price(3_600_000)], discount: [number, number][] = []): Tariff => ({
  prices: new PriceTable(prices),
  discounts: new Discounts(
    discount.map(([validFrom, basisPoints], id) => ({
      id: BigInt(id),
      type: 'organization',
      target: 'acme',
      source: 'container_rent',
      basisPoints,
      validFrom,
    })),
  ),
  region: 'r1',
  currency: 'USD',
  organizationId: 'acme',
});
const metered = (from: number, uses = GPU) => ({
  uses,
  source: 'container_rent' as const,
  from,
  settledTo: from,
  cost: [],
});
const shown = (pieces: Iterable<Piece>) =>
  [...pieces].map(({ from, to, net }) =>
    [new Date(from).toISOString().slice(8, 19), new Date(to).toISOString().slice(8, 19), Number(net)].join(' '),
  );

describe('pieces', () => {
  test('end at hours', () => {
    const pieces = piecesOf(metered(at('01T00:30:00')), { until: at('01T02:10:00'), isCut: true }, tariff(), 'UTC');
    expect(shown(pieces)).toEqual([
      '01T00:30:00 01T01:00:00 1800000',
      '01T01:00:00 01T02:00:00 3600000',
      '01T02:00:00 01T02:10:00 600000',
    ]);
  });

  test('are whole for a running object, whenever somebody asks', () => {
    const pieces = piecesOf(metered(at('01T00:30:00')), { until: at('01T02:10:00'), isCut: false }, tariff(), 'UTC');
    expect(shown(pieces)).toEqual(['01T00:30:00 01T01:00:00 1800000', '01T01:00:00 01T02:00:00 3600000']);
    const hour = piecesOf(metered(at('01T00:30:00')), { until: at('01T01:00:00'), isCut: false }, tariff(), 'UTC');
    expect(shown(hour)).toEqual(['01T00:30:00 01T01:00:00 1800000']);
  });

  test('end where a price or a discount changes', () => {
    const dear = tariff([price(3_600_000), price(7_200_000, at('01T00:20:00'), 2)], [[at('01T00:40:00'), 5000]]);
    const pieces = piecesOf(metered(at('01T00:00:00')), { until: at('01T01:00:00'), isCut: true }, dear, 'UTC');
    expect(shown(pieces)).toEqual([
      '01T00:00:00 01T00:20:00 1200000',
      '01T00:20:00 01T00:40:00 2400000',
      '01T00:40:00 01T01:00:00 1200000',
    ]);
  });

  test('end where a month begins for the organisation', () => {
    const pieces = piecesOf(
      metered(at('31T18:00:00')),
      { until: at('31T19:00:00'), isCut: true },
      tariff(),
      'Asia/Kolkata',
    );
    expect(shown(pieces)).toEqual(['31T18:00:00 31T18:30:00 1800000', '31T18:30:00 31T19:00:00 1800000']);
  });

  test('do not exist for an interval with no length', () => {
    expect(
      shown(piecesOf(metered(at('01T00:00:00')), { until: at('01T00:00:00'), isCut: true }, tariff(), 'UTC')),
    ).toEqual([]);
  });

  test('stop before what has no price, and name it', () => {
    const late = tariff([price(3_600_000, at('01T01:00:00'))]);
    const pieces = piecesOf(metered(at('01T00:00:00')), { until: at('01T02:00:00'), isCut: true }, late, 'UTC');
    expect(pieces.next()).toEqual({ done: true, value: 'gpu/H200' });
  });

  test('waiting usage is posted at the first price that appears, once that price takes effect', () => {
    const late = tariff([price(3_600_000, at('01T01:00:00')), price(9_000_000, at('01T02:00:00'), 2)]);
    const prices = (until: number) => ({ ...late, prices: new FirstPrices(late.prices, until) });
    const end = { until: at('01T03:00:00'), isCut: true };
    const before = prices(at('01T00:59:59'));
    expect(
      piecesOf(metered(at('01T00:00:00')), { until: at('01T00:30:00'), isCut: true }, before, 'UTC').next().done,
    ).toBe(true);
    expect(shown(piecesOf(metered(at('01T00:00:00')), end, prices(end.until), 'UTC'))).toEqual([
      '01T00:00:00 01T01:00:00 3600000',
      '01T01:00:00 01T02:00:00 3600000',
      '01T02:00:00 01T03:00:00 9000000',
    ]);
  });
});

test('a slice without a discount shows none, also after one that had a discount', () => {
  // 747.2 micros a second, and a discount in every other second, whose fraction of a micro is carried on.
  const turns = [...Array(60).keys()].map((second): [number, number] => [
    at('01T00:00:00') + second * 1000,
    second % 2 === 0 ? 1_250 : 0,
  ]);
  const end = { until: at('01T00:01:00'), isCut: true };
  const pieces = piecesOf(metered(at('01T00:00:00')), end, tariff([price(2_690_000)], turns), 'UTC');
  const undiscounted = [...pieces].flatMap(({ slices }) => slices).filter(({ basisPoints }) => basisPoints === 0);
  expect(undiscounted.map(({ list, net }) => list - net)).toEqual(Array(30).fill(0n));
});

describe('however an interval is cut and asked for', () => {
  const uses: Use[] = [
    { resource: 'gpu', model: 'H200', quantity: 0.25 },
    { resource: 'hosted-cpu', quantity: 4 },
  ];
  const sums = (slices: readonly Slice[]) =>
    uses.map((_use, use) => {
      const own = slices.filter((slice) => slice.use === use);
      return { list: sumOf(own.map(({ list }) => list)), net: sumOf(own.map(({ net }) => net)) };
    });

  test('it costs the same, and what ended sooner costs what it would have cost', () => {
    const seconds = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(
        seconds,
        seconds,
        seconds,
        fc.array(seconds, { maxLength: 5 }),
        fc.array(fc.tuple(seconds, fc.integer({ min: 0, max: 9_999_999 })), { maxLength: 4 }),
        fc.array(fc.tuple(seconds, fc.integer({ min: 0, max: 10_000 })), { maxLength: 3 }),
        (one, two, three, asked, changes, discounts) => {
          const start = at('30T00:00:00');
          const [from = 0, end = 0, posted = 0] = [one, two, three].sort((a, b) => a - b).map((s) => start + s * 1000);
          const prices = changes.map(([second, amount], id) => price(amount, start + second * 1000, id + 2));
          const own = tariff(
            [price(1_234_567), ...prices],
            discounts.map(([second, points]) => [start + second * 1000, points]),
          );
          const whole = [...piecesOf(metered(from, uses), { until: end, isCut: true }, own, 'Asia/Kolkata')];
          const really = sums(whole.flatMap(({ slices }) => slices));

          // Asked for again and again, up to a later moment than its end.
          let state = { ...metered(from, uses), cost: [] as Piece['cost'] };
          const slices: Slice[] = [];
          for (const until of [...asked.map((s) => start + s * 1000).filter((t) => t < posted), posted].sort(
            (a, b) => a - b,
          )) {
            for (const piece of piecesOf(state, { until, isCut: until === posted }, own, 'Asia/Kolkata')) {
              slices.push(...piece.slices);
              state = { ...state, settledTo: piece.to, cost: piece.cost };
            }
          }
          const back = givenBack(end, really, slices);
          expect(sums([...slices, ...back])).toEqual(really);
          expect(back.every(({ list, net }) => list <= 0n && net <= 1n)).toBe(true);
          const key = ({ use, from: begin }: Slice) => `${use} ${begin}`;
          expect(new Set(slices.map(key)).size).toBe(slices.length);
          const time = (all: readonly Slice[]) =>
            all.reduce(
              (sum, { from: begin, to, quantityMilli }) => sum + quantityMilli * BigInt(to - begin),
              0n as bigint,
            );
          expect(time([...slices, ...back])).toBe(4250n * BigInt(end - from));
        },
      ),
      { numRuns: 200 },
    );
  });
});
