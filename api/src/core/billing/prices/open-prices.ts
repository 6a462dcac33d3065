// Prices and plans, joined over the tariffs that are at hand.
import type { DiscountUse } from '@gantry/contract/areas/billing/admin-discount.ts';
import type { PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import { DiscountRows } from './discount-rows.ts';
import { discountUse } from './discount-use.ts';
import { Plans, type PlansParts } from './plans.ts';
import { type PricedStock, PriceItems } from './price-items.ts';
import { PriceRows } from './price-rows.ts';
import { ShownPrices } from './shown-prices.ts';
import { type ProposedPrice, simulatePrices } from './simulate-prices.ts';
import type { Tariffs } from './tariffs.ts';
import { ViewPrices } from './view-prices.ts';

export type PricesParts = PlansParts & {
  tariffs: Tariffs;
  /** The installation's. */
  currency: string;
  stock: PricedStock;
};

export interface Prices {
  /** `renewDue` is somebody's turn, every minute or so. */
  plans: Plans;
  shown: ShownPrices;
  rows: PriceRows;
  discounts: DiscountRows;
  items: PriceItems;
  simulate(proposed: readonly ProposedPrice[]): Promise<PriceSimulation>;
  /** Throws not_found. */
  useOf(discountId: string): Promise<DiscountUse>;
  /** For `KindStore.priceBy`. */
  views: ViewPrices;
}

export function openPrices(parts: PricesParts): Prices {
  const plans = new Plans(parts);
  const discounts = new DiscountRows(parts);
  const items = new PriceItems(parts);
  return {
    plans,
    discounts,
    items,
    simulate: (proposed) => simulatePrices({ ...parts, items }, proposed),
    useOf: async (id) => discountUse(parts, await discounts.one(id)),
    shown: new ShownPrices({ ...parts, plans }),
    rows: new PriceRows({ ...parts, plans, items }),
    views: new ViewPrices(parts),
  };
}
