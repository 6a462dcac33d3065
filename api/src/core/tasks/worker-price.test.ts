// Workers cost what their GPUs, cores and memory cost by the hour.
import { micros, ZERO } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import { type PriceFixture, START, tariff } from '../billing/prices/testing/fixtures.ts';
import { costOfSeconds, workerPrice } from './worker-price.ts';

const PRICES: PriceFixture[] = [
  ['cpu', '0.03'],
  ['memory', '0.01'],
];
const priceOf = (billing: 'on' | 'off', prices: PriceFixture[]) =>
  workerPrice({ config: { billing }, clock: { now: () => START }, tariffs: { of: () => tariff(prices) } });
const size = { cores: 2, memoryGi: 4 };

test('by its size, and nothing where no bills are sent', () => {
  expect(priceOf('on', PRICES)('acme', size)).toMatchObject({ perHour: micros(100_000) });
  expect(priceOf('off', PRICES)('acme', size)).toMatchObject({ perHour: ZERO });
});

test('nobody knows it where a part has no price', () => {
  expect(priceOf('on', PRICES.slice(0, 1))('acme', size)).toMatchObject({ perHour: undefined });
});

test('GPUs and other workers cost more, and a part of an hour its part', () => {
  const [model, price] = ['NVIDIA-H100', priceOf('on', [...PRICES, ['gpu/NVIDIA-H100', '2.00']])];
  expect(price('acme', { ...size, gpu: { model, count: 8 } })).toMatchObject({ perHour: micros(16_100_000) });
  expect(price('acme', { ...size, gpu: { model, count: 8 } }, 4)).toMatchObject({ perHour: micros(64_400_000) });
  expect(costOfSeconds(micros(64_400_000), 90)).toBe(micros(1_610_000));
  expect(costOfSeconds(undefined, 90)).toBeUndefined();
});
