// The cost of tokens: nothing until staff set a price, and then the model's price, or that of every model.
import { tokenSku, tokenSkuFacts } from '@gantry/contract/billing/token-prices.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import { Discounts, PriceTable } from '../prices/price-table.ts';
import { tokenPrices } from './token-charges.ts';

const price = (sku: string, amount: bigint, id: bigint) => ({
  ...{ id, sku, region: '*', currency: 'USD', validFrom: 0 },
  amount: micros(amount),
});
const tariff = (prices: ReturnType<typeof price>[], basisPoints = 0) => ({
  prices: new PriceTable(prices),
  discounts: new Discounts([{ id: 1n, type: 'organization', target: 'acme', basisPoints, validFrom: 0 }]),
  ...{ region: 'us-east', currency: 'USD', organizationId: 'acme' },
});

test('without a price, tokens are free', () => {
  expect(tokenPrices(tariff([]), 'mdl-1', 1)).toBeUndefined();
  expect(tokenPrices(tariff([price('gpu/any', 1n, 1n)]), 'mdl-1', 1)).toBeUndefined();
});

test('a model’s own price precedes that of every model, and cached tokens cost as much as others by default', () => {
  const prices = [
    price(tokenSku('prompt', 'any'), 100n, 1n),
    price(tokenSku('completion', 'any'), 300n, 2n),
    price(tokenSku('completion', 'mdl-1'), 900n, 3n),
  ];
  expect(tokenPrices(tariff(prices, 2_500), 'mdl-1', 1)).toEqual({
    prompt: { amount: 100n, left: 7_500n },
    cached: { amount: 100n, left: 7_500n },
    completion: { amount: 900n, left: 7_500n },
  });
  expect(tokenPrices(tariff(prices), 'mdl-2', 1)?.completion.amount).toBe(300n);
});

test.each([
  ['completion-tokens/mdl-1', { part: 'completion', model: 'mdl-1' }],
  ['prompt-tokens/any', { part: 'prompt', model: 'any' }],
  ['prompt-tokens/', undefined],
  ['prompt-tokens/a b', undefined],
  ['gpu/any', undefined],
])('%s names a price of tokens, or not', (sku, expected) => {
  expect(tokenSkuFacts(sku)).toEqual(expected);
});
