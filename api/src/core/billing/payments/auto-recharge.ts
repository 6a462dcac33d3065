// Automatic top-ups: below a balance, by an amount, up to a daily limit. Never two at once; a failed card switches them off until
// somebody turns them on again.
import { paymentNotice } from '@gantry/contract/billing/payments.ts';
import { type Micros, micros, moneyText, sumOf } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { wallets } from '../../../platform/db/schema/ledger.ts';
import { billingProfiles, paymentMethods, payments } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { ChannelAway } from './channel.ts';
import { requireWithin } from './limits.ts';
import type { Payment } from './payment-store.ts';
import { faultOf, type Payments, type PaymentsParts, paymentId } from './payments.ts';

export interface AutoRechargeSettings {
  isOn: boolean;
  /** Null until they were set once. */
  below: Micros | null;
  amount: Micros | null;
  dailyLimit: Micros | null;
}

export class AutoRecharge {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;
  /** The day on which this process last notified an organisation of its limit. */
  readonly #limitNotices = new Map<string, string>();

  constructor(parts: PaymentsParts, ofPayments: Payments) {
    this.#parts = parts;
    this.#payments = ofPayments;
  }

  async get(organizationId: string): Promise<AutoRechargeSettings & { currency: string }> {
    const { currency } = await this.#parts.wallets.balances(organizationId);
    const own = eq(billingProfiles.organizationId, organizationId);
    const [row] = await this.#parts.db.sql.select().from(billingProfiles).where(own);
    return {
      isOn: row?.autoRecharge ?? false,
      below: row?.rechargeBelow ?? null,
      amount: row?.rechargeAmount ?? null,
      dailyLimit: row?.rechargeDailyLimit ?? null,
      currency,
    };
  }

  /** Throws amount_outside, auto_recharge_limit, auto_recharge_card. */
  async set(
    organizationId: string,
    wish: { isOn: boolean; below: Micros; amount: Micros; dailyLimit: Micros },
  ): Promise<void> {
    const { isOn, below, amount, dailyLimit } = wish;
    const { currency } = await this.#parts.wallets.balances(organizationId);
    requireWithin(this.#parts.limits, amount, currency);
    if (dailyLimit < amount) throw problem('auto_recharge_limit', {}, { field: 'daily_limit' });
    await this.#parts.db.transaction(async (tx) => {
      const own = eq(billingProfiles.organizationId, organizationId);
      await tx.select().from(billingProfiles).where(own).for('update');
      if (isOn && !(await defaultCard(tx, organizationId))) throw problem('auto_recharge_card');
      const changes = {
        autoRecharge: isOn,
        rechargeBelow: below,
        rechargeAmount: amount,
        rechargeDailyLimit: dailyLimit,
      };
      await tx.update(billingProfiles).set(changes).where(own);
    });
  }

  /** Tops up all wallets below their threshold. Never rejects because of one of them. */
  async sweep(signal?: AbortSignal): Promise<void> {
    if (this.#parts.mayCharge?.() === false) return;
    const low = await rowsOf<{ id: string }>(
      this.#parts.db.sql,
      sql`select p.org_id as id from billing_profiles p join wallets w using (org_id)
          join organizations o on o.id = p.org_id and o.deleted_at is null
        where p.auto_recharge and w.cash + w.credits - w.debt < p.recharge_below
          and not exists (select from payments a where a.org_id = p.org_id and a.initiator = 'auto' and a.state = 'open')
        order by p.org_id`,
    );
    for (const { id } of low) {
      if (signal?.aborted) return;
      await this.check(id).catch((error: unknown) => {
        this.#parts.log.warn({ err: faultOf(error), organization: id }, 'an automatic recharge did not start');
      });
    }
  }

  /** Recharges if it is time. Resolves with the payment that it started. */
  async check(organizationId: string): Promise<Payment | undefined> {
    const started = await this.#parts.db.transaction((tx) => this.#begin(tx, organizationId));
    if (!started) return undefined;
    try {
      return (await this.#payments.settle(started, 'begin')).payment;
    } catch (error) {
      if (!(error instanceof ChannelAway)) throw error;
      // It is open, and asked about.
      this.#parts.log.warn({ err: faultOf(error), payment: started.id }, 'a provider did not answer');
      return started;
    }
  }

  /** The profile's row is the lock: the second caller sees the first one's payment. */
  async #begin(tx: Sql, organizationId: string): Promise<Payment | undefined> {
    const { clock } = this.#parts;
    const own = eq(billingProfiles.organizationId, organizationId);
    const [profile] = await tx.select().from(billingProfiles).where(own).for('update');
    const { autoRecharge, rechargeBelow: below, rechargeAmount: amount, rechargeDailyLimit: limit } = profile ?? {};
    if (!autoRecharge || below == null || amount == null || limit == null) return undefined;
    const isLiving = and(eq(organizations.id, organizationId), isNull(organizations.deletedAt));
    if ((await tx.select({ id: organizations.id }).from(organizations).where(isLiving)).length === 0) return undefined;
    const today = await this.#today(tx, organizationId);
    if (today.some(({ state }) => state === 'open')) return undefined;
    // Read after the payments: a payment is posted before its row says paid.
    const [wallet] = await tx.select().from(wallets).where(eq(wallets.organizationId, organizationId));
    if (!wallet || wallet.cash + wallet.credits - wallet.debt >= below) return undefined;
    const { currency } = wallet;
    if (sumOf(today.map((one) => one.amount)) + amount > limit) {
      this.#tellLimit(organizationId, limit, currency);
      return undefined;
    }
    const methodId = await defaultCard(tx, organizationId);
    if (!methodId) return undefined;
    const id = paymentId(organizationId, undefined);
    const initiator = 'auto';
    await this.#payments.insert(tx, {
      id,
      organizationId,
      accountId: null,
      channel: 'card',
      amount,
      currency,
      methodId,
      initiator,
    });
    this.#parts.log.info(
      { organization: organizationId, payment: id, at: clock.now() },
      'an automatic recharge starts',
    );
    return (await tx.select().from(payments).where(eq(payments.id, id)))[0];
  }

  /** Payments that may still cost something, or have. */
  #today(tx: Sql, organizationId: string): Promise<Payment[]> {
    const day = new Date(Math.floor(this.#parts.clock.now() / DAY_MS) * DAY_MS);
    const isOurs = and(eq(payments.organizationId, organizationId), eq(payments.initiator, 'auto'));
    const counts = and(gte(payments.createdAt, day), inArray(payments.state, ['open', 'paid']));
    return tx
      .select()
      .from(payments)
      .where(and(isOurs, sql`(${counts} or ${payments.state} = 'open')`));
  }

  #tellLimit(organizationId: string, limit: Micros, currency: string): void {
    const day = new Date(this.#parts.clock.now()).toISOString().slice(0, 10);
    if (this.#limitNotices.get(organizationId) === day) return;
    this.#limitNotices.set(organizationId, day);
    const { title, content } = paymentNotice('autoRechargeLimit');
    const args = { limit: moneyText(micros(limit)), currency };
    this.#parts.tell({ key: `auto-recharge/${organizationId}/${day}/limit`, organizationId, title, content, args });
  }
}

const DAY_MS = 86_400_000;

async function defaultCard(tx: Sql, organizationId: string): Promise<string | undefined> {
  const isUsable = and(isNull(paymentMethods.removedAt), isNotNull(paymentMethods.providerId));
  const isDefault = and(eq(paymentMethods.organizationId, organizationId), eq(paymentMethods.isDefault, true));
  const [row] = await tx.select({ id: paymentMethods.id }).from(paymentMethods).where(and(isDefault, isUsable));
  return row?.id;
}
