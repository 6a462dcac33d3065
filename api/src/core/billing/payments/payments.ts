// Top-ups. A payment is a row and a bill; the money is posted under the payment's own key, so that webhook, poll and a returning
// customer post it once between them. An interruption (a killed process, a provider that is down) leaves an open row, and open
// rows are polled until the provider knows.
import { createHash, randomBytes } from 'node:crypto';
import type { BillStatus } from '@gantry/contract/billing/bill.ts';
import {
  PAYMENT_FAILURES,
  type PaymentFailure,
  type PaymentNotice,
  paymentNotice,
} from '@gantry/contract/billing/payments.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { type Micros, micros, moneyText, most, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Database, Sql } from '../../../platform/db/open.ts';
import type { PayersNotice } from '../../identity/organizations/notify-payers.ts';
import type { Wallets } from '../ledger/wallets.ts';
import {
  type Channel,
  ChannelAway,
  type ChannelName,
  type NextStep,
  type Order,
  type PaymentStatus,
} from './channel.ts';
import { type Limits, requireWithin } from './limits.ts';
import { isPayable } from './minor-units.ts';
import {
  endAutoRecharge,
  findPayment,
  findPaymentIn,
  insertPayment,
  type NewPayment,
  type Payment,
  readBillStatus,
  readCustomerId,
  readDefaultMethod,
  readDuePayments,
  readProvidersMethod,
  requireMethod,
  writeCustomerId,
  writeFailed,
  writePaid,
  writePayment,
  writeUnderWay,
} from './payment-store.ts';
import { askAgainInMs, GIVEN_UP_AFTER_MS, NEVER_REACHED_AFTER_MS } from './polling.ts';

export interface PaymentsParts {
  db: Database;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  wallets: Pick<Wallets, 'balances' | 'deposit' | 'refund' | 'takeBack' | 'giveBack' | 'payFee'>;
  channels: readonly Channel[];
  limits: Limits;
  /** Whether cards are charged by themselves now; they are where absent. */
  mayCharge?(): boolean;
  tell(notice: PayersNotice): void;
}

/** A payment as it is shown: `next` is requested from the provider, and never stored. */
export interface SeenPayment {
  payment: Payment;
  status: BillStatus;
  next: NextStep | undefined;
  isTest: boolean;
}

export interface RechargeWish {
  organizationId: string;
  accountId: string;
  channel: ChannelName;
  amount: Micros;
  /** For the card channel; without one the page asks for a card. */
  methodId?: string | undefined;
  /** The same for a call that is repeated. */
  key: string | undefined;
}

/** Staff's statement about a payment. */
export interface Confirmation {
  by: string;
  reason: string;
  approved?: { approval: string; approvedBy: string; approvalReason: string } | undefined;
  /** Throws where a second person is needed: then nothing is written down. */
  mayAlone(tx: Sql): Promise<void>;
}

type Way = 'begin' | 'look' | 'giveUp';

const MOST_AT_ONCE = 100;

export class Payments {
  readonly #parts: PaymentsParts;

  constructor(parts: PaymentsParts) {
    this.#parts = parts;
  }

  get channels(): readonly Channel[] {
    return this.#parts.channels;
  }

  /** Throws payment_channel_missing if it is not offered here. */
  channel(name: string): Channel {
    const found = this.#parts.channels.find((channel) => channel.name === name);
    if (!found) throw problem('payment_channel_missing', { channel: name });
    return found;
  }

  /** Starts it at the provider. Where that does not answer, the payment is open all the same, and asked about. */
  async recharge(wish: RechargeWish): Promise<SeenPayment> {
    const { db, wallets, limits } = this.#parts;
    const { organizationId, amount } = wish;
    const channel = this.channel(wish.channel);
    const { currency } = await wallets.balances(organizationId);
    requireWithin(limits, amount, currency);
    const methodId = wish.methodId ?? (channel.cards ? await readDefaultMethod(db.sql, organizationId) : undefined);
    if (wish.methodId !== undefined) await requireMethod(db.sql, organizationId, wish.methodId);
    const id = paymentId(organizationId, wish.key);
    const payment = { ...wish, id, currency, methodId: methodId ?? null, initiator: 'person' as const };
    await db.transaction((tx) => this.insert(tx, payment));
    return this.#see(await this.#must(organizationId, id), 'begin');
  }

  /** Within a transaction. A payment that is there already stays as it is. */
  insert(tx: Sql, payment: NewPayment): Promise<void> {
    return insertPayment(tx, payment, this.#now());
  }

  /** Asks the provider first if the payment is open: a customer who returns from a bank's page reads this. */
  async see(organizationId: string, id: string): Promise<SeenPayment> {
    return this.#see(await this.#must(organizationId, id), 'look');
  }

  /** Calls it off. Throws payment_not_open for one that is over. */
  async giveUp(organizationId: string, id: string): Promise<SeenPayment> {
    const payment = await this.#must(organizationId, id);
    if (payment.state !== 'open') throw problem('payment_not_open', { payment: id, state: payment.state });
    return this.#see(payment, 'giveUp');
  }

  /** The payment that staff may confirm: a bank transfer, or one that staff looked at because its amount differs from the one asked for. */
  async confirmable(id: string, amount: Micros): Promise<Payment> {
    const payment = await this.find(id);
    if (!payment) throw problem('not_found', { what: id });
    if (payment.channel !== 'bank_transfer' && payment.failure !== 'amount_differs')
      throw problem('payment_channel_missing', { channel: payment.channel });
    if (payment.state === 'paid' && payment.paid !== amount)
      throw problem('payment_not_open', { payment: id, state: payment.state });
    const { currency } = payment;
    if (!isPayable(amount, currency)) throw problem('amount_unit', { field: 'amount', currency }, { field: 'amount' });
    return payment;
  }

  /** So much of it has arrived. Confirmed twice with the same amount, it is confirmed. */
  async confirmTransfer(id: string, amount: Micros, said: Confirmation): Promise<SeenPayment> {
    const payment = await this.confirmable(id, amount);
    if (payment.state === 'paid') return this.#shown(payment, undefined);
    // However much it is: it is there.
    return this.#shown(await this.#pay(payment, amount, payment.providerId ?? id, said), undefined);
  }

  find(id: string): Promise<Payment | undefined> {
    return findPayment(this.#parts.db.sql, id);
  }

  /** By our id, or the provider's. */
  findAny(channel: ChannelName, id: string): Promise<Payment | undefined> {
    return findPaymentIn(this.#parts.db.sql, channel, id);
  }

  /**
   * Reads the state, and does what follows. Safe at any time and in any order: the provider's object decides. Throws ChannelAway
   * if the provider cannot say.
   */
  async settle(payment: Payment, way: Way = 'look'): Promise<{ payment: Payment; next: NextStep | undefined }> {
    const channel = this.channel(payment.channel);
    return this.#apply(payment, await channel[way](await this.orderOf(payment)));
  }

  /** The payer has not cancelled anything, and gets no such message. */
  async #expire(payment: Payment): Promise<{ payment: Payment }> {
    const status = await this.channel(payment.channel).giveUp(await this.orderOf(payment));
    const isCalledOff = status.state === 'failed' && status.failure === 'given_up';
    return this.#apply(payment, isCalledOff ? { ...status, failure: 'timed_out' } : status);
  }

  async orderOf(payment: Payment): Promise<Order> {
    const { id, organizationId, amount, currency, createdAt, next, initiator, providerId, methodId } = payment;
    const { cards } = this.channel(payment.channel);
    const method = methodId ? await readProvidersMethod(this.#parts.db.sql, methodId) : undefined;
    return {
      ...{ id, organizationId, amount, currency, createdAt, next, method },
      providerId: providerId ?? undefined,
      customerId: cards ? await this.customerId(organizationId) : undefined,
      isAttended: initiator === 'person',
    };
  }

  /** The provider's name for an organisation, which is asked for once. */
  async customerId(organizationId: string): Promise<string> {
    const connection = this.#parts.db.sql;
    const { cards } = this.channel('card');
    const known = await readCustomerId(connection, organizationId);
    if (known) return known;
    if (!cards) throw new Error('the card channel keeps no cards');
    const made = await cards.customer(organizationId);
    await writeCustomerId(connection, organizationId, made);
    return made;
  }

  /** Payments that are due to be asked about. Never rejects for one of them. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { db, clock, log } = this.#parts;
    const due = await readDuePayments(db.sql, this.#now(), MOST_AT_ONCE);
    const away = new Set<ChannelName>();
    for (const payment of due) {
      if (signal?.aborted) return;
      // One that does not answer must not keep the others waiting: the next of its payments is asked about in the next round.
      if (away.has(payment.channel as ChannelName)) continue;
      try {
        const isLate = clock.now() - payment.createdAt.getTime() > GIVEN_UP_AFTER_MS;
        const { payment: after } = await (isLate && payment.providerId ? this.#expire(payment) : this.settle(payment));
        if (after.state === 'paid' && payment.initiator === 'person') this.#tellPaid(after);
      } catch (error) {
        if (error instanceof ChannelAway) away.add(payment.channel as ChannelName);
        log.warn({ err: faultOf(error), payment: payment.id }, 'a payment could not be asked about');
        await this.#askLater(payment);
      }
    }
  }

  /** For triggers while nobody is looking: the person is notified. */
  async heard(payment: Payment): Promise<Payment> {
    const wasOpen = payment.state !== 'paid';
    const { payment: after } = await this.settle(payment);
    if (wasOpen && after.state === 'paid' && after.initiator === 'person') this.#tellPaid(after);
    return after;
  }

  async #see(payment: Payment, way: Way): Promise<SeenPayment> {
    if (payment.state !== 'open') return this.#shown(payment, undefined);
    try {
      const { payment: after, next } = await this.settle(payment, way);
      return await this.#shown(after, next);
    } catch (error) {
      if (!(error instanceof ChannelAway)) throw error;
      this.#parts.log.warn({ err: faultOf(error), payment: payment.id }, 'a provider did not answer');
      if (way === 'giveUp') throw problem('provider_away', {}, { retryAfterSeconds: 5 });
      return this.#shown(payment, undefined);
    }
  }

  async #shown(payment: Payment, next: NextStep | undefined): Promise<SeenPayment> {
    const status = (await readBillStatus(this.#parts.db.sql, payment)) ?? 'unpaid';
    const isTest = this.#parts.channels.find(({ name }) => name === payment.channel)?.isTest ?? false;
    return { payment, status, next, isTest };
  }

  async #apply(payment: Payment, status: PaymentStatus): Promise<{ payment: Payment; next: NextStep | undefined }> {
    const ageMs = this.#parts.clock.now() - payment.createdAt.getTime();
    switch (status.state) {
      case 'unknown':
        if (ageMs > NEVER_REACHED_AFTER_MS)
          return { payment: await this.#fail(payment, undefined, 'never_reached'), next: undefined };
        return { payment: await this.#askLater(payment), next: undefined };
      case 'failed':
        return { payment: await this.#fail(payment, status.providerId, status.failure), next: undefined };
      case 'waits':
        // Nobody is there to confirm it.
        if (payment.initiator === 'auto' && status.providerId)
          return this.#giveUpUnattended({ ...payment, providerId: status.providerId });
        return { payment: await this.#open(payment, status.providerId, status.keep), next: status.next };
      case 'processing':
        return { payment: await this.#open(payment, status.providerId), next: undefined };
      case 'paid':
        return { payment: await this.#arrived(payment, status), next: undefined };
    }
  }

  async #giveUpUnattended(payment: Payment): Promise<{ payment: Payment; next: undefined }> {
    const status = await this.channel(payment.channel).giveUp(await this.orderOf(payment));
    if (status.state === 'failed')
      return {
        payment: await this.#fail(payment, payment.providerId ?? undefined, 'authentication_needed'),
        next: undefined,
      };
    if (status.state === 'waits') return { payment: await this.#askLater(payment), next: undefined };
    return { payment: (await this.#apply(payment, status)).payment, next: undefined };
  }

  async #arrived(payment: Payment, status: Extract<PaymentStatus, { state: 'paid' }>): Promise<Payment> {
    const { amount, currency, providerId } = status;
    // Posted is posted, including what staff said it was.
    if (payment.state === 'paid') return this.#pay(payment, payment.paid, providerId);
    if (amount === payment.amount && currency === payment.currency) return this.#pay(payment, amount, providerId);
    // Nothing is posted that nobody asked for: staff see it in the list of payments.
    this.#parts.log.error(
      { payment: payment.id, asked: moneyText(payment.amount), came: moneyText(amount), currency },
      'a provider tells of another amount than was asked for',
    );
    const changes = { providerId, failure: 'amount_differs', askAt: null };
    const noted = await this.#set(payment, changes, ['open', 'failed']);
    if (noted.failure === 'amount_differs' && noted.initiator === 'auto') {
      await endAutoRecharge(this.#parts.db.sql, noted.organizationId);
      this.#tellStopped(noted, 'amount_differs');
    }
    return noted;
  }

  async #pay(payment: Payment, amount: Micros, providerId: string, said?: Confirmation): Promise<Payment> {
    const { db, wallets } = this.#parts;
    const { id, organizationId, channel, billId } = payment;
    const paid = { providerId, paid: amount, paidAt: this.#now() };
    const by = said && { confirmedBy: said.by, approval: said.approved?.approval ?? null };
    const noted = await db.transaction(async (tx) => {
      await said?.mayAlone(tx);
      return writePaid(tx, payment, { ...paid, ...by });
    });
    if (noted.paid !== amount) throw problem('payment_not_open', { payment: id, state: noted.state });
    const at = noted.paidAt as Date;
    const memo = { providerId, ...(said && { by: said.by, reason: said.reason, ...said.approved }) };
    await wallets.deposit({ key: `payment/${id}`, organizationId, amount, at, channel, billId, memo });
    const done = await this.#set(payment, { state: 'paid', failure: null, askAt: null, next: {} });
    if (payment.state !== 'paid' && payment.initiator === 'auto')
      this.tell(done, 'autoRecharged', `payment/${id}/paid`, { amount: moneyText(amount), currency: payment.currency });
    return done;
  }

  /** Only an open payment fails: money that arrived stays, whatever an older answer says. */
  async #fail(payment: Payment, providerId: string | undefined, failure: PaymentFailure): Promise<Payment> {
    const at = this.#now();
    const failed = await this.#parts.db.transaction(async (tx) => {
      const row = await writeFailed(tx, payment, failure, { providerId, at });
      // A card that failed is not tried again and again.
      if (row?.initiator === 'auto') await endAutoRecharge(tx, payment.organizationId);
      return row;
    });
    if (!failed) return (await this.find(payment.id)) as Payment;
    if (failed.initiator === 'auto') this.#tellStopped(failed, failure);
    return failed;
  }

  /** The provider has it. */
  #open(payment: Payment, providerId: string | undefined, keep?: Record<string, string>): Promise<Payment> {
    const at = this.#now();
    const changes = { at, askAt: this.#askAt(payment), ...(providerId && { providerId }), ...(keep && { next: keep }) };
    return this.#parts.db.transaction((tx) => writeUnderWay(tx, payment, changes));
  }

  /** A transfer's provider is a person. */
  #askAt(payment: Payment): Date | null {
    if (payment.channel === 'bank_transfer') return null;
    const now = this.#parts.clock.now();
    return new Date(now + askAgainInMs(now - payment.createdAt.getTime()));
  }

  #askLater(payment: Payment): Promise<Payment> {
    return this.#set(payment, { askAt: this.#askAt(payment) }, ['open']);
  }

  #set(payment: Payment, changes: Partial<Payment>, only?: Payment['state'][]): Promise<Payment> {
    return writePayment(this.#parts.db.sql, payment, { ...changes, changedAt: this.#now() }, only);
  }

  async #must(organizationId: string, id: string): Promise<Payment> {
    const found = await this.find(id);
    if (found?.organizationId !== organizationId) throw problem('not_found', { what: id });
    return found;
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }

  tell(
    { organizationId }: Payment,
    name: PaymentNotice,
    key: string,
    args: Record<string, string>,
    content: Words = paymentNotice(name).content,
  ): void {
    this.#parts.tell({ key, organizationId, title: paymentNotice(name).title, content, args });
  }

  #tellPaid(payment: Payment): void {
    const { id, paid, currency } = payment;
    this.tell(payment, 'latePaid', `payment/${id}/paid`, { amount: moneyText(paid), currency });
  }

  #tellStopped(payment: Payment, failure: PaymentFailure): void {
    const { id, amount, currency } = payment;
    const { content } = paymentNotice('autoRechargeStopped');
    const why = PAYMENT_FAILURES[failure];
    const said = {
      en: content.en.replace('%{why}', why.en),
      zh: content.zh.replace('%{why}', why.zh),
      ja: content.ja.replace('%{why}', why.ja),
    };
    this.tell(payment, 'autoRechargeStopped', `payment/${id}/stopped`, { amount: moneyText(amount), currency }, said);
  }
}

/** One call, however often it is repeated under its key, is one payment. */
export function paymentId(organizationId: string, key: string | undefined): string {
  const hex = key
    ? createHash('sha256').update(`${organizationId}\n${key}`).digest('hex').slice(0, 20)
    : randomBytes(10).toString('hex');
  return `pay-${hex}`;
}

/** The part of a failure that may be logged: a provider's errors carry secrets, ours do not. */
export const faultOf = (error: unknown): unknown => (error instanceof ChannelAway ? { message: error.message } : error);

/** How much may still be refunded. `chargedBack`: what a bank took back and keeps. */
export const leftOf = ({ paid, refunded }: Payment, chargedBack: Micros): Micros =>
  most(micros(paid - refunded - chargedBack), ZERO);
