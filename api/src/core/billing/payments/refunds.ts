// Money on its way back. It leaves the wallet before the provider is asked, so that it cannot be spent meanwhile, and returns to
// it if the provider refuses. Each step has its own key, and continues where a killed process left off.
import { createHash } from 'node:crypto';
import { paymentNotice } from '@gantry/contract/billing/payments.ts';
import { type Micros, micros, moneyText, ZERO } from '@gantry/contract/fields/money.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { billingProfiles, payments, refunds } from '../../../platform/db/schema/payments.ts';
import { newId } from '../../../platform/ids.ts';
import { endRefunding } from '../ledger/bills.ts';
import { ChannelAway, type ProviderRefund, type RefundStatus } from './channel.ts';
import { isAtBank } from './dispute-status.ts';
import { isPayable } from './minor-units.ts';
import { endAutoRecharge, type Payment } from './payment-store.ts';
import { faultOf, leftOf, type Payments, type PaymentsParts } from './payments.ts';
import { askAgainInMs } from './polling.ts';

export type Refund = typeof refunds.$inferSelect;

const MOST_AT_ONCE = 100;
/** The author of refunds that were made at the provider. */
const AT_PROVIDER = 'provider';
/** Money is out, or about to be. */
const UNDER_WAY = ['asked', 'taken', 'sent'] as const;

export class Refunds {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;

  constructor(parts: PaymentsParts, ofPayments: Payments) {
    this.#parts = parts;
    this.#payments = ofPayments;
  }

  /**
   * Throws refund_too_large (more than was paid), wallet_short (more than is still there), refund_under_way, payment_not_open,
   * payment_disputed, payment_channel_missing, amount_unit, and what `mayAlone` throws. An approved one is started once.
   */
  async start(wish: {
    paymentId: string;
    amount: Micros;
    by: string;
    reason: string;
    approval?: string | undefined;
    mayAlone?(tx: Sql): Promise<void>;
  }): Promise<Refund> {
    const { paymentId, amount, by, reason, approval = null, mayAlone } = wish;
    const started = approval === null ? undefined : await this.find(idOfApproved(approval));
    if (started) return this.advance(started);
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const asked = await db.transaction(async (tx) => {
      const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for('update');
      if (!payment) throw problem('not_found', { what: paymentId });
      if (payment.state !== 'paid') throw problem('payment_not_open', { payment: paymentId, state: payment.state });
      if (payment.dispute !== null && isAtBank(payment.dispute)) throw problem('payment_disputed');
      // An amount that cannot be sent must not leave the wallet.
      const { currency } = payment;
      this.#payments.channel(payment.channel);
      if (!isPayable(amount, currency))
        throw problem('amount_unit', { field: 'amount', currency }, { field: 'amount' });
      if (await isUnderWay(tx, paymentId)) throw problem('refund_under_way');
      const [bill] = await tx
        .select({ chargedBack: bills.chargedBack })
        .from(bills)
        .where(eq(bills.id, payment.billId));
      const left = leftOf(payment, bill?.chargedBack ?? ZERO);
      if (amount > left) throw problem('refund_too_large', { most: moneyText(left), currency }, { field: 'amount' });
      await mayAlone?.(tx);
      await tx
        .update(payments)
        .set({ refunded: micros(payment.refunded + amount) })
        .where(eq(payments.id, paymentId));
      const [row] = await tx
        .insert(refunds)
        .values({
          id: approval === null ? newId('rfd') : idOfApproved(approval),
          paymentId,
          organizationId: payment.organizationId,
          amount,
          state: 'asked',
          by,
          reason,
          approval,
          createdAt: now,
          changedAt: now,
          askAt: new Date(now.getTime() + askAgainInMs(0)),
        })
        .returning();
      return row as Refund;
    });
    try {
      return await this.advance(asked);
    } catch (error) {
      if (!(error instanceof ChannelAway)) throw error;
      this.#parts.log.warn({ err: faultOf(error), refund: asked.id }, 'a provider did not answer');
      return (await this.find(asked.id)) as Refund;
    }
  }

  /** A refund made at the provider, as it is known here; recorded the first time. Undefined if it failed before. */
  async madeThere(payment: Payment, made: ProviderRefund): Promise<Refund | undefined> {
    const id = `rfd-${createHash('sha256').update(`${payment.channel}/${made.providerId}`).digest('hex').slice(0, 20)}`;
    const known = await this.find(id);
    if (known || made.hasFailed) return known;
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const { id: paymentId, organizationId } = payment;
    await db.transaction(async (tx) => {
      const fresh = await tx
        .insert(refunds)
        .values({
          ...{ id, paymentId, organizationId, amount: made.amount, providerId: made.providerId },
          state: 'asked',
          by: AT_PROVIDER,
          reason: '',
          createdAt: now,
          changedAt: now,
          askAt: new Date(now.getTime() + askAgainInMs(0)),
        })
        .onConflictDoNothing()
        .returning({ id: refunds.id });
      const more = sql`${payments.refunded} + ${`${made.amount}`}::bigint`;
      if (fresh.length > 0) await tx.update(payments).set({ refunded: more }).where(eq(payments.id, paymentId));
    });
    return this.find(id);
  }

  async find(id: string): Promise<Refund | undefined> {
    return (await this.#parts.db.sql.select().from(refunds).where(eq(refunds.id, id)))[0];
  }

  async of(paymentIds: readonly string[]): Promise<Refund[]> {
    if (paymentIds.length === 0) return [];
    const those = inArray(refunds.paymentId, [...paymentIds]);
    return this.#parts.db.sql.select().from(refunds).where(those).orderBy(asc(refunds.createdAt));
  }

  /** Advances it as far as possible. Throws ChannelAway, and wallet_short if the money has been spent. */
  async advance(refund: Refund): Promise<Refund> {
    if (refund.state === 'done' || refund.state === 'failed') return refund;
    const payment = (await this.#payments.find(refund.paymentId)) as Payment;
    const channel = this.#payments.channel(payment.channel);
    const taken = refund.state === 'asked' ? await this.#take(refund, payment) : refund;
    if (taken.state === 'done' || taken.state === 'failed') return taken;
    const { id, amount } = refund;
    const order = {
      id,
      amount,
      payment: await this.#payments.orderOf(payment),
      providerId: taken.providerId ?? undefined,
    };
    // It may have been sent before: a provider does not remember idempotency keys forever.
    const isUnsent = refund.state === 'asked' && !refund.providerId;
    const known: RefundStatus = isUnsent ? { state: 'unknown' } : await channel.lookRefund(order);
    const isNew = known.state === 'unknown' && !taken.providerId;
    return this.#apply(taken, payment, isNew ? await channel.refund(order) : known);
  }

  /** The provider tells of it. One that was done may fail later still, when a bank sends the money back. */
  async heard(refund: Refund): Promise<Refund> {
    if (refund.state !== 'done') return this.advance(refund);
    const { db, clock, log, wallets } = this.#parts;
    const { id, organizationId, amount, paymentId } = refund;
    const payment = (await this.#payments.find(paymentId)) as Payment;
    const order = {
      id,
      amount,
      payment: await this.#payments.orderOf(payment),
      providerId: refund.providerId ?? undefined,
    };
    const status = await this.#payments.channel(payment.channel).lookRefund(order);
    if (status.state !== 'failed') return refund;
    // As if it had failed at once: the payment is paid again, and can be paid back again.
    await wallets.giveBack({
      key: `refund/${id}/returned`,
      ...{ organizationId, amount, channel: payment.channel, billId: payment.billId },
      at: refund.createdAt,
      why: 'refund',
    });
    log.warn({ refund: id, payment: paymentId }, 'a refund that was done came back');
    const changes = { state: 'failed' as const, failure: status.failure, changedAt: new Date(clock.now()) };
    return db.transaction(async (tx) => {
      const isDone = and(eq(refunds.id, id), eq(refunds.state, 'done'));
      const [row] = await tx.update(refunds).set(changes).where(isDone).returning();
      if (row) await lessRefunded(tx, row);
      return row ?? refund;
    });
  }

  /** Never rejects for one of them. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#parts;
    const isDue = and(isNotNull(refunds.askAt), lte(refunds.askAt, new Date(clock.now())));
    const due = await db.sql.select().from(refunds).where(isDue).orderBy(asc(refunds.askAt)).limit(MOST_AT_ONCE);
    for (const refund of due) {
      if (signal?.aborted) return;
      await this.advance(refund).catch(async (error: unknown) => {
        // A refusal by the wallet is final; everything else is retried with growing delays.
        if (error instanceof Problem && error.problem === 'wallet_short') return;
        log.warn({ err: faultOf(error), refund: refund.id }, 'a refund could not be asked about');
        await this.#set(db.sql, refund, { askAt: this.#askAt(refund) });
      });
    }
  }

  async #take(refund: Refund, payment: Payment): Promise<Refund> {
    const { db, clock, wallets } = this.#parts;
    const { id, organizationId, amount, createdAt, by, reason } = refund;
    const { channel, billId } = payment;
    // The card must not be charged for money that goes back.
    const wasAuto = await endAutoRecharge(db.sql, organizationId);
    try {
      const moved = {
        key: `refund/${id}`,
        ...{ organizationId, amount, channel, billId },
        at: createdAt,
        memo: { by, reason },
      };
      // A refund made at the provider is out already, whether or not the wallet has the money.
      if (by === AT_PROVIDER) await wallets.takeBack({ ...moved, why: 'refund' });
      else await wallets.refund(moved);
    } catch (error) {
      if (error instanceof Problem) {
        await this.#over(refund, 'failed', 'cash_short');
        const own = eq(billingProfiles.organizationId, organizationId);
        if (wasAuto) await db.sql.update(billingProfiles).set({ autoRecharge: true }).where(own);
      }
      throw error;
    }
    if (wasAuto) this.#payments.tell(payment, 'autoRechargeEnded', `refund/${id}/auto-recharge`, {});
    return db.transaction(async (tx) => {
      const [row] = await tx
        .update(refunds)
        .set({ state: 'taken', changedAt: new Date(clock.now()) })
        .where(and(eq(refunds.id, id), eq(refunds.state, 'asked')))
        .returning();
      return row ?? (((await tx.select().from(refunds).where(eq(refunds.id, id)))[0] ?? refund) as Refund);
    });
  }

  async #apply(refund: Refund, payment: Payment, status: RefundStatus): Promise<Refund> {
    const { db, wallets } = this.#parts;
    const { id, organizationId, amount } = refund;
    const { channel, billId } = payment;
    switch (status.state) {
      case 'unknown':
        return this.#set(db.sql, refund, { askAt: this.#askAt(refund) });
      case 'processing': {
        const { providerId } = status;
        return this.#set(db.sql, refund, { state: 'sent', providerId, askAt: this.#askAt(refund) });
      }
      case 'done': {
        const done = await this.#over(refund, 'done', null, status.providerId);
        const args = { amount: moneyText(amount), currency: payment.currency };
        this.#payments.tell(payment, 'refunded', `refund/${id}/done`, args, paymentNotice('refunded').content);
        return done;
      }
      case 'failed':
        // Returns to the wallet, and pays any debt that arose meanwhile.
        await wallets.giveBack({
          key: `refund/${id}/back`,
          ...{ organizationId, amount, channel, billId },
          at: refund.createdAt,
          why: 'refund',
        });
        return this.#over(refund, 'failed', status.failure, status.providerId);
    }
  }

  async #over(refund: Refund, state: 'done' | 'failed', failure: string | null, providerId?: string): Promise<Refund> {
    const { db, clock } = this.#parts;
    const at = new Date(clock.now());
    return db.transaction(async (tx) => {
      // Two refunds of a payment that end at once must see each other.
      const own = eq(payments.id, refund.paymentId);
      const [payment] = await tx.select({ billId: payments.billId }).from(payments).where(own).for('update');
      const [row] = await tx
        .update(refunds)
        .set({ state, failure, askAt: null, changedAt: at, ...(providerId && { providerId }) })
        .where(and(eq(refunds.id, refund.id), inArray(refunds.state, [...UNDER_WAY])))
        .returning();
      if (!row) return ((await tx.select().from(refunds).where(eq(refunds.id, refund.id)))[0] ?? refund) as Refund;
      if (state === 'failed') await lessRefunded(tx, row);
      // Beside one of ours, others may be made at the provider.
      if (payment && !(await isUnderWay(tx, row.paymentId))) await endRefunding(tx, payment.billId, at);
      return row;
    });
  }

  #askAt({ createdAt }: Refund): Date {
    const now = this.#parts.clock.now();
    return new Date(now + askAgainInMs(now - createdAt.getTime()));
  }

  async #set(connection: Sql, refund: Refund, changes: Partial<Refund>): Promise<Refund> {
    const [row] = await connection
      .update(refunds)
      .set({ ...changes, changedAt: new Date(this.#parts.clock.now()) })
      .where(and(eq(refunds.id, refund.id), inArray(refunds.state, [...UNDER_WAY])))
      .returning();
    return row ?? ((await this.find(refund.id)) as Refund);
  }
}

const idOfApproved = (approval: string): string => approval.replace(/^apr-/, 'rfd-');

/** Whether a refund of this payment is. */
async function isUnderWay(tx: Sql, paymentId: string): Promise<boolean> {
  const those = and(eq(refunds.paymentId, paymentId), inArray(refunds.state, [...UNDER_WAY]));
  return (await tx.select({ id: refunds.id }).from(refunds).where(those).limit(1)).length > 0;
}

async function lessRefunded(tx: Sql, { paymentId, amount }: Refund): Promise<void> {
  const less = sql`${payments.refunded} - ${`${amount}`}::bigint`;
  await tx.update(payments).set({ refunded: less }).where(eq(payments.id, paymentId));
}
