// The card provider's double, for a test: nothing is delivered automatically.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { CardDouble } from '../../hack/payments/card-double.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

export type { CardDouble };

export const CARD_KEYS = {
  secretKey: 'sk_test_canary_0123456789',
  publishableKey: 'pk_test_double',
  webhookSecret: 'whsec_canary_0123456789',
} as const;

/** `now`: milliseconds since 1970, from the test's clock. */
export async function openCardDouble(now: () => number): Promise<CardDouble> {
  const double = new CardDouble({ port: 0, ...CARD_KEYS, now: () => Math.floor(now() / 1000) });
  await double.listen();
  return double;
}

/** For a gateway as a process: the keys' files are in `folder`. */
export async function cardFlags(folder: string, url: string): Promise<string[]> {
  const [key, webhookSecret] = [join(folder, 'card-key'), join(folder, 'webhook-secret')];
  await writeFile(key, CARD_KEYS.secretKey);
  await writeFile(webhookSecret, CARD_KEYS.webhookSecret);
  return [
    `--stripe-url=${url}`,
    `--stripe-key-file=${key}`,
    `--stripe-webhook-secret-file=${webhookSecret}`,
    `--stripe-publishable-key=${CARD_KEYS.publishableKey}`,
  ];
}

/**
 * Pays into the balance of a person's organisation, in test mode, as the provider's form in a page does; resolves with the payment's id
 * once it is paid. Staff cannot grant themselves anything.
 */
export async function topUp(client: HttpClient, url: string, amount: string): Promise<string> {
  const { id } = await client.must(PAYMENT_ROUTES.recharge, { body: { amount, payment_channel: 'card' } });
  await payWithCard(client, url, id);
  return id;
}

/** Ends what PAYMENT_ROUTES.recharge has begun. */
export async function payWithCard(client: HttpClient, url: string, id: string): Promise<void> {
  const payment = () => client.must(PAYMENT_ROUTES.getRecharge, { params: { id } });
  const secret = await eventually('the card is asked for', async () => (await payment()).next?.client_secret);
  await confirmInPage(url, 'payment_intents', secret, 'pm_card_visa');
  await eventually('it is paid', async () => (await payment()).status === 'paid', PAID_WITHIN_MS);
}

const PAID_WITHIN_MS = 120_000;

/** Somebody refunds a part of a payment in the provider's dashboard. `amount`: in cents. */
export async function refundByHand(url: string, secretKey: string, paymentId: string, amount: number): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}/v1/${path}`, { ...init, headers: { authorization: `Bearer ${secretKey}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data: readonly { id: string; metadata: Record<string, string> }[] };
  };
  const { data } = await ask('payment_intents?limit=100');
  const { id = '' } = data.find(({ metadata }) => metadata.gantry_payment === paymentId) ?? {};
  await ask('refunds', { method: 'POST', body: new URLSearchParams({ payment_intent: id, amount: `${amount}` }) });
}

/** Plays the provider's script in a page: only the page and the provider see the card. */
export async function confirmInPage(
  url: string,
  kind: 'setup_intents' | 'payment_intents',
  clientSecret: string,
  card: string,
): Promise<{ status: number; body: { status?: string; next_action?: unknown } }> {
  const id = clientSecret.split('_secret_')[0];
  const answer = await fetch(`${url}/v1/${kind}/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CARD_KEYS.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
  });
  return { status: answer.status, body: (await answer.json()) as { status?: string } };
}
