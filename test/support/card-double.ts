// The card provider's double, for a test: nothing is delivered automatically.
import { CardDouble } from '../../hack/payments/card-double.ts';

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
