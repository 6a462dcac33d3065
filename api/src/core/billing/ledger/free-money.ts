// How much of an organisation's money may be spent: the single answer for all spenders, read under the wallet's lock. Money that
// is owed, held, or used and not yet posted is not free, whatever the clock says.
import { type Micros, micros, most, ZERO } from '@gantry/contract/fields/money.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { type HoldRequest, readHeldBy, releaseHolds, writeHolds } from './hold-rows.ts';

/** Used by one object and not posted yet. */
export interface Used {
  readonly uid: string;
  readonly accountId: string | null;
  readonly net: Micros;
}

/**
 * Unposted usage of these objects, and of all objects that no hold covers up to this moment. A hold covers its object until its
 * end; beyond that, the usage counts if it is larger.
 */
export type ReadUse = (
  connection: Sql,
  organizationId: string,
  uids: readonly string[],
  now: number,
) => Promise<readonly Used[]>;

/** The amount that one subject keeps others from spending. */
interface Kept {
  readonly accountId: string | null;
  readonly held: Micros;
  readonly used: Micros;
}

const NOTHING: Kept = { accountId: null, held: ZERO, used: ZERO };
const keptIn = ({ held, used }: Kept): Micros => most(held, used);

/** One look, which its own holds and releases move on: they are written by `save`. */
export class FreeMoney {
  /** Balance and allowed overdraft. */
  readonly room: Micros;
  readonly currency: string;
  readonly #organizationId: string;
  /** By subject: the requested amount, and usage beyond holds. */
  readonly #known = new Map<string, Kept>();
  /** By account: what all keep. */
  readonly #sums = new Map<string | null, Micros>();
  #sum = ZERO;
  readonly #held = new Map<string, HoldRequest>();
  readonly #released = new Set<string>();

  private constructor({ organizationId, currency, room }: Place) {
    this.#organizationId = organizationId;
    this.currency = currency;
    this.room = room;
  }

  /**
   * `readPlace` is asked last: a posting takes from what is kept and from the balance, and without the wallet's lock one that
   * comes between the reads counts twice instead of not at all.
   */
  static async read(
    { connection, organizationId, subjects, readUse, now }: Reading,
    readPlace: () => Place | Promise<Place>,
  ): Promise<FreeMoney> {
    const used = await readUse(connection, organizationId, subjects, now);
    const special = [...new Set([...subjects, ...used.map(({ uid }) => uid)])];
    const rows = await readHeldBy(connection, organizationId, special);
    const money = new FreeMoney(await readPlace());
    for (const { uid, accountId, net } of used) money.#keep(uid, { accountId, held: ZERO, used: net });
    for (const { subject, account, held } of rows) {
      if (subject === null) money.#add(account, held);
      else money.#keep(subject, { accountId: account, held, used: money.usedBy(subject) });
    }
    return money;
  }

  /** May be negative. What `besides` keeps counts as free: it would be replaced. */
  free(besides?: string): Micros {
    return micros(this.room - this.kept(besides));
  }

  /** The part of everything kept that counts against this member; without one, against everybody. */
  kept(besides: string | undefined, accountId?: string): Micros {
    const own = besides === undefined ? undefined : this.#known.get(besides);
    const isCounted = own !== undefined && (accountId === undefined || own.accountId === accountId);
    const all = accountId === undefined ? this.#sum : (this.#sums.get(accountId) ?? ZERO);
    return micros(all - (isCounted ? keptIn(own) : ZERO));
  }

  usedBy(subject: string): Micros {
    return this.#known.get(subject)?.used ?? ZERO;
  }

  heldFor(subject: string): Micros {
    return this.#known.get(subject)?.held ?? ZERO;
  }

  /** In place of what the subject held before. */
  hold(request: HoldRequest): void {
    const { subject, accountId = null, amount } = request;
    this.#keep(subject, { accountId, held: amount, used: this.usedBy(subject) });
    this.#released.delete(subject);
    this.#held.set(subject, request);
  }

  /** Unposted usage stays kept. */
  release(subject: string): void {
    this.#keep(subject, { ...(this.#known.get(subject) ?? NOTHING), held: ZERO });
    this.#held.delete(subject);
    this.#released.add(subject);
  }

  /** True where something was given free. */
  async save(tx: Sql): Promise<boolean> {
    await writeHolds(tx, this.#organizationId, [...this.#held.values()]);
    return (await releaseHolds(tx, [...this.#released])).length > 0;
  }

  #keep(subject: string, kept: Kept): void {
    const before = this.#known.get(subject);
    if (before) this.#add(before.accountId, micros(-keptIn(before)));
    this.#known.set(subject, kept);
    this.#add(kept.accountId, keptIn(kept));
  }

  #add(account: string | null, amount: Micros): void {
    this.#sum = micros(this.#sum + amount);
    this.#sums.set(account, micros((this.#sums.get(account) ?? ZERO) + amount));
  }
}

interface Reading {
  readonly connection: Sql;
  readonly organizationId: string;
  /** Those whose own hold may be replaced. */
  readonly subjects: readonly string[];
  readonly readUse: ReadUse;
  readonly now: number;
}

interface Place {
  readonly organizationId: string;
  readonly currency: string;
  readonly room: Micros;
}
