// GPU models as one chooses among them: what comes with a card, how many are free, and what size the cards suggest.
import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import type { WorkloadValues } from './workload-values.ts';

export interface GpuOffer {
  readonly model: string;
  readonly name: string;
  /** Memory of one card. */
  readonly gpuMemoryGi: number | null;
  /** The share that comes with one card; null if nobody knows it. */
  readonly share: Size | null;
  readonly price: GpuSpecView['price'];
  readonly free: number;
  readonly total: number;
  /** Cards of the largest node. */
  readonly most: number;
  /** How many instances of so many cards could start now; empty for a host, where the free cards say it. */
  readonly starts: GpuSpecView['starts'];
}

export interface Size {
  readonly cores: number;
  readonly memoryGi: number;
}

/** One for each model, whatever nodes it stands in; those with free cards first, cheapest first. */
export function gpuOffers(specs: readonly GpuSpecView[]): GpuOffer[] {
  const price = (one: GpuOffer) => Number(one.price?.amount ?? Number.POSITIVE_INFINITY);
  return [...Map.groupBy(specs, ({ gpu_type }) => gpu_type).values()]
    .map(offerOf)
    .sort((a, b) => Number(b.free > 0) - Number(a.free > 0) || price(a) - price(b) || (a.name < b.name ? -1 : 1));
}

function offerOf(rows: readonly GpuSpecView[]): GpuOffer {
  const [first] = rows as [GpuSpecView];
  const sum = (of: (row: GpuSpecView) => number) => rows.reduce((total, row) => total + of(row), 0);
  const counts = [...new Set(rows.flatMap(({ starts }) => starts.map(({ count }) => count)))].sort((a, b) => a - b);
  return {
    model: first.gpu_type,
    name: first.name,
    gpuMemoryGi: first.gpu_memory_gi,
    share: {
      cores: Math.min(...rows.map(({ card_cores }) => card_cores)),
      memoryGi: Math.min(...rows.map(({ card_memory_gi }) => card_memory_gi)),
    },
    price: first.price,
    free: sum(({ free }) => free),
    total: sum(({ total }) => total),
    most: Math.max(...rows.map(({ gpu_count }) => gpu_count)),
    starts: counts.map((count) => ({
      count,
      free: sum(({ starts }) => starts.find((one) => one.count === count)?.free ?? 0),
    })),
  };
}

/** A host has no other model, and its cards are paid for already. */
export const offerOfHost = (host: HostView, name: string): GpuOffer => ({
  model: host.gpu_type,
  name,
  gpuMemoryGi: null,
  share:
    host.card_cores === null || host.card_memory_gi === null
      ? null
      : { cores: host.card_cores, memoryGi: host.card_memory_gi },
  price: null,
  free: host.gpu_free,
  total: host.gpu_count,
  most: host.spec.gpu.count,
  starts: [],
});

/** Without a card. */
export const PLAIN_SIZE: Size = { cores: 2, memoryGi: 4 };

/** The size that the cards suggest; undefined while that is not known. `plain`: without a card. */
export function sizeWith(
  { model, count }: WorkloadValues['gpu'],
  offers: readonly GpuOffer[],
  plain: Size = PLAIN_SIZE,
): Size | undefined {
  if (model === '') return plain;
  const share = offers.find((one) => one.model === model)?.share;
  if (!share || count === undefined || !Number.isInteger(count) || count < 1) return undefined;
  const times = (amount: number) => Math.round(amount * count * 10) / 10;
  return { cores: times(share.cores), memoryGi: times(share.memoryGi) };
}

/** The amounts that follow the cards when they change: those that the reader chose stay. */
export function following(
  values: { cores: number | undefined; memoryGi: number | undefined },
  before: Size,
  next: Size,
): Partial<Size> {
  return {
    ...(values.cores === before.cores && next.cores !== before.cores && { cores: next.cores }),
    ...(values.memoryGi === before.memoryGi && next.memoryGi !== before.memoryGi && { memoryGi: next.memoryGi }),
  };
}
