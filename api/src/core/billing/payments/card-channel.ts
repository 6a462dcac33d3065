// Cards, through Stripe's SDK. PaymentIntents, SetupIntents and Refunds are read again whenever we hear of one; every create has
// an idempotency key derived from our own id. Errors of the SDK do not leave this file: they carry client secrets.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import Stripe from 'stripe';
import { outwardAgents } from '../../../platform/way-out.ts';
import {
  disputeOf,
  factsOf,
  failureOf,
  heardOf,
  idOf,
  METADATA,
  paymentStatusOf,
  refundOf,
  refundStatusOf,
} from './card-answers.ts';
import {
  BadSignature,
  type CardKeeper,
  type Channel,
  ChannelAway,
  type Heard,
  type NextStep,
  type Order,
  type PaymentStatus,
  type RawCallback,
  type RefundOrder,
  type RefundStatus,
} from './channel.ts';
import { minorOf } from './minor-units.ts';

/** The shapes that this file was written against; the SDK of this version has the same. */
const API_VERSION = '2026-10-28.endive';
/** How old a signed webhook may be, and how far in the future. */
const TOLERANCE_S = 300;
/**
 * The SDK retries with the same idempotency key; a call that is still unclear is looked up later. Both attempts end within a
 * call's 30 s.
 */
const NETWORK_RETRIES = 1;
const TIMEOUT_MS = 10_000;
/** Stripe's clock and ours may differ. */
const SKEW_S = 300;
const REVERSAL_EVENTS = [
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
];

export interface CardSettings {
  secretKey: string;
  /** One or, while it is being changed, several. */
  webhookSecrets: readonly string[];
  publishableKey: string;
  scriptUrl: string;
  /** Elsewhere than at Stripe's own: a double. */
  url: string | undefined;
  /** The address to which a browser comes back after a bank has asked. */
  returnUrl: string;
}

export class CardChannel implements Channel {
  readonly name = 'card';
  readonly isTest: boolean;
  readonly publishableKey: string;
  readonly scriptUrl: string;
  readonly cards: CardKeeper;
  readonly #stripe: Stripe;
  readonly #settings: CardSettings;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(settings: CardSettings, { clock, log }: { clock: Clock; log: Pick<Logger, 'warn'> }) {
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.isTest = !/^[sr]k_live_/.test(settings.secretKey);
    this.publishableKey = settings.publishableKey;
    this.scriptUrl = settings.scriptUrl;
    const { httpAgent, httpsAgent } = outwardAgents();
    this.#stripe = new Stripe(settings.secretKey, {
      apiVersion: API_VERSION,
      maxNetworkRetries: NETWORK_RETRIES,
      timeout: TIMEOUT_MS,
      telemetry: false,
      httpAgent: settings.url?.startsWith('http:') ? httpAgent : httpsAgent,
      ...(settings.url && addressOf(settings.url)),
    });
    this.cards = this.#keeper();
  }

  async begin(order: Order): Promise<PaymentStatus> {
    const { id, organizationId, customerId, method, isAttended } = order;
    const intent = await this.#call(
      () =>
        this.#stripe.paymentIntents.create(
          {
            amount: minorOf(order.amount, order.currency),
            currency: order.currency.toLowerCase(),
            allowed_payment_method_types: ['card'],
            metadata: { [METADATA.payment]: id, gantry_organization: organizationId },
            ...(customerId && { customer: customerId }),
            ...(method && { payment_method: method, confirm: true }),
            ...(method && isAttended && { return_url: `${this.#settings.returnUrl}${id}` }),
            ...(method && !isAttended && { off_session: true, error_on_requires_action: true }),
          },
          { idempotencyKey: `gantry-${id}` },
        ),
      // A declined card is an answer, too: the intent stands in the error.
      (error) => (error instanceof Stripe.errors.StripeCardError ? error.payment_intent : undefined),
    );
    if (intent === REFUSED) return { state: 'failed', providerId: undefined, failure: 'provider_refused' };
    return this.#settled(intent);
  }

  async look(order: Order): Promise<PaymentStatus> {
    const intent = order.providerId
      ? await this.#retrieved(order.providerId)
      : await this.#found(order.customerId, order);
    return intent ? this.#settled(intent) : { state: 'unknown' };
  }

  async giveUp(order: Order): Promise<PaymentStatus> {
    const { providerId } = order;
    if (!providerId) return this.look(order);
    return paymentStatusOf(await this.#cancelled(providerId), this.#next);
  }

  async refund({ id, payment, amount }: RefundOrder): Promise<RefundStatus> {
    const { providerId } = payment;
    if (!providerId) throw new Error(`${payment.id} was never paid`);
    const refund = await this.#call(() =>
      this.#stripe.refunds.create(
        {
          payment_intent: providerId,
          amount: minorOf(amount, payment.currency),
          metadata: { [METADATA.refund]: id, [METADATA.payment]: payment.id },
        },
        { idempotencyKey: `gantry-${id}` },
      ),
    );
    return refund === REFUSED
      ? { state: 'failed', providerId: undefined, failure: 'provider_refused' }
      : refundStatusOf(refund);
  }

  async lookRefund({ id, payment, providerId }: RefundOrder): Promise<RefundStatus> {
    if (providerId) {
      const refund = await this.#call(() => this.#stripe.refunds.retrieve(providerId));
      return refund === REFUSED ? { state: 'unknown' } : refundStatusOf(refund);
    }
    const intent = payment.providerId;
    if (!intent) return { state: 'unknown' };
    const all = await this.#call(() =>
      this.#stripe.refunds.list({ payment_intent: intent, limit: 100 }).autoPagingToArray({ limit: 1000 }),
    );
    const found = all === REFUSED ? undefined : all.find(({ metadata }) => metadata?.[METADATA.refund] === id);
    return found ? refundStatusOf(found) : { state: 'unknown' };
  }

  async reversals({ providerId }: Order) {
    if (!providerId) return { disputes: [], refunds: [] };
    const of = { payment_intent: providerId, limit: 100 };
    const disputes = this.#must(
      await this.#call(() => this.#stripe.disputes.list(of).autoPagingToArray({ limit: 1000 })),
    );
    const refunds = this.#must(
      await this.#call(() => this.#stripe.refunds.list(of).autoPagingToArray({ limit: 1000 })),
    );
    // Lists have the newest first.
    return { disputes: disputes.map(disputeOf).reverse(), refunds: refunds.map(refundOf).reverse() };
  }

  async *news(since: Date): AsyncGenerator<Heard> {
    const created = { gte: Math.floor(since.getTime() / 1000) };
    const events = this.#stripe.events.list({ types: REVERSAL_EVENTS, created, limit: 100 })[Symbol.asyncIterator]();
    // Page by page, however many there are. The newest come first.
    for (;;) {
      const next = this.#must(await this.#call(() => events.next()));
      if (next.done) return;
      yield heardOf(next.value);
    }
  }

  hear({ headers, body }: RawCallback): Heard {
    const signature = headers['stripe-signature'];
    return heardOf(this.#verified(body, typeof signature === 'string' ? signature : ''));
  }

  /** The SDK refuses old signatures, but accepts any in the future. */
  #isTimely(signature: string): boolean {
    const times = signature.split(',').flatMap((part) => (part.trim().startsWith('t=') ? [part.trim().slice(2)] : []));
    const now = this.#clock.now() / 1000;
    return times.length > 0 && times.every((time) => /^\d{1,12}$/.test(time) && Number(time) - now <= TOLERANCE_S);
  }

  #verified(body: Buffer, signature: string): Stripe.Event {
    if (!this.#isTimely(signature)) throw new BadSignature('the time of a webhook is not right');
    for (const secret of this.#settings.webhookSecrets)
      try {
        const { webhooks } = this.#stripe;
        return webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, this.#clock.now());
      } catch (error) {
        // The signature was valid.
        if (error instanceof SyntaxError) throw error;
        // It may match the next secret. The reason is not disclosed.
      }
    throw new BadSignature('the signature of a webhook is not right');
  }

  #keeper(): CardKeeper {
    const stripe = this.#stripe;
    return {
      customer: async (organizationId) => {
        const made = await this.#call(() =>
          stripe.customers.create(
            { metadata: { gantry_organization: organizationId } },
            { idempotencyKey: `gantry-customer-${organizationId}` },
          ),
        );
        return this.#must(made).id;
      },
      begin: async (methodId, customer) => {
        const made = await this.#call(() =>
          stripe.setupIntents.create(
            {
              customer,
              allowed_payment_method_types: ['card'],
              usage: 'off_session',
              metadata: { gantry_method: methodId },
            },
            { idempotencyKey: `gantry-${methodId}` },
          ),
        );
        const { id, client_secret } = this.#must(made);
        return { setupId: id, next: this.#next(client_secret) };
      },
      look: async (setupId, customerId) => {
        const setup = this.#must(
          await this.#call(() => stripe.setupIntents.retrieve(setupId, { expand: ['payment_method'] })),
        );
        const { status, payment_method: method, last_setup_error: error } = setup;
        if (status === 'succeeded' && method && typeof method === 'object') {
          // A customer's SetupIntent attaches the card itself; otherwise it is attached here.
          if (!method.customer)
            this.#must(
              await this.#call(() =>
                stripe.paymentMethods.attach(
                  method.id,
                  { customer: customerId },
                  { idempotencyKey: `gantry-attach-${setupId}` },
                ),
              ),
            );
          return { state: 'added', method: factsOf(method) };
        }
        if (status === 'canceled' || (status === 'requires_payment_method' && error))
          return { state: 'failed', failure: failureOf(error ?? undefined) ?? 'given_up' };
        return { state: 'waits' };
      },
      read: async (providerId, customerId) => {
        const method = await this.#call(() => stripe.paymentMethods.retrieve(providerId));
        if (method === REFUSED || idOf(method.customer) !== customerId) return undefined;
        return factsOf(method);
      },
      setDefault: async (customerId, providerId) => {
        this.#must(
          await this.#call(() =>
            stripe.customers.update(customerId, { invoice_settings: { default_payment_method: providerId } }),
          ),
        );
      },
      detach: async (providerId) => {
        // Refused: it is nobody's any more.
        await this.#call(() => stripe.paymentMethods.detach(providerId));
      },
    };
  }

  readonly #next = (clientSecret: string | null): NextStep => ({
    type: 'card',
    publishable_key: this.publishableKey,
    ...(clientSecret && { client_secret: clientSecret }),
  });

  /** Anyone with its secret could still confirm a failed intent: cancel it before telling anybody. */
  async #settled(intent: Stripe.PaymentIntent): Promise<PaymentStatus> {
    const status = paymentStatusOf(intent, this.#next);
    if (status.state !== 'failed' || intent.status === 'canceled') return status;
    return paymentStatusOf(await this.#cancelled(intent.id), this.#next, intent.last_payment_error ?? undefined);
  }

  async #cancelled(id: string): Promise<Stripe.PaymentIntent> {
    const cancelled = await this.#call(() => this.#stripe.paymentIntents.cancel(id));
    if (cancelled !== REFUSED) return cancelled;
    // It succeeded meanwhile.
    const now = await this.#retrieved(id);
    if (!now) throw new ChannelAway('a payment that was there is gone');
    return now;
  }

  async #retrieved(id: string): Promise<Stripe.PaymentIntent | undefined> {
    const found = await this.#call(() => this.#stripe.paymentIntents.retrieve(id));
    return found === REFUSED ? undefined : found;
  }

  /** For a call without an answer: lists are up to date at once, Stripe's search is not. */
  async #found(customer: string | undefined, { id, createdAt }: Order): Promise<Stripe.PaymentIntent | undefined> {
    const since = { gte: Math.floor(createdAt.getTime() / 1000) - SKEW_S };
    const all = await this.#call(() =>
      this.#stripe.paymentIntents
        .list({ created: since, limit: 100, ...(customer && { customer }) })
        .autoPagingToArray({ limit: 10_000 }),
    );
    return all === REFUSED ? undefined : all.find(({ metadata }) => metadata[METADATA.payment] === id);
  }

  #must<T>(answer: T | typeof REFUSED): T {
    if (answer === REFUSED) throw new ChannelAway('the card provider refused a call that it takes as a rule');
    return answer;
  }

  /**
   * Throws ChannelAway if the outcome of the call is unknown. `answerIn`: what of an error is an answer. What the provider
   * refuses for good is REFUSED.
   */
  async #call<T>(call: () => Promise<T>, answerIn: (error: unknown) => T | undefined = () => undefined) {
    try {
      return await call();
    } catch (error) {
      const answer = answerIn(error);
      if (answer !== undefined) return answer;
      const { type, code, statusCode, requestId } = error as Stripe.errors.StripeError;
      this.#log.warn({ type, code, status: statusCode, request: requestId }, 'the card provider refused a call');
      const isFinal =
        error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;
      if (isFinal) return REFUSED;
      throw new ChannelAway(`the card provider did not answer: ${type ?? 'unknown'}`);
    }
  }
}

const REFUSED = Symbol('refused');

function addressOf(text: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { protocol, hostname, port } = new URL(text);
  const isPlain = protocol === 'http:';
  return { host: hostname, port: Number(port) || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' };
}
