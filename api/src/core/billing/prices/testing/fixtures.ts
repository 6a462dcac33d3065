// Prices and discounts for tests, in as few words as they need.
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { type Discount, Discounts, type Price, PriceTable } from '../price-table.ts';
import type { Tariff } from '../rate.ts';

export const HOUR = 3_600_000;
/** The start of every moment here. */
export const START = Date.parse('2026-01-01T00:00:00Z');

/** `[sku, amount, hours after the start, region]`; without hours it has always applied. */
export type PriceFixture = readonly [sku: string, amount: string, afterHours?: number | undefined, region?: string];
export type DiscountFixture = readonly [source: SourceType, basisPoints: number, afterHours?: number];

const priceRows = (fixtures: readonly PriceFixture[]): Price[] =>
  fixtures.map(([sku, amount, afterHours, region = '*'], at) => ({
    id: BigInt(at + 1),
    sku,
    region,
    currency: 'USD',
    amount: parseMoney(amount),
    validFrom: afterHours === undefined ? 0 : START + afterHours * HOUR,
  }));

const discountRows = (fixtures: readonly DiscountFixture[]): Discount[] =>
  fixtures.map(([source, basisPoints, afterHours], at) => ({
    id: BigInt(at + 1),
    type: 'organization',
    target: 'acme',
    source,
    basisPoints,
    validFrom: afterHours === undefined ? 0 : START + afterHours * HOUR,
  }));

export const tariff = (prices: readonly PriceFixture[], discounts: readonly DiscountFixture[] = []): Tariff => ({
  prices: new PriceTable(priceRows(prices)),
  discounts: new Discounts(discountRows(discounts)),
  region: 'washington',
  currency: 'USD',
  organizationId: 'acme',
});
