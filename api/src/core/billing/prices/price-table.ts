// The prices of things, for each organisation and moment: pure and immutable; new rows make a new table.
import { DISCOUNT_TYPES, type DiscountType } from '@gantry/contract/billing/discounts.ts';
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
  type: DiscountType;
  /** An organisation's id, a plan, a SKU (`gpu/any` is every model), a code. */
  target: string;
  /** Undefined: whatever the money is for. */
  source?: SourceType | undefined;
  basisPoints: number;
  validFrom: number;
  /** Undefined: until another row of its target. */
  validTo?: number | undefined;
}

/** Which plan an organisation has from a moment on, and which codes it redeemed. */
export interface DiscountMembers {
  plans: ReadonlyMap<string, readonly { plan: string; validFrom: number }[]>;
  codes: ReadonlyMap<string, readonly { code: string; validFrom: number }[]>;
}

/** The subject of a search for discounts: something with a SKU that an organisation uses or rents. */
export interface Discounted {
  organizationId: string;
  source: SourceType;
  sku: string;
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

  /** All of them, for a table with others. */
  get rows(): Price[] {
    return [...this.#rows.values()].flat();
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

const NOBODY: DiscountMembers = { plans: new Map(), codes: new Map() };
/** The plan of an organisation that never had another. */
const FIRST_PLAN = 'free';

/**
 * Discounts by organisation, plan, SKU and code. The largest single one applies, and none are added up: so a new one never makes
 * anything dearer, and nobody has to know in which order they are taken off.
 */
export class Discounts {
  readonly #rows: ReadonlyMap<string, readonly Discount[]>;
  readonly #types: ReadonlySet<DiscountType>;
  readonly members: DiscountMembers;

  constructor(discounts: readonly Discount[], members: DiscountMembers = NOBODY) {
    this.#rows = inTime(discounts, keyOfDiscount);
    this.#types = new Set(discounts.map(({ type }) => type));
    this.members = members;
  }

  /** Undefined where nothing is taken off. Of equally large ones that of the first type, then the earlier row. */
  at(of: Discounted, t: number): Discount | undefined {
    let best: Discount | undefined;
    for (const rows of this.#rowsFor(of, t, t)) {
      const found = heldAt(rows, t);
      const isFor = found && found.basisPoints > 0 && (found.source === undefined || found.source === of.source);
      if (isFor && (!best || isBetter(found, best))) best = found;
    }
    return best;
  }

  /** Moments within (from, to) at which it is another, in order. */
  changes(of: Discounted, from: number, to: number): number[] {
    const moments = this.#rowsFor(of, from, to).flatMap((rows) => [
      ...momentsOf(rows, from, to),
      ...rows.flatMap(({ validTo }) => (validTo !== undefined && validTo > from && validTo < to ? [validTo] : [])),
    ]);
    const { plans, codes } = this.members;
    if (this.#types.has('plan')) moments.push(...momentsOf(plans.get(of.organizationId) ?? [], from, to));
    if (this.#types.has('code')) moments.push(...momentsOf(codes.get(of.organizationId) ?? [], from, to));
    return distinct(moments).filter((t) => this.at(of, t)?.id !== this.at(of, t - 1)?.id);
  }

  /** Whether a row holds at `t`, will, or has ended or been followed by another. */
  stateOf(discount: Pick<Discount, 'id' | 'type' | 'target' | 'source'>, t: number): 'holds' | 'later' | 'over' {
    const rows = this.#rows.get(keyOfDiscount(discount)) ?? [];
    const state = stateIn(rows, discount.id, t);
    return state === 'holds' && !heldAt(rows, t) ? 'over' : state;
  }

  /** The row of a code that holds at `t`, whoever redeemed it. */
  ofCode(code: string, t: number): Discount | undefined {
    return heldAt(this.#rows.get(keyOfDiscount({ type: 'code', target: code })) ?? [], t);
  }

  /** Rows that may apply to it between two moments, by target. */
  #rowsFor(of: Discounted, from: number, to: number): (readonly Discount[])[] {
    const found: (readonly Discount[])[] = [];
    for (const type of this.#types)
      for (const target of this.#targets(type, of, from, to))
        for (const source of type === 'code' ? [undefined] : [of.source, undefined]) {
          const rows = this.#rows.get(keyOfDiscount({ type, target, source }));
          if (rows) found.push(rows);
        }
    return found;
  }

  #targets(type: DiscountType, { organizationId, sku }: Discounted, from: number, to: number): readonly string[] {
    switch (type) {
      case 'organization':
        return [organizationId];
      case 'plan':
        return plansBetween(this.members.plans.get(organizationId) ?? [], from, to);
      case 'sku':
        return [...new Set([sku, anyModel(sku)])];
      case 'code':
        return (this.members.codes.get(organizationId) ?? []).flatMap(({ code, validFrom }) =>
          validFrom <= to ? [code] : [],
        );
    }
  }
}

/** A code's rows follow each other whatever they are for: people know the code alone. */
const keyOfDiscount = ({ type, target, source }: Pick<Discount, 'type' | 'target' | 'source'>): string =>
  `${type}/${target}/${type === 'code' ? '' : (source ?? '')}`;

/** The last that has begun counts alone, until it ends. */
function heldAt(rows: readonly Discount[], t: number): Discount | undefined {
  const found = atOf(rows, t);
  return found && (found.validTo === undefined || t < found.validTo) ? found : undefined;
}

function isBetter(one: Discount, other: Discount): boolean {
  if (one.basisPoints !== other.basisPoints) return one.basisPoints > other.basisPoints;
  const [rank, otherRank] = [DISCOUNT_TYPES.indexOf(one.type), DISCOUNT_TYPES.indexOf(other.type)];
  return rank === otherRank ? one.id < other.id : rank < otherRank;
}

/** Those that an organisation had at some moment from `from` to `to`. */
function plansBetween(held: readonly { plan: string; validFrom: number }[], from: number, to: number): string[] {
  const first = held.findLastIndex(({ validFrom }) => validFrom <= from);
  const begun = held.filter(({ validFrom }, at) => at >= first && validFrom <= to).map(({ plan }) => plan);
  return [...new Set(first < 0 ? [FIRST_PLAN, ...begun] : begun)];
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

const momentsOf = (rows: readonly { validFrom: number }[], from: number, to: number): number[] =>
  rows.flatMap(({ validFrom }) => (validFrom > from && validFrom < to ? [validFrom] : []));

const distinct = (moments: readonly number[]): number[] => [...new Set(moments)].sort((a, b) => a - b);
