// Which GPU models a visitor sees: a filter and an order, which the address keeps.
import type { PageData } from '@gantry/contract/areas/portal/pages.ts';

export type MarketModel = NonNullable<PageData<'computingCenter'>['listMarket']>['models'][number];

export const ORDERS = ['recommended', 'price', 'memory', 'free'] as const;
export type Order = (typeof ORDERS)[number];
export const MOST_COMPARED = 4;

export interface View {
  readonly q: string;
  /** GiB of a card at least. */
  readonly memory: number;
  /** '' is any. */
  readonly region: string;
  /** Free for one instance at least; 0 is any. */
  readonly gpus: number;
  readonly isFree: boolean;
  readonly order: Order;
  readonly compared: readonly string[];
}

export function viewOf(search: string): View {
  const query = new URLSearchParams(search);
  const number = (name: string) => {
    const value = Number(query.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  return {
    q: query.get('q') ?? '',
    memory: number('memory'),
    region: query.get('region') ?? '',
    gpus: number('gpus'),
    isFree: query.get('free') === '1',
    order: ORDERS.find((order) => order === query.get('order')) ?? 'recommended',
    compared: (query.get('compare') ?? '').split(',').filter(Boolean).slice(0, MOST_COMPARED),
  };
}

/** Without what says nothing; '' if nothing is left. */
export function searchOf({ q, memory, region, gpus, isFree, order, compared }: View): string {
  const query = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(memory > 0 && { memory: `${memory}` }),
    ...(region !== '' && { region }),
    ...(gpus > 0 && { gpus: `${gpus}` }),
    ...(isFree && { free: '1' }),
    ...(order !== 'recommended' && { order }),
    ...(compared.length > 0 && { compare: compared.join() }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

const STEP_COUNT = { none: 0, few: 1, some: 4, many: 16 } as const;
const countOf = ({ free }: Pick<MarketModel, 'free'>): number => free.count ?? STEP_COUNT[free.step];

/** Sizes of instances that the market counts, the least first. */
export const countsOf = (models: readonly MarketModel[]): number[] =>
  [
    ...new Set(models.flatMap(({ regions }) => regions.flatMap(({ starts }) => starts.map(({ gpus }) => gpus)))),
  ].toSorted((a, b) => a - b);

/** Whether an instance with so many GPUs or more could start now; of all regions, or of one. */
const canStart = ({ regions }: MarketModel, { gpus, region }: Pick<View, 'gpus' | 'region'>): boolean =>
  regions
    .filter((one) => region === '' || one.region === region)
    .some(({ starts }) => starts.some((start) => start.gpus >= gpus && countOf(start) > 0));

/** Those without a price come last. */
const hourOf = ({ price }: MarketModel): number => (price.hour ? Number(price.hour.amount) : Number.POSITIVE_INFINITY);

const COMPARE: Readonly<Record<Order, (a: MarketModel, b: MarketModel) => number>> = {
  recommended: () => 0,
  price: (a, b) => Math.sign(hourOf(a) - hourOf(b)) || 0,
  memory: (a, b) => (b.memory_gi ?? 0) - (a.memory_gi ?? 0),
  free: (a, b) => countOf(b) - countOf(a),
};

export function shownModels(models: readonly MarketModel[], view: View): MarketModel[] {
  const sought = view.q.trim().toLowerCase();
  return models
    .filter((model) => `${model.name} ${model.id} ${model.vendor ?? ''}`.toLowerCase().includes(sought))
    .filter((model) => (model.memory_gi ?? 0) >= view.memory)
    .filter((model) => view.region === '' || model.regions.some(({ region }) => region === view.region))
    .filter((model) => view.gpus === 0 || canStart(model, view))
    .filter((model) => !view.isFree || countOf(model) > 0)
    .toSorted(COMPARE[view.order]);
}
