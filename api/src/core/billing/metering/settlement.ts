// Cuts an interval's bill into slices: pure. Cuts are UTC hours, price and discount changes, and month starts in the
// organisation's time zone; amounts are the rounded exact sum, less what was posted before.
import { type Month, monthAt, monthStarts } from '@gantry/contract/billing/months.ts';
import { milliOf, type SourceType, skuOf, type Use } from '@gantry/contract/billing/resources.ts';
import { type Micros, micros, sumOf } from '@gantry/contract/fields/money.ts';
import { type Cumulative, rateUse, type Tariff } from '../prices/rate.ts';

const HOUR_MS = 3_600_000;

export interface Metered {
  readonly uses: readonly Use[];
  readonly source: SourceType;
  readonly from: number;
  readonly settledTo: number;
  /** Exact, per use, up to `settledTo`; empty at the beginning. */
  readonly cost: readonly Cumulative[];
}

export interface Slice {
  /** Its place among the uses. */
  readonly use: number;
  readonly from: number;
  readonly to: number;
  /** Empty for included use. */
  readonly sku: string;
  readonly quantityMilli: bigint;
  readonly priceId: bigint | null;
  readonly basisPoints: number;
  readonly discountId: bigint | null;
  readonly list: Micros;
  readonly net: Micros;
}

/** One slice of each use, over one stretch: one transfer. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly slices: readonly Slice[];
  readonly list: Micros;
  readonly net: Micros;
  /** Up to `to`. */
  readonly cost: readonly Cumulative[];
}

export interface End {
  readonly until: number;
  /** A last piece ends there whatever the time; else there are whole pieces alone, the same ones whenever somebody asks. */
  readonly isCut: boolean;
}

/** From the settled position up to the end; stops early, with the SKU, if something has no price: that waits. */
export function* piecesOf(
  metered: Metered,
  end: End,
  tariff: Tariff,
  zone: string,
): Generator<Piece, string | undefined> {
  const { uses, source } = metered;
  let cost = uses.map((_use, at) => metered.cost[at] ?? { list: 0n, net: 0n });
  let posted = uses.map((use, at) => {
    const { list, net } = rateUse(use, source, { from: metered.settledTo, to: metered.settledTo }, tariff, cost[at]);
    return { list, net };
  });
  let from = metered.settledTo;
  for (const to of cutsOf(metered, end, tariff, zone)) {
    const rated = uses.map((use, at) => rateUse(use, source, { from, to }, tariff, cost[at]));
    const waiting = rated.find(({ unpriced }) => unpriced !== undefined);
    if (waiting) return waiting.unpriced;
    const slices = rated.map(({ list, net, parts }, use): Slice => {
      const before = posted[use] as { list: Micros; net: Micros };
      return {
        use,
        from,
        to,
        sku: skuOf(uses[use] as Use) ?? '',
        quantityMilli: milliOf(uses[use] as Use),
        priceId: parts[0]?.price?.id ?? null,
        basisPoints: parts[0]?.basisPoints ?? 0,
        discountId: parts[0]?.discountId ?? null,
        list: micros(list - before.list),
        net: micros(net - before.net),
      };
    });
    cost = rated.map(({ cumulative }) => cumulative);
    posted = rated.map(({ list, net }) => ({ list, net }));
    yield { from, to, slices, list: sumOf(slices.map((s) => s.list)), net: sumOf(slices.map((s) => s.net)), cost };
    from = to;
  }
  return undefined;
}

/** The ends of slices, in order, up to `until`. */
function* cutsOf(
  { uses, source, settledTo }: Metered,
  { until, isCut }: End,
  tariff: Tariff,
  zone: string,
): Generator<number> {
  if (until <= settledTo) return;
  const beyond = until + 1;
  const changes = [
    ...uses.flatMap((use) => {
      const sku = skuOf(use);
      if (sku === undefined) return [];
      const discounted = { organizationId: tariff.organizationId, source, sku };
      return [
        ...tariff.prices.changes(sku, tariff, settledTo, beyond),
        ...tariff.discounts.changes(discounted, settledTo, beyond),
      ];
    }),
    ...monthsBetween(settledTo, beyond, zone),
  ].sort((a, b) => a - b);
  let at = settledTo;
  for (const change of [...changes, beyond]) {
    for (; nextHour(at) < change; yield at) at = nextHour(at);
    if (change > at && change !== beyond) {
      at = change;
      yield at;
    }
  }
  if (isCut && at < until) yield until;
}

const nextHour = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS;

/** The last month found per time zone: nearly everything settled lies in it, and finding one is slow. */
const months = new Map<string, Month>();

function monthsBetween(from: number, to: number, zone: string): number[] {
  const known = months.get(zone);
  const month = known && known.from <= from && from < known.to ? known : monthAt(zone, from);
  months.set(zone, month);
  return to <= month.to ? [] : monthStarts(zone, from, to);
}

/**
 * For an interval that ended before its settled position: gives back what lies beyond its end, slice by slice. `cost` is its
 * actual cost per use, rounded. `posted` are all of its slices.
 */
export function givenBack<Posted extends Slice>(
  end: number,
  cost: readonly { list: Micros; net: Micros }[],
  posted: readonly Posted[],
): Posted[] {
  const sums = cost.map(() => ({ list: 0n, net: 0n }));
  return [...posted]
    .sort((a, b) => a.from - b.from)
    .flatMap((slice) => {
      const sum = sums[slice.use];
      const really = cost[slice.use];
      if (!sum || !really) return [];
      if (slice.to <= end) {
        sum.list += slice.list;
        sum.net += slice.net;
        return [];
      }
      const isCut = slice.from < end;
      return [
        {
          ...slice,
          from: Math.max(slice.from, end),
          quantityMilli: -slice.quantityMilli,
          list: micros((isCut ? really.list - sum.list : 0n) - slice.list),
          net: micros((isCut ? really.net - sum.net : 0n) - slice.net),
        },
      ];
    });
}
