import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { describe, expect, test } from '@jest/globals';
import { following, gpuOffers, PLAIN_SIZE, sizeWith } from './gpu-offers.ts';

const spec = (gpu_type: string, more: Partial<GpuSpecView> = {}): GpuSpecView =>
  ({
    gpu_type,
    name: gpu_type,
    gpu_memory_gi: 80,
    gpu_count: 8,
    card_cores: 21,
    card_memory_gi: 230,
    total: 8,
    free: 8,
    starts: [
      { count: 1, free: 8 },
      { count: 8, free: 1 },
    ],
    price: { per: 'hour', amount: '2.69', list: '2.69', discount_percent: 0, currency: 'USD' },
    ...more,
  }) as GpuSpecView;

const priced = (amount: string) => ({ price: { ...(spec('').price as object), amount } }) as Partial<GpuSpecView>;

describe('offers', () => {
  test('a model in nodes of two sizes is one, with what every card can have', () => {
    const [offer] = gpuOffers([
      spec('H100'),
      spec('H100', { gpu_count: 2, card_cores: 14, total: 2, free: 1, starts: [{ count: 1, free: 1 }] }),
    ]);
    expect(offer).toMatchObject({
      total: 10,
      free: 9,
      most: 8,
      share: { cores: 14, memoryGi: 230 },
      starts: [
        { count: 1, free: 9 },
        { count: 8, free: 1 },
      ],
    });
  });

  test('free ones come first, cheapest first', () => {
    const specs = [
      spec('taken', { free: 0, ...priced('0.10') }),
      spec('dear', priced('9')),
      spec('cheap', priced('1')),
    ];
    expect(gpuOffers(specs).map(({ model }) => model)).toEqual(['cheap', 'dear', 'taken']);
  });
});

describe('the suggested size', () => {
  const offers = gpuOffers([spec('H100'), spec('T4', { card_cores: 0.2, card_memory_gi: 0.7 })]);

  test.each([
    ['without a card', { model: '', count: 1 }, PLAIN_SIZE],
    ['one card', { model: 'H100', count: 1 }, { cores: 21, memoryGi: 230 }],
    ['eight cards', { model: 'H100', count: 8 }, { cores: 168, memoryGi: 1840 }],
    ['shares of less than a core', { model: 'T4', count: 3 }, { cores: 0.6, memoryGi: 2.1 }],
    ['while the number is being typed', { model: 'H100', count: undefined }, undefined],
    ['a model that is not offered any more', { model: 'gone', count: 1 }, undefined],
  ])('%s', (_, gpu, size) => {
    expect(sizeWith(gpu, offers)).toEqual(size);
  });

  test('follows the cards until the reader chooses another', () => {
    const [one, eight] = [sizeWith({ model: 'H100', count: 1 }, offers), sizeWith({ model: 'H100', count: 8 }, offers)];
    if (!one || !eight) throw new Error('both are known');
    expect(following(PLAIN_SIZE, PLAIN_SIZE, eight)).toEqual(eight);
    expect(following({ cores: 4, memoryGi: 230 }, one, eight)).toEqual({ memoryGi: 1840 });
    expect(following({ cores: undefined, memoryGi: 16 }, one, eight)).toEqual({});
  });
});
