// Plays the provider's form in a page: it calls the double with the secret of one intent and a test card's number.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CardDouble } from './card-double.ts';

const double = new CardDouble({
  port: 0,
  secretKey: 'sk_test_form',
  publishableKey: 'pk_test_form',
  webhookSecret: 'whsec_form',
  now: () => Date.UTC(2026, 10, 22) / 1000,
});
beforeAll(() => double.listen());
afterAll(() => double.close());

/** A payment of $20, as the gateway creates it. */
async function begin(): Promise<{ id: string; client_secret: string }> {
  const body = new URLSearchParams({ amount: '2000', currency: 'usd' });
  const headers = { authorization: 'Bearer sk_test_form' };
  return (await fetch(`${double.url}/v1/payment_intents`, { method: 'POST', headers, body })).json() as never;
}

async function confirm({ id, client_secret }: { id: string; client_secret: string }, number: string) {
  const body = new URLSearchParams({
    client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '4',
    'payment_method_data[card][exp_year]': '2031',
  });
  const answer = await fetch(`${double.url}/v1/payment_intents/${id}/confirm`, { method: 'POST', body });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return { status: answer.status, body: (await answer.json()) as never };
}

describe('a number that was typed', () => {
  test('that pays makes a card with the month that was typed', async () => {
    const { status, body } = await confirm(await begin(), '5555555555554444');
    expect([status, body]).toMatchObject([200, { status: 'succeeded' }]);
    expect(double.get(double.get((body as { id: string }).id).payment_method).card).toEqual({
      brand: 'mastercard',
      last4: '4444',
      exp_month: 4,
      exp_year: 2031,
    });
  });

  test('that is declined is answered as a card error', async () => {
    expect(await confirm(await begin(), '4000000000000002')).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', code: 'card_declined' } },
    });
  });

  test('that the bank asks about waits for its page, where it can be refused', async () => {
    const intent = await begin();
    expect((await confirm(intent, '4000002500003155')).body).toMatchObject({ status: 'requires_action' });
    await fetch(`${double.url}/authenticate/${intent.id}?answer=no`, { redirect: 'manual' });
    expect(double.get(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  test('that is no test card pays nothing', async () => {
    const intent = await begin();
    expect(await confirm(intent, '4111111111111111')).toMatchObject({
      status: 402,
      body: { error: { code: 'incorrect_number' } },
    });
    expect(double.get(intent.id).status).toBe('requires_payment_method');
  });
});

test('without the secret of that payment nobody confirms it', async () => {
  const { id } = await begin();
  const other = await begin();
  expect((await confirm({ id, client_secret: other.client_secret }, '4242424242424242')).status).toBe(401);
});

test('the script of the form is served as one', async () => {
  const answer = await fetch(`${double.url}/v3/`);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await answer.text()).toContain('globalThis.Stripe =');
});
