// Money of a payment that went back without us: disputes, and refunds made at the provider. However we hear of one, all disputes and
// refunds of the payment are read and their present sum is booked, so news may come late, twice and in any order.
import { type Micros, micros, moneyText, sumOf } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, exists, isNotNull, isNull, not, sql } from 'drizzle-orm';
import { type DisputeMove, disputes, payments } from '../../../platform/db/schema/payments.ts';
import { type Channel, ChannelAway, type ChannelName, type Dispute } from './channel.ts';
import { gravestOf, isDecided } from './dispute-status.ts';
import { endAutoRecharge, type Payment } from './payment-store.ts';
import { faultOf, type Payments, type PaymentsParts } from './payments.ts';
import type { Refunds } from './refunds.ts';

const MOST_AT_ONCE = 100;

type Reversed = Awaited<ReturnType<NonNullable<Channel['reversals']>>>;

export class Reversals {
  readonly #parts: PaymentsParts;
  readonly #payments: Payments;
  readonly #refunds: Refunds;

  constructor(parts: PaymentsParts, ofPayments: Payments, refunds: Refunds) {
    this.#parts = parts;
    this.#payments = ofPayments;
    this.#refunds = refunds;
  }

  /** Throws ChannelAway when the provider cannot say. */
  async read(payment: Payment): Promise<void> {
    // Only what arrived can go back.
    if (payment.state !== 'paid') return;
    const found = await this.#ask(payment);
    if (!found) return;
    const isByStaff = payment.disputeBooking !== null;
    if (isByStaff) await this.#note(payment, found);
    else for (const dispute of found.disputes) await this.#book(payment, dispute, found.turn);
    for (const made of found.refunds) {
      const isOurs = made.ours !== undefined && (await this.#refunds.find(made.ours)) !== undefined;
      const refund = isOurs ? undefined : await this.#refunds.madeThere(payment, made);
      if (refund) await this.#refunds.heard(refund);
    }
  }

  /**
   * Staff's decision about disputes that an earlier version noted: `now` books their amounts, `by_hand` leaves them to staff for
   * good. Throws not_found if there is nothing to decide, provider_away if the sweep has to book them.
   */
  async decide(paymentId: string, booking: 'now' | 'by_hand'): Promise<void> {
    const [payment] = await this.#parts.db.sql
      .update(payments)
      .set({ disputeBooking: booking === 'now' ? null : booking, changedAt: new Date(this.#parts.clock.now()) })
      .where(and(eq(payments.id, paymentId), eq(payments.disputeBooking, 'undecided')))
      .returning();
    if (!payment) throw problem('not_found', { what: paymentId });
    await this.read(payment).catch((error: unknown) => {
      if (!(error instanceof ChannelAway)) throw error;
      throw problem('provider_away', {}, { retryAfterSeconds: 5 });
    });
  }

  /** Disputes that staff decided to book when the provider did not answer. Never rejects because of one of them. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { db, log } = this.#parts;
    const isBooked = exists(
      db.sql.select({ id: disputes.id }).from(disputes).where(eq(disputes.paymentId, payments.id)),
    );
    const noted = and(
      eq(payments.state, 'paid'),
      isNotNull(payments.dispute),
      isNull(payments.disputeBooking),
      not(isBooked),
    );
    for (const payment of await db.sql.select().from(payments).where(noted).limit(MOST_AT_ONCE)) {
      if (signal?.aborted) return;
      await this.read(payment).catch((error: unknown) => {
        log.warn({ err: faultOf(error), payment: payment.id }, 'disputes of a payment could not be read');
      });
    }
  }

  /** `turn`: which of the payment's questions it was. */
  async #ask(payment: Payment): Promise<(Reversed & { turn: number }) | undefined> {
    const channel = this.#payments.channel(payment.channel);
    if (!channel.reversals) return undefined;
    const order = await this.#payments.orderOf(payment);
    const [row] = await this.#parts.db.sql
      .update(payments)
      .set({ reversalTurn: sql`${payments.reversalTurn} + 1` })
      .where(eq(payments.id, payment.id))
      .returning({ turn: payments.reversalTurn });
    return row && { ...(await channel.reversals(order)), turn: row.turn };
  }

  /** Staff see how the disputes stand. */
  async #note({ id }: Payment, { disputes: all, turn }: Reversed & { turn: number }): Promise<void> {
    const dispute = gravestOf(all.map(({ status }) => status));
    const isNewest = and(eq(payments.id, id), eq(payments.reversalTurn, turn));
    if (dispute !== undefined) await this.#parts.db.sql.update(payments).set({ dispute }).where(isNewest);
  }

  async #book(payment: Payment, dispute: Dispute, turn: number): Promise<void> {
    const { wallets } = this.#parts;
    const { organizationId, billId } = payment;
    const channel = payment.channel as ChannelName;
    const { id, moves, hasEndedAuto } = await this.#noted(payment, dispute, turn);
    for (const [index, move] of moves.entries()) {
      const key = `dispute/${id}/${index}`;
      const amount = micros(BigInt(move.amount));
      const posted = { key, organizationId, at: new Date(move.at), channel };
      if (move.of === 'fee') await wallets.payFee({ ...posted, amount, currency: move.currency });
      else if (amount > 0n) await wallets.takeBack({ ...posted, amount, billId, why: 'chargeback' });
      else await wallets.giveBack({ ...posted, amount: micros(-amount), billId, why: 'chargeback' });
    }
    if (hasEndedAuto)
      this.#payments.tell(payment, 'autoRechargeEnded', `dispute/${id}/${moves.length}/autoRechargeEnded`, {});
    this.#tell(payment, id, dispute, moves);
  }

  /** Its row, with the move from the booked amount to the provider's. */
  #noted(
    payment: Payment,
    dispute: Dispute,
    turn: number,
  ): Promise<{ id: string; moves: DisputeMove[]; hasEndedAuto: boolean }> {
    const { db, clock, log } = this.#parts;
    const at = new Date(clock.now());
    const id = `${payment.channel}/${dispute.providerId}`;
    const { id: paymentId, organizationId } = payment;
    return db.transaction(async (tx) => {
      const empty = { id, paymentId, organizationId, status: '', moves: [], turn: 0, createdAt: at, changedAt: at };
      await tx.insert(disputes).values(empty).onConflictDoNothing();
      const [row = empty] = await tx.select().from(disputes).where(eq(disputes.id, id)).for('update');
      // This answer was asked for before the one that is booked already.
      const isLate = turn <= row.turn || (isDecided(row.status) && !isDecided(dispute.status));
      if (isLate) return { id, moves: row.moves, hasEndedAuto: false };
      const moves: DisputeMove[] = [...row.moves];
      const wanted = [
        { of: 'payment', amount: dispute.taken, currency: payment.currency },
        { of: 'fee', amount: dispute.fee, currency: dispute.feeCurrency },
      ] as const;
      for (const { of, amount, currency } of wanted) {
        const missing = amount - bookedOf(moves, of);
        if (missing !== 0n) moves.push({ of, amount: `${missing}`, currency, at: at.toISOString() });
      }
      const isNews = row.status !== dispute.status || moves.length > row.moves.length;
      if (!isNews) {
        await tx.update(disputes).set({ turn }).where(eq(disputes.id, id));
        return { id, moves, hasEndedAuto: false };
      }
      const { status } = dispute;
      await tx.update(disputes).set({ status, moves, turn, changedAt: at }).where(eq(disputes.id, id));
      const known = await tx
        .select({ status: disputes.status })
        .from(disputes)
        .where(eq(disputes.paymentId, paymentId))
        .orderBy(asc(disputes.createdAt), asc(disputes.id));
      const gravest = gravestOf(known.map((one) => one.status)) ?? status;
      await tx.update(payments).set({ dispute: gravest, changedAt: at }).where(eq(payments.id, paymentId));
      log.warn({ payment: paymentId, organization: organizationId, dispute: status }, 'a payment is disputed');
      // The card must not be charged again for what its holder disputes. People may turn this on again; the end of the dispute does not.
      const isDoubted =
        row.status === '' ? !isDecided(status) || dispute.taken > 0n : moves.slice(row.moves.length).some(isTaken);
      return { id, moves, hasEndedAuto: isDoubted && (await endAutoRecharge(tx, organizationId)) };
    });
  }

  #tell(payment: Payment, id: string, { status, taken }: Dispute, moves: readonly DisputeMove[]): void {
    const { currency } = payment;
    const say = (name: 'disputed' | 'disputeWon' | 'disputeLost', amount: Micros) =>
      this.#payments.tell(payment, name, `dispute/${id}/${name}`, { amount: moneyText(amount), currency });
    const most = sumOf(moves.filter(isTaken).map(({ amount }) => micros(BigInt(amount))));
    const back = micros(most - taken);
    // An inquiry moves no money, so nobody is notified. Won money comes back a moment later.
    if (most === 0n || (status === 'won' && back === 0n)) return;
    if (status === 'won') say('disputeWon', back);
    else if (status === 'lost') say('disputeLost', taken);
    else say('disputed', taken);
  }
}

const isTaken = ({ of, amount }: DisputeMove): boolean => of === 'payment' && BigInt(amount) > 0n;

const bookedOf = (moves: readonly DisputeMove[], of: DisputeMove['of']): Micros =>
  sumOf(moves.filter((move) => move.of === of).map(({ amount }) => micros(BigInt(amount))));
