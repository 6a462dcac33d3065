// Writes transfers into the books, many at once, each of them whole and once. What moves between which accounts is decided before.
import type { Micros } from '@gantry/contract/fields/money.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { readAccount } from './accounts.ts';
import { instant, lookedUp, rowsAs } from './columns.ts';
import { faultOf, type TransferType } from './pairs.ts';

/** Moves `amount`, above zero, from one account to another: so that entries sum to zero by construction. */
export interface Leg {
  readonly debit: string;
  readonly credit: string;
  readonly amount: Micros;
}

export interface Transfer {
  /** Transfers that may happen only once share one key. */
  readonly key: string;
  readonly type: TransferType;
  readonly organizationId: string;
  readonly currency: string;
  /** When it happened; the month of an invoice goes by it. */
  readonly at: Date;
  readonly legs: readonly Leg[];
  readonly billId?: string | undefined;
  readonly memo?: Readonly<Record<string, string>> | undefined;
}

/** A request under a known key differs from what was posted. Nothing was written. */
export class PostedOtherwise extends Error {
  constructor(key: string) {
    super(`transfer ${key} was posted before, and was another`);
  }
}

export class Ledger {
  readonly #clock: Clock;
  /** Accounts that an earlier transaction has seen committed. */
  readonly #accounts = new Set<string>();

  constructor({ clock }: { db: Database; clock: Clock }) {
    this.#clock = clock;
  }

  /**
   * Within a transaction that holds the locks of the organisations' wallets, so that nobody else posts the same keys. Resolves
   * with the keys that were new. A known key changes nothing when its transfer is the same; throws PostedOtherwise when it is
   * not, and an Error for what no row of the pairs allows.
   */
  async post(tx: Sql, transfers: readonly Transfer[]): Promise<Set<string>> {
    const byKey = new Map<string, Transfer>();
    for (const transfer of transfers) {
      const other = byKey.get(transfer.key) ?? transfer;
      if (!isSame(transfer, other)) throw new PostedOtherwise(transfer.key);
      byKey.set(transfer.key, other);
    }
    for (const posted of (await postedOf(tx, [...byKey.keys()])).values()) {
      if (!isSame(byKey.get(posted.key) ?? posted, posted)) throw new PostedOtherwise(posted.key);
      byKey.delete(posted.key);
    }
    await this.write(tx, [...byKey.values()]);
    return new Set(byKey.keys());
  }

  /** `post` for keys of which the caller, who holds the locks, knows that none was posted. */
  async write(tx: Sql, transfers: readonly Transfer[]): Promise<void> {
    if (transfers.length === 0) return;
    for (const transfer of transfers) {
      const fault = faultOf(transfer);
      if (fault) throw new Error(fault);
    }
    await this.#openAccounts(tx, transfers);
    const legs = transfers.flatMap((transfer, n) => transfer.legs.map((moved, leg) => ({ n: n + 1, leg, ...moved })));
    const input = rowsAs('input', transfers, {
      key: ['text', ({ key }) => key],
      type: ['text', ({ type }) => type],
      org: ['text', ({ organizationId }) => organizationId],
      currency: ['text', ({ currency }) => currency],
      at: ['timestamptz', ({ at }) => at],
      bill: ['text', ({ billId }) => billId],
      memo: ['jsonb', ({ memo }) => JSON.stringify(memo ?? {})],
    });
    const moved = rowsAs('moved', legs, {
      n: ['int', ({ n }) => n],
      leg: ['smallint', ({ leg }) => leg],
      debit: ['text', ({ debit }) => debit],
      credit: ['text', ({ credit }) => credit],
      amount: ['bigint', ({ amount }) => amount],
    });
    // Ids are drawn in the order of the rows given, so that the n-th new one is the n-th transfer's.
    await tx.execute(
      sql`with new as (
        insert into transfers (key, type, org_id, currency, at, posted_at, bill_id, memo)
        select key, type, org, currency, at, ${instant(this.#clock.now())}, bill, memo from ${input}
        returning id
      ), numbered as (
        select id, row_number() over (order by id) as n from new
      )
      insert into postings (transfer_id, leg, debit, credit, amount)
      select id, leg, debit, credit, amount from ${moved} join numbered using (n)`,
    );
  }

  async #openAccounts(tx: Sql, transfers: readonly Transfer[]): Promise<void> {
    const wanted = new Set(transfers.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit])));
    const unknown = [...wanted].filter((id) => !this.#accounts.has(id));
    if (unknown.length === 0) return;
    const fresh = new Set(await openAccounts(tx, unknown));
    // Accounts that this transaction opens may still be rolled back.
    for (const id of unknown) if (!fresh.has(id)) this.#accounts.add(id);
  }
}

/** Resolves with those that were not there before. */
export async function openAccounts(tx: Sql, ids: readonly string[]): Promise<string[]> {
  const input = rowsAs(
    'input',
    [...new Set(ids)].sort().map((id) => ({ id, ...readAccount(id) })),
    {
      id: ['text', ({ id }) => id],
      type: ['text', ({ type }) => type],
      org: ['text', ({ organizationId }) => organizationId],
      currency: ['text', ({ currency }) => currency],
    },
  );
  const fresh = await rowsOf<{ id: string }>(
    tx,
    sql`insert into ledger_accounts (id, type, org_id, currency) select id, type, org, currency from ${input}
      on conflict (id) do nothing returning id`,
  );
  return fresh.map(({ id }) => id);
}

/** The posted transfers with these keys, by key. */
export async function postedOf(tx: Sql, keys: readonly string[]): Promise<Map<string, Transfer>> {
  const rows = await rowsOf<{
    key: string;
    type: TransferType;
    org: string;
    currency: string;
    at: string;
    bill: string | null;
    memo: Record<string, string>;
    legs: WrittenLeg[];
  }>(
    tx,
    sql`select t.key, t.type, t.org_id as org, t.currency, t.bill_id as bill, t.memo,
        (extract(epoch from t.at) * 1000)::bigint::text as at,
        coalesce((select json_agg(json_build_array(p.leg, p.debit, p.credit, p.amount::text) order by p.leg)
          from postings p where p.transfer_id = t.id), '[]') as legs
      from ${lookedUp('t', 'transfers', 'key', keys)}`,
  );
  return new Map(
    rows.map(({ key, type, org, currency, at, bill, memo, legs }) => [
      key,
      {
        key,
        type,
        organizationId: org,
        currency,
        at: new Date(Number(at)),
        billId: bill ?? undefined,
        memo,
        legs: readLegs(legs),
      },
    ]),
  );
}

/** As statements build them: leg, debit, credit, amount. */
export type WrittenLeg = readonly [number, string, string, string];

export const readLegs = (legs: readonly WrittenLeg[]): Leg[] =>
  legs.map(([, debit, credit, amount]) => ({ debit, credit, amount: micros(BigInt(amount)) }));

/** A repeated request may have other texts and another time: that does not make it another transfer. */
const isSame = (transfer: Transfer, posted: Transfer): boolean =>
  transfer === posted || contentsOf(transfer) === contentsOf(posted);

const contentsOf = ({ type, organizationId, currency, billId, legs }: Transfer): string =>
  JSON.stringify([
    type,
    organizationId,
    currency,
    billId ?? null,
    legs.map(({ debit, credit, amount }) => [debit, credit, `${amount}`]),
  ]);
