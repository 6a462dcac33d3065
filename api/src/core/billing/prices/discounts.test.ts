// Which of several discounts applies, and when that changes.
import type { DiscountType } from '@gantry/contract/billing/discounts.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { type Discount, type DiscountMembers, Discounts } from './price-table.ts';
import { ratePerHour, rateUse } from './rate.ts';
import { HOUR, START, tariff } from './testing/fixtures.ts';

const of = (sku = 'gpu/H100', source: 'container_rent' | 'host_rent' = 'container_rent', organizationId = 'acme') => ({
  organizationId,
  source,
  sku,
});
let ids = 0n;
const row = (type: DiscountType, target: string, basisPoints: number, more: Partial<Discount> = {}): Discount => ({
  id: ++ids,
  type,
  target,
  basisPoints,
  validFrom: 0,
  ...more,
});
const members = (more: Partial<DiscountMembers> = {}): DiscountMembers => ({
  plans: new Map(),
  codes: new Map(),
  ...more,
});

describe('the discount that applies', () => {
  const all = [
    row('organization', 'acme', 1_000),
    row('plan', 'standard', 2_000),
    row('sku', 'gpu/H100', 3_000),
    row('code', 'SUMMER', 4_000),
  ];
  const held = members({
    plans: new Map([['acme', [{ plan: 'standard', validFrom: START }]]]),
    codes: new Map([['acme', [{ code: 'SUMMER', validFrom: START + HOUR }]]]),
  });

  test('is the largest single one, and none are added up', () => {
    const discounts = new Discounts(all, held);
    const points = (t: number, sku?: string) => discounts.at(of(sku), t)?.basisPoints;
    expect([points(START), points(START + HOUR), points(START, 'cpu'), points(START - 1, 'cpu')]).toEqual([
      3_000, 4_000, 2_000, 1_000,
    ]);
    expect(discounts.at(of('cpu', 'container_rent', 'other'), START + HOUR)).toBeUndefined();
  });

  test('is for its source, or for every source', () => {
    const discounts = new Discounts([
      row('organization', 'acme', 500, { source: 'host_rent' }),
      row('sku', 'host/any', 700, { source: 'host_rent' }),
      row('organization', 'acme', 300),
    ]);
    expect(discounts.at(of('cpu'), START)?.basisPoints).toBe(300);
    expect(discounts.at(of('cpu', 'host_rent'), START)?.basisPoints).toBe(500);
    // Any model is every model.
    expect(discounts.at(of('host/H100', 'host_rent'), START)?.basisPoints).toBe(700);
  });

  test('of two that are equally large, an own one is named before that of a plan, SKU or code', () => {
    const equal = (['code', 'sku', 'plan', 'organization'] as const).map((type, at) =>
      row(type, ['SUMMER', 'gpu/H100', 'standard', 'acme'][at] as string, 1_000),
    );
    expect(new Discounts(equal, held).at(of(), START + HOUR)?.type).toBe('organization');
    expect(new Discounts(equal.slice(0, 3), held).at(of(), START + HOUR)?.type).toBe('plan');
  });

  test('ends with its own end, with a later row of its target, and for nobody else', () => {
    const discounts = new Discounts([
      row('sku', 'cpu', 1_000, { validTo: START + 2 * HOUR }),
      row('organization', 'acme', 500),
      row('organization', 'acme', 0, { validFrom: START + 4 * HOUR }),
      row('organization', 'other', 500),
    ]);
    const points = (hour: number, id?: string) =>
      discounts.at(of('cpu', 'container_rent', id), START + hour * HOUR)?.basisPoints ?? 0;
    expect([1, 2, 3, 4].map((hour) => points(hour))).toEqual([1_000, 500, 500, 0]);
    expect(points(4, 'other')).toBe(500);
    expect(discounts.changes(of('cpu'), START, START + 9 * HOUR)).toEqual([START + 2 * HOUR, START + 4 * HOUR]);
  });

  test('an earlier row does not come back when a later one has ended', () => {
    const first = row('sku', 'cpu', 1_000);
    const second = row('sku', 'cpu', 2_000, { validFrom: START, validTo: START + HOUR });
    const discounts = new Discounts([first, second]);
    expect(discounts.at(of('cpu'), START + HOUR)).toBeUndefined();
    expect([discounts.stateOf(first, START + HOUR), discounts.stateOf(second, START + HOUR)]).toEqual(['over', 'over']);
  });

  test('follows the plan: whoever never had another has the free one', () => {
    const discounts = new Discounts([row('plan', 'free', 100), row('plan', 'enterprise', 900)], {
      ...members(),
      plans: new Map([
        [
          'acme',
          [
            { plan: 'enterprise', validFrom: START + HOUR },
            { plan: 'free', validFrom: START + 3 * HOUR },
          ],
        ],
      ]),
    });
    const points = (t: number) => discounts.at(of(), t)?.basisPoints;
    expect([points(START), points(START + HOUR), points(START + 3 * HOUR)]).toEqual([100, 900, 100]);
    expect(discounts.changes(of(), START, START + 9 * HOUR)).toEqual([START + HOUR, START + 3 * HOUR]);
    expect(discounts.at(of('cpu', 'container_rent', 'other'), START)?.basisPoints).toBe(100);
  });
});

describe('rating', () => {
  const withRows = (rows: Discount[], held?: DiscountMembers) => ({
    ...tariff([
      ['gpu/any', '2.00'],
      ['cpu', '1.00'],
    ]),
    discounts: new Discounts(rows, held),
  });

  test('each use of an object has the discount of its own SKU', () => {
    const uses = [
      { resource: 'gpu', model: 'H100', quantity: 1 },
      { resource: 'cpu', quantity: 1 },
    ];
    const { list, net } = ratePerHour(uses, 'container_rent', withRows([row('sku', 'gpu/any', 5_000)]), START);
    expect([list, net]).toEqual([3_000_000n, 2_000_000n]);
  });

  test('a part says which row it had, so that its use can be told later', () => {
    const code = row('code', 'SUMMER', 2_500, { validTo: START + 2 * HOUR });
    const held = members({ codes: new Map([['acme', [{ code: 'SUMMER', validFrom: START + HOUR }]]]) });
    const rated = rateUse(
      { resource: 'cpu', quantity: 1 },
      'container_rent',
      { from: START, to: START + 3 * HOUR },
      withRows([code], held),
    );
    expect(
      rated.parts.map(({ from, basisPoints, discountId }) => [(from - START) / HOUR, basisPoints, discountId]),
    ).toEqual([
      [0, 0, undefined],
      [1, 2_500, code.id],
      [2, 0, undefined],
    ]);
    expect([rated.list, rated.net]).toEqual([3_000_000n, 2_750_000n]);
  });

  test('however it is cut, an interval costs the same, and never more than with any one of its discounts', () => {
    const hour = fc.integer({ min: 0, max: 10 });
    const any = fc.record({
      which: fc.integer({ min: 0, max: 3 }),
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
      from: hour,
      length: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    });
    const targets = [
      ['organization', 'acme'],
      ['plan', 'standard'],
      ['sku', 'cpu'],
      ['code', 'SUMMER'],
    ] as const;
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), hour, hour, hour, (wishes, cut, planFrom, codeFrom) => {
        const rows = wishes.map(({ which, basisPoints, from, length }) => {
          const [type, target] = targets[which] as (typeof targets)[number];
          const validFrom = START + from * HOUR;
          return row(type, target, basisPoints, {
            validFrom,
            validTo: length === undefined ? undefined : validFrom + length * HOUR,
          });
        });
        const held = members({
          plans: new Map([['acme', [{ plan: 'standard', validFrom: START + planFrom * HOUR }]]]),
          codes: new Map([['acme', [{ code: 'SUMMER', validFrom: START + codeFrom * HOUR }]]]),
        });
        const prices = withRows(rows, held);
        const use = { resource: 'cpu', quantity: 1 };
        const rate = (from: number, to: number, before?: { list: bigint; net: bigint }, by = prices) =>
          rateUse(use, 'container_rent', { from: START + from * HOUR, to: START + to * HOUR }, by, before);
        const whole = rate(0, 10);
        expect(rate(cut, 10, rate(0, cut).cumulative)).toMatchObject({ list: whole.list, net: whole.net });
        for (const type of ['organization', 'plan', 'sku', 'code'] as const) {
          const alone = withRows(
            rows.filter((one) => one.type === type),
            held,
          );
          expect(whole.net <= rate(0, 10, undefined, alone).net).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
