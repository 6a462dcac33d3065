// Prices and plans, joined over the tariffs that are at hand.
import type { DiscountUse } from '@gantry/contract/areas/billing/admin-discount.ts';
import type { PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import { DiscountRows } from './discount-rows.ts';
import { discountUse } from './discount-use.ts';
import { Plans, type PlansParts } from './plans.ts';
import { PriceRows } from './price-rows.ts';
import { ShownPrices } from './shown-prices.ts';
import { type ProposedPrice, simulatePrices } from './simulate-prices.ts';
import type { Tariffs } from './tariffs.ts';
import { ViewPrices } from './view-prices.ts';

export type PricesParts = PlansParts & {
  tariffs: Tariffs;
  /** The installation's. */
  currency: string;
};

export interface Prices {
  /** `renewDue` is somebody's turn, every minute or so. */
  plans: Plans;
  shown: ShownPrices;
  rows: PriceRows;
  discounts: DiscountRows;
  simulate(proposed: readonly ProposedPrice[]): Promise<PriceSimulation>;
  /** Throws not_found. */
  useOf(discountId: string): Promise<DiscountUse>;
  /** For `KindStore.priceBy`. */
  views: ViewPrices;
}

export function openPrices(parts: PricesParts): Prices {
  const plans = new Plans(parts);
  const discounts = new DiscountRows(parts);
  return {
    plans,
    discounts,
    simulate: (proposed) => simulatePrices(parts, proposed),
    useOf: async (id) => discountUse(parts, await discounts.one(id)),
    shown: new ShownPrices({ ...parts, plans }),
    rows: new PriceRows({ ...parts, plans }),
    views: new ViewPrices(parts),
  };
}
