// The cost of usage: exact fractions over whole numbers, rounded once, on the sum since the beginning of an interval. So it does
// not matter into how many pieces an interval is cut. Knows no clock: the caller gives the moments.
import {
  countOf,
  isResource,
  partsOf,
  RESOURCES,
  type Resource,
  SIZE_UNITS,
  type SourceType,
  skuOf,
  type Use,
} from '@gantry/contract/billing/resources.ts';
import { dividedRounded, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { type Discounts, type Price, type PriceTable, shareLeft, WHOLE_SHARE } from './price-table.ts';

/** The prices for one organisation in one region. */
export interface Tariff {
  prices: PriceTable;
  discounts: Discounts;
  region: string;
  currency: string;
  organizationId: string;
}

export interface Stretch {
  from: number;
  to: number;
}

/** Not rounded: `list` counts in (part of a unit, `partsOf`) × ms × micro, `net` in a ten-thousandth of that. */
export interface Cumulative {
  list: bigint;
  net: bigint;
}

/** A stretch under one price and one discount. */
export interface Part extends Stretch {
  /** Undefined for use that a host's rent includes. */
  price?: Price;
  basisPoints: number;
  /** The row behind it; undefined without a discount. */
  discountId?: bigint | undefined;
}

export interface Rated {
  /** Up to `to`, including what came before: rounded. Post this less what is already posted. */
  list: Micros;
  net: Micros;
  cumulative: Cumulative;
  parts: readonly Part[];
  /** Less than the stretch's end where something has no price from then on: that waits, and is never free. */
  to: number;
  /** The SKU that has no price, where `to` is short of the end. */
  unpriced?: string;
}

const HOUR_MS = 3_600_000;
export const HOURS_OF_A_MONTH = 730;
const MONTH_MS = HOURS_OF_A_MONTH * HOUR_MS;
/** A common unit of all sizes: thousandths, Mi and bytes. */
const COMMON_PARTS = 125n * BigInt(SIZE_UNITS.B);
const NOTHING: Cumulative = { list: 0n, net: 0n };
const ZERO_SUMS = { list: ZERO, net: ZERO };

/** The cost of `use` over a stretch, after what came before it in the same interval. */
export function rateUse(
  use: Use,
  source: SourceType,
  { from, to }: Stretch,
  tariff: Tariff,
  before: Cumulative = NOTHING,
): Rated {
  // An unknown resource waits like one without a price.
  if (!isResource(use.resource))
    return { ...ZERO_SUMS, cumulative: before, parts: [], to: from, unpriced: use.resource };
  const sku = skuOf(use);
  if (sku === undefined || isRental(use)) return costless({ from, to });
  const { prices, discounts, organizationId } = tariff;
  const discounted = { organizationId, source, sku };
  const quantity = countOf(use);
  const cumulative = { ...before };
  const parts: Part[] = [];
  const cuts = [
    ...prices.changes(sku, tariff, from, to),
    ...discounts.changes(discounted, from, to),
    ...(to > from ? [to] : []),
  ];
  let start = from;
  for (const end of [...new Set(cuts)].sort((a, b) => a - b)) {
    const price = prices.at(sku, tariff, start);
    if (!price) return { ...rounded(cumulative, use), cumulative, parts, to: start, unpriced: sku };
    const discount = discounts.at(discounted, start);
    const basisPoints = discount?.basisPoints ?? 0;
    const list = quantity * BigInt(end - start) * price.amount;
    cumulative.list += list;
    cumulative.net += list * shareLeft(basisPoints);
    parts.push({ from: start, to: end, price, basisPoints, discountId: discount?.id });
    start = end;
  }
  return { ...rounded(cumulative, use), cumulative, parts, to };
}

/** By the hour, at one moment: months are divided by their 730 hours, and rentals, which are paid ahead, left out. */
export function ratePerHour(
  uses: readonly Use[],
  source: SourceType,
  tariff: Tariff,
  at: number,
): { list: Micros; net: Micros; unpriced: string[] } {
  return ratePer(HOUR_MS, uses, source, tariff, at);
}

/** As `ratePerHour`, by the month of 730 hours. */
export function ratePerMonth(
  uses: readonly Use[],
  source: SourceType,
  tariff: Tariff,
  at: number,
): { list: Micros; net: Micros; unpriced: string[] } {
  return ratePer(MONTH_MS, uses, source, tariff, at);
}

function ratePer(ms: number, uses: readonly Use[], source: SourceType, tariff: Tariff, at: number) {
  const unpriced: string[] = [];
  const { prices, discounts, organizationId } = tariff;
  let [list, net] = [0n, 0n];
  for (const use of uses) {
    if (!isResource(use.resource)) unpriced.push(use.resource);
    const sku = skuOf(use);
    if (sku === undefined || isRental(use)) continue;
    const price = prices.at(sku, tariff, at);
    if (!price) {
      unpriced.push(sku);
      continue;
    }
    // Over one month, which every period divides.
    const cost = commonOf(use) * price.amount * BigInt(MONTH_MS / periodOf(use));
    list += cost;
    net += cost * shareLeft(discounts.at({ organizationId, source, sku }, at)?.basisPoints ?? 0);
  }
  const divisor = COMMON_PARTS * BigInt(MONTH_MS);
  return {
    list: micros(dividedRounded(list * BigInt(ms), divisor)),
    net: micros(dividedRounded(net * BigInt(ms), divisor * WHOLE_SHARE)),
    unpriced: [...new Set(unpriced)],
  };
}

/** The price of whole months paid in advance. Undefined if there is no price, or the use is not a rental. */
export function rentalPrice(
  use: Use,
  months: number,
  tariff: Tariff,
  at: number,
): { priceId: bigint; discountId?: bigint | undefined; list: Micros; net: Micros } | undefined {
  const sku = skuOf(use);
  if (sku === undefined || !isRental(use)) return undefined;
  const price = tariff.prices.at(sku, tariff, at);
  if (!price) return undefined;
  const discount = tariff.discounts.at({ organizationId: tariff.organizationId, source: 'host_rent', sku }, at);
  const share = shareLeft(discount?.basisPoints ?? 0);
  const list = countOf(use) * BigInt(months) * price.amount;
  const parts = partsOf(use);
  return {
    priceId: price.id,
    discountId: discount?.id,
    list: micros(dividedRounded(list, parts)),
    net: micros(dividedRounded(list * share, parts * WHOLE_SHARE)),
  };
}

const commonOf = (use: Use): bigint => countOf(use) * (COMMON_PARTS / partsOf(use));

/**
 * The paid amount and the discount are rounded, and the list price is their sum: so without a discount, a slice's list price is
 * what is paid. Half a micro of discount is rounded down, so that a list price of whole micros stays unchanged.
 */
function rounded({ list, net }: Cumulative, use: Use): { list: Micros; net: Micros } {
  const divisor = partsOf(use) * BigInt(periodOf(use)) * WHOLE_SHARE;
  const paid = dividedRounded(net, divisor);
  const letOff = (2n * (list * WHOLE_SHARE - net) + divisor - 1n) / (2n * divisor);
  return { list: micros(paid + letOff), net: micros(paid) };
}

/** Metered all the same: it is a part of the interval's slices. */
const costless = ({ from, to }: Stretch): Rated => ({
  ...ZERO_SUMS,
  cumulative: NOTHING,
  parts: to > from ? [{ from, to, basisPoints: 0 }] : [],
  to,
});

const perOf = ({ resource }: Use) => RESOURCES[resource as Resource].per;
const isRental = (use: Use): boolean => perOf(use) === 'rental';
const periodOf = (use: Use): number => (perOf(use) === 'hour' ? HOUR_MS : MONTH_MS);
