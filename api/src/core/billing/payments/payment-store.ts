// The rows of payments: every statement about a payment and its bill, and what of cards and profiles a payment needs.
import type { BillStatus } from '@gantry/contract/billing/bill.ts';
import type { PaymentFailure } from '@gantry/contract/billing/payments.ts';
import { type Micros, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, asc, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { billingProfiles, paymentMethods, payments } from '../../../platform/db/schema/payments.ts';
import { moveBill, openBill } from '../ledger/bills.ts';
import type { ChannelName } from './channel.ts';
import { askAgainInMs } from './polling.ts';

export type Payment = typeof payments.$inferSelect;

export type NewPayment = Pick<
  Payment,
  'id' | 'organizationId' | 'accountId' | 'channel' | 'amount' | 'currency' | 'methodId' | 'initiator'
>;

/** Within a transaction, with its bill. A payment that is there already stays as it is. */
export async function insertPayment(tx: Sql, payment: NewPayment, now: Date): Promise<void> {
  const { id, organizationId, accountId, channel, amount, currency, methodId, initiator } = payment;
  const made = await tx
    .insert(payments)
    .values({
      ...{ id, organizationId, accountId, channel, amount, currency, methodId, initiator },
      billId: id,
      state: 'open',
      paid: ZERO,
      refunded: ZERO,
      next: {},
      createdAt: now,
      changedAt: now,
      askAt: new Date(now.getTime() + askAgainInMs(0)),
    })
    .onConflictDoNothing()
    .returning({ id: payments.id });
  if (made.length === 0) return;
  await openBill(tx, {
    ...{ id, organizationId, currency, channel },
    type: 'recharge',
    status: 'unpaid',
    at: now,
    total: amount,
    accountId: accountId ?? undefined,
    reference: id,
  });
  await moveBill(tx, id, 'prepaying', { at: now });
}

export async function findPayment(connection: Sql, id: string): Promise<Payment | undefined> {
  return (await connection.select().from(payments).where(eq(payments.id, id)))[0];
}

/** By our id, or the provider's. */
export async function findPaymentIn(connection: Sql, channel: ChannelName, id: string): Promise<Payment | undefined> {
  const isIt = or(eq(payments.id, id), eq(payments.providerId, id));
  return (
    await connection
      .select()
      .from(payments)
      .where(and(eq(payments.channel, channel), isIt))
  )[0];
}

/** Open payments that are due to be asked about, the longest due first. */
export const readDuePayments = (connection: Sql, now: Date, most: number): Promise<Payment[]> =>
  connection
    .select()
    .from(payments)
    .where(and(eq(payments.state, 'open'), lte(payments.askAt, now)))
    .orderBy(asc(payments.askAt))
    .limit(most);

/** With `only`, nothing changes in another state. Resolves with the payment as it is then. */
export async function writePayment(
  connection: Sql,
  { id }: Payment,
  changes: Partial<Payment>,
  only?: Payment['state'][],
): Promise<Payment> {
  const own = eq(payments.id, id);
  const [row] = await connection
    .update(payments)
    .set(changes)
    .where(only ? and(own, inArray(payments.state, only)) : own)
    .returning();
  return row ?? ((await findPayment(connection, id)) as Payment);
}

/** The first one records it: every later attempt posts exactly this. */
export async function writePaid(
  connection: Sql,
  { id }: Payment,
  paid: { providerId: string; paid: Micros; paidAt: Date; confirmedBy?: string; approval?: string | null },
): Promise<Payment> {
  await connection
    .update(payments)
    .set(paid)
    .where(and(eq(payments.id, id), isNull(payments.paidAt)));
  return (await findPayment(connection, id)) as Payment;
}

/** Within a transaction. Only what is open fails: what has arrived stays, whatever an older answer says. Undefined where nothing did. */
export async function writeFailed(
  tx: Sql,
  { id }: Payment,
  failure: PaymentFailure,
  { providerId, at }: { providerId: string | undefined; at: Date },
): Promise<Payment | undefined> {
  const [row] = await tx
    .update(payments)
    .set({ state: 'failed', failure, askAt: null, next: {}, changedAt: at, ...(providerId && { providerId }) })
    .where(and(eq(payments.id, id), eq(payments.state, 'open'), isNull(payments.paidAt)))
    .returning();
  if (!row) return undefined;
  await moveBill(tx, row.billId, 'paid_failed', { at, detail: failure });
  return row;
}

/** Within a transaction: the provider has it, and so has its bill. */
export async function writeUnderWay(
  tx: Sql,
  payment: Payment,
  { at, ...changes }: { at: Date; askAt: Date | null; providerId?: string; next?: Record<string, string> },
): Promise<Payment> {
  const [row] = await tx
    .update(payments)
    .set({ changedAt: at, ...changes })
    .where(and(eq(payments.id, payment.id), eq(payments.state, 'open')))
    .returning();
  if (!row) return (await findPayment(tx, payment.id)) ?? payment;
  await tx
    .update(bills)
    .set({ status: 'paiding', changedAt: at })
    .where(and(eq(bills.id, row.billId), eq(bills.status, 'prepaying')));
  return row;
}

export async function readBillStatus(connection: Sql, { billId }: Payment): Promise<BillStatus | undefined> {
  const [bill] = await connection.select({ status: bills.status }).from(bills).where(eq(bills.id, billId));
  return bill?.status;
}

/** Until somebody turns it on again. Resolves with whether it was on. */
export async function endAutoRecharge(connection: Sql, organizationId: string): Promise<boolean> {
  const isOn = and(eq(billingProfiles.organizationId, organizationId), eq(billingProfiles.autoRecharge, true));
  const ended = await connection.update(billingProfiles).set({ autoRecharge: false }).where(isOn).returning();
  return ended.length > 0;
}

export async function readCustomerId(connection: Sql, organizationId: string): Promise<string | undefined> {
  const [profile] = await connection
    .select({ customerId: billingProfiles.customerId })
    .from(billingProfiles)
    .where(eq(billingProfiles.organizationId, organizationId));
  return profile?.customerId ?? undefined;
}

/** A wallet that nobody opened yet has no profile. The first name that is written stands. */
export async function writeCustomerId(connection: Sql, organizationId: string, customerId: string): Promise<void> {
  await connection
    .insert(billingProfiles)
    .values({ organizationId, customerId })
    .onConflictDoUpdate({
      target: billingProfiles.organizationId,
      set: { customerId },
      setWhere: isNull(billingProfiles.customerId),
    });
}

const ownMethod = (organizationId: string) =>
  and(eq(paymentMethods.organizationId, organizationId), isNull(paymentMethods.removedAt));

export async function readDefaultMethod(connection: Sql, organizationId: string): Promise<string | undefined> {
  const [row] = await connection
    .select({ id: paymentMethods.id })
    .from(paymentMethods)
    .where(and(ownMethod(organizationId), eq(paymentMethods.isDefault, true)));
  return row?.id;
}

/** Throws not_found for a card that the organisation cannot pay with. */
export async function requireMethod(connection: Sql, organizationId: string, id: string): Promise<void> {
  const [row] = await connection
    .select({ providerId: paymentMethods.providerId })
    .from(paymentMethods)
    .where(and(ownMethod(organizationId), eq(paymentMethods.id, id)));
  if (!row?.providerId) throw problem('not_found', { what: id });
}

/** The provider's name for a card. */
export async function readProvidersMethod(connection: Sql, id: string): Promise<string | undefined> {
  const [row] = await connection.select().from(paymentMethods).where(eq(paymentMethods.id, id));
  return row?.providerId ?? undefined;
}
