// Prices for views, answered by the owner of the price list. Without one, nothing has a price.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';

/** The facts that a price is made from. */
export type PricedKind = Pick<KindFacts, 'kind' | 'cost' | 'phases' | 'phaseInView'>;

export interface Pricing {
  /** For its current spec; null if it costs nothing, or if part of it has no price. */
  of(facts: PricedKind, object: KubeObject, region: string): PriceView | null;
  /** The same, but of what failed only what is charged nevertheless. */
  shown(facts: PricedKind, object: KubeObject, region: string): PriceView | null;
  /** A card by the hour and a whole node by the month, without a discount. */
  gpu(model: string, region: string): { card: PriceView | null; host: PriceView | null };
  /** Another number whenever any answer may be another. */
  version(): number;
}

export const NO_PRICING: Pricing = {
  of: () => null,
  shown: () => null,
  gpu: () => ({ card: null, host: null }),
  version: () => 0,
};
