// Cards, which the provider stores for us: here are only their ids, and what people recognise them by.
import { PAYMENT_FAILURES } from '@gantry/contract/billing/payments.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, desc, eq, isNotNull, isNull, or } from 'drizzle-orm';
import { billingProfiles, paymentMethods } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { type CardKeeper, ChannelAway, type MethodFacts, type NextStep } from './channel.ts';
import { faultOf, type Payments, type PaymentsParts } from './payments.ts';

export type PaymentMethod = typeof paymentMethods.$inferSelect;

const MOST_AT_ONCE = 100;

export class PaymentMethods {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;

  constructor(parts: PaymentsParts, ofPayments: Payments) {
    this.#parts = parts;
    this.#payments = ofPayments;
  }

  /** Usable cards; the default first. */
  async list(organizationId: string): Promise<PaymentMethod[]> {
    const isUsable = and(this.#own(organizationId), isNotNull(paymentMethods.providerId));
    return this.#parts.db.sql
      .select()
      .from(paymentMethods)
      .where(isUsable)
      .orderBy(desc(paymentMethods.isDefault), asc(paymentMethods.createdAt));
  }

  /** The default card, as an organisation's page shows it. */
  async cardInfo(organizationId: string) {
    const card = (await this.list(organizationId)).find(({ isDefault }) => isDefault);
    if (!card) return null;
    return { last4: card.last4, payment_id: card.id, payment_channel: card.channel, exp_time: card.expires };
  }

  /** The data with which the page sends a card to the provider; `finish` follows. */
  async begin(organizationId: string, channel: string): Promise<{ method: PaymentMethod; next: NextStep }> {
    const cards = this.#keeper(channel);
    return this.#answered(async () => {
      const id = newId('pmd');
      const { setupId, next } = await cards.begin(id, await this.#payments.customerId(organizationId));
      const [method] = await this.#parts.db.sql
        .insert(paymentMethods)
        .values({ id, organizationId, channel: 'card', setupId, createdAt: new Date(this.#parts.clock.now()) })
        .returning();
      return { method: method as PaymentMethod, next };
    });
  }

  /**
   * Reads how it stands at the provider; the first of an organisation, or one that is asked to be, becomes the default. Throws
   * payment_method_failed with the reason.
   */
  async update(
    organizationId: string,
    id: string,
    { isDefault = false } = {},
    language: Language,
  ): Promise<PaymentMethod> {
    const method = await this.#must(organizationId, id);
    return this.#answered(async () => {
      const { method: read, failure } = await this.#read(method);
      if (!read) throw problem('payment_method_failed', { why: PAYMENT_FAILURES[failure][language] });
      const { providerId } = read;
      if (!isDefault || !providerId) return read;
      await this.#keeper('card').setDefault(await this.#payments.customerId(organizationId), providerId);
      return this.#makeDefault(read);
    });
  }

  /** Also detaches it at the provider. Automatic top-up ends with its card. */
  async remove(organizationId: string, id: string): Promise<void> {
    const method = await this.#must(organizationId, id);
    await this.#answered(() => this.#detach(method));
  }

  /** Something happened to one of the provider's, by its id or that of its being added. */
  async heard(id: string): Promise<void> {
    const isIt = or(eq(paymentMethods.providerId, id), eq(paymentMethods.setupId, id));
    const [method] = await this.#parts.db.sql
      .select()
      .from(paymentMethods)
      .where(and(isIt, isNull(paymentMethods.removedAt)));
    if (method) await this.#read(method);
  }

  /**
   * Cards that nobody may use any more and the provider still has: of deleted organisations nobody is left to take them away.
   * Never rejects for one of them.
   */
  async sweep(signal?: AbortSignal): Promise<void> {
    if (!this.#payments.channels.some(({ cards }) => cards)) return;
    const { db, log } = this.#parts;
    const isOver = or(isNotNull(organizations.deletedAt), isNotNull(paymentMethods.removedAt));
    const left = await db.sql
      .select({ method: paymentMethods })
      .from(paymentMethods)
      .innerJoin(organizations, eq(organizations.id, paymentMethods.organizationId))
      .where(and(isOver, isNotNull(paymentMethods.providerId)))
      .limit(MOST_AT_ONCE);
    for (const { method } of left) {
      if (signal?.aborted) return;
      await this.#detach(method).catch((error: unknown) => {
        log.warn(
          { err: faultOf(error), method: method.id },
          'a card of a deleted organisation could not be taken away',
        );
      });
    }
  }

  /** The reason if it cannot be used, else undefined. */
  async #read(method: PaymentMethod) {
    const { organizationId, setupId, providerId } = method;
    const cards = this.#keeper('card');
    const customerId = await this.#payments.customerId(organizationId);
    if (providerId) {
      const facts = await cards.read(providerId, customerId);
      if (facts) return { method: await this.#note(method, facts) };
      await this.#drop(method);
      return { failure: 'provider_refused' as const };
    }
    const seen = await cards.look(setupId ?? '', customerId);
    if (seen.state === 'failed') return { failure: seen.failure };
    if (seen.state === 'waits') return { failure: 'authentication_needed' as const };
    const noted = await this.#note(method, seen.method);
    const hasDefault = (await this.list(organizationId)).some((one) => one.isDefault);
    if (hasDefault) return { method: noted };
    await cards.setDefault(customerId, seen.method.providerId);
    return { method: await this.#makeDefault(noted) };
  }

  async #note(method: PaymentMethod, facts: MethodFacts): Promise<PaymentMethod> {
    const [row] = await this.#parts.db.sql
      .update(paymentMethods)
      .set(facts)
      .where(eq(paymentMethods.id, method.id))
      .returning();
    return row ?? method;
  }

  async #makeDefault(method: PaymentMethod): Promise<PaymentMethod> {
    const { db } = this.#parts;
    return db.transaction(async (tx) => {
      // The second of two concurrent calls waits here.
      const own = eq(billingProfiles.organizationId, method.organizationId);
      await tx.select().from(billingProfiles).where(own).for('update');
      await tx
        .update(paymentMethods)
        .set({ isDefault: false })
        .where(eq(paymentMethods.organizationId, method.organizationId));
      const [row] = await tx
        .update(paymentMethods)
        .set({ isDefault: true })
        .where(and(eq(paymentMethods.id, method.id), isNull(paymentMethods.removedAt)))
        .returning();
      return row ?? method;
    });
  }

  async #detach(method: PaymentMethod): Promise<void> {
    const { providerId } = method;
    if (providerId) await this.#keeper('card').detach(providerId);
    await this.#drop(method);
  }

  /** The provider no longer has it; anything with its id there is still to be removed. */
  async #drop(method: PaymentMethod): Promise<void> {
    const { db, clock } = this.#parts;
    await db.transaction(async (tx) => {
      await tx
        .update(paymentMethods)
        .set({ removedAt: method.removedAt ?? new Date(clock.now()), isDefault: false, providerId: null })
        .where(eq(paymentMethods.id, method.id));
      if (!method.isDefault) return;
      const own = eq(billingProfiles.organizationId, method.organizationId);
      await tx.update(billingProfiles).set({ autoRecharge: false }).where(own);
    });
  }

  async #must(organizationId: string, id: string): Promise<PaymentMethod> {
    const [found] = await this.#parts.db.sql
      .select()
      .from(paymentMethods)
      .where(and(this.#own(organizationId), eq(paymentMethods.id, id)));
    if (!found) throw problem('not_found', { what: id });
    return found;
  }

  #own(organizationId: string) {
    return and(eq(paymentMethods.organizationId, organizationId), isNull(paymentMethods.removedAt));
  }

  #keeper(name: string): CardKeeper {
    const { cards } = this.#payments.channel(name);
    if (!cards) throw problem('payment_channel_missing', { channel: name });
    return cards;
  }

  async #answered<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ChannelAway) throw problem('provider_away', {}, { retryAfterSeconds: 5 });
      throw error;
    }
  }
}
