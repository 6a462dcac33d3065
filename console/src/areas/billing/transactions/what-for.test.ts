// How a transaction is described.
import { expect, test } from '@jest/globals';
import { isAutomatic, whatFor } from './what-for.ts';

const payment = { transaction_id: 'pay-1', reference: 'pay-1', detail: '' };

test.each([
  ['a payment is for nothing but itself', payment, ''],
  ['why it failed is a sentence', { ...payment, detail: 'card_declined' }, '银行卡被拒绝。'],
  [
    'what an object is called is said',
    { transaction_id: 'use/u1/2026-11-22', reference: 'GpuInstance/ins-1', detail: 'dev' },
    'dev',
  ],
  [
    'one without a name goes by its id',
    { transaction_id: 'use/u1/2026-11-22', reference: 'GpuInstance/ins-1', detail: '' },
    'ins-1',
  ],
])('%s', (_, one, text) => expect(whatFor(one, 'zh')).toBe(text));

const recharge = { type: 'recharge', payment_channel: 'card', operator_id: null };

test.each([
  ['a card that nobody charged was charged by itself', recharge, true],
  ['one that a person charged was not', { ...recharge, operator_id: 'acc-1' }, false],
  ['nor was a transfer', { ...recharge, payment_channel: 'bank_transfer' }, false],
  ['nor what was given', { ...recharge, type: 'wallet_recharge' }, false],
])('%s', (_, one, is) => expect(isAutomatic(one)).toBe(is));
