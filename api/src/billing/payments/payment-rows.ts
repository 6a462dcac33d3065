// Payments in the operators' console: which transfers are awaited, what failed, what is disputed.
import { isPaymentFailure } from '@gantry/contract/billing/payments.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { StaffPayment } from '@gantry/contract/http/payments.ts';
import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/open.ts';
import { bills } from '../../db/schema/ledger.ts';
import { payments } from '../../db/schema/payments.ts';

const COLUMNS: Readonly<Record<string, PgColumn>> = {
  id: payments.id,
  organization_id: payments.organizationId,
  payment_channel: payments.channel,
  state: payments.state,
  status: bills.status,
  initiator: payments.initiator,
  provider_id: payments.providerId,
  failure: payments.failure,
  dispute: payments.dispute,
  dispute_booking: payments.disputeBooking,
  amount: payments.amount,
  created_at: payments.createdAt,
  changed_at: payments.changedAt,
};
/** A transfer's reference is among them. */
const SEARCHED = [payments.id, payments.organizationId, payments.providerId];

export async function paymentRows(
  { sql: connection }: Pick<Database, 'sql'>,
  { sort: [field, order], range: [first, last], filter }: AdminQuery,
): Promise<{ items: StaffPayment[]; total: number }> {
  const where = and(...Object.entries(filter).map(([name, wanted]) => clauseOf(name, wanted)));
  const found = await connection
    .select({ payment: payments, status: bills.status, chargedBack: bills.chargedBack })
    .from(payments)
    .innerJoin(bills, eq(bills.id, payments.billId))
    .where(where)
    .orderBy((order === 'DESC' ? desc : asc)(COLUMNS[field] ?? payments.id), asc(payments.id))
    .offset(first)
    .limit(last - first + 1);
  const [all] = await connection
    .select({ total: count() })
    .from(payments)
    .innerJoin(bills, eq(bills.id, payments.billId))
    .where(where);
  return { items: found.map(staffPaymentRow), total: all?.total ?? 0 };
}

function clauseOf(name: string, wanted: unknown): SQL | undefined {
  if (wanted === undefined) return undefined;
  if (name === 'q') return or(...SEARCHED.map((column) => sql`strpos(lower(${column}), lower(${wanted})) > 0`));
  const column = COLUMNS[name] as PgColumn;
  return Array.isArray(wanted) ? inArray(column, wanted) : eq(column, wanted);
}

const staffPaymentRow = ({
  payment,
  status,
  chargedBack,
}: {
  payment: typeof payments.$inferSelect;
  status: StaffPayment['status'];
  chargedBack: Micros;
}): StaffPayment => ({
  id: payment.id,
  organization_id: payment.organizationId,
  account_id: payment.accountId,
  amount: moneyText(payment.amount),
  paid: moneyText(payment.paid),
  refunded: moneyText(payment.refunded),
  charged_back: moneyText(chargedBack),
  currency: payment.currency,
  payment_channel: payment.channel,
  state: payment.state,
  status,
  failure: payment.failure !== null && isPaymentFailure(payment.failure) ? payment.failure : null,
  dispute: payment.dispute,
  dispute_booking: payment.disputeBooking,
  initiator: payment.initiator,
  provider_id: payment.providerId,
  reference: payment.channel === 'bank_transfer' ? payment.providerId : null,
  created_at: payment.createdAt.toISOString(),
  changed_at: payment.changedAt.toISOString(),
});
