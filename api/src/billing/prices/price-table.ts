// What things cost, for whom, at which moment: pure and immutable; new rows make a new table.
import { anyModel, type SourceType } from '@gantry/contract/billing/resources.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';

export interface Price {
  id: bigint;
  sku: string;
  /** '*' stands for every region without its own row. */
  region: string;
  currency: string;
  /** For one unit over what the resource's price is for: an hour, a month of 730 hours, a rented month. */
  amount: Micros;
  validFrom: number;
}

export interface Discount {
  id: bigint;
  organizationId: string;
  source: SourceType;
  basisPoints: number;
  validFrom: number;
}

export interface PricePlace {
  region: string;
  currency: string;
}

const EVERYWHERE = '*';
const WHOLE_BASIS_POINTS = 10_000;

export class PriceTable {
  readonly #rows: ReadonlyMap<string, readonly Price[]>;

  constructor(prices: readonly Price[]) {
    this.#rows = inTime(prices, ({ sku, region, currency }) => keyOf(sku, region, currency));
  }

  /**
   * A price for the model precedes one for any model, and for each, the region's precedes the global one. Undefined if there is
   * no price yet.
   */
  at(sku: string, place: PricePlace, t: number): Price | undefined {
    for (const rows of this.#layers(sku, place)) {
      const found = atOf(rows, t);
      if (found) return found;
    }
    return undefined;
  }

  /** Moments within (from, to) at which another row takes effect, in order. */
  changes(sku: string, place: PricePlace, from: number, to: number): number[] {
    const moments = this.#layers(sku, place).flatMap((rows) => momentsOf(rows, from, to));
    return distinct(moments).filter((t) => this.at(sku, place, t)?.id !== this.at(sku, place, t - 1)?.id);
  }

  /** Whatever holds at `t` in a place: the region's row, else everywhere's, of each SKU. */
  holding({ region, currency }: PricePlace, t: number): Price[] {
    const found = [...this.#rows.values()].flatMap((rows) => {
      const price = rows[0]?.currency === currency ? atOf(rows, t) : undefined;
      return price && (price.region === region || price.region === EVERYWHERE) ? [price] : [];
    });
    const own = new Set(found.flatMap((price) => (price.region === region ? [price.sku] : [])));
    return found.filter((price) => price.region === region || !own.has(price.sku));
  }

  /** Whether a row holds at `t`, will, or has been followed by another. */
  stateOf(price: Pick<Price, 'id' | 'sku' | 'region' | 'currency'>, t: number): 'holds' | 'later' | 'over' {
    return stateIn(this.#rows.get(keyOf(price.sku, price.region, price.currency)) ?? [], price.id, t);
  }

  #layers(sku: string, { region, currency }: PricePlace): (readonly Price[])[] {
    const rowsOf = (name: string) => [
      this.#rows.get(keyOf(name, region, currency)) ?? [],
      this.#rows.get(keyOf(name, EVERYWHERE, currency)) ?? [],
    ];
    // A plan has no model: nothing stands for all plans.
    const any = sku.startsWith('plan/') ? sku : anyModel(sku);
    return any === sku ? rowsOf(sku) : [...rowsOf(sku), ...rowsOf(any)];
  }
}

/** Hundredths of a percent off the list price, by organisation and by what the money is for. */
export class Discounts {
  readonly #rows: ReadonlyMap<string, readonly Discount[]>;

  constructor(discounts: readonly Discount[]) {
    this.#rows = inTime(discounts, ({ organizationId, source }) => `${organizationId}/${source}`);
  }

  at(organizationId: string, source: SourceType, t: number): number {
    return atOf(this.#of(organizationId, source), t)?.basisPoints ?? 0;
  }

  /** Moments within (from, to) at which it is another, in order. */
  changes(organizationId: string, source: SourceType, from: number, to: number): number[] {
    return distinct(momentsOf(this.#of(organizationId, source), from, to)).filter(
      (t) => this.at(organizationId, source, t) !== this.at(organizationId, source, t - 1),
    );
  }

  stateOf({ id, organizationId, source }: Pick<Discount, 'id' | 'organizationId' | 'source'>, t: number) {
    return stateIn(this.#of(organizationId, source), id, t);
  }

  #of(organizationId: string, source: SourceType): readonly Discount[] {
    return this.#rows.get(`${organizationId}/${source}`) ?? [];
  }
}

/** The remaining share of an amount, as a dividend over 10,000: never rounded here. */
export const shareLeft = (basisPoints: number): bigint => BigInt(WHOLE_BASIS_POINTS - basisPoints);
export const WHOLE_SHARE = BigInt(WHOLE_BASIS_POINTS);

const keyOf = (sku: string, region: string, currency: string) => `${currency} ${region} ${sku}`;

interface Dated {
  id: bigint;
  validFrom: number;
}

/** Rows by key, the earliest first; of two from the same moment on the later id is behind, and holds. */
function inTime<Row extends Dated>(
  rows: readonly Row[],
  key: (row: Row) => string,
): ReadonlyMap<string, readonly Row[]> {
  const sorted = [...rows].sort((a, b) => a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1));
  return Map.groupBy(sorted, key);
}

/** The last that has begun. */
function atOf<Row extends Dated>(rows: readonly Row[], t: number): Row | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as Row).validFrom <= t) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
}

function stateIn(rows: readonly Dated[], id: bigint, t: number): 'holds' | 'later' | 'over' {
  if (atOf(rows, t)?.id === id) return 'holds';
  return (rows.find((row) => row.id === id)?.validFrom ?? 0) > t ? 'later' : 'over';
}

const momentsOf = (rows: readonly Dated[], from: number, to: number): number[] =>
  rows.flatMap(({ validFrom }) => (validFrom > from && validFrom < to ? [validFrom] : []));

const distinct = (moments: readonly number[]): number[] => [...new Set(moments)].sort((a, b) => a - b);
