// GPU specs as offers: one row for a model, whatever nodes it stands in.
import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';

export interface Offer {
  readonly name: string;
  /** One card for an hour, decimal. */
  readonly cardPrice: string | null;
  /** One node for a month, by its number of cards. */
  readonly hostPrices: readonly { readonly cards: number; readonly amount: string }[];
  readonly free: number;
  readonly total: number;
  readonly currency: string;
}

/** Available ones first, then by name. */
export function offersOf(specs: readonly GpuSpecView[]): Offer[] {
  const models = [...new Set(specs.map(({ gpu_type }) => gpu_type))];
  return models
    .map((model) => offerOf(specs.filter(({ gpu_type }) => gpu_type === model)))
    .sort((one, other) => Number(other.free > 0) - Number(one.free > 0) || (one.name < other.name ? -1 : 1));
}

function offerOf(specs: readonly GpuSpecView[]): Offer {
  const [first] = specs;
  const sum = (of: 'free' | 'total') => specs.reduce((all, spec) => all + spec[of], 0);
  return {
    name: first?.name ?? '',
    cardPrice: first?.price?.amount ?? null,
    hostPrices: specs.flatMap(({ gpu_count, host_price }) =>
      host_price ? [{ cards: gpu_count, amount: host_price.amount }] : [],
    ),
    free: sum('free'),
    total: sum('total'),
    currency: first?.price?.currency ?? first?.host_price?.currency ?? '',
  };
}
