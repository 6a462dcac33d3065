import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { GI } from '@gantry/contract/fields/quantity.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { describe, expect, test } from '@jest/globals';
import { type DiscountFixture, type PriceFixture, START, tariff } from './testing/fixtures.ts';
import { ViewPrices } from './view-prices.ts';

const LIST: PriceFixture[] = [
  ['gpu/H100', '2.00'],
  ['cpu', '0.01'],
  ['memory', '0.001'],
  ['disk', '0.10'],
  ['snapshot', '0.05'],
  ['host/H100', '10000.00'],
];

const listeners: (() => void)[] = [];
const pricesOf = (list: readonly PriceFixture[], discounts: readonly DiscountFixture[] = []) =>
  new ViewPrices({
    tariffs: {
      of: (organizationId) => ({ ...tariff(list, discounts), organizationId }),
      on: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
    clock: { now: () => START },
  });

const object = (spec: object, status: object = {}, namespace = 'org-acme') =>
  ({ apiVersion: 'gantry.dev/v1alpha1', kind: 'x', metadata: { name: 'x', namespace }, spec, status }) as KubeObject;
const instance = (spec: object = {}, status?: object) =>
  object(
    {
      power: 'Running',
      gpu: { model: 'H100', count: 2 },
      cores: 10,
      memoryGi: 100,
      homeDisk: { sizeGi: 730 },
      ...spec,
    },
    status,
  );
const host = (spec: object = {}) => object({ source: 'rented', gpu: { model: 'H100', count: 8 }, nodes: 2, ...spec });

describe('the price in a view', () => {
  test.each([
    ['an instance: cards, cores, memory and its home disk by the hour', gpuInstance, instance(), ['hour', '4.30']],
    [
      'an instance on a host: its home disk alone, by the month',
      gpuInstance,
      instance({ host: 'h' }),
      ['month', '73.00'],
    ],
    [
      'an instance at rest: its home disk alone',
      gpuInstance,
      instance({ power: 'ShutDown' }, { intervals: [{ uses: [{ resource: 'disk', quantity: 730 }] }] }),
      ['month', '73.00'],
    ],
    ['a disk by the month', dataDisk, object({ sizeGi: 50 }), ['month', '5.00']],
    ['a host: all its nodes for a month', gpuHost, host(), ['month', '20000.00']],
    [
      'an image that was saved: its bytes',
      image,
      object({ fromInstance: 'i' }, { savedBytes: 4 * GI }),
      ['month', '0.20'],
    ],
    ['a save: its bytes', snapshot, object({ of: 'Root' }, { sizeBytes: 2 * GI }), ['month', '0.10']],
  ] as const)('of %s', (_, facts, object, expected) => {
    const price = pricesOf(LIST).of(facts, object);
    expect([price?.per, price?.amount, price?.currency]).toEqual([...expected, 'USD']);
  });

  test.each([
    ["a host of the organisation's own", gpuHost, host({ source: 'owned' })],
    ['an image from elsewhere', image, object({ source: 'a/b:c' })],
    ['a copy of a save, which an image pays for', snapshot, object({ of: 'Copy' }, { sizeBytes: GI })],
    ['a log', snapshot, object({ of: 'Log' }, { log: { bytes: GI, isCut: false } })],
    ["what is the platform's own", dataDisk, object({ sizeGi: 50 }, {}, 'gantry-system')],
  ] as const)('of %s is none', (_, facts, object) => {
    expect(pricesOf(LIST).of(facts, object)).toBeNull();
  });

  test('is none where a part has no price: what is left would be a lie', () => {
    expect(pricesOf([['cpu', '0.01']]).of(gpuInstance, instance())).toBeNull();
  });

  test("has the organisation's own discount, and another's has not", () => {
    const prices = pricesOf(LIST, [
      ['container_rent', 1250],
      ['host_rent', 5000],
    ]);
    expect(prices.of(dataDisk, object({ sizeGi: 50 }))).toMatchObject({
      amount: '4.375',
      list: '5.00',
      discount_percent: 12.5,
    });
    expect(prices.of(gpuHost, host())).toMatchObject({ amount: '10000.00', discount_percent: 50 });
    expect(prices.of(dataDisk, object({ sizeGi: 50 }, {}, 'org-other'))).toMatchObject({ amount: '5.00' });
  });
});

describe('of what failed, the price that is shown', () => {
  const card = { resource: 'gpu', model: 'H100', quantity: 2 };
  const home = { resource: 'disk', quantity: 730 };
  const failed = (phase: string, ...uses: object[]) =>
    instance(
      {},
      {
        phase,
        intervals: [
          { seq: 1, to: '2026-01-01T00:00:00Z', uses: [card] },
          { seq: 2, uses },
        ],
      },
    );

  test.each([
    ['is that of its home disk', failed('failed', home), ['month', '73.00']],
    ['is none before anything was made', instance({}, { phase: 'createFailed' }), undefined],
    ['has its cards where they are charged all the same', failed('networkTimeout', card, home), ['hour', '4.10']],
    ['is that of all it asks for once it starts again', failed('starting', home), ['hour', '4.30']],
  ] as const)('%s', (_, object, expected) => {
    const price = pricesOf(LIST).shown(gpuInstance, object);
    expect(price ? [price.per, price.amount] : undefined).toEqual(expected);
  });

  test('is what a start raises', () => {
    const prices = pricesOf(LIST);
    expect(prices.of(gpuInstance, failed('failed', home))).toMatchObject({ per: 'hour', amount: '4.30' });
  });

  test('is the whole rent of a host: it is paid ahead', () => {
    const lost = { ...host(), status: { phase: 'lost' } } as KubeObject;
    expect(pricesOf(LIST).shown(gpuHost, lost)).toMatchObject({ per: 'month', amount: '20000.00' });
  });
});

test('a model on offer has the price of a card and of a node', () => {
  const prices = pricesOf([...LIST, ['gpu/any', '1.00']]);
  expect(prices.gpu('H100')).toMatchObject({ card: { amount: '2.00' }, host: { amount: '10000.00' } });
  expect(prices.gpu('L4')).toMatchObject({ card: { amount: '1.00' }, host: null });
});

test('a shown price is outdated once a price changes', () => {
  const prices = pricesOf(LIST);
  const before = prices.version();
  listeners.at(-1)?.();
  expect(prices.version()).not.toBe(before);
});
