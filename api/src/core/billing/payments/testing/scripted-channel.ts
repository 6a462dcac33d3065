// An in-memory provider that a test controls: payments arrive at once, refunds end when and how the test says, banks dispute, and
// somebody refunds in its dashboard.
import { type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import type { Channel, ChannelName, Dispute, Order, PaymentStatus, RefundOrder, RefundStatus } from '../channel.ts';

interface Made {
  readonly providerId: string;
  readonly intent: string;
  readonly ours: string | undefined;
  readonly amount: Micros;
  state: 'processing' | 'done' | 'failed';
}

export class ScriptedChannel implements Channel {
  readonly name: ChannelName;
  readonly isTest = true;
  readonly publishableKey = undefined;
  readonly scriptUrl = undefined;
  /** Whether the next refund that is asked for takes its time. */
  isSlow = false;
  /** Until when the next answer about what went back stays on its way. */
  late: Promise<void> | undefined;
  readonly #refunds: Made[] = [];
  readonly #disputes = new Map<string, Dispute>();

  constructor(name: ChannelName) {
    this.name = name;
  }

  async begin(order: Order): Promise<PaymentStatus> {
    return this.look(order);
  }

  async look({ id, amount, currency }: Order): Promise<PaymentStatus> {
    const providerId = `in-${id}`;
    // Staff enter how much of a transfer arrived.
    if (this.name === 'bank_transfer')
      return { state: 'waits', providerId, next: { type: 'transfer' }, keep: { reference: id } };
    return { state: 'paid', providerId, amount, currency };
  }

  giveUp(order: Order): Promise<PaymentStatus> {
    return this.look(order);
  }

  async refund({ id, payment, amount }: RefundOrder): Promise<RefundStatus> {
    const known = this.#refunds.find(({ ours }) => ours === id);
    return refundStatusOf(
      known ?? this.#make(payment.providerId ?? '', amount, id, this.isSlow ? 'processing' : 'done'),
    );
  }

  async lookRefund({ id, providerId }: RefundOrder): Promise<RefundStatus> {
    const found = this.#refunds.find((one) => one.ours === id || one.providerId === providerId);
    return found ? refundStatusOf(found) : { state: 'unknown' };
  }

  async reversals({ providerId }: Order) {
    const dispute = this.#disputes.get(providerId ?? '');
    const refunds = this.#refunds.filter(({ intent }) => intent === providerId);
    const answer = {
      disputes: dispute ? [dispute] : [],
      refunds: refunds.map(({ state, ...one }) => ({ ...one, hasFailed: state === 'failed' })),
    };
    const { late } = this;
    this.late = undefined;
    await late;
    return answer;
  }

  refundByHand(intent: string, amount: Micros): boolean {
    this.#make(intent, amount, undefined, 'done');
    return true;
  }

  /** The last refund of a payment that is in that state ends so. */
  endRefund(intent: string, from: 'processing' | 'done', hasFailed: boolean): boolean {
    const found = this.#refunds.findLast((one) => one.intent === intent && one.state === from);
    if (found) found.state = hasFailed ? 'failed' : 'done';
    return found !== undefined;
  }

  /** False once it is decided. */
  dispute(intent: string, amount: Micros, status: string): boolean {
    if (['won', 'lost', status].includes(this.#disputes.get(intent)?.status ?? '')) return false;
    const taken = status === 'needs_response' || status === 'lost' ? amount : ZERO;
    const fee = micros(15_000_000);
    this.#disputes.set(intent, { providerId: `dp-${intent}`, status, taken, fee, feeCurrency: 'EUR' });
    return true;
  }

  /** The amount that has not gone back, as the provider sees it. */
  leftOf(intent: string, paid: Micros): Micros {
    const gone = this.#refunds.filter((one) => one.intent === intent && one.state !== 'failed');
    return micros(paid - sumOf(gone.map(({ amount }) => amount)));
  }

  #make(intent: string, amount: Micros, ours: string | undefined, state: Made['state']): Made {
    const made: Made = { providerId: `re-${intent}-${this.#refunds.length}`, intent, ours, amount, state };
    this.#refunds.push(made);
    return made;
  }
}

function refundStatusOf({ providerId, state }: Made): RefundStatus {
  return state === 'failed' ? { state, providerId, failure: 'provider_refused' } : { state, providerId };
}
