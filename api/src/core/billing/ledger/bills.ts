// Bills: one line each of what a person sees as a transaction. Their status goes along BILL_STATUSES and nowhere else.
import {
  type BillStatus,
  mayBecome,
  type PaymentChannel,
  statusOfTopUp,
  type TransactionType,
} from '@gantry/contract/billing/bill.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';

export type Bill = typeof bills.$inferSelect;

export interface NewBill {
  readonly id: string;
  readonly organizationId: string;
  readonly currency: string;
  readonly type: TransactionType;
  /** `prepaying` for orders, until their charge says how they are covered. */
  readonly status: BillStatus;
  readonly at: Date;
  readonly total: Micros;
  readonly channel: PaymentChannel;
  readonly source?: SourceType | undefined;
  readonly accountId?: string | undefined;
  readonly reference: string;
  readonly detail?: string | undefined;
}

/** Nothing of it is paid. Resolves with whether it is new: an id that is known stays as it is. */
export async function openBill(tx: Sql, bill: NewBill): Promise<boolean> {
  const made = await tx
    .insert(bills)
    .values({ ...bill, changedAt: bill.at, paid: ZERO, creditUsed: ZERO })
    .onConflictDoNothing()
    .returning({ id: bills.id });
  return made.length > 0;
}

/**
 * Within a transaction. Already there: nothing changes. Throws the problem `bill_not_movable` for a way that the table does
 * not have, and `not_found`.
 */
export async function moveBill(
  tx: Sql,
  id: string,
  to: BillStatus,
  { at, ...changes }: { at: Date; total?: Micros; channel?: PaymentChannel; detail?: string },
): Promise<Bill> {
  const bill = await lockedBill(tx, id);
  if (bill.status === to) return bill;
  if (!mayBecome(bill.status, to)) throw problem('bill_not_movable', { bill: id, from: bill.status, to });
  const [moved = bill] = await tx
    .update(bills)
    .set({ ...changes, status: to, changedAt: at })
    .where(eq(bills.id, id))
    .returning();
  return moved;
}

/** Within a transaction: money of somebody outside arrived for it; more or less of it than was asked for. */
export async function payBill(tx: Sql, id: string, amount: Micros, at: Date): Promise<Bill> {
  const bill = await lockedBill(tx, id);
  const paid = micros(bill.paid + amount);
  return changeTopUp(tx, bill, { paid, status: statusOfTopUp({ ...bill, paid }) }, at);
}

/** How much of a top-up went back; negative if it came in again. */
export interface TakenBack {
  readonly refunded?: Micros | undefined;
  readonly chargedBack?: Micros | undefined;
  readonly owed?: Micros | undefined;
}

/** Within a transaction. While a refund is under way the bill stays `refunding`: `endRefunding` says how it stands afterwards. */
export async function takeFromBill(
  tx: Sql,
  id: string,
  { refunded = ZERO, chargedBack = ZERO, owed = ZERO }: TakenBack,
  { at, begins = false }: { at: Date; begins?: boolean },
): Promise<Bill> {
  const bill = await lockedBill(tx, id);
  const after = {
    refunded: micros(bill.refunded + refunded),
    chargedBack: micros(bill.chargedBack + chargedBack),
    owed: micros(bill.owed + owed),
  };
  const isUnderWay = begins || bill.status === 'refunding';
  const status = isUnderWay ? 'refunding' : statusOfTopUp({ ...bill, ...after });
  return changeTopUp(tx, bill, { ...after, status }, at);
}

/** Within a transaction: a refund is over, however it ended. */
export async function endRefunding(tx: Sql, id: string, at: Date): Promise<void> {
  const bill = await lockedBill(tx, id);
  await changeTopUp(tx, bill, { status: statusOfTopUp(bill) }, at);
}

async function lockedBill(tx: Sql, id: string): Promise<Bill> {
  const [bill] = await tx.select().from(bills).where(eq(bills.id, id)).for('update');
  if (!bill) throw problem('not_found', { what: id });
  return bill;
}

async function changeTopUp(
  tx: Sql,
  bill: Bill,
  changes: Partial<Bill> & Pick<Bill, 'status'>,
  at: Date,
): Promise<Bill> {
  const { status } = changes;
  if (bill.status !== status && !mayBecome(bill.status, status))
    throw problem('bill_not_movable', { bill: bill.id, from: bill.status, to: status });
  const [changed = bill] = await tx
    .update(bills)
    .set({ ...changes, changedAt: at })
    .where(eq(bills.id, bill.id))
    .returning();
  return changed;
}

interface BillFilter {
  readonly organizationId?: string | undefined;
  readonly types?: readonly TransactionType[] | undefined;
  readonly statuses?: readonly BillStatus[] | undefined;
  readonly channels?: readonly PaymentChannel[] | undefined;
  readonly sources?: readonly SourceType[] | undefined;
  readonly accountId?: string | undefined;
  readonly reference?: string | undefined;
  readonly from?: Date | undefined;
  /** Not itself in it. */
  readonly to?: Date | undefined;
}

/** The filter's condition, for other statements over `bills`. */
export function billsWhere(filter: BillFilter): SQL | undefined {
  const among = <Value extends string>(column: Parameters<typeof inArray>[0], values: readonly Value[] | undefined) =>
    values === undefined ? undefined : inArray(column, [...values]);
  return and(
    filter.organizationId === undefined ? undefined : eq(bills.organizationId, filter.organizationId),
    among(bills.type, filter.types),
    among(bills.status, filter.statuses),
    among(bills.channel, filter.channels),
    among(bills.source, filter.sources),
    filter.accountId === undefined ? undefined : eq(bills.accountId, filter.accountId),
    filter.reference === undefined ? undefined : eq(bills.reference, filter.reference),
    filter.from && gte(bills.at, filter.from),
    filter.to && lt(bills.at, filter.to),
  );
}
