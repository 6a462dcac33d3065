// Money that is kept for requests to models while they are under way: in one hold for each person and gateway, so that most requests
// cost no statement. It grows when a request does not fit, and is given back when none is left.
import { leftText, type Micros, micros, most, neededText, ZERO } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, like, lt } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { holds } from '../../db/schema/ledger.ts';
import { refusalOf, roomOf } from '../gate/may-spend.ts';
import { purseOf, readSpent } from '../gate/purse.ts';
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

export type Kept = { kept: KeptMoney } | { wanted: string; available: string; currency: string };

interface Pot {
  readonly subject: string;
  /** As the hold is in SQL, or less. */
  held: bigint;
  /** For requests under way. */
  kept: bigint;
  /** Of requests that have ended, and are not in the books yet. */
  spent: bigint;
  /** Changes of the hold, one after the other. */
  changes: Promise<unknown>;
  usedAt: number;
  readonly person: Person;
  /** As the hold says. */
  until: number;
}

export interface TokenPurseParts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  wallets: Pick<Wallets, 'spend' | 'release' | 'on'>;
  /** Of this process. */
  gateway: string;
}

const PREFIX = 'tokens/';
/** A hold covers so many requests like the one that it grew for, where there is money for that. */
const REQUESTS_AHEAD = 20n;
const UNTIL_MS = 600_000;
/** A hold that is in use is renewed so long before. */
const RENEW_MS = 300_000;
/** A hold that nobody has renewed for so long is of a gateway that is gone. */
const LOST_MS = 3_600_000;
const IDLE_MS = 30_000;

export class TokenPurse {
  readonly #parts: TokenPurseParts;
  readonly #pots = new Map<string, Pot>();
  readonly #unfollow: () => void;

  constructor(parts: TokenPurseParts) {
    this.#parts = parts;
    // What is held there is less than we think.
    this.#unfollow = parts.wallets.on((organizationId, news) => {
      if (news !== 'cut') return;
      for (const pot of this.#pots.values())
        if (pot.subject.startsWith(`${PREFIX}${parts.gateway}/${organizationId}/`)) pot.held = 0n;
    });
  }

  /** Or says what is there. */
  async keep(person: Person, amount: Micros): Promise<Kept> {
    const pot = this.#potOf(person);
    pot.usedAt = this.#parts.clock.now();
    if (pot.kept + pot.spent + amount > pot.held) {
      const work = pot.changes.then(() => this.#grow(pot, person, amount));
      pot.changes = work.catch(() => {});
      const refused = await work;
      if (refused) return refused;
    } else pot.kept += amount;
    return { kept: this.#keptIn(pot, amount) };
  }

  /** Gives back what nobody needs, and the holds of gateways that are gone. */
  async tidy(): Promise<void> {
    const { clock, wallets, db } = this.#parts;
    const now = clock.now();
    for (const [key, pot] of this.#pots) {
      if (pot.usedAt > now - IDLE_MS || pot.kept > 0n || pot.spent > 0n) {
        if (pot.until - now < RENEW_MS) await this.#renew(pot, now);
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

  /** Else another gateway would take it for one that is left over. */
  async #renew(pot: Pot, now: number): Promise<void> {
    const { subject, person } = pot;
    const { organizationId, accountId } = person;
    const work = pot.changes.then(() =>
      this.#parts.wallets.spend(organizationId, [subject], (money) => {
        const free = most(money.free(subject), ZERO);
        const amount = free < pot.held ? free : micros(pot.held);
        money.hold({ subject, accountId, amount, until: new Date(now + UNTIL_MS) });
        pot.held = amount;
        pot.until = now + UNTIL_MS;
      }),
    );
    pot.changes = work.catch(() => {});
    await work;
  }

  /** Under the lock of the wallet. Undefined: there is enough now, and the amount is kept. */
  async #grow(pot: Pot, person: Person, amount: Micros): Promise<Exclude<Kept, { kept: KeptMoney }> | undefined> {
    const { organizationId, accountId } = person;
    const now = this.#parts.clock.now();
    if (pot.kept + pot.spent + amount <= pot.held) {
      pot.kept += amount;
      return undefined;
    }
    const { subject } = pot;
    return this.#parts.wallets.spend(organizationId, [subject], async (money, tx) => {
      const purse = purseOf(money, await readSpent(tx, organizationId, now), { accountId, subject });
      // As late as can be: requests end while we ask.
      const needed = micros(pot.kept + pot.spent + amount);
      const refusal = refusalOf(needed, purse);
      if (refusal) {
        const room = micros(roomOf(purse) - pot.kept - pot.spent);
        return { wanted: neededText(amount), available: leftText(most(room, ZERO)), currency: refusal.currency };
      }
      const wanted = needed + amount * REQUESTS_AHEAD;
      const room = roomOf(purse);
      const held = micros(wanted < room ? wanted : room);
      money.hold({ subject, accountId, amount: held, until: new Date(now + UNTIL_MS) });
      pot.held = held;
      pot.until = now + UNTIL_MS;
      pot.kept += amount;
      return undefined;
    });
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
      changes: Promise.resolve(),
      usedAt: 0,
      person: { organizationId, accountId },
      until: Number.POSITIVE_INFINITY,
    };
    this.#pots.set(key, pot);
    return pot;
  }
}
