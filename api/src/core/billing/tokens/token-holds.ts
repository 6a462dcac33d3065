// Money that is kept for requests to models while they are under way: in one hold for each person and gateway, so that most requests
// cost no statement. It is what requests under way can cost, and a little of what such requests really cost; what is not needed goes
// back within seconds, for others to start with.
import { leftText, type Micros, micros, most, neededText, ZERO } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, like, lt } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { holds } from '../../../platform/db/schema/ledger.ts';
import { refusalOf, roomOf } from '../gate/may-spend.ts';
import { readSpent, spendableBalanceOf } from '../gate/spendable-balance.ts';
import type { Wallets } from '../ledger/wallets.ts';

export interface Person {
  organizationId: string;
  accountId: string;
}

/** A part of a hold, for one request. */
export interface KeptMoney {
  readonly subject: string;
  /** Nothing of it is needed. */
  release(): void;
  /** The request has ended, and has cost this. */
  spend(net: Micros): void;
  /** That is in the books, which took it off the hold. */
  posted(net: Micros): void;
}

interface Refused {
  wanted: string;
  available: string;
  currency: string;
}
export type Kept = { kept: KeptMoney } | Refused;

interface Pot {
  readonly subject: string;
  /** As the hold is in SQL, or less. */
  held: bigint;
  /** For requests under way. */
  kept: bigint;
  /** The cost of requests that have ended, and are not in the books yet. */
  spent: bigint;
  /** The most that was needed since the last tidying. */
  peak: bigint;
  /** The real cost of its newest requests, on average. */
  usual: bigint;
  /** Requests that do not fit: the next change of the hold is for all of them. */
  readonly waiting: Waiting[];
  /** Changes of the hold, one after the other. */
  changes: Promise<unknown>;
  usedAt: number;
  readonly person: Person;
  /** As the hold says. */
  until: number;
}

interface Waiting {
  readonly amount: Micros;
  /** With undefined: it is kept. */
  readonly answer: PromiseWithResolvers<Refused | undefined>;
}

export interface TokenHoldsParts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  wallets: Pick<Wallets, 'spend' | 'release' | 'on'>;
  /** The id of this process. */
  gateway: string;
}

const PREFIX = 'tokens/';
/** A hold covers the real cost of so many requests more, lest each waits for a statement; and no more than this part of what is free. */
const REQUESTS_AHEAD = 20n;
const AHEAD_OF_FREE = 100n;
/** The newest request's share in the average. */
const NEWEST = 4n;
const UNTIL_MS = 600_000;
/** A hold that is in use is renewed so long before. */
const RENEW_MS = 300_000;
/** A hold that nobody has renewed for so long is of a gateway that is gone. */
const LOST_MS = 3_600_000;
const IDLE_MS = 5_000;

export class TokenHolds {
  readonly #parts: TokenHoldsParts;
  readonly #pots = new Map<string, Pot>();
  readonly #unfollow: () => void;

  constructor(parts: TokenHoldsParts) {
    this.#parts = parts;
    // The hold there is smaller than this process thinks.
    this.#unfollow = parts.wallets.on((organizationId, news) => {
      if (news !== 'cut') return;
      for (const pot of this.#pots.values())
        if (pot.subject.startsWith(`${PREFIX}${parts.gateway}/${organizationId}/`)) pot.held = 0n;
    });
  }

  /** Or says what is there. */
  async keep(person: Person, amount: Micros): Promise<Kept> {
    const pot = this.#potOf(person);
    if (needOf(pot) + amount <= pot.held) take(pot, amount);
    else {
      const answer = Promise.withResolvers<Refused | undefined>();
      pot.waiting.push({ amount, answer });
      pot.changes = pot.changes.then(() => this.#grow(pot, person));
      const refused = await answer.promise;
      if (refused) return refused;
    }
    // A refused request keeps no hold alive.
    pot.usedAt = this.#parts.clock.now();
    return { kept: this.#keptIn(pot, amount) };
  }

  /** Gives back what nobody needs, and the holds of gateways that are gone. */
  async tidy(): Promise<void> {
    const { clock, wallets, db } = this.#parts;
    const now = clock.now();
    for (const [key, pot] of this.#pots) {
      if (pot.usedAt > now - IDLE_MS || pot.kept > 0n || pot.spent > 0n || pot.waiting.length > 0) {
        const isTooMuch = pot.held > pot.peak + aheadOf(pot);
        if (isTooMuch || pot.until - now < RENEW_MS) await this.#renew(pot, now);
        pot.peak = needOf(pot);
        continue;
      }
      this.#pots.delete(key);
      await pot.changes;
      // Whoever came meanwhile has a pot of its own, of the same subject.
      if (!this.#pots.has(key)) await wallets.release(pot.subject);
    }
    const lost = await db.sql
      .select({ subject: holds.subject })
      .from(holds)
      .where(and(like(holds.subject, `${PREFIX}%`), lt(holds.until, new Date(now - LOST_MS))));
    const own = new Set([...this.#pots.values()].map(({ subject }) => subject));
    const gone = lost.map(({ subject }) => subject).filter((subject) => !own.has(subject));
    if (gone.length > 0) await wallets.release(...gone);
  }

  async stop(): Promise<void> {
    this.#unfollow();
    const subjects = [...this.#pots.values()].map(({ subject }) => subject);
    this.#pots.clear();
    if (subjects.length > 0) await this.#parts.wallets.release(...subjects);
  }

  /** Else another gateway would take it for one that is left over. What was not needed of late is given back. */
  async #renew(pot: Pot, now: number): Promise<void> {
    const { subject, person } = pot;
    const { organizationId, accountId } = person;
    const work = pot.changes.then(() =>
      this.#parts.wallets.spend(organizationId, [subject], (money) => {
        const needed = larger(needOf(pot), pot.peak + aheadOf(pot));
        const wanted = needed < pot.held ? needed : pot.held;
        const free = most(money.free(subject), ZERO);
        const amount = free < wanted ? free : micros(wanted);
        money.hold({ subject, accountId, amount, until: new Date(now + UNTIL_MS) });
        pot.held = amount;
        pot.until = now + UNTIL_MS;
      }),
    );
    pot.changes = work.catch(() => {});
    await work;
  }

  /** Under the lock of the wallet, for all that wait by then, the first ones first. */
  async #grow(pot: Pot, person: Person): Promise<void> {
    // Another one's change was for these too.
    if (pot.waiting.length === 0) return;
    const { organizationId, accountId } = person;
    const { subject } = pot;
    const now = this.#parts.clock.now();
    const waiting: Waiting[] = [];
    const refused = new Map<Waiting, Refused>();
    try {
      await this.#parts.wallets.spend(organizationId, [subject], async (money, tx) => {
        const balance = spendableBalanceOf(money, await readSpent(tx, organizationId, now), { accountId, subject });
        // As late as can be: requests end, and others come, while we ask.
        waiting.push(...pot.waiting.splice(0));
        const room = roomOf(balance);
        for (const one of waiting) {
          const needed = micros(needOf(pot) + one.amount);
          const refusal = needed <= pot.held ? undefined : refusalOf(needed, balance);
          if (refusal) {
            const available = leftText(most(micros(room - needOf(pot)), ZERO));
            refused.set(one, { wanted: neededText(one.amount), available, currency: refusal.currency });
          } else take(pot, one.amount);
        }
        if (needOf(pot) <= pot.held) return;
        const ahead = smaller(aheadOf(pot), larger(0n, room - needOf(pot)) / AHEAD_OF_FREE);
        pot.held = needOf(pot) + ahead;
        pot.until = now + UNTIL_MS;
        money.hold({ subject, accountId, amount: micros(pot.held), until: new Date(pot.until) });
      });
      for (const one of waiting) one.answer.resolve(refused.get(one));
    } catch (error) {
      // The size of the hold is unknown.
      pot.held = 0n;
      for (const one of waiting) if (!refused.has(one)) pot.kept -= one.amount;
      for (const one of [...waiting, ...pot.waiting.splice(0)]) one.answer.reject(error);
    }
  }

  #keptIn(pot: Pot, amount: Micros): KeptMoney {
    let left: bigint = amount;
    const giveBack = () => {
      pot.kept -= left;
      left = 0n;
    };
    return {
      subject: pot.subject,
      release: giveBack,
      spend(net) {
        giveBack();
        pot.spent += net;
        pot.usual += (net - pot.usual) / NEWEST;
      },
      posted(net) {
        pot.spent -= net;
        pot.held = pot.held > net ? pot.held - net : 0n;
      },
    };
  }

  #potOf({ organizationId, accountId }: Person): Pot {
    const key = `${organizationId}/${accountId}`;
    const pot = this.#pots.get(key) ?? {
      subject: `${PREFIX}${this.#parts.gateway}/${key}`,
      held: 0n,
      kept: 0n,
      spent: 0n,
      peak: 0n,
      usual: 0n,
      waiting: [],
      changes: Promise.resolve(),
      usedAt: 0,
      person: { organizationId, accountId },
      until: Number.POSITIVE_INFINITY,
    };
    this.#pots.set(key, pot);
    return pot;
  }
}

/** The need of requests under way, and of those that are not in the books yet. */
const needOf = ({ kept, spent }: Pot): bigint => kept + spent;
const aheadOf = ({ usual }: Pot): bigint => usual * REQUESTS_AHEAD;
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

function take(pot: Pot, amount: bigint): void {
  pot.kept += amount;
  pot.peak = larger(pot.peak, needOf(pot));
}
