// Prices and plans, joined over the tariffs that are at hand.
import { Plans, type PlansParts } from './plans.ts';
import { PriceRows } from './price-rows.ts';
import { ShownPrices } from './shown-prices.ts';
import type { Tariffs } from './tariffs.ts';
import { ViewPrices } from './view-prices.ts';

export type PricesParts = PlansParts & { tariffs: Tariffs };

export interface Prices {
  /** `renewDue` is somebody's turn, every minute or so. */
  plans: Plans;
  shown: ShownPrices;
  rows: PriceRows;
  /** For `KindStore.priceBy`. */
  views: ViewPrices;
}

export function openPrices(parts: PricesParts): Prices {
  const plans = new Plans(parts);
  return {
    plans,
    shown: new ShownPrices({ ...parts, plans }),
    rows: new PriceRows({ ...parts, plans }),
    views: new ViewPrices(parts),
  };
}
