// The card channel against the provider's own description of its API: every call exists, with parameters of the right names and
// types, and the answer is parsed.
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { CardChannel } from '../../api/src/core/billing/payments/card-channel.ts';
import type { Order } from '../../api/src/core/billing/payments/channel.ts';
import { parseMoney } from '../../contract/src/fields/money.ts';
import { type StripeMock, startStripeMock } from '../support/stripe-mock.ts';

let mock: StripeMock;
let channel: CardChannel;
/** Every call that the mock did not take. */
let refused: object[] = [];
afterEach(() => {
  const those = refused;
  refused = [];
  expect(those).toEqual([]);
});
beforeAll(async () => {
  mock = await startStripeMock();
  channel = new CardChannel(
    {
      secretKey: 'sk_test_123',
      webhookSecrets: ['whsec_test'],
      scriptUrl: 'https://js.example/v3/',
      publishableKey: 'pk_test_123',
      url: mock.url,
      returnUrl: 'https://console.example/manage/billing?payment=',
    },
    { clock: systemClock, log: { warn: (facts: object) => void refused.push(facts) } },
  );
});
afterAll(() => mock.end());

const order: Order = {
  id: 'pay-1',
  organizationId: 'acme',
  amount: parseMoney('12.34'),
  currency: 'USD',
  providerId: 'pi_123',
  customerId: 'cus_123',
  method: 'pm_123',
  isAttended: true,
  createdAt: new Date(),
  next: {},
};
const cards = () => {
  if (!channel.cards) throw new Error('the card channel keeps cards');
  return channel.cards;
};

/** It remembers nothing: an answer is of the right shape, and of no state in particular. */
const STATUS = { state: expect.any(String), providerId: expect.stringMatching(/^pi_/) };

test.each([
  ['a payment that somebody confirms', order],
  ['a payment that nobody is there for', { ...order, isAttended: false }],
  ['a payment whose card the page asks for', { ...order, method: undefined }],
])('%s begins', async (_, order) => {
  expect(await channel.begin(order)).toMatchObject(STATUS);
});

test('a payment is looked at, called off, and found among those of a customer', async () => {
  expect(await channel.look(order)).toMatchObject(STATUS);
  expect(await channel.giveUp(order)).toMatchObject({ providerId: expect.stringMatching(/^pi_/) });
  expect(await channel.look({ ...order, providerId: undefined })).toEqual({ state: 'unknown' });
});

test('a refund is made, looked at and found', async () => {
  const refund = { id: 'rfd-1', payment: order, amount: parseMoney('1.00'), providerId: undefined };
  const made = { state: expect.stringMatching(/^(processing|done)$/), providerId: expect.stringMatching(/^re_/) };
  expect(await channel.refund(refund)).toMatchObject(made);
  expect(await channel.lookRefund({ ...refund, providerId: 're_123' })).toMatchObject(made);
  expect(await channel.lookRefund(refund)).toEqual({ state: 'unknown' });
});

test('a card is added, read, made the default and taken away', async () => {
  expect(await cards().customer('acme')).toMatch(/^cus_/);
  const { setupId, next } = await cards().begin('pmd-1', 'cus_123');
  expect([setupId, next.client_secret]).toEqual([expect.stringMatching(/^seti_/), expect.stringContaining('_secret_')]);
  expect(await cards().look(setupId, 'cus_123')).toMatchObject({
    state: expect.stringMatching(/^(waits|added|failed)$/),
  });
  await cards().read('pm_123', 'cus_123');
  await cards().setDefault('cus_123', 'pm_123');
  await cards().detach('pm_123');
});
