// Writes on every billable object whether credit is reserved for its current spec, and until when: the operator creates nothing
// without it. Level-triggered: everything due for one organisation is decided over one read of its money, in which each decision
// sees what the previous one took.
import { costText, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { priceOf } from '../prices/price-of.ts';
import { Agenda, type Looked } from './agenda.ts';
import { type Caps, changedCaps, readAllCaps } from './caps.ts';
import {
  type Answer,
  aheadText,
  answerOf,
  type Decision,
  decide,
  FREE,
  type Grant,
  givesUp,
  isReserved,
  isRunning,
  isUsing,
  RESERVED,
  RETRY_MS,
  type Reserve,
  spenderOf,
  untilOf,
} from './decide.ts';
import { decideHost } from './decide-host.ts';
import {
  type Afresh,
  concerns,
  type Decided,
  inLine,
  isLasting,
  isLetGo,
  isRefusedAlready,
  keyOf,
  needsFinalizer,
  placeOf,
  refused,
} from './decided.ts';
import type { Refusal, SpendableBalance } from './may-spend.ts';
import { isRental } from './orders.ts';
import type { Billed, GateParts, Verdict } from './parts.ts';
import { readSpent, spendableBalanceOf } from './spendable-balance.ts';

/** A refusal although there may be enough: it is kept for what runs. */
const keptFrom = ({ amount }: Reserve, { available, currency }: SpendableBalance): Answer => ({
  refusal: { reason: 'OutOfCredit', wanted: amount, available, currency, isKept: true },
});

/** Its credit is written anew anyway: what it has cost goes along. */
const isExtended = ({ billed, answer }: Decided): boolean =>
  answer !== undefined && 'granted' in answer && isRunning(billed) && untilOf(billed) !== answer.granted.until;

const isCapped = (answer: Answer): boolean => 'refusal' in answer && answer.refusal.reason === 'SpendCapReached';

const LOOK_FOR_ORPHANS_MS = 10 * 60_000;
const ORPHANS = ' orphans';

/** The first jobs of the waiting line that are asked about when money comes; the next only if one of these got some. */
const MOST_IN_LINE = 50;
/** Writes to the cluster of one turn at once. */
const WRITES = 8;

export class CreditGate {
  readonly #parts: GateParts;
  readonly #agenda: Agenda;
  /** uid → for how long, and at which price by the hour, its credit was granted by this process. */
  readonly #granted = new Map<string, { ms: number; perHour: Micros | undefined }>();
  /** Organisation → keys that wait for money, and those that are being decided. */
  readonly #refused = new Map<string, Set<string>>();
  /** Organisation → keys of what runs and got less than the whole time ahead. Until it has that, nothing in line gets anything. */
  readonly #short = new Map<string, Set<string>>();
  /** Uids that nothing is held for, as far as this process has seen to it. */
  readonly #released = new Set<string>();
  /** By key: why an object with credit may have too much by now. A later reason replaces an earlier one. */
  readonly #afresh = new Map<string, Afresh>();
  #caps: ReadonlyMap<string, Caps> | undefined;
  #off: (() => void)[] = [];

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#agenda = new Agenda({
      clock: parts.clock,
      work: (lane, keys) => (lane === ORPHANS ? this.#releaseOrphans() : this.#turn(lane, keys)),
      laneOf: (key) => (key === ORPHANS ? ORPHANS : (organizationOf(key.split('/')[1] ?? '') ?? '')),
      isUrgent: (key) => this.#givesUp(key),
      failed: (key, error) => parts.log.warn({ err: error, object: key }, 'credit could not be decided, and will be'),
    });
  }

  /** Follows the caches, which are filled, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, wallets, tariffs } = this.#parts;
    this.#off = [
      cluster.on(({ before, after }) => this.#changed(before, after)),
      wallets.on((organizationId, news) => {
        this.#moneyMoved(organizationId);
        if (news === 'cut') this.#lookAtCut();
      }),
      tariffs.on((concerned) => this.#pricesChanged(concerned)),
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

  /** Called when an organisation's plan was changed. */
  moneyMoved(organizationId: string): void {
    this.#moneyMoved(organizationId);
  }

  /**
   * Decides runs under a cap again after any gateway changed that cap. The first call covers all runs under any cap: the previous
   * gateway may have died before it wrote its decisions.
   */
  async lookAtCaps(): Promise<void> {
    const caps = await readAllCaps(this.#parts.db.sql);
    const before = this.#caps ?? new Map<string, Caps>();
    this.#caps = caps;
    for (const organizationId of new Set([...before.keys(), ...caps.keys()])) {
      const changed = changedCaps(before.get(organizationId), caps.get(organizationId));
      if (changed.size === 0) continue;
      for (const billed of this.#parts.cluster.ofOrganization(organizationId)) {
        // Without a spender it depends on whether any member has a cap.
        const spender = spenderOf(billed);
        if (!changed.has('') && spender !== undefined && !changed.has(spender)) continue;
        this.#decideAfresh(billed, 'cap');
      }
    }
  }

  /** Decides objects again after any gateway cut their hold below their credit. */
  async lookAtHolds(): Promise<void> {
    const ended = new Map((await this.#parts.wallets.endedHolds()).map((hold) => [hold.subject, hold]));
    const organizations = new Set([...ended.values()].map(({ organizationId }) => organizationId));
    const now = this.#parts.clock.now();
    for (const organizationId of organizations) {
      for (const billed of this.#parts.cluster.ofOrganization(organizationId)) {
        const hasCredit = ended.has(billed.uid) && isReserved(billed) && untilOf(billed) > now;
        if (hasCredit) this.#decideAfresh(billed, 'cut');
      }
    }
  }

  #lookAtCut(): void {
    this.lookAtHolds().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'holds that were cut could not be read, and will be');
    });
  }

  #decideAfresh(billed: Billed, why: Afresh['why']): void {
    this.#afresh.set(keyOf(billed), { why });
    this.#agenda.add(keyOf(billed));
  }

  get isIdle(): boolean {
    return this.#agenda.isIdle;
  }

  #pricesChanged(concerned: ReadonlySet<string> | undefined): void {
    if (!concerned) this.#lookAtAll();
    for (const organizationId of concerned ?? [])
      for (const billed of this.#parts.cluster.ofOrganization(organizationId)) this.#agenda.add(keyOf(billed));
  }

  #lookAtAll(): void {
    for (const billed of this.#parts.cluster.list()) this.#agenda.add(keyOf(billed));
  }

  #changed(before: Billed | undefined, after: Billed | undefined): void {
    const key = keyOf((after ?? before) as Billed);
    // Gone, or replaced by another object of that name: its hold is released.
    if (before && before.uid !== after?.uid) this.#gone(before);
    if (!after) this.#agenda.forget(key);
    else if (!before || concerns(before, after)) this.#agenda.add(key);
  }

  #gone(billed: Billed): void {
    const { uid, organizationId } = billed;
    this.#granted.delete(uid);
    this.#released.delete(uid);
    this.#afresh.delete(keyOf(billed));
    this.#refused.get(organizationId)?.delete(keyOf(billed));
    this.#notShort(billed);
    this.#parts.wallets.release(uid).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, uid }, 'a hold was not released, and will be');
      this.#agenda.addAt(ORPHANS, this.#parts.clock.now() + RETRY_MS);
    });
  }

  /** Whatever cannot wait, then the front of the line: a thousand waiting jobs are not asked about whenever one ends. */
  #moneyMoved(organizationId: string): void {
    const waiting = [...(this.#refused.get(organizationId) ?? [])].flatMap((key) => this.#get(key) ?? []).sort(inLine);
    const line = waiting.filter((billed) => placeOf(billed) !== undefined);
    const others = waiting.filter((billed) => placeOf(billed) === undefined);
    for (const billed of [...others, ...line.slice(0, MOST_IN_LINE)]) this.#agenda.add(keyOf(billed));
    // An object that runs and is short may have been granted the rest of what there was, and waits for nothing.
    for (const key of this.#short.get(organizationId) ?? []) {
      if (!this.#afresh.has(key)) this.#afresh.set(key, { why: 'short' });
      this.#agenda.add(key);
    }
  }

  #get(key: string): Billed | undefined {
    const [kind = '', namespace = '', name = ''] = key.split('/');
    return this.#parts.cluster.get({ kind, namespace, name });
  }

  #givesUp(key: string): boolean {
    const billed = key === ORPHANS ? undefined : this.#get(key);
    return billed !== undefined && givesUp(billed);
  }

  /**
   * Handles everything due for one organisation: finalizers, then one read of its money for all of them, then their conditions.
   */
  async #turn(organizationId: string, keys: readonly string[]): Promise<Map<string, Looked>> {
    const looked = new Map<string, Looked>();
    const each = async (billed: Billed, work: () => Promise<number | undefined>) => {
      try {
        looked.set(keyOf(billed), { againAt: await work() });
      } catch (error) {
        looked.set(keyOf(billed), { error });
      }
    };
    const found = keys.flatMap((key) => this.#get(key) ?? []);
    const bare = found.filter(needsFinalizer);
    // First, or it could be gone before its use is posted. What comes of the write brings us back here.
    await inParallel(bare, WRITES, (billed) =>
      each(billed, async () => {
        await this.#parts.cluster.addFinalizer(billed);
        return this.#parts.clock.now();
      }),
    );
    const failed = (billed: Billed) => 'error' in (looked.get(keyOf(billed)) ?? {});
    const ready = found
      .filter((billed) => !failed(billed))
      .flatMap((billed) => this.#get(keyOf(billed)) ?? [])
      .filter((billed) => !needsFinalizer(billed));
    // Before anything is read: money that comes in the middle of it brings us back.
    for (const billed of ready) this.#wait(billed);
    const now = this.#parts.clock.now();
    const decided: Decided[] = [];
    for (const billed of ready) {
      const afresh = this.#afresh.get(keyOf(billed));
      if (!isRental(billed)) decided.push({ billed, afresh, decision: this.#decided(billed, ZERO, now) });
      else
        await each(billed, async () => {
          const decision = await decideHost(this.#parts, billed, now);
          decided.push({ billed, afresh, decision });
          return undefined;
        });
    }
    decided.sort((one, other) => inLine(one.billed, other.billed));
    const answered = await this.#reserve(organizationId, decided, now);
    const isYielding = ({ afresh, decision }: Decided) => afresh?.why === 'yield' && decision.do === 'refuse';
    await this.#release(answered.filter((one) => isLetGo(one) && !isYielding(one)).map(({ billed }) => billed.uid));
    const extended = answered.filter(isExtended);
    const costs =
      extended.length > 0 ? await this.#parts.meter.costs(extended.map(({ billed }) => billed.uid)) : undefined;
    await inParallel(answered, WRITES, (one) =>
      each(one.billed, async () => {
        const againAt = await this.#carryOut(one, now, costs?.get(one.billed.uid));
        // Not before it is written, and not a request that came since.
        const key = keyOf(one.billed);
        if (this.#afresh.get(key) === one.afresh) this.#afresh.delete(key);
        // Only now: a waiting job that still counted on it would start without.
        if (isYielding(one)) await this.#release([one.billed.uid]);
        return againAt;
      }),
    );
    const isServed = ({ billed, answer }: Decided) => answer && 'granted' in answer && placeOf(billed) !== undefined;
    if (answered.some(isServed) && this.#refused.get(organizationId)?.size) this.#moneyMoved(organizationId);
    return looked;
  }

  #decided(billed: Billed, accrued: Micros, now: number): Decision {
    const { tariffs, settings } = this.#parts;
    const { facts, object, uid } = billed;
    const rate = priceOf(tariffs, billed, now, facts.cost.desired(object));
    if (this.#afresh.get(keyOf(billed))?.why === 'yield' && placeOf(billed) !== undefined) {
      const wanted = micros((rate.net * BigInt(settings.holdAheadMs)) / 3_600_000n);
      const { currency } = rate;
      const kept: Refusal = { reason: 'OutOfCredit', wanted, available: ZERO, currency, isKept: true };
      return { do: 'refuse', condition: refused(kept, aheadText(settings.holdAheadMs)), againAt: now + RETRY_MS };
    }
    const granted = this.#granted.get(uid);
    return decide(
      billed,
      { perHour: rate.net, unpriced: rate.unpriced },
      {
        now,
        holdAheadMs: settings.holdAheadMs,
        accrued,
        grantedMs: granted?.ms,
        grantedPerHour: granted?.perHour,
        isAfresh: this.#afresh.has(keyOf(billed)),
      },
    );
  }

  /** One transaction for all: each sees what the ones before took. */
  async #reserve(organizationId: string, decided: readonly Decided[], now: number): Promise<readonly Decided[]> {
    const asking = decided.filter(({ decision }) => decision.do === 'reserve');
    if (asking.length === 0) return decided;
    const subjects = asking.map(({ billed }) => billed.uid);
    for (const uid of subjects) this.#released.delete(uid);
    const answered = await this.#parts.wallets.spend(organizationId, subjects, async (money, tx) => {
      const spent = await readSpent(tx, organizationId, now);
      return asking.map((one): Decided => {
        const { billed, afresh } = one;
        const { uid: subject } = billed;
        const decision = isRental(billed) ? one.decision : this.#decided(billed, money.usedBy(subject), now);
        if (decision.do !== 'reserve') return { billed, afresh, decision };
        const accountId = spenderOf(billed);
        const balance = spendableBalanceOf(money, spent, { accountId, subject });
        const answer = this.#isKeptFrom(billed) ? keptFrom(decision, balance) : answerOf(decision, balance);
        this.#noteShort(billed, decision, answer);
        if ('granted' in answer) {
          const { amount, until } = answer.granted;
          if (amount > 0n) money.hold({ subject, accountId, amount, until: new Date(until) });
          else money.release(subject);
        } else if (!isUsing(billed) && !isLasting({ billed, afresh }, decision, answer.refusal, now))
          money.release(subject);
        return { billed, afresh, decision, answer };
      });
    });
    const byKey = new Map(answered.map((one) => [keyOf(one.billed), one]));
    return decided.map((one) => byKey.get(keyOf(one.billed)) ?? one);
  }

  #isKeptFrom(billed: Billed): boolean {
    return placeOf(billed) !== undefined && (this.#short.get(billed.organizationId)?.size ?? 0) > 0;
  }

  /** A running object that does not get its whole time is given the reserve of the end of the line. */
  #noteShort(billed: Billed, decision: Reserve, answer: Answer): void {
    const { organizationId } = billed;
    const isWhole = 'granted' in answer && answer.granted.until >= decision.until;
    const isShort = decision.isRunning === true && !isWhole && !isCapped(answer);
    if (!isShort) {
      this.#notShort(billed);
      return;
    }
    this.#short.set(organizationId, (this.#short.get(organizationId) ?? new Set()).add(keyOf(billed)));
    const holding = this.#parts.cluster
      .ofOrganization(organizationId)
      .filter((one) => placeOf(one) !== undefined && !isRunning(one) && isReserved(one) && untilOf(one) > 0)
      .sort(inLine);
    // One by one: the next look at what is short says whether another is needed.
    if (holding.some((one) => this.#afresh.get(keyOf(one))?.why === 'yield')) return;
    const last = holding.at(-1);
    if (last) this.#decideAfresh(last, 'yield');
  }

  #notShort(billed: Billed): void {
    const short = this.#short.get(billed.organizationId);
    if (!short?.delete(keyOf(billed)) || short.size > 0) return;
    this.#short.delete(billed.organizationId);
    this.#moneyMoved(billed.organizationId);
  }

  async #carryOut(decided: Decided, now: number, billedSoFar?: Micros): Promise<number | undefined> {
    const { billed, decision, answer } = decided;
    const { cluster } = this.#parts;
    if (decision.do !== 'reserve' && !isRunning(billed)) this.#notShort(billed);
    switch (decision.do) {
      case 'tell':
        this.#settle(billed);
        await cluster.writeCredit(billed, decision);
        return undefined;
      case 'wait':
        this.#settle(billed);
        return decision.againAt;
      case 'rest':
        this.#settle(billed);
        if (decision.condition) await cluster.writeCredit(billed, { condition: decision.condition });
        return undefined;
      case 'refuse':
        await this.#refuse(billed, decision.condition);
        return decision.againAt;
      case 'paid':
        this.#settle(billed);
        await cluster.writeCredit(billed, decision);
        return decision.againAt;
      case 'reserve':
        return answer && 'granted' in answer
          ? this.#grant(
              billed,
              { ...answer.granted, perHour: decision.perHour, replicas: decision.replicas },
              now,
              billedSoFar,
            )
          : this.#deny(decided, decision, (answer as { refusal: Refusal }).refusal, now);
    }
  }

  async #deny(decided: Decided, decision: Reserve, refusal: Refusal, now: number): Promise<number> {
    const { billed } = decided;
    const condition = refused(refusal, decision.what);
    if (isLasting(decided, decision, refusal, now)) return Math.min(untilOf(billed), now + RETRY_MS);
    const { organizationId } = billed;
    if (placeOf(billed) === undefined) {
      await this.#refuse(billed, condition);
      return now + RETRY_MS;
    }
    // The front of the line has current numbers; with the others nothing is missing that they do not say already.
    const line = this.#refused.get(organizationId) ?? new Set();
    const isFront = line.values().next().value === keyOf(billed);
    if (isFront || !isRefusedAlready(billed, condition)) await this.#refuse(billed, condition);
    return now + RETRY_MS * Math.max(1, Math.ceil(line.size / MOST_IN_LINE));
  }

  async #release(uids: readonly string[]): Promise<void> {
    const held = uids.filter((uid) => !this.#released.has(uid));
    if (held.length === 0) return;
    await this.#parts.wallets.release(...held);
    for (const uid of held) this.#released.add(uid);
  }

  async #grant(
    billed: Billed,
    { amount, until, part, perHour, replicas }: Grant & { perHour: Micros | undefined; replicas: number | undefined },
    now: number,
    billedSoFar: Micros | undefined,
  ): Promise<number> {
    const { cluster, settings, tariffs } = this.#parts;
    const cost =
      billedSoFar === undefined ? undefined : costText(billedSoFar, tariffs.of(billed.organizationId).currency);
    const before = this.#granted.get(billed.uid);
    const isSame = untilOf(billed) === until;
    const keptMs = before?.ms ?? settings.holdAheadMs;
    // Past its half, the same end is a new and shorter grant: otherwise it would be due again at once, for ever.
    const ms = isSame && until - keptMs / 2 > now ? keptMs : until - now;
    if (!part || replicas !== undefined) this.#granted.set(billed.uid, { ms, perHour });
    // Its hold has shrunk with its replicas.
    const isFreed = replicas !== undefined && (before?.perHour ?? ZERO) > (perHour ?? ZERO);
    if (isFreed) this.#moneyMoved(billed.organizationId);
    if (part) {
      // As many as before: the amount that is missing is on it, and what others spend meanwhile is not worth a write.
      const isKnown = isSame && isReserved(billed) && billed.object.status?.credit?.replicas === part.replicas;
      if (part.replicas !== undefined && isKnown) return Math.min(until, now + RETRY_MS);
      await cluster.writeCredit(billed, { ...part, until, cost });
      return Math.min(until, now + RETRY_MS);
    }
    this.#settle(billed);
    await cluster.writeCredit(billed, { condition: amount > 0n ? RESERVED : FREE, until, replicas, cost });
    return until - ms / 2;
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

  /** Holds of deleted objects: a gateway that was down did not see them go. */
  async #releaseOrphans(): Promise<Map<string, Looked>> {
    const { cluster, wallets, clock, meter } = this.#parts;
    // A run in a data centre that is out of reach, or no longer configured, is no orphan.
    const outside = new Set((await meter.openOutside(cluster.regions)).map(({ uid }) => uid));
    // Nor is what a cluster holds that was never seen.
    for (const organizationId of cluster.areAllSeen === false ? [] : cluster.organizations()) {
      // Holds first: an object created in between is in the cache by then.
      const holds = await wallets.holdsOf(organizationId);
      const live = new Set(cluster.ofOrganization(organizationId).map(({ uid }) => uid));
      const isOrphan = (uid: string) => !live.has(uid) && !outside.has(uid);
      await wallets.release(...holds.map(({ subject }) => subject).filter(isOrphan));
    }
    return new Map([[ORPHANS, { againAt: clock.now() + LOOK_FOR_ORPHANS_MS }]]);
  }
}
