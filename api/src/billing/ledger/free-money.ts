// What of an organisation's money may be spent: the one answer for whatever spends, read under the lock of the wallet. What is
// owed, held, and used without being posted is not free, whatever the clock says.
import { type Micros, micros, most, ZERO } from '@gantry/contract/fields/money.ts';
import { sql } from 'drizzle-orm';
import type { Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { anyOf, rowsAs } from './columns.ts';

/** Used by one object and not posted yet. */
export interface Used {
  readonly uid: string;
  readonly accountId: string | null;
  readonly net: Micros;
}

/**
 * What was used and is not posted, of these objects and of all that no hold covers to this moment. A hold covers its object until
 * its end; beyond that the use counts where it is more.
 */
export type ReadUse = (
  connection: Sql,
  organizationId: string,
  uids: readonly string[],
  now: number,
) => Promise<readonly Used[]>;

export interface WishedHold {
  readonly subject: string;
  readonly accountId?: string | undefined;
  readonly amount: Micros;
  readonly until: Date;
}

/** What one subject keeps from being spent by others. */
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
  /** By subject: what was asked for, and what is used beyond holds. */
  readonly #known = new Map<string, Kept>();
  /** By account: what all keep. */
  readonly #sums = new Map<string | null, Micros>();
  #sum = ZERO;
  readonly #held = new Map<string, WishedHold>();
  readonly #released = new Set<string>();

  private constructor({ organizationId, currency, room }: Place) {
    this.#organizationId = organizationId;
    this.currency = currency;
    this.room = room;
  }

  /** `subjects`: those whose own hold may be replaced. */
  static async read(
    connection: Sql,
    place: Place,
    subjects: readonly string[],
    readUse: ReadUse,
    now: number,
  ): Promise<FreeMoney> {
    const { organizationId } = place;
    const used = await readUse(connection, organizationId, subjects, now);
    const special = [...new Set([...subjects, ...used.map(({ uid }) => uid)])];
    const rows = await rowsOf<{ subject: string | null; account: string | null; amount: string }>(
      connection,
      sql`select case when subject = ${anyOf(special)} then subject end as subject, account_id as account, sum(amount)::text as amount
        from holds where org_id = ${organizationId} group by 1, 2`,
    );
    const money = new FreeMoney(place);
    for (const { uid, accountId, net } of used) money.#keep(uid, { accountId, held: ZERO, used: net });
    for (const { subject, account, amount } of rows) {
      const held = micros(BigInt(amount));
      if (subject === null) money.#add(account, held);
      else money.#keep(subject, { accountId: account, held, used: money.usedBy(subject) });
    }
    return money;
  }

  /** May be below zero. What `besides` keeps counts as free: it would be replaced. */
  free(besides?: string): Micros {
    return micros(this.room - this.kept(besides));
  }

  /** Of all that is kept, the part that counts against this member; of everybody without one. */
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
  hold(wished: WishedHold): void {
    const { subject, accountId = null, amount } = wished;
    this.#keep(subject, { accountId, held: amount, used: this.usedBy(subject) });
    this.#released.delete(subject);
    this.#held.set(subject, wished);
  }

  /** What is used and not posted stays kept. */
  release(subject: string): void {
    this.#keep(subject, { ...(this.#known.get(subject) ?? NOTHING), held: ZERO });
    this.#held.delete(subject);
    this.#released.add(subject);
  }

  /** True where something was given free. */
  async save(tx: Sql): Promise<boolean> {
    const holds = [...this.#held.values()];
    if (holds.length > 0) {
      const given = rowsAs('given', holds, {
        subject: ['text', ({ subject }) => subject],
        account: ['text', ({ accountId }) => accountId],
        amount: ['bigint', ({ amount }) => amount],
        until: ['timestamptz', ({ until }) => until],
      });
      await tx.execute(
        sql`insert into holds as h (subject, org_id, account_id, amount, until)
          select subject, ${this.#organizationId}, account, amount, until from ${given}
          on conflict (subject) do update set org_id = excluded.org_id, account_id = excluded.account_id,
            amount = excluded.amount, until = excluded.until`,
      );
    }
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

interface Place {
  readonly organizationId: string;
  readonly currency: string;
  readonly room: Micros;
}

/** Resolves with the organisations of those that were there. */
export async function releaseHolds(connection: Sql, subjects: readonly string[]): Promise<string[]> {
  if (subjects.length === 0) return [];
  const rows = await rowsOf<{ org: string }>(
    connection,
    sql`delete from holds where subject = ${anyOf(subjects)} returning org_id as org`,
  );
  return [...new Set(rows.map(({ org }) => org))];
}
