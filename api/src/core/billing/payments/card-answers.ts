// Stripe's objects in our words: pure. A client secret goes on only in the next step of its own payment.
import type { PaymentFailure } from '@gantry/contract/billing/payments.ts';
import type Stripe from 'stripe';
import type { Dispute, Heard, MethodFacts, NextStep, PaymentStatus, ProviderRefund, RefundStatus } from './channel.ts';
import { fromMinor } from './minor-units.ts';

/** The keys of our ids in an object's metadata. */
export const METADATA = { payment: 'gantry_payment', refund: 'gantry_refund' } as const;

/** Types of objects that say that money of a payment may have gone back. */
const REVERSALS = ['charge', 'dispute', 'refund'];

/** The id of a member that is an id, or the object in its place. */
export const idOf = (one: string | { id: string } | null): string | undefined =>
  typeof one === 'string' ? one : one?.id;

/** The data by which people recognise a card. */
export function factsOf({ id, card }: Stripe.PaymentMethod): MethodFacts {
  const month = `${card?.exp_month ?? ''}`.padStart(2, '0');
  return {
    providerId: id,
    brand: card?.brand ?? '',
    last4: card?.last4 ?? '',
    expires: card ? `${month}/${card.exp_year}` : '',
  };
}

interface ProviderError {
  code?: string;
  decline_code?: string;
}

/** How a payment stands. `earlier`: why it had failed before it was cancelled. */
export function paymentStatusOf(
  intent: Stripe.PaymentIntent,
  next: (clientSecret: string | null) => NextStep,
  earlier?: ProviderError,
): PaymentStatus {
  const { id: providerId, status, currency, last_payment_error: error } = intent;
  const failed = (failure: PaymentFailure): PaymentStatus => ({ state: 'failed', providerId, failure });
  switch (status) {
    case 'succeeded': {
      const unit = currency.toUpperCase();
      return { state: 'paid', providerId, amount: fromMinor(intent.amount_received, unit), currency: unit };
    }
    case 'canceled':
      return failed(failureOf(earlier ?? error ?? undefined) ?? 'given_up');
    case 'requires_payment_method':
      if (error) return failed(failureOf(error) ?? 'provider_refused');
      return { state: 'waits', providerId, next: next(intent.client_secret) };
    case 'requires_action':
    case 'requires_confirmation':
      return { state: 'waits', providerId, next: next(intent.client_secret) };
    default:
      return { state: 'processing', providerId };
  }
}

/** The subject of an event: names of objects, which are then read. */
export function heardOf(event: Stripe.Event): Heard {
  // The event's own version says how its object is written: only names of objects are taken out of it.
  const object = event.data.object as unknown as {
    id: string;
    object: string;
    payment_intent?: string | { id: string } | null;
    metadata?: Record<string, string> | null;
  };
  const heard: Heard = { id: event.id, type: event.type };
  const intent = typeof object.payment_intent === 'string' ? object.payment_intent : object.payment_intent?.id;
  if (object.object === 'payment_intent') heard.payment = object.metadata?.[METADATA.payment] ?? object.id;
  else if (object.object === 'refund')
    Object.assign(heard, { refund: object.metadata?.[METADATA.refund], payment: intent });
  else if (object.object === 'setup_intent' || object.object === 'payment_method') heard.method = object.id;
  else if (intent) heard.payment = intent;
  if (REVERSALS.includes(object.object)) heard.isReversal = true;
  return heard;
}

/**
 * The provider's balance transactions say what is taken: a bank may return less than it took. If it settles in another currency
 * than the payment's, the dispute's own amount counts as taken while anything is.
 */
export function disputeOf(dispute: Stripe.Dispute): Dispute {
  const { id: providerId, status, amount, currency, balance_transactions: moves } = dispute;
  const unit = currency.toUpperCase();
  const settled = (moves[0]?.currency ?? currency).toUpperCase();
  const out = -moves.reduce((sum, move) => sum + move.amount, 0);
  const isSame = settled === unit;
  return {
    providerId,
    status,
    taken: fromMinor(Math.max(0, isSame ? out : out > 0 ? amount : 0), unit),
    fee: fromMinor(
      moves.reduce((sum, move) => sum + move.fee, 0),
      settled,
    ),
    feeCurrency: settled,
  };
}

/** A refund that may have been made at the provider. */
export const refundOf = ({ id: providerId, amount, currency, status, metadata }: Stripe.Refund): ProviderRefund => ({
  providerId,
  ours: metadata?.[METADATA.refund],
  amount: fromMinor(amount, currency.toUpperCase()),
  hasFailed: status === 'failed' || status === 'canceled',
});

/** How a refund stands. */
export function refundStatusOf({ id: providerId, status }: Stripe.Refund): RefundStatus {
  if (status === 'succeeded') return { state: 'done', providerId };
  if (status === 'failed' || status === 'canceled') return { state: 'failed', providerId, failure: 'provider_refused' };
  return { state: 'processing', providerId };
}

const FAILURES: Readonly<Record<string, PaymentFailure>> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'wrong_card_data',
  invalid_cvc: 'wrong_card_data',
  incorrect_number: 'wrong_card_data',
  invalid_number: 'wrong_card_data',
  invalid_expiry_month: 'wrong_card_data',
  invalid_expiry_year: 'wrong_card_data',
  incorrect_zip: 'wrong_card_data',
  authentication_required: 'authentication_needed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
};

/** The decline's own code says more than the error's. */
export function failureOf(error: ProviderError | undefined): PaymentFailure | undefined {
  if (!error) return undefined;
  return FAILURES[error.decline_code ?? ''] ?? FAILURES[error.code ?? ''] ?? 'card_declined';
}
