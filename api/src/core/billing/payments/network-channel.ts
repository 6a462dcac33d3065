// Mobile wallets and the domestic card network: one protocol at the wire, described in the README, which a bridge to a network's
// own speaks. Both sides sign; an answer that is not signed is no answer.
import { randomUUID } from 'node:crypto';
import { isPaymentFailure, type PaymentFailure } from '@gantry/contract/billing/payments.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import * as z from 'zod';
import {
  BadSignature,
  type Channel,
  ChannelAway,
  type ChannelName,
  type Heard,
  type Order,
  type PaymentStatus,
  type RawCallback,
  type RefundOrder,
  type RefundStatus,
} from './channel.ts';
import { type Keys, requireSigned, signatureOf } from './signed-messages.ts';

export interface NetworkSettings {
  name: Exclude<ChannelName, 'card' | 'bank_transfer'>;
  url: string;
  /** Our merchant id there. */
  merchant: string;
  keys: Keys;
  /** The address at which the network calls us, and the one to which a person comes back. */
  notifyUrl: string;
  returnUrl: string;
}

const id = z.string().min(1).max(100);
const amount = z.string().regex(/^\d{1,9}\.\d{2,6}$/);
const orderAnswer = z.object({
  order: id,
  provider_id: id,
  state: z.enum(['created', 'processing', 'paid', 'failed', 'closed']),
  amount,
  currency: z.string(),
  pay_url: z.url({ protocol: /^https?$/ }).optional(),
  reason: z.string().max(100).optional(),
});
const refundAnswer = z.object({
  refund: id,
  provider_id: id,
  state: z.enum(['processing', 'done', 'failed']),
  reason: z.string().max(100).optional(),
});
const callback = z.object({ event: id, type: z.enum(['order', 'refund']), order: id, refund: id.optional() });

const TIMEOUT_MS = 15_000;
const MOST_ANSWER_BYTES = 64 * 1024;
/** Their refusals are final. */
const REFUSED = [400, 402, 409, 422];

export class NetworkChannel implements Channel {
  readonly name: NetworkSettings['name'];
  readonly isTest = false;
  readonly publishableKey = undefined;
  readonly scriptUrl = undefined;
  readonly #settings: NetworkSettings;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(settings: NetworkSettings, { clock, log }: { clock: Clock; log: Pick<Logger, 'warn'> }) {
    this.name = settings.name;
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
  }

  async begin(order: Order): Promise<PaymentStatus> {
    const { notifyUrl, returnUrl } = this.#settings;
    const answer = await this.#call('POST', '/orders', orderAnswer, {
      order: order.id,
      amount: moneyText(order.amount),
      currency: order.currency,
      notify_url: notifyUrl,
      return_url: `${returnUrl}${order.id}`,
    });
    if (!answer) return { state: 'failed', providerId: undefined, failure: 'provider_refused' };
    return paymentStatusOf(order, answer);
  }

  async look(order: Order): Promise<PaymentStatus> {
    const answer = await this.#call('GET', `/orders/${order.id}`, orderAnswer);
    return answer ? paymentStatusOf(order, answer) : { state: 'unknown' };
  }

  async giveUp(order: Order): Promise<PaymentStatus> {
    await this.#call('POST', `/orders/${order.id}/close`, orderAnswer, {});
    return this.look(order);
  }

  async refund({ id: refund, payment, amount: back }: RefundOrder): Promise<RefundStatus> {
    const answer = await this.#call('POST', '/refunds', refundAnswer, {
      refund,
      order: payment.id,
      amount: moneyText(back),
      currency: payment.currency,
    });
    return answer
      ? refundStatusOf(refund, answer)
      : { state: 'failed', providerId: undefined, failure: 'provider_refused' };
  }

  async lookRefund({ id: refund }: RefundOrder): Promise<RefundStatus> {
    const answer = await this.#call('GET', `/refunds/${refund}`, refundAnswer);
    return answer ? refundStatusOf(refund, answer) : { state: 'unknown' };
  }

  hear({ headers, method, path, body }: RawCallback): Heard {
    this.#requireSigned(`${method} ${path}`, (name) => `${headers[name] ?? ''}`, body);
    const said = callback.safeParse(parsed(body));
    if (!said.success) throw new BadSignature('a callback of a payment network says nothing that we know');
    const { event, type, order, refund } = said.data;
    return type === 'refund' ? { id: event, type, refund, payment: order } : { id: event, type, payment: order };
  }

  /** Undefined if the network refuses it or does not know it. Throws ChannelAway if the outcome is unknown. */
  async #call<T>(
    method: 'GET' | 'POST',
    path: string,
    shape: z.ZodType<T>,
    content?: Readonly<Record<string, string>>,
  ): Promise<T | undefined> {
    const { url, merchant, keys } = this.#settings;
    const body = Buffer.from(content ? JSON.stringify(content) : '');
    const to = new URL(url.replace(/\/$/, '') + path);
    const timestamp = `${Math.floor(this.#clock.now() / 1000)}`;
    const nonce = randomUUID();
    const signature = signatureOf(keys, { target: `${method} ${to.pathname}`, timestamp, nonce, body });
    const headers = {
      'gantry-merchant': merchant,
      'gantry-timestamp': timestamp,
      'gantry-nonce': nonce,
      'gantry-signature': signature,
    };
    try {
      const answer = await fetch(to, {
        method,
        headers: { ...headers, ...(content && { 'content-type': 'application/json' }) },
        ...(content && { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (bytes.length > MOST_ANSWER_BYTES) throw new Error('too long an answer');
      // A refusal counts only if it is signed too.
      this.#requireSigned('', (name) => answer.headers.get(name) ?? '', bytes);
      if (answer.ok) return shape.parse(parsed(bytes));
      if (answer.status === 404 || REFUSED.includes(answer.status)) return undefined;
      throw new Error(`status ${answer.status}`);
    } catch (error) {
      this.#log.warn({ channel: this.name, err: (error as Error).message }, 'a payment network did not answer');
      throw new ChannelAway(`${this.name} did not answer`);
    }
  }

  #requireSigned(target: string, header: (name: string) => string, body: Buffer): void {
    const [timestamp, nonce] = [header('gantry-timestamp'), header('gantry-nonce')];
    const now = this.#clock.now() / 1000;
    requireSigned(this.#settings.keys, { target, timestamp, nonce, body }, header('gantry-signature'), now);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const failureOf = (reason: string | undefined, otherwise: PaymentFailure): PaymentFailure =>
  reason !== undefined && isPaymentFailure(reason) ? reason : otherwise;

function paymentStatusOf(order: Order, answer: z.output<typeof orderAnswer>): PaymentStatus {
  const { provider_id: providerId, state, reason, pay_url: url } = answer;
  if (answer.order !== order.id) throw new ChannelAway('a payment network answered about another order');
  switch (state) {
    case 'paid':
      return { state, providerId, amount: parseMoney(answer.amount), currency: answer.currency };
    case 'failed':
      return { state, providerId, failure: failureOf(reason, 'provider_refused') };
    case 'closed':
      return { state: 'failed', providerId, failure: failureOf(reason, 'given_up') };
    case 'processing':
      return { state, providerId };
    case 'created':
      return { state: 'waits', providerId, next: { type: 'redirect', ...(url && { url }) } };
  }
}

function refundStatusOf(refund: string, answer: z.output<typeof refundAnswer>): RefundStatus {
  const { provider_id: providerId, state, reason } = answer;
  if (answer.refund !== refund) throw new ChannelAway('a payment network answered about another refund');
  if (state === 'failed') return { state, providerId, failure: failureOf(reason, 'provider_refused') };
  return { state, providerId };
}
