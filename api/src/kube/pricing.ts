// What views ask about money: whoever has the price list answers. Without one, nothing has a price.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';

export interface Pricing {
  /** As it is wished for now; null where it costs nothing, or where something of it has no price. */
  of(facts: Pick<KindFacts, 'kind' | 'cost'>, object: KubeObject): PriceView | null;
  /** Of a card by the hour and of a whole node by the month, to somebody who has no discount. */
  gpu(model: string): { card: PriceView | null; host: PriceView | null };
  /** Another number whenever any answer may be another. */
  version(): number;
}

export const NO_PRICING: Pricing = { of: () => null, gpu: () => ({ card: null, host: null }), version: () => 0 };
