// What the overview of an organisation says that an object costs by the hour.
import type { Use } from '@gantry/contract/billing/resources.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { START, tariff } from '../billing/prices/testing/fixtures.ts';
import type { BilledObject } from '../kube/billed-objects.ts';
import { kindObject } from '../kube/testing/memory-kinds.ts';
import { perHourOf } from './open-monitor.ts';

const PRICES = tariff([
  ['gpu/H100', '2.00'],
  ['host/H100', '900.00'],
]);
const using = (facts: typeof gpuHost | typeof gpuInstance, ...uses: Use[]) =>
  ({
    facts,
    object: kindObject(facts, 'one', {
      status: { intervals: [{ seq: 1, subjectUID: 'u', from: '2026-01-01T00:00:00Z', uses }] },
    }),
  }) as unknown as BilledObject;
const H100: Use = { resource: 'gpu', model: 'H100', quantity: 2 };

test.each([
  ['an instance costs what its cards do', using(gpuInstance, H100), '4.00'],
  [
    'a rented host, which is paid ahead, has no price by the hour',
    using(gpuHost, { ...H100, resource: 'host' }),
    undefined,
  ],
  [
    'what has something without a price has none',
    using(gpuInstance, H100, { resource: 'cpu', quantity: 1 }),
    undefined,
  ],
  ['what rests costs nothing that is worth a row', using(gpuInstance), undefined],
])('%s', (_, one, expected) => {
  const cost = perHourOf(one, PRICES, START);
  expect(cost === undefined ? undefined : moneyText(cost)).toBe(expected);
});
