// Says on every object that costs whether credit is reserved for what it is now, and until when: the operator makes nothing
// without. Level-triggered per object, one after the other within an organisation, so that each sees what the one before took.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { hostCapOf, PLANS } from '@gantry/contract/billing/plans.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { type Micros, ZERO } from '@gantry/contract/fields/money.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { ratePerHour, rentalPrice } from '../prices/rate.ts';
import { Agenda } from './agenda.ts';
import { type Decision, decide, type Grant, isReserved, RETRY_MS, type Reserve, untilOf } from './decide.ts';
import { decideRental, instantText } from './decide-rental.ts';
import { type Refusal, refusalOf, roomOf, sentenceOf, shown } from './may-spend.ts';
import { chargeOrders, isRental, paidMonths } from './orders.ts';
import type { Accrual, Billed, GateParts, Verdict } from './parts.ts';
import { purseOf } from './purse.ts';
import { hostsBefore, planRental } from './rental.ts';

const LOOK_FOR_ORPHANS_MS = 10 * 60_000;
const ORPHANS = ' orphans';

export class CreditGate {
  readonly #parts: GateParts;
  readonly #agenda: Agenda;
  /** uid → for how long, and at which price by the hour, its credit was granted by this process. */
  readonly #granted = new Map<string, { ms: number; perHour: Micros | undefined }>();
  /** Organisation → keys that wait for money, and those that are being decided. */
  readonly #refused = new Map<string, Set<string>>();
  /** Organisations that a hold is being made in: a lane makes one at a time. */
  readonly #holding = new Set<string>();
  /** Uids that nothing is held for, as far as this process has seen to it. */
  readonly #released = new Set<string>();
  #off: (() => void)[] = [];

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#agenda = new Agenda({
      clock: parts.clock,
      work: (key) => (key === ORPHANS ? this.#releaseOrphans() : this.#look(key)),
      laneOf: (key) => key.split('/')[1] ?? '',
      failed: (key, error) => parts.log.warn({ err: error, object: key }, 'credit could not be decided, and will be'),
    });
  }

  /** Follows the caches, which are filled, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, wallets, tariffs } = this.#parts;
    this.#off = [
      cluster.on(({ before, after }) => this.#changed(before, after)),
      wallets.on((organizationId) => {
        // A hold of ours leaves the others less, and wakes nobody.
        if (!this.#holding.delete(organizationId)) this.#moneyMoved(organizationId);
      }),
      tariffs.on(() => this.#lookAtAll()),
    ];
    this.#lookAtAll();
    this.#agenda.add(ORPHANS);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
    for (const off of this.#off) off();
    await this.#agenda.stop();
  }

  /** Of an organisation whose caps or plan were changed. */
  moneyMoved(organizationId: string): void {
    this.#moneyMoved(organizationId);
  }

  get isIdle(): boolean {
    return this.#agenda.isIdle;
  }

  #lookAtAll(): void {
    for (const billed of this.#parts.cluster.list()) this.#agenda.add(keyOf(billed));
  }

  #changed(before: Billed | undefined, after: Billed | undefined): void {
    const key = keyOf((after ?? before) as Billed);
    // Gone, or another of the same name: what was held for it is free.
    if (before && before.uid !== after?.uid) this.#gone(before);
    if (after) this.#agenda.add(key);
    else this.#agenda.forget(key);
  }

  #gone(billed: Billed): void {
    const { uid, organizationId } = billed;
    this.#granted.delete(uid);
    this.#released.delete(uid);
    this.#refused.get(organizationId)?.delete(keyOf(billed));
    this.#parts.wallets.release(uid).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, uid }, 'a hold was not released, and will be');
      this.#agenda.addAt(ORPHANS, this.#parts.clock.now() + RETRY_MS);
    });
  }

  #moneyMoved(organizationId: string): void {
    for (const key of this.#refused.get(organizationId) ?? []) this.#agenda.add(key);
  }

  async #look(key: string): Promise<number | undefined> {
    const [kind = '', namespace = '', name = ''] = key.split('/');
    const billed = this.#parts.cluster.get({ kind, namespace, name });
    if (!billed) return undefined;
    if (needsFinalizer(billed)) {
      // First, or it could be gone before its use is posted. What comes of the write brings us back here.
      await this.#parts.cluster.addFinalizer(billed);
      const again = this.#parts.cluster.get({ kind, namespace, name });
      return again && needsFinalizer(again) ? this.#parts.clock.now() : again && this.#decide(again);
    }
    return this.#decide(billed);
  }

  #decide(billed: Billed): Promise<number | undefined> {
    // Before anything is read: money that comes in the middle of it brings us back.
    this.#wait(billed);
    return isRental(billed) ? this.#rented(billed) : this.#metered(billed);
  }

  async #metered(billed: Billed): Promise<number | undefined> {
    const { tariffs, clock, settings } = this.#parts;
    const now = clock.now();
    const { facts, object, organizationId, uid } = billed;
    const tariff = { ...tariffs.of(organizationId), region: billed.region };
    const rate = ratePerHour(facts.cost.wishes(object), facts.cost.source, tariff, now);
    const decided = (accrued: Micros) =>
      decide(
        billed,
        { perHour: rate.net, unpriced: rate.unpriced },
        {
          now,
          holdAheadMs: settings.holdAheadMs,
          accrued,
          grantedMs: this.#granted.get(uid)?.ms,
          grantedPerHour: this.#granted.get(uid)?.perHour,
        },
      );
    const decision = decided(ZERO);
    if (decision.do !== 'reserve') return this.#carryOut(billed, decision, now);
    const accrual = await this.#parts.meter.accrual({ organizationId }, now);
    const own = accrual.lines.find((line) => line.uid === uid)?.net ?? ZERO;
    return this.#carryOut(billed, decided(own), now, accrual);
  }

  async #carryOut(billed: Billed, decision: Decision, now: number, accrual?: Accrual): Promise<number | undefined> {
    const { cluster } = this.#parts;
    switch (decision.do) {
      case 'wait':
        this.#settle(billed);
        return decision.againAt;
      case 'rest':
        this.#settle(billed);
        await this.#release(billed.uid);
        if (decision.condition) await cluster.writeCredit(billed, { condition: decision.condition });
        return undefined;
      case 'refuse':
        await this.#release(billed.uid);
        await this.#refuse(billed, decision.condition);
        return decision.againAt;
      case 'paid':
        this.#settle(billed);
        await this.#release(billed.uid);
        await cluster.writeCredit(billed, { condition: decision.condition, until: decision.until });
        return decision.againAt;
      case 'reserve':
        return this.#reserve(billed, decision, now, accrual);
    }
  }

  async #reserve(billed: Billed, wanted: Reserve, now: number, known?: Accrual): Promise<number> {
    const { amount, until, fallback, what, paidUntil } = wanted;
    const { organizationId } = billed;
    const accrual = known ?? (await this.#parts.meter.accrual({ organizationId }, now));
    const answer = await this.#hold(billed, accrual, { amount, until }, fallback);
    if ('granted' in answer) return this.#grant(billed, { ...answer.granted, perHour: wanted.perHour }, now);
    const condition = refused(answer.refusal, what);
    if (paidUntil !== undefined) {
      const args = { at: instantText(paidUntil), detail: condition.message };
      const message = sentence(CREDIT_SENTENCES.paidNoLonger, 'en', args);
      const paid = { status: 'True' as const, reason: 'Reserved', message };
      await this.#parts.cluster.writeCredit(billed, { condition: paid, until: paidUntil });
      return Math.min(paidUntil, now + RETRY_MS);
    }
    // What was granted before holds to its end: then, and not before, is it out of credit.
    const lasting = untilOf(billed);
    if (fallback && !wanted.isDearer && lasting > now && isReserved(billed)) return Math.min(lasting, now + RETRY_MS);
    await this.#refuse(billed, condition);
    return now + RETRY_MS;
  }

  async #release(uid: string): Promise<void> {
    if (this.#released.has(uid)) return;
    await this.#parts.wallets.release(uid);
    this.#released.add(uid);
  }

  /** What is wanted whole; or, where it may be less, what there is. */
  async #hold(
    { uid, organizationId, object }: Billed,
    accrual: Accrual,
    { amount, until }: Grant,
    fallback?: (room: Micros) => Grant | undefined,
  ): Promise<{ granted: Grant } | { refusal: Refusal }> {
    const { wallets } = this.#parts;
    const accountId = object.spec.creator;
    const purse = await purseOf(this.#parts, organizationId, accrual, { accountId, subject: uid });
    const hold = async (grant: Grant) => {
      this.#released.delete(uid);
      this.#holding.add(organizationId);
      let isHeld = false;
      try {
        const answer = await wallets.hold({
          organizationId,
          ...(accountId !== undefined && { accountId }),
          subject: uid,
          amount: grant.amount,
          until: new Date(grant.until),
        });
        isHeld = answer.held;
        return answer;
      } finally {
        // Ours moved nothing: what was heard meanwhile was money of others.
        if (!this.#holding.delete(organizationId) && !isHeld) this.#moneyMoved(organizationId);
      }
    };
    if (amount <= 0n) {
      await this.#release(uid);
      return { granted: { amount, until } };
    }
    const refusal = refusalOf(amount, purse);
    const less = refusal && fallback?.(roomOf(purse));
    const wanted = refusal ? less : { amount, until };
    if (!wanted) return { refusal: refusal as Refusal };
    const answer = await hold(wanted);
    if (answer.held) return { granted: wanted };
    // Somebody else spends from the same wallet: under its lock there was less.
    const { available } = answer;
    return { refusal: { reason: 'OutOfCredit', wanted: amount, available, currency: purse.currency } };
  }

  async #grant(
    billed: Billed,
    { amount, until, perHour }: Grant & { perHour: Micros | undefined },
    now: number,
  ): Promise<number> {
    this.#settle(billed);
    this.#granted.set(billed.uid, { ms: until - now, perHour });
    const { currency } = this.#parts.tariffs.of(billed.organizationId);
    const args = { amount: shown(amount), currency };
    const message = sentence(amount > 0n ? CREDIT_SENTENCES.reserved : CREDIT_SENTENCES.free, 'en', args);
    await this.#parts.cluster.writeCredit(billed, {
      condition: { status: 'True', reason: 'Reserved', message },
      until,
    });
    return now + (until - now) / 2;
  }

  async #refuse(billed: Billed, condition: Verdict): Promise<void> {
    this.#granted.delete(billed.uid);
    await this.#parts.cluster.writeCredit(billed, { condition });
  }

  #wait(billed: Billed): void {
    const { organizationId } = billed;
    this.#refused.set(organizationId, (this.#refused.get(organizationId) ?? new Set()).add(keyOf(billed)));
  }

  #settle(billed: Billed): void {
    this.#refused.get(billed.organizationId)?.delete(keyOf(billed));
  }

  async #rented(billed: Billed): Promise<number | undefined> {
    const { tariffs, clock, wallets, db, settings } = this.#parts;
    const now = clock.now();
    const host = billed.object as unknown as GpuHost;
    const [use] = billed.facts.cost.wishes(billed.object);
    const tariff = { ...tariffs.of(billed.organizationId), region: billed.region };
    const price = use && rentalPrice({ ...use, quantity: 1 }, 1, tariff, now);
    if (!use || !price) {
      const what = [use?.resource ?? 'hosts', use?.model ?? ''].join(' ').trimEnd();
      const message = sentence(CREDIT_SENTENCES.noPrice, 'en', { what });
      const condition: Verdict = { status: 'False', reason: 'NoPrice', message };
      return this.#carryOut(billed, { do: 'refuse', condition, againAt: now + RETRY_MS }, now);
    }
    const plan = planRental(host, await paidMonths(db, billed.uid), price, now);
    if (plan.orders.length > 0) {
      await chargeOrders(this.#parts, billed, plan.orders, price.priceId);
      // What is paid now needs no hold any more.
      return now;
    }
    const held = (await wallets.holdsOf(billed.organizationId)).find(({ subject }) => subject === billed.uid)?.amount;
    const isMore = plan.paidUntil === undefined || plan.hold > 0n;
    const beyond = isMore ? await this.#beyondPlan(billed) : undefined;
    const decision = decideRental(billed, plan, { now, holdAheadMs: settings.holdAheadMs, held, beyond });
    return this.#carryOut(billed, decision, now);
  }

  /** A plan's number of hosts: those that were asked for first have them. */
  async #beyondPlan(billed: Billed): Promise<Verdict | undefined> {
    const plan = await this.#parts.planOf(billed.organizationId);
    if (plan === undefined) return undefined;
    const cap = hostCapOf(plan);
    const hosts = this.#parts.cluster
      .ofOrganization(billed.organizationId)
      .filter(({ facts, object }) => facts.kind === gpuHost.kind && object.metadata.deletionTimestamp === undefined)
      .map(({ object }) => object as unknown as GpuHost);
    const before = hostsBefore(hosts, billed.object as unknown as GpuHost);
    if (before < cap) return undefined;
    const args = { plan: PLANS[plan].en, cap: `${cap}`, before: `${before}` };
    const message = sentence(CREDIT_SENTENCES.planHosts, 'en', args);
    return { status: 'False', reason: 'PlanLimit', message };
  }

  /** Holds of objects that are no more: a gateway that was away did not see them go. */
  async #releaseOrphans(): Promise<number> {
    const { cluster, wallets, clock } = this.#parts;
    for (const organizationId of cluster.organizations()) {
      // Holds first: whoever made one in between is in the cache by then.
      const holds = await wallets.holdsOf(organizationId);
      const live = new Set(cluster.ofOrganization(organizationId).map(({ uid }) => uid));
      for (const { subject } of holds) if (!subject.includes('/') && !live.has(subject)) await wallets.release(subject);
    }
    return clock.now() + LOOK_FOR_ORPHANS_MS;
  }
}

const keyOf = ({ facts, object: { metadata } }: Pick<Billed, 'facts' | 'object'>): string =>
  `${facts.kind}/${metadata.namespace}/${metadata.name}`;

/** Before anything of it may be used, so that it is not gone before that is posted. */
const needsFinalizer = ({ facts, object }: Billed): boolean =>
  object.metadata.deletionTimestamp === undefined &&
  !object.metadata.finalizers?.includes(FINALIZER.billing) &&
  (facts.cost.wishes(object).length > 0 || (object.status?.intervals ?? []).length > 0);

const refused = (refusal: Refusal, what: string): Verdict => ({
  status: 'False',
  reason: refusal.reason,
  message: sentenceOf(refusal, what),
});
