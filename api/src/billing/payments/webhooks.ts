// What providers call us for. A call that is signed says that something happened to one of their objects; the object is read, and
// what it says is done. An event counts once; the same news under another event changes nothing either.
import { problem } from '@gantry/contract/http/problem.ts';
import { eq } from 'drizzle-orm';
import { providerEvents } from '../../db/schema/payments.ts';
import { BadSignature, type Channel, ChannelAway, type Heard, type RawCallback } from './channel.ts';
import type { PaymentMethods } from './payment-methods.ts';
import { faultOf, type Payments, type PaymentsParts } from './payments.ts';
import type { Refunds } from './refunds.ts';

export class Webhooks {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;
  readonly #refunds: Refunds;
  readonly #methods: PaymentMethods;

  constructor(
    parts: PaymentsParts,
    { payments, refunds, methods }: { payments: Payments; refunds: Refunds; methods: PaymentMethods },
  ) {
    this.#parts = parts;
    this.#payments = payments;
    this.#refunds = refunds;
    this.#methods = methods;
  }

  /**
   * Resolves once what follows is in the database: the provider repeats what fails. Throws webhook_signature, provider_away, and
   * not_found for a channel that is not called.
   */
  async take(name: string, raw: RawCallback): Promise<{ event: string; outcome: string }> {
    const channel = this.#parts.channels.find((one) => one.name === name);
    if (!channel?.hear) throw problem('not_found', { what: name });
    const heard = hearing(channel, raw);
    const id = `${name}/${heard.id}`;
    const { db, clock, log } = this.#parts;
    const [known] = await db.sql.select().from(providerEvents).where(eq(providerEvents.id, id));
    if (known) return { event: id, outcome: known.outcome };
    try {
      const outcome = await this.#follow(channel, heard);
      const row = { id, type: heard.type, at: new Date(clock.now()), outcome };
      await db.sql.insert(providerEvents).values(row).onConflictDoNothing();
      log.info({ event: id, type: heard.type, outcome }, 'a payment provider called');
      return { event: id, outcome };
    } catch (error) {
      if (!(error instanceof ChannelAway)) throw error;
      log.warn({ err: faultOf(error), event: id }, 'a provider called and did not answer');
      throw problem('provider_away', {}, { retryAfterSeconds: 5 });
    }
  }

  async #follow(channel: Channel, heard: Heard): Promise<string> {
    if (heard.method !== undefined) {
      await this.#methods.heard(heard.method);
      return 'card';
    }
    const refund = heard.refund === undefined ? undefined : await this.#refunds.find(heard.refund);
    if (refund) return `refund ${(await this.#refunds.heard(refund)).state}`;
    const payment = heard.payment === undefined ? undefined : await this.#payments.findAny(channel.name, heard.payment);
    if (!payment) return 'not ours';
    // Of a payment that we know, made by somebody at the provider: people look at it.
    if (/refund/.test(heard.type) && heard.refund === undefined)
      this.#parts.log.warn({ payment: payment.id, type: heard.type }, 'a refund may have been made at the provider');
    await this.#payments.heard(payment);
    return 'payment';
  }
}

function hearing(channel: Channel, raw: RawCallback): Heard {
  try {
    return (channel.hear as NonNullable<Channel['hear']>).call(channel, raw);
  } catch (error) {
    if (error instanceof BadSignature) throw problem('webhook_signature');
    throw error;
  }
}
