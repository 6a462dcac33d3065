// Calls from providers. A signed call says that something happened to one of their objects; we read the object and act on that.
// An event counts once; the same news under another event changes nothing.
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { providerEvents } from '../../../platform/db/schema/payments.ts';
import { BadSignature, type Channel, ChannelAway, type Heard, type RawCallback } from './channel.ts';
import type { PaymentMethods } from './payment-methods.ts';
import { faultOf, type Payments, type PaymentsParts } from './payments.ts';
import type { Refunds } from './refunds.ts';
import type { Reversals } from './reversals.ts';

/** Names of a provider's objects, as they are looked up and stored. */
const name = z.string().regex(/^[\x21-\x7e]{1,255}$/);
const heard = z.object({
  id: name,
  type: name,
  payment: name.optional(),
  refund: name.optional(),
  method: name.optional(),
  isReversal: z.boolean().optional(),
}) satisfies z.ZodType<Heard>;

const MINUTE_MS = 60_000;
const EVERY_MS = 10 * MINUTE_MS;
const OVERLAP_MS = 60 * MINUTE_MS;
/** Card providers keep their events for thirty days. */
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

export class Webhooks {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;
  readonly #refunds: Refunds;
  readonly #methods: PaymentMethods;
  readonly #reversals: Reversals;
  #askAgainAt = 0;
  /** From where on news are asked for: at first as far back as providers keep them. */
  #since: number | undefined;

  constructor(
    parts: PaymentsParts,
    {
      payments,
      refunds,
      methods,
      reversals,
    }: { payments: Payments; refunds: Refunds; methods: PaymentMethods; reversals: Reversals },
  ) {
    this.#parts = parts;
    this.#payments = payments;
    this.#refunds = refunds;
    this.#methods = methods;
    this.#reversals = reversals;
  }

  /**
   * Resolves once what follows is in the database: the provider repeats what fails. Throws webhook_signature, webhook_malformed,
   * provider_away, and not_found for a channel that is not called.
   */
  async take(name: string, raw: RawCallback): Promise<{ event: string; outcome: string }> {
    const channel = this.#parts.channels.find((one) => one.name === name);
    if (!channel?.hear) throw problem('not_found', { what: name });
    return this.#takeOnce(channel, hearing(channel, raw));
  }

  /** News that no webhook brought, because one was lost or the gateway was down. Never rejects because of a single one. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { clock, log, channels } = this.#parts;
    const now = clock.now();
    if (now < this.#askAgainAt) return;
    const since = new Date(Math.max(this.#since ?? 0, now - KEPT_MS));
    let isWhole = true;
    for (const channel of channels) {
      try {
        for await (const heard of channel.news?.(since) ?? []) {
          if (signal?.aborted) return;
          isWhole = (await this.#taken(channel, heard)) && isWhole;
        }
      } catch (error) {
        isWhole = false;
        log.warn({ err: faultOf(error), channel: channel.name }, 'a provider could not be asked for news');
      }
    }
    this.#askAgainAt = now + EVERY_MS;
    // An event may be listed some time after it happened. Where one was not taken, all are asked for again: those that were count once.
    if (isWhole) this.#since = now - OVERLAP_MS;
  }

  /** News that cannot be handled delays no other. Throws provider_away: no other could be handled either. */
  async #taken(channel: Channel, heard: Heard): Promise<boolean> {
    try {
      await this.#takeOnce(channel, heard);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.problem === 'provider_away') throw error;
      const event = `${channel.name}/${heard.id}`;
      this.#parts.log.error({ err: faultOf(error), event }, 'news of a provider could not be followed');
      return false;
    }
  }

  async #takeOnce(channel: Channel, heard: Heard): Promise<{ event: string; outcome: string }> {
    const id = `${channel.name}/${heard.id}`;
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
    const after = await this.#payments.heard(payment);
    if (heard.isReversal) await this.#reversals.read(after);
    return 'payment';
  }
}

function hearing(channel: Channel, raw: RawCallback): Heard {
  try {
    return heard.parse((channel.hear as NonNullable<Channel['hear']>).call(channel, raw));
  } catch (error) {
    if (error instanceof BadSignature) throw problem('webhook_signature');
    // It is signed, but does not look like an event of the provider.
    throw problem('webhook_malformed', {}, { cause: error });
  }
}
