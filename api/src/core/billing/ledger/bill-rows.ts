// The rows of bills that wallets change, many at once: what use adds to them, what they lack, what covers it.
import { type PaymentChannel, statusByCover } from '@gantry/contract/billing/bill.ts';
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { openBill } from './bills.ts';
import { anyOf, instant, rowsAs } from './columns.ts';
import type { Covered, Due, Settlement } from './postings.ts';
import type { BillChange, Wallet } from './wallet-rules.ts';

export interface BillWords {
  readonly id: string;
  readonly accountId?: string | undefined;
  readonly reference: string;
  readonly detail?: string | undefined;
}

const IS_USE = sql.raw(`type in ('consumption', 'order_consumption')`);

/** By id: how bills are covered now. */
export async function readCovers(tx: Sql, ids: readonly string[]): Promise<Map<string, Covered>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ id: string; total: string; paid: string; used: string }>(
    tx,
    sql`select id, total::text, paid::text, credit_used::text as used from bills
      where id = ${anyOf(ids)}`,
  );
  return new Map(
    rows.map(({ id, total, paid, used }) => [
      id,
      {
        paid: micros(BigInt(paid)),
        creditUsed: micros(BigInt(used)),
        short: micros(BigInt(total) - BigInt(paid) - BigInt(used)),
      },
    ]),
  );
}

/** The status that a usage bill's amounts imply: `statusByCover` in SQL. */
const STATUS_BY_COVER = (total: string, paid: string, used: string) =>
  sql.raw(
    `case when ${paid} + ${used} >= ${total} then 'paid' when ${paid} + ${used} > 0 then 'partially_paid' else 'unpaid' end`,
  );

/** An order's bill says its price while its money is held: its charge is that price, and not more of it. */
export async function growBills(tx: Sql, changes: ReadonlyMap<string, BillChange>, now: number): Promise<void> {
  if (changes.size === 0) return;
  const input = rowsAs('input', [...changes.values()], {
    id: ['text', ({ charge }) => charge.bill.id],
    org: ['text', ({ charge }) => charge.organizationId],
    currency: ['text', ({ currency }) => currency],
    type: ['text', ({ charge }) => charge.bill.type],
    status: ['text', statusByCover],
    at: ['timestamptz', ({ charge }) => charge.at],
    total: ['bigint', ({ total }) => total],
    paid: ['bigint', ({ paid }) => paid],
    used: ['bigint', ({ creditUsed }) => creditUsed],
    source: ['text', ({ charge }) => charge.bill.source],
    account: ['text', ({ charge }) => charge.bill.accountId],
    reference: ['text', ({ charge }) => charge.bill.reference],
    detail: ['text', ({ charge }) => charge.bill.detail],
  });
  const total = `(case when b.status = 'prepaying' then excluded.total else b.total + excluded.total end)`;
  const paid = '(b.paid + excluded.paid)';
  const used = '(b.credit_used + excluded.credit_used)';
  await tx.execute(
    sql`insert into bills as b (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, source, account_id, reference, detail)
      select id, org, currency, type, status, at, ${instant(now)}, total, paid, used, 'balance', source, account, reference,
        coalesce(detail, '')
      from ${input}
      on conflict (id) do update set changed_at = excluded.changed_at, total = ${sql.raw(total)}, paid = ${sql.raw(paid)},
        credit_used = ${sql.raw(used)}, status = ${STATUS_BY_COVER(total, paid, used)},
        detail = coalesce(nullif(excluded.detail, ''), b.detail)`,
  );
}

/**
 * The parts of an organisation's debt: unpaid usage bills, and money of top-ups that went back without being there; the oldest
 * first.
 */
export async function readDue(tx: Sql, organizationId: string): Promise<Due[]> {
  const rows = await rowsOf<{ id: string; short: string }>(
    tx,
    sql`select id, short::text from (
        select id, at, total - paid - credit_used as short from bills
        where org_id = ${organizationId} and ${IS_USE} and status in ('unpaid', 'partially_paid') and total > paid + credit_used
        union all select id, at, owed from bills where org_id = ${organizationId} and owed > 0
      ) due order by at, id`,
  );
  return rows.map(({ id, short }) => ({ billId: id, short: micros(BigInt(short)) }));
}

export async function coverBills(tx: Sql, settlements: readonly Settlement[], now: number): Promise<void> {
  const input = rowsAs('input', settlements, {
    id: ['text', ({ billId }) => billId],
    cash: ['bigint', ({ cash }) => cash],
    credits: ['bigint', ({ credits }) => credits],
  });
  const [paid, used] = ['(b.paid + input.cash)', '(b.credit_used + input.credits)'];
  await tx.execute(
    sql`update bills b set changed_at = ${instant(now)}, paid = ${sql.raw(paid)}, credit_used = ${sql.raw(used)},
        status = ${STATUS_BY_COVER('b.total', paid, used)}
      from ${input} where b.id = input.id and b.${IS_USE}`,
  );
  // A top-up's amounts stay: only its `owed` falls.
  await tx.execute(
    sql`update bills b set changed_at = ${instant(now)}, owed = b.owed - input.cash - input.credits
      from ${input} where b.id = input.id and b.owed > 0`,
  );
}

/** A bill whose amount has arrived already. */
export async function openPaid(
  tx: Sql,
  { organizationId, currency }: Wallet,
  bill: BillWords,
  {
    type,
    amount,
    at,
    channel,
  }: { type: 'recharge' | 'wallet_recharge'; amount: Micros; at: Date; channel: PaymentChannel },
): Promise<void> {
  const isNew = await openBill(tx, {
    ...bill,
    organizationId,
    currency,
    type,
    status: 'paid',
    at,
    total: amount,
    channel,
  });
  if (!isNew) throw new Error(`bill ${bill.id} is there already, and not of this transfer`);
  await tx.execute(sql`update bills set paid = ${`${amount}`}::bigint where id = ${bill.id}`);
}
